//! What each enemy piece means to us: the profits of striking it and of being struck by it.

use super::super::daring::Shown;
use super::super::worth::{KNOWLEDGE, SECRECY};
use super::{Gauge, PIECES};
use crate::belief::Chances;
use crate::rules::{
    BySide, Outcome, Piece, PieceId, Position, Rank, RankSet, Side, Square, battle, defenders,
};

/// What a bomb beside a flag that may be there is worth on top, for the miner and the time it takes to get past it; three
/// times as much beside one that stands there for sure, as then nothing else is left to do.
const GUARD: f32 = 100.0;
/// Share of what an enemy piece menaces that ridding us of it is worth.
const CHASE_OFF: f32 = 0.8;
/// Share of its threats that counts while an enemy piece is unknown: its owner seldom strikes blindly with it.
const VAGUE: f32 = 0.3;
/// What an enemy piece beside our flag threatens, whether it knows or not: many bots strike whatever never moved.
const ALARM: f32 = 620.0;

/// How much likelier than believed it is that a strike of ours fails, and that it finds the flag: as odds, of what was struck, but
/// by miners, in games of the engine against itself: `docs/experiments.md`.
const CHOSEN_LOSS: f32 = 1.5;
const CHOSEN_FLAG: f32 = 0.5;

/// What one enemy piece means to us.
#[derive(Copy, Clone)]
pub(crate) struct Row {
    /// Expected worth.
    pub(super) worth: f32,
    /// What our knowledge of it is worth.
    pub(super) knowledge: f32,
    /// The ranks it may have, and the chances of each; none for a piece that does not stand.
    pub(super) set: RankSet,
    pub(super) chances: Chances,
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
    set: RankSet::EMPTY,
    chances: [0.0; Rank::COUNT],
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

impl Odds {
    /// The odds of a strike that is chosen for its odds: a piece that is believed too weak gets struck, one that is believed too
    /// strong does not.
    pub(super) fn chosen(self) -> Odds {
        let (flag, loss) = (self.flag * CHOSEN_FLAG, self.loss * CHOSEN_LOSS);
        let whole = flag + self.win + self.tie + loss;
        if whole <= 0.0 {
            return self;
        }
        Odds { flag: flag / whole, win: self.win / whole, tie: self.tie / whole, loss: loss / whole }
    }
}

impl Gauge {
    /// Makes striking an enemy that roams among our pieces worth more by a share of what it menaces.
    pub(super) fn chase_off(&mut self, position: &Position) {
        for id in PieceId::of(self.us.enemy()) {
            let menace =
                self.field.menace(id.number(), self.rows.of(id.number()), &self.ways.theirs) * CHASE_OFF;
            for (own, rank) in
                position.pieces(self.us).filter_map(|(own, piece)| Some((own, piece.ranks.single()?)))
            {
                if rank.is_mobile() {
                    let odds = self.odds(position, rank, id);
                    self.rows.of_mut(id.number()).gain[own.number()] += menace * (odds.win + odds.tie);
                }
            }
            self.place(position, id);
        }
    }

    /// What standing beside a flag is worth to a bomb: the chance that each neighbour is the flag, added up.
    pub(super) fn guards(&self, position: &Position) -> BySide<[f32; PIECES]> {
        let mut guards = BySide::filled([0.0; PIECES]);
        for side in Side::BOTH {
            for (id, piece) in position.pieces(side) {
                let flag = match piece.ranks.single() {
                    Some(rank) => f32::from(u8::from(rank == Rank::Flag)),
                    None => self.chances[id.number()][Rank::Flag.index()],
                };
                let square = piece.square.filter(|_| flag > 0.0);
                for next in square.into_iter().flat_map(Square::neighbours) {
                    if let Some(guard) = position.piece_at(next).filter(|guard| guard.side() == side) {
                        guards[side][guard.number()] += flag * (1.0 + 2.0 * flag * flag) * GUARD;
                    }
                }
            }
        }
        guards
    }

