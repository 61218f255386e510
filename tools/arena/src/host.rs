//! `outflank-arena match`.

use crate::arguments::{Gauntlet, Match, at_once};
use crate::interrupt;
use crate::serve::Served;
use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use outflank::rules::{Preset, Ruleset};
use outflank_arena::adjudicate::Adjudication;
use outflank_arena::contender::{Contender, Home, Program, Protocol};
use outflank_arena::engine::{self, Flaw};
use outflank_arena::game::House;
use outflank_arena::gauntlet::GauntletTable;
use outflank_arena::plan::{Plan, Setups, Tournament, read_book};
use outflank_arena::room::games_at_once;
use outflank_arena::rules::Rules;
use outflank_arena::shard::Shard;
use outflank_arena::standings::Standings;
use outflank_arena::start::Starts;
use outflank_arena::statistics::Verdict;
use outflank_record::console::{complain, print};
use outflank_record::{Record, RecordFile, read_text};
use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often the table on the terminal is drawn anew.
const REDRAWN: Duration = Duration::from_millis(200);

/// Results as they come in, as a match or a gauntlet prints them.
struct Table {
    standings: Standings,
    gauntlet: Option<GauntletTable>,
}

impl Table {
    fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        self.gauntlet.as_mut().map_or(Ok(()), |gauntlet| gauntlet.add(record))?;
        self.standings.add(record)
    }

    /// Whether no further game can change what is asked.
    fn decided(&self) -> bool {
        self.standings.verdict().is_some_and(|verdict| verdict != Verdict::Open)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.gauntlet {
            None => self.standings.fmt(f),
            Some(gauntlet) => write!(f, "{gauntlet}{}", self.standings.faults()),
        }
    }
}

/// Plays the match and prints its table, whatever ends it.
pub(crate) fn run(options: &Match) -> anyhow::Result<()> {
    host(options, false)
}

/// Plays the gauntlet and prints its table, whatever ends it.
pub(crate) fn run_gauntlet(options: &Gauntlet) -> anyhow::Result<()> {
    host(&options.to_match()?, true)
}

fn host(options: &Match, gauntlet: bool) -> anyhow::Result<()> {
    let (plan, test) = (options.plan()?, options.sprt.test()?);
    ensure!(test.is_none() || plan.contenders.len() == 2, "an SPRT is between two engines");
    let names = || plan.contenders.iter().map(|contender| contender.name.clone());
    let mut table = Table {
        standings: Standings::new(names(), test),
        gauntlet: gauntlet.then(|| GauntletTable::new(names())),
    };
    interrupt::listen()?;
    let tried = try_out(&plan);
    interrupt::check()?;
    tried?;
    let (file, done) = options.file(&plan, &mut table)?;
    let concurrency = games_at_once(at_once(options.concurrency)?, [&plan])?;
    let served = options.serve.map(Served::open).transpose()?;
    let played = play(&plan, concurrency, file, &done, (&mut table, served.as_ref()));
    let printed = print(&table);
    if let Some(served) = served {
        served.close();
    }
    played.and(printed)?;
    Ok(interrupt::check()?)
}

