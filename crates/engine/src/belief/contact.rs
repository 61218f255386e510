//! Whom a piece has just come beside, and who may guard a bait.
//!
//! Who puts a piece where it can be struck has a reason. What opponent types say of last moves is an average over all
//! the turns since; the turn right after is the one in which we decide whether to strike, and there it says far more.

use super::army_model::Weights;
use super::army_model::multiply;
use super::case::Case;
use super::one_move::{counted, limited};
use super::params;
use crate::math;
use crate::rules::{Army, ByRank, Outcome, Piece, PieceId, Rank, Square, battle};
use crate::view::move_features::{Kind, KindSet};
use crate::view::{HiddenArmy, View};

/// How much it speaks for each rank of a piece to have just come beside an enemy of each kind, in 1/100 nat, by kind
/// and rank in the order F, S, 2, 3, 4, 5, 6, 7, 8, 9, M, B.
type Table = [[i16; Rank::COUNT]; Kind::COUNT];

// Source: 11,567 contacts in 280 games of the engine against itself at 2,000 and 8,000 nodes; by `outflank-prior
// contact`.
const CONTACT: Table = [
    [0, -103, -103, 94, 64, 50, 42, 34, -2, -46, -29, 0], // Light
    [0, -144, -164, -13, 117, 115, 148, 10, 20, 25, -114, 0], // Miner
    [0, -105, -164, -129, -56, 54, 175, 129, 88, 32, -23, 0], // Middling
    [0, -97, -123, -128, -157, -146, 70, 207, 181, 131, 62, 0], // Captain
    [0, -96, -108, -133, -104, -85, -134, 43, 222, 220, 174, 0], // Major
    [0, -38, -56, -134, -52, -71, -85, -100, 37, 242, 257, 0], // Colonel
    [0, -35, -74, -79, -23, 8, -7, -60, -75, 70, 275, 0], // General
    [0, 29, 36, -2, 37, 0, -5, -65, -25, -16, 13, 0],     // Marshal
    [0, -99, -202, -92, 44, 37, 83, 41, 91, 65, 31, 0],   // Moved
    [0, -58, -73, 82, -29, 47, 44, -41, 28, 33, -32, 0],  // Unmoved
    [0, -10, -84, 119, 69, 39, 56, -26, -27, -2, -134, 0], // Immobile
];

/// A hidden piece that has just come beside enemies.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Met {
    /// Which piece, as an index into its hidden army.
    pub index: usize,
    /// Of what kinds the enemies are.
    pub kinds: KindSet,
}

/// The hidden piece that made the last move, if that brought it beside enemies; `pieces` are those of one side.
pub fn just_met(pieces: &HiddenArmy, view: &View) -> Option<Met> {
    let position = view.position();
    let mover = position.piece_at(position.history().last()?.action.to)?;
    let index = pieces.index(mover).filter(|&index| pieces[index].1.ranks.len() > 1)?;
    let kinds = view.behaviours().snapshot(position, mover, &pieces[index].1).behaviour.last_move.met;
    (!kinds.is_empty()).then_some(Met { index, kinds })
}

/// How much having just come beside enemies of these kinds favours each rank, in nats; only differences count.
fn favours(met: KindSet) -> ByRank<f32> {
    let of = |kind: Kind, rank: Rank| f32::from(ByRank::new(CONTACT[kind as usize])[rank]) / 100.0;
    ByRank::from_fn(|rank| met.iter().map(|kind| of(kind, rank)).sum())
}

/// What a contact that the last move made says, in nats, and of which of the `pieces` of one side.
pub(super) fn log_likelihoods(pieces: &HiddenArmy, view: &View) -> Option<(usize, ByRank<f32>)> {
    just_met(pieces, view).map(|met| (met.index, favours(met.kinds)))
}

/// The strongest known piece that stands where it can take the known mobile piece `bait`.
fn taker_of(bait: PieceId, piece: &Piece, view: &View) -> Option<Rank> {
    let position = view.position();
    let (rank, square) = (piece.ranks.single().filter(|rank| rank.is_mobile())?, piece.square?);
    let known_enemy = |square| {
        let id = position.piece_at(square).filter(|id| id.side() != bait.side())?;
        position.piece(id).learned.single()
    };
    square.neighbours().filter_map(known_enemy).filter(|other| takes(*other, rank, view)).max()
}

fn takes(striker: Rank, defender: Rank, view: &View) -> bool {
    let strike_rules = view.position().rules().strike_rules();
    striker.is_mobile() && battle(striker, defender, strike_rules) == Outcome::Win
}

/// The hidden pieces that may guard a bait, by their index, each with what that says of its ranks in nats.
fn guards(pieces: &HiddenArmy, view: &View) -> Vec<(usize, ByRank<f32>)> {
    let hidden = |square: Square| {
        let id = view.position().piece_at(square)?;
        pieces.index(id).filter(|&index| pieces[index].1.ranks.len() > 1)
    };
    let mut guards = Vec::new();
    for (bait, piece) in pieces {
        if let Some((taker, square)) = taker_of(*bait, piece, view).zip(piece.square) {
            let logs =
                ByRank::from_fn(|rank| if takes(rank, taker, view) { params::bait_guard() } else { 0.0 });
            guards.extend(square.neighbours().filter_map(hidden).map(|index| (index, logs)));
        }
    }
    guards
}

