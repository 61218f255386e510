//! What a game is played by: rules, seats, clock.

use outflank::rules::{BySide, Ruleset, Side};
use outflank_record::{by_side, parse_rules};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Levels that an engine may be given.
pub(super) const LEVELS: std::ops::RangeInclusive<u8> = 1..=20;
/// Milliseconds that an engine may be given for an action.
pub(super) const MOVETIMES: std::ops::RangeInclusive<u32> = 1..=60_000;
/// Most seconds on a clock, and most that an action adds.
const LONGEST: (u32, u32) = (6 * 3600, 600);
/// Longest text of a rule system, in bytes.
const RULES_LIMIT: usize = 400;

/// Who plays a side.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(tag = "player", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// A person at the page.
    Person,
    /// An engine.
    Engine(EngineSeat),
}

/// How an engine plays.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSeat {
    /// Its level, 1 to 20.
    pub level: u8,
    /// Milliseconds for an action where the game has no clock.
    pub movetime: u32,
}

impl Seat {
    /// Whether a person plays.
    pub const fn is_person(self) -> bool {
        matches!(self, Seat::Person)
    }
}

impl EngineSeat {
    /// Whether an engine can play so.
    pub fn is_possible(self) -> bool {
        LEVELS.contains(&self.level) && MOVETIMES.contains(&self.movetime)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Person => f.write_str("person"),
            Seat::Engine(engine) => write!(f, "Outflank, level {}", engine.level),
        }
    }
}

/// A clock for each side.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Clock {
    /// What is on it at the start.
    pub base: Duration,
    /// What each action adds.
    pub increment: Duration,
}

impl Clock {
    /// From seconds; `None` if nobody could play by it.
    fn new(base: u32, increment: u32) -> Option<Clock> {
        let seconds = |count| Duration::from_secs(u64::from(count));
        let fits = base > 0 && base <= LONGEST.0 && increment <= LONGEST.1;
        fits.then(|| Clock { base: seconds(base), increment: seconds(increment) })
    }
}

/// What a game is played by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "OptionsText", into = "OptionsText")]
pub struct Options {
    /// The rule system.
    pub rules: Ruleset,
    /// Who plays.
    pub seats: BySide<Seat>,
    /// The side through whose eyes two engines are watched.
    pub eyes: Side,
    /// Whether actions may be taken back and hints asked for.
    pub friendly: bool,
    /// The clock, if there is one.
    pub clock: Option<Clock>,
    /// Whether two persons play at devices of their own, each of which sees one side. Such a game is not friendly.
    pub devices: bool,
}

/// Options as texts: what the page sends and what is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionsText {
    rules: String,
    #[serde(with = "by_side")]
    seats: BySide<Seat>,
    eyes: String,
    friendly: bool,
    /// Seconds at the start, and seconds that each action adds.
    clock: Option<(u32, u32)>,
    #[serde(default)]
    devices: bool,
}

/// Options that cannot be.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BadOptions(String);

impl fmt::Display for BadOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadOptions {}

impl TryFrom<OptionsText> for Options {
    type Error = BadOptions;

    fn try_from(text: OptionsText) -> Result<Options, BadOptions> {
        let bad = |what: &str| BadOptions(what.to_owned());
        let possible = |seat: &Seat| match seat {
            Seat::Person => true,
            Seat::Engine(engine) => engine.is_possible(),
        };
        if text.rules.len() > RULES_LIMIT {
            return Err(bad("the text of the rules is too long"));
        }
        let rules = parse_rules(&text.rules).map_err(|error| BadOptions(error.to_string()))?;
        if !text.seats.values().all(possible) {
            return Err(bad("an engine has a level from 1 to 20 and a time from 1 to 60000 ms"));
        }
        let clock = text.clock.map(|(base, more)| Clock::new(base, more)).map(|clock| {
            clock.ok_or_else(|| bad("a clock has from 1 s to 6 h, and an action adds at most 600 s"))
        });
        let eyes = side(&text.eyes).ok_or_else(|| bad("eyes are red or blue"))?;
        if text.devices && text.seats.values().any(|seat| !seat.is_person()) {
            return Err(bad("only persons have devices of their own"));
        }
        let friendly = text.friendly && !text.devices;
        let (seats, devices) = (text.seats, text.devices);
        Ok(Options { rules, seats, eyes, friendly, clock: clock.transpose()?, devices })
    }
}

impl From<Options> for OptionsText {
    fn from(options: Options) -> OptionsText {
        let seconds = |time: Duration| time.as_secs() as u32;
        OptionsText {
            rules: options.rules.to_string(),
            seats: options.seats,
            eyes: options.eyes.to_string(),
            friendly: options.friendly,
            clock: options.clock.map(|clock| (seconds(clock.base), seconds(clock.increment))),
            devices: options.devices,
        }
    }
}

/// The side of that name.
pub(super) fn side(name: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side.to_string() == name)
}

impl Options {
    /// The options with the colours changed.
    #[must_use]
    pub fn swapped(&self) -> Options {
        Options { seats: self.seats.swapped(), eyes: self.eyes.enemy(), ..self.clone() }
    }

    /// The one person who plays; `None` if there are two or none.
    pub fn person(&self) -> Option<Side> {
        match Side::BOTH.map(|side| self.seats[side].is_person()) {
            [true, false] => Some(Side::Red),
            [false, true] => Some(Side::Blue),
            [true, true] | [false, false] => None,
        }
    }

    /// Whether two engines play.
    pub fn is_watched(&self) -> bool {
        self.seats.values().all(|seat| !seat.is_person())
    }

    /// Whether two persons share the page.
    pub fn is_shared(&self) -> bool {
        self.seats.values().all(|seat| seat.is_person()) && !self.devices
    }
}
