//! How likely the enemy strikes what it stands beside.
//!
//! A strike is as likely as the piece has a rank that profits from it, and as such a rank strikes. What could have
//! struck and did not hardly does so later: that makes it less likely from turn to turn.

use super::params;
use crate::eval::InformationState;
use crate::rules::{Action, BySquare, Outcome, Position, Rank, RankSet, battle};

/// Of each square: the plies made since the last one that went there; all that are known where none did.
pub(super) fn plies_since(position: &Position) -> BySquare<u32> {
    let mut since = BySquare::filled(position.history().len() as u32);
    for (plies, played) in (0..).zip(position.history().rev()) {
        let since = &mut since[played.action.to];
        *since = plies.min(*since);
    }
    since
}

/// In how many turns the side to act could have made this strike and did not: its turns since the last of the two
/// pieces came where they stand, as far back as the position knows its plies.
pub fn declined(position: &Position, strike: Action) -> u32 {
    let since = plies_since(position);
    // The last ply was the other side's.
    since[strike.from].min(since[strike.to]) / 2
}

/// How much less likely a strike is that could have been made in so many turns and was not.
pub(super) fn willingness(declined: u32) -> f32 {
    1.0 / (1.0 + params::declined() * declined as f32)
}

/// The probabilities, by outcome for the enemy, that the enemy makes this strike in its turn; zero where it would not
/// profit. `state` has followed `position`, in which the enemy acts.
pub(super) fn strike_chances(
    state: &InformationState,
    position: &Position,
    strike: Action,
    declined: u32,
) -> [f32; 3] {
    let mut chances = [0.0f32; 3];
    let (Some(id), Some(ours)) = (position.piece_at(strike.from), position.piece_at(strike.to)) else {
        return chances;
    };
    let Some(rank) = position.piece(ours).ranks.single() else { return chances };
    let able = if strike.distance() > 1 { RankSet::only(Rank::Scout) } else { RankSet::MOBILE };
    let probabilities = state.conditioned(position, id);
    let (aggressor, willing) = (position.rules().aggressor, willingness(declined));
    for striker in able.iter().filter(|&striker| state.is_profitable(striker, rank, aggressor)) {
        let strikes = willing * state.attack_probability(position, striker, ours);
        chances[battle(striker, rank, aggressor) as usize] += probabilities[striker] * strikes;
    }
    chances
}

/// The probability, as the search sees it at its root, that the enemy makes this strike in its turn and wins. Of
/// strikes that take back what has just struck the search expects more.
pub fn expected_win(state: &InformationState, position: &Position, strike: Action) -> f32 {
    strike_chances(state, position, strike, declined(position, strike))[Outcome::Win as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, Side, Spn};

    const STANDOFF: &str = "9?/9?/10/10/2__2__2/?+1__u+1__2/EG2EE4/10/10/MB3K3H r r -,- 0 60 preset=isf";

    fn position() -> Position {
        Spn::parse(STANDOFF, Ruleset::default()).unwrap().position
    }

    #[test]
    fn a_piece_stands_still_since_it_came_there() {
        let mut position = position();
        let since = |position: &Position, square: &str| plies_since(position)[square.parse().unwrap()];
        // Nobody knows how long what a host told has stood there.
        assert_eq!(since(&position, "e4"), 0);
        for ply in ["f4g4", "e5f5", "g4h4"] {
            position.play(ply.parse().unwrap()).unwrap();
        }
        assert_eq!(["e4", "g4", "f5", "h4"].map(|square| since(&position, square)), [3, 2, 1, 0]);
    }

    #[test]
    fn turns_count_from_the_arrival_of_the_later() {
        let mut position = position();
        let strike = Action::new("e5".parse().unwrap(), "e4".parse().unwrap());
        let mut counted = Vec::new();
        for ply in ["f4g4", "a5b5", "b4b3", "b5a5", "g4h4", "e5f5", "h4h3", "f5e5", "h3h4"] {
            position.play(ply.parse().unwrap()).unwrap();
            if position.to_move() == Side::Blue && position.piece_at("e5".parse().unwrap()).is_some() {
                counted.push(declined(&position, strike));
            }
        }
        assert_eq!(counted, [0, 1, 2, 0]);
    }
}
