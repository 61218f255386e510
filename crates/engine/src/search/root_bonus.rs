//! Bonuses at the root, in points: for what the search does not see of an action, as the initiative and what it reveals,
//! and for what results of games say that it misjudges.

use super::params;
use crate::belief::Belief;
use crate::eval::mass;
use crate::rules::{Action, Outcome, Position, Rank, defenders};

/// The points that an action is worth beyond what the search says of it.
pub(super) fn points(position: &Position, belief: &Belief, action: Action) -> f32 {
    if position.is_strike(action) {
        strike_bonus(position, action) - risky(position, belief, action)
    } else {
        first_move(position, action)
    }
}

/// The points that a strike at a hidden piece is worth beyond what the search says of it; none by a miner.
fn strike_bonus(position: &Position, action: Action) -> f32 {
    let piece = |square| position.piece_at(square).map(|id| position.piece(id));
    let (Some(striker), Some(victim)) = (piece(action.from), piece(action.to)) else { return 0.0 };
    if striker.ranks.single() == Some(Rank::Miner) || victim.ranks.single().is_some() {
        return 0.0;
    }
    let share = if is_open(position) { 1.0 } else { params::strike_bonus_opening() };
    share * if victim.moved { params::strike_bonus_moved() } else { params::strike_bonus_unmoved() }
}

/// Whether the opening is over.
fn is_open(position: &Position) -> bool {
    position.ply() >= params::strike_bonus_from()
}

/// The points that a strike at a hidden piece loses once the game is open, if it is believed to fail with 40 to 75%.
/// Likelier failures are left out: there a scout is given up for what it reveals, which is not misjudged.
fn risky(position: &Position, belief: &Belief, action: Action) -> f32 {
    let victim = position.piece_at(action.to).filter(|&id| position.piece(id).ranks.single().is_none());
    let striker = position.piece_at(action.from).and_then(|id| position.piece(id).ranks.single());
    let (Some(striker), Some(victim)) = (striker, victim) else { return 0.0 };
    let Some(probabilities) = belief.probabilities(victim) else { return 0.0 };
    let fails = mass(probabilities, defenders(striker, Outcome::Loss, position.rules().aggressor));
    let is_risky = is_open(position) && (0.4..0.75).contains(&fails);
    if is_risky { params::risky_strike() } else { 0.0 }
}

/// The points that the first move of a hidden piece is worth beyond what the search says of it.
fn first_move(position: &Position, action: Action) -> f32 {
    let piece = position.piece_at(action.from).map(|id| position.piece(id));
    piece
        .filter(|piece| !piece.moved && piece.learned.single().is_none())
        .map_or(0.0, |piece| piece.ranks.single().map_or(0.0, params::first_move))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Variant;
    use crate::rules::{Ruleset, Side, Spn, Square};
    use crate::view::View;

    #[test]
    fn strikes_at_hidden_pieces_have_a_bonus_unless_by_a_miner() {
        // In front of a6, b6, e6 and f6: one that has moved, one that never did, a known one, and f6 is a miner.
        for (ply, share) in [(58, params::strike_bonus_opening()), (60, 1.0)] {
            let text =
                format!("9?/9?/10/?+?2t+?+4/GG__GE__2/2__2__2/10/10/10/MB3K3H r r -,- 0 {ply} preset=isf");
            let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
            let bonus = |file| {
                let square = |row| Square::new(file, row).unwrap();
                strike_bonus(view.position(), Action::new(square(5), square(6)))
            };
            let full = [params::strike_bonus_moved(), params::strike_bonus_unmoved(), 0.0, 0.0];
            for (file, expected) in [0, 1, 4, 5].into_iter().zip(full.map(|bonus| share * bonus)) {
                assert!((bonus(file) - expected).abs() < 1e-6, "{ply} {file}: {}", bonus(file));
            }
            assert!(full[0] > 0.0 && full[1] > 0.0 && share > 0.0);
        }
    }

    fn with<T>(numbers: &str, work: impl FnOnce() -> T) -> T {
        Variant::read(super::params::PARAMETERS, numbers).unwrap().while_doing(work)
    }

    #[test]
    fn risky_strikes_are_dearer_once_the_game_is_open() {
        // A 4 before a hidden piece that has moved: it meets something stronger about as often as not.
        for (ply, expected) in [(58, 0.0), (60, 30.0)] {
            let text = format!("9?/9?/10/10/2__2__2/?+1__2__2/F9/10/10/MB8 r r -,- 0 {ply} preset=isf");
            let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
            let belief = Belief::of_enemies(&view);
            let strike = Action::new("a4".parse().unwrap(), "a5".parse().unwrap());
            let points = with("search.risky_strike=30", || risky(view.position(), &belief, strike));
            assert!((points - expected).abs() < 1e-6, "{ply}: {points}");
        }
    }

    #[test]
    fn only_the_first_move_of_a_hidden_piece_is_worth_something() {
        let text = "9?/9?/10/10/2__2__2/2__2__2/II+8/10/10/MB8 r r -,- 0 0 preset=isf";
        let view = View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), Side::Red);
        let points = ["a", "b"].map(|file| {
            let square = |row: &str| format!("{file}{row}").parse().unwrap();
            let action = Action::new(square("4"), square("5"));
            with("search.first_move.7=17", || first_move(view.position(), action))
        });
        assert!((points[0] - 17.0).abs() < 1e-6 && points[1].abs() < 1e-6, "{points:?}");
    }
}
