//! `outflank-arena panel` and `outflank-arena luck`.

use crate::arguments::{LuckFit, PanelRun, at_once};
use crate::host::try_out;
use crate::interrupt;
use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use outflank_arena::engine;
use outflank_arena::luck::{FitGame, LuckModel, fit, jumps, points};
use outflank_arena::panel::{Opponent, Panel, PanelTable};
use outflank_arena::plan::Plan;
use outflank_arena::room::games_at_once;
use outflank_record::console::{complain, print};
use outflank_record::{Record, RecordFile, open, read_text};
use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// In how many rounds the games are played: after each, every opponent has had the same share of its games, so that a
/// table of a panel that is not over says something already.
const ROUNDS: u64 = 10;

/// Plays what is missing, and prints the table of all games there are, whatever ends it.
pub(crate) fn run(options: &PanelRun) -> anyhow::Result<()> {
    let mut panel =
        Panel::read(&read_text(&options.panel)?).with_context(|| options.panel.display().to_string())?;
    panel.choose(&options.only, &options.without)?;
    panel.scale(options.share);
    let model = LuckModel::frozen()?;
    let played = if options.table { Ok(()) } else { play(options, &panel) };
    let printed = print_tables(options, &panel, &model);
    played.and(printed)?;
    Ok(interrupt::check()?)
}

fn print_tables(options: &PanelRun, panel: &Panel, model: &LuckModel) -> anyhow::Result<()> {
    let new = read_table(&options.out, panel, model)?;
    print(new.print(panel))?;
    if let Some(folder) = &options.against {
        let base = read_table(folder, panel, model)?;
        print(format_args!("\n{}", new.compare(&base, panel)))?;
    }
    Ok(())
}

/// All games of a folder against these opponents. The engine that is measured is the player that is nobody of the panel.
fn read_table(folder: &Path, panel: &Panel, model: &LuckModel) -> anyhow::Result<PanelTable> {
    let mut table = PanelTable::default();
    for opponent in &panel.opponents {
        let mut numbers = HashSet::new();
        for file in files_of(folder, &opponent.name)? {
            let place = || file.display().to_string();
            for record in open(&file)? {
                let record = record.with_context(place)?;
                ensure!(numbers.insert(record.game), "{}: game {} is there twice", place(), record.game);
                if record.game < opponent.games {
                    let name = record.names().into_iter().find(|name| *name != opponent.name);
                    let model = opponent.adjust.then_some(model);
                    table.add(model, name.unwrap_or_default(), &record).with_context(place)?;
                }
            }
        }
    }
    Ok(table)
}

/// The files of games against an opponent: of all games, and of parts of them.
fn files_of(folder: &Path, name: &str) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry?.file_name().to_string_lossy().into_owned();
        let part = file.strip_prefix(name).and_then(|rest| rest.strip_suffix(".jsonl"));
        let is_shard = |part: &str| {
            let numbers = part.strip_prefix('.').and_then(|part| part.split_once("-of-"));
            numbers.is_some_and(|(index, count)| index.parse::<u64>().is_ok() && count.parse::<u64>().is_ok())
        };
        if part.is_some_and(|part| part.is_empty() || is_shard(part)) {
            files.push(folder.join(file));
        }
    }
    files.sort();
    Ok(files)
}

/// One opponent's match as it stands.
struct Part {
    plan: Plan,
    file: RecordFile,
    done: HashSet<u64>,
}

fn play(options: &PanelRun, panel: &Panel) -> anyhow::Result<()> {
    interrupt::listen()?;
    fs::create_dir_all(&options.out).with_context(|| options.out.display().to_string())?;
    let mut parts = panel
        .opponents
        .iter()
        .map(|opponent| {
            let part = prepare(options, opponent);
            part.with_context(|| format!("opponent {}", opponent.name))
        })
        .collect::<anyhow::Result<Vec<Part>>>()?;
    interrupt::check()?;
    let concurrency = games_at_once(at_once(options.concurrency)?, parts.iter().map(|part| &part.plan))?;
    let bar = progress_bar(&parts)?;
    let played = (1..=ROUNDS).try_for_each(|round| {
        parts.iter_mut().try_for_each(|part| {
            interrupt::check()?;
            part.play_up_to(round, concurrency, &bar)
        })
    });
    bar.finish_and_clear();
    match played {
        Err(error) if error.downcast_ref::<interrupt::Interrupted>().is_some() => Ok(()),
        played => played,
    }
}

/// Starts both players once, and opens the file.
fn prepare(options: &PanelRun, opponent: &Opponent) -> anyhow::Result<Part> {
    let plan = options.to_match(opponent)?.plan()?;
    try_out(&plan)?;
    let (file, done) = plan.resume(&options.file(&opponent.name), |_| Ok(()))?;
    Ok(Part { plan, file, done })
}

impl Part {
    /// Plays the missing games of the first rounds.
    fn play_up_to(&mut self, round: u64, concurrency: usize, bar: &ProgressBar) -> anyhow::Result<()> {
        let end = self.plan.games() * round / ROUNDS;
        let later = self.plan.numbers().filter(|number| *number >= end);
        let skipped: HashSet<u64> = self.done.iter().copied().chain(later).collect();
        let (file, done) = (&mut self.file, &mut self.done);
        self.plan.play(concurrency, &skipped, |record: Record| {
            file.append(&record).inspect_err(|_| engine::end_all())?;
            done.insert(record.game);
            bar.inc(1);
            Ok(ControlFlow::Continue(()))
        })
    }
}

/// On stderr, and only where that is a terminal.
fn progress_bar(parts: &[Part]) -> anyhow::Result<ProgressBar> {
    let games = parts.iter().map(|part| part.plan.count()).sum();
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left")?;
    let bar = ProgressBar::new(games).with_style(style);
    bar.set_position(parts.iter().map(|part| part.done.len() as u64).sum());
    bar.reset_eta();
    bar.tick();
    Ok(bar)
}

/// Fits the share and the means of [`outflank_arena::luck`] and prints them.
pub(crate) fn fit_luck(options: &LuckFit) -> anyhow::Result<()> {
    let mut games = Vec::new();
    for file in &options.files {
        for record in open(file)? {
            let record = record?;
            let found = record.players.iter().find(|(_, player)| player.name == options.about);
            let Some((side, _)) = found.filter(|_| record.outcome.fault.is_none()) else { continue };
            let Some(points) = points(&record, side) else { continue };
            let opponent = record.players[side.enemy()].name.clone();
            let jumps = jumps(&record, side).with_context(|| format!("game {}", record.game))?;
            games.push(FitGame { opponent, points, jumps });
        }
    }
    let (model, report) = fit(&games, options.source.clone())?;
    let (gap, error) = report.gap;
    complain(format_args!(
        "{} games; on the half that a model was not fitted on {:.0}% of the variance is left, and the mean moves by {:.1} ± {:.1} points",
        report.games,
        100.0 * report.left,
        100.0 * gap,
        100.0 * error
    ));
    print(model.write()?)
}
