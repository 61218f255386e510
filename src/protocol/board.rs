//! The game as the host told it: one player's knowledge, or both armies.

use crate::belief::Belief;
use crate::event::{Event, mask_played};
use crate::rules::{
    Action, Ending, NoRescue, PlayError, Played, Position, Ruleset, Setup, Side, Spn, Viewer,
};
use crate::view::View;
use crate::view::intent::Intent;

/// What was told.
#[derive(Clone, Debug)]
pub(super) enum Board {
    /// One player's knowledge: the engine's in a game.
    Player(Box<View>),
    /// Both armies, to study.
    Study(Box<Study>),
}

/// Both armies, with each player's own knowledge kept beside them.
///
/// Questions about the rules are answered from the truth; whatever the engine thinks comes from a player's view.
#[derive(Clone, Debug)]
pub(super) struct Study {
    truth: Position,
    views: [View; 2],
}

impl Board {
    /// The start of a game of `side`, with what it was told of the enemy.
    pub(super) fn start(rules: Ruleset, side: Side, setups: &[Setup; 2]) -> Board {
        let position = deployed(rules, setups);
        Board::from_spn(Spn { position, viewer: Viewer::Player(side) })
    }

    /// The start of a game with both armies told.
    pub(super) fn study(rules: Ruleset, setups: &[Setup; 2]) -> Board {
        Board::from_spn(Spn { position: deployed(rules, setups), viewer: Viewer::Both })
    }

    /// The game a position text holds.
    pub(super) fn from_spn(spn: Spn) -> Board {
        match spn.viewer {
            Viewer::Player(side) => Board::Player(Box::new(View::from_spn(&spn, side))),
            Viewer::Both => {
                let views = Side::BOTH.map(|side| View::from_spn(&spn, side));
                Board::Study(Box::new(Study { truth: spn.position, views }))
            }
        }
    }

    /// The position by everything that was told.
    pub(super) fn position(&self) -> &Position {
        match self {
            Board::Player(view) => view.position(),
            Board::Study(study) => &study.truth,
        }
    }

    /// What the player knows in whose name questions are answered: us, or in a study the side to move.
    pub(super) fn view(&self) -> &View {
        match self {
            Board::Player(view) => view,
            Board::Study(study) => &study.views[study.truth.to_move().index()],
        }
    }

    /// Takes in what the player to move has thought about the last ply.
    pub(super) fn note(&mut self, intents: &[Intent]) {
        let view = match self {
            Board::Player(view) => view,
            Board::Study(study) => &mut study.views[study.truth.to_move().index()],
        };
        if view.latest_intents().is_empty() {
            for intent in intents {
                view.note(*intent);
            }
        }
    }

    /// Takes over what has been thought about the moves of another telling of the same game.
    pub(super) fn inherit(&mut self, other: &Board) {
        match (self, other) {
            (Board::Player(view), Board::Player(other)) => view.inherit(other),
            (Board::Study(study), Board::Study(other)) => {
                study.views.iter_mut().zip(&other.views).for_each(|(view, other)| view.inherit(other));
            }
            (Board::Player(_), Board::Study(_)) | (Board::Study(_), Board::Player(_)) => {}
        }
    }

    /// Whose knowledge was told.
    pub(super) fn viewer(&self) -> Viewer {
        match self {
            Board::Player(view) => Viewer::Player(view.viewer()),
            Board::Study(_) => Viewer::Both,
        }
    }

    /// Everyone's knowledge of which the engine may think.
    pub(super) fn views(&self) -> &[View] {
        match self {
            Board::Player(view) => std::slice::from_ref(&**view),
            Board::Study(study) => &study.views,
        }
    }

    /// How the game ended, if what was told shows that it has.
    pub(super) fn ending(&self) -> Option<Ending> {
        self.position().ending()
    }

    /// Whether the ranks of the side to move are told.
    pub(super) fn knows_mover(&self) -> bool {
        match self {
            Board::Player(view) => view.viewer() == view.position().to_move(),
            Board::Study(_) => true,
        }
    }

    /// Whether some whole army fits what was told of the enemy.
    pub(super) fn is_possible(&self) -> bool {
        match self {
            Board::Player(view) => Belief::is_possible(view),
            Board::Study(_) => true,
        }
    }

    /// The text of the position.
    pub(super) fn spn(&self) -> Spn {
        Spn { position: self.position().clone(), viewer: self.viewer() }
    }

    /// The move as the protocol writes it here, with `x` if it strikes.
    pub(super) fn text(&self, action: Action) -> String {
        let position = self.position();
        let struck = position.piece_at(action.to).is_some_and(|id| id.side() != position.to_move());
        action.text(struck)
    }

    /// Makes a ply; on an error nothing has changed.
    pub(super) fn play(&mut self, played: Played) -> Result<(), PlayError> {
        match self {
            Board::Player(view) => view.observe(&Event::Played(played)),
            Board::Study(study) => study.play(played),
        }
    }

    /// Forgets the oldest plies once twice as many as `count` were made here; the latest `count` are kept.
    pub(super) fn keep_latest(&mut self, count: usize) {
        if self.position().history().len() < 2 * count {
            return;
        }
        match self {
            Board::Player(view) => view.keep_latest(count),
            Board::Study(study) => {
                study.truth.keep_latest(count);
                study.views.iter_mut().for_each(|view| view.keep_latest(count));
            }
        }
    }

    /// Takes the last ply back; false if none was made here.
    pub(super) fn undo(&mut self) -> bool {
        match self {
            Board::Player(view) => view.undo(),
            Board::Study(study) => {
                study.views.iter_mut().for_each(|view| {
                    view.undo();
                });
                study.truth.undo()
            }
        }
    }
}

fn deployed(rules: Ruleset, setups: &[Setup; 2]) -> Position {
    let mut position = Position::new(rules);
    for side in Side::BOTH {
        position.deploy(side, &setups[side.index()]);
    }
    position.settle();
    position
}

impl Study {
    fn play(&mut self, played: Played) -> Result<(), PlayError> {
        if played.action.rescue.is_some_and(|rescue| rescue.rank.is_none()) {
            return Err(NoRescue::Untold.into());
        }
        let mover = self.truth.to_move();
        self.truth.play(played)?;
        let Some(&known) = self.truth.history().last() else { return Err(PlayError::Reach) };
        let rules = *self.truth.rules();
        for side in Side::BOTH {
            let seen = mask_played(known, mover, side, &rules);
            if let Err(error) = self.views[side.index()].observe(&Event::Played(seen)) {
                log::error!("{side}'s view refuses {seen}: {error}");
                self.truth.undo();
                if side == Side::Blue {
                    self.views[Side::Red.index()].undo();
                }
                return Err(error);
            }
        }
        Ok(())
    }
}
