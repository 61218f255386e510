//! Setups improved by results.
//!
//! A population of setups plays itself, in pairs drawn afresh each round, and in a share of its games setups that are
//! not its own. Every setup has a merit: how much more often it wins than the setups that the population began with, in
//! logits, with a variance. After a round the worst give way to children of the good ones, which differ from their
//! parent by a few exchanged pieces.

use crate::merit::{Merit, UNKNOWN, rate};
use anyhow::{Context, bail, ensure};
use outflank::deployment::{self, Source, flag_is_in_the_open, open_sides};
use outflank::rng::Rng;
use outflank::rules::{Army, BySide, Cell, Rank, Ruleset, Setup, Side, Square};
use outflank_arena::contender::Contender;
use outflank_arena::game::{Fixture, House, play};
use outflank_arena::start::Starts;
use outflank_record::Record;
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// What each exchange adds to a child's variance: a guess.
const EXCHANGE: f64 = 0.01;
/// Logits that a side of the flag without a bomb costs, until games tell: from a fit to 4,076 games of the policy
/// network alone between people's setups (`docs/log/setups.md`, "Setups by results").
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
    /// A complete army; its mirror image is taken as the same.
    pub setup: Setup,
    /// Its merit, and the games it has played.
    pub merit: Merit,
}

impl Rated {
    /// A setup nobody has seen play.
    pub const fn unknown(setup: Setup) -> Rated {
        Rated { setup, merit: Merit::UNKNOWN }
    }

    /// A merit drawn from what is known of it.
    fn draw(&self, rng: &mut Rng) -> f64 {
        // Twelve uniform numbers have a variance of 1.
        let normal = (0..12).map(|_| f64::from(rng.unit())).sum::<f64>() - 6.0;
        self.merit.mean + self.merit.variance.sqrt() * normal
    }

    /// A setup with some of this one's pieces exchanged, expected to be as good but for what opens the flag.
    fn child(&self, rng: &mut Rng) -> Rated {
        let mut setup = self.setup;
        let exchanges = 1 + rng.below(EXCHANGES);
        for _ in 0..exchanges {
            exchange(&mut setup, rng);
        }
        let variance = (self.merit.variance + exchanges as f64 * EXCHANGE).min(UNKNOWN);
        let mean = self.merit.mean - (open_flag_penalty(&setup) - open_flag_penalty(&self.setup));
        Rated { setup, merit: Merit { mean, variance, games: 0 } }
    }
}

/// Exchanges two pieces of different ranks. Flag and bombs mostly stay: most of what moves them opens the flag.
fn exchange(setup: &mut Setup, rng: &mut Rng) {
    loop {
        let places = [rng.below(40), rng.below(40)];
        let [one, other] = places.map(|place| setup.0[place]);
        let moves_guard = [one, other].iter().any(|&cell| is_guard(cell));
        if one != other && (!moves_guard || rng.below(GUARD) == 0) {
            setup.0.swap(places[0], places[1]);
            return;
        }
    }
}

fn is_guard(cell: Cell) -> bool {
    matches!(cell, Cell::Known(Rank::Flag | Rank::Bomb))
}

fn is_mobile(cell: Cell) -> bool {
    matches!(cell, Cell::Known(rank) if rank.is_mobile())
}

/// Logits that the open sides of its flag cost a setup of the whole army. In Barrage nothing: there is but one bomb.
fn open_flag_penalty(setup: &Setup) -> f64 {
    if setup.is_complete(&Army::CLASSIC) { OPEN_SIDE * open_sides(setup) as f64 } else { 0.0 }
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

/// Whether it can be played: a piece can move, and no scout can run into the flag at once. The engine hardly ever tries
/// that, so its games would not punish it.
fn is_sound(setup: &Setup) -> bool {
    can_move(setup) && !flag_is_in_the_open(setup)
}

/// Whether some piece can step forward: no lake and none of its own stands before it.
fn can_move(setup: &Setup) -> bool {
    let is_free = |ahead: usize| match setup.0.get(ahead) {
        Some(&cell) => cell == Cell::Empty,
        None => Square::new((ahead % 10) as u8, 4).is_some(),
    };
    (0..40).any(|place| is_mobile(setup.0[place]) && is_free(place + 10))
}

/// Setups outside of the population, which do not change: for example people's.
#[derive(Clone, Debug, Default)]
pub struct FixedOpponents {
    /// Their setups; one is drawn for each game.
    pub setups: Vec<Setup>,
    /// The share of the population that plays one of them in a round, 0 to 1.
    pub share: f64,
}

impl FixedOpponents {
    /// How many of a population of `size` play one of them in a round, a game each; an even number is left.
    fn games(&self, size: usize) -> usize {
        if self.setups.is_empty() {
            return 0;
        }
        let wanted = (size as f64 * self.share.clamp(0.0, 1.0)) as usize;
        size - (size - wanted) / 2 * 2
    }
}

/// How the population plays and changes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who plays both sides.
    pub player: Contender,
    /// Under which rules.
    pub rules: Ruleset,
    /// Whom it plays beside itself.
    pub opponents: FixedOpponents,
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
    /// The mean merit of the fixed opponents.
    pub opponents: Merit,
}

