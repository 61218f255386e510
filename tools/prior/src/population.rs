//! Setups improved by results.
//!
//! A population of setups plays itself, in pairs drawn afresh each round. Every setup has a merit: how much more often
//! it wins than the setups that the population began with, in logits, with a variance. After a round the worst give
//! way to children of the good ones, which differ from their parent by a few exchanged pieces.

use anyhow::{Context, bail, ensure};
use outflank::deployment::{self, Source, open_sides};
use outflank::rng::Rng;
use outflank::rules::{Army, BySide, Cell, Rank, Ruleset, Setup, Side, Square};
use outflank_arena::contender::Contender;
use outflank_arena::game::{Fixture, House, play};
use outflank_record::Record;
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// Variance of the merit of a setup that is not known, in square logits: 128 setups of the book spread by 0.076 of a
/// point in 3,760 games of the policy network alone (`docs/log/setups.md`, "Setups by results").
const UNKNOWN: f64 = 0.09;
/// What each exchange adds to a child's variance: a guess.
const EXCHANGE: f64 = 0.01;
/// Logits that a side of the flag without a bomb costs, until games tell: from a fit to 4,076 games of the policy
/// network alone between people's setups (`outflank-prior deployment`).
const OPEN_SIDE: f64 = 0.25;
/// Most exchanges between a parent and its child.
const EXCHANGES: usize = 4;
/// Of the exchanges drawn that move flag or bombs one in so many is made.
const GUARD: usize = 4;
/// Setups beyond this share with the flag on one square, or its mirror image, give way first.
const FLAG_SHARE: f64 = 0.2;
/// Squares of the first two rows, mirror images taken together: a book has its flags there.
const BOOK_FLAGS: usize = 10;

/// A setup and what its games say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// The whole army; its mirror image is taken as the same.
    pub setup: Setup,
    /// Logits by which it beats the population that all began with.
    pub merit: f64,
    /// The merit's variance.
    pub variance: f64,
    /// Games it has played.
    pub games: u32,
}

impl Rated {
    /// A setup nobody has seen play.
    pub const fn unknown(setup: Setup) -> Rated {
        Rated { setup, merit: 0.0, variance: UNKNOWN, games: 0 }
    }

    /// A merit drawn from what is known of it.
    fn draw(&self, rng: &mut Rng) -> f64 {
        // Twelve uniform numbers have a variance of 1.
        let normal = (0..12).map(|_| f64::from(rng.unit())).sum::<f64>() - 6.0;
        self.merit + self.variance.sqrt() * normal
    }

    /// The same setup with some pieces exchanged, expected to be as good but for what opens the flag.
    fn child(&self, rng: &mut Rng) -> Rated {
        let mut setup = self.setup;
        let exchanges = 1 + rng.below(EXCHANGES);
        for _ in 0..exchanges {
            exchange(&mut setup, rng);
        }
        let variance = (self.variance + exchanges as f64 * EXCHANGE).min(UNKNOWN);
        let merit = self.merit - OPEN_SIDE * (open_sides(&setup) as f64 - open_sides(&self.setup) as f64);
        Rated { setup, merit, variance, games: 0 }
    }
}

/// Exchanges two pieces of different ranks. Flag and bombs mostly stay: most of what moves them opens the flag.
fn exchange(setup: &mut Setup, rng: &mut Rng) {
    loop {
        let places = [rng.below(40), rng.below(40)];
        let [one, other] = places.map(|place| setup.0[place]);
        let moves_guard = [one, other].iter().any(|&cell| !is_mobile(cell));
        if one != other && (!moves_guard || rng.below(GUARD) == 0) {
            setup.0.swap(places[0], places[1]);
            return;
        }
    }
}

fn is_mobile(cell: Cell) -> bool {
    matches!(cell, Cell::Known(rank) if rank.is_mobile())
}

/// Reckons a game in: `points` of the first, 0 to 1. One step of an extended Kalman filter.
fn rate(first: &mut Rated, second: &mut Rated, points: f64) {
    let expected = 1.0 / (1.0 + (second.merit - first.merit).exp());
    let weight = expected * (1.0 - expected);
    let scale = 1.0 + weight * (first.variance + second.variance);
    for (rated, sign) in [(first, 1.0), (second, -1.0)] {
        rated.merit += sign * rated.variance * (points - expected) / scale;
        rated.variance -= rated.variance * rated.variance * weight / scale;
        rated.games += 1;
    }
}

/// The smaller of the setup's text and its mirror image's.
fn key(setup: &Setup) -> String {
    setup.to_string().min(setup.mirrored().to_string())
}

/// The flag's square, the same for mirror images: 0 to 19.
fn flag_square(setup: &Setup) -> usize {
    let place = setup.0.iter().position(|&cell| cell == Cell::Known(Rank::Flag)).unwrap_or(0);
    place / 10 * 5 + (place % 10).min(9 - place % 10)
}

