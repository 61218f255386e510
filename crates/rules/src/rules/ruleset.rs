//! Rule systems as data: presets and keys.
//!
//! Nothing in the engine asks which preset is in force; it asks for a key. What each key means stands in
//! `protocol.md`.

use super::army::Army;
use super::battle::StrikeRules;
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
    /// The key's name.
    pub name: &'static str,
    /// The values that the key takes, in words.
    pub takes: &'static str,
    /// What the key is about: what holds where it is on.
    pub about: &'static str,
}

/// The value of a key, to be read and set.
enum Value<'a> {
    Switch(&'a mut bool),
    Crossings(&'a mut u8),
    Stuck(&'a mut Stuck),
    Plies(&'a mut u32),
}

impl Value<'_> {
    const fn takes(&self) -> &'static str {
        match self {
            Value::Switch(_) => "on or off",
            Value::Crossings(_) => "0 to 8",
            Value::Stuck(_) => "loses, attrition or draw-if-both",
            Value::Plies(_) => "a number of plies up to 4294967295, 0 for no limit",
        }
    }

    /// Sets it from its text; `None` if it does not take that.
    fn set(self, text: &str) -> Option<()> {
        match (self, text) {
            (Value::Switch(on), "on") => *on = true,
            (Value::Switch(on), "off") => *on = false,
            (Value::Switch(_), _) => return None,
            (Value::Crossings(most), _) => {
                *most = whole_number(text).filter(|most| *most <= Ruleset::MOST_CROSSINGS)?;
            }
            (Value::Stuck(stuck), _) => *stuck = Stuck::from_name(text)?,
            (Value::Plies(plies), _) => *plies = whole_number(text)?,
        }
        Some(())
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(on) => f.write_str(if **on { "on" } else { "off" }),
            Value::Crossings(most) => most.fmt(f),
            Value::Stuck(stuck) => f.write_str(stuck.name()),
            Value::Plies(plies) => plies.fmt(f),
        }
    }
}

fn row<'a>(name: &'static str, value: Value<'a>, about: &'static str) -> (RuleKey, Value<'a>) {
    (RuleKey { name, takes: value.takes(), about }, value)
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
    pub fn keys() -> [RuleKey; 11] {
        Ruleset::default().table().map(|(key, _)| key)
    }

    /// Each key with its value: what is read, printed and listed. A field that has no key here does not compile.
    fn table(&mut self) -> [(RuleKey, Value<'_>); 11] {
        let Ruleset {
            preset: _,
            scout,
            twosquares,
            moresquares,
            advance,
            stuck,
            aggressor,
            silent,
            rescue,
            quiet,
            plies,
            barrage,
        } = self;
        [
            row("scout", Value::Switch(scout), "a scout may move and strike in one turn"),
            row(
                "twosquares",
                Value::Crossings(twosquares),
                "crossings of one border that a piece may make running; 0: any number",
            ),
            row("moresquares", Value::Switch(moresquares), "no endless chase"),
            row("advance", Value::Switch(advance), "a defender that wins moves into the striker's square"),
            row("stuck", Value::Stuck(stuck), "what becomes of a side without a move"),
            row("aggressor", Value::Switch(aggressor), "of two equal ranks the striker wins"),
            row("silent", Value::Switch(silent), "the defender's rank is not shown, unless a scout strikes"),
            row(
                "rescue",
                Value::Switch(rescue),
                "a piece on the enemy's back row may bring a captured one back",
            ),
            row("quiet", Value::Plies(quiet), "a draw after so many plies without a strike"),
            row("plies", Value::Plies(plies), "a draw after so many plies"),
            row("barrage", Value::Switch(barrage), "eight pieces, placed anywhere in the four rows"),
        ]
    }

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
        let Ruleset {
            scout,
            advance,
            aggressor,
            silent,
            rescue,
            barrage,
            // These change no move.
            preset: _,
            twosquares: _,
            moresquares: _,
            stuck: _,
            quiet: _,
            plies: _,
        } = *self;
        scout && !(advance || aggressor || silent || rescue || barrage)
    }

    /// What decides strikes.
    pub const fn strike_rules(&self) -> StrikeRules {
        StrikeRules { aggressor: self.aggressor }
    }

    /// The army each side starts with.
    pub const fn army(&self) -> Army {
        if self.barrage { Army::BARRAGE } else { Army::CLASSIC }
    }

    /// Sets one key from its text, as in `twosquares=3`. On an error, an unknown key or a value that it does not take,
    /// nothing has changed.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        let known = self.table().into_iter().find(|(known, _)| known.name == key);
        let (_, place) = known.ok_or_else(|| RulesError::Key(key.to_owned()))?;
        place.set(value).ok_or_else(|| RulesError::Value(key.to_owned(), value.to_owned()))
    }
}

impl fmt::Display for Ruleset {
    /// The whole set, with every key: `preset=isf scout=on twosquares=3 ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "preset={}", self.preset.name())?;
        { *self }.table().iter().try_for_each(|(key, value)| write!(f, " {}={value}", key.name))
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
        let known = Ruleset::keys().iter().any(|key| key.name == word);
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
                let keys = Ruleset::keys().map(|key| key.name).join(", ");
                write!(f, "no rule is called {key:?}; there are {keys}")
            }
            RulesError::Value(key, value) => {
                let takes =
                    Ruleset::keys().iter().find(|known| known.name == key).map_or("", |known| known.takes);
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
        for RuleKey { name: key, takes, .. } in Ruleset::keys() {
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