impl From<Vec<Rated>> for Population {
    /// Before its first round.
    fn from(rated: Vec<Rated>) -> Population {
        Population { rated, rounds: 0, opponents: Merit::UNKNOWN }
    }
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
        rated.into()
    }

    /// Reads what [`Display`](fmt::Display) writes; a line may also be a setup alone.
    ///
    /// # Errors
    /// If a line is no setup of a complete army, the same in all lines, or its figures are no numbers.
    pub fn read(text: &str) -> anyhow::Result<Population> {
        let mut population = Population::from(Vec::new());
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
            match words[..] {
                ["round", round] => self.rounds = round.parse()?,
                ["fixed-opponents", ref merit @ ..] => {
                    self.opponents = Merit::read(merit)?.context("no merit of the fixed opponents")?;
                }
                _ => {}
            }
            return Ok(());
        }
        let setup: Setup = setup.trim().parse()?;
        let army = setup.army().with_context(|| format!("{setup} is not the whole army"))?;
        ensure!(self.army().is_none_or(|other| other == army), "{setup} is another army than before");
        let merit = Merit::read(&words)?.unwrap_or(Merit::UNKNOWN);
        self.rated.push(Rated { setup, merit });
        Ok(())
    }

    /// The army of its setups; none if there is no setup.
    pub fn army(&self) -> Option<Army> {
        self.rated.first().and_then(|rated| rated.setup.army())
    }

    /// The best setups, best merit first, as a book is made of them: each has played so many games, its flag stands in
    /// one of the first two rows, no scout can run into it at once, and at most a fifth of `count` have it on one square
    /// or its mirror image. Fewer than `count`, if there are not so many.
    pub fn best(&self, count: usize, games: u32) -> Vec<&Rated> {
        let part = ((count as f64 * FLAG_SHARE) as usize).max(1);
        let (mut at, mut best) = ([0; 20], Vec::new());
        for rated in self.order().into_iter().map(|index| &self.rated[index]) {
            let square = flag_square(&rated.setup);
            let sound = square < BOOK_FLAGS && is_sound(&rated.setup);
            let fits = rated.merit.games >= games && sound && at[square] < part;
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
        self.rated.sort_by(|one, other| other.merit.mean.total_cmp(&one.merit.mean));
        rng.shuffle(&mut self.rated);
        let pairings = self.pairings(&plan.opponents, &mut rng);
        let points = self.play(&pairings, plan, tick)?;
        let outside = plan.opponents.games(self.rated.len());
        let (against_fixed, among) = self.rated.split_at_mut(outside);
        for ((rated, pairing), &points) in against_fixed.iter_mut().zip(&pairings).zip(&points) {
            let own = if pairing.is_red { points } else { 1.0 - points };
            rate(&mut rated.merit, &mut self.opponents, own, UNKNOWN);
        }
        for (pair, &points) in among.chunks_exact_mut(2).zip(&points[outside..]) {
            if let [first, second] = pair {
                rate(&mut first.merit, &mut second.merit, points, 0.0);
            }
        }
        self.replace(plan, &mut rng);
        self.rounds += 1;
        Ok(())
    }

    /// Who plays whom: the first of the population fixed opponents, the others each other, the first of two as Red.
    fn pairings(&self, opponents: &FixedOpponents, rng: &mut Rng) -> Vec<Pairing> {
        let (against_fixed, among) = self.rated.split_at(opponents.games(self.rated.len()));
        let mut pairings = Vec::new();
        for rated in against_fixed {
            let opponent = opponents.setups[rng.below(opponents.setups.len())];
            let is_red = rng.below(2) == 0;
            let [red, blue] = if is_red { [rated.setup, opponent] } else { [opponent, rated.setup] };
            pairings.push(Pairing { red, blue, is_red });
        }
        let pairs = among.chunks_exact(2);
        pairings.extend(pairs.map(|pair| Pairing { red: pair[0].setup, blue: pair[1].setup, is_red: true }));
        pairings
    }

    /// Red's points of each pairing.
    fn play(&self, pairings: &[Pairing], plan: &Plan, tick: impl Fn() + Sync) -> anyhow::Result<Vec<f64>> {
        let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build()?;
        let points = |index: usize| {
            let number = self.rounds * self.rated.len() as u64 + index as u64;
            let played = pairings[index].play(number, plan).with_context(|| format!("game {number}"));
            tick();
            red_points(&played?)
        };
        pool.install(|| (0..pairings.len()).into_par_iter().map(points).collect())
    }

    /// How many games a round has.
    pub fn games(&self, opponents: &FixedOpponents) -> usize {
        let outside = opponents.games(self.rated.len());
        outside + (self.rated.len() - outside) / 2
    }
}

