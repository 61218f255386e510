//! Rule systems as data: seven presets, eleven keys.
//!
//! Nothing in the engine asks which preset is in force; it asks for a key. What each key means stands in
//! `protocol.md`.

use super::army::Army;
use crate::named_enum::named_enum;
use crate::number::whole_number;
use std::fmt;

named_enum! {
    /// What happens to a side that cannot act.
    #[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
    pub enum Stuck (exactly) {
        /// The side to move loses when it has no legal action.
        Loses = "loses",
        /// A side without a mobile piece has lost at once (both at once: a draw); a merely blocked one loses on its turn.
        Attrition = "attrition",
        /// As `Loses`, but drawn if the other side, repetition rules aside, has no action either.
        DrawIfBoth = "draw-if-both",
    }
}

named_enum! {
    /// The named rule systems.
    #[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
    pub enum Preset (in any case) {
        /// Milton Bradley, 1961, as worded.
        Original1961 = "1961",
        /// The text shipped with the Vassal module.
        Vassal = "vassal",
        /// The text of a gameboard maker.
        Gameboard = "gameboard",
        /// The encyclopaedia's text.
        Wiki = "wiki",
        /// Tournament practice; the default.
        Isf = "isf",
        /// Play on gravon.de.
        Gravon = "gravon",
        /// The public arena, strategoevaluator.
        Evaluator = "evaluator",
    }
}

/// A key of the protocol's `rules`.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct RuleKey {
    /// Its name.
    pub name: &'static str,
    /// The values that it takes, in words.
    pub takes: &'static str,
    /// What it is about: what holds where it is on.
    pub about: &'static str,
}

const fn key(name: &'static str, takes: &'static str, about: &'static str) -> RuleKey {
    RuleKey { name, takes, about }
}

/// A whole rule system. `0` switches the numbered keys off.
///
/// A preset gives every key a value; [`Ruleset::set`] changes one, named as in the protocol.
///
/// ```
/// use outflank_rules::rules::{Preset, Ruleset};
///
/// let mut rules = Ruleset::of(Preset::Gravon);
/// rules.set("silent", "on")?;
/// assert!(rules.silent && rules.twosquares == 5);
/// assert!(rules.set("silent", "loud").is_err());
/// # Ok::<(), outflank_rules::rules::RulesError>(())
/// ```
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
#[allow(clippy::struct_excessive_bools)] // each is one independent key of the protocol
pub struct Ruleset {
    /// The preset the keys started from.
    pub preset: Preset,
    /// Scouts may move and strike in one turn.
    pub scout: bool,
    /// Crossings of one border allowed running, at most [`Ruleset::MOST_CROSSINGS`].
    pub twosquares: u8,
    /// No endless chase.
    pub moresquares: bool,
    /// A winning defender moves into the striker's square.
    pub advance: bool,
    /// What happens to a side that cannot act.
    pub stuck: Stuck,
    /// Equal ranks: the striker wins.
    pub aggressor: bool,
    /// The defender's rank is not shown unless a scout strikes.
    pub silent: bool,
    /// Stepping onto the enemy's back row may hand back a captured piece.
    pub rescue: bool,
    /// A draw after so many plies without a strike.
    pub quiet: u32,
    /// A draw after so many plies.
    pub plies: u32,
    /// The eight-piece army, placed anywhere in the four rows.
    pub barrage: bool,
}

impl Default for Ruleset {
    fn default() -> Ruleset {
        Ruleset::of(Preset::Isf)
    }
}

impl Ruleset {
    /// The largest limit that `twosquares` takes.
    pub const MOST_CROSSINGS: u8 = 8;
    /// The keys of the protocol.
    pub const KEYS: [RuleKey; 11] = [
        key("scout", "on or off", "a scout may move and strike in one turn"),
        key("twosquares", "0 to 8", "crossings of one border that a piece may make running; 0: any number"),
        key("moresquares", "on or off", "no endless chase"),
        key("advance", "on or off", "a defender that wins moves into the striker's square"),
        key("stuck", "loses, attrition or draw-if-both", "what becomes of a side without a move"),
        key("aggressor", "on or off", "of two equal ranks the striker wins"),
        key("silent", "on or off", "the defender's rank is not shown, unless a scout strikes"),
        key("rescue", "on or off", "a piece on the enemy's back row may bring a captured one back"),
        key(
            "quiet",
            "a number of plies up to 4294967295, 0 for no limit",
            "a draw after so many plies without a strike",
        ),
        key("plies", "a number of plies up to 4294967295, 0 for no limit", "a draw after so many plies"),
        key("barrage", "on or off", "eight pieces, placed anywhere in the four rows"),
    ];

    /// A preset, with every option off.
    pub const fn of(preset: Preset) -> Ruleset {
        let mut rules = Ruleset {
            preset,
            scout: true,
            twosquares: 2,
            moresquares: false,
            advance: false,
            stuck: Stuck::Loses,
            aggressor: false,
            silent: false,
            rescue: false,
            quiet: 0,
            plies: 0,
            barrage: false,
        };
        match preset {
            Preset::Original1961 => {
                rules.scout = false;
                rules.advance = true;
            }
            Preset::Vassal => {
                rules.twosquares = 5;
                rules.stuck = Stuck::Attrition;
            }
            Preset::Gameboard => {}
            Preset::Wiki => rules.moresquares = true,
            Preset::Isf => {
                rules.twosquares = 3;
                rules.moresquares = true;
                rules.stuck = Stuck::DrawIfBoth;
            }
            Preset::Gravon => {
                rules.twosquares = 5;
                rules.moresquares = true;
            }
            Preset::Evaluator => {
                rules.twosquares = 0;
                rules.stuck = Stuck::Attrition;
            }
        }
        rules
    }

