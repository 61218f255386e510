//! Who may get at our flag, and whether we can be there in time.
//!
//! Four of five games that a flag decided were decided by a miner that took the bomb beside it, mostly with pieces of the
//! loser's near enough to have stopped it (`docs/experiments.md`). A race is seen here long before the search sees its end.

use super::Gauge;
use crate::belief::Belief;
use crate::eval::ways::{FARTHEST, Ways};
use crate::math;
use crate::rules::{BySquare, Position, Rank, RankSet, Square, SquareSet};
use crate::view::View;

/// What a lost race for our flag costs, were it sure. Matches settled this and [`FADE`], and confirmed the guesses that the other
/// constants are, all together: `docs/experiments.md`.
const LOST: f32 = 1200.0;
/// Share of that while the enemy has no idea where our flag stands.
const UNAWARE: f32 = 0.4;
/// Chances below this are left out.
const UNLIKELY: f32 = 0.03;
/// Who is farther away than this is no danger yet.
const FAR: u8 = 7;
/// What is left of a danger with each step that it is away.
const FADE: f32 = 0.88;
/// By how many steps our nearest defender comes late, from two in hand to two late or more: what is left of the danger.
const LATE: [f32; 5] = [0.06, 0.12, 0.25, 0.7, 1.0];

/// Our flag's surroundings, at the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Siege {
    /// The squares beside our flag.
    ring: Vec<Square>,
    /// The squares that are not far from any of these for the enemy.
    zone: SquareSet,
    /// The numbers of our pieces that can stop a miner.
    defenders: u64,
    /// What a lost race costs, as far as the enemy knows where to go.
    cost: f32,
    /// Danger by the enemy's steps to the ring and by how late we come.
    table: Fading,
}

impl Siege {
    /// `about_us` is what the enemy believes of our pieces.
    pub(super) fn new(view: &View, about_us: &Belief, ways: &Ways) -> Siege {
        let (position, us) = (view.position(), view.viewer());
        let flag = position.pieces(us).find(|(_, piece)| piece.ranks == RankSet::only(Rank::Flag));
        let Some((flag, square)) = flag.and_then(|(id, piece)| Some((id, piece.square?))) else {
            return Siege::default();
        };
        let aware = about_us.chances(flag).map_or(1.0, |chances| chances[Rank::Flag.index()]);
        let stops = |rank: Rank| rank.is_mobile() && rank >= Rank::Miner;
        let defenders = position.pieces(us).filter(|(_, piece)| piece.ranks.single().is_some_and(stops));
        let ring: Vec<_> = square.neighbours().collect();
        let near = |&from: &Square| ring.iter().any(|&gate| ways.theirs[gate][from] <= FAR);
        Siege {
            zone: Square::all().filter(near).collect(),
            ring,
            defenders: defenders.fold(0, |set, (id, _)| set | 1 << id.number()),
            cost: LOST * (UNAWARE + (1.0 - UNAWARE) * aware),
            table: fading(FADE),
        }
    }
}

/// A square beside our flag.
#[derive(Copy, Clone)]
struct Gate<'a> {
    /// A bomb of ours stands there: only a miner gets through.
    closed: bool,
    /// Steps there for our nearest defender; none where one stands.
    near: u8,
    /// Steps there for the enemy, by where it comes from.
    steps: &'a BySquare<u8>,
}

impl Gauge {
    /// What may become of our flag.
    pub(crate) fn siege(&self, position: &Position) -> f32 {
        let gates: [_; 4] =
            std::array::from_fn(|place| Some(self.gate(position, *self.siege.ring.get(place)?)));
        let gates = || gates.iter().flatten();
        let all_closed = gates().all(|gate| gate.closed);
        let (miners, movers) = (self.rows.miners(), self.rows.movers());
        let mut sum = 0.0;
        self.field.each_mover(|number, from| {
            if !self.siege.zone.contains(from) {
                return;
            }
            let (miner, mover) = (miners[number], movers[number]);
            if miner < UNLIKELY && (all_closed || mover < UNLIKELY) {
                return;
            }
            let danger = |gate: &Gate<'_>| {
                let steps = gate.steps[from];
                let chance = if gate.closed { miner } else { mover };
                chance * self.siege.table[usize::from(steps).min(FARTHEST)][lateness(gate.near, steps)]
            };
            sum += gates().map(danger).fold(0.0, f32::max);
        });
        self.siege.cost * sum.min(1.0)
    }

    fn gate(&self, position: &Position, square: Square) -> Gate<'_> {
        let ours = position.piece_at(square).filter(|id| id.side() == self.us);
        let rank = ours.and_then(|id| position.piece(id).ranks.single());
        let inside = rank.is_some_and(Rank::is_mobile);
        let near = if inside { 0 } else { self.field.nearest(self.siege.defenders, square, &self.ways.ours) };
        Gate { closed: rank == Some(Rank::Bomb), near, steps: &self.ways.theirs[square] }
    }
}

/// What is left of a race, by its steps and by [`lateness`].
pub(super) type Fading = [[f32; LATE.len()]; FARTHEST + 1];

/// A race of which each step leaves the share `fade`.
pub(super) fn fading(fade: f32) -> Fading {
    std::array::from_fn(|steps| {
        let left = math::powi(fade, steps as i32 - 1);
        LATE.map(|late| left * late)
    })
}

/// Index into [`LATE`] of a defender that is `near` steps away from where the enemy is in `steps`.
pub(super) fn lateness(near: u8, steps: u8) -> usize {
    ((i32::from(near) - i32::from(steps)).clamp(-2, 2) + 2) as usize
}
