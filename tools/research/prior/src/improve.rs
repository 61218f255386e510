//! The commands that find setups by results, and print the best.
//!
//! Each round draws setups by what is known so far, plays a game with each, and fits a model of their value to all games.

use crate::features::{Kinds, kinds, setup};
use crate::model::{Agreement, Game, SetupModel};
use crate::sampler::{advance, is_sound, known, various};
use crate::tournament::{Plan, play};
use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use outflank::deployment::{Source, choose_from};
use outflank::rng::Rng;
use outflank::rules::{Army, Ruleset, Setup};
use outflank_arena::contender::Contender;
use outflank_arena::rules::Rules;
use outflank_record::console::print;
use outflank_record::{FileLock, bounds, read_text, write_whole};
use std::fmt;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// Setups that a round can have.
const MOST_SETUPS: u64 = 1_000_000;
/// What the file of games begins with.
const HEADER: &str = "# setups by results, round ";

/// Reads a number of setups, of which there are so many at least.
fn counted(text: &str, least: u64) -> Result<usize, String> {
    bounds::within(text, least, MOST_SETUPS).map(|count| count as usize)
}

/// Reads a temperature: points that a setup may lack, for it to be drawn a third as often.
fn temperature(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "no number".to_owned())?;
    if (0.0001..=1.0).contains(&number) { Ok(number) } else { Err("0.0001 to 1".to_owned()) }
}

/// How setups are found.
#[derive(clap::Args)]
pub struct Options {
    /// Where the games go, a line each, after each round; if it is there, it goes on
    #[arg(long)]
    out: PathBuf,
    /// Setups that every round begins with, one a line; drawn as the engine chooses its own, if not given
    #[arg(long)]
    from: Option<PathBuf>,
    /// Setups of a round: a game each
    #[arg(long, default_value_t = 8192, value_parser = |text: &str| counted(text, 2))]
    size: usize,
    /// Rounds in all
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    rounds: u64,
    /// Points that a setup may lack, for it to be drawn a third as often (1/e)
    #[arg(long, default_value_t = 0.005, value_parser = temperature)]
    temperature: f64,
    /// Who plays both sides: words of an engine of `outflank-arena match` between commas, as in
    /// player=network,net=FILE,temperature=1
    #[arg(long, value_parser = player)]
    player: Contender,
    /// Opponents that stay as they are: for example people's setups, one a line
    #[arg(long)]
    against: Option<PathBuf>,
    /// The share of a round that plays one of them; the others play each other
    #[arg(long, default_value_t = 0.7, value_parser = bounds::share)]
    against_share: f64,
    /// Preset and keys, as in "gravon twosquares=3"
    #[arg(long, default_value = "isf")]
    rules: String,
    /// A draw after so many plies, unless the rules tell their own number; 0 for no limit
    #[arg(long, default_value_t = 1200)]
    max_plies: u32,
    /// Seeds everything
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; one a core unless given
    #[arg(long, value_parser = bounds::at_once)]
    threads: Option<usize>,
}

/// The engine inside this process, unless the words say another.
fn player(text: &str) -> anyhow::Result<Contender> {
    let words = text.split(',').filter(|word| !word.is_empty());
    let words: Vec<String> = ["player=engine"].into_iter().chain(words).map(str::to_owned).collect();
    Contender::read(&words)
}

impl Options {
    /// Plays the rounds that are left.
    ///
    /// # Errors
    /// If a file cannot be read or written, another run works on it, or a game cannot be played.
    pub fn run(&self) -> anyhow::Result<()> {
        let plan = self.plan()?;
        let start = self.start(&plan.rules)?;
        // Another run on the same file would write over these rounds.
        let _lock = FileLock::new(&self.out)?;
        let mut played = if self.out.exists() { read_games(&self.out)? } else { Played::default() };
        ensure!(played.army().is_none_or(|army| army == plan.rules.army()), "its games have another army");
        while played.rounds < self.rounds {
            let figures = self.round(&plan, &start, &mut played)?;
            write_whole(&self.out, played.to_string())?;
            print(format_args!("round {}: {figures}\n", played.rounds))?;
        }
        Ok(())
    }

