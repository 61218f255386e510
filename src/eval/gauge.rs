//! The evaluation that the search asks at its leaves.
//!
//! For our player only. Own ranks are known; each enemy piece has chances, fixed at the root and conditioned in
//! the tree by cutting them down to the set of ranks the tree's position still allows. What each of our pieces
//! could win from each enemy piece, and the other way round, is kept in a row per enemy piece; a ply of the tree
//! recomputes at most two rows, and going back restores them.

use super::field::Field;
use super::worth::{self, KNOWLEDGE, SECRECY, Worths};
use crate::belief::{Belief, Chances};
use crate::rules::{Outcome, Piece, PieceId, Position, Rank, RankSet, Side, Square, battle, defenders};
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
    pub(crate) exposure: f32,
    pub(crate) knowledge: f32,
    pub(crate) attack: f32,
    pub(crate) danger: f32,
}

impl Parts {
    fn total(self) -> f32 {
        self.material - self.exposure + self.knowledge + self.attack - self.danger
    }
}

/// Evaluates positions reached from one root, for one player.
pub(crate) struct Gauge {
    us: Side,
    chances: [Chances; PIECES],
    ours: Worths,
    theirs: Worths,
    /// Grows while nothing is struck: the longer a game stands still, the more knowledge and targets are worth and
    /// the less dangers count.
    boldness: f32,
    /// How far we are ahead, as a share of both armies: what a point of even trade is worth to us.
    lead: f32,
    /// By number of each side's pieces: what it adds to a bomb to stand beside the flag, or where it may be.
    guards: [[f32; PIECES]; 2],
    rows: [Row; PIECES],
    sums: Sums,
    field: Field,
}

const ATTACK: f32 = 0.14;
/// What a bomb beside the flag is worth on top: about a major, for the miner and the time it takes to get past it.
const GUARD: f32 = 100.0;
/// Share of what an enemy piece menaces that ridding us of it is worth.
const CHASE_OFF: f32 = 0.8;
/// Share of its threats that counts while an enemy piece is unknown: its owner seldom strikes blindly with it.
const VAGUE: f32 = 0.3;
/// What an enemy piece beside our flag threatens, whether it knows or not: many bots strike whatever never moved.
const ALARM: f32 = 620.0;
const DANGER: f32 = 0.35;
/// Share of the profit an enemy is expected to see in striking a piece it does not know.
const UNSEEN: f32 = 0.5;
/// Plies without a strike that double the worth of knowledge.
const STANDSTILL: f32 = 40.0;

/// What the pieces add up to.
#[derive(Copy, Clone, Default)]
struct Sums {
    ours: f32,
    theirs: f32,
    exposure: f32,
    knowledge: f32,
}

