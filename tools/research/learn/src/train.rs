//! The loop: play, look back, learn, keep.

use crate::adam::follow;
use crate::games::{Group, Players, Seat, Source, Tally, Traces};
use crate::network::Forward;
use crate::parameters::Layout;
use crate::report::{COLUMNS, Report};
use crate::state::{Kept, Learned, games_from_text, games_to_text};
use crate::update::{Learning, Lesson, Selection, Step, gradients};
use anyhow::{Context, bail};
use outflank::rng::Rng;
use outflank::sparse;
use outflank_record::write_whole;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// How a run goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Games in step.
    pub games: usize,
    /// Plies of each in one iteration.
    pub steps: usize,
    /// Threads.
    pub threads: usize,
    /// How far back what came of a game is passed on.
    pub traces: Traces,
    /// How much what is left of both armies counts at the end of a game, as a share: the rest is who has won.
    pub material: f32,
    /// How the network learns.
    pub learning: Learning,
    /// Plies over which the magnet is an average; infinite, if it stays what the run began with.
    pub magnet_plies: f64,
    /// Plies over which the network that plays best is one.
    pub average_plies: f64,
    /// Plies after which it ends.
    pub most_plies: u64,
    /// Where everything follows from.
    pub seed: u64,
    /// Entropy, in nats, below which it ends: it has collapsed.
    pub least_entropy: f64,
    /// What judges it, if anything does.
    pub judge: Option<Judge>,
}

/// A command that judges the averaged network now and then, beside the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Judge {
    /// A line for the shell. `$OUTFLANK_NET` is the network's file; what it has without `.net` is a folder for the games.
    pub command: String,
    /// Plies from one time to the next.
    pub every: u64,
}

/// Plies between two lines of the table.
const REPORT: u64 = 2_000_000;
/// Plies between two times at which the run is kept.
const KEEP: u64 = 10_000_000;
/// By how much the plies grow from one earlier network to the next.
const GROWTH: f64 = 1.3;
/// Iterations for which an earlier network plays on.
const PAST_ITERATIONS: u64 = 4;
/// Groups of games for each thread, so that one that is held up keeps the others waiting for less.
const GROUPS: usize = 4;

/// A run, in memory.
pub struct Run<const H: usize> {
    layout: Layout,
    learned: Learned,
    groups: Vec<Group>,
    folder: PathBuf,
    /// Files of earlier networks and how many plies they had learned.
    earlier: Vec<(u64, PathBuf)>,
    past: Option<sparse::Network>,
    /// The judge at work.
    judge: Option<Child>,
}

impl<const H: usize> Run<H> {
    /// A run in this folder, which goes on where it was kept.
    ///
    /// # Errors
    /// If it cannot be read, or no game can begin.
    pub fn new(folder: &Path, kept: Kept, source: &Source<'_>, plan: &Plan) -> anyhow::Result<Run<H>> {
        let Kept { layout, learned, games } = kept;
        let mut seats = games_from_text(&games, source.examples)?;
        let mut rng = Rng::stream(plan.seed, u64::MAX);
        let size = plan.games.max(seats.len()).div_ceil(GROUPS * plan.threads);
        while seats.len() < plan.games {
            seats.push(source.seat((seats.len() % size, size), &mut rng)?);
        }
        let groups = seats.chunks(size).map(|seats| Group::new(seats.to_vec())).collect();
        let earlier = earlier_networks(folder)?;
        Ok(Run { layout, learned, groups, folder: folder.to_owned(), earlier, past: None, judge: None })
    }

