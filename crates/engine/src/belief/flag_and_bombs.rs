//! Bombs stand beside the flag: what is known of a square's neighbours tells how likely the flag is on it, and where
//! the flag may be tells where bombs are.

use super::army_model::Weights;
use super::params;
use super::square_prior::{BLIND, square_weights};
use crate::rules::{Army, ByRank, Piece, Rank, RankKind};
use crate::view::HiddenArmy;
use std::sync::OnceLock;

/// Places of a setup, counted as in a setup string.
const PLACES: usize = 40;
/// Ways in which a flag's up to four neighbours can be bombs.
const PATTERNS: usize = 16;
/// From a place to its neighbours, by rows and files, as its owner sees them; a place on the right half is looked at
/// in the mirror. Their order is that of the bits of a pattern.
const NEIGHBOURS: [(isize, isize); 4] = [(1, 0), (-1, 0), (0, -1), (0, 1)];

/// Share of flags, in 1/10,000, by square (as in [`super::SquarePrior`]) whose neighbours are bombs in this pattern:
/// bit 0 in front, 1 behind, 2 towards the near edge, 3 towards the middle.
///
/// Source: derived figures from 58,560 human setups collected from gravon.de, each with its mirror image and counted
/// by the square root of how often it was played; twenty made-up setups with bombs thrown in blindly are mixed in.
pub(super) const PATTERN: [[u16; PATTERNS]; 20] = [
    [1877, 638, 0, 0, 0, 0, 0, 0, 404, 7081, 0, 0, 0, 0, 0, 0],
    [2890, 521, 0, 0, 596, 337, 0, 0, 1333, 1456, 0, 0, 500, 2368, 0, 0],
    [2345, 367, 0, 0, 631, 571, 0, 0, 991, 371, 0, 0, 760, 3964, 0, 0],
    [2027, 351, 0, 0, 984, 382, 0, 0, 732, 300, 0, 0, 740, 4486, 0, 0],
    [2193, 537, 0, 0, 879, 304, 0, 0, 443, 385, 0, 0, 781, 4478, 0, 0],
    [4115, 1288, 917, 159, 0, 0, 0, 0, 452, 902, 93, 2074, 0, 0, 0, 0],
    [5091, 948, 346, 38, 346, 382, 253, 102, 475, 511, 81, 102, 210, 575, 145, 394],
    [3962, 481, 1084, 197, 590, 286, 128, 110, 709, 281, 191, 66, 259, 648, 171, 837],
    [4509, 390, 1244, 73, 935, 126, 325, 163, 535, 165, 168, 50, 258, 382, 170, 506],
    [3156, 1200, 839, 598, 586, 421, 186, 170, 255, 345, 186, 107, 218, 677, 265, 789],
    [7495, 538, 200, 177, 0, 0, 0, 0, 200, 312, 76, 1000, 0, 0, 0, 0],
    [3033, 1300, 1461, 304, 977, 465, 142, 61, 655, 304, 304, 222, 304, 61, 61, 349],
    [3243, 713, 504, 120, 563, 496, 79, 99, 1262, 590, 246, 183, 235, 559, 183, 926],
    [3116, 393, 500, 81, 2882, 108, 136, 39, 421, 276, 81, 11, 611, 318, 290, 738],
    [4162, 954, 548, 119, 819, 660, 254, 51, 548, 389, 119, 51, 525, 186, 186, 427],
    [8889, 0, 441, 0, 0, 0, 0, 0, 393, 0, 278, 0, 0, 0, 0, 0],
    [5784, 0, 940, 0, 1075, 0, 171, 0, 1075, 0, 441, 0, 306, 0, 208, 0],
    [2766, 0, 197, 0, 946, 0, 226, 0, 1711, 0, 160, 0, 2829, 0, 1165, 0],
    [3282, 0, 378, 0, 2367, 0, 261, 0, 947, 0, 166, 0, 1084, 0, 1514, 0],
    [5329, 0, 908, 0, 1430, 0, 345, 0, 602, 0, 193, 0, 804, 0, 388, 0],
];

/// What is known of the piece that began on a place: how well it agrees with its being a bomb, and something else.
#[derive(Copy, Clone)]
struct PieceLikelihood {
    bomb: f32,
    other: f32,
    /// Weight of the flag as a share of all ranks' weights.
    flag: f32,
}

/// What neighbours tell of the piece that began on a place.
#[derive(Copy, Clone)]
struct Advice {
    /// Multiplies the weight of the flag.
    flag: f32,
    /// Multiplies the weight of a bomb.
    bomb: f32,
    /// Multiplies the weights of all other ranks.
    other: f32,
}

const NONE: Advice = Advice { flag: 1.0, bomb: 1.0, other: 1.0 };

