//! How good a belief is, once the truth is known.

use super::army_model::RankProbabilities;
use super::posterior::Belief;
use crate::rules::{PieceId, Position, Rank};

/// Plies at which the phases of a game begin.
pub const PHASES: [u32; 5] = [0, 50, 100, 200, 400];

/// The index in [`PHASES`] of the phase that a ply belongs to.
pub fn phase(ply: u32) -> usize {
    PHASES.partition_point(|&begin| begin <= ply).saturating_sub(1)
}

/// The plies of a phase: `50-99`, and `400+` for the last.
pub fn phase_name(phase: usize) -> String {
    let begin = PHASES.get(phase).copied().unwrap_or(0);
    match PHASES.get(phase + 1) {
        Some(end) => format!("{begin}-{}", end - 1),
        None => format!("{begin}+"),
    }
}

/// Chances that differ by less than this share of the greater one are a tie: the marginals of like pieces differ in
/// their last bits.
const TIE: f32 = 1e-5;

/// The surprise at something believed with this chance, in nats; finite even at none.
pub fn nats(chance: f32) -> f64 {
    -f64::from(chance.max(f32::MIN_POSITIVE)).ln()
}

/// The mean squared error of one prediction summed over the ranks: 0 if it was sure and right, 2 if sure and wrong.
pub fn brier(probabilities: &RankProbabilities, truth: Rank) -> f64 {
    let off = |rank: Rank| f64::from(probabilities[rank]) - f64::from(u8::from(rank == truth));
    Rank::ALL.into_iter().map(|rank| off(rank).powi(2)).sum()
}

/// Whether `chance` is the greatest of all: 1, or the share of a tie; 0 if another is greater.
pub fn top(chance: f32, all: impl Iterator<Item = f32>) -> f64 {
    let mut level = 0u32;
    for other in all {
        if other > chance * (1.0 + TIE) {
            return 0.0;
        }
        level += u32::from(other >= chance * (1.0 - TIE));
    }
    1.0 / f64::from(level.max(1))
}

/// How well hidden pieces were guessed: sums over everything that was looked at. A hidden piece is one, living or
/// dead, of more than one possible rank.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Hidden pieces.
    pub pieces: u64,
    /// The surprise at their true ranks.
    pub nats: f64,
    /// How often the true rank was the likeliest; a tie between k counts 1/k.
    pub hits: f64,
    /// Sum of [`brier`].
    pub brier: f64,
    /// Hidden flags.
    pub flags: u64,
    /// The surprise at where they stood.
    pub flag_nats: f64,
    /// How often the piece likeliest to be the flag, among the living, was it; ties as above.
    pub flag_hits: f64,
}

impl Marks {
    /// Adds what `belief` says of one hidden piece.
    pub fn add(&mut self, probabilities: &RankProbabilities, truth: Rank) {
        self.pieces += 1;
        self.nats += nats(probabilities[truth]);
        self.hits += top(probabilities[truth], probabilities.values().copied());
        self.brier += brier(probabilities, truth);
    }

    /// Adds where the flag is, by each living piece's chance to be it.
    pub fn add_flag(&mut self, chance: f32, living: impl Iterator<Item = f32>) {
        self.flags += 1;
        self.flag_nats += nats(chance);
        self.flag_hits += top(chance, living);
    }

    /// Adds all that `belief` says of the hidden pieces of `position`, which its holder knows, as far as `truth` tells
    /// their ranks.
    pub fn look(&mut self, position: &Position, belief: &Belief, truth: impl Fn(PieceId) -> Option<Rank>) {
        let hidden = |id: PieceId| position.piece(id).ranks.len() > 1;
        for (id, probabilities) in belief.pieces().iter().filter(|(id, _)| hidden(*id)) {
            let Some(rank) = truth(*id) else { continue };
            self.add(probabilities, rank);
            if rank == Rank::Flag && position.piece(*id).is_alive() {
                let living = belief.pieces().iter().filter(|(id, _)| position.piece(*id).is_alive());
                self.add_flag(probabilities[rank], living.map(|(_, probabilities)| probabilities[rank]));
            }
        }
    }

