//! The panel: an engine against many strangers, and what a change of it has brought.
//!
//! A panel is a file: who plays, how many games, by which rules, with which limits. An engine is measured by its
//! points against all of them. Two engines, or two versions of one, are compared by the difference of these points:
//! they never meet, since between players of one kind everything ends even.

use crate::luck::{LuckModel, points};
use anyhow::{Context, bail, ensure};
use outflank_record::{EndReason, Record};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

/// A panel as its file tells it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// The opponents, in the order of the table.
    #[serde(rename = "opponent")]
    pub opponents: Vec<Opponent>,
}

/// One opponent, and how it is played.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opponent {
    /// Its name in the table, and that of its file of games.
    pub name: String,
    /// How many games.
    pub games: u64,
    /// Seeds the games.
    pub seed: u64,
    /// Preset and keys of the rule system.
    #[serde(default = "default_rules")]
    pub rules: String,
    /// A draw after so many plies.
    #[serde(default = "default_plies")]
    pub max_plies: u32,
    /// Whether the luck of strikes is taken out. Of no use against an opponent that hardly ever wins: then what the
    /// engine expects is far from what it gets.
    #[serde(default = "yes")]
    pub adjust: bool,
    /// Words of the measured engine beside those that it is given: its limits.
    pub engine: Vec<String>,
    /// A style by its name, played by the program of the styles.
    #[serde(default)]
    pub style: Option<String>,
    /// Or the opponent's own words, as after `--engine`; `$NAME` is the environment's.
    #[serde(default)]
    pub words: Vec<String>,
}

fn default_rules() -> String {
    "isf".to_owned()
}

const fn default_plies() -> u32 {
    2000
}

const fn yes() -> bool {
    true
}

impl Panel {
    /// Reads a panel.
    ///
    /// # Errors
    /// If it is none, or if two opponents have one name, or a name is no plain word.
    pub fn read(text: &str) -> anyhow::Result<Panel> {
        let panel: Panel = toml::from_str(text)?;
        ensure!(!panel.opponents.is_empty(), "a panel has opponents");
        let mut names = BTreeSet::new();
        for opponent in &panel.opponents {
            let Opponent { name, games, style, words, .. } = opponent;
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            ensure!(
                !name.is_empty() && name.chars().all(plain),
                "opponent {name:?}: a name has letters, digits, - _ ."
            );
            ensure!(names.insert(name), "two opponents are called {name}");
            ensure!(*games > 0, "opponent {name} has no games");
            ensure!(
                style.is_some() == words.is_empty(),
                "opponent {name} needs either a style or words of its own"
            );
        }
        Ok(panel)
    }

    /// Keeps the opponents that are named, and drops those that are excepted.
    ///
    /// # Errors
    /// If a name is nobody's, or nobody is left.
    pub fn choose(&mut self, only: &[String], without: &[String]) -> anyhow::Result<()> {
        for name in only.iter().chain(without) {
            ensure!(
                self.opponents.iter().any(|opponent| opponent.name == *name),
                "nobody in the panel is called {name}"
            );
        }
        self.opponents.retain(|opponent| {
            (only.is_empty() || only.contains(&opponent.name)) && !without.contains(&opponent.name)
        });
        ensure!(!self.opponents.is_empty(), "nobody is left to play");
        Ok(())
    }

    /// Plays a share of the games, at least two of each.
    pub fn scale(&mut self, share: f64) {
        for opponent in &mut self.opponents {
            opponent.games = ((opponent.games as f64 * share).round() as u64).max(2);
        }
    }
}

/// Puts the environment's values in place of `$NAME`.
///
/// # Errors
/// If there is no such variable.
pub fn expand(word: &str, look: impl Fn(&str) -> Option<String>) -> anyhow::Result<String> {
    let mut parts = word.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        if name.is_empty() {
            bail!("{word:?}: a $ stands before the name of a variable");
        }
        let value = look(name).with_context(|| format!("{word:?}: the environment has no {name}"))?;
        text += &value;
        text += rest;
    }
    Ok(text)
}

/// A mean of points with its standard error, both in percent.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// One standard error.
    pub error: f64,
}

