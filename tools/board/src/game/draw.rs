//! Offers of a draw, and what an engine makes of one.

use super::{Match, Refused, Seat};
use outflank::rules::Side;
use outflank_record::{Decision, Outcome};
use serde::{Deserialize, Serialize};

/// After a refusal nobody may offer again before so many plies.
const REST: usize = 20;
/// An engine that expects no more than this share of the points, in permille, takes a draw.
const LOSING: u32 = 450;
/// Plies without a strike after which it takes one that it expects to be no worse than even.
const LONG_QUIET: usize = 60;
const EVEN: u32 = 550;

/// What has been said of a draw.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
pub(super) struct DrawTalk {
    /// Whose offer stands: true for Red's.
    offered_by_red: Option<bool>,
    /// The ply at which the last offer was refused, and whether Red refused it.
    refused: Option<(usize, bool)>,
}

const fn side(is_red: bool) -> Side {
    if is_red { Side::Red } else { Side::Blue }
}

impl DrawTalk {
    /// Whose offer stands.
    pub(super) fn offered_by(self) -> Option<Side> {
        self.offered_by_red.map(side)
    }

    /// Who refused the last offer, as long as nobody may offer again.
    pub(super) fn refused_by(self, ply: usize) -> Option<Side> {
        self.refused.filter(|(at, _)| ply < at + REST).map(|(_, by_red)| side(by_red))
    }

    fn refuse(&mut self, by: Side, ply: usize) {
        *self = DrawTalk { offered_by_red: None, refused: Some((ply, by == Side::Red)) };
    }

    /// Whoever moves on has refused.
    pub(super) fn moved(&mut self, mover: Side, ply: usize) {
        if self.offered_by() == Some(mover.enemy()) {
            self.refuse(mover, ply);
        }
    }

    /// After taking back, no offer stands, and one that was refused later has not been made.
    pub(super) fn taken_back(&mut self, ply: usize) {
        self.offered_by_red = None;
        self.refused = self.refused.filter(|(at, _)| *at <= ply);
    }
}

impl Match {
    /// Whether the person before the page may offer a draw now.
    pub fn can_offer_draw(&self) -> bool {
        self.offering().is_ok()
    }

    fn offering(&self) -> Result<Side, Refused> {
        let side = self.resigning().ok_or(Refused::Stage)?;
        let against_engine = !self.options.seats[side.enemy()].is_person();
        // An engine is asked when it has just moved: what it expected then is what it answers by.
        if against_engine && self.person_due().is_none() {
            return Err(Refused::Turn);
        }
        if self.draw.offered_by().is_some() || self.draw.refused_by(self.ply()).is_some() {
            return Err(Refused::Pressing(REST));
        }
        Ok(side)
    }

    /// The person before the page offers a draw. An engine answers at once; `expected` are its chances to win, draw
    /// and lose in permille when it moved last. Another person answers when it sits before the page.
    ///
    /// # Errors
    /// If it is not the time for it.
    pub fn offer_draw(&mut self, expected: Option<[u32; 3]>) -> Result<(), Refused> {
        let side = self.offering()?;
        if let Seat::Person = self.options.seats[side.enemy()] {
            self.draw.offered_by_red = Some(side == Side::Red);
        } else if expected.is_some_and(|chances| accepts(chances, self.quiet_plies())) {
            self.agree();
        } else {
            self.draw.refuse(side.enemy(), self.ply());
        }
        Ok(())
    }

    /// The person before the page answers the other's offer.
    ///
    /// # Errors
    /// If there is none.
    pub fn answer_draw(&mut self, accepts: bool) -> Result<(), Refused> {
        let side = self.resigning().ok_or(Refused::Stage)?;
        if self.draw.offered_by() != Some(side.enemy()) {
            return Err(Refused::Stage);
        }
        if accepts {
            self.agree();
        } else {
            self.draw.refuse(side, self.ply());
        }
        Ok(())
    }

    fn agree(&mut self) {
        self.draw = DrawTalk::default();
        self.outcome = Some(Outcome::of_decision(None, Decision::Agreed));
    }

    /// Plies since the last strike.
    fn quiet_plies(&self) -> usize {
        let whole = self.course.as_ref().map_or(&[][..], |course| course.whole());
        whole.iter().rev().take_while(|played| played.verdict.is_none()).count()
    }
}

/// Whether an engine with these chances takes a draw.
fn accepts([win, draw, _]: [u32; 3], quiet: usize) -> bool {
    let points = win + draw / 2;
    points <= LOSING || (quiet >= LONG_QUIET && points <= EVEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_takes_a_draw_when_it_expects_less_or_nothing_happens() {
        assert!(accepts([300, 100, 600], 0));
        assert!(!accepts([480, 40, 480], 0));
        assert!(accepts([480, 40, 480], LONG_QUIET));
        assert!(!accepts([700, 100, 200], LONG_QUIET * 9));
    }

    #[test]
    fn an_offer_falls_when_the_other_moves_or_something_is_taken_back() {
        let offered = DrawTalk { offered_by_red: Some(true), refused: None };
        let mut talk = offered;
        talk.moved(Side::Red, 1);
        assert_eq!(talk, offered);
        talk.moved(Side::Blue, 2);
        assert_eq!((talk.offered_by(), talk.refused_by(2)), (None, Some(Side::Blue)));
        assert_eq!((talk.refused_by(1 + REST), talk.refused_by(2 + REST)), (Some(Side::Blue), None));
        talk.taken_back(1);
        assert_eq!(talk, DrawTalk::default());
    }
}
