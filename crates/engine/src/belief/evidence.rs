//! What searches found out about the enemy's moves, beside what a player was shown.
//!
//! A [`View`] is a fold over events and nothing else; what somebody has thought about these events is kept here. It
//! is kept by line of play, so that it is found again wherever the same plies were made: after an `undo`, in a game
//! played anew, while pondering.

use super::trust::{Prediction, Scored};
use crate::rules::{ByRank, PieceId, Rank, RankSet};
use crate::view::{LineKey, View};

/// How much a move was to be expected, by what one of its side's pieces of untold rank might be.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MoveEvidence {
    /// Plies of the game up to the move, itself counted.
    pub ply: u32,
    /// The piece that this is about: the one that moved, or one that stood still.
    pub id: PieceId,
    /// Whether it is the one that moved.
    pub moved: bool,
    /// The ranks that were thought about.
    pub ranks: RankSet,
    /// For each of them, the probability (0 to 1) that its side would have chosen this of all its actions.
    pub likelihoods: ByRank<f32>,
    /// The mean of these, weighted by what the piece was believed to be before the move.
    pub mean: f32,
    /// The probability of the move if its side chose blindly: 1 over the number of its actions.
    pub blind: f32,
    /// Nodes that it took to find out.
    pub nodes: u64,
}

/// What has been found out about the enemy's moves, in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    found: Vec<(LineKey, MoveEvidence)>,
    revealed: Vec<(LineKey, Scored)>,
    /// What was predicted of a hidden piece when it first came beside enemies.
    contacts: Vec<(LineKey, Prediction)>,
}

/// More than that is never kept of lines that are not played any more.
const MOST: usize = 1 << 16;

/// The most predictions that are kept; a game has one or two for each piece.
const MOST_PREDICTIONS: usize = 1 << 10;

/// Whether something belongs to the game that `view` shows.
fn is_of(view: &View, key: LineKey, evidence: &MoveEvidence) -> bool {
    view.line_key(evidence.ply) == Some(key)
}

impl Evidence {
    /// Nothing found out yet.
    pub const fn new() -> Evidence {
        Evidence { found: Vec::new(), revealed: Vec::new(), contacts: Vec::new() }
    }

    /// Takes in what was found out about the last ply of `view`; refused if it is about another ply, or about a piece
    /// of its player's.
    pub fn note(&mut self, view: &View, evidence: MoveEvidence) -> bool {
        let last = view.line_key(view.position().ply()).filter(|_| evidence.ply == view.position().ply());
        let Some(key) = last.filter(|_| evidence.id.side() != view.viewer()) else { return false };
        if self.found.len() >= MOST {
            self.keep_only(&[view]);
        }
        let place = self.found.partition_point(|(_, other)| other.ply <= evidence.ply);
        self.found.insert(place, (key, evidence));
        true
    }

    /// Takes in what was predicted of a piece whose rank the last ply of `view` revealed, or that it can move.
    pub(crate) fn note_revealed(&mut self, view: &View, prediction: &Prediction, ranks: RankSet) {
        let Some(key) = view.line_key(prediction.ply) else { return };
        // After an `undo` the same ply may be made again.
        let about_it =
            |(other, prior): &(LineKey, Scored)| *other == key && prior.prediction.id == prediction.id;
        if self.revealed.iter().any(about_it) {
            return;
        }
        if self.revealed.len() >= MOST_PREDICTIONS {
            self.keep_only(&[view]);
        }
        self.revealed.push((key, Scored::new(prediction, ranks)));
    }

    /// Takes in what is predicted of a piece that the last ply of `view` brought beside enemies for the first time.
    pub(crate) fn note_contact(&mut self, view: &View, contact: &Prediction) {
        let Some(key) = view.line_key(contact.ply).filter(|_| !self.has_contact(view, contact.id)) else {
            return;
        };
        if self.contacts.len() >= MOST_PREDICTIONS {
            self.keep_only(&[view]);
        }
        self.contacts.push((key, *contact));
    }

