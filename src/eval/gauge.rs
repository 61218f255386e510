//! The evaluation that the search asks at its leaves.
//!
//! For our player only. Own ranks are known; each enemy piece has chances, fixed at the root and conditioned in
//! the tree by cutting them down to the set of ranks the tree's position still allows. What each of our pieces
//! could win from each enemy piece, and the other way round, is kept in a row per enemy piece; a ply of the tree
//! recomputes at most two rows, and going back restores them.

use super::worth::{self, KNOWLEDGE, SECRECY, Worths};
use crate::belief::{Belief, Chances};
use crate::rules::{
    Outcome, Piece, PieceId, Position, Rank, RankSet, SQUARES, Side, Square, battle, defenders,
};
use crate::view::View;

const PIECES: usize = PieceId::PER_SIDE;

/// What one enemy piece means to us.
#[derive(Copy, Clone)]
pub(crate) struct Row {
    /// Expected worth.
    worth: f32,
    /// What our knowledge of it is worth.
    knowledge: f32,
    /// Whether its rank has been shown in the tree, whichever it was.
    revealed: bool,
    /// Chance that it can move.
    pub(crate) mobile: f32,
    /// Expected profit of each of our pieces striking it.
    pub(crate) gain: [f32; PIECES],
    /// Expected profit of it striking each of our pieces, choosing to only where it profits.
    pub(crate) threat: [f32; PIECES],
}

const BLANK: Row = Row {
    worth: 0.0,
    knowledge: 0.0,
    revealed: false,
    mobile: 0.0,
    gain: [0.0; PIECES],
    threat: [0.0; PIECES],
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

/// The parts an evaluation adds up, in the unit of [`worth`].
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) material: f32,
    pub(crate) secrecy: f32,
    pub(crate) knowledge: f32,
    pub(crate) attack: f32,
    pub(crate) danger: f32,
}

impl Parts {
    fn total(self) -> f32 {
        self.material + self.secrecy + self.knowledge + self.attack - self.danger
    }
}

/// Evaluates positions reached from one root, for one player.
pub(crate) struct Gauge {
    us: Side,
    chances: [Chances; PIECES],
    ours: Worths,
    theirs: Worths,
    /// Grows while nothing is struck, so that knowledge is worth more the longer a game stands still.
    boldness: f32,
    /// How far we are ahead, as a share of both armies: what a point of even trade is worth to us.
    lead: f32,
    rows: [Row; PIECES],
}

/// How much a target at this distance draws or frightens: near ones far more.
const NEARNESS: [f32; 20] = [
    1.0, 1.0, 0.72, 0.54, 0.41, 0.32, 0.25, 0.2, 0.16, 0.13, 0.11, 0.09, 0.08, 0.07, 0.06, 0.05, 0.045, 0.04,
    0.035, 0.03,
];
const ATTACK: f32 = 0.14;
const DANGER: f32 = 0.12;
/// Share of the profit an enemy is expected to see in striking a piece it does not know.
const UNSEEN: f32 = 0.5;
/// Plies without a strike that double the worth of knowledge.
const STANDSTILL: f32 = 40.0;

static DISTANCE: [[u8; SQUARES]; SQUARES] = distances();

const fn distances() -> [[u8; SQUARES]; SQUARES] {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            table[from][to] = ((from % 10).abs_diff(to % 10) + (from / 10).abs_diff(to / 10)) as u8;
            to += 1;
        }
        from += 1;
    }
    table
}

impl Gauge {
    /// A gauge for the player of `view`, with what it believes at the root.
    pub(crate) fn new(view: &View, belief: &Belief) -> Gauge {
        let position = view.position();
        let us = view.viewer();
        let army = position.rules().army();
        let living = Side::BOTH.map(|side| worth::living(position, side, &army));
        let (own, enemy) = (&living[us.index()], &living[us.enemy().index()]);
        let mut chances = [[0.0; Rank::COUNT]; PIECES];
        for (id, piece) in belief.pieces() {
            chances[id.number()] = *piece;
        }
        let (ours, theirs) = (worth::worths(own, enemy), worth::worths(enemy, own));
        let total = |worths: &Worths, counts: &[u8; Rank::COUNT]| -> f32 {
            (1..Rank::COUNT).map(|rank| worths[rank] * f32::from(counts[rank])).sum()
        };
        let mut gauge = Gauge {
            us,
            chances,
            lead: (total(&ours, own) - total(&theirs, enemy)) / worth::BOTH_ARMIES,
            ours,
            theirs,
            boldness: 1.0 + position.quiet() as f32 / STANDSTILL,
            rows: [BLANK; PIECES],
        };
        for id in PieceId::of(us.enemy()) {
            gauge.rows[id.number()] = gauge.row(position, id, false);
        }
        gauge
    }

    /// The player it evaluates for.
    pub(crate) const fn us(&self) -> Side {
        self.us
    }

    /// The row of an enemy piece.
    pub(crate) const fn row_of(&self, id: PieceId) -> &Row {
        &self.rows[id.number()]
    }

    /// Puts a row back that [`Gauge::refresh`] returned.
    pub(crate) const fn restore(&mut self, id: PieceId, row: &Row) {
        self.rows[id.number()] = *row;
    }

