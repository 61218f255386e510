//! What each enemy piece means to us: the profits of striking it and of being struck by it.

use super::super::daring::Shown;
use super::super::net::quantised;
use super::super::worth::{KNOWLEDGE, SECRECY};
use super::{Gauge, PIECES};
use crate::belief::Chances;
use crate::rules::{Outcome, Piece, PieceId, Position, Rank, RankSet, Side, Square, battle, defenders};

/// What a bomb beside a flag that may be there is worth on top, for the miner and the time it takes to get past it; three
/// times as much beside one that stands there for sure, as then nothing else is left to do.
const GUARD: f32 = 100.0;
/// Share of what an enemy piece menaces that ridding us of it is worth.
const CHASE_OFF: f32 = 0.8;
/// Share of its threats that counts while an enemy piece is unknown: its owner seldom strikes blindly with it.
const VAGUE: f32 = 0.3;
/// What an enemy piece beside our flag threatens, whether it knows or not: many bots strike whatever never moved.
const ALARM: f32 = 620.0;

/// What one enemy piece means to us.
#[derive(Copy, Clone)]
pub(crate) struct Row {
    /// Expected worth.
    pub(super) worth: f32,
    /// What our knowledge of it is worth.
    pub(super) knowledge: f32,
    /// The chances of its ranks, in 1/256.
    pub(super) chances: [i16; Rank::COUNT],
    /// Whether its rank has been shown in the tree, whichever it was.
    pub(super) revealed: bool,
    /// Chance that it can move.
    pub(crate) mobile: f32,
    /// Expected profit of each of our pieces striking it.
    pub(crate) gain: [f32; PIECES],
    /// Expected profit of it striking each of our pieces, choosing to only where it dares, by what it is shown.
    pub(crate) threat: [[f32; Shown::COUNT]; PIECES],
}

/// The row of a piece that does not stand.
pub(super) const BLANK: Row = Row {
    worth: 0.0,
    knowledge: 0.0,
    chances: [0; Rank::COUNT],
    revealed: false,
    mobile: 0.0,
    gain: [0.0; PIECES],
    threat: [[0.0; Shown::COUNT]; PIECES],
};

/// Chances of a strike by one of our pieces on an enemy piece.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Odds {
    /// It takes the flag.
    pub(crate) flag: f32,
    /// It wins otherwise.
    pub(crate) win: f32,
    /// Both fall.
    pub(crate) tie: f32,
    /// It falls.
    pub(crate) loss: f32,
}

impl Gauge {
    /// Makes striking an enemy that roams among our pieces worth more by a share of what it menaces.
    pub(super) fn chase_off(&mut self, position: &Position) {
        for id in PieceId::of(self.us.enemy()) {
            let menace =
                self.field.menace(id.number(), &self.rows[id.number()], &self.ways.theirs) * CHASE_OFF;
            for (own, rank) in
                position.pieces(self.us).filter_map(|(own, piece)| Some((own, piece.ranks.single()?)))
            {
                if rank.is_mobile() {
                    let odds = self.odds(position, rank, id);
                    self.rows[id.number()].gain[own.number()] += menace * (odds.win + odds.tie);
                }
            }
            self.place(position, id);
        }
    }

    /// What standing beside a flag is worth to a bomb: the chance that each neighbour is the flag, added up.
    pub(super) fn guards(&self, position: &Position) -> [[f32; PIECES]; 2] {
        let mut guards = [[0.0; PIECES]; 2];
        for side in Side::BOTH {
            for (id, piece) in position.pieces(side) {
                let flag = match piece.ranks.single() {
                    Some(rank) => f32::from(u8::from(rank == Rank::Flag)),
                    None => self.chances[id.number()][Rank::Flag.index()],
                };
                let square = piece.square.filter(|_| flag > 0.0);
                for next in square.into_iter().flat_map(Square::neighbours) {
                    if let Some(guard) = position.piece_at(next).filter(|guard| guard.side() == side) {
                        guards[side.index()][guard.number()] += flag * (1.0 + 2.0 * flag * flag) * GUARD;
                    }
                }
            }
        }
        guards
    }

