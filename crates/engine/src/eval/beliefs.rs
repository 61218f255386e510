//! What either player of an evaluation believes.

use crate::belief::Belief;

/// What either player believes of the other's pieces.
#[derive(Copy, Clone)]
pub(crate) struct Beliefs<'a> {
    /// What our player believes of the enemy's.
    pub(crate) of_enemies: &'a Belief,
    /// What the enemy believes of ours.
    pub(crate) of_ours: &'a Belief,
}
