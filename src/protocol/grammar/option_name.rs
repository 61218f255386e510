//! The options by name, and what each takes: the list, the parser and the messages come from here.

use outflank_engine::eval::EvaluatorKind;
use outflank_engine::search::Level;
use outflank_rules::named_enum::named_enum;
use outflank_rules::number::whole_number;
use std::fmt;

named_enum! {
    /// The options of this version, in the order in which `sei` lists them.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum OptionName (in any case) {
        /// Seeds every random choice.
        Seed = "Seed",
        /// Threads to search on.
        Threads = "Threads",
        /// Megabytes for what the search remembers.
        Hash = "Hash",
        /// Time kept back from every limit.
        MoveOverhead = "MoveOverhead",
        /// Lines to report.
        MultiPv = "MultiPV",
        /// Whether to think on the enemy's time.
        Ponder = "Ponder",
        /// Whether we may resign.
        Resign = "Resign",
        /// How strong to play.
        Level = "Level",
        /// What gives positions their value.
        Evaluator = "Evaluator",
        /// Whether the learned policy weighs in.
        Policy = "Policy",
    }
}

/// A whole number within bounds.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Spin {
    pub(super) default: u64,
    pub(super) least: u64,
    pub(super) most: u64,
    /// What is counted, in a message.
    of: &'static str,
}

/// What an option takes.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Takes {
    /// `random`, the default, or any number.
    Seed,
    /// A number.
    Spin(Spin),
    /// A switch, and how it stands if nobody sets it.
    Check(bool),
    /// An evaluator.
    Evaluator,
}

pub(super) const THREADS: Spin = Spin { default: 1, least: 1, most: 256, of: "an integer" };
pub(super) const HASH: Spin = Spin { default: 16, least: 1, most: 4096, of: "megabytes" };
pub(super) const OVERHEAD: Spin = Spin { default: 20, least: 0, most: 10_000, of: "milliseconds" };
pub(super) const LINES: Spin = Spin { default: 1, least: 1, most: 32, of: "an integer" };
pub(super) const LEVEL: Spin = {
    let most = Level::FULL.number() as u64;
    Spin { default: most, least: 1, most, of: "an integer" }
};
pub(super) const PONDER: bool = false;
pub(super) const RESIGN: bool = false;
pub(super) const POLICY: bool = true;

impl OptionName {
    /// What it takes.
    pub const fn takes(self) -> Takes {
        match self {
            OptionName::Seed => Takes::Seed,
            OptionName::Threads => Takes::Spin(THREADS),
            OptionName::Hash => Takes::Spin(HASH),
            OptionName::MoveOverhead => Takes::Spin(OVERHEAD),
            OptionName::MultiPv => Takes::Spin(LINES),
            OptionName::Ponder => Takes::Check(PONDER),
            OptionName::Resign => Takes::Check(RESIGN),
            OptionName::Level => Takes::Spin(LEVEL),
            OptionName::Evaluator => Takes::Evaluator,
            OptionName::Policy => Takes::Check(POLICY),
        }
    }
}

impl Spin {
    /// The number that a text says, if it is within the bounds.
    pub(super) fn read(self, text: &str) -> Option<u64> {
        integer(text, self.least, self.most)
    }
}

/// A whole number without a sign, within these bounds.
pub(super) fn integer(text: &str, least: u64, most: u64) -> Option<u64> {
    whole_number(text).filter(|value| (least..=most).contains(value))
}

/// The option as `sei` lists it.
impl fmt::Display for OptionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name())?;
        match self.takes() {
            Takes::Seed => f.write_str("string default random"),
            Takes::Spin(Spin { default, least, most, .. }) => {
                write!(f, "spin default {default} min {least} max {most}")
            }
            Takes::Check(default) => write!(f, "check default {default}"),
            Takes::Evaluator => {
                write!(f, "combo default {}", EvaluatorKind::default().name())?;
                EvaluatorKind::ALL.into_iter().try_for_each(|kind| write!(f, " var {}", kind.name()))
            }
        }
    }
}

/// What a message says that an option takes.
impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Takes::Seed => write!(f, "random or an integer from 0 to {}", u64::MAX),
            Takes::Spin(Spin { least, most, of, .. }) => write!(f, "{of} from {least} to {most}"),
            Takes::Check(_) => f.write_str("true or false, on or off"),
            Takes::Evaluator => f.write_str(&EvaluatorKind::ALL.map(EvaluatorKind::name).join(" or ")),
        }
    }
}