/// Weighs the ranks of the piece that has just come beside enemies, if one has.
pub(super) fn weigh(case: &Case<'_>, weights: &mut Weights) {
    let (pieces, known) = (case.army, case.known);
    for (index, logs) in guards(pieces, known.view) {
        let plain = counted(&weights[index], pieces[index].1.ranks, &Army::CLASSIC);
        multiply(&mut weights[index], &limited(&plain, logs).map(math::exp));
    }
    // What the move was good for says the same, and better.
    if known.evidence.about_last(known.view).next().is_some() {
        return;
    }
    if let Some((index, logs)) = log_likelihoods(pieces, known.view) {
        let plain = counted(&weights[index], pieces[index].1.ranks, &Army::CLASSIC);
        let logs = limited(&plain, logs.map(|log| case.trust.contact * log));
        multiply(&mut weights[index], &logs.map(math::exp));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::opponent_types::mixture;
    use crate::belief::tests::opening;
    use crate::belief::{Belief, Evidence, Known, Likelihood, MoveEvidence, Trust};
    use crate::event::Event;
    use crate::rules::{RankSet, Side};

    fn after(texts: &[&str]) -> View {
        let mut view = opening();
        for text in texts {
            view.observe(&Event::Played(text.parse().unwrap())).unwrap();
        }
        view
    }

    /// The chances of Blue's a7 that it beats a captain of ours, with and without what a contact tells.
    fn stronger<'a>(known: impl Into<Known<'a>>) -> [f32; 2] {
        stronger_piece(known.into(), PieceId::new(Side::Blue, 39))
    }

    fn stronger_piece(known: Known<'_>, id: PieceId) -> [f32; 2] {
        let others: Vec<Likelihood> =
            Likelihood::ALL.into_iter().filter(|likelihood| *likelihood != Likelihood::Contact).collect();
        [Belief::of_enemies(known), Belief::of_enemies_weighing(known, &others)].map(|belief| {
            let probabilities = belief.probabilities(id).unwrap();
            [Rank::Major, Rank::Colonel, Rank::General, Rank::Marshal]
                .map(|rank| probabilities[rank])
                .iter()
                .sum()
        })
    }

    /// Red's captain takes b7 on b6 and is known; Blue's a7 comes beside it on a6.
    const MET: [&str; 6] = ["b4b5", "b7b6", "b5xb6=W62", "j7j6", "j4j5", "a7a6"];

    #[test]
    fn who_comes_beside_a_captain_may_take_it() {
        let [with, without] = stronger(&after(&MET));
        assert!(with > 1.2 * without && with < 0.6, "{with} {without}");
    }

    #[test]
    fn what_a_search_found_out_about_the_move_speaks_instead() {
        let view = after(&MET);
        let mut evidence = Evidence::new();
        let nothing = MoveEvidence {
            ply: view.position().ply(),
            id: PieceId::new(Side::Blue, 39),
            moved: true,
            ranks: RankSet::MOBILE,
            likelihoods: ByRank::filled(0.1),
            mean: 0.1,
            blind: 0.1,
            nodes: 1,
        };
        assert!(evidence.note(&view, nothing));
        let [with, without] = stronger(Known { view: &view, evidence: &evidence });
        assert!((with - without).abs() < 1e-6, "{with} {without}");
    }

    /// Red's captain on b6 is known, and so is Blue's 5 on a6. Blue leaves it there and steps behind it.
    #[test]
    fn hidden_neighbours_of_a_bait_are_likelier_to_retake() {
        let view = after(&["b4b5", "b7b6", "b5xb6=W62", "j7j6", "a4a5", "a7a6", "a5xa6=L45", "a8a7"]);
        let [with, without] = stronger_piece((&view).into(), PieceId::new(Side::Blue, 29));
        assert!(with > 1.3 * without && with < 0.6, "{with} {without}");
    }

    #[test]
    fn only_the_last_move_tells_it() {
        let [before, plain] = stronger(&after(&MET[..5]));
        assert!((before - plain).abs() < 1e-6);
        let later = [&MET[..], &["j5j4", "j6j7"]].concat();
        let [with, without] = stronger(&after(&later));
        assert!((with - without).abs() < 1e-6);
    }

    #[test]
    fn who_goes_away_meets_nobody() {
        let view = after(&["b4b5", "b7b6", "b5xb6=W62", "a7a6", "j4j5", "a6a7"]);
        let pieces = view.hidden_army();
        assert_eq!(just_met(&pieces, &view), None);
        let mut weights = vec![ByRank::filled(1.0); pieces.len()];
        let trust = Trust::of(std::iter::empty(), std::iter::empty());
        let (mixture, known) = (mixture(), (&view).into());
        let case = Case { army: &pieces, known, trust, mixture: &mixture, likelihoods: &Likelihood::ALL };
        weigh(&case, &mut weights);
        assert!(weights.iter().flat_map(ByRank::values).all(|weight| (weight - 1.0).abs() < 1e-6));
    }
}
