//! A bonus at the root, in points: for what the search does not see of a strike, the initiative and what it reveals.

use super::params;
use crate::rules::{Action, Position, Rank};

/// The points that an action is worth beyond what the search says of it: a strike at a hidden piece, unless by a miner.
pub(super) fn points(position: &Position, action: Action) -> f32 {
    let piece = |square| position.piece_at(square).map(|id| position.piece(id));
    let (Some(striker), Some(victim)) = (piece(action.from), piece(action.to)) else { return 0.0 };
    if striker.ranks.single() == Some(Rank::Miner) || victim.ranks.single().is_some() {
        return 0.0;
    }
    let is_open = position.ply() >= params::strike_bonus_from();
    let share = if is_open { 1.0 } else { params::strike_bonus_opening() };
    share * if victim.moved { params::strike_bonus_moved() } else { params::strike_bonus_unmoved() }
}

#[cfg(test)]
mod tests {
    use super::*;
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
                points(view.position(), Action::new(square(5), square(6)))
            };
            let full = [params::strike_bonus_moved(), params::strike_bonus_unmoved(), 0.0, 0.0];
            for (file, expected) in [0, 1, 4, 5].into_iter().zip(full.map(|bonus| share * bonus)) {
                assert!((bonus(file) - expected).abs() < 1e-6, "{ply} {file}: {}", bonus(file));
            }
            assert!(full[0] > 0.0 && full[1] > 0.0 && share > 0.0);
        }
    }
}