/// Two setups that play each other.
struct Pairing {
    red: Setup,
    blue: Setup,
    /// Whether the one that is rated first is Red.
    is_red: bool,
}

impl Pairing {
    /// Plays game `number` of all.
    fn play(&self, number: u64, plan: &Plan) -> anyhow::Result<Record> {
        let mut rng = Rng::stream(plan.seed, 1 << 40 | number);
        // Either wing may be left for both, as people do.
        let mut side = |setup: Setup| if rng.below(2) == 0 { setup } else { setup.mirrored() };
        let setups = BySide::new([side(self.red), side(self.blue)]);
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
        let record =
            play(&House::patient(plan.seed), &fixture, players, &mut BySide::default(), &Starts::default())?
                .context("it was broken off")?;
        match &record.outcome.fault {
            Some(fault) => bail!("{fault}"),
            None => Ok(record),
        }
    }
}

impl Population {
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
            if is_sound(&child.setup) && seen.insert(key(&child.setup)) {
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
        order.sort_by(|&one, &other| self.rated[other].merit.mean.total_cmp(&self.rated[one].merit.mean));
        order
    }

    /// Sums up what is known: one line.
    pub fn figures(&self) -> String {
        let count = self.rated.len() as f64;
        let mean = |value: fn(&Merit) -> f64| {
            self.rated.iter().map(|rated| value(&rated.merit)).sum::<f64>() / count
        };
        let (merit, games) = (mean(|merit| merit.mean), mean(|merit| f64::from(merit.games)));
        let error = mean(|merit| merit.variance).sqrt();
        let spread = (mean(|merit| merit.mean * merit.mean) - merit * merit).max(0.0).sqrt();
        let squares: HashSet<usize> = self.rated.iter().map(|rated| flag_square(&rated.setup)).collect();
        let opponents = match self.opponents {
            Merit { games: 0, .. } => String::new(),
            Merit { mean, variance, .. } => format!("; fixed opponents {mean:.3} ± {:.3}", variance.sqrt()),
        };
        format!(
            "round {}: merit {merit:.3}, spread {spread:.3}, error {error:.3}; {games:.1} games a setup; flags on {} \
             squares{opponents}",
            self.rounds,
            squares.len()
        )
    }
}

impl fmt::Display for Population {
    /// A line each, the best first: the setup, then what is known of it behind a `#`. A match takes it as a book.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# round {}", self.rounds)?;
        if self.opponents.games > 0 {
            writeln!(f, "# fixed-opponents {}", self.opponents)?;
        }
        for index in self.order() {
            let Rated { setup, merit } = &self.rated[index];
            writeln!(f, "{setup} # {merit}")?;
        }
        Ok(())
    }
}