    /// Learns until it is to stop or has made all its plies.
    ///
    /// # Errors
    /// If a file cannot be written, or the network has collapsed.
    pub fn learn(&mut self, source: &Source<'_>, plan: &Plan, stop: &AtomicBool) -> anyhow::Result<()> {
        let (mut report, mut kept) = (Report::default(), self.learned.plies);
        let mut gradients = gradients(&self.layout, plan.threads);
        while self.learned.plies < plan.most_plies {
            let began = Instant::now();
            self.invite(source.past_share, plan.seed)?;
            let before = games_to_text(self.seats());
            let Some(tally) = self.play(source, plan, stop)? else {
                return self.keep(&before);
            };
            let (lesson, spread) = self.update(plan, &mut gradients);
            self.learned.plies += tally.plies;
            self.learned.iterations += 1;
            self.call_judge(plan, tally.plies)?;
            self.average(plan, tally.plies);
            report.add(&tally, &lesson, spread, began.elapsed());
            if report.plies() >= REPORT {
                self.write_line(&report)?;
                if report.has_collapsed(plan.least_entropy) {
                    self.keep(&games_to_text(self.seats()))?;
                    bail!("entropy fell to {:.3} nats: the network has collapsed", report.entropy());
                }
                report = Report::default();
            }
            if self.learned.plies >= kept + KEEP || stop.load(Ordering::Relaxed) {
                self.keep(&games_to_text(self.seats()))?;
                kept = self.learned.plies;
            }
        }
        self.keep(&games_to_text(self.seats()))
    }

    fn seats(&self) -> impl Iterator<Item = &Seat> {
        self.groups.iter().flat_map(|group| &group.seats)
    }

