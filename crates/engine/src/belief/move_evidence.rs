//! What the enemy's moves were good for.
//!
//! Where somebody has thought about the enemy's moves from its side ([`MoveEvidence`]), each of them speaks for the
//! ranks with which it would have been a good one. How much, depends on how well such thoughts have foretold what this
//! enemy does.

use super::army_model::Weights;
use super::army_model::multiply;
use super::case::Case;
use super::evidence::{Known, MoveEvidence};
use super::one_move::{counted, limited};
use super::params;
use crate::math;
use crate::rules::ByRank;
use crate::view::HiddenArmy;

/// How a piece's evidence adds up: the power to which that of one move is raised, and what is left of earlier
/// evidence, in logarithms, with each further one.
struct Weight {
    power: f32,
    lasting: f32,
}

/// How often the enemy has chosen as we would.
struct Reliability {
    alike: f32,
    moves: f32,
    /// The last ply that was counted.
    ply: u32,
}

impl Reliability {
    fn new() -> Reliability {
        let moves = params::alike_moves();
        Reliability { alike: params::alike() * moves, moves, ply: 0 }
    }

    /// Takes in what a move says; how much it speaks for each rank, 1 where it tells nothing.
    fn take(&mut self, evidence: &MoveEvidence) -> ByRank<f32> {
        let alike = self.alike / self.moves;
        let of = |chance: f32| alike * chance + (1.0 - alike) * evidence.blind;
        let mean = of(evidence.mean).max(f32::MIN_POSITIVE);
        if evidence.ply != self.ply {
            self.alike += alike * evidence.mean / mean;
            self.moves += 1.0;
            self.ply = evidence.ply;
        }
        ByRank::from_fn(|rank| {
            let known = evidence.ranks.contains(rank);
            if known { of(evidence.likelihoods[rank]) / mean } else { 1.0 }
        })
    }
}

/// Weighs the ranks of pieces by what moves were good for.
pub(super) fn weigh(case: &Case<'_>, weights: &mut Weights) {
    let (pieces, army) = (case.army, case.rules().army());
    let logs = add_up(pieces, case.known, |index, so_far, step| {
        let so_far = ByRank::from_fn(|rank| weights[index][rank] * math::exp(so_far[rank]));
        limited(&counted(&so_far, pieces[index].1.ranks, &army), step.map(|log| case.trust.moves * log))
    });
    for (weights, logs) in weights.iter_mut().zip(&logs) {
        multiply(weights, &logs.map(math::exp));
    }
}

/// What the moves say of each piece, in nats, if they are trusted.
pub(super) fn log_likelihoods(pieces: &HiddenArmy, known: Known<'_>) -> Vec<ByRank<f32>> {
    add_up(pieces, known, |_, _, step| step)
}

/// Adds up what each move says of a piece: its index, what was said so far, and what the move says, through `hold`.
fn add_up(
    pieces: &HiddenArmy,
    known: Known<'_>,
    hold: impl Fn(usize, &ByRank<f32>, ByRank<f32>) -> ByRank<f32>,
) -> Vec<ByRank<f32>> {
    let mut reliability = Reliability::new();
    let mut logs = vec![ByRank::filled(0.0); pieces.len()];
    for evidence in known.evidence.about(known.view) {
        let favours = reliability.take(evidence);
        let Some(index) = pieces.index(evidence.id) else { continue };
        let weight = match (evidence.moved, pieces[index].1.moved) {
            (true, _) => Weight { power: params::moved_power(), lasting: params::moved_lasting() },
            (false, true) => Weight { power: params::stood_power(), lasting: params::stood_lasting() },
            (false, false) => Weight { power: params::still_power(), lasting: params::stood_lasting() },
        };
        let step = favours.map(|favour| weight.power * math::ln(favour));
        let so_far = logs[index].map(|log| log * weight.lasting);
        let step = hold(index, &so_far, step);
        logs[index] = ByRank::from_fn(|rank| so_far[rank] + step[rank]);
    }
    logs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::tests::opening;
    use crate::belief::{Belief, Evidence, Likelihood};
    use crate::event::Event;
    use crate::rules::{PieceId, Rank, RankSet, Side};

    /// Blue's b7 walks out and back, and each time that was what a spy would do, and nobody else.
    fn said_by(moves: usize, evidence: impl Fn(u32) -> MoveEvidence) -> [f32; 2] {
        let (mut view, mut found) = (opening(), Evidence::new());
        let texts = [["a4a5", "b7b6"], ["a5a4", "b6b7"]];
        for text in texts.iter().cycle().take(moves).flatten() {
            view.observe(&Event::Played(text.parse().unwrap())).unwrap();
            let ply = view.position().ply();
            if ply.is_multiple_of(2) {
                assert!(found.note(&view, evidence(ply)));
            }
        }
        let plain: Vec<_> = Likelihood::ALL
            .into_iter()
            .filter(|likelihood| *likelihood != Likelihood::MoveEvidence)
            .collect();
        let spy = |belief: Belief| belief.probabilities(PieceId::new(Side::Blue, 38)).unwrap()[Rank::Spy];
        let known = Known { view: &view, evidence: &found };
        [spy(Belief::of_enemies(known)), spy(Belief::of_enemies_weighing(known, &plain))]
    }

    fn for_a_spy(ply: u32) -> MoveEvidence {
        let mut likelihoods = ByRank::filled(0.01);
        likelihoods[Rank::Spy] = 0.5;
        let id = PieceId::new(Side::Blue, 38);
        MoveEvidence {
            ply,
            id,
            moved: true,
            ranks: RankSet::MOBILE,
            likelihoods,
            mean: 0.02,
            blind: 0.03,
            nodes: 1,
        }
    }

    #[test]
    fn a_move_speaks_for_the_ranks_for_which_it_was_good_and_two_say_more() {
        let ([once, plain], [twice, _]) = (said_by(1, for_a_spy), said_by(2, for_a_spy));
        assert!(once > 1.5 * plain && twice > 1.5 * once, "{plain} {once} {twice}");
    }

    #[test]
    fn whoever_stands_still_tells_less_than_whoever_moves() {
        let stood = |ply| MoveEvidence { moved: false, ..for_a_spy(ply) };
        let ([moved, plain], [stood, _]) = (said_by(1, for_a_spy), said_by(1, stood));
        assert!(plain < stood && stood < moved, "{plain} {stood} {moved}");
    }

    #[test]
    fn who_never_does_what_we_would_is_soon_not_read_like_us() {
        let mut reliability = Reliability::new();
        let surprise = |ply| MoveEvidence { mean: 1e-4, likelihoods: ByRank::filled(1e-4), ..for_a_spy(ply) };
        let spy = |reliability: &mut Reliability, ply| reliability.take(&for_a_spy(ply))[Rank::Spy];
        let at_first = spy(&mut Reliability::new(), 2);
        (2..60).for_each(|ply| {
            reliability.take(&surprise(ply));
        });
        let later = spy(&mut reliability, 60);
        assert!(at_first > 5.0 && later < 0.5 * at_first, "{at_first} {later}");
        // All that is found out about one move counts once.
        let (alike, moves) = (reliability.alike, reliability.moves);
        reliability.take(&for_a_spy(60));
        assert!((reliability.alike, reliability.moves) == (alike, moves));
    }
}