impl Mean {
    /// Of some points. So that a few games that all ended alike do not seem to prove everything, the error is that of
    /// one more game won and one more lost.
    pub fn of(points: &[f64]) -> Option<Mean> {
        let count = points.len() as f64;
        if points.is_empty() {
            return None;
        }
        let sum: f64 = points.iter().sum();
        let squares: f64 = points.iter().map(|points| points * points).sum();
        let middle = (sum + 1.0) / (count + 2.0);
        let variance = (squares + 1.0) / (count + 2.0) - middle * middle;
        Some(Mean { value: 100.0 * sum / count, error: 100.0 * (variance.max(0.0) / count).sqrt() })
    }

    /// Several means together, each with its weight.
    fn together(parts: &[(f64, Mean)]) -> Option<Mean> {
        let whole: f64 = parts.iter().map(|(weight, _)| weight).sum();
        let value = parts.iter().map(|(weight, mean)| weight * mean.value).sum::<f64>() / whole;
        let variance: f64 = parts.iter().map(|(weight, mean)| (weight * mean.error).powi(2)).sum();
        (whole > 0.0).then(|| Mean { value, error: variance.sqrt() / whole })
    }

    /// How far this is above another.
    fn less(self, other: Mean) -> Mean {
        Mean { value: self.value - other.value, error: self.error.hypot(other.error) }
    }

    /// The value in standard errors.
    fn errors(self) -> f64 {
        if self.error > 0.0 { self.value / self.error } else { 0.0 }
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ± {:.1}", self.value, self.error)
    }
}

/// One engine's games against each opponent.
#[derive(Clone, Debug, Default)]
pub struct PanelTable {
    rows: BTreeMap<String, Row>,
}

/// The games against one opponent.
#[derive(Clone, Debug, Default)]
struct Row {
    /// Lost, drawn, won.
    games: [u64; 3],
    points: Vec<f64>,
    adjusted: Vec<f64>,
    /// What the adjustment took out of each game's points.
    luck: Vec<f64>,
    plies: u64,
    /// Games that the opponent lost by a fault, which are left out, and those that the engine lost so.
    faults: [u64; 2],
    /// Games without a result, which are left out.
    unfinished: u64,
}

impl PanelTable {
    /// Counts a game of the engine `name` in; without a model its adjusted points are what they are.
    ///
    /// # Errors
    /// If the engine did not play in it, or it cannot be replayed.
    pub fn add(&mut self, model: Option<&LuckModel>, name: &str, record: &Record) -> anyhow::Result<()> {
        let found = record.players.iter().find(|(_, player)| player.name == name);
        let (side, _) = found.with_context(|| format!("game {}: {name} did not play", record.game))?;
        let row = self.rows.entry(record.players[side.enemy()].name.clone()).or_default();
        if record.outcome.is_unfinished() {
            row.unfinished += 1;
            return Ok(());
        }
        let own = points(record, side).with_context(|| format!("game {} has no result", record.game))?;
        if record.outcome.reason == EndReason::Fault {
            row.faults[usize::from(own < 0.5)] += 1;
            if own > 0.5 {
                return Ok(());
            }
        }
        row.games[(own * 2.0) as usize] += 1;
        row.plies += u64::from(record.plies);
        row.points.push(own);
        let adjusted = model.map_or(Ok(Some(own)), |model| model.adjusted(record, side))?;
        row.adjusted.extend(adjusted);
        row.luck.extend(adjusted.map(|adjusted| own - adjusted));
        Ok(())
    }

