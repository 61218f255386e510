//! What has been said of a draw.

use outflank::rules::Side;
use serde::{Deserialize, Serialize};

/// After a refusal nobody may offer again before so many plies.
pub(super) const REST: usize = 20;

/// What has been said of a draw.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub(super) struct DrawTalk {
    /// Whose offer stands.
    offered: Option<Side>,
    /// The last refusal.
    refused: Option<Refusal>,
}

/// Who refused an offer, and at which ply.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
struct Refusal {
    ply: usize,
    by: Side,
}

/// [`DrawTalk`] as files of games have it: true stands for Red.
#[derive(Serialize, Deserialize)]
struct Written {
    offered_by_red: Option<bool>,
    refused: Option<(usize, bool)>,
}

const fn side(is_red: bool) -> Side {
    if is_red { Side::Red } else { Side::Blue }
}

impl From<Written> for DrawTalk {
    fn from(written: Written) -> DrawTalk {
        let refusal = |(ply, by_red)| Refusal { ply, by: side(by_red) };
        DrawTalk { offered: written.offered_by_red.map(side), refused: written.refused.map(refusal) }
    }
}

impl From<DrawTalk> for Written {
    fn from(talk: DrawTalk) -> Written {
        let refusal = |Refusal { ply, by }| (ply, by == Side::Red);
        Written { offered_by_red: talk.offered.map(|by| by == Side::Red), refused: talk.refused.map(refusal) }
    }
}

impl DrawTalk {
    /// Whose offer stands.
    pub(super) fn offered_by(self) -> Option<Side> {
        self.offered
    }

    /// Who refused the last offer, as long as nobody may offer again.
    pub(super) fn refused_by(self, ply: usize) -> Option<Side> {
        self.refused.filter(|refused| ply < refused.ply + REST).map(|refused| refused.by)
    }

    /// A side offers one.
    pub(super) fn offer(&mut self, by: Side) {
        self.offered = Some(by);
    }

    /// A side refuses the other's, at this ply.
    pub(super) fn refuse(&mut self, by: Side, ply: usize) {
        *self = DrawTalk { offered: None, refused: Some(Refusal { ply, by }) };
    }

    /// Whoever moves on has refused.
    pub(super) fn moved(&mut self, mover: Side, ply: usize) {
        if self.offered_by() == Some(mover.enemy()) {
            self.refuse(mover, ply);
        }
    }

    /// After taking back, no offer stands, and one that was refused later has not been made.
    pub(super) fn taken_back(&mut self, ply: usize) {
        self.offered = None;
        self.refused = self.refused.filter(|refused| refused.ply <= ply);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_falls_when_the_other_moves_or_something_is_taken_back() {
        let offered = DrawTalk { offered: Some(Side::Red), refused: None };
        let mut talk = offered;
        talk.moved(Side::Red, 1);
        assert_eq!(talk, offered);
        talk.moved(Side::Blue, 2);
        assert_eq!((talk.offered_by(), talk.refused_by(2)), (None, Some(Side::Blue)));
        assert_eq!((talk.refused_by(1 + REST), talk.refused_by(2 + REST)), (Some(Side::Blue), None));
        talk.taken_back(1);
        assert_eq!(talk, DrawTalk::default());
    }

    #[test]
    fn files_say_it_as_they_always_did() {
        let text = r#"{"offered_by_red":false,"refused":[7,true]}"#;
        let talk: DrawTalk = serde_json::from_str(text).unwrap();
        assert_eq!((talk.offered_by(), talk.refused_by(7)), (Some(Side::Blue), Some(Side::Red)));
        assert_eq!(serde_json::to_string(&talk).unwrap(), text);
    }
}