    /// Adds other marks.
    pub fn merge(&mut self, other: &Marks) {
        self.pieces += other.pieces;
        self.nats += other.nats;
        self.hits += other.hits;
        self.brier += other.brier;
        self.flags += other.flags;
        self.flag_nats += other.flag_nats;
        self.flag_hits += other.flag_hits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::tests::opening;
    use crate::rules::{Army, ByRank};

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    /// A belief in three ranks.
    fn thirds(spy: f32, scout: f32, miner: f32) -> RankProbabilities {
        let mut probabilities = ByRank::filled(0.0);
        probabilities[Rank::Spy] = spy;
        probabilities[Rank::Scout] = scout;
        probabilities[Rank::Miner] = miner;
        probabilities
    }

    #[test]
    fn plies_belong_to_phases() {
        let phases = [0, 49, 50, 99, 100, 199, 200, 399, 400, 5000].map(phase);
        assert_eq!(phases, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!([0, 1, 4].map(phase_name), ["0-49", "50-99", "400+"]);
    }

    #[test]
    fn marks_come_out_as_by_hand() {
        let mut marks = Marks::default();
        marks.add(&thirds(0.2, 0.5, 0.3), Rank::Scout);
        // Errors 0.2, -0.5, 0.3: squares 0.04 + 0.25 + 0.09.
        assert!(close(marks.brier, 0.38) && close(marks.nats, 2f64.ln()) && close(marks.hits, 1.0));
        marks.add(&thirds(0.2, 0.5, 0.3), Rank::Spy);
        // Errors -0.8, 0.5, 0.3: squares 0.64 + 0.25 + 0.09.
        assert!(close(marks.brier, 0.38 + 0.98) && close(marks.nats, 2f64.ln() + 5f64.ln()));
        assert!(close(marks.hits, 1.0) && marks.pieces == 2);
        marks.add(&thirds(0.4, 0.2, 0.4), Rank::Miner);
        assert!(close(marks.hits, 1.5));
        // All that was impossible: a large surprise that is no infinity, and the greatest error there is.
        marks.add(&thirds(1.0, 0.0, 0.0), Rank::Bomb);
        assert!(close(marks.brier, 0.38 + 0.98 + 0.56 + 2.0) && marks.nats.is_finite() && marks.nats > 87.0);
    }

    #[test]
    fn flags_are_looked_for_among_the_living() {
        let mut marks = Marks::default();
        marks.add_flag(0.5, [0.25, 0.5, 0.25].into_iter());
        marks.add_flag(0.25, [0.25, 0.5, 0.25].into_iter());
        marks.add_flag(0.25, [0.25; 4].into_iter());
        assert!(marks.flags == 3 && close(marks.flag_hits, 1.25));
        assert!(close(marks.flag_nats, 2f64.ln() + 2.0 * 4f64.ln()));
    }

    /// By counts alone a setup costs the entropy of the army's shares, and the flag is one of forty.
    #[test]
    fn counts_know_the_shares_of_the_army() {
        let view = opening();
        let setup: crate::rules::Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
        let rank = |id: PieceId| match setup.0[id.number()] {
            crate::rules::Cell::Known(rank) => Some(rank),
            _ => None,
        };
        let mut marks = Marks::default();
        marks.look(view.position(), &Belief::of_enemies_weighing(&view, &[]), rank);
        let shares = Army::CLASSIC.counts().map(|count| f64::from(count) / 40.0);
        let entropy: f64 = shares.values().map(|share| -share * share.ln()).sum();
        assert!((marks.nats / 40.0 - entropy).abs() < 1e-3, "{} {entropy}", marks.nats / 40.0);
        assert!((marks.flag_nats - 40f64.ln()).abs() < 1e-3 && close(marks.flag_hits, 1.0 / 40.0));
        // Scouts are the likeliest everywhere: eight right.
        assert!(close(marks.hits, 8.0) && marks.pieces == 40);
        let expected: f64 = 40.0 * (1.0 - shares.values().map(|share| share * share).sum::<f64>());
        assert!((marks.brier - expected).abs() < 1e-3, "{} {expected}", marks.brier);
        // What nobody tells does not count.
        let mut none = Marks::default();
        none.look(view.position(), &Belief::of_enemies(&view), |_| None);
        assert_eq!(none, Marks::default());
        none.merge(&marks);
        assert_eq!(none, marks);
    }
}
