//! The threat map: who is in whose reach, kept up to date ply by ply.
//!
//! Each of our pieces looks for the best it could strike, weighed by distance; each enemy piece adds up all that it
//! could strike, since one that roams among our pieces takes them one by one. A ply moves one piece and removes at
//! most two, so only their pairs are looked at again.

use super::params::{self, ATTACK_PROXIMITY, PROXIMITY};
use super::paths::{Distances, FARTHEST, PathDistances};
use super::piece::{KINDS, PieceEvaluation, PieceEvaluations};
use crate::rules::{ByNumber, PieceNumber, PieceSet, Square, SquareSet};
use crate::view::Visibility;

/// Points from which a piece in reach is more than prey: what stands beside our flag is its defence's matter.
const MOST_PREY: f32 = 200.0;

/// How much a target in an enemy's reach counts by its distance.
const PROXIMITY_SQUARED: [f32; FARTHEST + 1] = {
    let mut squares = PROXIMITY;
    let mut distance = 0;
    while distance <= FARTHEST {
        squares[distance] *= PROXIMITY[distance];
        distance += 1;
    }
    squares
};

/// The best of a piece's pairs, and with whom.
#[derive(Copy, Clone)]
struct Best {
    value: f32,
    with: Option<PieceNumber>,
}

const NONE: Best = Best { value: 0.0, with: None };

/// Where everybody stands and what is in reach.
#[derive(Clone)]
pub(super) struct ThreatMap {
    ours: ByNumber<Option<Square>>,
    theirs: ByNumber<Option<Square>>,
    /// Our standing pieces, the enemy's, and those of the enemy's that may move.
    our_pieces: PieceSet,
    their_pieces: PieceSet,
    their_movers: PieceSet,
    /// Where those of the enemy's stand that may stop a race, by the kind of our runner.
    stoppers: [SquareSet; KINDS],
    /// Per piece of ours: what the enemy knows of it.
    shown: ByNumber<Visibility>,
    /// Per piece of ours: the best it has in reach.
    attacks: ByNumber<Best>,
    /// Per enemy piece: what it has in reach, near ones counting far more.
    threats: ByNumber<f32>,
}

impl ThreatMap {
    pub(super) const fn new() -> ThreatMap {
        ThreatMap {
            ours: ByNumber::filled(None),
            theirs: ByNumber::filled(None),
            our_pieces: PieceSet::EMPTY,
            their_pieces: PieceSet::EMPTY,
            their_movers: PieceSet::EMPTY,
            stoppers: [SquareSet::EMPTY; KINDS],
            shown: ByNumber::filled(Visibility::Unmoved),
            attacks: ByNumber::filled(NONE),
            threats: ByNumber::filled(0.0),
        }
    }

    /// What our pieces have in reach: of each target's pursuers the one that gains most counts in full, the others
    /// for a share. A target can be struck once: were all to count, a crowd looking at one would be worth more than
    /// the strike.
    pub(super) fn attack(&self, strikers: PieceSet) -> f32 {
        let mut most = ByNumber::filled(0.0f32);
        let mut all = 0.0;
        for own in (self.our_pieces & strikers).numbers() {
            let best = self.attacks[own];
            let Some(with) = best.with else { continue };
            all += best.value;
            let most = &mut most[with];
            *most = most.max(best.value);
        }
        params::crowd() * all + (1.0 - params::crowd()) * total(&most)
    }

    /// Where those of a set of our pieces stand.
    pub(super) fn squares_of(&self, set: PieceSet) -> SquareSet {
        (self.our_pieces & set).numbers().filter_map(|own| self.ours[own]).collect()
    }

    /// Where the enemy's pieces stand that may stop a runner of ours of this kind.
    pub(super) const fn stoppers(&self, kind: usize) -> SquareSet {
        self.stoppers[kind]
    }

    /// Calls `visit` with each enemy piece of a set that may move, by number: its number and its square.
    pub(super) fn each_mover(&self, set: PieceSet, mut visit: impl FnMut(PieceNumber, Square)) {
        for number in (self.their_movers & set).numbers() {
            if let Some(square) = self.theirs[number] {
                visit(number, square);
            }
        }
    }

    /// The sum of what enemy pieces have in reach; less for known ones that a piece of ours is near enough to stop.
    pub(super) fn threat(&self, pieces: &PieceEvaluations, distances: &Distances) -> f32 {
        let stopped = self.their_movers.numbers().map(|enemy| {
            let threat = self.threats[enemy];
            if threat == 0.0 { 0.0 } else { threat * self.stopped(enemy, pieces.of(enemy), distances) }
        });
        total(&self.threats) - params::stopped() * stopped.sum::<f32>()
    }

    /// What known enemy pieces have in reach without being met there: the threat of each to each of our pieces near it,
    /// the more the later ours come that beat it. A flag's neighbours are left to the flag's defence.
    pub(super) fn dominated(&self, pieces: &PieceEvaluations, distances: &PathDistances) -> f32 {
        self.their_movers.numbers().map(|enemy| self.ruled_by(enemy, pieces.of(enemy), distances)).sum()
    }

    fn ruled_by(&self, enemy: PieceNumber, piece: &PieceEvaluation, distances: &PathDistances) -> f32 {
        let (Some(from), Some(_)) = (self.theirs[enemy], piece.enemy.set.single()) else { return 0.0 };
        let beats = self.squares_of(piece.beaten_by);
        let mut sum = 0.0;
        for own in self.our_pieces.numbers() {
            let threat = piece.threat[own][self.shown[own] as usize].min(MOST_PREY);
            let Some(at) = self.ours[own].filter(|_| threat > 0.0) else { continue };
            let steps = distances.theirs[at][from];
            if steps <= params::domination_reach() {
                let most = usize::from(steps) + params::domination_late() as usize;
                let near = distances.ours.nearest(at, beats, most);
                let late = (f32::from(near) - f32::from(steps) + 1.0) / params::domination_late();
                sum += threat * late.clamp(0.0, 1.0) * PROXIMITY[usize::from(steps)];
            }
        }
        sum
    }

