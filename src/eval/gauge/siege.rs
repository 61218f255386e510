//! Who may get at our flag, and whether we can be there in time.
//!
//! Four of five games that a flag decided were decided by a miner that took the bomb beside it, mostly with pieces of the
//! loser's near enough to have stopped it (`docs/experiments.md`). A race is seen here long before the search sees its end.

use super::{Gauge, PIECES};
use crate::belief::Belief;
use crate::eval::ways::FARTHEST;
use crate::rules::{Position, Rank, RankSet, Square};
use crate::view::View;

/// What a lost race for our flag costs, were it sure.
const LOST: f32 = 1200.0;
/// Share of that while the enemy has no idea where our flag stands.
const UNAWARE: f32 = 0.4;
/// Chances below this are left out.
const UNLIKELY: f32 = 0.03;
/// What is left of a danger with each step that it is away.
const FADE: f32 = 0.88;
/// By how many steps our nearest defender comes late, from two in hand to two late or more: what is left of the danger.
const LATE: [f32; 5] = [0.06, 0.12, 0.25, 0.7, 1.0];

/// Our flag's surroundings, at the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Siege {
    /// The squares beside our flag.
    ring: Vec<Square>,
    /// The numbers of our pieces that can stop a miner.
    defenders: u64,
    /// What a lost race costs, as far as the enemy knows where to go.
    cost: f32,
    /// Danger by the enemy's steps to the ring and by how late we come.
    table: Vec<[f32; LATE.len()]>,
}

impl Siege {
    pub(super) fn new(view: &View) -> Siege {
        let (position, us) = (view.position(), view.viewer());
        let flag = position.pieces(us).find(|(_, piece)| piece.ranks == RankSet::only(Rank::Flag));
        let Some((flag, square)) = flag.and_then(|(id, piece)| Some((id, piece.square?))) else {
            return Siege::default();
        };
        let aware = Belief::of_ours(view).chances(flag).map_or(1.0, |chances| chances[Rank::Flag.index()]);
        let stops = |rank: Rank| rank.is_mobile() && rank >= Rank::Miner;
        let defenders = position.pieces(us).filter(|(_, piece)| piece.ranks.single().is_some_and(stops));
        let row = |steps: i32| LATE.map(|late| FADE.powi(steps - 1) * late);
        Siege {
            ring: square.neighbours().collect(),
            defenders: defenders.fold(0, |set, (id, _)| set | 1 << id.number()),
            cost: LOST * (UNAWARE + (1.0 - UNAWARE) * aware),
            table: (0..=FARTHEST as i32).map(row).collect(),
        }
    }
}

impl Gauge {
    /// What may become of our flag.
    pub(super) fn siege(&self, position: &Position) -> f32 {
        let mut worst = [0.0f32; PIECES];
        for &square in &self.siege.ring {
            let (closed, inside) = self.gate(position, square);
            let near = if inside { 0 } else { self.field.nearest(self.siege.defenders, square, &self.ways.ours) };
            self.field.each_mover(|number, from| {
                let row = self.rows.of(number);
                let chance = if closed { row.exact[Rank::Miner.index()] } else { row.mobile };
                if chance >= UNLIKELY {
                    let steps = self.ways.theirs[square.index()][from];
                    let late = (i32::from(near) - i32::from(steps)).clamp(-2, 2) + 2;
                    let danger = chance * self.siege.table[usize::from(steps)][late as usize];
                    worst[number] = worst[number].max(danger);
                }
            });
        }
        self.siege.cost * worst.iter().sum::<f32>().min(1.0)
    }

    /// Of a square beside our flag: whether only a miner gets through, and whether a piece of ours that can strike stands there.
    fn gate(&self, position: &Position, square: Square) -> (bool, bool) {
        let ours = position.piece_at(square).filter(|id| id.side() as usize == self.us as usize);
        let rank = ours.and_then(|id| position.piece(id).ranks.single());
        (rank == Some(Rank::Bomb), rank.is_some_and(Rank::is_mobile))
    }
}