    /// The worth of a piece of either side if it has this rank.
    pub(super) fn worth(&self, id: PieceId, rank: Rank) -> f32 {
        let worths = if id.side() == self.us { &self.ours } else { &self.theirs };
        let guard = if rank == Rank::Bomb { self.guards[id.side().index()][id.number()] } else { 0.0 };
        worths[rank.index()] + guard
    }

    /// The chances of an enemy piece within its present set; they sum to one.
    pub(crate) fn conditioned(&self, position: &Position, id: PieceId) -> Chances {
        let set = position.piece(id).ranks;
        let mut chances = self.chances[id.number()];
        let mut sum = 0.0;
        for rank in Rank::ALL {
            if set.contains(rank) {
                sum += chances[rank.index()];
            } else {
                chances[rank.index()] = 0.0;
            }
        }
        if sum <= f32::EPSILON {
            // The root's belief left nothing of this set: fall back to all its ranks alike.
            let share = 1.0 / set.len().max(1) as f32;
            return std::array::from_fn(|index| if set.contains(Rank::ALL[index]) { share } else { 0.0 });
        }
        chances.map(|chance| chance / sum)
    }

    /// How a strike by our `striker` on the enemy piece would end.
    pub(crate) fn odds(&self, position: &Position, striker: Rank, id: PieceId) -> Odds {
        let chances = self.conditioned(position, id);
        let aggressor = position.rules().aggressor;
        let mass = |outcome| mass(&chances, defenders(striker, outcome, aggressor));
        let flag = chances[Rank::Flag.index()];
        Odds { flag, win: mass(Outcome::Win) - flag, tie: mass(Outcome::Tie), loss: mass(Outcome::Loss) }
    }

    /// Chance that an enemy of rank `striker` strikes our piece when it can.
    pub(crate) fn dares(&self, position: &Position, striker: Rank, ours: PieceId) -> f32 {
        self.daring.of(striker, ours.number(), Shown::of(position.piece(ours)))
    }

    /// Whether an enemy of rank `striker` would gain by striking our piece, were it to know it.
    pub(crate) fn profits(&self, striker: Rank, ours: Rank, aggressor: bool) -> bool {
        match battle(striker, ours, aggressor) {
            Outcome::Win => true,
            Outcome::Tie => self.ours[ours.index()] >= self.theirs[striker.index()],
            Outcome::Loss => false,
        }
    }

    pub(super) fn row(&self, position: &Position, id: PieceId, revealed: bool) -> Row {
        let piece = position.piece(id);
        if !piece.exists() || !piece.is_alive() {
            return BLANK;
        }
        let chances = self.conditioned(position, id);
        let certain = revealed || piece.ranks.single().is_some();
        let known: f32 = KNOWLEDGE.iter().zip(chances).map(|(worth, chance)| worth * chance).sum();
        let mut row = Row { revealed, chances: quantised(&chances), ..BLANK };
        for rank in Rank::ALL {
            let chance = chances[rank.index()];
            if rank != Rank::Flag {
                row.worth += chance * self.worth(id, rank);
            }
            row.knowledge += KNOWLEDGE[rank.index()] * if certain { chance } else { chance * chance };
        }
        row.knowledge *= self.boldness;
        row.mobile = mass(&chances, RankSet::MOBILE);
        let to_learn = (known * self.boldness - row.knowledge).max(0.0);
        for (ours, piece) in position.pieces(self.us).filter(|(_, piece)| piece.is_alive()) {
            if let Some(rank) = piece.ranks.single() {
                let exchange = Exchange { gauge: self, chances: &chances, rank, piece, enemy: id, own: ours };
                let aggressor = position.rules().aggressor;
                let told = rank == Rank::Scout || !position.rules().silent;
                let learns = if told { to_learn } else { 0.0 };
                row.gain[ours.number()] =
                    if rank.is_mobile() { exchange.gain(aggressor) + learns } else { 0.0 };
                row.threat[ours.number()] = if rank == Rank::Flag {
                    [ALARM * mass(&chances, self.openers(position, piece)); Shown::COUNT]
                } else {
                    exchange.threat(aggressor).map(|threat| threat * if certain { 1.0 } else { VAGUE })
                };
            }
        }
        row
    }