    fn round(&self, plan: &Plan, start: &[Kinds], played: &mut Played) -> anyhow::Result<Figures> {
        let model = SetupModel::fitted(&played.games);
        let mut rng = Rng::stream(self.seed, played.rounds + 1);
        let mut chains: Vec<Kinds> = (0..self.size).map(|_| start[rng.below(start.len())]).collect();
        // While nothing is known, all are as good: the first round plays what it begins with.
        if played.rounds > 0 {
            advance(&mut chains, &model, self.temperature, rng.bits());
        }
        let bar = progress_bar(plan.games(chains.len()) as u64)?;
        let games = play(plan, &chains, played.games.len() as u64, || bar.inc(1))?;
        bar.finish_and_clear();
        let figures = Figures::of(&model, &games, plan.outside(chains.len()));
        played.games.extend(games);
        played.rounds += 1;
        Ok(figures)
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let rules = Rules::parse(&self.rules, self.max_plies)?;
        let rules = *rules.same().context("setups are found for one rule system")?;
        let threads = self.threads.map_or_else(|| available_parallelism().map(Into::into), Ok)?;
        let against =
            self.against.as_ref().map_or_else(|| Ok(Vec::new()), |path| read_army(path, rules.army()))?;
        let share = if against.is_empty() { 0.0 } else { self.against_share };
        Ok(Plan { player: self.player.clone(), rules, against, share, seed: self.seed, threads })
    }

    /// What chains begin with: sound ones of the right army.
    fn start(&self, rules: &Ruleset) -> anyhow::Result<Vec<Kinds>> {
        let mut start = match &self.from {
            Some(path) => read_army(path, rules.army())?,
            None => own_setups(rules, self.size, self.seed),
        };
        start.retain(is_sound);
        ensure!(!start.is_empty(), "none of the setups to begin with can be played");
        Ok(start)
    }
}

/// Setups as the engine chooses its own.
fn own_setups(rules: &Ruleset, count: usize, seed: u64) -> Vec<Kinds> {
    let mut rng = Rng::stream(seed, 0);
    let setups: Vec<Setup> = (0..count).map(|_| choose_from(Source::Book, rules, None, &mut rng)).collect();
    known(&setups)
}

/// What a round said.
struct Figures {
    /// Mean points of those that played fixed opponents, and their standard error; none if nobody did.
    against: Option<(f64, f64)>,
    agreement: Agreement,
}

impl Figures {
    /// The first `outside` of the games were against fixed opponents.
    fn of(model: &SetupModel, games: &[Game], outside: usize) -> Figures {
        let points: Vec<f64> = games[..outside].iter().map(|game| game.points).collect();
        let count = points.len() as f64;
        let mean = points.iter().sum::<f64>() / count;
        let square = points.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / count;
        let against = (outside > 0).then(|| (mean, (square / count).sqrt()));
        Figures { against, agreement: Agreement::of(model, games) }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((mean, error)) = self.against {
            write!(f, "{:.1} ± {:.1}% against fixed opponents; ", 100.0 * mean, 100.0 * error)?;
        }
        let Agreement { correlation, slope } = self.agreement;
        write!(f, "points and what was expected: correlation {correlation:.3}, slope {slope:.2}")
    }
}

/// Which setups are printed.
#[derive(clap::Args)]
pub struct Best {
    /// The games, as `setups` writes them
    games: PathBuf,
    /// How many; at most a fifth of them have the flag on one square or its mirror image
    #[arg(long, default_value_t = 1000, value_parser = |text: &str| counted(text, 1))]
    count: usize,
    /// Points that a setup may lack, for it to be drawn a third as often (1/e)
    #[arg(long, default_value_t = 0.005, value_parser = temperature)]
    temperature: f64,
    /// Seeds what is drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Best {
    /// Draws them by the model of their value fitted to these games, and prints them, a line each.
    ///
    /// # Errors
    /// If the games cannot be read, or there are none.
    pub fn run(&self) -> anyhow::Result<()> {
        let games = read_games(&self.games)?.games;
        let first = games.first().with_context(|| format!("{}: no games", self.games.display()))?;
        let rules =
            Ruleset { barrage: setup(&first.setups[0]).is_complete(&Army::BARRAGE), ..Ruleset::default() };
        let model = SetupModel::fitted(&games);
        // Some are too many for their flag's square.
        let mut chains = own_setups(&rules, self.count.saturating_mul(3) / 2 + 8, self.seed);
        advance(&mut chains, &model, self.temperature, self.seed);
        various(&chains, self.count).iter().try_for_each(|setup| print(format_args!("{setup}\n")))
    }
}

