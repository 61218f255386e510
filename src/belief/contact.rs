//! Whom a piece has just come beside.
//!
//! Who puts a piece where it can be struck has a reason. What opponent types say of last moves is an average over all the turns since;
//! the turn right after is the one in which we decide whether to strike, and there it says far more.

use super::explanation::multiply;
use crate::math;
use crate::rules::{Army, ByRank, Piece, PieceId, Rank};
use crate::view::View;
use crate::view::move_features::{Kind, Kinds};

/// How much it speaks for each rank of a piece to have just come beside an enemy of each kind, in 1/100 nat, by kind and rank in
/// the order F, S, 2, 3, 4, 5, 6, 7, 8, 9, M, B.
type Table = [[i16; Rank::COUNT]; Kind::COUNT];

/// Share of what is believed without it that no contact takes away: the games it was learned from are this engine's alone,
/// and anyone may bluff. A guess.
const DOUBT: f32 = 0.1;

// Source: 11,567 contacts in 280 games of the engine against itself at 2,000 and 8,000 nodes; by `outflank-prior contact`.
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

/// The hidden piece that made the last move, if that brought it beside enemies, and of what kinds they are; `pieces` are those
/// of one side.
pub fn just_met(pieces: &[(PieceId, Piece)], view: &View) -> Option<(usize, Kinds)> {
    let position = view.position();
    let mover = position.piece_at(position.history().last()?.action.to)?;
    let index = pieces.iter().position(|(id, piece)| *id == mover && piece.ranks.len() > 1)?;
    let met = view.behaviours().snapshot(position, mover, &pieces[index].1).behaviour.last_move.met;
    (met != 0).then_some((index, met))
}

/// How much having just come beside enemies of these kinds favours each rank; only proportions count.
fn favours(met: Kinds) -> ByRank<f32> {
    let kinds = || (0..Kind::COUNT).filter(|kind| met >> kind & 1 == 1);
    ByRank::from_fn(|rank| {
        math::exp(kinds().map(|kind| f32::from(CONTACT[kind][rank.index()]) / 100.0).sum())
    })
}

/// Factors that leave chances, in any unit, a share of [`DOUBT`] of what they were.
fn doubted(favours: &ByRank<f32>, plain: &ByRank<f32>) -> ByRank<f32> {
    let whole: f32 = plain.values().sum();
    let mean =
        plain.values().zip(favours.values()).map(|(chance, favour)| chance * favour).sum::<f32>() / whole;
    if mean > 0.0 { favours.map(|favour| (1.0 - DOUBT) * favour / mean + DOUBT) } else { ByRank::filled(1.0) }
}

/// Weighs the ranks of the piece that has just come beside enemies, if one has. Only what the classic army's pieces do is known.
pub(super) fn weigh(pieces: &[(PieceId, Piece)], weights: &mut [ByRank<f32>], view: &View) {
    if view.position().rules().army() != Army::CLASSIC {
        return;
    }
    if let Some((index, met)) = just_met(pieces, view) {
        let counts = Army::CLASSIC.counts();
        let plain: ByRank<f32> = ByRank::from_fn(|rank| weights[index][rank] * f32::from(counts[rank]));
        multiply(&mut weights[index], &doubted(&favours(met), &plain));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::tests::opening;
    use crate::belief::{Belief, Likelihood};
    use crate::event::Event;
    use crate::rules::Side;

    fn after(texts: &[&str]) -> View {
        let mut view = opening();
        for text in texts {
            view.observe(&Event::Played(text.parse().unwrap())).unwrap();
        }
        view
    }

    /// The chances of Blue's a7 that it beats a captain of ours, with and without what a contact tells.
    fn stronger(view: &View) -> [f32; 2] {
        let id = PieceId::new(Side::Blue, 39);
        let others: Vec<Likelihood> =
            Likelihood::ALL.into_iter().filter(|likelihood| *likelihood != Likelihood::Contact).collect();
        [Belief::of_enemies(view), Belief::of_enemies_weighing(view, &others)].map(|belief| {
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
    fn who_comes_beside_a_captain_can_take_it() {
        let [with, without] = stronger(&after(&MET));
        assert!(with > 1.5 * without, "{with} {without}");
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
        let pieces: Vec<_> = view.enemies().map(|(id, piece)| (id, *piece)).collect();
        assert_eq!(just_met(&pieces, &view), None);
        let mut weights = vec![ByRank::filled(1.0); pieces.len()];
        weigh(&pieces, &mut weights, &view);
        assert!(weights.iter().flat_map(ByRank::values).all(|weight| (weight - 1.0).abs() < 1e-6));
    }
}
