//! Who spares a known Marshal.
//!
//! A spy beside a Marshal that it knows strikes it, whoever plays it: so a piece that had the choice and did something
//! else is none. What searches say of pieces that stood still is an average over all that may be left alone, and says
//! far less.

use super::army_model::Weights;
use super::case::Case;
use super::params;
use crate::math;
use crate::rules::{Piece, PieceId, Rank};
use crate::view::View;

/// Turns after which sparing a Marshal again tells nothing more.
const MOST: u8 = 2;

/// How much likelier than its other ranks a piece is to be the spy, having spared a known Marshal; `None` where it has
/// not.
fn favour_of_spy(id: PieceId, piece: &Piece, view: &View) -> Option<f32> {
    let spared = view.behaviours().snapshot(view.position(), id, piece).behaviour.spared_marshal;
    (spared > 0).then(|| math::powi(params::spares_marshal(), i32::from(spared.min(MOST))))
}

/// Weighs the ranks of pieces that could have struck a known Marshal.
pub(super) fn weigh(case: &Case<'_>, weights: &mut Weights) {
    for ((id, piece), weights) in case.army.iter().zip(weights) {
        if let Some(favour) = favour_of_spy(*id, piece, case.view()) {
            weights[Rank::Spy] *= favour;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::{Belief, Likelihood};
    use crate::event::Event;
    use crate::rules::{Ruleset, Setup, Side};

    /// What Red, whose Marshal stands on b4, knows after these plies.
    fn after(texts: &[&str]) -> View {
        let mut view = View::new(Side::Red, Ruleset::default());
        let ours: Setup = "4532B2BF5BBB37S6362339672248754M6B852224".parse().unwrap();
        view.observe(&Event::Deployed(Side::Red, ours)).unwrap();
        view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
        for text in texts {
            view.observe(&Event::Played(text.parse().unwrap())).unwrap();
        }
        view
    }

    /// How much likelier a piece is the spy by what its moves tell.
    fn ratio(texts: &[&str], place: usize) -> f32 {
        let view = after(texts);
        let others: Vec<Likelihood> = Likelihood::ALL
            .into_iter()
            .filter(|likelihood| *likelihood != Likelihood::MoveEvidence)
            .collect();
        let [with, without] = [Belief::of_enemies(&view), Belief::of_enemies_weighing(&view, &others)]
            .map(|belief| belief.probabilities(PieceId::new(Side::Blue, place)).unwrap()[Rank::Spy]);
        with / without
    }

    /// The Marshal takes b7 on b6 and is known; Blue's a7 comes beside it.
    const MET: [&str; 4] = ["b4b5", "b7b6", "b5xb6=WM2", "a7a6"];

    #[test]
    fn who_spares_a_known_marshal_is_no_spy() {
        let spared = [&MET[..], &["j4j5", "j7j6"]].concat();
        let again = [&spared[..], &["j5j4", "j6j7"]].concat();
        let third = [&again[..], &["j4j5", "j7j6"]].concat();
        let ratios = [&MET[..], &spared, &again, &third].map(|texts| ratio(texts, 39));
        assert!(ratios[0] > 0.95 && ratios[1] < 0.15 && ratios[2] < 0.02 && ratios[3] > 0.005, "{ratios:?}");
        let fled = [&MET[..], &["j4j5", "a6a7"]].concat();
        assert!(ratio(&fled, 39) < 0.15);
        // Who was not beside it is likelier, as somebody must be the spy.
        assert!(ratio(&spared, 35) > 1.0);
    }

    #[test]
    fn an_undone_turn_spares_nobody() {
        let mut view = after(&[&MET[..], &["j4j5", "j7j6"]].concat());
        let a7 = PieceId::new(Side::Blue, 39);
        assert!(favour_of_spy(a7, view.position().piece(a7), &view).is_some());
        assert!(view.undo());
        assert!(favour_of_spy(a7, view.position().piece(a7), &view).is_none());
    }

    #[test]
    fn who_spared_a_marshal_that_was_not_known_may_be_the_spy() {
        let view = after(&["b4b5", "a7a6", "b5a5", "j7j6", "j4j5", "j6j7"]);
        assert!(view.enemies().all(|(id, piece)| favour_of_spy(id, piece, &view).is_none()));
    }
}