/// Weighs ranks of the classic army by what is known of the pieces that began beside them. Nothing changes while nothing
/// is known.
pub(super) fn weigh(pieces: &HiddenArmy, weights: &mut Weights) {
    let mut likelihoods = [None; PLACES];
    let mut owners = [None; PLACES];
    for (index, (id, piece)) in pieces.iter().enumerate() {
        if let Some(place) = piece.start.and_then(|square| square.setup_place(id.side())) {
            likelihoods[place] = Some(PieceLikelihood::of(piece, &weights[index], &Army::CLASSIC));
            owners[place] = Some(index);
        }
    }
    let (now, before) = (advice(&likelihoods), unknown_advice());
    for (place, owner) in owners.iter().enumerate() {
        let Some(weights) = owner.and_then(|index: usize| weights.get_mut(index)) else { continue };
        for rank in Rank::ALL {
            weights[rank] *= match rank.kind() {
                RankKind::Flag => now[place].flag,
                RankKind::Bomb => now[place].bomb / before[place].bomb,
                RankKind::Mobile => now[place].other / before[place].other,
            };
        }
    }
}

/// What neighbours tell while nothing is known.
fn unknown_advice() -> [Advice; PLACES] {
    static ADVICE: OnceLock<[Advice; PLACES]> = OnceLock::new();
    let advice =
        || advice(&std::array::from_fn(|place| Some(PieceLikelihood::unknown(place, &Army::CLASSIC))));
    // Tuned numbers may change in the meantime.
    if cfg!(any(test, feature = "tune")) { advice() } else { *ADVICE.get_or_init(advice) }
}

/// Weight of each rank on a place when nothing is known, in proportion to its chance.
fn start(place: usize, army: &Army) -> ByRank<f32> {
    let weights = square_weights(place);
    ByRank::from_fn(|rank| weights[rank] * f32::from(army.counts()[rank]))
}

/// Chance of a bomb on a place among all that is no flag.
fn bomb_share(place: usize) -> f32 {
    let start = start(place, &Army::CLASSIC);
    let all: f32 = Rank::ALL[1..].iter().map(|&rank| start[rank]).sum();
    start[Rank::Bomb] / all
}

impl PieceLikelihood {
    fn of(piece: &Piece, weights: &ByRank<f32>, army: &Army) -> PieceLikelihood {
        let mut mass = ByRank::filled(0.0);
        for rank in piece.ranks.iter() {
            mass[rank] = weights[rank] * f32::from(army.count(rank));
        }
        PieceLikelihood::from_mass(&mass, piece.is_alive())
    }

    fn unknown(place: usize, army: &Army) -> PieceLikelihood {
        PieceLikelihood::from_mass(&start(place, army), true)
    }

    fn from_mass(mass: &ByRank<f32>, stands: bool) -> PieceLikelihood {
        let all: f32 = mass.values().sum();
        let (flag, bomb) = (mass[Rank::Flag], mass[Rank::Bomb]);
        let share = if stands && all > 0.0 { flag / all } else { 0.0 };
        PieceLikelihood { bomb, other: all - flag - bomb, flag: share }
    }

    /// The likelihood relative to what is expected of the place when nothing is known.
    fn against(self, unknown: PieceLikelihood) -> PieceLikelihood {
        PieceLikelihood { bomb: self.bomb / unknown.bomb, other: self.other / unknown.other, flag: self.flag }
    }
}

/// What a flag on a place would say of its neighbours.
struct Flag {
    /// How much better the likelihoods agree with a flag there than with none.
    factor: f32,
    /// Chance that each neighbour is a bomb, were the flag there.
    bombs: [f32; 4],
}

/// The place on that side of a place, if it is one of a setup.
fn neighbour(place: usize, side: usize) -> Option<usize> {
    let (row, file) = ((place / 10) as isize, (place % 10) as isize);
    let (rows, files) = NEIGHBOURS[side];
    let (row, file) = (row + rows, file + if file < 5 { files } else { -files });
    ((0..4).contains(&row) && (0..10).contains(&file)).then_some((row * 10 + file) as usize)
}

fn flag_on(place: usize, likelihoods: &[PieceLikelihood; PLACES]) -> Flag {
    let neighbours: [Option<usize>; 4] = std::array::from_fn(|side| neighbour(place, side));
    let patterns = &PATTERN[place / 10 * 5 + (place % 10).min(9 - place % 10)];
    let closed = (0..4).filter(|&side| neighbours[side].is_some()).map(|side| 1 << side).sum::<usize>();
    let mut agrees = 0.0;
    let mut bombs = [0.0; 4];
    for (pattern, &share) in patterns.iter().enumerate().filter(|&(pattern, _)| pattern & !closed == 0) {
        let extra = if pattern == closed { params::closed_flags() } else { 0.0 };
        let mut chance = (f32::from(share) / BLIND + extra) / (1.0 + params::closed_flags());
        for (side, place) in neighbours.iter().enumerate() {
            if let Some(place) = *place {
                chance *=
                    if pattern >> side & 1 == 1 { likelihoods[place].bomb } else { likelihoods[place].other };
            }
        }
        agrees += chance;
        for side in (0..4).filter(|side| pattern >> side & 1 == 1) {
            bombs[side] += chance;
        }
    }
    let expected: f32 =
        neighbours.iter().flatten().map(|&place| evidence(place, &likelihoods[place])).product();
    Flag { factor: ratio(agrees, expected), bombs: bombs.map(|bomb| ratio(bomb, agrees)) }
}

