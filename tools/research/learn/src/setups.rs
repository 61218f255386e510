//! Under which rules games are played, and with which armies.

use anyhow::{Context, ensure};
use outflank::deployment::{self, Source};
use outflank::rng::Rng;
use outflank::rules::{BySide, Preset, Ruleset, Setup};
use std::fs;
use std::path::Path;

use crate::game::Start;

/// Setups of the book, and as many that are drawn from the belief's prior, in a pool.
const DRAWN: usize = 2048;
/// Three games in four are played by the rules of tournaments or of the arena.
const USUAL: f32 = 0.75;

/// What games begin with.
#[derive(Debug)]
pub struct Starts {
    /// The one set of rules for all games, if there is one.
    rules: Option<Ruleset>,
    classic: Vec<Setup>,
    barrage: Vec<Setup>,
}

impl Starts {
    /// Armies of the book, drawn ones, and those of a file, one a line. All games have the same rules, if these are given.
    ///
    /// # Errors
    /// If the file cannot be read, or a line of it is no army.
    pub fn new(rules: Option<Ruleset>, file: Option<&Path>, rng: &mut Rng) -> anyhow::Result<Starts> {
        let mut classic = pool(&Ruleset::default(), rng);
        if let Some(path) = file {
            let text = fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
            let read = |line: &str| line.parse::<Setup>().with_context(|| format!("{line:?}"));
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let people: Vec<Setup> = lines.map(read).collect::<anyhow::Result<_>>()?;
            let army = Ruleset::default().army();
            let people: Vec<Setup> = people.into_iter().filter(|setup| setup.is_complete(&army)).collect();
            ensure!(!people.is_empty(), "{}: no setups", path.display());
            classic.extend(people);
        }
        let barrage = pool(&Ruleset { barrage: true, ..Ruleset::default() }, rng);
        Ok(Starts { rules, classic, barrage })
    }

    /// What a game begins with; half of the armies are mirrored.
    pub fn draw(&self, rng: &mut Rng) -> Start {
        let rules = self.rules.unwrap_or_else(|| draw_rules(rng));
        let pool = if rules.barrage { &self.barrage } else { &self.classic };
        let setups = BySide::from_fn(|_| {
            let setup = pool[rng.below(pool.len())];
            if rng.below(2) == 0 { setup.mirrored() } else { setup }
        });
        Start { rules, setups }
    }
}

fn pool(rules: &Ruleset, rng: &mut Rng) -> Vec<Setup> {
    let mut setups = deployment::candidates(rules, DRAWN, rng);
    setups.extend((0..DRAWN).map(|_| deployment::choose_from(Source::Book, rules, None, rng)));
    setups
}

/// The usual rules, half of the time with a limit of quiet plies, or any others.
fn draw_rules(rng: &mut Rng) -> Ruleset {
    let usual = rng.unit() < USUAL;
    let presets: &[Preset] = if usual { &[Preset::Isf, Preset::Evaluator] } else { &Preset::ALL };
    let mut rules = Ruleset::of(presets[rng.below(presets.len())]);
    if rng.below(2) == 0 {
        rules.quiet = 200;
    }
    if !usual {
        rules.aggressor = rng.below(4) == 0;
        rules.silent = rng.below(4) == 0;
        rules.rescue = rng.below(4) == 0;
        rules.barrage = rng.below(4) == 0;
    }
    rules
}
