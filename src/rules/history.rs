//! What a position keeps of the plies made from it: to take them back, and for the repetition rules.

use super::action::Played;
use super::piece::{Piece, PieceId};
use super::position::Position;
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
    /// Where its share of `changed` begins.
    changed: u32,
    quiet: u32,
    /// The mover's trail.
    trail: Trail,
    /// The other side's chase, all that a ply changes of that side's trail.
    chase: u16,
}

impl Past {
    const fn is_strike(&self) -> bool {
        self.played.verdict.is_some()
    }
}

impl Position {
    /// The plies made here, oldest first, with what was told of their strikes.
    pub fn history(&self) -> impl ExactSizeIterator<Item = &Played> + DoubleEndedIterator {
        self.past.iter().map(|past| &past.played)
    }

    /// Forgets all but the latest `count` plies made here: the others cannot be taken back, nor what stood before them repeated.
    pub fn keep_latest(&mut self, count: usize) {
        let dropped = self.past.len().saturating_sub(count);
        let first = self.past.get(dropped).map_or(self.changed.len() as u32, |past| past.changed);
        self.past.drain(..dropped);
        self.changed.drain(..first as usize);
        self.past.iter_mut().for_each(|past| past.changed -= first);
        self.earlier.drain(..self.earlier.len().saturating_sub(count));
        self.past.shrink_to_fit();
        self.changed.shrink_to_fit();
        self.earlier.shrink_to_fit();
    }

    /// The last `count` plies made here, newest last.
    pub(super) fn earlier(&self, count: usize) -> &[Earlier] {
        &self.earlier[self.earlier.len().saturating_sub(count)..]
    }

    /// Moves and changes the pieces of a ply, but for its rescue, and notes how to take the whole ply back.
    pub(super) fn advance(
        &mut self,
        played: Played,
        mover: &(PieceId, Piece),
        victim: Option<&(PieceId, Piece)>,
    ) {
        let (id, side) = (mover.0, mover.0.side());
        self.earlier.push(Earlier { layout: self.layout, mover: id });
        self.past.push(Past {
            played,
            changed: self.changed.len() as u32,
            quiet: self.quiet,
            trail: self.trails[side],
            chase: self.trails[side.enemy()].chase,
        });
        for (id, _) in std::iter::once(mover).chain(victim) {
            self.changed.push((*id, *self.piece(*id)));
        }
        self.replace(mover, victim);
    }

    /// Takes back what the last ply made here changed, its rescue too; `None` if there is none.
    pub(super) fn retreat(&mut self) -> Option<()> {
        let (past, earlier) = (self.past.pop()?, self.earlier.pop()?);
        let mut changed = std::mem::take(&mut self.changed);
        let first = past.changed as usize;
        let raised = first + 1 + usize::from(past.is_strike());
        for (id, piece) in changed.drain(raised..).rev() {
            self.set_piece(id, piece);
        }
        self.replace(&changed[first], changed[first + 1..].first());
        changed.truncate(first);
        self.changed = changed;
        let side = earlier.mover.side();
        self.rescues[side] -= u8::from(past.played.action.rescue.is_some());
        self.trails[side] = past.trail;
        self.trails[side.enemy()].chase = past.chase;
        self.quiet = past.quiet;
        Some(())
    }

    /// What the rescue of the last ply made here changed.
    pub(super) fn last_raised(&self) -> &[(PieceId, Piece)] {
        let first = |past: &Past| past.changed as usize + 1 + usize::from(past.is_strike());
        self.past.last().map_or(&[], |past| &self.changed[first(past)..])
    }

    /// Sets both pieces of a ply; the first leaves its square before the second arrives.
    fn replace(&mut self, (mover, piece): &(PieceId, Piece), victim: Option<&(PieceId, Piece)>) {
        self.rehash(*mover, piece);
        self.lift(*mover);
        if let Some((id, victim)) = victim {
            self.set_piece(*id, *victim);
        }
        self.put(*mover, *piece);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank::RankSet;
    use super::super::ruleset::Ruleset;
    use super::super::side::Side;
    use super::*;

    #[test]
    fn what_is_told_after_a_ply_leaves_the_hash_right_when_the_ply_is_undone() {
        let mut position = Position::new(Ruleset::default());
        let [red, blue] = ["F........2", "F...5....."].map(|row| format!("{row:.<40}").parse().unwrap());
        position.deploy(Side::Red, &red);
        position.deploy(Side::Blue, &blue);
        let mut position = position.masked(Side::Blue);
        let scout = PieceId::new(Side::Red, 9);
        position.play("j1j2".parse().unwrap()).unwrap();
        assert!(
            position.tell(scout, RankSet::MOBILE)
                && position.tell(PieceId::new(Side::Red, 0), RankSet::IMMOBILE)
        );
        assert!(position.undo());
        assert_eq!(position.hash(), position.hash_from_scratch());
        assert_eq!(position.piece(scout).ranks, RankSet::ALL);
    }

    #[test]
    fn the_latest_plies_are_kept_and_can_be_taken_back() {
        let mut position = Position::new(Ruleset { twosquares: 0, moresquares: false, ..Ruleset::default() });
        position.deploy(Side::Red, &format!("{:.<40}", "F........3").parse().unwrap());
        position.deploy(Side::Blue, &format!("{:.<40}", "3........F").parse().unwrap());
        for text in ["j1j2", "j10j9", "j2j1", "j9j10", "j1j2", "j10j9"] {
            position.play(text.parse().unwrap()).unwrap();
        }
        position.keep_latest(4);
        assert_eq!((position.history().len(), position.ply()), (4, 6));
        (0..4).for_each(|_| assert!(position.undo()));
        assert_eq!((position.ply(), position.hash()), (2, position.hash_from_scratch()));
        assert!(!position.undo());
    }

    #[test]
    fn a_restarted_position_is_a_new_one() {
        let rules = Ruleset { rescue: true, ..Ruleset::default() };
        let mut position = Position::new(rules);
        position.deploy(Side::Red, &format!("{:.<40}", "F........2").parse().unwrap());
        position.play("j1j3".parse().unwrap()).unwrap();
        position.restart();
        assert_eq!(format!("{position:?}"), format!("{:?}", Position::new(rules)));
    }
}
