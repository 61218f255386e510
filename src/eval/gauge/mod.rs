//! The evaluation that the search asks at its leaves.
//!
//! For our player only. Own ranks are known; each enemy piece has chances, fixed at the root and conditioned in
//! the tree by cutting them down to the set of ranks the tree's position still allows. What each of our pieces
//! could win from each enemy piece, and the other way round, is kept in a row per enemy piece; a ply of the tree
//! recomputes at most two rows, and going back restores them. Where few worlds are left, chances of strikes come from
//! all of them instead.

mod row;
mod rows;
mod siege;
mod storm;
#[cfg(test)]
mod tests;
mod worlds;

pub(crate) use row::{Row, mass};
pub(crate) use rows::Rows;

use super::daring::{Daring, Shown};
use super::field::Field;
use super::rescue::prospects;
use super::ways::Ways;
use super::worth::{self, SECRECY, Worths};
use crate::belief::{Belief, Chances};
use crate::rules::{ByRank, BySide, Piece, PieceId, Position, Rank, RankSet, Side};
use crate::view::View;
use row::{Own, secrecy};
use rows::Place;
use siege::Siege;
use storm::Storm;
use worlds::Worlds;

const PIECES: usize = PieceId::PER_SIDE;

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
    pub(crate) fn total(self) -> f32 {
        self.material - self.exposure + self.knowledge + self.attack - self.danger
    }
}

#[cfg_attr(test, derive(Clone))]
/// Evaluates positions reached from one root, for one player.
pub(crate) struct Gauge {
    us: Side,
    chances: [Chances; PIECES],
    daring: Daring,
    ours: Worths,
    theirs: Worths,
    /// Grows while nothing is struck: the longer a game stands still, the more knowledge and targets are worth and
    /// the less dangers count.
    boldness: f32,
    /// How far we are ahead, as a share of both armies: what a point of even trade is worth to us.
    lead: f32,
    /// The worth of both whole armies.
    both_armies: f32,
    /// By number of each side's pieces: what it adds to a bomb to stand beside the flag, or where it may be.
    guards: BySide<[f32; PIECES]>,
    own: Own,
    rows: Rows,
    sums: Sums,
    /// What our knowledge was worth at the root.
    known: f32,
    /// By how much our bombs beside our flag were worth more at the root than theirs beside what may be theirs. The more
    /// we know of their flag, the more theirs are worth: no lead of ours grows or shrinks by that.
    guarded: f32,
    field: Field,
    ways: Ways,
    siege: Siege,
    storm: Storm,
    /// Late in a game.
    worlds: Option<Worlds>,
}

/// What a profit in reach is worth before it is made. This and the constants of [`row`] were settled by matches
/// against the arena's bots: `docs/experiments.md`.
const ATTACK: f32 = 0.14;
/// Boldness beyond this makes no target worth more: what is in reach must stay worth less than what is taken.
const EAGER: f32 = 2.0;
/// What an enemy's profit in reach costs before it is made.
const DANGER: f32 = 0.35;
/// Plies without a strike that double the worth of knowledge.
const STANDSTILL: f32 = 40.0;
/// Plies that a game should take for each fallen piece, and for the opening.
const PACE: (u32, u32) = (12, 100);
/// Plies behind that pace that double the worth of knowledge.
const BEHIND: f32 = 150.0;

/// How much a position that stands still makes us dare.
fn boldness(position: &Position) -> f32 {
    let fallen = Side::BOTH.map(|side| position.pieces(side).filter(|(_, piece)| !piece.is_alive()).count());
    let pace = PACE.1 + PACE.0 * (fallen[0] + fallen[1]) as u32;
    let behind = position.ply().saturating_sub(pace) as f32 / BEHIND;
    1.0 + behind.max(position.quiet() as f32 / STANDSTILL)
}

/// What the pieces add up to.
#[derive(Copy, Clone, Default)]
struct Sums {
    ours: f32,
    theirs: f32,
    exposure: f32,
    knowledge: f32,
    /// The chance, as it was at the root, that the enemy's flag is a piece that the tree still allows it to be.
    flag: f32,
}

