//! What results of games say about setups.
//!
//! A game's logit is the first mover's, the players' strengths, and the two setups' features compared. Everything
//! about setups is drawn strongly to nothing, and how much of it holds is measured on games held out.

pub mod features;
pub mod logit;

use anyhow::{Context, ensure};
use features::{Features, by_the_rules};
use logit::{Case, Fitted, chance, fit, loss};
use outflank::rules::{Army, BySide, Setup, Side};
use outflank_record::Record;
use std::collections::BTreeMap;
use std::fmt;

/// Parts that games are split into for measuring on those not fitted.
const FOLDS: u64 = 5;
/// Shrinkages tried.
pub const SHRINKAGES: [f64; 6] = [10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0];
/// Shrinkage of players' strengths and of the first move.
const LIGHT: f64 = 1.0;

/// Games with their results.
pub struct Games {
    features: Features,
    played: Vec<Game>,
    names: BTreeMap<String, usize>,
}

struct Game {
    setups: BySide<Setup>,
    players: [usize; 2],
    y: f64,
    group: u64,
}

impl Games {
    /// No games yet.
    ///
    /// # Errors
    /// As of [`Features::new`].
    pub fn new() -> anyhow::Result<Games> {
        Ok(Games { features: Features::new()?, played: Vec::new(), names: BTreeMap::new() })
    }

    /// Adds a game of two whole classic armies that has a result; others are passed over.
    ///
    /// # Errors
    /// If setups or winner cannot be read.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        let setups = record.armies()?;
        let whole = setups.values().all(|setup| setup.is_complete(&Army::CLASSIC));
        if !whole || record.outcome.is_unfinished() {
            return Ok(());
        }
        let y = record.outcome.side()?.map_or(0.5, |side| if side == Side::Red { 1.0 } else { 0.0 });
        let players = record.players.each_ref().map(|player| self.number(&player.name)).into_array();
        // Pairs share their setups, so they are held out together.
        let group = record.seed.wrapping_mul(1 << 32).wrapping_add(record.pair.unwrap_or(record.game));
        self.played.push(Game { setups, players, y, group });
        Ok(())
    }

    fn number(&mut self, name: &str) -> usize {
        let next = self.names.len();
        *self.names.entry(name.to_owned()).or_insert(next)
    }

    /// The cases: the setups' features in units of their spread, then the first move, then each player's strength.
    fn cases(&self, look: &dyn Fn(&Setup) -> Vec<f64>) -> (Vec<Case>, Vec<f64>) {
        let values: Vec<[Vec<f64>; 2]> =
            self.played.iter().map(|game| game.setups.each_ref().map(look).into_array()).collect();
        let size = values.first().map_or(0, |[red, _]| red.len());
        let spread: Vec<f64> =
            (0..size).map(|column| spread(values.iter().flatten().map(|v| v[column]))).collect();
        let case = |(game, [red, blue]): (&Game, &[Vec<f64>; 2])| {
            let differences = red.iter().zip(blue).zip(&spread).map(|((r, b), spread)| (r - b) / spread);
            let mut x: Vec<f64> = differences.collect();
            x.push(1.0);
            x.extend((0..self.names.len()).map(|name| strength(game.players, name)));
            Case { x, y: game.y, group: game.group }
        };
        (self.played.iter().zip(&values).map(case).collect(), spread)
    }

    /// Fits, with the shrinkage that is best on games held out.
    ///
    /// # Errors
    /// If there are too few games.
    pub fn report(&self) -> anyhow::Result<Report> {
        ensure!(self.played.len() >= 50, "{} games are too few", self.played.len());
        let (cases, spread) = self.cases(&|setup| self.features.of(setup));
        let extra = 1 + self.names.len();
        let gains = |cases: &[Case], columns: usize| -> anyhow::Result<Vec<Gain>> {
            let plain = held_out(cases, &shrinkage(columns, 1e12, extra))?;
            let gain =
                |&by: &f64| Ok(Gain::of(by, &plain, &held_out(cases, &shrinkage(columns, by, extra))?));
            SHRINKAGES.iter().map(gain).collect()
        };
        let (by_rules, _) = self.cases(&|setup| vec![by_the_rules(setup)]);
        let count = self.features.len();
        let trials = gains(&cases, count)?;
        let rules = best(&gains(&by_rules, 1)?)?;
        let chosen = best(&trials)?;
        let fitted = fit(&cases.iter().collect::<Vec<_>>(), &shrinkage(count, chosen.shrinkage, extra))?;
        let players = self.names.iter().map(|(name, &at)| (name.clone(), at)).collect();
        let names = self.features.names().collect();
        Ok(Report { count: cases.len(), trials, chosen, rules, names, spread, fitted, players })
    }
}