/// What going back to before a ply needs.
#[derive(Clone)]
pub(crate) struct Before {
    sums: Sums,
    field: Field,
    row: Option<(PieceId, Row)>,
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
            guards: [[0.0; PIECES]; 2],
            rows: [BLANK; PIECES],
            sums: Sums::default(),
            field: Field::new(),
        };
        gauge.guards = gauge.guards(position);
        for id in PieceId::of(us.enemy()) {
            gauge.rows[id.number()] = gauge.row(position, id, false);
        }
        for id in PieceId::of(us).chain(PieceId::of(us.enemy())) {
            gauge.count(position.piece(id), id, 1.0);
            gauge.place(position, id);
        }
        gauge.chase_off(position);
        gauge
    }

    /// Makes striking an enemy that roams among our pieces worth more by a share of what it menaces.
    fn chase_off(&mut self, position: &Position) {
        for id in PieceId::of(self.us.enemy()) {
            let menace = self.field.menace(id.number(), &self.rows[id.number()]) * CHASE_OFF;
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
    fn guards(&self, position: &Position) -> [[f32; PIECES]; 2] {
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
                        guards[side.index()][guard.number()] += flag * GUARD;
                    }
                }
            }
        }
        guards
    }

    /// The worth of a piece of either side if it has this rank.
    fn worth(&self, id: PieceId, rank: Rank) -> f32 {
        let worths = if id.side() == self.us { &self.ours } else { &self.theirs };
        let guard = if rank == Rank::Bomb { self.guards[id.side().index()][id.number()] } else { 0.0 };
        worths[rank.index()] + guard
    }

    /// Adds a piece's share to the sums, or takes it out with `sign` -1.
    fn count(&mut self, piece: &Piece, id: PieceId, sign: f32) {
        if !piece.is_alive() {
            return;
        }
        if id.side() == self.us {
            let Some(rank) = piece.ranks.single() else { return };
            self.sums.exposure += sign * (SECRECY[rank.index()] - secrecy(piece, rank));
            if rank != Rank::Flag {
                self.sums.ours += sign * self.worth(id, rank);
            }
        } else {
            let row = &self.rows[id.number()];
            self.sums.theirs += sign * row.worth;
            self.sums.knowledge += sign * row.knowledge;
        }
    }

    fn place(&mut self, position: &Position, id: PieceId) {
        let square = position.piece(id).square;
        if id.side() == self.us {
            self.field.place_ours(id.number(), square, &self.rows);
        } else {
            self.field.place_theirs(id.number(), square, &self.rows);
        }
    }

    /// Takes in a ply: `changed` are the pieces it touched as they were before it, `position` is after it. `strike`
    /// says that both showed their ranks.
    pub(crate) fn follow(
        &mut self,
        position: &Position,
        changed: &[(PieceId, Piece)],
        strike: bool,
    ) -> Before {
        let mut before = Before { sums: self.sums, field: self.field.clone(), row: None };
        for &(id, old) in changed {
            self.count(&old, id, -1.0);
            if id.side() != self.us && (strike || old.ranks != position.piece(id).ranks) {
                before.row = Some((id, self.refresh(position, id, strike)));
            }
            self.count(position.piece(id), id, 1.0);
            self.place(position, id);
        }
        before
    }

    /// Goes back to before a ply.
    pub(crate) fn go_back(&mut self, before: Before) {
        self.sums = before.sums;
        self.field = before.field;
        if let Some((id, row)) = before.row {
            self.rows[id.number()] = row;
        }
    }

    /// The player it evaluates for.
    pub(crate) const fn us(&self) -> Side {
        self.us
    }

    /// The row of an enemy piece.
    pub(crate) const fn row_of(&self, id: PieceId) -> &Row {
        &self.rows[id.number()]
    }

    /// Recomputes an enemy piece's row after its set of ranks shrank; `revealed` says that its rank has been shown,
    /// whichever it was. Returns the old row.
    fn refresh(&mut self, position: &Position, id: PieceId, revealed: bool) -> Row {
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
                row.gain[ours.number()] =
                    if rank.is_mobile() { exchange.gain(aggressor) + to_learn } else { 0.0 };
                row.threat[ours.number()] = if rank == Rank::Flag {
                    ALARM * mass(&chances, self.openers(position, piece))
                } else {
                    exchange.threat(aggressor) * if certain { 1.0 } else { VAGUE }
                };
            }
        }
        row
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

    /// The evaluation of the position followed so far, for our player, in the unit of [`worth`].
    pub(crate) fn value(&self) -> f32 {
        self.parts().total()
    }

    pub(crate) fn parts(&self) -> Parts {
        let Sums { ours, theirs, exposure, knowledge } = self.sums;
        Parts {
            // The same lead is worth more the less is left to fight with.
            material: (ours - theirs) * (2.0 - (ours + theirs) / worth::BOTH_ARMIES),
            exposure,
            knowledge,
            attack: self.field.attack() * ATTACK * self.boldness,
            danger: self.field.danger() * DANGER / self.boldness,
        }
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
    fn threat(&self, aggressor: bool) -> f32 {
        let ours = self.gauge.worth(self.own, self.rank);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::event::Event;
    use crate::rules::{Played, Ruleset, Setup, Verdict};

    /// The gauge's sums and field computed anew from its rows.
    fn anew(gauge: &Gauge, position: &Position) -> Parts {
        let mut fresh = Gauge { sums: Sums::default(), field: Field::new(), ..*gauge };
        for id in PieceId::of(gauge.us).chain(PieceId::of(gauge.us.enemy())) {
            fresh.count(position.piece(id), id, 1.0);
            fresh.place(position, id);
        }
        fresh.parts()
    }

    fn close(a: Parts, b: Parts) -> bool {
        let pairs = [
            (a.material, b.material),
            (a.exposure, b.exposure),
            (a.knowledge, b.knowledge),
            (a.attack, b.attack),
            (a.danger, b.danger),
        ];
        pairs.into_iter().all(|(a, b)| (a - b).abs() < 0.05)
    }

    #[test]
    fn following_plies_and_going_back_agrees_with_counting_anew() {
        let mut view = View::new(Side::Red, Ruleset::default());
        let ours: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
        view.observe(&Event::Deployed(Side::Red, ours)).unwrap();
        view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
        let mut gauge = Gauge::new(&view, &Belief::of_enemies(&view));
        let mut position = view.position().clone();
        let mut dice = Dice::new(4);
        let mut path = Vec::new();
        let mut strikes = 0;
        for _ in 0..600 {
            let actions = position.actions();
            let Some(&action) = actions.get(dice.below(actions.len())) else { break };
            let touched: Vec<_> = [action.from, action.to]
                .into_iter()
                .filter_map(|square| position.piece_at(square))
                .map(|id| (id, *position.piece(id)))
                .collect();
            let outcome = Outcome::ALL[dice.below(3)];
            let verdict = (touched.len() == 2).then_some(Verdict { outcome, striker: None, defender: None });
            let parts = gauge.parts();
            if position.play(Played { action, verdict }).is_err() {
                continue;
            }
            strikes += usize::from(verdict.is_some());
            let before = gauge.follow(&position, &touched, verdict.is_some());
            assert!(close(gauge.parts(), anew(&gauge, &position)), "{action:?}");
            path.push((before, parts));
        }
        assert!(strikes > 10);
        while let Some((before, parts)) = path.pop() {
            position.undo();
            gauge.go_back(before);
            assert!(close(gauge.parts(), parts));
        }
    }
}
