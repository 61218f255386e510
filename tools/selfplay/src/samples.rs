//! Samples for training the evaluation: rows of fixed size, little-endian.
//!
//! A row: game u32, ply u16, quiet u16, result i8 (1 the view's player won, 0 drawn, -1 lost), to move u8, races i16,
//! points i16 (what a search expected, a draw counting half, in 1/1000; -1 where none was made or it was too short), six
//! parts f32, then 40 own pieces of 3 bytes (square, rank, shown; square 255 is none), then 40 enemy pieces of 14 bytes
//! (square, shown, twelve chances in 1/255).

use crate::record::{Record, open};
use crate::replay::Replay;
use anyhow::Context;
use outflank::belief::Belief;
use outflank::engine::{Control, Engine, Stopwatch};
use outflank::eval::Sample;
use outflank::rules::Side;
use outflank::search::Budget;
use outflank::view::View;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Pieces of a side in a row.
const PIECES: usize = 40;
/// No piece.
const NONE: u8 = 255;

/// What to sample.
#[derive(Copy, Clone, Debug)]
pub struct Plan {
    /// Both players' views every so many plies.
    pub every: u32,
    /// Nodes of a search from each view, for the points it expects.
    pub search: Option<u64>,
}

/// Writes the samples of all records.
///
/// # Errors
/// If a file cannot be read or written, or a record does not replay.
pub fn write(files: &[PathBuf], plan: Plan, out: &Path) -> anyhow::Result<()> {
    let plan = Plan { every: plan.every.max(1), ..plan };
    let file = File::create_new(out).with_context(|| out.display().to_string())?;
    let mut output = BufWriter::new(file);
    let mut number = 0;
    for path in files {
        for record in open(path)? {
            let (record, mut rows) = (record?, Vec::new());
            sample(&record, number, plan, &mut rows)
                .with_context(|| format!("{}: game {}", path.display(), record.game))?;
            output.write_all(&rows).with_context(|| out.display().to_string())?;
            number += 1;
        }
    }
    output.flush().with_context(|| out.display().to_string())
}

/// Adds the rows of a game.
fn sample(record: &Record, number: u32, plan: Plan, rows: &mut Vec<u8>) -> anyhow::Result<()> {
    let winner = record.outcome.side()?;
    let mut replay = Replay::new(record)?;
    // Not the same plies in every game.
    let phase = number % plan.every;
    while replay.is_running() {
        let sampled = replay.ply() % plan.every == phase;
        let seen: Vec<_> =
            Side::BOTH.into_iter().filter(|_| sampled).map(|side| see(replay.view(side), plan)).collect();
        let going = replay.step()?.is_some();
        for (side, (sample, points)) in Side::BOTH.into_iter().zip(seen) {
            let result = winner.map_or(0, |winner| if winner == side { 1 } else { -1 });
            // Who is not to move expects what a search finds once the other one has moved.
            let later =
                || plan.search.filter(|_| replay.is_running()).and_then(|_| see(replay.view(side), plan).1);
            let points = points.or_else(later).map_or(-1, |points| points as i16);
            rows.extend(row(&sample, number, (result, points)));
        }
        if !going {
            break;
        }
    }
    Ok(())
}

/// A view as the evaluation sees it, and the points that its player expects if it is to move and a search was asked for.
fn see(view: &View, plan: Plan) -> (Sample, Option<u16>) {
    let belief = Belief::of_enemies(view);
    let ours = view.position().to_move() == view.viewer();
    let points = plan.search.filter(|_| ours).and_then(|nodes| expected(view, nodes));
    (Sample::of(view, &belief), points)
}

/// The points that a search of so many nodes expects, in 1/1000.
fn expected(view: &View, nodes: u64) -> Option<u16> {
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let (clock, stop) = (Stopwatch::start(), AtomicBool::new(false));
    let (engine, control) = (Engine::from(view.clone()), Control::new(&clock, &stop));
    let score = engine.search(&budget.into(), control, &mut |_| ()).score?;
    Some(score.win + score.draw / 2)
}

/// Bytes of a row.
const ROW: usize = 38 + 3 * PIECES + 14 * PIECES;

/// `came` is what came of the game, and the points that were expected.
fn row(sample: &Sample, game: u32, came: (i8, i16)) -> Vec<u8> {
    let mut row = Vec::with_capacity(ROW);
    row.extend(game.to_le_bytes());
    for count in [sample.ply, sample.quiet] {
        row.extend((count.min(u32::from(u16::MAX)) as u16).to_le_bytes());
    }
    row.extend([came.0 as u8, u8::from(sample.to_move)]);
    row.extend((sample.races.round() as i16).to_le_bytes());
    row.extend(came.1.to_le_bytes());
    row.extend(sample.parts.iter().flat_map(|part| part.to_le_bytes()));
    for index in 0..PIECES {
        row.extend(sample.ours.get(index).map_or([NONE; 3], |piece| [piece.square, piece.rank, piece.shown]));
    }
    for index in 0..PIECES {
        match sample.theirs.get(index) {
            None => row.extend([NONE; 14]),
            Some(piece) => {
                row.extend([piece.square, piece.shown]);
                row.extend(piece.chances.map(|chance| (chance * 255.0).round() as u8));
            }
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Contest;
    use crate::player::Told;
    use crate::rules::Rules;

    #[test]
    fn rows_tell_both_players_views_of_a_game() {
        let told = |text: &str| text.parse::<Told>().unwrap().config("a", Some(1), None);
        let contest = Contest {
            games: 1,
            pairs: false,
            rules: Rules::parse("isf", 41).unwrap(),
            seed: 5,
            players: [told("name=a"), told("name=b")],
            clocks: false,
        };
        let record = contest.game(0).play().unwrap();
        let mut bytes = Vec::new();
        sample(&record, 8, Plan { every: 10, search: Some(500) }, &mut bytes).unwrap();
        // Plies 8, 18, 28 and 38, two views each.
        assert_eq!(bytes.len(), 8 * ROW);
        let rows: Vec<&[u8]> = bytes.chunks(ROW).collect();
        assert_eq!(rows[0][..4], 8u32.to_le_bytes());
        assert_eq!(rows[2][4..6], 18u16.to_le_bytes());
        // Red is to move at even plies.
        assert_eq!([rows[0][9], rows[1][9]], [1, 0]);
        // Both players expect something, and not all the same.
        let points = rows.iter().map(|row| i16::from_le_bytes([row[12], row[13]]));
        assert!(points.clone().all(|points| (0..=1000).contains(&points)));
        assert!(points.clone().max() > points.min());
        // Every enemy piece's chances sum to one, but for rounding.
        for piece in rows[0][38 + 3 * PIECES..].chunks(14).filter(|piece| piece[0] != NONE) {
            let sum: u32 = piece[2..].iter().map(|&chance| u32::from(chance)).sum();
            assert!((247..=263).contains(&sum), "{sum}");
        }
    }
}