/// Whether some piece of the front row has no lake before it.
fn can_move(setup: &Setup) -> bool {
    (30..40).any(|place| is_mobile(setup.0[place]) && Square::new((place % 10) as u8, 4).is_some())
}

/// How the population plays and changes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who plays both sides.
    pub player: Contender,
    /// Under which rules.
    pub rules: Ruleset,
    /// Seeds everything.
    pub seed: u64,
    /// The share of the population that gives way after a round, 0 to 0.5.
    pub replaced: f64,
    /// Games at once.
    pub threads: usize,
}

/// Setups and the rounds they have played.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    /// The setups, none the mirror image of another.
    pub rated: Vec<Rated>,
    /// Rounds played.
    pub rounds: u64,
}

impl Population {
    /// Setups drawn as the engine chooses its own.
    pub fn drawn(size: usize, rules: &Ruleset, seed: u64) -> Population {
        let (mut rng, mut known, mut rated) = (Rng::stream(seed, 0), HashSet::new(), Vec::new());
        while rated.len() < size {
            let setup = deployment::choose_from(Source::Book, rules, None, &mut rng);
            if known.insert(key(&setup)) {
                rated.push(Rated::unknown(setup));
            }
        }
        Population { rated, rounds: 0 }
    }

    /// Reads what [`Display`](fmt::Display) writes; a line may also be a setup alone.
    ///
    /// # Errors
    /// If a line is no setup of the whole army, or its figures are no numbers.
    pub fn read(text: &str) -> anyhow::Result<Population> {
        let mut population = Population { rated: Vec::new(), rounds: 0 };
        for (line, number) in text.lines().zip(1..) {
            population.read_line(line).with_context(|| format!("line {number}"))?;
        }
        ensure!(population.rated.len() >= 2, "{} setups cannot play", population.rated.len());
        Ok(population)
    }

    fn read_line(&mut self, line: &str) -> anyhow::Result<()> {
        let (setup, figures) = line.split_once('#').unwrap_or((line, ""));
        let words: Vec<&str> = figures.split_whitespace().collect();
        if setup.trim().is_empty() {
            if let ["round", round] = words[..] {
                self.rounds = round.parse()?;
            }
            return Ok(());
        }
        let setup: Setup = setup.trim().parse()?;
        ensure!(setup.is_complete(&Army::CLASSIC), "{setup} is not the whole army");
        let mut rated = Rated::unknown(setup);
        if let ["merit", merit, "variance", variance, "games", games] = words[..] {
            (rated.merit, rated.variance, rated.games) = (merit.parse()?, variance.parse()?, games.parse()?);
        }
        self.rated.push(rated);
        Ok(())
    }

    /// The best setups, best merit first, as a book is made of them: each has played so many games, its flag stands in
    /// one of the first two rows, and at most a fifth of `count` have it on one square or its mirror image. Fewer than
    /// `count`, if there are not so many.
    pub fn best(&self, count: usize, games: u32) -> Vec<&Rated> {
        let part = ((count as f64 * FLAG_SHARE) as usize).max(1);
        let (mut at, mut best) = ([0; 20], Vec::new());
        for rated in self.order().into_iter().map(|index| &self.rated[index]) {
            let square = flag_square(&rated.setup);
            let fits = rated.games >= games && square < BOOK_FLAGS && at[square] < part;
            if fits && best.len() < count {
                at[square] += 1;
                best.push(rated);
            }
        }
        best
    }

    /// Plays a round, everybody at most once, and replaces the worst.
    ///
    /// # Errors
    /// If a game cannot be played: a fault of the engine's.
    pub fn round(&mut self, plan: &Plan, tick: impl Fn() + Sync) -> anyhow::Result<()> {
        let mut rng = Rng::stream(plan.seed, self.rounds + 1);
        // In the order in which they are written, so that it makes no difference where they were read again.
        self.rated.sort_by(|one, other| other.merit.total_cmp(&one.merit));
        rng.shuffle(&mut self.rated);
        let points = self.play(plan, tick)?;
        for (pair, points) in self.rated.chunks_exact_mut(2).zip(points) {
            if let [first, second] = pair {
                rate(first, second, points);
            }
        }
        self.replace(plan, &mut rng);
        self.rounds += 1;
        Ok(())
    }

    /// The points of the first of each two setups.
    fn play(&self, plan: &Plan, tick: impl Fn() + Sync) -> anyhow::Result<Vec<f64>> {
        let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build()?;
        let points = |pair: usize| {
            let played = self.game(pair, plan).with_context(|| format!("pair {pair}"));
            tick();
            first_points(&played?)
        };
        pool.install(|| (0..self.rated.len() / 2).into_par_iter().map(points).collect())
    }

