//! The behaviour features that distinguish ranks: yes-or-no questions about what a piece has been seen to do.

use crate::rules::{Piece, PieceId, Rank};
use crate::view::behaviour::{ByKind, Snapshot};
use crate::view::move_features::Kind;
use crate::view::move_features::MoveFeatures;

/// For each feature and [`Rank::index`], how much it speaks for the rank, in 1/100 nat.
pub type TypeTable = [[i16; Rank::COUNT]; FEATURES];

/// Steps of counts: a feature holds from each on.
const MOVES: [u16; 7] = [1, 2, 4, 8, 16, 32, 64];
const STEPS: [u8; 4] = [1, 2, 4, 8];
const TURNS: [u8; 3] = [1, 4, 12];
const IDLE: [u32; 3] = [4, 16, 64];
const FREE: [u8; 4] = [4, 16, 48, 120];
const ROWS: [u8; 3] = [4, 6, 8];
const OFTEN: [u8; 3] = [1, 2, 4];
const NEAR: [u8; 3] = [1, 3, 6];
const TWICE: [u8; 2] = [1, 2];
const LONG: [u8; 2] = [1, 3];
/// Pieces of a side that have moved, where a band of them ends.
const MOVERS: [u8; 5] = [2, 5, 9, 14, 20];
const START_ROWS: usize = 4;
/// Squares of half a setup: the other half is its mirror image.
const START_SQUARES: usize = 20;

/// One family of features: what it is about, and how many it has.
struct Family {
    name: &'static str,
    size: usize,
}

const fn family(name: &'static str, size: usize) -> Family {
    Family { name, size }
}

/// All families, in the order of the table.
const FAMILIES: [Family; 23] = [
    family("start square", START_SQUARES),
    family("moves", MOVES.len()),
    family("forward", STEPS.len()),
    family("sideways", TURNS.len()),
    family("back", TURNS.len()),
    family("reversals", TURNS.len()),
    family("idle", IDLE.len()),
    family("order by start row", (MOVERS.len() + 1) * START_ROWS),
    family("still, by movers and start row", (MOVERS.len() + 1) * START_ROWS),
    family("free and still, by start row", FREE.len() * START_ROWS),
    family("row", ROWS.len() + 1),
    family("still among still", 5),
    family("met", OFTEN.len() * Kind::COUNT),
    family("towards", NEAR.len() * Kind::COUNT),
    family("fled", OFTEN.len() * Kind::COUNT),
    family("avenged", TWICE.len() * Kind::COUNT),
    family("stood", 2 * LONG.len() * Kind::COUNT),
    family("beside", 2 * LONG.len() * Kind::COUNT),
    family("came back", 1),
    family("last towards", Kind::COUNT),
    family("last met", Kind::COUNT),
    family("last fled", Kind::COUNT),
    family("last guarded", Kind::COUNT),
];

/// How many features there are.
pub const FEATURES: usize = first(FAMILIES.len());

/// The first feature of a family.
const fn first(family: usize) -> usize {
    let (mut sum, mut index) = (0, 0);
    while index < family {
        sum += FAMILIES[index].size;
        index += 1;
    }
    sum
}

/// What a feature is about.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct FeatureName {
    /// The family: what is looked at.
    pub family: &'static str,
    /// Which of its features it is, from 0.
    pub number: usize,
}

/// The name of a feature below [`FEATURES`].
pub fn name(feature: usize) -> FeatureName {
    let mut left = feature;
    for family in &FAMILIES {
        if left < family.size {
            return FeatureName { family: family.name, number: left };
        }
        left -= family.size;
    }
    FeatureName { family: "none", number: left }
}

/// Collects the features of one piece, family by family.
struct Collector<'a> {
    found: &'a mut Vec<u16>,
    family: usize,
}

impl Collector<'_> {
    /// One family: those of its features that hold.
    fn add(&mut self, holding: impl IntoIterator<Item = usize>) {
        let base = first(self.family);
        self.found.extend(holding.into_iter().map(|feature| (base + feature) as u16));
        self.family += 1;
    }

    fn counts<T: PartialOrd + Copy>(&mut self, count: T, steps: &[T]) {
        self.add((0..steps.len()).filter(|&step| count >= steps[step]));
    }

    fn kinds(&mut self, counts: &ByKind, steps: &[u8], half: usize) {
        let base = half * steps.len() * Kind::COUNT;
        self.add((0..Kind::COUNT).flat_map(|kind| {
            let holding = (0..steps.len()).filter(move |&step| counts[kind] >= steps[step]);
            holding.map(move |step| base + kind * steps.len() + step)
        }));
    }
}

/// Appends the features that hold for a piece.
pub fn features(snapshot: &Snapshot, found: &mut Vec<u16>) {
    let Snapshot { id, piece, behaviour, .. } = snapshot;
    let mut features = Collector { found, family: 0 };
    let place = piece.start.and_then(|square| square.setup_place(id.side()));
    let start_row = place.map(|place| place / 10);
    let still = !piece.moved && piece.is_alive();
    features.add(place.map(|place| place / 10 * 5 + (place % 10).min(9 - place % 10)));
    features.counts(behaviour.moves, &MOVES);
    features.counts(behaviour.forward, &STEPS);
    features.counts(behaviour.sideways, &TURNS);
    features.counts(behaviour.back, &TURNS);
    features.counts(behaviour.reversals, &TURNS);
    let idle = if behaviour.moves > 0 { snapshot.ply.saturating_sub(behaviour.last_ply) / 2 } else { 0 };
    features.counts(idle, &IDLE);
    let by_row = |band: usize| start_row.map(|row| band * START_ROWS + row);
    let ordered = (behaviour.order > 0).then(|| by_row(band(behaviour.order.saturating_sub(1)))).flatten();
    features.add(ordered);
    features.add(by_row(band(snapshot.movers)).filter(|_| still));
    let free = if still { behaviour.free } else { 0 };
    let holding = (0..FREE.len()).filter(|&step| free >= FREE[step]);
    features.add(holding.filter_map(by_row));
    features.add(rows(*id, piece));
    features.add(still.then(|| usize::from(snapshot.still_neighbours.min(4))));
    features.kinds(&behaviour.met, &OFTEN, 0);
    features.kinds(&behaviour.towards, &NEAR, 0);
    features.kinds(&behaviour.fled, &OFTEN, 0);
    features.kinds(&behaviour.avenged, &TWICE, 0);
    features.kinds(&behaviour.stood, &LONG, usize::from(still));
    features.kinds(&behaviour.beside, &LONG, usize::from(still));
    features.add(id.came_back().then_some(0));
    let MoveFeatures { towards, met, fled, guarded } = behaviour.last_move;
    for kinds in [towards, met, fled, guarded] {
        features.add(kinds.iter().map(|kind| kind as usize));
    }
}

fn band(movers: u8) -> usize {
    MOVERS.partition_point(|&end| end <= movers)
}

/// How far a piece that has moved is from home.
fn rows(id: PieceId, piece: &Piece) -> impl Iterator<Item = usize> {
    let row = piece.square.filter(|_| piece.moved).map(|square| square.row_from(id.side()));
    let reached = (0..ROWS.len()).filter(move |&step| row.is_some_and(|row| row >= ROWS[step]));
    reached.chain(row.filter(|&row| row <= 1).map(|_| ROWS.len()))
}
