//! What stands beside what, and what has just come or gone.
//!
//! What follows from the ranks of two neighbours takes a convolution layers. So what of either side is threatened or
//! protected is encoded, by what is known and by chance, and the last 32 plies as trails that fade, beside eight plies
//! one by one. Published players far above human level see such planes, too (docs/log/learning.md, "Encoding 2").

use crate::planes::{Board, Plane, byte};
use outflank::belief::RankProbabilities;
use outflank::rules::{
    BySide, Outcome, Played, Position, Rank, SQUARES, Side, Square, SquareSet, StrikeRules, defenders,
};

/// Plies that trails, approaches and evasions remember.
const MEMORY: usize = 32;

/// What is left of a mark after so many plies, in 1/255: a fourteenth less with each, a tenth after 32.
const FADED: [u8; MEMORY] = faded();

const fn faded() -> [u8; MEMORY] {
    let mut table = [255; MEMORY];
    let mut age = 1;
    while age < MEMORY {
        table[age] = (table[age - 1] as u32 * 93 / 100) as u8;
        age += 1;
    }
    table
}

/// The ranks of the enemy's pieces by square, as chances.
pub(crate) type Chances = [Option<RankProbabilities>; SQUARES];

impl Board<'_> {
    /// Fills in these planes. `enemies` tells what the enemy's pieces may be, by facts and counts.
    pub(crate) fn surroundings(&mut self, position: &Position, enemies: &Chances) {
        self.contacts(position, enemies);
        self.strengths(position, enemies);
        self.past_plies(position);
    }

    /// Our pieces beside enemies and theirs beside ours: the best chance of a strike, a tie counting half.
    fn contacts(&mut self, position: &Position, enemies: &Chances) {
        let (us, strike_rules) = (self.viewer, position.rules().strike_rules());
        for square in position.occupied(us) & position.occupied(us.enemy()).neighbours() {
            let Some(rank) = rank_on(position, square) else { continue };
            let mut threat: f32 = 0.0;
            for beside in square.neighbours() {
                let Some(chances) = &enemies[beside.index()] else { continue };
                threat = threat.max(chance_to_take(chances, rank, strike_rules));
                if rank.is_mobile() {
                    let chance = chance_of(rank, chances, strike_rules);
                    self.raise(Plane::EnemyThreatened, beside, chance);
                }
            }
            self.raise(Plane::OurThreatened, square, threat);
        }
    }

    /// How strong the strongest mobile piece beside a piece of the same side is: what could retake.
    fn strengths(&mut self, position: &Position, enemies: &Chances) {
        let us = self.viewer;
        for square in position.occupied(us) {
            let strengths = square.neighbours().filter(|&beside| is_of(position, beside, us));
            let strengths = strengths.filter_map(|beside| rank_on(position, beside)).map(strength);
            self.raise(Plane::OurProtected, square, strengths.fold(0.0, f32::max));
        }
        for square in position.occupied(us.enemy()) {
            let chances = square.neighbours().filter_map(|beside| enemies[beside.index()].as_ref());
            let expected = chances
                .map(|chances| chances.iter().map(|(rank, chance)| chance * strength(rank)).sum::<f32>());
            self.raise(Plane::EnemyProtected, square, expected.fold(0.0, f32::max));
        }
    }

    /// Trails of both sides, and who came beside an enemy or away from all: shown where those pieces stand now.
    fn past_plies(&mut self, position: &Position) {
        let mut past = Past::new(position);
        for (&faded, &played) in FADED.iter().zip(position.history().rev()) {
            let [trails, approaches, evasions] = if past.mover == self.viewer {
                [Plane::OurTrails, Plane::OurApproaches, Plane::OurEvasions]
            } else {
                [Plane::EnemyTrails, Plane::EnemyApproaches, Plane::EnemyEvasions]
            };
            for square in [played.action.from, played.action.to] {
                self.raise_byte(trails, square, faded);
            }
            let Step { stands, before, after } = past.take_back(played);
            let Some(stands) = stands else { continue };
            if !(after - before).is_empty() {
                self.raise_byte(approaches, stands, faded);
            }
            if after.is_empty() && !before.is_empty() {
                self.raise_byte(evasions, stands, faded);
            }
        }
    }

    fn raise(&mut self, plane: Plane, square: Square, chance: f32) {
        if chance > 0.0 {
            self.raise_byte(plane, square, byte(chance));
        }
    }

    /// Sets a byte unless a greater one stands there.
    fn raise_byte(&mut self, plane: Plane, square: Square, value: u8) {
        if self.get(plane, square) < value {
            self.set(plane, 0, square, value);
        }
    }
}