    /// Fills in what a piece of ours that came back means to each enemy piece, and they to it. What was there before
    /// need not be kept: only pieces on the board are asked for it.
    pub(super) fn meet(&mut self, position: &Position, own: PieceId) {
        let piece = position.piece(own);
        let Some(rank) = piece.ranks.single() else { return };
        for (id, _) in position.pieces(self.us.enemy()).filter(|(_, piece)| piece.is_alive()) {
            let chances = self.conditioned(position, id);
            let exchange = Exchange { gauge: self, chances: &chances, rank, piece, enemy: id, own };
            let aggressor = position.rules().aggressor;
            let (gain, threat) = (exchange.gain(aggressor), exchange.threat(aggressor));
            let row = &mut self.rows[id.number()];
            let certain = row.revealed || position.piece(id).ranks.single().is_some();
            row.gain[own.number()] = gain;
            row.threat[own.number()] = threat.map(|threat| threat * if certain { 1.0 } else { VAGUE });
        }
    }

    /// The enemy ranks that can get at our flag: only miners while bombs stand all around it.
    fn openers(&self, position: &Position, flag: &Piece) -> RankSet {
        let bomb = |square| {
            position.piece_at(square).is_some_and(|id| {
                id.side() == self.us && position.piece(id).ranks == RankSet::only(Rank::Bomb)
            })
        };
        let closed = flag.square.is_some_and(|square| square.neighbours().all(bomb));
        if closed { RankSet::only(Rank::Miner) } else { RankSet::MOBILE }
    }
}

/// One of our pieces against one of theirs.
struct Exchange<'a> {
    gauge: &'a Gauge,
    chances: &'a Chances,
    rank: Rank,
    piece: &'a Piece,
    enemy: PieceId,
    own: PieceId,
}

impl Exchange<'_> {
    /// What we can expect of striking.
    fn gain(&self, aggressor: bool) -> f32 {
        let ours = self.gauge.ours[self.rank.index()];
        let hidden = secrecy(self.piece, self.rank);
        let mut gain = -hidden;
        for rank in Rank::ALL {
            let theirs = self.gauge.worth(self.enemy, rank);
            gain += self.chances[rank.index()]
                * match battle(self.rank, rank, aggressor) {
                    Outcome::Win => theirs,
                    Outcome::Tie => theirs - ours + self.gauge.lead * (theirs + ours),
                    Outcome::Loss => -ours,
                };
        }
        gain
    }

    /// What the enemy can expect of striking, doing it only with ranks that profit.
    fn threat(&self, aggressor: bool) -> [f32; Shown::COUNT] {
        let ours = self.gauge.worth(self.own, self.rank);
        let mut threat = [0.0; Shown::COUNT];
        for rank in RankSet::MOBILE.iter() {
            let profit = match battle(rank, self.rank, aggressor) {
                Outcome::Win => ours,
                Outcome::Tie => ours - self.gauge.theirs[rank.index()],
                Outcome::Loss => 0.0,
            };
            let expected = self.chances[rank.index()] * profit.max(0.0);
            for shown in Shown::ALL {
                threat[shown as usize] += expected * self.gauge.daring.of(rank, self.own.number(), shown);
            }
        }
        threat
    }
}

/// What is left to hide of one of our pieces.
pub(super) fn secrecy(piece: &Piece, rank: Rank) -> f32 {
    if piece.learned.single().is_some() {
        return 0.0;
    }
    // A piece that has moved is at least no bomb: part of the secret is out.
    SECRECY[rank.index()] * if piece.moved { 0.75 } else { 1.0 }
}

/// The chances of all the ranks of a set together.
pub(crate) fn mass(chances: &Chances, set: RankSet) -> f32 {
    set.iter().map(|rank| chances[rank.index()]).sum()
}
