//! When pieces first move.
//!
//! Source: 846 armies in games among the public arena's bots and of this engine against them. Per rank and
//! starting row the share of unmoved pieces that moved in one turn of their side, by how many turns it had taken;
//! each entry is shrunk towards all ranks' together by 3,000 piece-turns.

use super::Chances;
use crate::math;
use crate::rules::Rank;

/// Turns of the piece's side at which the bands begin.
pub(super) const BANDS: [u32; 10] = [0, 5, 10, 20, 35, 60, 100, 150, 250, 400];

/// Chance in 1/100,000 that an unmoved piece first moves in a turn, by rank (spy to Marshal), row from the back and
/// band.
pub(super) const FIRST_MOVE: [[[u16; 10]; 4]; 10] = [
    [
        [2, 20, 34, 92, 170, 379, 784, 348, 84, 11],
        [20, 228, 625, 928, 937, 992, 1013, 502, 200, 42],
        [296, 1516, 1668, 1513, 1338, 1126, 859, 353, 77, 33],
        [4915, 4031, 2290, 1394, 757, 499, 567, 153, 99, 143],
    ],
    [
        [2, 65, 125, 245, 329, 486, 743, 570, 156, 62],
        [9, 389, 816, 827, 867, 906, 1387, 564, 277, 91],
        [353, 1016, 1123, 1224, 1138, 938, 818, 407, 80, 45],
        [6590, 5608, 2308, 1087, 409, 440, 833, 112, 9, 73],
    ],
    [
        [2, 12, 81, 161, 233, 556, 981, 369, 104, 28],
        [19, 136, 441, 659, 551, 839, 1122, 725, 125, 64],
        [265, 1279, 916, 634, 743, 1181, 928, 448, 94, 56],
        [5927, 5158, 3343, 2221, 1252, 785, 851, 220, 41, 158],
    ],
    [
        [2, 51, 44, 153, 353, 805, 760, 565, 121, 26],
        [16, 273, 844, 1127, 1012, 1266, 1149, 656, 126, 42],
        [213, 1836, 1211, 783, 1101, 1049, 1015, 236, 101, 58],
        [3606, 4399, 2891, 2036, 1465, 1164, 881, 108, 52, 102],
    ],
    [
        [3, 27, 106, 311, 375, 824, 1087, 761, 217, 27],
        [58, 352, 450, 1374, 1646, 1669, 1079, 738, 130, 42],
        [651, 1392, 1568, 1901, 1231, 1199, 1094, 328, 86, 48],
        [7080, 5006, 3455, 1942, 1132, 1102, 919, 105, 58, 244],
    ],
    [
        [3, 58, 111, 374, 720, 802, 959, 695, 242, 58],
        [12, 167, 236, 396, 533, 1094, 793, 314, 65, 30],
        [300, 2618, 2360, 2044, 2504, 1736, 984, 526, 88, 43],
        [5221, 4910, 4028, 3035, 1321, 880, 950, 203, 43, 143],
    ],
    [
        [2, 22, 149, 500, 618, 925, 654, 598, 114, 8],
        [15, 250, 505, 633, 696, 920, 843, 713, 107, 103],
        [218, 1310, 2316, 1374, 1350, 1298, 787, 303, 89, 15],
        [3894, 3897, 3601, 2616, 1174, 938, 1096, 150, 66, 126],
    ],
    [
        [4, 35, 77, 258, 509, 983, 844, 587, 149, 28],
        [32, 118, 1308, 1049, 1262, 1178, 881, 369, 90, 27],
        [424, 1489, 2097, 2198, 1497, 1474, 923, 345, 129, 28],
        [9273, 5249, 3388, 2220, 1004, 929, 848, 128, 40, 136],
    ],
    [
        [4, 36, 143, 197, 581, 686, 825, 610, 148, 29],
        [17, 587, 474, 610, 1357, 1443, 1421, 627, 96, 38],
        [208, 2407, 2567, 2704, 2017, 1426, 746, 336, 43, 38],
        [5529, 4971, 3367, 2021, 961, 891, 806, 153, 37, 137],
    ],
    [
        [4, 36, 113, 259, 507, 668, 928, 534, 125, 29],
        [13, 263, 399, 1484, 1664, 1290, 800, 318, 36, 25],
        [424, 1758, 1694, 1291, 1386, 1147, 980, 399, 80, 62],
        [3903, 4416, 4633, 3606, 1561, 939, 961, 159, 39, 131],
    ],
];

/// Share of every likelihood that stays the same for all ranks: nobody is bound to move as the games above did.
const DOUBT: f32 = 0.15;
/// The most that the time of a first move may favour one rank over another.
const MOST: f32 = 3.0;

/// How much each rank is favoured by when the piece first moved, or by its not having moved, after `turns` turns
/// of its side. `row` counts from its side's back row.
pub(super) fn likelihood(row: usize, first_move: Option<u32>, moved: bool, turns: u32) -> Chances {
    let Some(rows) = (row < 4).then_some(row) else { return [1.0; Rank::COUNT] };
    let rate = |rank: usize, band: usize| f32::from(FIRST_MOVE[rank][rows][band]) / 100_000.0;
    let mut likelihood = [1.0; Rank::COUNT];
    let Some(until) = first_move.or(if moved { None } else { Some(turns) }) else { return likelihood };
    for (rank, out) in likelihood[1..=10].iter_mut().enumerate() {
        let spent = |band: usize| {
            let end = BANDS.get(band + 1).copied().unwrap_or(u32::MAX);
            until.min(end).saturating_sub(BANDS[band]) as f32
        };
        let hazard: f32 = (0..BANDS.len()).map(|band| rate(rank, band) * spent(band)).sum();
        *out = math::exp(-hazard);
        if moved {
            let band = BANDS.partition_point(|&begin| begin <= until).saturating_sub(1);
            *out *= rate(rank, band);
        }
    }
    if moved {
        let mean = likelihood[1..=10].iter().sum::<f32>() / 10.0;
        return likelihood.map(|share| (share / mean).clamp(1.0 / MOST, MOST));
    }
    likelihood.map(|share| DOUBT + (1.0 - DOUBT) * share)
}
