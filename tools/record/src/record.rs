//! The record of a game: one JSON object on one line.

use crate::by_side;
use crate::outcome::Outcome;
use anyhow::Context;
use outflank::engine::Ablation;
use outflank::rules::{BySide, Played, Preset, Ruleset, Setup, Side};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::io::Write;
use std::str::FromStr;

/// A whole game, with the truth about both armies: enough to replay it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The game's number in its contest, from 0.
    pub game: u64,
    /// The number of the pair of games that share their setups, if games are played in pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<u64>,
    /// The share of the match that was played with it, if that was not the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardRecord>,
    /// The version that played.
    pub version: String,
    /// Every key of the rule system, as [`Ruleset`] prints it.
    pub rules: String,
    /// The contest's seed; with the game's number it gives setups and every random choice.
    pub seed: u64,
    /// Who played.
    #[serde(with = "by_side")]
    pub players: BySide<PlayerRecord>,
    /// The setups as their owners see them.
    #[serde(with = "by_side")]
    pub setups: BySide<String>,
    /// The actions in order, strikes with their whole result, as in `e4xe5=W95`.
    pub moves: Vec<String>,
    /// Nodes visited for each action; empty in games from elsewhere, where nobody counted.
    #[serde(default)]
    pub nodes: Vec<u64>,
    /// Milliseconds taken for each action; left out of records that are to be compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<f64>,
    /// The root's best actions in each ply as far as its player was asked to record them, each with the points that it
    /// expected, in 1/1000, as in `e3e4 512 a4a5 508`; empty where none were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Actions made.
    pub plies: u32,
    /// Strikes among them.
    pub strikes: u32,
}

/// A share of a match that was played by itself.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct ShardRecord {
    /// Its number, from 1.
    pub index: u64,
    /// How many shares the match has.
    pub count: u64,
    /// How many games the whole match has.
    pub games: u64,
}

/// One player of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// Its name in the contest.
    pub name: String,
    /// `engine`, `random`, `network`; the protocol that a player of its own process speaks; or `human` in games by
    /// hand and from an archive.
    pub player: String,
    /// The words of `--engine`: program, options, limits, or what it is inside the arena.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// How it names itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Its limit of nodes for an action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Its limit of milliseconds for an action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Its level, below full strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Parts of the rules and likelihoods of the belief that it does without, as [`Ablation`] names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "read_ignores")]
    pub ignores: Vec<String>,
    /// Where its own setups came from, `book` or `drawn`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setups: Option<String>,
    /// The share of its actions that were any legal action.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub random: f32,
    /// The file of its network, without its folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<String>,
    /// The temperature at which it drew actions from that network's probabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
}