    /// Whether something was predicted of a piece that came beside enemies in `view`'s game.
    pub(crate) fn has_contact(&self, view: &View, id: PieceId) -> bool {
        self.contacts_of(view).any(|contact| contact.id == id)
    }

    /// What was predicted of pieces that came beside enemies in `view`'s game and whose rank is known by now.
    pub(crate) fn contacts<'a>(&'a self, view: &'a View) -> impl Iterator<Item = (&'a Prediction, Rank)> {
        let known =
            |contact: &'a Prediction| Some((contact, view.position().piece(contact.id).ranks.single()?));
        self.contacts_of(view).filter_map(known)
    }

    fn contacts_of<'a>(&'a self, view: &'a View) -> impl Iterator<Item = &'a Prediction> {
        let of_this_game = |(key, contact): &&(LineKey, Prediction)| view.line_key(contact.ply) == Some(*key);
        self.contacts.iter().filter(of_this_game).map(|(_, contact)| contact)
    }

    /// The ranks revealed in `view`'s game, with what was predicted of each.
    pub(super) fn revealed<'a>(&'a self, view: &'a View) -> impl Iterator<Item = &'a Scored> + Clone {
        let of_this_game =
            |(key, scored): &&(LineKey, Scored)| view.line_key(scored.prediction.ply) == Some(*key);
        self.revealed.iter().filter(of_this_game).map(|(_, scored)| scored)
    }

    /// What was found out about the plies of `view`'s game, in their order.
    pub fn about<'a>(&'a self, view: &'a View) -> impl Iterator<Item = &'a MoveEvidence> {
        let of_this_game = |(key, evidence): &&(LineKey, MoveEvidence)| is_of(view, *key, evidence);
        self.found.iter().filter(of_this_game).map(|(_, evidence)| evidence)
    }

    /// What was found out about the last ply, piece by piece.
    pub fn about_last<'a>(&'a self, view: &'a View) -> impl Iterator<Item = &'a MoveEvidence> {
        self.about(view).filter(|evidence| evidence.ply == view.position().ply())
    }

    /// Takes over what `other` knows of the last ply of `view`, unless something is known of it here.
    pub fn take_last(&mut self, view: &View, other: &Evidence) {
        if self.about_last(view).next().is_none() {
            for evidence in other.about_last(view) {
                self.note(view, *evidence);
            }
        }
    }

    /// Forgets everything that is about none of these games, or about plies that they do not keep.
    pub fn keep_only(&mut self, games: &[&View]) {
        self.found.retain(|(key, evidence)| games.iter().any(|view| is_of(view, *key, evidence)));
        self.found.shrink_to_fit();
        let of_a_game = |key: LineKey, ply| games.iter().any(|view| view.line_key(ply) == Some(key));
        self.revealed.retain(|(key, scored)| of_a_game(*key, scored.prediction.ply));
        self.contacts.retain(|(key, contact)| of_a_game(*key, contact.ply));
    }
}

/// Everything that a belief goes by: what a player was shown, and what was found out about it.
#[derive(Copy, Clone, Debug)]
pub struct Known<'a> {
    /// What the player was shown.
    pub view: &'a View,
    /// What searches found out about it.
    pub evidence: &'a Evidence,
}