/// How well the likelihoods of a place agree with no flag being near.
fn evidence(place: usize, likelihoods: &PieceLikelihood) -> f32 {
    let share = bomb_share(place);
    share * likelihoods.bomb + (1.0 - share) * likelihoods.other
}

fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

fn advice(known: &[Option<PieceLikelihood>; PLACES]) -> [Advice; PLACES] {
    let likelihoods: [PieceLikelihood; PLACES] = std::array::from_fn(|place| {
        known[place].map_or(PieceLikelihood { bomb: 1.0, other: 1.0, flag: 0.0 }, |likelihoods| {
            likelihoods.against(PieceLikelihood::unknown(place, &Army::CLASSIC))
        })
    });
    let flags: [Flag; PLACES] = std::array::from_fn(|place| flag_on(place, &likelihoods));
    let total: f32 = (0..PLACES).map(|place| likelihoods[place].flag * flags[place].factor).sum();
    let mut advice = [NONE; PLACES];
    for (place, flag) in flags.iter().enumerate() {
        advice[place].flag = flag.factor;
        let chance = ratio(likelihoods[place].flag * flag.factor, total).min(1.0);
        for (side, &bomb) in flag.bombs.iter().enumerate() {
            let Some(beside) = neighbour(place, side) else { continue };
            let plain =
                ratio(bomb_share(beside) * likelihoods[beside].bomb, evidence(beside, &likelihoods[beside]));
            if plain > 0.0 && plain < 1.0 {
                advice[beside].bomb += chance * (bomb / plain - 1.0);
                advice[beside].other += chance * ((1.0 - bomb) / (1.0 - plain) - 1.0);
            }
        }
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::tests::opening;
    use crate::rules::RankSet;

    /// The weights of Blue's pieces before and after, when the one that began on a place is one of `ranks`.
    fn weighed(place: usize, ranks: RankSet) -> (Vec<ByRank<f32>>, Vec<ByRank<f32>>) {
        let mut pieces = opening().hidden_army();
        let before: Vec<ByRank<f32>> = pieces.iter().map(|(id, _)| square_weights(id.number())).collect();
        pieces.narrow(place, ranks);
        let mut after = before.clone();
        weigh(&pieces, &mut after);
        (before, after)
    }

    #[test]
    fn at_the_opening_nothing_changes() {
        let (before, after) = weighed(0, RankSet::ALL);
        for (before, after) in before.iter().zip(&after) {
            // Only proportions count.
            let ratio = after[Rank::Flag] / before[Rank::Flag];
            for (before, after) in before.values().zip(after.values()) {
                assert!((after / before / ratio - 1.0).abs() < 1e-3, "{before} {after}");
            }
        }
    }

    /// Blue's e7 (place 35) is mobile, so that the piece behind it is open.
    #[test]
    fn a_piece_whose_neighbour_is_mobile_is_hardly_the_flag() {
        let mobile = RankSet::ALL.without(RankSet::only(Rank::Flag)).without(RankSet::only(Rank::Bomb));
        let (before, after) = weighed(35, mobile);
        let gain = |place: usize| after[place][Rank::Flag] / before[place][Rank::Flag];
        assert!(gain(25) < 0.5 * gain(0), "{} {}", gain(25), gain(0));
        assert!(gain(24) > 0.8 * gain(0), "{} {}", gain(24), gain(0));
    }

    #[test]
    fn patterns_are_shares() {
        for row in PATTERN {
            let sum: u32 = row.iter().map(|&share| u32::from(share)).sum();
            assert!(sum.abs_diff(10_000) <= 16, "{sum}");
        }
    }

    /// A bomb known on the back row makes its neighbours likelier flags, and the piece in front of those a bomb.
    #[test]
    fn a_bomb_speaks_for_a_flag_beside_it() {
        let (before, after) = weighed(2, RankSet::only(Rank::Bomb));
        let gain = |place: usize, rank: Rank| after[place][rank] / before[place][rank];
        assert!(gain(3, Rank::Flag) > 1.2 && gain(8, Rank::Flag) < 1.05);
        assert!(gain(13, Rank::Bomb) > 1.02 && gain(13, Rank::Scout) < 1.0);
    }
}
