//! Rescues by the twin.

use super::{Man, Place, Ply, Twin};
use outflank::rules::{Rank, Side};
use std::collections::BTreeSet;

impl Twin {
    /// "When you move onto a square in your opponent's back row you have the option of rescuing one of your captured
    /// pieces": what may be handed back where, if the ply is a move or wins its strike.
    pub(super) fn rescues_with(&self, (from, to): Ply) -> Vec<(Rank, Place)> {
        let man = self.board[&from];
        let (back_row, home) = if man.side == Side::Red { (9, 0..4u8) } else { (0, 6..10u8) };
        let steps_on = to.1 == back_row && from.1 != back_row;
        let made: Vec<usize> = self.rescuers.iter().map(|(name, _)| *name).collect();
        let allowed = self.rules.rescue
            && steps_on
            && man.rank != Rank::Scout
            && !made.contains(&man.name)
            && self.rescues[&man.side] < 2;
        if !allowed {
            return Vec::new();
        }
        let dead = self.captured.iter().filter(|dead| dead.side == man.side).map(|dead| dead.rank);
        let ranks: BTreeSet<Rank> = dead.filter(|rank| !matches!(rank, Rank::Bomb | Rank::Flag)).collect();
        let places = home.flat_map(|row| (0..10u8).map(move |file| (file, row)));
        let open: Vec<Place> = places.filter(|place| !self.board.contains_key(place)).collect();
        ranks.into_iter().flat_map(|rank| open.iter().map(move |&place| (rank, place))).collect()
    }

    /// Hands a piece back after the last action, unless its piece fell.
    pub(super) fn rescue(&mut self, rank: Rank, place: Place) {
        let ply = self.past.len();
        let last = self.past.last_mut().unwrap();
        if !last.stood {
            return;
        }
        let side = last.man.side;
        last.rescued = true;
        self.rescuers.push((last.man.name, ply));
        *self.rescues.get_mut(&side).unwrap() += 1;
        let index = self.captured.iter().position(|dead| (dead.side, dead.rank) == (side, rank)).unwrap();
        self.captured.remove(index);
        self.board.insert(place, Man { name: self.men, side, rank });
        self.men += 1;
    }
}