/// What going back to before a ply needs.
#[derive(Clone)]
pub(crate) struct Before {
    sums: Sums,
    field: Field,
    row: Option<(PieceId, Place)>,
    /// The row of an enemy piece that came back.
    rescued: Option<(PieceId, Place)>,
}

impl Gauge {
    /// A gauge for the player of `view`, with what it believes at the root.
    pub(crate) fn new(view: &View, belief: &Belief) -> Gauge {
        Gauge::between(view, (belief, &Belief::of_ours(view)), None)
    }

    /// The same, with what the enemy believes of our pieces, too. What hangs on beliefs and on who stands where and can move alone
    /// is taken from a gauge for which both are the same, if there is one.
    pub(crate) fn between(view: &View, beliefs: (&Belief, &Belief), like: Option<&Gauge>) -> Gauge {
        let (ways, worlds) = match like {
            Some(like) => (like.ways, like.worlds.clone()),
            None => (Ways::new(view.position(), view.viewer()), Worlds::new(beliefs.0)),
        };
        Gauge::with(view, beliefs, (ways, worlds))
    }

    fn with(
        view: &View,
        (belief, about_us): (&Belief, &Belief),
        (ways, worlds): (Ways, Option<Worlds>),
    ) -> Gauge {
        let position = view.position();
        let us = view.viewer();
        let army = position.rules().army();
        let mut chances = [[0.0; Rank::COUNT]; PIECES];
        for (id, piece) in belief.pieces() {
            chances[id.number()] = *piece;
        }
        let dead = |side| position.pieces(side).filter(|(_, piece)| !piece.is_alive());
        let lost =
            dead(us).map(|(_, piece)| Rank::ALL.map(|rank| f32::from(piece.ranks == RankSet::only(rank))));
        let won = dead(us.enemy()).map(|(id, _)| chances[id.number()]);
        let (own, enemy) = (&worth::living(&army, lost), &worth::living(&army, won));
        let (ours, theirs) = (worth::worths(own, enemy), worth::worths(enemy, own));
        let total = |worths: &Worths, counts: &ByRank<u8>| -> f32 {
            Rank::ALL[1..].iter().map(|&rank| worths[rank] * f32::from(counts[rank])).sum()
        };
        let both_armies = worth::both_armies(&army);
        let own_army = Own::new(position, us);
        let mut gauge = Gauge {
            us,
            chances,
            daring: Daring::new(about_us, &ours, &theirs, position.rules().aggressor),
            lead: (total(&ours, own) - total(&theirs, enemy)) / both_armies,
            both_armies,
            ours,
            theirs,
            boldness: boldness(position),
            guards: BySide::filled([0.0; PIECES]),
            rows: Rows::new(own_army.strikers()),
            own: own_army,
            sums: Sums::default(),
            known: 0.0,
            guarded: 0.0,
            field: Field::new(),
            siege: Siege::new(view, about_us, &ways),
            storm: Storm::new(position, us, &chances),
            ways,
            worlds,
        };
        gauge.guards = gauge.guards(position);
        for id in PieceId::of(us.enemy()) {
            gauge.refresh(position, id, false);
        }
        for id in PieceId::of(us).chain(PieceId::of(us.enemy())) {
            gauge.count(position.piece(id), id, 1.0);
            gauge.place(position, id);
        }
        gauge.chase_off(position);
        gauge.guarded = gauge.guarded(position);
        gauge.known = gauge.sums.knowledge * (1.0 - 1.0 / gauge.boldness);
        gauge
    }

    /// Adds a piece's share to the sums, or takes it out with `sign` -1.
    fn count(&mut self, piece: &Piece, id: PieceId, sign: f32) {
        if !piece.is_alive() {
            return;
        }
        if id.side() == self.us {
            let Some(rank) = piece.ranks.single() else { return };
            self.sums.exposure += sign * (SECRECY[rank] - secrecy(piece, rank));
            if rank != Rank::Flag {
                self.sums.ours += sign * self.worth(id, rank);
            }
        } else {
            let row = self.rows.of(id.number());
            self.sums.theirs += sign * row.worth;
            self.sums.knowledge += sign * row.knowledge;
            if piece.ranks.contains(Rank::Flag) {
                self.sums.flag += sign * self.chances[id.number()][Rank::Flag.index()];
            }
        }
    }