    /// The game of two setups; the first is Red.
    fn game(&self, pair: usize, plan: &Plan) -> anyhow::Result<Record> {
        let number = self.rounds * (self.rated.len() as u64 / 2) + pair as u64;
        let mut rng = Rng::stream(plan.seed, 1 << 40 | number);
        // Either wing may be left for both, as people do.
        let mut side = |rated: &Rated| if rng.below(2) == 0 { rated.setup } else { rated.setup.mirrored() };
        let setups = BySide::new([side(&self.rated[2 * pair]), side(&self.rated[2 * pair + 1])]);
        let mut rng = Rng::stream(plan.seed, number << 1 | 1);
        let fixture = Fixture {
            number,
            pair: None,
            shard: None,
            rules: plan.rules,
            seats: BySide::new([0, 1]),
            setups: Some(setups),
            seeds: BySide::from_fn(|_| rng.bits()),
        };
        let players = BySide::new([&plan.player; 2]);
        let record = play(&House::patient(plan.seed), &fixture, players, &mut BySide::default())
            .context("it was broken off")?;
        match &record.outcome.fault {
            Some(fault) => bail!("{fault}"),
            None => Ok(record),
        }
    }

    /// The worst give way to children of those that look good; so do the worst of a flag's square that too many share.
    fn replace(&mut self, plan: &Plan, rng: &mut Rng) {
        let wanted = (self.rated.len() as f64 * plan.replaced.clamp(0.0, 0.5)) as usize;
        let mut seen: HashSet<String> = self.rated.iter().map(|rated| key(&rated.setup)).collect();
        let worst = self.worst(wanted);
        let parents: Vec<Rated> = (0..self.rated.len())
            .filter(|index| !worst.contains(index))
            .map(|index| self.rated[index].clone())
            .collect();
        let mut children = Vec::new();
        while children.len() < worst.len() {
            // The better of two by what may be true of them: whoever is not known well gets a chance, too.
            let two = [rng.below(parents.len()), rng.below(parents.len())];
            let [one, other] = two.map(|index| parents[index].draw(rng));
            let child = parents[two[usize::from(other > one)]].child(rng);
            if can_move(&child.setup) && seen.insert(key(&child.setup)) {
                children.push(child);
            }
        }
        for (index, child) in worst.into_iter().zip(children) {
            self.rated[index] = child;
        }
    }

    /// Who gives way: first the worst of a square of the flag that more than its part have, then the worst of all.
    fn worst(&self, wanted: usize) -> BTreeSet<usize> {
        let part = (self.rated.len() as f64 * FLAG_SHARE) as usize;
        let order = self.order();
        let (mut at, mut crowded) = ([0; 20], Vec::new());
        for &index in &order {
            let square = flag_square(&self.rated[index].setup);
            at[square] += 1;
            if at[square] > part {
                crowded.push(index);
            }
        }
        let mut worst = BTreeSet::new();
        for index in crowded.into_iter().rev().chain(order.into_iter().rev()) {
            if worst.len() < wanted {
                worst.insert(index);
            }
        }
        worst
    }

    /// Their numbers, the best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rated.len()).collect();
        order.sort_by(|&one, &other| self.rated[other].merit.total_cmp(&self.rated[one].merit));
        order
    }

    /// Sums up what is known: one line.
    pub fn figures(&self) -> String {
        let count = self.rated.len() as f64;
        let mean = |value: fn(&Rated) -> f64| self.rated.iter().map(value).sum::<f64>() / count;
        let (merit, games) = (mean(|rated| rated.merit), mean(|rated| f64::from(rated.games)));
        let error = mean(|rated| rated.variance).sqrt();
        let spread = (mean(|rated| rated.merit * rated.merit) - merit * merit).max(0.0).sqrt();
        let squares: HashSet<usize> = self.rated.iter().map(|rated| flag_square(&rated.setup)).collect();
        format!(
            "round {}: merit {merit:.3}, spread {spread:.3}, error {error:.3}; {games:.1} games a setup; flags on {} \
             squares",
            self.rounds,
            squares.len()
        )
    }
}

impl fmt::Display for Population {
    /// A line each, the best first: the setup, then what is known of it behind a `#`. A match takes it as a book.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# round {}", self.rounds)?;
        for index in self.order() {
            let Rated { setup, merit, variance, games } = &self.rated[index];
            writeln!(f, "{setup} # merit {merit} variance {variance} games {games}")?;
        }
        Ok(())
    }
}