    /// What the bombs beside flags add to our standing pieces, less what they add to the enemy's.
    pub(super) fn guarded(&self, position: &Position) -> f32 {
        let standing = |side| position.pieces(side).filter(|(_, piece)| piece.is_alive());
        let bomb = Rank::Bomb.index();
        let ours = standing(self.us).filter(|(_, piece)| piece.ranks == RankSet::only(Rank::Bomb));
        let ours: f32 = ours.map(|(id, _)| self.guards[id.side()][id.number()]).sum();
        let theirs = standing(self.us.enemy());
        let theirs: f32 =
            theirs.map(|(id, _)| self.row_of(id).chances[bomb] * self.guards[id.side()][id.number()]).sum();
        ours - theirs
    }

    /// The worth of a piece of either side if it has this rank.
    pub(super) fn worth(&self, id: PieceId, rank: Rank) -> f32 {
        let worths = if id.side() == self.us { &self.ours } else { &self.theirs };
        let guard = if rank == Rank::Bomb { self.guards[id.side()][id.number()] } else { 0.0 };
        worths[rank] + guard
    }

    /// The chances of an enemy piece within its present set, and late in a game within all present sets; they sum to one.
    pub(crate) fn conditioned(&self, position: &Position, id: PieceId) -> Chances {
        self.jointly(position, id).unwrap_or_else(|| self.alone(position, id))
    }

    /// Its chances given all that the position allows of any piece, late in a game.
    fn jointly(&self, position: &Position, id: PieceId) -> Option<Chances> {
        self.worlds.as_ref()?.chances(position, id)
    }

    /// Its chances given its own set.
    fn alone(&self, position: &Position, id: PieceId) -> Chances {
        let (row, set) = (self.row_of(id), position.piece(id).ranks);
        if row.set == set { row.chances } else { self.within(id, set) }
    }

    /// The chances of an enemy piece within a set of ranks; they sum to one.
    fn within(&self, id: PieceId, set: RankSet) -> Chances {
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
        let jointly = self.jointly(position, id);
        let chances = jointly.unwrap_or_else(|| self.alone(position, id));
        let aggressor = position.rules().aggressor;
        let mass = |outcome| mass(&chances, defenders(striker, outcome, aggressor));
        let flag = chances[Rank::Flag.index()];
        // The flag is somewhere: what the tree has ruled out makes the rest likelier. Worlds know that.
        let surer = if jointly.is_some() { flag } else { (flag / self.sums.flag.max(f32::EPSILON)).min(1.0) };
        let rest = if flag < 1.0 { (1.0 - surer) / (1.0 - flag) } else { 0.0 };
        let win = mass(Outcome::Win) - flag;
        let odds = Odds {
            flag: surer,
            win: rest * win,
            tie: rest * mass(Outcome::Tie),
            loss: rest * mass(Outcome::Loss),
        };
        if striker == Rank::Miner || jointly.is_some() { odds } else { odds.chosen() }
    }

    /// Chance that an enemy of rank `striker` strikes our piece when it can.
    pub(crate) fn dares(&self, position: &Position, striker: Rank, ours: PieceId) -> f32 {
        self.daring.of(striker, ours.number(), Shown::of(position.piece(ours)))
    }

    /// Whether an enemy of rank `striker` would gain by striking our piece, were it to know it.
    pub(crate) fn profits(&self, striker: Rank, ours: Rank, aggressor: bool) -> bool {
        match battle(striker, ours, aggressor) {
            Outcome::Win => true,
            Outcome::Tie => self.ours[ours] >= self.theirs[striker],
            Outcome::Loss => false,
        }
    }

