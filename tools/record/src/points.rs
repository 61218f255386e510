//! What pieces are worth in reports and on pages.
//!
//! The engine's base values (`crates/engine/src/eval/params.rs`) on the day the report was made. They stay as they
//! are when the engine's are tuned, so that reports can be compared. The flag has none: its fall is the result of the game.

use outflank::rules::{ByRank, Rank};

/// Points of a piece by rank, F S 2 .. 9 M B.
pub const POINTS: ByRank<u32> = ByRank::new([0, 110, 15, 150, 60, 65, 80, 150, 225, 340, 420, 50]);

/// Points of a piece of this rank.
pub fn points(rank: Rank) -> u32 {
    POINTS[rank]
}
