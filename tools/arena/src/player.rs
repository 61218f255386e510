//! What the arena asks of whoever plays: the boundary between the match and any protocol.
//!
//! A player hears masked events and nothing else, so that no adapter can give away what its side may not know.

use crate::engine::{Fault, Flaw};
use outflank::event::Event;
use outflank::rules::{Action, BySide, Ruleset, Setup, Side, Spn};
use std::time::Duration;

/// A player, whatever it speaks. After a fault it is dropped, never asked again.
pub trait Player: Send {
    /// A new game begins.
    ///
    /// # Errors
    /// Any fault.
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault>;

    /// The game goes on from a position, of which `spn` holds what the player knows; after [`Player::begin`], and instead of
    /// deployments.
    ///
    /// # Errors
    /// Any fault; of a player that takes no positions always.
    fn place(&mut self, spn: &Spn) -> Result<(), Fault> {
        let _ = spn;
        Err(Fault::new(Flaw::Unstartable, "it takes no positions"))
    }

    /// The player's own choice of an army for this game, before any event of it. May be asked once a game.
    ///
    /// # Errors
    /// Any fault; an army that does not fit is [`Flaw::Illegal`].
    fn choose_setup(&mut self) -> Result<Setup, Fault>;

    /// Something happened: both deployments first, then every ply, its own included.
    ///
    /// # Errors
    /// Any fault. Need not notice at once what is wrong.
    fn observe(&mut self, event: &Event) -> Result<(), Fault>;

    /// Asks the player for an action; it is its turn.
    ///
    /// # Errors
    /// Any fault. An action that the rules forbid is found by the referee.
    fn choose(&mut self, turn: &Turn) -> Result<Offer, Fault>;

    /// The game is over; `None` is a draw.
    ///
    /// # Errors
    /// Any fault; it can no longer change the result.
    fn end(&mut self, winner: Option<Side>) -> Result<(), Fault>;

    /// How it names itself.
    fn about(&self) -> &str;
}

/// Where a player sits in a game.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Seat {
    /// Its side.
    pub side: Side,
    /// The rules.
    pub rules: Ruleset,
    /// Seeds its choices, if it takes a seed.
    pub seed: u64,
}

/// What a player has to know of the clocks on its turn.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Turn {
    /// Time left to each side that has a clock.
    pub left: BySide<Option<Duration>>,
    /// What each action adds to it.
    pub increment: BySide<Duration>,
    /// The longest it may take, margin included; more is [`Flaw::Late`]. `None` without a limit of time.
    pub allowed: Option<Duration>,
}

impl Turn {
    /// Whether an answer after so long is in time.
    ///
    /// # Errors
    /// [`Flaw::Late`].
    pub fn check(&self, taken: Duration) -> Result<(), Fault> {
        match self.allowed.filter(|allowed| taken > *allowed) {
            None => Ok(()),
            Some(allowed) => {
                let (taken, allowed) = (taken.as_millis(), allowed.as_millis());
                Err(Fault::new(Flaw::Late, format!("{taken} ms taken of {allowed}")))
            }
        }
    }
}

/// What a player chose.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Offer {
    /// What it does.
    pub choice: Choice,
    /// Nodes it says it visited; 0 if it says nothing.
    pub nodes: u64,
    /// Its chances to win, draw and lose in permille, if it says.
    pub chances: Option<[u32; 3]>,
    /// The best actions it found, best first, each with the points it expects in 1/1000, as far as it was asked to say.
    pub candidates: Vec<(Action, u16)>,
    /// How long it took.
    pub taken: Duration,
}

/// What a player can do on its turn.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Choice {
    /// Act.
    Act(Action),
    /// Give up.
    Resign,
}