    /// The table, opponents in the order of the panel.
    pub fn print(&self, panel: &Panel) -> String {
        let width = width(panel);
        let mut text = format!(
            "{:width$} {:>6} {:>6} {:>6} {:>6} {:>12} {:>12} {:>7} {:>7} {:>5}\n",
            "opponent", "games", "won", "drawn", "lost", "points", "adjusted", "plies", "faults", "own"
        );
        let mut total = Row::default();
        for opponent in &panel.opponents {
            let row = self.rows.get(&opponent.name).cloned().unwrap_or_default();
            row.write(&mut text, &opponent.name, (row.raw(), row.fair()), width);
            total.join(&row);
        }
        let (raw, fair) = (self.together(panel, Row::raw), self.together(panel, Row::fair));
        total.write(&mut text, "together", (raw, fair), width);
        if total.unfinished > 0 {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "left out: {} without a result", total.unfinished);
        }
        text
    }

    /// The means of all opponents that were played, weighted by the games that the panel has for them.
    fn together(&self, panel: &Panel, of: fn(&Row) -> Option<Mean>) -> Option<Mean> {
        let part = |opponent: &Opponent| Some((opponent.games as f64, of(self.rows.get(&opponent.name)?)?));
        Mean::together(&panel.opponents.iter().filter_map(part).collect::<Vec<_>>())
    }

    /// What has changed since `base`, opponent by opponent and together, and what follows from it.
    pub fn compare(&self, base: &PanelTable, panel: &Panel) -> String {
        let width = width(panel);
        let mut text = format!("{:width$} {:>14} {:>14} {:>8}\n", "change", "points", "adjusted", "errors");
        let mut changes = Vec::new();
        for Opponent { name, games, .. } in &panel.opponents {
            let Some((new, old)) = self.rows.get(name).zip(base.rows.get(name)) else { continue };
            let change = Change::between(new, old);
            let _ = write_change(&mut text, name, change.raw, change.fair, width);
            changes.push((name.as_str(), *games as f64, change));
        }
        let total = Change::together(&changes);
        let _ = write_change(&mut text, "together", total.raw, total.fair, width);
        let judged = match total.luck.map(Mean::errors) {
            Some(errors) if errors.abs() >= LUCK_BOUND => {
                let _ = writeln!(
                    text,
                    "luck: changed by {errors:+.1} standard errors, more than chance explains; judged by the points"
                );
                |change: &Change| change.raw
            }
            Some(_) | None => |change: &Change| change.fair,
        };
        let clearly = |change| judged(change).is_some_and(|gap| gap.errors() <= -CLEARLY);
        let worse: Vec<&str> =
            changes.iter().filter(|(_, _, change)| clearly(change)).map(|(name, ..)| *name).collect();
        text + &verdict(judged(&total), &worse)
    }
}

/// What has changed between the games of two engines.
#[derive(Copy, Clone, Default)]
struct Change {
    /// Of the points.
    raw: Option<Mean>,
    /// Of the adjusted points.
    fair: Option<Mean>,
    /// Of what the adjustment took out.
    luck: Option<Mean>,
}

impl Change {
    fn between(new: &Row, old: &Row) -> Change {
        let gap = |of: fn(&Row) -> Option<Mean>| Some(of(new)?.less(of(old)?));
        Change { raw: gap(Row::raw), fair: gap(Row::fair), luck: gap(Row::luck) }
    }

    /// Of all opponents, each with its weight.
    fn together(changes: &[(&str, f64, Change)]) -> Change {
        let mean = |of: fn(&Change) -> Option<Mean>| {
            let part = |(_, weight, change): &(&str, f64, Change)| Some((*weight, of(change)?));
            Mean::together(&changes.iter().filter_map(part).collect::<Vec<_>>())
        };
        Change { raw: mean(|one| one.raw), fair: mean(|one| one.fair), luck: mean(|one| one.luck) }
    }
}

/// Standard errors by which the luck of two engines may differ. Beyond, it is their scores that mean different things,
/// and the adjusted points cannot be compared.
const LUCK_BOUND: f64 = 3.0;

/// Standard errors of the total from which on a change is adopted.
const ADOPTED: f64 = 1.5;
/// Standard errors by which an opponent has to have gained for it to count as clearly worse.
const CLEARLY: f64 = 2.0;

/// What follows from a change of the total, and from opponents that fare better against the new engine.
fn verdict(total: Option<Mean>, worse: &[&str]) -> String {
    match total {
        None => "verdict: nothing to compare\n".to_owned(),
        Some(total) if total.errors() < ADOPTED => {
            format!("verdict: not shown, {:.1} standard errors of {ADOPTED}\n", total.errors())
        }
        Some(_) if !worse.is_empty() => {
            format!("verdict: better together, but clearly worse against {}\n", worse.join(", "))
        }
        Some(total) => format!("verdict: better, {:.1} standard errors\n", total.errors()),
    }
}

fn width(panel: &Panel) -> usize {
    panel.opponents.iter().map(|opponent| opponent.name.len()).max().unwrap_or(0).max(8)
}

fn cell(mean: Option<Mean>) -> String {
    mean.map_or_else(|| "-".to_owned(), |mean| mean.to_string())
}

