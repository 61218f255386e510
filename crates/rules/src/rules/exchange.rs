//! What a rescue leaves open: which of several dead came back, by what each player knows.

use super::piece::PieceId;
use super::rank::RankSet;
use super::side::Side;

/// A rescue after which it may be open who came back.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    /// The piece that came back.
    pub(super) raised: PieceId,
    /// The grave that everybody takes out.
    pub(super) emptied: PieceId,
    /// For the holder of the position.
    pub(super) known: Sources,
    /// For the other side.
    pub(super) seen: Sources,
}

impl Exchange {
    /// Whether it is open which of several dead this piece was.
    pub(super) fn is_about(&self, raised: PieceId) -> bool {
        self.raised == raised && (self.known.graves.len() > 1 || self.seen.graves.len() > 1)
    }

    /// Leaves what `viewer` may know of it.
    pub(super) fn mask(&mut self, viewer: Side) {
        if self.raised.side() != viewer {
            self.known = self.seen.clone();
        }
    }
}

/// Who may have come back, by one player's knowledge.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    /// What that piece may be by what was reported.
    pub(super) reported: RankSet,
    /// What the grave that is taken out may have held.
    pub(super) emptied: RankSet,
    /// The graves that it may have come from, with what they may have held.
    pub(super) graves: Vec<(PieceId, RankSet)>,
}

impl Sources {
    /// What the piece that came back may be.
    pub(super) fn raised(&self) -> RankSet {
        self.graves.iter().fold(RankSet::EMPTY, |all, (_, set)| all.or(*set)).and(self.reported)
    }

    /// What a grave may hold if the piece that came back is one of `shown`; `None` where that says nothing.
    pub(super) fn left(&self, grave: PieceId, shown: RankSet) -> Option<RankSet> {
        let may_be = |(_, set): &&(PieceId, RankSet)| set.and(self.reported).meets(shown);
        let (_, own) = self.graves.iter().find(|(id, _)| *id == grave)?;
        let open = self.graves.iter().filter(may_be).count();
        match (own.and(self.reported).meets(shown), open) {
            (_, 0) => None,
            (false, _) => Some(*own),
            (true, 1) => Some(self.emptied),
            (true, _) => Some(own.or(self.emptied)),
        }
    }
}
