//! The setup eccentric: ordinary play from setups that nobody recommends.

use crate::setups::Taste;
use crate::style::Style;
use outflank::rng::Rng;
use outflank::rules::Rank;

/// Sets up strangely.
#[derive(Debug)]
pub struct Eccentric;

impl Style for Eccentric {
    const NAME: &'static str = "eccentric";

    fn taste(rng: &mut Rng) -> Taste {
        let ordinary = Taste::ordinary(rng);
        let strong = [Rank::Marshal, Rank::General, Rank::Colonel];
        match rng.below(6) {
            // The flag in the second or third row, in whatever company.
            0 => Taste { flag_rows: [0, 1, 1, 0], flag_files: [1; 10], guards: rng.below(4), ..ordinary },
            // Bombs in front.
            1 => Taste { guards: 0, ..ordinary.with(&[Rank::Bomb], [0, 0, 1, 2]) },
            // The flag in front, open, behind a lake.
            2 => {
                let lakes = [0, 0, 1, 1, 0, 0, 1, 1, 0, 0];
                Taste { flag_rows: [0, 0, 1, 2], flag_files: lakes, guards: 0, ..ordinary }
            }
            // All scouts at home, and miners in front.
            3 => ordinary.with(&[Rank::Scout], [4, 2, 0, 0]).with(&[Rank::Miner], [0, 0, 1, 3]),
            // The strong at home.
            4 => ordinary.with(&strong, [3, 1, 0, 0]).with(&[Rank::Bomb], [1, 2, 2, 1]),
            // The flag at home without a single bomb, and bombs around nothing.
            _ => Taste { guards: 0, ..ordinary.with(&[Rank::Bomb], [1, 2, 2, 0]) },
        }
    }
}