    /// Plays one iteration; nothing if it was to break off.
    fn play(&mut self, source: &Source<'_>, plan: &Plan, stop: &AtomicBool) -> anyhow::Result<Option<Tally>> {
        let players = Players {
            network: Forward::<H> { layout: &self.layout, weights: &self.learned.weights },
            past: self.past.as_ref(),
            source: Source {
                past_share: if self.past.is_some() { source.past_share } else { 0.0 },
                ..*source
            },
            traces: plan.traces,
            material: plan.material,
            stop,
        };
        let first = self.learned.iterations * self.groups.len() as u64;
        let work = std::sync::Mutex::new(self.groups.iter_mut().zip(first..));
        let worker = || -> anyhow::Result<bool> {
            loop {
                let next = work.lock().ok().and_then(|mut work| work.next());
                let Some((group, stream)) = next else { return Ok(true) };
                if !group.play(&players, plan.steps, &mut Rng::stream(plan.seed, stream))? {
                    return Ok(false);
                }
            }
        };
        let finished = thread::scope(|scope| {
            let workers: Vec<_> = (0..plan.threads).map(|_| scope.spawn(worker)).collect();
            let all = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|_| bail!("a thread broke down")));
            all.collect::<anyhow::Result<Vec<bool>>>()
        })?;
        let mut tally = Tally::default();
        self.groups.iter().for_each(|group| tally.add(&group.tally));
        Ok(finished.into_iter().all(|finished| finished).then_some(tally))
    }

    /// Learns from what was played.
    fn update(&mut self, plan: &Plan, gradients: &mut [Vec<f32>]) -> (Lesson, f32) {
        let mut rng = Rng::stream(plan.seed ^ 0x005E_1EC7, self.learned.iterations);
        let selection = Selection::new(&self.groups, &plan.learning, &mut rng);
        let steps = selection.steps(plan.learning.batch);
        let mut lesson = Lesson::default();
        for index in 0..steps {
            let step = Step {
                network: Forward::<H> { layout: &self.layout, weights: &self.learned.weights },
                magnet: Forward::<H> { layout: &self.layout, weights: &self.learned.magnet },
                groups: &self.groups,
                selection: &selection,
                learning: &plan.learning,
            };
            lesson.add(&step.gradient(index, steps, gradients));
            let Learned { weights, adam, .. } = &mut self.learned;
            // What the units are read out with stays: where it learns, scores move by its square, which grows without end
            // ("In the midst of the engine's games" in `docs/log/learning.md`).
            let readout = weights[self.layout.readout.clone()].to_vec();
            adam.step(weights, gradients, self.layout.rows.end, plan.learning.stride);
            weights[self.layout.readout.clone()].copy_from_slice(&readout);
        }
        (lesson, selection.spread)
    }

    fn average(&mut self, plan: &Plan, plies: u64) {
        // At the beginning both are averages over the last third of what there was.
        let third = 0.3 * self.learned.iterations as f64 * plies as f64 + 1e5;
        let share = |over: f64| {
            if over.is_infinite() { 0.0 } else { (plies as f64 / over.min(third)).min(1.0) as f32 }
        };
        let Learned { weights, magnet, average, .. } = &mut self.learned;
        follow(magnet, weights, share(plan.magnet_plies));
        follow(average, weights, share(plan.average_plies));
    }

    /// Keeps everything, with these games, and the averaged network in integers.
    fn keep(&mut self, games: &str) -> anyhow::Result<()> {
        let state = self.learned.to_bytes(self.layout.shape, games);
        write_whole(&self.folder.join("state.bin"), state)?;
        let network = self.layout.rounded(&self.learned.average)?.to_bytes();
        write_whole(&self.folder.join("latest.net"), network)?;
        let due = self.earlier.last().map_or(2e6, |(plies, _)| *plies as f64 * GROWTH);
        if self.learned.plies as f64 >= due {
            let path = self.folder.join("past").join(format!("{:06}M.net", self.learned.plies / 1_000_000));
            write_whole(&path, self.layout.rounded(&self.learned.average)?.to_bytes())?;
            self.earlier.push((self.learned.plies, path));
        }
        Ok(())
    }

    fn write_line(&self, report: &Report) -> anyhow::Result<()> {
        let path = self.folder.join("table.tsv");
        let is_new = !path.exists();
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        let line = report.line(self.learned.plies);
        if is_new {
            writeln!(file, "{COLUMNS}")?;
        }
        writeln!(file, "{line}")?;
        println!("{line}");
        Ok(())
    }

    /// Hands the averaged network to the judge, if it is time.
    fn call_judge(&mut self, plan: &Plan, plies: u64) -> anyhow::Result<()> {
        let Some(Judge { command, every }) = &plan.judge else { return Ok(()) };
        let count = self.learned.plies / every;
        if (self.learned.plies - plies) / every == count {
            return Ok(());
        }
        let folder = self.folder.join("judged");
        fs::create_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
        let path = folder.join(format!("{:06}M.net", self.learned.plies / 1_000_000));
        write_whole(&path, self.layout.rounded(&self.learned.average)?.to_bytes())?;
        if let Some(mut judge) = self.judge.take() {
            // It has had all that time: whoever still judges is waited for.
            judge.wait()?;
        }
        let judge = Command::new("sh").arg("-c").arg(command).env("OUTFLANK_NET", &path).spawn();
        self.judge = Some(judge.with_context(|| format!("judge {command:?}"))?);
        Ok(())
    }

    /// Now and then another earlier network takes its seats: every other time the average of the present.
    fn invite(&mut self, share: f32, seed: u64) -> anyhow::Result<()> {
        let (period, begins) =
            (self.learned.iterations / PAST_ITERATIONS, self.learned.iterations % PAST_ITERATIONS);
        if share == 0.0 || (self.past.is_some() && begins != 0) {
            return Ok(());
        }
        let mut rng = Rng::stream(seed ^ 0x9A57, period);
        if period.is_multiple_of(2) || self.earlier.is_empty() {
            self.past = Some(self.layout.rounded(&self.learned.average)?);
            return Ok(());
        }
        let (_, path) = &self.earlier[rng.below(self.earlier.len())];
        let bytes = fs::read(path).with_context(|| format!("{}", path.display()))?;
        self.past = Some(sparse::Network::read(&bytes).with_context(|| format!("{}", path.display()))?);
        Ok(())
    }
}

/// The earlier networks of a run.
fn earlier_networks(folder: &Path) -> anyhow::Result<Vec<(u64, PathBuf)>> {
    let past = folder.join("past");
    fs::create_dir_all(&past).with_context(|| format!("{}", past.display()))?;
    let mut found = Vec::new();
    for entry in fs::read_dir(&past)? {
        let path = entry?.path();
        let millions =
            path.file_stem().and_then(|stem| stem.to_str()?.strip_suffix('M')?.parse::<u64>().ok());
        found.extend(millions.map(|millions| (millions * 1_000_000, path)));
    }
    found.sort();
    Ok(found)
}