fn write_change(
    text: &mut String,
    name: &str,
    raw: Option<Mean>,
    fair: Option<Mean>,
    width: usize,
) -> fmt::Result {
    let signed = |mean: Option<Mean>| {
        mean.map_or_else(|| "-".to_owned(), |mean| format!("{:+.1} ± {:.1}", mean.value, mean.error))
    };
    let errors = fair.map_or_else(|| "-".to_owned(), |fair| format!("{:+.1}", fair.errors()));
    writeln!(text, "{name:width$} {:>14} {:>14} {errors:>8}", signed(raw), signed(fair))
}

impl Row {
    fn raw(&self) -> Option<Mean> {
        Mean::of(&self.points)
    }

    fn fair(&self) -> Option<Mean> {
        Mean::of(&self.adjusted)
    }

    fn luck(&self) -> Option<Mean> {
        Mean::of(&self.luck)
    }

    fn join(&mut self, other: &Row) {
        (0..3).for_each(|points| self.games[points] += other.games[points]);
        (0..2).for_each(|whose| self.faults[whose] += other.faults[whose]);
        self.plies += other.plies;
        self.unfinished += other.unfinished;
    }

    fn write(&self, text: &mut String, name: &str, (raw, fair): (Option<Mean>, Option<Mean>), width: usize) {
        let Row { games: [lost, drawn, won], plies, faults: [faults, own], .. } = self;
        let games = lost + drawn + won;
        let mean = plies.checked_div(games).map_or_else(|| "-".to_owned(), |mean| mean.to_string());
        let _ = writeln!(
            text,
            "{name:width$} {games:>6} {won:>6} {drawn:>6} {lost:>6} {:>12} {:>12} {mean:>7} {faults:>7} {own:>5}",
            cell(raw),
            cell(fair)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::{BySide, Reason, Side};
    use outflank_record::{Outcome, PlayerRecord, Winner};

    const PANEL: &str = r#"
        [[opponent]]
        name = "one"
        games = 100
        seed = 1
        engine = ["nodes=20"]
        style = "chaser"
        [[opponent]]
        name = "two"
        games = 300
        seed = 2
        rules = "evaluator"
        engine = ["nodes=20"]
        words = ["cmd=$HERE/two", "movetime=5"]
    "#;

    fn record(opponent: &str, winner: Winner) -> Record {
        let players = BySide::new(["x", opponent]);
        let players = players.map(|name| PlayerRecord { name: name.to_owned(), ..PlayerRecord::default() });
        let outcome = Outcome::new(winner, EndReason::Rule(Reason::Flag));
        let setups = BySide::from_fn(|_| "B3FB3262452B3B6B5S7325B48269474M62225873".to_owned());
        let (rules, moves) = ("isf".to_owned(), vec!["a4a5".to_owned()]);
        let candidates = vec!["a4a5 500".to_owned()];
        Record { players, outcome, setups, rules, moves, candidates, plies: 1, ..Record::default() }
    }

    fn table(games: &[(&str, Winner, usize)]) -> PanelTable {
        let mut table = PanelTable::default();
        for &(opponent, winner, count) in games {
            for _ in 0..count {
                table.add(Some(&LuckModel::default()), "x", &record(opponent, winner)).unwrap();
            }
        }
        table
    }

    #[test]
    fn panels_are_read_and_others_refused() {
        let mut panel = Panel::read(PANEL).unwrap();
        assert_eq!(panel.opponents[1].max_plies, 2000);
        panel.scale(0.1);
        assert_eq!(panel.opponents[1].games, 30);
        panel.choose(&[], &["one".to_owned()]).unwrap();
        assert_eq!(panel.opponents.len(), 1);
        assert!(panel.choose(&["three".to_owned()], &[]).is_err());
        for (what, instead) in [
            ("\"two\"", "\"one\""),
            ("games = 300", "games = 0"),
            ("style = \"chaser\"", ""),
            ("seed = 2", "sed = 2"),
            ("\"two\"", "\"../two\""),
        ] {
            assert!(Panel::read(&PANEL.replacen(what, instead, 1)).is_err(), "{instead}");
        }
        assert!(Panel::read("").is_err());
    }

    #[test]
    fn a_game_without_a_result_is_left_out_and_named() {
        let games = [("one", Winner::Red, 3), ("two", Winner::Blue, 2)];
        let panel = Panel::read(PANEL).unwrap();
        let mut with = table(&games);
        for opponent in ["one", "two", "two"] {
            let outcome = Outcome::broken_off(format!("silent: {opponent}"));
            let broken = Record { outcome, ..record(opponent, Winner::Red) };
            with.add(Some(&LuckModel::default()), "x", &broken).unwrap();
        }
        let expected = table(&games).print(&panel) + "left out: 3 without a result\n";
        assert_eq!(with.print(&panel), expected);
    }

    #[test]
    fn words_have_the_values_of_the_environment() {
        let look = |name: &str| (name == "HERE").then(|| "/bots".to_owned());
        assert_eq!(expand("cmd=$HERE/two", look).unwrap(), "cmd=/bots/two");
        assert_eq!(expand("nodes=5", look).unwrap(), "nodes=5");
        assert!(expand("cmd=$THERE/two", look).is_err());
        assert!(expand("cmd=$/two", look).is_err());
    }

    #[test]
    fn opponents_count_by_the_games_that_the_panel_has() {
        let panel = Panel::read(PANEL).unwrap();
        let table = table(&[("one", Winner::Red, 10), ("two", Winner::Red, 5), ("two", Winner::Blue, 5)]);
        let text = table.print(&panel);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].contains("100.0 ±") && lines[2].contains("50.0 ±"), "{text}");
        // A quarter of the weight is the first's.
        assert!(lines[3].contains("62.5 ±"), "{text}");
        // Ten games that all ended alike are no proof.
        assert!(!lines[1].contains("± 0.0"), "{text}");
    }