    fn place(&mut self, position: &Position, id: PieceId) {
        let square = position.piece(id).square;
        if id.side() == self.us {
            let shown = Shown::of(position.piece(id));
            self.field.place_ours(id.number(), square, shown, &self.rows, &self.ways);
        } else {
            self.field.place_theirs(id.number(), square, &self.rows, &self.ways);
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
        let mut before = Before { sums: self.sums, field: self.field.clone(), row: None, rescued: None };
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

    /// Takes in what the rescue of the last ply changed, if it made one; `before` is what [`Gauge::follow`] gave for
    /// the ply.
    pub(crate) fn follow_rescue(&mut self, position: &Position, before: &mut Before) {
        let Some((&(id, _), others)) = position.last_rescue().split_last() else { return };
        let mover = position.history().last().and_then(|last| position.piece_at(last.action.to));
        for (other, old) in others.iter().filter(|(other, old)| old.is_alive() && Some(*other) != mover) {
            self.count(old, *other, -1.0);
            self.count(position.piece(*other), *other, 1.0);
            self.place(position, *other);
        }
        if id.side() != self.us {
            before.rescued = Some((id, self.refresh(position, id, false)));
        }
        self.count(position.piece(id), id, 1.0);
        self.place(position, id);
    }

    /// Goes back to before a ply.
    pub(crate) fn go_back(&mut self, before: Before) {
        self.sums = before.sums;
        self.field = before.field;
        for (id, place) in [before.rescued, before.row].into_iter().flatten() {
            self.rows.take(id.number(), Some(place));
        }
    }

    /// The worth of a piece of `side` by its rank alone.
    pub(crate) fn worth_of(&self, side: Side, rank: Rank) -> f32 {
        let worths = if side == self.us { &self.ours } else { &self.theirs };
        worths[rank]
    }

    /// How many worlds are left, where they are few enough to reckon with each.
    pub(crate) fn worlds(&self) -> Option<u32> {
        self.worlds.as_ref().map(Worlds::count)
    }

    /// The player it evaluates for.
    pub(crate) const fn us(&self) -> Side {
        self.us
    }

    /// The row of an enemy piece.
    pub(crate) fn row_of(&self, id: PieceId) -> &Row {
        self.rows.of(id.number())
    }

    /// Gives an enemy piece the row of what is known of it now; `revealed` says that its rank has been shown, whichever
    /// it was. Returns where its old row is.
    fn refresh(&mut self, position: &Position, id: PieceId, revealed: bool) -> Place {
        let piece = position.piece(id);
        if !piece.exists() || !piece.is_alive() {
            return self.rows.take(id.number(), None);
        }
        let known = (piece.ranks, piece.ranks.single().is_none() && (revealed || self.row_of(id).revealed));
        let place = self.rows.find(id, known).unwrap_or_else(|| {
            let row = self.row(id, known.0, known.1);
            self.rows.keep(id, known, &row)
        });
        self.rows.take(id.number(), Some(place))
    }

    /// The evaluation of `position`, which it has followed, for our player, in the unit of [`worth`].
    pub(crate) fn value(&self, position: &Position) -> f32 {
        self.parts().total() + prospects(position, self) + self.races(position)
    }

    /// What the races for both flags are worth to us.
    fn races(&self, position: &Position) -> f32 {
        self.storm(position) - self.siege(position)
    }

    pub(crate) fn parts(&self) -> Parts {
        let Sums { ours, theirs, exposure, knowledge, .. } = self.sums;
        Parts {
            // The same lead is worth more the less is left to fight with.
            material: (ours - theirs - self.guarded) * (2.0 - (ours + theirs) / self.both_armies),
            exposure,
            knowledge: knowledge - self.known,
            attack: self.field.attack(self.rows.strikers()) * ATTACK * self.boldness.min(EAGER),
            danger: self.field.danger() * DANGER / self.boldness,
        }
    }
}
