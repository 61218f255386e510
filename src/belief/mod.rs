//! What the hidden pieces may be.

use crate::dice::Dice;
use crate::rules::{PieceId, Rank};
use crate::view::View;

/// Chances of one piece by [`Rank::index`]; they sum to one.
pub type Chances = [f32; Rank::COUNT];

/// A belief about one side's pieces.
#[derive(Clone, Debug)]
pub struct Belief {
    chances: Vec<(PieceId, Chances)>,
}

/// One consistent assignment of ranks to that side's pieces. Only a belief can make one.
#[derive(Clone, Debug)]
pub struct World {
    ranks: Vec<(PieceId, Rank)>,
}

impl World {
    /// The rank of each piece of the side, living and dead.
    pub fn ranks(&self) -> &[(PieceId, Rank)] {
        &self.ranks
    }
}

impl Belief {
    /// What `view`'s player may think of the enemy's pieces.
    pub fn of_enemies(view: &View) -> Belief {
        Belief { chances: view.enemies().map(|(id, piece)| (id, uniform(piece.ranks))).collect() }
    }

    /// What the enemy may think of `view`'s player's pieces.
    pub fn of_ours(view: &View) -> Belief {
        Belief { chances: view.ours_as_learned().map(|(id, piece)| (id, uniform(piece.ranks))).collect() }
    }

    /// Every piece of the side, living and dead, with its chances.
    pub fn pieces(&self) -> &[(PieceId, Chances)] {
        &self.chances
    }

    /// The chances of one piece.
    pub fn chances(&self, id: PieceId) -> Option<&Chances> {
        self.chances.iter().find(|(other, _)| *other == id).map(|(_, chances)| chances)
    }

    /// Consistent worlds drawn from the joint.
    pub fn sample(&self, _count: usize, _dice: &mut Dice) -> Vec<World> {
        Vec::new()
    }
}

fn uniform(ranks: crate::rules::RankSet) -> Chances {
    std::array::from_fn(|i| if ranks.contains(Rank::ALL[i]) { 1.0 / ranks.len() as f32 } else { 0.0 })
}

/// Chances in parts per million that sum to exactly 1,000,000; a possible rank is never 0.
pub fn parts_per_million(chances: &Chances) -> [u32; Rank::COUNT] {
    let mut parts = chances.map(|chance| if chance > 0.0 { ((chance * 1e6) as u32).max(1) } else { 0 });
    let likeliest = (0..Rank::COUNT).max_by_key(|&rank| parts[rank]).unwrap_or(0);
    let others: u32 = (0..Rank::COUNT).filter(|&rank| rank != likeliest).map(|rank| parts[rank]).sum();
    parts[likeliest] = 1_000_000 - others;
    parts
}
