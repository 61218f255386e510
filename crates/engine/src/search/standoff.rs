//! How likely the enemy strikes what it stands beside.
//!
//! A strike is as likely as the piece has a rank that profits from it, and as such a rank strikes. What could have
//! struck and did not hardly does so later: that makes it less likely from turn to turn.

use super::params;
use crate::eval::InformationState;
use crate::rules::{Action, BySquare, Played, Position, Rank, RankSet, Side, Square, SquareSet, battle};

/// Of each square: the plies made since the last one that went there; all that are known where none did.
fn plies_since(position: &Position) -> BySquare<u32> {
    since(position, |played, _| Some(played.action.to))
}

/// Of each square: the plies made since a piece of this side last left it; all that are known where none did.
fn plies_since_vacated(position: &Position, side: Side) -> BySquare<u32> {
    since(position, |played, actor| (actor == side).then_some(played.action.from))
}

/// Of each square: the plies made since the last one of which this is the square; all that are known where none is.
fn since(position: &Position, square: impl Fn(Played, Side) -> Option<Square>) -> BySquare<u32> {
    let mut since = BySquare::filled(position.history().len() as u32);
    let mut actor = position.to_move();
    for (plies, played) in (0..).zip(position.history().rev()) {
        actor = actor.enemy();
        if let Some(square) = square(*played, actor) {
            since[square] = plies.min(since[square]);
        }
    }
    since
}

/// The plies between the root and a node, and how long the squares had stood as they were before.
pub(super) struct Path {
    /// The plies since the root; `None` for a null move.
    plies: Vec<Option<Action>>,
    /// Of each square: the plies between the last one that went there and the root.
    still: BySquare<u32>,
    /// Of each square: the plies between the last one of ours that left it and the root.
    vacated: BySquare<u32>,
}

impl Path {
    /// At the root of a search of ours.
    pub(super) fn new(position: &Position, us: Side) -> Path {
        let (still, vacated) = (plies_since(position), plies_since_vacated(position, us));
        Path { plies: Vec::new(), still, vacated }
    }

    /// Goes a ply down; without an action it is a null move.
    pub(super) fn push(&mut self, action: Option<Action>) {
        self.plies.push(action);
    }

    /// Goes a ply up.
    pub(super) fn pop(&mut self) {
        self.plies.pop();
    }

    /// In how many turns the enemy, who is to act in `position`, could have made this strike and did not: its
    /// turns since the last of the two pieces came where they stand, as far back as the position knows its plies. At a bomb
    /// around the flag that nobody guards only those count since the last guard left. The transposition table does not tell such ways to a position apart.
    pub(super) fn declined(&self, position: &Position, strike: Action) -> u32 {
        let came = |action: Action| [strike.from, strike.to].contains(&action.to);
        let mut since = self.plies_since(|action, _| came(action), &self.still, [strike.from, strike.to]);
        if is_unguarded(position, strike.to) {
            let beside = SquareSet::only(strike.to).neighbours();
            let vacates = |action: Action, ours| ours && beside.contains(action.from);
            since = since.min(self.plies_since(vacates, &self.vacated, beside));
        }
        // The last ply was ours.
        since / 2
    }

    /// The plies since the last action that `is_one`, which is given whether the action was ours; the enemy is to act.
    /// If there is none in the tree: since the latest before the root at one of these squares, as `before` has it.
    fn plies_since(
        &self,
        is_one: impl Fn(Action, bool) -> bool,
        before: &BySquare<u32>,
        squares: impl IntoIterator<Item = Square>,
    ) -> u32 {
        let mut plies = self.plies.iter().rev().zip([true, false].into_iter().cycle());
        let within = plies.position(|(&ply, ours)| ply.is_some_and(|action| is_one(action, ours)));
        let whole =
            || self.plies.len() as u32 + squares.into_iter().map(|square| before[square]).min().unwrap_or(0);
        within.map_or_else(whole, |plies| plies as u32)
    }
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
    let (strike_rules, willing) = (position.rules().strike_rules(), willingness(declined));
    for striker in able.iter().filter(|&striker| state.is_profitable(striker, rank, strike_rules)) {
        let strikes = willing * state.attack_probability(position, striker, ours);
        chances[battle(striker, rank, strike_rules) as usize] += probabilities[striker] * strikes;
    }
    chances
}

/// Whether a bomb of the side that is not to act, beside its flag or beside such a bomb, is unguarded: nothing beside
/// it would take back. Strikes at guarded ones are declined because of the guard: "A guard leaves the flag" in
/// docs/log/strikes.md.
fn is_unguarded(position: &Position, target: Square) -> bool {
    let beside =
        |square: Square| square.neighbours().filter_map(|next| Some((next, own_rank(position, next)?)));
    let flag_beside = |square| beside(square).any(|(_, rank)| rank == Rank::Flag);
    let shields = |(square, rank)| rank == Rank::Flag || (rank == Rank::Bomb && flag_beside(square));
    let guards = |(_, rank): (Square, Rank)| rank.is_mobile() && rank >= Rank::Miner;
    own_rank(position, target) == Some(Rank::Bomb)
        && beside(target).any(shields)
        && !beside(target).any(guards)
}