fn red_points(record: &Record) -> anyhow::Result<f64> {
    Ok(record.outcome.side()?.map_or(0.5, |winner| f64::from(u8::from(winner == Side::Red))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::deployment::book::Book;

    const ONE: &str = "32B637F353B4534268622BBS5226B4528972M74B";
    const EIGHT: &str = "FB2..3......9..........M..S............2";

    const fn merit(mean: f64) -> Merit {
        Merit { mean, ..Merit::UNKNOWN }
    }

    fn rated(mean: f64) -> Rated {
        Rated { merit: merit(mean), setup: ONE.parse().unwrap() }
    }

    #[test]
    fn half_of_the_population_plays_fixed_opponents() {
        let mut population = Population::drawn(9, &Ruleset::default(), 2);
        let opponents = FixedOpponents { setups: vec![ONE.parse().unwrap()], share: 0.5 };
        let plan = Plan { opponents: opponents.clone(), ..plan(0.0) };
        // Five play fixed opponents, and four are two pairs.
        assert_eq!((opponents.games(9), population.games(&opponents)), (5, 7));
        assert_eq!(population.games(&FixedOpponents::default()), 4);
        let pairings = population.pairings(&opponents, &mut Rng::new(4));
        for pairing in &pairings[..5] {
            let opponent = if pairing.is_red { pairing.blue } else { pairing.red };
            assert_eq!(opponent, opponents.setups[0]);
        }
        population.round(&plan, || ()).unwrap();
        assert_eq!(population.opponents.games, 5);
        assert!(population.rated.iter().all(|rated| rated.merit.games == 1));
        let read = Population::read(&population.to_string()).unwrap();
        assert_eq!((read.opponents, read.to_string()), (population.opponents, population.to_string()));
        assert!(Population::read("# fixed-opponents merit 1").is_err());
    }

    #[test]
    fn a_population_reads_back() {
        let mut population = Population::drawn(6, &Ruleset::default(), 3);
        population.rounds = 7;
        population.rated[2].merit = Merit { games: 9, ..merit(0.25) };
        let text = population.to_string();
        let read = Population::read(&text).unwrap();
        assert_eq!((read.to_string(), read.rounds), (text, 7));
        assert_eq!(read.rated[0].merit, population.rated[2].merit);
        assert_eq!(Population::read(&format!("{ONE}\n\n{ONE}")).unwrap().rated, vec![rated(0.0); 2]);
        for wrong in [ONE, "FB\nFB", &format!("{ONE}\n{}", ONE.replace('M', "9")), &format!("{ONE}\n{EIGHT}")]
        {
            assert!(Population::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_worst_and_crowded_flags_give_way_to_children() {
        let mut population = Population::drawn(40, &Ruleset::default(), 5);
        for (index, rated) in population.rated.iter_mut().enumerate() {
            rated.merit = Merit { variance: 0.0, ..merit(index as f64) };
        }
        let plan = plan(0.1);
        let before: Vec<Rated> = population.rated.clone();
        population.replace(&plan, &mut Rng::new(1));
        let gone: Vec<usize> = (0..40).filter(|&index| population.rated[index] != before[index]).collect();
        assert_eq!(gone.len(), 4);
        for &index in &gone {
            let child = &population.rated[index];
            assert!(
                child.setup.is_complete(&Army::CLASSIC)
                    && child.merit.games == 0
                    && child.merit.variance > 0.0
            );
            // Parents have a whole number, and a closed flag.
            let opened = child.merit.mean + OPEN_SIDE * open_sides(&child.setup) as f64;
            assert!((opened - opened.round()).abs() < 1e-9, "{}", child.merit.mean);
        }
        // All flags on one square: the cap is what counts, then the worst of all.
        let mut same = Population::from(vec![rated(0.0); 10]);
        same.rated[9].merit.mean = -1.0;
        assert!(same.worst(1).contains(&9));
    }

    #[test]
    fn eight_pieces_have_children_that_can_move() {
        let setup: Setup = EIGHT.parse().unwrap();
        let (parent, mut rng) = (Rated::unknown(setup), Rng::new(3));
        let children: Vec<Setup> = (0..200).map(|_| parent.child(&mut rng).setup).collect();
        assert!(children.iter().all(|child| child.is_complete(&Army::BARRAGE)));
        assert!(children.iter().filter(|child| can_move(child)).count() > 190);
        let open = children.iter().filter(|child| flag_is_in_the_open(child)).count();
        assert!(open > 0 && children.iter().filter(|child| is_sound(child)).count() >= 190 - open);
        // Bombs stay, and c4 has a lake before it.
        let stuck: Setup = format!("{}B.2.......", "F.........".repeat(3)).parse().unwrap();
        assert!(can_move(&setup) && !can_move(&stuck));
        assert!(open_flag_penalty(&setup).abs() < 1e-12);
        assert_eq!(Population::from(vec![parent]).army(), Some(Army::BARRAGE));
    }

    #[test]
    fn the_best_are_those_of_the_book() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/setups/");
        let text = |name| std::fs::read_to_string(format!("{folder}{name}")).unwrap();
        let population = Population::read(&text("population.txt")).unwrap();
        let best: Vec<Setup> = population.best(878, 8).iter().map(|rated| rated.setup).collect();
        let book: Vec<Setup> = text("best.txt").lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(best, book);
        let barrage = Population::read(&text("barrage.txt")).unwrap();
        let rules = Ruleset { barrage: true, ..Ruleset::default() };
        let book = Book::embedded(&rules).unwrap();
        let best: Vec<Option<Setup>> = barrage.best(256, 8).iter().map(|rated| Some(rated.setup)).collect();
        assert_eq!(best, (0..book.len()).map(|number| book.setup(number)).collect::<Vec<_>>());
        let ten = population.best(10, 0);
        assert!(ten.is_sorted_by(|one, other| one.merit.mean >= other.merit.mean) && ten.len() == 10);
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
        assert!(one.rounds == 2 && one.rated.iter().any(|rated| rated.merit.games == 2));
    }

    fn plan(replaced: f64) -> Plan {
        let player = Contender::read(&["player=random".to_owned()]).unwrap();
        let rules = Ruleset { plies: 300, ..Ruleset::default() };
        Plan { player, rules, opponents: FixedOpponents::default(), seed: 1, replaced, threads: 1 }
    }
}
