//! Whether a position ends the game.

use super::ending::{Ending, Reason};
use super::piece::Piece;
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
        // What ranks before a draw by a limit must be ruled out, not merely unknown.
        let by_limit = || quiet().or_else(plies).filter(|_| !self.may_be_decided(strike));
        worn_out().or_else(|| self.stuck()).or_else(|| by_limit().map(drawn))
    }

    /// Whether hidden ranks leave it open that the side to move is stuck, or that a side is worn out.
    fn may_be_decided(&self, strike: bool) -> bool {
        let worn_out = self.rules().stuck == Stuck::Attrition
            && (strike || self.ply() == 0)
            && Side::BOTH.into_iter().any(|side| self.mobility(side) == Mobility::Unclear);
        worn_out || !self.surely_can_act(self.to_move())
    }

    fn attrition(&self) -> Option<Ending> {
        if self.rules().stuck != Stuck::Attrition {
            return None;
        }
        let winner = match Side::BOTH.map(|side| self.mobility(side)) {
            [Mobility::Immobile, Mobility::Immobile] => None,
            [Mobility::Immobile, Mobility::Mobile] => Some(Side::Blue),
            [Mobility::Mobile, Mobility::Immobile] => Some(Side::Red),
            // Lost or drawn, or it goes on.
            [Mobility::Unclear, _] | [_, Mobility::Unclear] | [Mobility::Mobile, Mobility::Mobile] => {
                return None;
            }
        };
        Some(Ending { winner, reason: Reason::Attrition })
    }

    fn stuck(&self) -> Option<Ending> {
        let (side, other) = (self.to_move(), self.to_move().enemy());
        let immobile = self.mobility(side) == Mobility::Immobile;
        if !immobile && self.may_act(side, true) {
            return None;
        }
        let lost = Ending { winner: Some(other), reason: Reason::Stuck };
        match self.rules().stuck {
            Stuck::Loses => Some(lost),
            // Without mobile pieces it is lost only if the other side has one.
            Stuck::Attrition => (!immobile || self.mobility(other) == Mobility::Mobile).then_some(lost),
            Stuck::DrawIfBoth
                if self.mobility(other) == Mobility::Immobile || !self.may_act(other, false) =>
            {
                Some(Ending { winner: None, ..lost })
            }
            Stuck::DrawIfBoth => self.surely_can_act(other).then_some(lost),
        }
    }

    /// Whether `side` has a mobile piece, by what each piece may be and by the army's counts.
    fn mobility(&self, side: Side) -> Mobility {
        let army = self.rules().army();
        let immobile: usize = RankSet::IMMOBILE.iter().map(|rank| usize::from(army.count(rank))).sum();
        let alive = self.occupied(side).len() as usize;
        // Nearly always so: the rest is for the end of a game.
        if alive > immobile {
            return Mobility::Mobile;
        }
        let (mut may_move, mut members, mut dead_immobile) = (false, 0, 0);
        for (_, piece) in self.pieces(side) {
            members += 1;
            if !piece.is_alive() {
                dead_immobile += usize::from(piece.ranks.is_within(RankSet::IMMOBILE));
            } else if piece.ranks.is_within(RankSet::MOBILE) {
                return Mobility::Mobile;
            } else {
                may_move |= piece.may_move();
            }
        }
        let complete = members >= army.size();
        if !may_move || complete && alive + dead_immobile + self.unclear_dead(side) <= immobile {
            Mobility::Immobile
        } else if alive + dead_immobile > immobile {
            Mobility::Mobile
        } else {
            Mobility::Unclear
        }
    }

    /// How many of the dead of `side` that may be mobile may be immobile as well, at most.
    fn unclear_dead(&self, side: Side) -> usize {
        let (mut open, mut copies) = (RankSet::EMPTY, 0);
        for rank in RankSet::IMMOBILE.iter() {
            let known = self.pieces(side).filter(|(_, piece)| piece.ranks == RankSet::only(rank)).count();
            let left = usize::from(self.rules().army().count(rank)).saturating_sub(known);
            if left > 0 {
                open = open.or(RankSet::only(rank));
                copies += left;
            }
        }
        let unclear = |piece: &Piece| !piece.is_alive() && !piece.ranks.is_within(RankSet::IMMOBILE);
        let dead = self.pieces(side).filter(|(_, piece)| unclear(piece) && piece.ranks.meets(open));
        dead.count().min(copies)
    }
}

/// What is sure about a side's mobile pieces.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Mobility {
    /// It has none.
    Immobile,
    /// It has at least one.
    Mobile,
    /// Either may be.
    Unclear,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, Spn};

    /// The ending that a position's holder sees after a ply.
    fn after(spn: &str, ply: &str) -> Option<Ending> {
        let mut position = Spn::parse(spn, Ruleset::default()).unwrap().position;
        position.play(ply.parse().unwrap()).unwrap();
        position.ending()
    }

    #[test]
    fn a_limit_draws_only_what_is_surely_not_decided_before_it() {
        let rules = "2 10 stuck=loses quiet=3";
        let dead = "-,2222222233333444455556666777889MBBBBB";
        // Of the three either the spy beside an empty square is left to move, or none is: then Blue is stuck.
        let open = format!("??8/?9/10/10/2__2__2/2__2__2/10/10/10/M8L r r {dead} {rules}");
        assert_eq!(after(&open, "j1j2"), None);
        let decided = format!("ON8/Y9/10/10/2__2__2/2__2__2/10/10/10/M8L r - {dead} {rules}");
        assert_eq!(after(&decided, "j1j2").map(|ending| ending.reason), Some(Reason::Stuck));
        let moved = format!("??8/?+9/10/10/2__2__2/2__2__2/10/10/10/M8L r r {dead} {rules}");
        assert_eq!(after(&moved, "j1j2").map(|ending| ending.reason), Some(Reason::Quiet));
    }
}
