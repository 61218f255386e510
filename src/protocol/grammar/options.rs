//! What the host may set.

use crate::eval::EvaluatorKind;
use crate::protocol::grammar::error::OptionError;
use crate::search::{Level, Overhead};
use std::fmt;
use std::time::Duration;

/// The options in force.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Options {
    /// Seeds every random choice; `None` is one that nobody chose.
    pub seed: Option<u64>,
    /// Threads to search on.
    pub threads: usize,
    /// Megabytes for what the search remembers.
    pub hash: usize,
    /// Time kept back from every limit for the way between host and engine.
    pub overhead: Overhead,
    /// Lines to report.
    pub lines: usize,
    /// Whether we may resign.
    pub resign: bool,
    /// Whether to think on the enemy's time.
    pub ponder: bool,
    /// How strong to play.
    pub level: Level,
    /// What gives positions their value.
    pub evaluator: EvaluatorKind,
    /// Whether the learned policy weighs in.
    pub policy: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: None,
            threads: 1,
            hash: 16,
            overhead: Overhead::usual(Duration::from_millis(20)),
            lines: 1,
            resign: false,
            ponder: false,
            level: Level::FULL,
            evaluator: EvaluatorKind::default(),
            policy: true,
        }
    }
}

/// One option as `sei` lists it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Offer {
    /// Its name, as `setoption` takes it in either case.
    pub name: &'static str,
    /// `type ...`, as listed.
    kind: &'static str,
}

const MOST_HASH: u64 = 4096;
const MOST_OVERHEAD: u64 = 10_000;
const MOST_LINES: u64 = 32;

impl Options {
    /// Most threads to search on.
    pub(crate) const MOST_THREADS: usize = 256;

    /// Every option of this version.
    pub const OFFERS: [Offer; 10] = [
        Offer { name: "Seed", kind: "type string default random" },
        Offer { name: "Threads", kind: "type spin default 1 min 1 max 256" },
        Offer { name: "Hash", kind: "type spin default 16 min 1 max 4096" },
        Offer { name: "MoveOverhead", kind: "type spin default 20 min 0 max 10000" },
        Offer { name: "MultiPV", kind: "type spin default 1 min 1 max 32" },
        Offer { name: "Ponder", kind: "type check default false" },
        Offer { name: "Resign", kind: "type check default false" },
        Offer { name: "Level", kind: "type spin default 20 min 1 max 20" },
        Offer { name: "Evaluator", kind: "type combo default handmade var handmade var material" },
        Offer { name: "Policy", kind: "type check default true" },
    ];

    /// Sets one option from its text; the name's case does not matter.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let offer = Options::OFFERS.iter().find(|offer| offer.name.eq_ignore_ascii_case(name));
        let offer = offer.ok_or_else(|| Options::unknown(name))?;
        let bad = |takes| OptionError::Value(offer.name, takes);
        match offer.name {
            "Seed" => {
                let text = "random or an integer from 0 to 18446744073709551615";
                self.seed = if value.eq_ignore_ascii_case("random") {
                    None
                } else {
                    Some(integer(value, 0, u64::MAX).ok_or_else(|| bad(text))?)
                };
            }
            "Threads" => {
                let threads = integer(value, 1, Options::MOST_THREADS as u64);
                self.threads = threads.ok_or_else(|| bad("an integer from 1 to 256"))? as usize;
            }
            "Hash" => {
                let hash = integer(value, 1, MOST_HASH);
                self.hash = hash.ok_or_else(|| bad("megabytes from 1 to 4096"))? as usize;
            }
            "MoveOverhead" => {
                let overhead =
                    integer(value, 0, MOST_OVERHEAD).ok_or_else(|| bad("milliseconds from 0 to 10000"))?;
                self.overhead = Overhead::given(Duration::from_millis(overhead));
            }
            "MultiPV" => {
                let lines = integer(value, 1, MOST_LINES).ok_or_else(|| bad("an integer from 1 to 32"))?;
                self.lines = lines as usize;
            }
            "Ponder" => self.ponder = switch(value).ok_or_else(|| bad("true or false, on or off"))?,
            "Evaluator" => {
                let evaluator = EvaluatorKind::from_name(value);
                self.evaluator = evaluator.ok_or_else(|| bad("handmade or material"))?;
            }
            "Policy" => self.policy = switch(value).ok_or_else(|| bad("true or false, on or off"))?,
            "Resign" => self.resign = switch(value).ok_or_else(|| bad("true or false, on or off"))?,
            _ => {
                let level = integer(value, 1, Level::FULL.number().into()).and_then(Level::new);
                self.level = level.ok_or_else(|| bad("an integer from 1 to 20"))?;
            }
        }
        Ok(())
    }
}

impl Options {
    /// What is wrong with a name that no option has.
    fn unknown(name: &str) -> OptionError {
        let first = name.split(' ').next().unwrap_or(name);
        let meant = Options::OFFERS.iter().find(|offer| offer.name.eq_ignore_ascii_case(first));
        meant.map_or_else(|| OptionError::Unknown(name.to_owned()), |offer| OptionError::NoValue(offer.name))
    }
}

fn integer(text: &str, least: u64, most: u64) -> Option<u64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|value| plain && (least..=most).contains(value))
}

fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" => Some(true),
        "false" | "off" => Some(false),
        _ => None,
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} {}", self.name, self.kind)
    }
}