    /// The row of a standing enemy piece that may have the ranks of `set`, and whose rank may have been shown.
    pub(super) fn row(&self, id: PieceId, set: RankSet, revealed: bool) -> Row {
        let chances = self.within(id, set);
        let certain = revealed || set.single().is_some();
        let known: f32 = KNOWLEDGE.values().zip(chances).map(|(worth, chance)| worth * chance).sum();
        let mut row = Row { set, chances, revealed, ..BLANK };
        for rank in Rank::ALL {
            let chance = chances[rank.index()];
            if rank != Rank::Flag {
                row.worth += chance * self.worth(id, rank);
            }
            row.knowledge += KNOWLEDGE[rank] * if certain { chance } else { chance * chance };
        }
        row.knowledge *= self.boldness;
        row.mobile = mass(&chances, RankSet::MOBILE);
        let to_learn = (known * self.boldness - row.knowledge).max(0.0);
        for own in &self.own.pieces {
            let exchange = Exchange { gauge: self, chances: &chances, own, enemy: id };
            let number = own.id.number();
            if own.rank.is_mobile() {
                let told = own.rank == Rank::Scout || !self.own.silent;
                row.gain[number] = exchange.gain() + if told { to_learn } else { 0.0 };
            }
            row.threat[number] = if own.rank == Rank::Flag {
                [ALARM * mass(&chances, self.own.openers); Shown::COUNT]
            } else {
                exchange.threat().map(|threat| threat * if certain { 1.0 } else { VAGUE })
            };
        }
        row
    }
}

/// Our army at the root, the dead as well: a rescue may bring them back.
#[derive(Clone)]
pub(super) struct Own {
    pieces: Vec<OwnPiece>,
    /// The enemy ranks that can get at our flag.
    openers: RankSet,
    aggressor: bool,
    silent: bool,
}

#[derive(Clone)]
struct OwnPiece {
    id: PieceId,
    rank: Rank,
    /// What is left to hide of it.
    hidden: f32,
}

impl Own {
    pub(super) fn new(position: &Position, us: Side) -> Own {
        let piece = |(id, piece): (PieceId, &Piece)| {
            let rank = piece.ranks.single()?;
            Some(OwnPiece { id, rank, hidden: secrecy(piece, rank) })
        };
        let rules = position.rules();
        Own {
            pieces: position.pieces(us).filter_map(piece).collect(),
            openers: openers(position, us),
            aggressor: rules.aggressor,
            silent: rules.silent,
        }
    }

    /// Our pieces that may strike, as a set of numbers.
    pub(super) fn strikers(&self) -> u64 {
        let movers = self.pieces.iter().filter(|own| own.rank.is_mobile());
        movers.fold(0, |set, own| set | 1 << own.id.number())
    }
}

/// The enemy ranks that can get at our flag: only miners while bombs stand all around it.
fn openers(position: &Position, us: Side) -> RankSet {
    let is = |id: PieceId, rank| id.side() == us && position.piece(id).ranks == RankSet::only(rank);
    let bomb = |square| position.piece_at(square).is_some_and(|id| is(id, Rank::Bomb));
    let flag = position.pieces(us).find(|&(id, _)| is(id, Rank::Flag)).and_then(|(_, flag)| flag.square);
    let closed = flag.is_some_and(|square| square.neighbours().all(bomb));
    if closed { RankSet::only(Rank::Miner) } else { RankSet::MOBILE }
}

/// One of our pieces against one of theirs.
struct Exchange<'a> {
    gauge: &'a Gauge,
    chances: &'a Chances,
    own: &'a OwnPiece,
    enemy: PieceId,
}

impl Exchange<'_> {
    /// What we can expect of striking.
    fn gain(&self) -> f32 {
        let own = self.own.rank;
        let ours = self.gauge.ours[own];
        let mut gain = -self.own.hidden;
        for rank in Rank::ALL {
            let theirs = self.gauge.worth(self.enemy, rank);
            gain += self.chances[rank.index()]
                * match battle(own, rank, self.gauge.own.aggressor) {
                    Outcome::Win => theirs,
                    Outcome::Tie => theirs - ours + self.gauge.lead * (theirs + ours),
                    Outcome::Loss => -ours,
                };
        }
        gain
    }

    /// What the enemy can expect of striking, doing it only with ranks that profit.
    fn threat(&self) -> [f32; Shown::COUNT] {
        let OwnPiece { id, rank: own, .. } = *self.own;
        let ours = self.gauge.worth(id, own);
        let mut threat = [0.0; Shown::COUNT];
        for rank in RankSet::MOBILE.iter() {
            let profit = match battle(rank, own, self.gauge.own.aggressor) {
                Outcome::Win => ours,
                Outcome::Tie => ours - self.gauge.theirs[rank],
                Outcome::Loss => 0.0,
            };
            let expected = self.chances[rank.index()] * profit.max(0.0);
            for shown in Shown::ALL {
                threat[shown as usize] += expected * self.gauge.daring.of(rank, id.number(), shown);
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
    SECRECY[rank] * if piece.moved { 0.75 } else { 1.0 }
}

/// The chances of all the ranks of a set together.
pub(crate) fn mass(chances: &Chances, set: RankSet) -> f32 {
    set.iter().map(|rank| chances[rank.index()]).sum()
}
