//! How a game ended: words of a record, each of a closed list.

use crate::decision::Decision;
use anyhow::bail;
use outflank::named_enum::named_enum;
use outflank::rules::{Ending, Reason, Side};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

named_enum! {
    /// Who won, in the order of the words.
    #[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Winner {
        /// Blue.
        Blue = "blue",
        /// Nobody: it is a draw.
        Draw = "draw",
        /// Nobody yet: the game is unfinished.
        #[default]
        None = "none",
        /// Red.
        Red = "red",
    }
}

impl From<Side> for Winner {
    fn from(side: Side) -> Winner {
        match side {
            Side::Red => Winner::Red,
            Side::Blue => Winner::Blue,
        }
    }
}

impl From<Option<Side>> for Winner {
    /// The winner of a game that has ended.
    fn from(side: Option<Side>) -> Winner {
        side.map_or(Winner::Draw, Winner::from)
    }
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a game ended.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum EndReason {
    /// A rule of the game ended it.
    Rule(Reason),
    /// Players or host decided it.
    Decision(Decision),
    /// Its host ended it because both players' scores agreed.
    Adjudicated,
    /// A player had no legal action to offer, or failed in another way, and lost.
    Fault,
    /// It has not ended: it was saved before its end, or broken off by its host.
    #[default]
    Unfinished,
}

impl EndReason {
    /// All reasons for which a game ends.
    pub fn all() -> impl Iterator<Item = EndReason> {
        let rest = [EndReason::Adjudicated, EndReason::Fault, EndReason::Unfinished];
        Reason::ALL.map(EndReason::Rule).into_iter().chain(Decision::ALL.map(EndReason::Decision)).chain(rest)
    }

    /// The word in records.
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::Rule(reason) => reason.name(),
            EndReason::Decision(decision) => decision.name(),
            EndReason::Adjudicated => "adjudicated",
            EndReason::Fault => "fault",
            EndReason::Unfinished => "unfinished",
        }
    }
}

impl From<EndReason> for String {
    fn from(reason: EndReason) -> String {
        reason.name().to_owned()
    }
}

impl TryFrom<String> for EndReason {
    type Error = String;

    fn try_from(name: String) -> Result<EndReason, String> {
        let found = EndReason::all().find(|reason| reason.name() == name);
        found.ok_or_else(|| format!("no game ends by {name:?}"))
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// As tables list them: by the words.
impl Ord for EndReason {
    fn cmp(&self, other: &EndReason) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for EndReason {
    fn partial_cmp(&self, other: &EndReason) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// How a game ended.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Who won.
    pub winner: Winner,
    /// Why it ended.
    pub reason: EndReason,
    /// What the fault was; of a game that was broken off, who was waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Outcome {
    /// A game that ended so.
    pub fn new(winner: impl Into<Winner>, reason: EndReason) -> Outcome {
        Outcome { winner: winner.into(), reason, fault: None }
    }

    /// The outcome the referee found.
    pub fn of(ending: Ending) -> Outcome {
        Outcome::new(ending.winner, EndReason::Rule(ending.reason))
    }

    /// What players or host decided; no winner is a draw.
    pub fn of_decision(winner: Option<Side>, decision: Decision) -> Outcome {
        Outcome::new(winner, EndReason::Decision(decision))
    }

    /// A game that goes on: nobody has won, and it is no draw.
    pub fn unfinished() -> Outcome {
        Outcome::new(Winner::None, EndReason::Unfinished)
    }

    /// A game that its host broke off, because it waited in vain where no clock bounded the wait: nobody has lost.
    pub fn broken_off(waited: String) -> Outcome {
        Outcome { fault: Some(waited), ..Outcome::unfinished() }
    }

    /// Whether the game has no result, so that no table counts it.
    pub fn is_unfinished(&self) -> bool {
        self.reason == EndReason::Unfinished
    }

    /// A game that its host gives to `winner`.
    pub fn of_adjudication(winner: Side) -> Outcome {
        Outcome::new(winner, EndReason::Adjudicated)
    }

    /// A loss of `side`, which had no legal action to offer.
    pub fn of_fault(side: Side, fault: String) -> Outcome {
        Outcome { fault: Some(fault), ..Outcome::new(side.enemy(), EndReason::Fault) }
    }

    /// The winner; `None` is a draw.
    ///
    /// # Errors
    /// If the game is unfinished.
    pub fn side(&self) -> anyhow::Result<Option<Side>> {
        match self.winner {
            Winner::Red => Ok(Some(Side::Red)),
            Winner::Blue => Ok(Some(Side::Blue)),
            Winner::Draw => Ok(None),
            Winner::None => bail!("the game is unfinished"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Outcome, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn every_word_reads_back_as_it_was_written() {
        for winner in ["blue", "draw", "none", "red"] {
            for reason in EndReason::all().map(EndReason::name) {
                let text = format!(r#"{{"winner":"{winner}","reason":"{reason}"}}"#);
                let outcome = read(&text).unwrap();
                assert_eq!((outcome.winner.name(), outcome.reason.name()), (winner, reason));
                assert_eq!(serde_json::to_string(&outcome).unwrap(), text);
            }
        }
        assert_eq!(EndReason::all().count(), 15);
    }

    #[test]
    fn words_that_nobody_uses_are_named() {
        let error = read(r#"{"winner":"red","reason":"boredom"}"#).unwrap_err();
        assert!(error.starts_with("no game ends by \"boredom\""), "{error}");
        let error = read(r#"{"winner":"green","reason":"flag"}"#).unwrap_err();
        assert!(error.starts_with("unknown variant `green`"), "{error}");
    }

    #[test]
    fn words_are_listed_as_texts_are() {
        let mut winners = [Winner::Red, Winner::None, Winner::Draw, Winner::Blue];
        winners.sort_unstable();
        assert!(winners.is_sorted_by_key(|winner| winner.name()));
        let mut reasons: Vec<EndReason> = EndReason::all().collect();
        reasons.sort_unstable();
        assert!(reasons.is_sorted_by_key(|reason| reason.name()));
    }
}