/// Reads the keys of a [`Ablation`]; one that no engine of this version has is an error.
fn read_ignores<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<String>, D::Error> {
    let keys = Vec::<String>::deserialize(reader)?;
    match keys.iter().find(|key| Ablation::default().key(key).is_none()) {
        Some(key) => Err(D::Error::custom(format!("players ignore nothing called {key:?}"))),
        None => Ok(keys),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(share: &f32) -> bool {
    *share == 0.0
}

/// The highest score in thousandths: a certain win.
pub const MOST_SCORE: u16 = 1000;

impl Record {
    /// The players' names, Red's first.
    pub fn names(&self) -> [&str; 2] {
        self.players.each_ref().map(|player| player.name.as_str()).into_array()
    }

    /// The rule system in force.
    ///
    /// # Errors
    /// If the text names none.
    pub fn ruleset(&self) -> anyhow::Result<Ruleset> {
        parse_rules(&self.rules)
    }

    /// The setups of both sides.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn armies(&self) -> anyhow::Result<BySide<Setup>> {
        let read = |side: Side| {
            let text = &self.setups[side];
            text.parse::<Setup>().with_context(|| format!("setup {text:?}"))
        };
        Ok(BySide::new([read(Side::Red)?, read(Side::Blue)?]))
    }

    /// The actions with their results.
    ///
    /// # Errors
    /// If one of them cannot be read; the message tells its ply.
    pub fn actions(&self) -> anyhow::Result<Vec<Played>> {
        let read = |(ply, text): (usize, &String)| {
            text.parse::<Played>().ok().with_context(|| format!("ply {}: {text:?} is no action", ply + 1))
        };
        self.moves.iter().enumerate().map(read).collect()
    }

    /// The score in thousandths that the player of a ply, counted from 0, expected of its first candidate; `None` where
    /// it gave none, or what is no score.
    pub fn expected(&self, ply: usize) -> Option<u16> {
        let first = self.candidates.get(ply)?.split_ascii_whitespace().nth(1)?;
        first.parse().ok().filter(|score| *score <= MOST_SCORE)
    }

    /// The record on one line, with its end.
    ///
    /// # Errors
    /// If the record cannot be written as JSON, as with a clock that is no number.
    pub fn line(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    /// Writes the record to an output, whole and at once.
    ///
    /// # Errors
    /// As [`Record::line`], and if the output cannot be written.
    pub fn write(&self, output: &mut impl Write) -> anyhow::Result<()> {
        output.write_all(self.line()?.as_bytes())?;
        Ok(output.flush()?)
    }
}

/// A line that is no record, and why.
#[derive(Debug)]
pub struct NoRecord(serde_json::Error);

impl NoRecord {
    /// Whether it may be the beginning of one.
    pub fn is_cut_short(&self) -> bool {
        self.0.is_eof()
    }
}

impl fmt::Display for NoRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        // The place that it tells is a line of this line.
        let place = format!(" at line {} column {}", self.0.line(), self.0.column());
        write!(f, "no record of a game: {}", text.strip_suffix(&place).unwrap_or(&text))
    }
}

impl std::error::Error for NoRecord {}

impl FromStr for Record {
    type Err = NoRecord;

    /// Reads one line.
    fn from_str(line: &str) -> Result<Record, NoRecord> {
        serde_json::from_str(line).map_err(NoRecord)
    }
}

/// Reads a rule system: words that are a preset's name or `key=value`, in order, between blanks or commas.
///
/// # Errors
/// If a word is neither.
pub fn parse_rules(text: &str) -> anyhow::Result<Ruleset> {
    let mut rules = Ruleset::default();
    let words = text.split(|c: char| c == ',' || c.is_ascii_whitespace()).filter(|word| !word.is_empty());
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or(("preset", word));
        if key == "preset" {
            let preset = Preset::from_name(value);
            rules = Ruleset::of(preset.with_context(|| format!("no rule system is called {value:?}"))?);
        } else {
            rules.set(key, value)?;
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_print() {
        for preset in Preset::ALL {
            let rules = Ruleset::of(preset);
            assert_eq!(parse_rules(&rules.to_string()).unwrap(), rules);
        }
        let rules = parse_rules("gravon, twosquares=3 quiet=200").unwrap();
        assert_eq!((rules.preset, rules.twosquares, rules.quiet), (Preset::Gravon, 3, 200));
        assert_eq!(parse_rules("").unwrap(), Ruleset::default());
        for wrong in ["chess", "preset=chess", "isf speed=1", "isf scout=maybe", "barrage=yes"] {
            assert!(parse_rules(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_belongs_to_the_sides_is_a_plain_array_reds_first() {
        let setups = BySide::from_fn(|side| side.to_string());
        let line = Record { setups, ..Record::default() }.line().unwrap();
        assert!(line.contains(r#","setups":["red","blue"],"#), "{line}");
        assert!(line.contains(r#","players":[{"name":"","player":""},{"name":"","player":""}],"#), "{line}");
        assert_eq!(line.parse::<Record>().unwrap().setups[Side::Blue], "blue");
        assert!(line.replace(r#","blue"]"#, "]").parse::<Record>().is_err());
    }

    #[test]
    fn what_a_player_ignores_has_a_name_of_this_version() {
        let read = |key: &str| {
            let player =
                format!("{{\"name\":\"a\",\"player\":\"engine\",\"ignores\":[\"hints\",\"{key}\"]}}");
            serde_json::from_str::<PlayerRecord>(&player).map_err(|error| error.to_string())
        };
        assert_eq!(read("types").unwrap().ignores, ["hints", "types"]);
        assert!(read("habits").unwrap_err().starts_with("players ignore nothing called \"habits\""));
    }
}