/// What a view alone tells.
impl<'a> From<&'a View> for Known<'a> {
    fn from(view: &'a View) -> Known<'a> {
        static NOTHING: Evidence = Evidence::new();
        Known { view, evidence: &NOTHING }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::tests::opening;
    use crate::event::Event;
    use crate::rules::{Ruleset, Setup, Side};

    fn play(view: &mut View, texts: &[&str]) {
        for text in texts {
            view.observe(&Event::Played(text.parse().unwrap())).unwrap();
        }
    }

    fn found(view: &View, place: usize) -> MoveEvidence {
        MoveEvidence {
            ply: view.position().ply(),
            id: PieceId::new(Side::Blue, place),
            moved: true,
            ranks: RankSet::MOBILE,
            likelihoods: ByRank::filled(0.1),
            mean: 0.1,
            blind: 0.05,
            nodes: 300,
        }
    }

    fn all(evidence: &Evidence, view: &View) -> Vec<MoveEvidence> {
        evidence.about(view).copied().collect()
    }

    fn last(evidence: &Evidence, view: &View) -> Vec<MoveEvidence> {
        evidence.about_last(view).copied().collect()
    }

    #[test]
    fn evidence_belongs_to_the_ply_it_is_about() {
        let (mut view, mut evidence) = (opening(), Evidence::new());
        play(&mut view, &["a4a5", "b7b6"]);
        let (first, second) = (found(&view, 38), found(&view, 39));
        assert!(evidence.note(&view, first) && evidence.note(&view, second));
        assert_eq!(last(&evidence, &view), [first, second]);
        play(&mut view, &["a5a6", "i7i6"]);
        assert!(last(&evidence, &view).is_empty());
        assert!(!evidence.note(&view, first), "it is about an earlier ply");
        assert!(!evidence.note(&view, MoveEvidence { id: PieceId::new(Side::Red, 0), ..found(&view, 0) }));
        let third = found(&view, 31);
        assert!(evidence.note(&view, third));
        view.undo();
        assert_eq!(all(&evidence, &view), [first, second]);
        view.undo();
        assert_eq!(last(&evidence, &view), [first, second]);
        view.undo();
        assert!(all(&evidence, &view).is_empty());
        // The same plies again: what was found out about them is found again.
        play(&mut view, &["b7b6", "a5a6", "i7i6"]);
        assert_eq!(all(&evidence, &view), [first, second, third]);
    }

    #[test]
    fn another_telling_knows_it_as_far_as_the_games_agree() {
        let (mut view, mut evidence) = (opening(), Evidence::new());
        play(&mut view, &["a4a5", "b7b6"]);
        let first = found(&view, 38);
        evidence.note(&view, first);
        play(&mut view, &["a5a6", "i7i6"]);
        let second = found(&view, 31);
        evidence.note(&view, second);
        let found = |texts: &[&str]| {
            let mut other = opening();
            play(&mut other, texts);
            all(&evidence, &other)
        };
        assert_eq!(found(&["a4a5", "b7b6", "a5a6", "i7i6"]), [first, second]);
        assert_eq!(found(&["a4a5", "b7b6", "a5a6", "j7j6"]), [first]);
        assert_eq!(found(&["a4a5", "b7b6"]), [first]);
        assert!(found(&["a4a5", "j7j6"]).is_empty());
        let mut stranger = View::new(Side::Red, Ruleset::default());
        let other = "B3FB3262452B3B6B5S7325B48269474M62225873";
        stranger.observe(&Event::Deployed(Side::Red, other.parse().unwrap())).unwrap();
        stranger.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
        play(&mut stranger, &["a4a5", "b7b6"]);
        assert!(all(&evidence, &stranger).is_empty());
    }

    #[test]
    fn what_is_not_of_the_game_is_forgotten() {
        let (mut view, mut evidence) = (opening(), Evidence::new());
        play(&mut view, &["a4a5", "b7b6"]);
        let first = found(&view, 38);
        evidence.note(&view, first);
        let mut other = opening();
        play(&mut other, &["a4a5", "j7j6"]);
        evidence.note(&other, found(&other, 38));
        assert_eq!(evidence.found.len(), 2);
        evidence.keep_only(&[&view]);
        assert_eq!(all(&evidence, &view), [first]);
        view.keep_latest(1);
        assert_eq!(all(&evidence, &view), [first]);
        play(&mut view, &["a5a6"]);
        view.keep_latest(0);
        evidence.keep_only(&[&view]);
        assert!(evidence.found.is_empty());
    }
}
