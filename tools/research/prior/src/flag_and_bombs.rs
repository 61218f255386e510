//! Fitting which neighbours of the flag are bombs, from setups that people played.

use crate::fit::{SQUARES, square};
use crate::setups::{Group, PLACES};
use outflank::rules::Rank;
use std::fmt::Write as _;

/// Ways in which a flag's up to four neighbours can be bombs: bit 0 in front, 1 behind, 2 towards the near edge, 3
/// towards the middle.
pub const PATTERNS: usize = 16;
/// Made-up setups mixed into each square's, and how likely a neighbour is a bomb in them.
const MADE_UP: (f64, f64) = (20.0, 0.3);
/// What shares are given in.
const WHOLE: f64 = 10_000.0;

/// Shares in 1/10,000 by square of the flag and pattern of its bombs; 0 where there is no neighbour.
pub type Patterns = [[u16; PATTERNS]; SQUARES];

/// The place on one side of another, if it is one of a setup; the right half is looked at in the mirror.
fn neighbour(place: usize, side: usize) -> Option<usize> {
    let (row, file) = (place / 10, place % 10);
    let outward = if file < 5 { file.checked_sub(1) } else { Some(file + 1) };
    let inward = if file < 5 { file + 1 } else { file - 1 };
    let (row, file) = match side {
        0 => (row + 1, file),
        1 => (row.checked_sub(1)?, file),
        2 => (row, outward?),
        _ => (row, inward),
    };
    (row < PLACES / 10 && file < 10).then_some(row * 10 + file)
}

/// The shares observed.
pub fn patterns(groups: &[Group]) -> Patterns {
    let mut counts = [[0.0; PATTERNS]; SQUARES];
    for group in groups {
        let is = |place: usize, rank: Rank| usize::from(group.ranks[place]) == rank.index();
        for flag in (0..PLACES).filter(|&place| is(place, Rank::Flag)) {
            let bomb = |side: usize| neighbour(flag, side).is_some_and(|place| is(place, Rank::Bomb));
            let pattern: usize = (0..4).filter(|&side| bomb(side)).map(|side| 1 << side).sum();
            counts[square(flag)][pattern] += group.weight();
        }
    }
    std::array::from_fn(|square| {
        let all: f64 = counts[square].iter().sum::<f64>() + MADE_UP.0;
        std::array::from_fn(|pattern| {
            let made_up = by_chance(square / 5 * 10 + square % 5, pattern) * MADE_UP.0;
            if made_up == 0.0 {
                return 0;
            }
            ((counts[square][pattern] + made_up) / all * WHOLE).round().max(1.0) as u16
        })
    })
}

/// How likely a pattern is where bombs are thrown in blindly; none if it wants a bomb where there is no place.
fn by_chance(flag: usize, pattern: usize) -> f64 {
    let side = |side: usize| match (neighbour(flag, side), pattern >> side & 1 == 1) {
        (Some(_), true) => MADE_UP.1,
        (Some(_), false) => 1.0 - MADE_UP.1,
        (None, bomb) => f64::from(u8::from(!bomb)),
    };
    (0..4).map(side).product()
}

/// The Rust source of the rows, as `crates/engine/src/belief/flag_and_bombs.rs` holds them.
pub fn source_text(patterns: &Patterns) -> String {
    patterns.iter().fold(String::new(), |mut text, row| {
        let _ = writeln!(text, "    {row:?},");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flag on `flag`, bombs on `bombs`, and scouts.
    fn group(flag: usize, bombs: &[usize]) -> Group {
        let rank = |place: usize| match place {
            _ if place == flag => Rank::Flag,
            _ if bombs.contains(&place) => Rank::Bomb,
            _ => Rank::Scout,
        };
        Group { ranks: std::array::from_fn(|place| rank(place).index() as u8), lines: 1 }
    }

    #[test]
    fn neighbours_are_distinguished_and_mirrored() {
        let most = |flag: usize, bombs: &[usize]| {
            let table = patterns(&vec![group(flag, bombs); 400]);
            let row = table[square(flag)];
            (0..PATTERNS).max_by_key(|&pattern| row[pattern]).unwrap()
        };
        assert_eq!((most(0, &[10]), most(0, &[1]), most(0, &[1, 10])), (1, 8, 9));
        assert_eq!((most(9, &[19]), most(9, &[8]), most(9, &[8, 19])), (1, 8, 9));
        assert_eq!((most(12, &[11]), most(12, &[2]), most(17, &[18])), (4, 2, 4));
    }

    #[test]
    fn shares_sum_to_the_whole_and_nothing_possible_is_zero() {
        let table = patterns(&[group(3, &[2, 4, 13])]);
        for (square, row) in table.iter().enumerate() {
            let sum: u32 = row.iter().map(|&share| u32::from(share)).sum();
            assert!(sum.abs_diff(10_000) <= 16, "{square}: {sum}");
        }
        // A corner has no neighbour behind it and none towards the edge.
        assert!(table[0].iter().enumerate().all(|(pattern, &share)| (share > 0) == (pattern & 6 == 0)));
    }
}
