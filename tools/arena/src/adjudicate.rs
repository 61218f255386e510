//! Ending games that both players have long given the same winner.

use outflank::rules::{BySide, Side};

/// When a game is given to a side.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Adjudication {
    /// The share of the points, in permille, that both players have to see for the winner.
    pub permille: u32,
    /// In how many of their own actions running each of them has to see it.
    pub actions: u32,
}

/// Both players' scores in one game.
#[derive(Copy, Clone, Debug, Default)]
pub struct Agreement {
    /// For each player: the winner it sees, and in how many actions running.
    seen: BySide<(Option<Side>, u32)>,
}

impl Agreement {
    /// Takes in what `mover` said of its chances (permille to win, draw and lose) on its turn.
    pub fn hear(&mut self, rule: Adjudication, mover: Side, chances: Option<[u32; 3]>) {
        let winner = chances.and_then(|[won, drawn, lost]| {
            let points = |wins: u32| 2 * wins.min(1000) + drawn.min(1000);
            if points(won) >= 2 * rule.permille {
                Some(mover)
            } else {
                (points(lost) >= 2 * rule.permille).then(|| mover.enemy())
            }
        });
        let (before, times) = self.seen[mover];
        self.seen[mover] = (winner, if winner == before { times + 1 } else { 1 });
    }

    /// The side that both players give the game to.
    pub fn winner(&self, rule: Adjudication) -> Option<Side> {
        let [(red, red_times), (blue, blue_times)] = self.seen.into_array();
        red.filter(|_| red == blue && red_times.min(blue_times) >= rule.actions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Adjudication = Adjudication { permille: 950, actions: 2 };

    fn winner(scores: &[[u32; 3]]) -> Option<Side> {
        let mut agreement = Agreement::default();
        for (mover, scores) in Side::BOTH.into_iter().cycle().zip(scores) {
            agreement.hear(RULE, mover, Some(*scores));
        }
        agreement.winner(RULE)
    }

    #[test]
    fn both_have_to_see_it_and_go_on_seeing_it() {
        let (won, lost, open) = ([960, 0, 40], [20, 30, 950], [400, 300, 300]);
        assert_eq!(winner(&[won, lost, won, lost]), Some(Side::Red));
        assert_eq!(winner(&[lost, won, lost, won]), Some(Side::Blue));
        assert_eq!(winner(&[won, lost, won]), None);
        assert_eq!(winner(&[won, lost, open, lost, won, lost]), None);
        assert_eq!(winner(&[won, won, won, won]), None);
        assert_eq!(winner(&[open; 8]), None);
        assert_eq!(winner(&[[1000, 1000, 1000]; 4]), None);
        assert_eq!(winner(&[[900, 100, 0], lost, [900, 100, 0], lost]), Some(Side::Red));
        let mut silent = Agreement::default();
        silent.hear(RULE, Side::Red, None);
        assert_eq!(silent.winner(Adjudication { actions: 0, ..RULE }), None);
    }
}
