//! What the host may set.

use crate::protocol::grammar::error::OptionError;
use crate::protocol::grammar::option_name::{
    HASH, LEVEL, LINES, OVERHEAD, OptionName, POLICY, PONDER, RESIGN, THREADS, integer,
};
use outflank_engine::eval::EvaluatorKind;
use outflank_engine::search::{Level, Overhead};
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
            threads: THREADS.default as usize,
            hash: HASH.default as usize,
            overhead: Overhead::usual(Duration::from_millis(OVERHEAD.default)),
            lines: LINES.default as usize,
            resign: RESIGN,
            ponder: PONDER,
            level: Level::FULL,
            evaluator: EvaluatorKind::default(),
            policy: POLICY,
        }
    }
}

impl Options {
    /// Most threads to search on.
    pub(crate) const MOST_THREADS: usize = THREADS.most as usize;

    /// Sets one option from its text, and tells which; the name's case does not matter.
    pub fn set(&mut self, name: &str, value: &str) -> Result<OptionName, OptionError> {
        let option = OptionName::from_name(name).ok_or_else(|| Options::unknown(name))?;
        self.take(option, value).ok_or(OptionError::Value(option))?;
        Ok(option)
    }

    /// Sets an option; `None` if it does not take this value.
    fn take(&mut self, option: OptionName, value: &str) -> Option<()> {
        match option {
            OptionName::Seed if value.eq_ignore_ascii_case("random") => self.seed = None,
            OptionName::Seed => self.seed = Some(integer(value, 0, u64::MAX)?),
            OptionName::Threads => self.threads = THREADS.read(value)? as usize,
            OptionName::Hash => self.hash = HASH.read(value)? as usize,
            OptionName::MoveOverhead => {
                self.overhead = Overhead::given(Duration::from_millis(OVERHEAD.read(value)?));
            }
            OptionName::MultiPv => self.lines = LINES.read(value)? as usize,
            OptionName::Ponder => self.ponder = switch(value)?,
            OptionName::Resign => self.resign = switch(value)?,
            OptionName::Level => self.level = Level::new(LEVEL.read(value)?)?,
            OptionName::Evaluator => self.evaluator = EvaluatorKind::from_name(value)?,
            OptionName::Policy => self.policy = switch(value)?,
        }
        Some(())
    }

    /// What is wrong with a name that no option has.
    fn unknown(name: &str) -> OptionError {
        let first = name.split(' ').next().unwrap_or(name);
        let meant = OptionName::from_name(first);
        meant.map_or_else(|| OptionError::Unknown(name.to_owned()), OptionError::NoValue)
    }
}

fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" => Some(true),
        "false" | "off" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::grammar::option_name::{Spin, Takes};

    /// A forgotten option would leave what it is about as it was, or change something else.
    #[test]
    fn every_option_sets_something_of_its_own_and_refuses_what_it_does_not_take() {
        let mut found: Vec<Options> = Vec::new();
        for option in OptionName::ALL {
            let value = match option.takes() {
                Takes::Seed => "7".to_owned(),
                Takes::Spin(Spin { default, least, most, .. }) => {
                    let beyond = [Some(most + 1), least.checked_sub(1)].into_iter().flatten();
                    for value in beyond.map(|value| value.to_string()) {
                        assert!(Options::default().set(option.name(), &value).is_err(), "{option} {value}");
                    }
                    if default == most { least.to_string() } else { most.to_string() }
                }
                Takes::Check(default) => (!default).to_string(),
                Takes::Evaluator => "material".to_owned(),
            };
            let mut options = Options::default();
            options.set(&option.name().to_uppercase(), &value).unwrap();
            assert!(options != Options::default() && !found.contains(&options), "{option}");
            found.push(options.clone());
            assert_eq!(options.set(option.name(), "neither"), Err(OptionError::Value(option)));
        }
    }

    #[test]
    fn what_is_listed_as_the_default_is_the_default() {
        for option in OptionName::ALL {
            let listed = option.to_string();
            let value = listed.split(' ').skip_while(|word| *word != "default").nth(1).unwrap();
            let mut options = Options::default();
            options.set(option.name(), value).unwrap();
            let overhead = Overhead::given(Duration::from_millis(OVERHEAD.default));
            let expected = match option {
                OptionName::MoveOverhead => Options { overhead, ..Options::default() },
                _ => Options::default(),
            };
            assert_eq!(options, expected, "{listed}");
        }
    }
}