    /// Whether pieces move, strike and are shown as under `isf`, with the same armies: no more than repetition, limits
    /// and endings differ.
    pub const fn moves_as_isf(&self) -> bool {
        self.scout && !(self.advance || self.aggressor || self.silent || self.rescue || self.barrage)
    }

    /// The army each side starts with.
    pub const fn army(&self) -> Army {
        if self.barrage { Army::BARRAGE } else { Army::CLASSIC }
    }

    /// Sets one key from its text, as in `twosquares=3`. On an error, an unknown key or a value that it does not take,
    /// nothing has changed.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        let bad = || RulesError::Value(key.to_owned(), value.to_owned());
        let switch = || match value {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(bad()),
        };
        let number = || whole_number::<u32>(value).ok_or_else(bad);
        match key {
            "scout" => self.scout = switch()?,
            "moresquares" => self.moresquares = switch()?,
            "advance" => self.advance = switch()?,
            "aggressor" => self.aggressor = switch()?,
            "silent" => self.silent = switch()?,
            "rescue" => self.rescue = switch()?,
            "barrage" => self.barrage = switch()?,
            "twosquares" => match u8::try_from(number()?) {
                Ok(limit) if limit <= Ruleset::MOST_CROSSINGS => self.twosquares = limit,
                _ => return Err(bad()),
            },
            "quiet" => self.quiet = number()?,
            "plies" => self.plies = number()?,
            "stuck" => self.stuck = Stuck::from_name(value).ok_or_else(bad)?,
            _ => return Err(RulesError::Key(key.to_owned())),
        }
        Ok(())
    }
}

impl fmt::Display for Ruleset {
    /// The whole set, with every key: `preset=isf scout=on twosquares=3 ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let switch = |on: bool| if on { "on" } else { "off" };
        write!(f, "preset={} scout={}", self.preset.name(), switch(self.scout))?;
        write!(f, " twosquares={} moresquares={}", self.twosquares, switch(self.moresquares))?;
        write!(f, " advance={} stuck={}", switch(self.advance), self.stuck.name())?;
        write!(f, " aggressor={} silent={}", switch(self.aggressor), switch(self.silent))?;
        write!(f, " rescue={} quiet={} plies={}", switch(self.rescue), self.quiet, self.plies)?;
        write!(f, " barrage={}", switch(self.barrage))
    }
}

/// Why a rule set is refused.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RulesError {
    /// No preset has this name.
    Preset(String),
    /// No key has this name.
    Key(String),
    /// The key does not take this value.
    Value(String, String),
}

impl RulesError {
    /// What is wrong with a word that has no value: the key it names needs one, or it is none.
    pub fn without_value(word: &str, none: impl FnOnce(String) -> RulesError) -> RulesError {
        let known = Ruleset::KEYS.iter().any(|key| key.name == word);
        if known { RulesError::Value(word.to_owned(), String::new()) } else { none(word.to_owned()) }
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesError::Preset(name) => {
                let names = Preset::ALL.map(Preset::name).join(", ");
                write!(f, "no rule system is called {name:?}; there are {names}")
            }
            RulesError::Key(key) => {
                let keys = Ruleset::KEYS.map(|key| key.name).join(", ");
                write!(f, "no rule is called {key:?}; there are {keys}")
            }
            RulesError::Value(key, value) => {
                let takes =
                    Ruleset::KEYS.iter().find(|known| known.name == key).map_or("", |known| known.takes);
                write!(f, "{key} takes {takes}, not {value:?}")
            }
        }
    }
}

impl std::error::Error for RulesError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_endings_alone_leave_moves_as_isf_has_them() {
        for preset in [Preset::Isf, Preset::Evaluator, Preset::Gravon, Preset::Wiki, Preset::Vassal] {
            assert!(Ruleset::of(preset).moves_as_isf());
        }
        assert!(!Ruleset::of(Preset::Original1961).moves_as_isf());
        for key in ["advance", "aggressor", "silent", "rescue", "barrage"] {
            let mut rules = Ruleset::default();
            rules.set(key, "on").unwrap();
            assert!(!rules.moves_as_isf(), "{key}");
        }
    }

    #[test]
    fn a_printed_rule_set_reads_back() {
        for preset in Preset::ALL {
            let rules = Ruleset::of(preset);
            let mut read = Ruleset::default();
            for word in rules.to_string().split(' ') {
                match word.split_once('=').unwrap() {
                    ("preset", name) => read = Ruleset::of(Preset::from_name(name).unwrap()),
                    (key, value) => read.set(key, value).unwrap(),
                }
            }
            assert_eq!(read, rules);
        }
    }

    #[test]
    fn wrong_keys_and_values_are_refused() {
        let mut rules = Ruleset::default();
        assert_eq!(rules.set("speed", "1"), Err(RulesError::Key("speed".into())));
        for RuleKey { name: key, takes, .. } in Ruleset::KEYS {
            let error = RulesError::Value(key.into(), "x".into());
            assert_eq!(rules.set(key, "x"), Err(error.clone()));
            assert!(error.to_string().starts_with(&format!("{key} takes {takes}, not")), "{error}");
            assert!(Ruleset::default().to_string().contains(&format!(" {key}=")));
        }
        for (key, value) in
            [("scout", "1"), ("twosquares", "9"), ("twosquares", "+3"), ("quiet", "-1"), ("stuck", "x")]
        {
            assert_eq!(rules.set(key, value), Err(RulesError::Value(key.into(), value.into())));
        }
        assert_eq!(rules, Ruleset::default());
    }
}