/// The points of Red.
fn first_points(record: &Record) -> anyhow::Result<f64> {
    Ok(record.outcome.side()?.map_or(0.5, |winner| f64::from(u8::from(winner == Side::Red))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "32B637F353B4534268622BBS5226B4528972M74B";

    fn rated(merit: f64) -> Rated {
        Rated { merit, ..Rated::unknown(ONE.parse().unwrap()) }
    }

    #[test]
    fn games_move_merits_by_what_was_not_expected() {
        let (mut first, mut second) = (rated(0.0), rated(0.0));
        rate(&mut first, &mut second, 1.0);
        assert!(first.merit > 0.0 && (first.merit + second.merit).abs() < 1e-12);
        assert!(first.variance < UNKNOWN && (first.games, second.games) == (1, 1));
        let (mut strong, mut weak) = (rated(1.0), rated(-1.0));
        rate(&mut strong, &mut weak, 1.0);
        assert!(strong.merit - 1.0 < first.merit);
        // A setup that wins three games in four of many comes to ln 3 against one that is sure.
        let (mut good, mut sure) = (rated(0.0), Rated { variance: 0.0, ..rated(0.0) });
        good.variance = 100.0;
        for game in 0..4000 {
            rate(&mut good, &mut sure, f64::from(u8::from(game % 4 > 0)));
        }
        assert!((good.merit - 3.0_f64.ln()).abs() < 0.1 && sure.merit.abs() < 1e-12, "{}", good.merit);
    }

    #[test]
    fn a_population_reads_back() {
        let mut population = Population::drawn(6, &Ruleset::default(), 3);
        population.rounds = 7;
        population.rated[2].merit = 0.25;
        population.rated[2].games = 9;
        let text = population.to_string();
        let read = Population::read(&text).unwrap();
        assert_eq!((read.to_string(), read.rounds), (text, 7));
        assert_eq!((read.rated[0].merit, read.rated[0].games), (0.25, 9));
        assert_eq!(Population::read(&format!("{ONE}\n\n{ONE}")).unwrap().rated, vec![rated(0.0); 2]);
        for wrong in [ONE, "FB\nFB", &format!("{ONE}\n{}", ONE.replace('M', "9"))] {
            assert!(Population::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_worst_and_crowded_flags_give_way_to_children() {
        let mut population = Population::drawn(40, &Ruleset::default(), 5);
        for (index, rated) in population.rated.iter_mut().enumerate() {
            (rated.merit, rated.variance) = (index as f64, 0.0);
        }
        let plan = plan(0.1);
        let before: Vec<Rated> = population.rated.clone();
        population.replace(&plan, &mut Rng::new(1));
        let gone: Vec<usize> = (0..40).filter(|&index| population.rated[index] != before[index]).collect();
        assert_eq!(gone.len(), 4);
        for &index in &gone {
            let child = &population.rated[index];
            assert!(child.setup.is_complete(&Army::CLASSIC) && child.games == 0 && child.variance > 0.0);
            // Parents have a whole number, and a closed flag.
            let opened = child.merit + OPEN_SIDE * open_sides(&child.setup) as f64;
            assert!((opened - opened.round()).abs() < 1e-9, "{}", child.merit);
        }
        // All flags on one square: the cap is what counts, then the worst of all.
        let mut same = Population { rated: vec![rated(0.0); 10], rounds: 0 };
        same.rated[9].merit = -1.0;
        assert!(same.worst(1).contains(&9));
    }

    #[test]
    fn the_best_are_those_of_the_book() {
        let runs = concat!(env!("CARGO_MANIFEST_DIR"), "/../train/runs/setups/");
        let text = |name| std::fs::read_to_string(format!("{runs}{name}")).unwrap();
        let population = Population::read(&text("population.txt")).unwrap();
        let best: Vec<Setup> = population.best(878, 8).iter().map(|rated| rated.setup).collect();
        let book: Vec<Setup> = text("best.txt").lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(best, book);
        let ten = population.best(10, 0);
        assert!(ten.is_sorted_by(|one, other| one.merit >= other.merit) && ten.len() == 10);
        let square = |rated: &Rated| flag_square(&rated.setup);
        assert!(
            ten.iter().all(|rated| ten.iter().filter(|other| square(other) == square(rated)).count() <= 2)
        );
        assert!(population.best(10, 1000).is_empty());
    }

    #[test]
    fn a_seed_fixes_the_rounds_whatever_the_threads() {
        let played = |threads: usize| {
            let mut population = Population::drawn(8, &Ruleset::default(), 2);
            let plan = Plan { threads, ..plan(0.25) };
            for _ in 0..2 {
                population.round(&plan, || ()).unwrap();
            }
            population
        };
        let one = played(1);
        assert_eq!(one, played(2));
        assert!(one.rounds == 2 && one.rated.iter().any(|rated| rated.games == 2));
    }

    fn plan(replaced: f64) -> Plan {
        let player = Contender::read(&["player=random".to_owned()]).unwrap();
        let rules = Ruleset { plies: 300, ..Ruleset::default() };
        Plan { player, rules, seed: 1, replaced, threads: 1 }
    }
}
