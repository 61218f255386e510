//! What hidden pieces were seen to do about known ones: whom each went up to, and from whom it went away.

use crate::rules::{Action, ByPiece, PieceId, Position, Rank, Square};

/// How strong the strongest known piece is that a piece went up to, or away from.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Ord, PartialOrd)]
pub(super) enum Strength {
    /// There was none.
    #[default]
    None,
    /// At most a lieutenant.
    Weak,
    /// A captain or a major.
    Middle,
    /// A colonel or better.
    Strong,
}

impl Strength {
    const fn of(rank: Rank) -> Strength {
        match rank {
            Rank::Flag | Rank::Bomb => Strength::None,
            Rank::Spy | Rank::Scout | Rank::Miner | Rank::Sergeant | Rank::Lieutenant => Strength::Weak,
            Rank::Captain | Rank::Major => Strength::Middle,
            Rank::Colonel | Rank::General | Rank::Marshal => Strength::Strong,
        }
    }
}

/// What one piece did while its rank was hidden.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Pursuit {
    /// The strongest known piece that it went up to.
    pub(super) chased: Strength,
    /// The strongest known piece that it went away from.
    pub(super) evaded: Strength,
}

/// What each piece of both sides did, as both players saw it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pursuits(ByPiece<Pursuit>);

impl Pursuits {
    /// What the plies that `position` keeps show.
    pub fn of(position: &Position) -> Pursuits {
        let mut pursuits = Pursuits::default();
        let mut earlier = position.clone();
        loop {
            pursuits.note_latest(&earlier);
            if !earlier.undo() {
                break;
            }
        }
        pursuits
    }

    pub(super) fn piece(&self, id: PieceId) -> Pursuit {
        self.0[id]
    }

    /// Folds in that `mover` has just made `action`, no strike, which led to `position`.
    pub fn note(&mut self, position: &Position, mover: PieceId, action: Action) {
        if position.piece(mover).learned.single().is_some() {
            return;
        }
        let known = |square: Square| {
            let id = position.piece_at(square).filter(|id| id.side() != mover.side())?;
            position.piece(id).learned.single().map(Strength::of)
        };
        let chased = action.to.neighbours().filter_map(known).max().unwrap_or_default();
        let left = action.from.neighbours().filter(|square| !square.is_next_to(action.to));
        let evaded = left.filter_map(known).max().unwrap_or_default();
        let pursuit = &mut self.0[mover];
        pursuit.chased = pursuit.chased.max(chased);
        pursuit.evaded = pursuit.evaded.max(evaded);
    }

    /// Folds in the ply that has just led to `position`, whatever it was.
    pub fn note_latest(&mut self, position: &Position) {
        if let Some((mover, played)) = position.latest_plies().next()
            && played.verdict.is_none()
        {
            self.note(position, mover, played.action);
        }
    }
}