/// Plays the games that `done` lacks, and counts them in.
fn play(
    plan: &Plan,
    concurrency: usize,
    mut file: Option<RecordFile>,
    done: &HashSet<u64>,
    (table, served): (&mut Table, Option<&Served>),
) -> anyhow::Result<()> {
    if table.decided() {
        return Ok(());
    }
    let bar = progress_bar(plan.count(), done.len() as u64, table)?;
    let mut drawn = Instant::now();
    let show = |table: &Table, over| {
        if let Some(served) = served {
            served.show(&table.standings, table.to_string(), (over, plan.count()));
        }
    };
    show(table, bar.position());
    let starts = served.map_or_else(Starts::default, |served| Starts::watched(served.moment.clone()));
    let played = plan.play_watched(&starts, concurrency, done, |record| {
        if let Some(file) = &mut file {
            // Nothing more can be kept: the games that are being played need not be played out.
            file.append(&record).inspect_err(|_| engine::end_all())?;
        }
        table.add(&record)?;
        if drawn.elapsed() > REDRAWN {
            bar.set_message(table.to_string());
            drawn = Instant::now();
        }
        bar.inc(1);
        show(table, bar.position());
        Ok(if table.decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    bar.finish_and_clear();
    played
}

/// Starts every engine once: what cannot be started, or was given wrongly, shows before the first game.
pub(crate) fn try_out(plan: &Plan) -> anyhow::Result<()> {
    for contender in &plan.contenders {
        let Err(fault) = contender.start(plan.house.patience) else { continue };
        let is_file = match &contender.home {
            Home::Process(program) => Path::new(&program.file).is_file(),
            Home::Inside(_) => false,
        };
        match fault.flaw {
            Flaw::Unstartable if is_file => {
                bail!("{}: {fault} (a program in this directory is cmd=./NAME)", contender.name)
            }
            Flaw::Unstartable | Flaw::Garbage | Flaw::Host => bail!("{}: {fault}", contender.name),
            // It names who is silent.
            Flaw::Silent => bail!("{fault}"),
            Flaw::Crashed | Flaw::Hung | Flaw::Late | Flaw::Illegal | Flaw::Flooded | Flaw::Closed => {
                complain(format_args!("{} does not start well: {fault}", contender.name));
            }
        }
    }
    Ok(())
}

/// On stderr, and only where that is a terminal: the table, and below it how far the match is.
fn progress_bar(games: u64, done: u64, table: &Table) -> anyhow::Result<ProgressBar> {
    let style = "{msg}\n{wide_bar} {pos}/{len} games, {per_sec}, {eta} left";
    let bar = ProgressBar::new(games).with_style(ProgressStyle::with_template(style)?);
    bar.set_position(done);
    bar.reset_eta();
    bar.set_message(table.to_string());
    bar.tick();
    Ok(bar)
}

fn speaks_strategoevaluator(contender: &Contender) -> bool {
    matches!(&contender.home, Home::Process(Program { protocol: Protocol::StrategoEvaluator, .. }))
}

impl Match {
    pub(crate) fn plan(&self) -> anyhow::Result<Plan> {
        let rules = Rules::parse(&self.rules, self.max_plies)?;
        let paired = !self.no_pairs && !self.own_setups;
        ensure!(
            !paired || self.games.is_multiple_of(2),
            "pairs need an even number of games (or --no-pairs)"
        );
        let setups = self.setups(&rules)?;
        let contenders = self.contenders()?;
        self.check_protocols(&contenders, &rules)?;
        let drawn = matches!(setups, Setups::Drawn);
        ensure!(
            drawn || contenders.iter().all(|contender| contender.setups.is_none()),
            "setups= is for setups that the arena draws: not in a gauntlet, no --book, no --own-setups"
        );
        let plan = Plan {
            contenders,
            tournament: if self.gauntlet { Tournament::Gauntlet } else { Tournament::RoundRobin },
            rounds: if paired { self.games / 2 } else { self.games },
            paired,
            rules,
            setups,
            shard: self.shard.unwrap_or(Shard::WHOLE),
            house: self.house(),
        };
        plan.check_size()?;
        Ok(plan)
    }

    /// Whether the arena's bots can take part.
    fn check_protocols(&self, contenders: &[Contender], rules: &Rules) -> anyhow::Result<()> {
        if !contenders.iter().any(speaks_strategoevaluator) {
            return Ok(());
        }
        ensure!(self.own_setups, "protocol=strategoevaluator needs --own-setups");
        let plain = rules.same().map(|rules| Ruleset { plies: 0, quiet: 0, ..*rules });
        ensure!(
            plain == Some(Ruleset::of(Preset::Evaluator)),
            "protocol=strategoevaluator needs --rules evaluator; only plies and quiet may be added"
        );
        Ok(())
    }

    fn house(&self) -> House {
        let adjudication =
            self.adjudicate.map(|permille| Adjudication { permille, actions: self.adjudicate_actions });
        House {
            seed: self.seed,
            margin: Duration::from_millis(self.margin),
            patience: Duration::from_millis(self.patience),
            adjudication,
            clocks: !self.no_clocks,
        }
    }

    /// Where setups come from.
    fn setups(&self, rules: &Rules) -> anyhow::Result<Setups> {
        let Some(path) = &self.book else {
            return Ok(if self.own_setups { Setups::Own } else { Setups::Drawn });
        };
        let rules = rules.same().context("a book is for one rule system")?;
        let book = read_book(&read_text(path)?, &rules.army()).with_context(|| path.display().to_string())?;
        Ok(Setups::Book(book))
    }

    fn contenders(&self) -> anyhow::Result<Vec<Contender>> {
        let mut contenders: Vec<Contender> = Vec::new();
        for own in &self.engines.0 {
            let words: Vec<String> = self.each.iter().chain(own).cloned().collect();
            let contender = Contender::read(&words)?;
            let name = &contender.name;
            let twice = contenders.iter().any(|other| other.name == *name);
            ensure!(!twice, "two engines are called {name}; tell them apart with name=");
            contenders.push(contender);
        }
        ensure!(contenders.len() >= 2, "a match needs two engines: give --engine twice");
        Ok(contenders)
    }

    /// Where records go, and the games that are there; they are counted in.
    fn file(&self, plan: &Plan, table: &mut Table) -> anyhow::Result<(Option<RecordFile>, HashSet<u64>)> {
        match &self.out {
            None => Ok((None, HashSet::new())),
            Some(path) if self.resume => {
                let (file, done) = plan.resume(path, |record| table.add(record))?;
                Ok((Some(file), done))
            }
            Some(path) => Ok((Some(RecordFile::create(path)?), HashSet::new())),
        }
    }
}