fn strength(players: [usize; 2], name: usize) -> f64 {
    f64::from(u8::from(players[0] == name)) - f64::from(u8::from(players[1] == name))
}

fn shrinkage(columns: usize, by: f64, extra: usize) -> Vec<f64> {
    [vec![by; columns], vec![LIGHT; extra]].concat()
}

fn spread(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    if variance > 1e-12 { variance.sqrt() } else { 1.0 }
}

/// Each case's loss when it was held out, in nats.
fn held_out(cases: &[Case], shrinkage: &[f64]) -> anyhow::Result<Vec<f64>> {
    // Seeds and numbers in order must not fall into parts in order.
    let fold = |case: &Case| (case.group.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) % FOLDS;
    let mut losses = vec![0.0; cases.len()];
    for part in 0..FOLDS {
        let kept: Vec<&Case> = cases.iter().filter(|case| fold(case) != part).collect();
        let fitted = fit(&kept, shrinkage)?;
        for (value, case) in losses.iter_mut().zip(cases).filter(|(_, case)| fold(case) == part) {
            *value = loss(chance(&fitted.beta, &case.x), case.y);
        }
    }
    Ok(losses)
}

/// What setups are worth in forecasts of games held out, under one shrinkage.
#[derive(Clone, Debug)]
pub struct Gain {
    /// The shrinkage.
    pub shrinkage: f64,
    /// Nats a game without setups.
    pub without: f64,
    /// Nats a game that setups save.
    pub saved: f64,
    /// Its standard error, games taken as independent.
    pub error: f64,
}

impl Gain {
    fn of(shrinkage: f64, plain: &[f64], losses: &[f64]) -> Gain {
        let count = plain.len() as f64;
        let saved = plain.iter().zip(losses).map(|(plain, loss)| plain - loss);
        Gain {
            shrinkage,
            without: plain.iter().sum::<f64>() / count,
            saved: saved.clone().sum::<f64>() / count,
            error: spread(saved) / count.sqrt(),
        }
    }
}

fn best(gains: &[Gain]) -> anyhow::Result<Gain> {
    gains.iter().max_by(|one, two| one.saved.total_cmp(&two.saved)).cloned().context("no shrinkage tried")
}

/// What was found.
pub struct Report {
    count: usize,
    trials: Vec<Gain>,
    chosen: Gain,
    rules: Gain,
    names: Vec<String>,
    spread: Vec<f64>,
    fitted: Fitted,
    players: Vec<(String, usize)>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} games; nats a game, held out: {:.4} without setups",
            self.count, self.chosen.without
        )?;
        let share = |gain: &Gain| 100.0 * gain.saved / gain.without;
        for gain in &self.trials {
            let Gain { shrinkage, saved, error, .. } = gain;
            writeln!(
                f,
                "shrinkage {shrinkage:>5}: setups save {saved:.4} ± {error:.4} ({:.1}%)",
                share(gain)
            )?;
        }
        let Gain { saved, error, .. } = self.rules;
        writeln!(f, "rules of the trade alone: {saved:.4} ± {error:.4} ({:.1}%)", share(&self.rules))?;
        writeln!(f, "\n{:<32} {:>7} {:>8} {:>7}", "logits a standard deviation", "", "error", "spread")?;
        let rows = self.names.iter().zip(&self.fitted.beta).zip(&self.fitted.error).zip(&self.spread);
        for (((name, beta), error), spread) in rows {
            writeln!(f, "{name:<32} {beta:>7.3} {error:>8.3} {spread:>7.2}")?;
        }
        let count = self.names.len();
        writeln!(
            f,
            "{:<32} {:>7.3} {:>8.3}",
            "first move", self.fitted.beta[count], self.fitted.error[count]
        )?;
        for (name, at) in &self.players {
            let at = count + 1 + at;
            writeln!(f, "{name:<32} {:>7.3} {:>8.3}", self.fitted.beta[at], self.fitted.error[at])?;
        }
        Ok(())
    }
}
