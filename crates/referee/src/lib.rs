//! The only holder of both armies in a game of Stratego.
//!
//! It judges actions and hands each player its own events. There is no way to ask it for a rank. Whoever hosts a game
//! has one; [Outflank](https://docs.rs/outflank), the engine, and its protocols do not depend on this crate.

use outflank_rules::event::{Event, mask_played, mask_setup};
use outflank_rules::rules::{
    Action, BySide, Ending, NoRescue, PlayError, Position, Repetition, Ruleset, Setup, Side,
};
use std::fmt;

/// Owns the truth of one game.
#[derive(Clone)]
pub struct Referee {
    truth: Position,
    /// None in a game that began from a position.
    setups: Option<BySide<Setup>>,
}

/// Why an action is not allowed.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// The action cannot be made on this board.
    Play(PlayError),
    /// The action breaks a repetition rule.
    Repetition(Repetition),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Play(error) => error.fmt(f),
            Refusal::Repetition(rule) => write!(f, "it breaks the rule {}", rule.name()),
        }
    }
}

impl std::error::Error for Refusal {}

/// A setup that is not the whole army with every rank known.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct IncompleteSetup(pub Side);

impl fmt::Display for IncompleteSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'s setup is not the whole army", self.0)
    }
}

impl std::error::Error for IncompleteSetup {}

/// One event per player, Red's first.
pub type Events = BySide<Event>;

impl Referee {
    /// Starts a game between two whole armies. The error names the side whose setup is not one.
    pub fn new(rules: Ruleset, red: &Setup, blue: &Setup) -> Result<Referee, IncompleteSetup> {
        let setups = BySide::new([*red, *blue]);
        let mut truth = Position::new(rules);
        for side in Side::BOTH {
            let setup = &setups[side];
            if !setup.is_complete(&rules.army()) {
                return Err(IncompleteSetup(side));
            }
            truth.deploy(side, setup);
        }
        truth.settle();
        Ok(Referee { truth, setups: Some(setups) })
    }

    /// Starts a game from a position in which the rank of every piece is known, to either side as far as the position says
    /// that it was learned. Where it is not known the outcome of a strike may be open, and such a strike is refused.
    pub fn from_position(truth: &Position) -> Referee {
        Referee { truth: truth.latest(0), setups: None }
    }

    /// What each player sees before the first ply: its own army and where the enemy's stands. Nothing where the game
    /// began from a position: then players begin from their share of that.
    pub fn opening(&self) -> Vec<Events> {
        let Some(setups) = &self.setups else { return Vec::new() };
        let events = |owner: Side| {
            BySide::from_fn(|viewer| Event::Deployed(owner, mask_setup(&setups[owner], owner, viewer)))
        };
        Side::BOTH.map(events).to_vec()
    }

    /// Judges and makes an action of the side to move; returns what each player sees of it. On a refusal nothing has
    /// changed.
    pub fn play(&mut self, action: Action) -> Result<Events, Refusal> {
        if let Some(rule) = self.truth.repetition(action) {
            return Err(Refusal::Repetition(rule));
        }
        if action.rescue.is_some_and(|rescue| rescue.rank.is_none()) {
            return Err(Refusal::Play(PlayError::Rescue(NoRescue::Untold)));
        }
        let mover = self.truth.to_move();
        self.truth.play(action.into()).map_err(Refusal::Play)?;
        let Some(&played) = self.truth.history().last() else {
            return Err(Refusal::Play(PlayError::Reach));
        };
        let rules = self.truth.rules();
        Ok(BySide::from_fn(|viewer| Event::Played(mask_played(played, mover, viewer, rules))))
    }

    /// The legal actions of the side to move.
    pub fn actions(&self) -> Vec<Action> {
        self.truth.actions()
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Side {
        self.truth.to_move()
    }

    /// Plies made.
    pub fn ply(&self) -> u32 {
        self.truth.ply()
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.truth.ending()
    }
}