/// Games of earlier rounds.
#[derive(Debug, Default, PartialEq)]
struct Played {
    rounds: u64,
    games: Vec<Game>,
}

impl Played {
    fn army(&self) -> Option<Army> {
        self.games.first().and_then(|game| setup(&game.setups[0]).army())
    }
}

impl fmt::Display for Played {
    /// The number of rounds; then a line for each game: whose points they are, the other, and the points.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}{}", self.rounds)?;
        for Game { setups, points } in &self.games {
            writeln!(f, "{} {} {points}", setup(&setups[0]), setup(&setups[1]))?;
        }
        Ok(())
    }
}

fn read_games(path: &Path) -> anyhow::Result<Played> {
    let text = read_text(path)?;
    // It will be written over, so it has to be ours.
    let (rounds, games) = text
        .strip_prefix(HEADER)
        .and_then(|rest| rest.split_once('\n'))
        .with_context(|| format!("{}: not written by `setups`, so it stays as it is", path.display()))?;
    let games = games
        .lines()
        .zip(2..)
        .map(|(line, number)| game(line).with_context(|| format!("{}: line {number}", path.display())));
    Ok(Played {
        rounds: rounds.trim().parse().context("the number of rounds")?,
        games: games.collect::<Result<_, _>>()?,
    })
}

fn game(line: &str) -> anyhow::Result<Game> {
    let [one, other, points] = line.split(' ').collect::<Vec<_>>()[..] else {
        bail!("not two setups and points")
    };
    let points: f64 = points.parse()?;
    ensure!((0.0..=1.0).contains(&points), "{points} is not between 0 and 1");
    Ok(Game { setups: [whole(one)?, whole(other)?], points })
}

fn whole(text: &str) -> anyhow::Result<Kinds> {
    let setup: Setup = text.parse()?;
    ensure!(setup.army().is_some(), "{setup} is not the whole army");
    kinds(&setup).context("a rank is missing")
}

/// Reads setups of this army, one a line; what follows a `#` is passed over.
fn read_army(path: &Path, army: Army) -> anyhow::Result<Vec<Kinds>> {
    let text = read_text(path)?;
    let mut setups = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let kinds = whole(line).with_context(|| format!("{}: line {number}", path.display()))?;
            let fits = setup(&kinds).is_complete(&army);
            ensure!(fits, "{}: line {number}: another army than the rules'", path.display());
            setups.push(kinds);
        }
    }
    ensure!(!setups.is_empty(), "{}: no setups", path.display());
    Ok(setups)
}

/// On stderr, and only where that is a terminal.
fn progress_bar(games: u64) -> anyhow::Result<ProgressBar> {
    let style = "{wide_bar} {pos}/{len} games, {per_sec}, {eta} left";
    let bar = ProgressBar::new(games).with_style(ProgressStyle::with_template(style)?);
    bar.tick();
    Ok(bar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_read_back() {
        let own = own_setups(&Ruleset::default(), 4, 3);
        let game = |points: f64| Game { setups: [own[0], own[1]], points };
        let played = Played { rounds: 7, games: vec![game(1.0), game(0.5), game(0.0)] };
        let path = std::env::temp_dir().join(format!("outflank-prior-games-{}", std::process::id()));
        std::fs::write(&path, played.to_string()).unwrap();
        assert_eq!(read_games(&path).unwrap(), played);
        assert_eq!(played.army(), Some(Army::CLASSIC));
        std::fs::remove_file(&path).unwrap();
        for wrong in ["", "FB FB 1", &format!("{} 1", setup(&own[0])), &format!("{0} {0} 2", setup(&own[0]))]
        {
            assert!(super::game(wrong).is_err(), "{wrong}");
        }
    }
}
