//! Recorded games shown ply by ply, many at once, with what was chosen there: for learning to imitate.

use crate::batch::Batch;
use crate::game::Game;
use anyhow::{Context, ensure};
use outflank::math;
use outflank::policy::encoding::{GLOBALS, PLANE_BYTES, code};
use outflank::rng::Rng;
use outflank::rules::{Played, SQUARES, Side};
use outflank_record::Record;
use rayon::prelude::*;

/// What a row's game shows beside its observation.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The chances of the row's legal actions to be chosen, in the order of [`Batch::legal`]; all 0 where a record
    /// that tells candidates has none for the ply: whoever played was not asked there.
    pub policy: Vec<f32>,
    /// What came of the game for the player to move: 0 won, 1 drawn, 2 lost.
    pub results: Vec<u8>,
    /// The code of the action that was played, which need not be the likeliest.
    pub played: Vec<u16>,
    /// The code of the enemy's answer as the player to move sees the board; [`NO_REPLY`] if the game ended.
    pub replies: Vec<u16>,
    /// The row's game, by its place among the records, and its ply.
    pub places: Vec<(u32, u32)>,
}

/// Stands for no answer in [`Targets::replies`].
pub const NO_REPLY: u16 = u16::MAX;

/// Records played back in as many rows as wanted, in an order that a seed fixes; every row goes through a game of its
/// own.
pub struct Imitation {
    records: Vec<Record>,
    rows: Vec<Option<Row>>,
    /// The records that no row has begun yet, last first.
    waiting: Vec<usize>,
    temperature: f32,
    best: f32,
}

struct Row {
    record: usize,
    game: Game,
    plies: Vec<Played>,
    next: usize,
}

/// How a target is made of a record's candidates.
#[derive(Copy, Clone, Debug)]
pub struct Softness {
    /// Points (1/1000) by which an action that is three times less likely is worse.
    pub temperature: f32,
    /// The share that goes to the best candidate alone.
    pub best: f32,
}

impl Imitation {
    /// Goes through the records once, `rows` games at a time. Games without a result are passed over: they say of no
    /// position how it ends.
    ///
    /// # Errors
    /// If there are no rows.
    pub fn new(
        records: Vec<Record>,
        rows: usize,
        seed: u64,
        softness: Softness,
    ) -> anyhow::Result<Imitation> {
        ensure!(rows > 0, "no rows");
        let finished = |number: &usize| !records[*number].outcome.is_unfinished();
        let mut waiting: Vec<usize> = (0..records.len()).filter(finished).collect();
        Rng::new(seed).shuffle(&mut waiting);
        let Softness { temperature, best } = softness;
        let rows = (0..rows).map(|_| None).collect();
        Ok(Imitation { records, rows, waiting, temperature, best })
    }

    /// The next ply of as many games as are still running: their positions, and what was chosen there. False once all
    /// have been shown.
    ///
    /// # Errors
    /// If a record does not replay.
    pub fn next(&mut self, batch: &mut Batch, targets: &mut Targets) -> anyhow::Result<bool> {
        self.refill()?;
        let rows: Vec<&Row> = self.rows.iter().flatten().collect();
        batch.resize(rows.len());
        batch.gather(rows.iter().map(|row| (row.game.codes(), [].as_slice())));
        let planes = batch.planes.par_chunks_mut(PLANE_BYTES).zip(batch.globals.par_chunks_mut(GLOBALS));
        planes.zip(batch.hidden.par_chunks_mut(SQUARES)).zip(&rows).for_each(
            |(((planes, globals), hidden), row)| {
                row.game.observe(planes, globals);
                row.game.hidden(hidden);
            },
        );
        *targets = Targets::default();
        for row in &rows {
            self.target(row, targets)?;
        }
        let shown = !rows.is_empty();
        self.rows.par_iter_mut().flatten().try_for_each(Row::step)?;
        Ok(shown)
    }

    /// Puts new games in the place of those that are over.
    fn refill(&mut self) -> anyhow::Result<()> {
        for row in &mut self.rows {
            while row.as_ref().is_none_or(Row::is_over) {
                let Some(record) = self.waiting.pop() else {
                    *row = None;
                    break;
                };
                *row = Some(Row::new(record, &self.records[record])?);
            }
        }
        Ok(())
    }

    fn target(&self, row: &Row, targets: &mut Targets) -> anyhow::Result<()> {
        let record = &self.records[row.record];
        let mover = row.game.to_move();
        let played = code(mover, row.plies[row.next].action);
        let told = record.candidates.get(row.next).map_or("", String::as_str);
        let candidates = read_candidates(told, mover)?;
        if candidates.is_empty() && !record.candidates.is_empty() {
            targets.policy.resize(targets.policy.len() + row.game.codes().len(), 0.0);
        } else {
            targets.policy.extend(self.soften(row.game.codes(), &candidates, played));
        }
        let winner = record.outcome.side()?;
        targets.results.push(winner.map_or(1, |winner| if winner == mover { 0 } else { 2 }));
        targets.played.push(played);
        let reply = row.plies.get(row.next + 1).map_or(NO_REPLY, |reply| code(mover, reply.action));
        targets.replies.push(reply);
        targets.places.push((row.record as u32, row.next as u32));
        Ok(())
    }

    /// What was played where no candidates were recorded; else a share for the best of them, and the rest by their
    /// points.
    fn soften(&self, legal: &[u16], candidates: &[(u16, f32)], played: u16) -> Vec<f32> {
        let Some(&(first, top)) = candidates.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
            return legal.iter().map(|&code| f32::from(u8::from(code == played))).collect();
        };
        let best = candidates.first().map_or(first, |&(code, _)| code);
        let weight = |points: f32| math::exp((points - top) / self.temperature);
        let sum: f32 = candidates.iter().map(|&(_, points)| weight(points)).sum();
        let share = |code: u16| {
            let found = candidates.iter().find(|(other, _)| *other == code);
            let soft = found.map_or(0.0, |&(_, points)| weight(points) / sum);
            soft * (1.0 - self.best) + if code == best { self.best } else { 0.0 }
        };
        legal.iter().map(|&code| share(code)).collect()
    }
}

/// `e3e4 512 a4a5 508` as codes and points.
fn read_candidates(text: &str, mover: Side) -> anyhow::Result<Vec<(u16, f32)>> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let read = |pair: &[&str]| {
        let [action, points] = pair else { anyhow::bail!("a candidate without points") };
        let played: Played = action.parse().ok().with_context(|| format!("{action} is no action"))?;
        Ok((code(mover, played.action), points.parse()?))
    };
    words.chunks(2).map(read).collect()
}

impl Row {
    fn new(index: usize, record: &Record) -> anyhow::Result<Row> {
        let place = || format!("record {index}");
        let game = Game::new(record.ruleset()?, record.armies()?).with_context(place)?;
        Ok(Row { record: index, game, plies: record.actions().with_context(place)?, next: 0 })
    }

    fn is_over(&self) -> bool {
        self.next >= self.plies.len() || self.game.ending().is_some()
    }

    fn step(&mut self) -> anyhow::Result<()> {
        let action = self.plies[self.next].action;
        self.game.play(action).with_context(|| format!("record {}, ply {}", self.record, self.next))?;
        self.next += 1;
        Ok(())
    }
}
