//! Whether a position ends the game.

use super::ending::{Ending, Reason};
use super::position::Position;
use super::rank::{Rank, RankSet};
use super::ruleset::Stuck;
use super::side::Side;

impl Position {
    /// Looks for an ending before the first ply, for positions that start decided.
    pub fn settle(&mut self) {
        let taken = |side: Side| {
            self.pieces(side).any(|(_, piece)| !piece.is_alive() && piece.ranks == RankSet::only(Rank::Flag))
        };
        self.ending = match Side::BOTH.map(taken) {
            [true, false] => Some(Ending { winner: Some(Side::Blue), reason: Reason::Flag }),
            [false, true] => Some(Ending { winner: Some(Side::Red), reason: Reason::Flag }),
            [false, false] | [true, true] => self.find_ending(false, true),
        };
    }

    /// The ending that the ply just made brought about, as far as the holder of this position can tell.
    ///
    /// In order: flag, stuck or attrition, quiet, plies. `flag` says whether a flag has just been taken.
    pub(super) fn find_ending(&self, flag: bool, strike: bool) -> Option<Ending> {
        let mover = self.to_move().enemy();
        if flag {
            return Some(Ending { winner: Some(mover), reason: Reason::Flag });
        }
        let rules = self.rules();
        let worn_out = || if strike || self.ply() == 0 { self.attrition() } else { None };
        let quiet = || (rules.quiet > 0 && self.quiet() >= rules.quiet).then_some(Reason::Quiet);
        let plies = || (rules.plies > 0 && self.ply() >= rules.plies).then_some(Reason::Plies);
        let drawn = |reason| Ending { winner: None, reason };
        worn_out().or_else(|| self.stuck()).or_else(|| quiet().or_else(plies).map(drawn))
    }

    fn attrition(&self) -> Option<Ending> {
        if self.rules().stuck != Stuck::Attrition {
            return None;
        }
        let lost = Side::BOTH.map(|side| self.surely_has_no_mobile_piece(side));
        let winner = match lost {
            [false, false] => return None,
            [true, true] => None,
            [true, false] => Some(Side::Blue),
            [false, true] => Some(Side::Red),
        };
        Some(Ending { winner, reason: Reason::Attrition })
    }

    fn stuck(&self) -> Option<Ending> {
        let side = self.to_move();
        if self.may_act(side, true) {
            return None;
        }
        let lost = Ending { winner: Some(side.enemy()), reason: Reason::Stuck };
        if self.rules().stuck != Stuck::DrawIfBoth {
            return Some(lost);
        }
        if !self.may_act(side.enemy(), false) {
            return Some(Ending { winner: None, ..lost });
        }
        self.surely_can_act(side.enemy()).then_some(lost)
    }

    /// Whether `side` can have no mobile piece, by what each piece may be and by the army's counts.
    fn surely_has_no_mobile_piece(&self, side: Side) -> bool {
        let (mut alive, mut may_move, mut dead_immobile, mut unclear, mut members) = (0, 0, 0, 0, 0);
        for (_, piece) in self.pieces(side) {
            members += 1;
            if piece.is_alive() {
                alive += 1;
                may_move += usize::from(piece.may_move());
            } else if piece.ranks.is_within(RankSet::IMMOBILE) {
                dead_immobile += 1;
            } else if piece.ranks.meets(RankSet::IMMOBILE) {
                unclear += 1;
            }
        }
        if may_move == 0 {
            return true;
        }
        let army = self.rules().army();
        let immobile: usize = RankSet::IMMOBILE.iter().map(|rank| army.count(rank) as usize).sum();
        members >= army.size() && unclear == 0 && alive + dead_immobile <= immobile
    }
}
