//! What a position keeps of the plies made from it: to take them back, and for the repetition rules.

use super::action::Played;
use super::piece::PieceId;
use super::repetition::Trail;

/// What the rule against endless chases asks of a ply.
#[derive(Copy, Clone, Debug)]
pub(super) struct Earlier {
    /// Identity hash of who stood where before it.
    pub(super) layout: u64,
    /// Who acted.
    pub(super) mover: PieceId,
}

/// What undoing a ply takes.
#[derive(Copy, Clone, Debug)]
pub(super) struct Past {
    pub(super) played: Played,
    /// Where its share of the position's list of changed pieces begins.
    pub(super) changed: u32,
    pub(super) quiet: u32,
    /// The mover's trail.
    pub(super) trail: Trail,
    /// The other side's chase, all that a ply changes of that side's trail.
    pub(super) chase: u16,
}

impl Past {
    /// Whether the ply was a strike.
    pub(super) const fn is_strike(&self) -> bool {
        self.played.verdict.is_some()
    }
}