    /// Recomputes an enemy piece's row after its set of ranks shrank; `revealed` says that its rank has been shown,
    /// whichever it was. Returns the old row.
    pub(crate) fn refresh(&mut self, position: &Position, id: PieceId, revealed: bool) -> Row {
        let row = self.row(position, id, revealed || self.rows[id.number()].revealed);
        std::mem::replace(&mut self.rows[id.number()], row)
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

    /// Whether an enemy of rank `striker` would gain by striking our piece, were it to know it.
    pub(crate) fn profits(&self, striker: Rank, ours: Rank, aggressor: bool) -> bool {
        match battle(striker, ours, aggressor) {
            Outcome::Win => true,
            Outcome::Tie => self.ours[ours.index()] >= self.theirs[striker.index()],
            Outcome::Loss => false,
        }
    }

    fn row(&self, position: &Position, id: PieceId, revealed: bool) -> Row {
        let piece = position.piece(id);
        if !piece.exists() || !piece.is_alive() {
            return BLANK;
        }
        let chances = self.conditioned(position, id);
        let certain = revealed || piece.ranks.single().is_some();
        let known: f32 = KNOWLEDGE.iter().zip(chances).map(|(worth, chance)| worth * chance).sum();
        let mut row = Row { revealed, ..BLANK };
        for rank in Rank::ALL {
            let chance = chances[rank.index()];
            if rank != Rank::Flag {
                row.worth += chance * self.theirs[rank.index()];
            }
            row.knowledge += KNOWLEDGE[rank.index()] * if certain { chance } else { chance * chance };
        }
        row.knowledge *= self.boldness;
        row.mobile = mass(&chances, RankSet::MOBILE);
        let to_learn = (known * self.boldness - row.knowledge).max(0.0);
        for (ours, piece) in position.pieces(self.us).filter(|(_, piece)| piece.is_alive()) {
            if let Some(rank) = piece.ranks.single() {
                let exchange = Exchange { gauge: self, chances: &chances, rank, piece };
                let aggressor = position.rules().aggressor;
                row.gain[ours.number()] =
                    if rank.is_mobile() { exchange.gain(aggressor) + to_learn } else { 0.0 };
                row.threat[ours.number()] = exchange.threat(aggressor);
            }
        }
        row
    }

    /// The evaluation of a position for our player, in the unit of [`worth`].
    pub(crate) fn value(&self, position: &Position) -> f32 {
        self.parts(position).total()
    }

    pub(crate) fn parts(&self, position: &Position) -> Parts {
        let mut parts = Parts::default();
        let mut enemies = [(0u8, 0usize); PIECES];
        let mut danger = [0.0f32; PIECES];
        let (mut ours, mut theirs) = (0.0, 0.0);
        let mut count = 0;
        for square in position.squares_of(self.us.enemy()) {
            if let Some(id) = position.piece_at(square) {
                let row = &self.rows[id.number()];
                theirs += row.worth;
                parts.knowledge += row.knowledge;
                enemies[count] = (square.index() as u8, id.number());
                count += 1;
            }
        }
        for square in position.squares_of(self.us) {
            let Some(id) = position.piece_at(square) else { continue };
            let piece = position.piece(id);
            let Some(rank) = piece.ranks.single() else { continue };
            ours += if rank == Rank::Flag { 0.0 } else { self.ours[rank.index()] };
            parts.secrecy += secrecy(piece, rank);
            parts.attack += self.reach(square, id.number(), &enemies[..count], &mut danger);
        }
        // The same lead is worth more the less is left to fight with.
        parts.material = (ours - theirs) * (2.0 - (ours + theirs) / worth::BOTH_ARMIES);
        parts.attack *= ATTACK;
        parts.danger = danger[..count].iter().sum::<f32>() * DANGER;
        parts
    }

    /// The most that our piece has within reach, raising `danger` by what reaches it.
    fn reach(
        &self,
        square: Square,
        number: usize,
        enemies: &[(u8, usize)],
        danger: &mut [f32; PIECES],
    ) -> f32 {
        let distances = &DISTANCE[square.index()];
        let mut best = 0.0f32;
        for (&(at, enemy), danger) in enemies.iter().zip(danger) {
            let near = NEARNESS[distances[at as usize] as usize];
            let row = &self.rows[enemy];
            best = best.max(row.gain[number] * near);
            *danger = danger.max(row.threat[number] * near);
        }
        best
    }
}

/// One of our pieces against one of theirs.
struct Exchange<'a> {
    gauge: &'a Gauge,
    chances: &'a Chances,
    rank: Rank,
    piece: &'a Piece,
}

impl Exchange<'_> {
    /// What we can expect of striking.
    fn gain(&self, aggressor: bool) -> f32 {
        let ours = self.gauge.ours[self.rank.index()];
        let hidden = secrecy(self.piece, self.rank);
        let mut gain = -hidden;
        for rank in Rank::ALL {
            let theirs = self.gauge.theirs[rank.index()];
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
    fn threat(&self, aggressor: bool) -> f32 {
        let ours = self.gauge.ours[self.rank.index()];
        let seen = if self.piece.learned.single().is_some() { 1.0 } else { UNSEEN };
        let mut threat = 0.0;
        for rank in RankSet::MOBILE.iter() {
            let profit = match battle(rank, self.rank, aggressor) {
                Outcome::Win => ours,
                Outcome::Tie => ours - self.gauge.theirs[rank.index()],
                Outcome::Loss => 0.0,
            };
            threat += self.chances[rank.index()] * profit.max(0.0);
        }
        threat * seen
    }
}

fn secrecy(piece: &Piece, rank: Rank) -> f32 {
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