    #[test]
    fn what_an_opponent_loses_by_a_fault_does_not_count() {
        let mut table = table(&[("one", Winner::Red, 1)]);
        for side in Side::BOTH {
            let outcome = Outcome::of_fault(side, "crashed".to_owned());
            let record = Record { outcome, ..record("one", Winner::Red) };
            table.add(Some(&LuckModel::default()), "x", &record).unwrap();
        }
        let text = table.print(&Panel::read(PANEL).unwrap());
        let row: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(row[1..5], ["2", "1", "0", "1"]);
        assert_eq!(row[row.len() - 2..], ["1", "1"]);
    }

    #[test]
    fn a_change_is_judged_together_and_by_each_opponent() {
        let panel = Panel::read(PANEL).unwrap();
        let base = table(&[
            ("one", Winner::Red, 50),
            ("one", Winner::Blue, 50),
            ("two", Winner::Red, 150),
            ("two", Winner::Blue, 150),
        ]);
        let better = table(&[
            ("one", Winner::Red, 50),
            ("one", Winner::Blue, 50),
            ("two", Winner::Red, 190),
            ("two", Winner::Blue, 110),
        ]);
        let mixed = table(&[
            ("one", Winner::Red, 30),
            ("one", Winner::Blue, 70),
            ("two", Winner::Red, 220),
            ("two", Winner::Blue, 80),
        ]);
        assert!(base.compare(&base, &panel).ends_with("verdict: not shown, 0.0 standard errors of 1.5\n"));
        let text = better.compare(&base, &panel);
        assert!(text.contains("verdict: better, "), "{text}");
        assert!(mixed.compare(&base, &panel).contains("clearly worse against one"));
        assert!(PanelTable::default().compare(&base, &panel).contains("nothing to compare"));
    }

    #[test]
    fn what_is_too_much_for_luck_is_not_taken_out() {
        let panel = Panel::read(PANEL).unwrap();
        let even = [("one", Winner::Red, 50), ("one", Winner::Blue, 50)];
        let base = table(&even);
        let compared = |luck: f64| {
            let mut table = table(&even);
            let row = table.rows.get_mut("one").unwrap();
            row.luck.fill(-luck);
            row.adjusted = row.points.iter().map(|points| points + luck).collect();
            table.compare(&base, &panel)
        };
        assert!(!compared(0.02).contains("more than chance explains"));
        let text = compared(0.2);
        assert!(text.contains("+20.0 ±") && text.contains("more than chance explains"), "{text}");
        assert!(text.ends_with("verdict: not shown, 0.0 standard errors of 1.5\n"), "{text}");
    }
}
