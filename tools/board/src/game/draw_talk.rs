//! What has been said of a draw.

use outflank::rules::Side;
use serde::{Deserialize, Serialize};

/// After a refusal nobody may offer again before so many plies.
pub(super) const REST: usize = 20;

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

    /// A side offers one.
    pub(super) fn offer(&mut self, by: Side) {
        self.offered_by_red = Some(by == Side::Red);
    }

    /// A side refuses the other's, at this ply.
    pub(super) fn refuse(&mut self, by: Side, ply: usize) {
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

#[cfg(test)]
mod tests {
    use super::*;

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
