//! Games in files: one record, as every tool of the project reads it.

use crate::game::{End, Game, Terms};
use anyhow::{Context, bail, ensure};
use outflank::rules::{Action, BySide, Side};
use outflank::search::{Budget, Level};
use outflank_record::{Decision, Outcome, PlayerRecord, Record, WholeFile, open, verify, write_whole};
use std::io::Write;
use std::iter;
use std::path::Path;
use std::time::Duration;

/// The kind of a player who is a person.
const HUMAN: &str = "human";
/// The kind of a player who is the engine.
const ENGINE: &str = "engine";

/// The record of a game; one that goes on is unfinished.
pub fn record(game: &Game) -> Record {
    let Terms { rules, seed, .. } = *game.terms();
    let plies = game.plies();
    Record {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rules: rules.to_string(),
        seed,
        players: players(game.terms()),
        setups: game.setups().each_ref().map(ToString::to_string),
        moves: plies.iter().map(|(played, _)| played.to_string()).collect(),
        nodes: plies.iter().map(|(_, nodes)| *nodes).collect(),
        outcome: outcome(game),
        plies: plies.len() as u32,
        strikes: plies.iter().filter(|(played, _)| played.verdict.is_some()).count() as u32,
        ..Record::default()
    }
}

fn players(&Terms { person, level, budget, .. }: &Terms) -> BySide<PlayerRecord> {
    let engine = PlayerRecord {
        name: "outflank".to_owned(),
        player: ENGINE.to_owned(),
        nodes: budget.nodes,
        movetime: budget.hard.map(|time| time.as_millis() as u64),
        level: level.is_weaker().then_some(level.number()),
        ..PlayerRecord::default()
    };
    let human = PlayerRecord { name: HUMAN.to_owned(), player: HUMAN.to_owned(), ..PlayerRecord::default() };
    BySide::from_fn(|side| if side == person { human.clone() } else { engine.clone() })
}

fn outcome(game: &Game) -> Outcome {
    match game.end() {
        None => Outcome::unfinished(),
        Some(End::Ruled(ending)) => Outcome::of(ending),
        Some(End::Resigned) => resigned(game.terms().person),
    }
}

fn resigned(person: Side) -> Outcome {
    Outcome::of_decision(Some(person.enemy()), Decision::Resigned)
}

/// Refuses what is there and is no file: to open a named pipe would wait for its other end.
fn ensure_file(path: &Path) -> anyhow::Result<()> {
    let is_file = path.metadata().map_or(true, |found| found.is_file());
    ensure!(is_file, "{} is no regular file", path.display());
    Ok(())
}

/// Writes the game into a file: a new one, or one that may be written over.
///
/// # Errors
/// If the file is there already and may not be written over, or cannot be written.
pub fn save(game: &Game, path: &Path, over: bool) -> anyhow::Result<()> {
    ensure_file(path)?;
    let line = record(game).line()?;
    if !over {
        return create(&line, path);
    }
    write_whole(path, line)
}

/// Writes a record into a new file.
///
/// # Errors
/// If the file is there already, or cannot be written; then nothing of it is there.
pub fn create(record: &str, path: &Path) -> anyhow::Result<()> {
    let mut file = WholeFile::new(path)?;
    file.write_all(record.as_bytes())?;
    file.put_new()
}

/// The last game of a file, and whether it is the only one. How long the engine thinks is as recorded, or else as in
/// `budget`.
///
/// # Errors
/// If the file cannot be read, the record is wrong, or it is not one of a person against the engine.
pub fn load(path: &Path, budget: Budget) -> anyhow::Result<(Game, bool)> {
    ensure_file(path)?;
    let (mut last, mut games) = (None, 0);
    for record in open(path)? {
        last = Some(record?);
        games += 1;
    }
    let name = path.display();
    let record = last.with_context(|| format!("{name}: no game is in it"))?;
    Ok((restore(&record, budget).with_context(|| format!("{name}"))?, games == 1))
}

fn restore(record: &Record, budget: Budget) -> anyhow::Result<Game> {
    verify(record)?;
    let is_human = |side: &Side| record.players[*side].player == HUMAN;
    let [person] = Side::BOTH.into_iter().filter(is_human).collect::<Vec<_>>()[..] else {
        bail!("it is no game of one person against the engine")
    };
    let engine = &record.players[person.enemy()];
    ensure!(engine.player == ENGINE, "its other player is {:?}", engine.player);
    let level = match engine.level {
        None => Level::FULL,
        Some(number) => Level::new(u64::from(number)).with_context(|| format!("no level {number}"))?,
    };
    let recorded =
        Budget { nodes: engine.nodes, hard: engine.movetime.map(Duration::from_millis), ..Budget::default() };
    let budget = if recorded == Budget::default() { budget } else { recorded };
    let terms = Terms { rules: record.ruleset()?, person, level, budget, seed: record.seed };
    let actions = record.actions()?.into_iter().map(|played| played.action);
    // Games from elsewhere come without nodes.
    let nodes = record.nodes.iter().copied().chain(iter::repeat(0));
    let plies: Vec<(Action, u64)> = actions.zip(nodes).collect();
    let mut game = Game::restore(terms, record.armies()?, &plies)?;
    if game.end().is_none() && record.outcome == resigned(person) {
        game.resign();
    }
    Ok(game)
}
