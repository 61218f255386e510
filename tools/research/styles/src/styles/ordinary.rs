//! Ordinary play: the tactics that all styles share, and no theme. What the others are compared with.

use crate::setups::Taste;
use crate::style::Style;
use outflank::rng::Rng;

/// Plays without a theme.
#[derive(Debug)]
pub struct Ordinary;

impl Style for Ordinary {
    const NAME: &'static str = "ordinary";

    fn taste(rng: &mut Rng) -> Taste {
        Taste::ordinary(rng)
    }
}
