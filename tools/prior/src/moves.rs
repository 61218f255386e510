//! Fitting how soon pieces of each rank first move, from recorded games.
//!
//! The table in the engine was made in this way from games of the public arena, by bots of many authors. Records of
//! the engine's own games teach its own habits: the table printed from them differs from the engine's, and is worth
//! as much as the players in them are like those to come.

use outflank::rules::{Piece, PieceId, Rank, Side};
use outflank_record::{Record, Replay};
use std::fmt::Write as _;

/// Turns of the piece's side at which the bands begin.
pub const BANDS: [u32; 10] = [0, 5, 10, 20, 35, 60, 100, 150, 250, 400];
/// Ranks that move: all but flag and bomb, so from index 1 on.
const MOBILE: usize = 10;
/// Rows of a setup.
const ROWS: usize = 4;
/// Piece-turns by which an entry is shrunk towards all ranks' together.
const SHRINKING: f64 = 3000.0;
/// The least rate printed, in 1/100,000: nothing is taken to be impossible.
const LEAST: f64 = 2.0;

type Counts = [[[u64; BANDS.len()]; ROWS]; MOBILE];

/// Turns that pieces stood still, and first moves, by rank, row from the back and band.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FirstMoves {
    armies: u64,
    still: Counts,
    moved: Counts,
}

/// Rates in 1/100,000 a turn, by rank, row from the back and band.
pub type Rates = [[[u16; BANDS.len()]; ROWS]; MOBILE];

impl FirstMoves {
    /// Adds both armies of a game.
    ///
    /// # Errors
    /// If the record cannot be replayed.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        let mut replay = Replay::new(record)?;
        let mut waiting: Vec<PieceId> = Side::BOTH.into_iter().flat_map(PieceId::of).collect();
        waiting.retain(|id| piece(&replay, *id).exists());
        let mut turns = [0; 2];
        while let Some(mover) = replay.step()? {
            turns[mover.index()] += 1;
            let (done, left) = waiting.into_iter().partition(|id| {
                let piece = piece(&replay, *id);
                piece.moved || !piece.is_alive()
            });
            waiting = left;
            self.close(&replay, done, turns);
        }
        self.close(&replay, waiting, turns);
        self.armies += 2;
        Ok(())
    }

    /// Counts what pieces did up to now: each stood still for all of its side's turns but perhaps the last.
    fn close(&mut self, replay: &Replay, done: Vec<PieceId>, turns: [u32; 2]) {
        for id in done {
            let piece = piece(replay, id);
            let place = piece.start.and_then(|square| square.setup_place(id.side()));
            let rank = piece.ranks.single().filter(|rank| rank.is_mobile());
            if let (Some(place), Some(rank)) = (place, rank) {
                self.count(rank, place / 10, turns[id.side().index()], piece.first_move.is_some());
            }
        }
    }

    /// One piece that could have moved in each of `turns` turns, and in the last of them did, if `moved`.
    fn count(&mut self, rank: Rank, row: usize, turns: u32, moved: bool) {
        let rank = rank.index() - 1;
        for (band, &begin) in BANDS.iter().enumerate() {
            let end = BANDS.get(band + 1).map_or(turns, |&end| end.min(turns));
            self.still[rank][row][band] += u64::from(end.saturating_sub(begin));
        }
        if moved {
            let band = BANDS.partition_point(|&begin| begin < turns).saturating_sub(1);
            self.moved[rank][row][band] += 1;
        }
    }

    /// The rates, each shrunk towards that of all ranks on its row and in its band.
    pub fn rates(&self) -> Rates {
        let all = |counts: &Counts, row: usize, band: usize| {
            counts.iter().map(|rows| rows[row][band]).sum::<u64>() as f64
        };
        let rate = |rank: usize, row: usize, band: usize| {
            let pooled = (all(&self.moved, row, band) + 1.0) / (all(&self.still, row, band) + 100.0);
            let (still, moved) = (self.still[rank][row][band] as f64, self.moved[rank][row][band] as f64);
            let rate = (moved + SHRINKING * pooled) / (still + SHRINKING);
            (rate * 1e5).round().clamp(LEAST, f64::from(u16::MAX)) as u16
        };
        std::array::from_fn(|rank| {
            std::array::from_fn(|row| std::array::from_fn(|band| rate(rank, row, band)))
        })
    }

    /// The Rust source of the tables.
    pub fn source_text(&self) -> String {
        let count = BANDS.len();
        let mut text = HEAD.replace("{armies}", &self.armies.to_string());
        let _ = writeln!(text, "pub(super) const BANDS: [u32; {count}] = {BANDS:?};\n");
        let _ = writeln!(text, "{ABOUT}");
        let _ = writeln!(text, "pub(super) const FIRST_MOVE: [[[u16; {count}]; {ROWS}]; {MOBILE}] = [");
        for rows in self.rates() {
            text += "    [\n";
            for row in rows {
                let _ = writeln!(text, "        {row:?},");
            }
            text += "    ],\n";
        }
        text + "];\n"
    }
}

fn piece(replay: &Replay, id: PieceId) -> &Piece {
    replay.view(id.side()).position().piece(id)
}

const HEAD: &str = "//! When pieces first move.
//!
//! Source: {armies} armies in recorded games. Per rank and starting row the share of unmoved pieces that moved in one
//! turn of their side, by how many turns it had taken; each entry is shrunk towards all ranks' together by 3,000
//! piece-turns.

/// Turns of the piece's side at which the bands begin.
";

const ABOUT: &str = "/// Chance in 1/100,000 that an unmoved piece first moves in a turn, by rank (spy to Marshal), row from the back and
/// band.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_counts_in_every_band_it_saw() {
        let mut table = FirstMoves::default();
        table.count(Rank::Spy, 2, 12, true);
        table.count(Rank::Spy, 2, 5, true);
        table.count(Rank::Marshal, 0, 401, false);
        assert_eq!(table.still[0][2], [10, 5, 2, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(table.moved[0][2], [1, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(table.still[9][0], [5, 5, 10, 15, 25, 40, 50, 100, 150, 1]);
        assert_eq!(table.moved[9], Counts::default()[9]);
    }

    #[test]
    fn entries_are_shrunk_towards_their_row_and_band() {
        let mut table = FirstMoves::default();
        table.still[3][1][0] = 97_000;
        table.moved[3][1][0] = 970;
        table.still[4][1][0] = 2900;
        table.moved[4][1][0] = 28;
        let rates = table.rates();
        // (970 + 28 + 1) / (97000 + 2900 + 100) = 0.999%.
        assert_eq!((rates[3][1][0], rates[5][1][0]), (1000, 999));
        assert_eq!(rates[5][0][0], 1000);
        assert!((980..999).contains(&rates[4][1][0]), "{}", rates[4][1][0]);
    }
}
