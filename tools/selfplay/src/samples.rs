//! Samples for training the evaluation: rows of fixed size, little-endian.
//!
//! A row: game u32, ply u16, quiet u16, result i8 (1 the view's player won, 0 drawn, -1 lost), to move u8, two bytes of
//! nothing, six parts f32, then 40 own pieces of 3 bytes (square, rank, shown; square 255 is none), then 40 enemy
//! pieces of 14 bytes (square, shown, twelve chances in 1/255).

use crate::record::{Record, open};
use crate::replay::Replay;
use anyhow::Context;
use outflank::belief::Belief;
use outflank::eval::Sample;
use outflank::rules::Side;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Pieces of a side in a row.
const PIECES: usize = 40;
/// No piece.
const NONE: u8 = 255;

/// Writes the samples of all records.
///
/// # Errors
/// If a file cannot be read or written, or a record does not replay.
pub fn write(files: &[PathBuf], every: u32, out: &Path) -> anyhow::Result<()> {
    let file = File::create_new(out).with_context(|| out.display().to_string())?;
    let mut output = BufWriter::new(file);
    let mut number = 0;
    for path in files {
        for record in open(path)? {
            let record = record?;
            sample(&record, number, every.max(1), &mut output)
                .with_context(|| format!("{}: game {}", path.display(), record.game))?;
            number += 1;
        }
    }
    Ok(output.flush()?)
}

fn sample(record: &Record, number: u32, every: u32, output: &mut impl Write) -> anyhow::Result<()> {
    let winner = record.outcome.side()?;
    let mut replay = Replay::new(record)?;
    // Not the same plies in every game.
    let phase = number % every;
    while replay.is_running() {
        if replay.ply() % every == phase {
            for side in Side::BOTH {
                let view = replay.view(side);
                let sample = Sample::of(view, &Belief::of_enemies(view));
                let result = winner.map_or(0, |winner| if winner == side { 1 } else { -1 });
                output.write_all(&row(&sample, number, result))?;
            }
        }
        if replay.step()?.is_none() {
            break;
        }
    }
    Ok(())
}

fn row(sample: &Sample, game: u32, result: i8) -> Vec<u8> {
    let mut row = Vec::with_capacity(716);
    row.extend(game.to_le_bytes());
    for count in [sample.ply, sample.quiet] {
        row.extend((count.min(u32::from(u16::MAX)) as u16).to_le_bytes());
    }
    row.extend([result as u8, u8::from(sample.to_move), 0, 0]);
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
