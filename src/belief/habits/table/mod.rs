//! The habits of five styles of play.
//!
//! Source: 1,621 games among the public arena's bots and of this engine against them, 1,000 of the engine against
//! itself at one node a move, 1,418 at 600 to 4,800 nodes a move, in the files named here, fitted by
//!
//! ```text
//! outflank-prior habits yard.jsonl g1.jsonl own.jsonl --every 40 --rounds 3 --shrinkage 0.0002 --style peternlewis
//!     --style vixen,ramen --style celsius,celsius1.1,hunter,asmodeus --style outflank,own --style g1
//!     --out src/belief/habits/table
//! ```
//!
//! Each of the arena's bots always plays the same setup or its mirror image, and those of one style here share most
//! of theirs: the first three tables know these setups above all.

mod style1;
mod style2;
mod style3;
mod style4;
mod style5;

use super::Habits;

/// By style, in the order of the command above.
pub(super) static TABLES: [Habits; 5] =
    [style1::STYLE, style2::STYLE, style3::STYLE, style4::STYLE, style5::STYLE];
