//! Offers of a draw, and what an engine makes of one.

use super::draw_talk::{DrawTalk, REST};
use super::{Match, Refused, Seat};
use outflank::rules::Side;
use outflank_record::{Decision, Outcome};

/// An engine that expects no more than this share of the points, in permille, takes a draw.
const LOSING: u32 = 450;
/// Plies without a strike after which it takes one that it expects to be no worse than even.
const LONG_QUIET: usize = 60;
const EVEN: u32 = 550;

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
            self.draw.offer(side);
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
}
