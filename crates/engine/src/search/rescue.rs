//! Which rescues are looked at: to look at every piece on every square would be to look at little else.

use super::params;
use super::tree::Tree;
use crate::eval::{Evaluator, InformationState};
use crate::rules::{Action, Position, Rank, Rescue, Side, Square};

impl<E: Evaluator> Tree<'_, E> {
    /// Inside the tree, whoever may make a rescue makes the best one: it costs nothing.
    pub(super) fn add_rescues(&self, actions: &mut [Action]) {
        let side = self.walk.position.to_move();
        if !self.walk.position.rules().rescue || self.walk.position.rescues(side) >= Position::MOST_RESCUES {
            return;
        }
        let mut best = None;
        for action in actions.iter_mut().filter(|action| action.to.row_from(side) == 9) {
            if self.walk.position.may_rescue(*action) {
                let rescue = *best.get_or_insert_with(|| {
                    let rank = ranks(&self.walk.position, &self.walk.known, side).first().copied();
                    let square = squares(&self.walk.position, side).first().copied();
                    rank.zip(square).map(|(rank, square)| Rescue { rank: Some(rank), square })
                });
                action.rescue = rescue;
            }
        }
    }
}

/// Leaves of the root's actions those rescues that are worth a look: the most valuable ranks on a few squares, and
/// none with a strike that cannot win. Going without one is left in only where there is no other way.
pub(super) fn prune(position: &Position, state: &InformationState, actions: &mut Vec<Action>) {
    let side = position.to_move();
    if actions.iter().all(|action| action.rescue.is_none()) {
        return;
    }
    let mut ranks = ranks(position, state, side);
    ranks.truncate(params::rescued_ranks());
    let squares = squares(position, side);
    let pointless = |action: Action| {
        let pieces = (position.piece_at(action.from), position.piece_at(action.to));
        let (Some(own), Some(victim)) = pieces else { return false };
        let rank = position.piece(own).ranks.single();
        rank.is_some_and(|rank| state.odds(position, rank, victim).win <= 0.0)
    };
    let kept: Vec<Action> = actions
        .iter()
        .copied()
        .filter(|&action| match action.rescue {
            Some(Rescue { rank: Some(rank), square }) => {
                ranks.contains(&rank) && squares.contains(&square) && !pointless(action)
            }
            Some(Rescue { rank: None, .. }) => false,
            None => true,
        })
        .collect();
    actions.retain(|action| {
        let same = |other: &Action| (other.from, other.to) == (action.from, action.to);
        match action.rescue {
            Some(_) => kept.contains(action),
            None => !kept.iter().any(|other| same(other) && other.rescue.is_some()),
        }
    });
}

/// What `side` may hand back, the most valuable first.
fn ranks(position: &Position, state: &InformationState, side: Side) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = position.rescuable(side).iter().collect();
    ranks.sort_by(|&a, &b| state.piece_value(side, b).total_cmp(&state.piece_value(side, a)));
    ranks
}

/// Where `side` had best put a piece: each at the front and at the back of a file, in the middle and at both ends.
/// The front of the middle comes first: from there it is soon anywhere.
fn squares(position: &Position, side: Side) -> Vec<Square> {
    let open: Vec<Square> = position.open_home(side).collect();
    let nearest = |file: u8, row: u8| {
        let distance =
            |square: &&Square| 2 * square.file().abs_diff(file) + square.row_from(side).abs_diff(row);
        open.iter().min_by_key(distance).copied()
    };
    let mut squares = Vec::new();
    for (file, row) in [(4, 3), (0, 3), (9, 3), (1, 0), (8, 0), (4, 0)] {
        squares.extend(nearest(file, row).filter(|square| !squares.contains(square)));
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Belief;
    use crate::rules::{Ruleset, Spn};
    use crate::search::test_support::task;
    use crate::search::{Choice, search};
    use crate::view::View;

    fn view(spn: &str) -> View {
        View::from_spn(&Spn::parse(spn, Ruleset::default()).unwrap(), Side::Red)
    }

    fn choose(view: &View, only: &[Action]) -> Choice {
        search(&task(view, &Belief::of_enemies(view), Some(3000), only), &mut |_| {})
    }

    // No scout: one that can reach what may be the flag has better things to do.
    const RED_NEARS: &str = "?8?/1F+6?1/10/10/2__2__2/2__2__2/BB3E2?+1/9I/2EE3G2/1BM2H4 r r M952B,62 4 120 preset=gameboard rescue=on";

    #[test]
    fn a_step_onto_the_back_row_brings_the_strongest_back() {
        let view = view(RED_NEARS);
        let chosen = choose(&view, &[]).action.unwrap();
        assert_eq!(chosen.text(false).split('@').next(), Some("b9b10+M"));
        let asked: Action = "b9b10+5@e4".parse::<crate::rules::Played>().unwrap().action;
        assert_eq!(choose(&view, &[asked]).action, Some(asked));
    }

    #[test]
    fn few_of_many_rescues_are_looked_at() {
        let view = view(RED_NEARS);
        let mut actions = view.position().actions();
        let rescues = |actions: &[Action]| actions.iter().filter(|action| action.rescue.is_some()).count();
        assert!(rescues(&actions) > 100);
        prune(view.position(), &InformationState::new(&view, &Belief::of_enemies(&view)), &mut actions);
        assert!((4..=12).contains(&rescues(&actions)), "{}", rescues(&actions));
        assert!(!actions.contains(&"b9b10".parse::<crate::rules::Played>().unwrap().action));
        assert!(actions.contains(&"b9a9".parse::<crate::rules::Played>().unwrap().action));
    }

    #[test]
    fn a_rule_that_is_not_supposed_to_hold_is_not_looked_at() {
        let view = view(RED_NEARS);
        let rules = Ruleset { rescue: false, ..*view.position().rules() };
        let supposed = view.supposing(rules);
        assert!(supposed.position().actions().iter().all(|action| action.rescue.is_none()));
        assert!(choose(&supposed, &[]).action.unwrap().rescue.is_none());
        assert!(view.position().actions().iter().any(|action| action.rescue.is_some()));
    }
}