/// The rank of a piece of the side that is not to act.
fn own_rank(position: &Position, square: Square) -> Option<Rank> {
    let id = position.piece_at(square).filter(|id| id.side() != position.to_move())?;
    position.piece(id).ranks.single()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Belief;
    use crate::eval::{HandMade, Walk};
    use crate::event::Event;
    use crate::rules::{Ruleset, Spn};
    use crate::search::TranspositionTable;
    use crate::search::test_support::task;
    use crate::search::tree::Tree;
    use crate::view::View;

    const STANDOFF: &str = "9?/9?/10/10/2__2__2/?+1__u+1__2/EG2EE4/10/10/MB3K3H r r -,- 0 60 preset=isf";

    /// In how many turns the side to act could have made this strike and did not: its turns since the last of the two
    /// pieces came where they stand, as far back as the position knows its plies. At a bomb around the flag that
    /// nobody guards only those count since the last guard left.
    fn declined(position: &Position, strike: Action) -> u32 {
        let came = plies_since(position);
        let mut since = came[strike.from].min(came[strike.to]);
        if is_unguarded(position, strike.to) {
            let vacated = plies_since_vacated(position, position.to_move().enemy());
            since = strike.to.neighbours().map(|beside| vacated[beside]).fold(since, u32::min);
        }
        // The last ply was the other side's.
        since / 2
    }

    fn position() -> Position {
        Spn::parse(STANDOFF, Ruleset::default()).unwrap().position
    }

    #[test]
    fn a_piece_stands_still_since_it_came_there() {
        let mut position = position();
        let since = |position: &Position, square: &str| plies_since(position)[square.parse().unwrap()];
        // Nobody knows how long what a host reported has stood there.
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

    #[test]
    fn bombs_around_the_flag_are_unguarded_without_a_piece_that_takes_back() {
        // a1 is the flag, b1 and a2 bombs beside it, c1 and b2 bombs beside those; e1 is another bomb.
        let unguarded = |row: &str, target: &str| {
            let text = format!("9?/9?/10/10/2__2__2/2__2__2/10/10/B9/{row} b r -,- 0 60 preset=isf");
            is_unguarded(&Spn::parse(&text, Ruleset::default()).unwrap().position, target.parse().unwrap())
        };
        assert!(unguarded("MBB1B5", "b1") && unguarded("MBB1B5", "c1") && unguarded("MBB1B5", "a2"));
        assert!(!unguarded("MBB1B5", "e1") && !unguarded("MBB1B5", "a1") && !unguarded("MBB1B5", "d1"));
        // A sergeant takes a miner back, a scout does not.
        assert!(!unguarded("MBBF1B4", "c1") && unguarded("MBBD1B4", "c1"));
    }

    /// The enemy's piece on c2 may take the bomb on c1, and behind that another one and the flag; d1 guards. It leaves,
    /// comes back, leaves, stays away for two turns, and comes back.
    const GUARDED: &str = "9?/9?/10/10/2__2__2/2__2__2/10/10/B1?+7/MBBF6 b r -,- 0 60 preset=isf";
    const PLIES: [&str; 12] =
        ["j9j8", "d1d2", "j8j9", "d2d1", "j9j8", "d1e1", "j8j9", "e1f1", "j9j8", "f1e1", "j8j9", "e1d1"];
    const COUNTED: [u32; 6] = [0, 2, 0, 1, 2, 6];

    #[test]
    fn what_was_declined_while_a_guard_stood_there_does_not_count() {
        let strike = Action::new("c2".parse().unwrap(), "c1".parse().unwrap());
        for before in 0..=PLIES.len() {
            let mut view = View::from_spn(&Spn::parse(GUARDED, Ruleset::default()).unwrap(), Side::Red);
            let (mut counted, mut in_tree) = (Vec::new(), Vec::new());
            for ply in &PLIES[..before] {
                view.observe(&Event::Played(ply.parse().unwrap())).unwrap();
                if view.position().to_move() == Side::Blue {
                    counted.push(declined(view.position(), strike));
                }
            }
            let (belief, table) = (Belief::of_enemies(&view), TranspositionTable::of_megabytes(1).unwrap());
            let task = task(&view, &belief, None, &[]);
            let mut tree = Tree::new(&task, Walk::new(HandMade, &view, &belief), &table, None);
            for ply in &PLIES[before..] {
                tree.suppose(ply.parse().unwrap()).unwrap();
                if tree.walk.position.to_move() == Side::Blue {
                    counted.push(declined(&tree.walk.position, strike));
                    in_tree.push(tree.path.declined(&tree.walk.position, strike));
                }
            }
            assert_eq!(counted, COUNTED, "{before}");
            assert!(COUNTED.ends_with(&in_tree), "{before}: {in_tree:?}");
        }
    }
}