    /// How near a piece of ours is that beats a known enemy piece, from 1 beside it down to nothing.
    fn stopped(&self, enemy: PieceNumber, piece: &PieceEvaluation, distances: &Distances) -> f32 {
        let stoppers = (piece.beaten_by & self.our_pieces).numbers().map(|own| self.ours[own]);
        stoppers.map(|from| proximity(from, self.theirs[enemy], distances, &PROXIMITY)).fold(0.0, f32::max)
    }

    /// Takes in where our piece stands now.
    pub(super) fn place_ours(
        &mut self,
        number: PieceNumber,
        square: Option<Square>,
        shown: Visibility,
        pieces: &PieceEvaluations,
        distances: &PathDistances,
    ) {
        let before = (self.ours[number], self.shown[number] as usize);
        let after = (square, shown as usize);
        (self.ours[number], self.shown[number]) = (after.0, shown);
        self.our_pieces = self.our_pieces.with(number, square.is_some());
        for enemy in self.their_movers.numbers() {
            let threat = &pieces.of(enemy).threat[number];
            let share = |(square, shown): (Option<Square>, usize)| {
                proximity(self.theirs[enemy], square, &distances.theirs, &PROXIMITY_SQUARED) * threat[shown]
            };
            self.threats[enemy] += share(after) - share(before);
        }
        if pieces.may_strike(number) {
            self.attacks[number] = self.best_attack(number, pieces, &distances.ours);
        }
    }

    /// Takes in where an enemy piece stands now, or that its evaluation has changed.
    pub(super) fn place_theirs(
        &mut self,
        number: PieceNumber,
        square: Option<Square>,
        pieces: &PieceEvaluations,
        distances: &PathDistances,
    ) {
        let before = std::mem::replace(&mut self.theirs[number], square);
        let piece = pieces.of(number);
        for (stoppers, &stops) in self.stoppers.iter_mut().zip(&piece.stops) {
            *stoppers -= SquareSet::from(before);
            if stops {
                *stoppers |= SquareSet::from(square);
            }
        }
        self.their_pieces = self.their_pieces.with(number, square.is_some());
        self.their_movers = self.their_movers.with(number, square.is_some() && piece.enemy.mobile > 0.0);
        self.threats[number] = self.threat_of(number, piece, &distances.theirs);
        for own in (self.our_pieces & pieces.strikers()).numbers() {
            let value = proximity(self.ours[own], square, &distances.ours, &ATTACK_PROXIMITY)
                * self.pursuit(own, piece);
            let best = &mut self.attacks[own];
            // Of equal targets the first, as in `best_attack`: who pursues whom must not depend on the way here.
            let first = value >= best.value && value > 0.0 && best.with.is_none_or(|with| number < with);
            if value > best.value || first {
                *best = Best { value, with: Some(number) };
            } else if best.with == Some(number) {
                self.attacks[own] = self.best_attack(own, pieces, &distances.ours);
            }
        }
    }

    fn best_attack(&self, own: PieceNumber, pieces: &PieceEvaluations, distances: &Distances) -> Best {
        let mut best = NONE;
        if self.ours[own].is_none() {
            return best;
        }
        for enemy in self.their_pieces.numbers() {
            let value = proximity(self.ours[own], self.theirs[enemy], distances, &ATTACK_PROXIMITY)
                * self.pursuit(own, pieces.of(enemy));
            if value > best.value {
                best = Best { value, with: Some(enemy) };
            }
        }
        best
    }

    /// What our piece has of being near an enemy piece.
    fn pursuit(&self, own: PieceNumber, piece: &PieceEvaluation) -> f32 {
        let is_feared = self.shown[own] != Visibility::Known && piece.fears.contains(own);
        if is_feared { piece.attack[own].max(piece.bluff) } else { piece.attack[own] }
    }

    /// What an enemy piece has in reach.
    pub(super) fn threat_of(
        &self,
        enemy: PieceNumber,
        piece: &PieceEvaluation,
        distances: &Distances,
    ) -> f32 {
        let from = self.theirs[enemy];
        let threat = |own: PieceNumber| {
            proximity(from, self.ours[own], distances, &PROXIMITY_SQUARED)
                * piece.threat[own][self.shown[own] as usize]
        };
        if from.is_none() || piece.enemy.mobile <= 0.0 {
            return 0.0;
        }
        self.our_pieces.numbers().map(threat).sum()
    }
}

/// How near it is, by a table.
fn proximity(
    from: Option<Square>,
    to: Option<Square>,
    distances: &Distances,
    table: &[f32; FARTHEST + 1],
) -> f32 {
    let (Some(from), Some(to)) = (from, to) else { return 0.0 };
    table[usize::from(distances[to][from]).min(FARTHEST)]
}

/// The sum, in eight parts side by side: one after the other, each addition would wait for the last.
fn total(values: &ByNumber<f32>) -> f32 {
    let (chunks, rest) = values.as_array().as_chunks::<8>();
    let mut parts = [0.0; 8];
    for chunk in chunks {
        for (part, value) in parts.iter_mut().zip(chunk) {
            *part += value;
        }
    }
    // The last two are the rescued ones.
    parts.iter().chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rescued_pieces_count_in_the_total() {
        let mut next = 0.0;
        let values = ByNumber::from_fn(|_| {
            next += 1.0;
            next
        });
        assert!((total(&values) - values.as_array().iter().sum::<f32>()).abs() < 1e-3);
    }
}