/// Our rank on a square.
fn rank_on(position: &Position, square: Square) -> Option<Rank> {
    position.piece(position.piece_at(square)?).ranks.single()
}

fn is_of(position: &Position, square: Square, side: Side) -> bool {
    position.piece_at(square).is_some_and(|id| id.side() == side)
}

/// A mobile rank among the mobile ones, from nearly 0 to 1; an immobile one has no strength.
fn strength(rank: Rank) -> f32 {
    if rank.is_mobile() { rank.index() as f32 / Rank::Marshal.index() as f32 } else { 0.0 }
}

/// The chance that `striker` takes a piece of these ranks; a tie counts half.
fn chance_of(striker: Rank, chances: &RankProbabilities, strike_rules: StrikeRules) -> f32 {
    let sum = |outcome: Outcome| -> f32 {
        defenders(striker, outcome, strike_rules).iter().map(|rank| chances[rank]).sum()
    };
    sum(Outcome::Win) + sum(Outcome::Tie) / 2.0
}

/// The chance that a piece of these ranks takes `defender`; a tie counts half.
fn chance_to_take(chances: &RankProbabilities, defender: Rank, strike_rules: StrikeRules) -> f32 {
    let strikers = chances.iter().filter(|(rank, chance)| rank.is_mobile() && **chance > 0.0);
    let one = |outcome, rank| f32::from(u8::from(defenders(rank, outcome, strike_rules).contains(defender)));
    strikers.map(|(rank, chance)| chance * (one(Outcome::Win, rank) + one(Outcome::Tie, rank) / 2.0)).sum()
}

/// The board as the plies are taken back, by sides alone.
struct Past {
    /// Who made the last ply that has not been taken back.
    mover: Side,
    occupied: BySide<SquareSet>,
    /// Where a piece on this square stands in the end; none if it has fallen.
    ends: [Option<Square>; SQUARES],
}

/// A ply that has been taken back.
struct Step {
    /// Where the piece that moved stands in the end; none if it has fallen.
    stands: Option<Square>,
    /// The enemies beside it before and after.
    before: SquareSet,
    after: SquareSet,
}

impl Past {
    fn new(position: &Position) -> Past {
        let occupied = BySide::from_fn(|side| position.occupied(side));
        let mut ends = [None; SQUARES];
        for square in occupied[Side::Red] | occupied[Side::Blue] {
            ends[square.index()] = Some(square);
        }
        Past { mover: position.to_move().enemy(), occupied, ends }
    }

    fn take_back(&mut self, Played { action, verdict }: Played) -> Step {
        let (from, to) = (SquareSet::only(action.from), SquareSet::only(action.to));
        let [us, them] = [self.mover, self.mover.enemy()];
        if let Some(rescue) = action.rescue {
            self.occupied[us] -= SquareSet::only(rescue.square);
            self.ends[rescue.square.index()] = None;
        }
        let after = to.neighbours() & self.occupied[them];
        let here = self.ends[action.to.index()];
        let outcome = verdict.map(|verdict| verdict.outcome);
        let (stands, victim) = match outcome {
            None | Some(Outcome::Win) => (here, None),
            // Under `advance` a winner moves onto the striker's square.
            Some(Outcome::Loss) if self.occupied[them].meets(from) => (None, self.ends[action.from.index()]),
            Some(Outcome::Loss) => (None, here),
            Some(Outcome::Tie) => (None, None),
        };
        self.ends[action.from.index()] = stands;
        self.ends[action.to.index()] = victim;
        self.occupied[us] = (self.occupied[us] - to) | from;
        if outcome.is_some() {
            self.occupied[them] = (self.occupied[them] - from) | to;
        }
        let before = from.neighbours() & self.occupied[them];
        self.mover = self.mover.enemy();
        Step { stands, before, after }
    }
}
