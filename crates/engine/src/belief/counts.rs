//! What facts and counts alone say of the hidden pieces, fast enough to ask at every ply of a training run.
//!
//! Where a piece is either known, seen to move, or never seen to move, the chances have a closed form: what has moved
//! is any of the mobile pieces left, and what has not is any of those that then remain. With silent strikes there are
//! more classes of pieces, and assignments are counted ([`exact_dp`]). What is too much for that is left to the joint
//! model.

mod exact_dp;

use super::army_model::{ArmyModel, RankProbabilities, uniform};
use super::assignment;
use crate::rules::{ByRank, Piece, PieceId, Position, Rank, RankSet, Side};
use crate::view::HiddenArmy;
use exact_dp::Class;

/// The chances of one side's pieces by facts and counts.
#[derive(Clone, Debug)]
pub enum Counts {
    /// Every hidden piece is one of two kinds.
    Plain {
        /// Chances of a piece that has been seen to move.
        moved: RankProbabilities,
        /// Chances of a piece that has not.
        unmoved: RankProbabilities,
    },
    /// Chances by the ranks that facts leave a piece.
    Classes {
        /// Ranks, and the chances of a piece of which no more is known.
        probabilities: Vec<(RankSet, RankProbabilities)>,
        /// Whether the flag is known to stand, so that no dead piece was it.
        flag_stands: bool,
    },
    /// Chances piece by piece.
    ByPiece(Vec<(PieceId, RankProbabilities)>),
}

impl Counts {
    /// What the enemy of `side`'s owner may think of its pieces, where `piece` tells what it knows of each.
    pub fn of(position: &Position, side: Side, known: impl Fn(&Piece) -> RankSet) -> Counts {
        let fast = Counts::plain(position, side, &known).or_else(|| Counts::classes(position, side, &known));
        fast.unwrap_or_else(|| Counts::by_piece(&HiddenArmy::by(position, side, known), position))
    }

    /// The closed form, if it holds: exact.
    fn plain(position: &Position, side: Side, known: &impl Fn(&Piece) -> RankSet) -> Option<Counts> {
        let army = position.rules().army();
        let (any, mobile) = (army.ranks(), army.ranks().and(RankSet::MOBILE));
        let mut left = army.counts().map(f32::from);
        let (mut movers, mut others) = (0.0_f32, 0.0_f32);
        for (_, piece) in position.pieces(side) {
            let ranks = known(piece);
            if let Some(rank) = ranks.single() {
                left[rank] -= 1.0;
            } else if !piece.is_alive() {
                return None;
            } else if ranks == any {
                others += 1.0;
            } else if ranks == mobile {
                movers += 1.0;
            } else {
                return None;
            }
        }
        let fits = left.values().all(|&count| count >= 0.0);
        let mobile: f32 = mobile.iter().map(|rank| left[rank]).sum();
        if !fits || movers > mobile || (left.values().sum::<f32>() - movers - others).abs() > 0.5 {
            return None;
        }
        let share = |of: f32| 1.0 / of.max(1.0);
        let of_mover = |rank: Rank| if rank.is_mobile() { left[rank] * share(mobile) } else { 0.0 };
        let moved: RankProbabilities = ByRank::from_fn(of_mover);
        let unmoved = ByRank::from_fn(|rank| (left[rank] - movers * moved[rank]) * share(others));
        Some(Counts::Plain { moved, unmoved })
    }

    /// By counting the assignments of ranks to classes of pieces: exact, too.
    fn classes(position: &Position, side: Side, known: &impl Fn(&Piece) -> RankSet) -> Option<Counts> {
        let army = position.rules().army();
        let flag_stands =
            position.pieces(side).any(|(_, piece)| piece.is_alive() && known(piece).contains(Rank::Flag));
        let mut left = *army.counts();
        let mut classes: Vec<Class> = Vec::with_capacity(16);
        let mut add =
            |ranks: RankSet, size: usize| match classes.iter_mut().find(|class| class.ranks == ranks) {
                Some(class) => class.size += size as u8,
                None => classes.push(Class { ranks, size: size as u8 }),
            };
        let mut count = 0;
        for (_, piece) in position.pieces(side) {
            count += 1;
            let ranks = known(piece);
            match ranks.single() {
                Some(rank) => left[rank] = left[rank].checked_sub(1)?,
                None => add(possible(piece, ranks, flag_stands), 1),
            }
        }
        // A study position may leave pieces out.
        if let Some(missing) = army.size().checked_sub(count).filter(|missing| *missing > 0) {
            add(of_the_dead(RankSet::ALL, flag_stands), missing);
        }
        let probabilities = exact_dp::probabilities(&classes, &left)?;
        let ranks = classes.iter().map(|class| class.ranks);
        Some(Counts::Classes { probabilities: ranks.zip(probabilities).collect(), flag_stands })
    }

    fn by_piece(pieces: &HiddenArmy, position: &Position) -> Counts {
        let army = ArmyModel::new(pieces, position.rules(), |_, _| ByRank::filled(1.0));
        let mut probabilities = Vec::new();
        if !assignment::marginals(&army.problem(), &mut probabilities) {
            probabilities = pieces.iter().map(|(_, piece)| uniform(piece.ranks)).collect();
        }
        Counts::ByPiece(
            pieces.iter().zip(probabilities).map(|((id, _), probabilities)| (*id, probabilities)).collect(),
        )
    }

    /// The chances of one of the side's pieces, of which no more than `ranks` is known.
    pub fn probabilities(&self, id: PieceId, piece: &Piece, ranks: RankSet) -> RankProbabilities {
        if let Some(rank) = ranks.single() {
            return ByRank::from_fn(|other| f32::from(u8::from(other == rank)));
        }
        let found = match self {
            Counts::Plain { moved, unmoved } => {
                Some(if ranks.meets(RankSet::IMMOBILE) { unmoved } else { moved })
            }
            Counts::Classes { probabilities, flag_stands } => {
                let ranks = possible(piece, ranks, *flag_stands);
                probabilities
                    .iter()
                    .find(|(other, _)| *other == ranks)
                    .map(|(_, probabilities)| probabilities)
            }
            Counts::ByPiece(pieces) => {
                pieces.iter().find(|(other, _)| *other == id).map(|(_, probabilities)| probabilities)
            }
        };
        found.copied().unwrap_or_else(|| uniform(ranks))
    }
}

/// The ranks that are left to a piece of which `ranks` are known: while the flag stands, no dead piece is one.
fn possible(piece: &Piece, ranks: RankSet, flag_stands: bool) -> RankSet {
    if piece.is_alive() { ranks } else { of_the_dead(ranks, flag_stands) }
}

fn of_the_dead(ranks: RankSet, flag_stands: bool) -> RankSet {
    if flag_stands { ranks.without(RankSet::only(Rank::Flag)) } else { ranks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Belief;
    use crate::deployment::shuffled;
    use crate::rng::Rng;
    use crate::rules::{Preset, Ruleset};
    use crate::view::View;
    use outflank_referee::Referee;

    /// A view after some plies, a third of them strikes if possible, the others random.
    fn played(rules: Ruleset, plies: u32, seed: u64) -> View {
        let mut rng = Rng::new(seed);
        let setups = [shuffled(&rules, &mut rng), shuffled(&rules, &mut rng)];
        let mut referee = Referee::new(rules, &setups[0], &setups[1]).unwrap();
        let mut view = View::new(Side::Red, rules);
        for events in referee.opening() {
            view.observe(&events[Side::Red]).unwrap();
        }
        while referee.ply() < plies && referee.ending().is_none() {
            let actions = referee.actions();
            let strikes = actions.iter().copied().filter(|action| view.position().is_strike(*action));
            let strikes: Vec<_> = strikes.collect();
            let among = if strikes.is_empty() || rng.below(3) > 0 { actions } else { strikes };
            let events = referee.play(among[rng.below(among.len())]).unwrap();
            view.observe(&events[Side::Red]).unwrap();
        }
        view
    }

    /// Expects what the exact joint model says of the enemy.
    fn compare(view: &View) -> Counts {
        let counts = Counts::of(view.position(), Side::Blue, |piece| piece.ranks);
        let exact = Belief::of_enemies_weighing(view, &[]).exact().unwrap();
        for ((id, piece), (_, exact)) in view.enemies().zip(exact) {
            let probabilities = counts.probabilities(id, piece, piece.ranks);
            for (one, &other) in probabilities.values().zip(exact.values()) {
                assert!((one - other).abs() < 1e-5, "{id:?} {probabilities:?} {exact:?}");
                assert_eq!(*one > 0.0, other > 0.0, "{id:?} {probabilities:?} {exact:?}");
            }
        }
        counts
    }

    #[test]
    fn the_closed_form_is_what_the_exact_joint_model_says() {
        let barrage = Ruleset { barrage: true, ..Ruleset::default() };
        for (rules, plies) in [(Ruleset::of(Preset::Evaluator), 500), (barrage, 20), (barrage, 60)] {
            for seed in 0..6 {
                let counts = compare(&played(rules, plies, seed));
                assert!(matches!(counts, Counts::Plain { .. }), "{counts:?}");
            }
        }
    }

    #[test]
    fn silent_strikes_are_counted_exactly() {
        let (mut classes, mut fallen) = (0, 0);
        let silent = Ruleset { silent: true, ..Ruleset::default() };
        let barrage = Ruleset { barrage: true, ..silent };
        for (rules, plies) in [(silent, 300), (silent, 500), (barrage, 10), (barrage, 30)] {
            for seed in 0..6 {
                let view = played(rules, plies, seed);
                classes += usize::from(matches!(compare(&view), Counts::Classes { .. }));
                let untold = |piece: &Piece| !piece.is_alive() && piece.ranks.len() > 1;
                fallen += view.enemies().filter(|(_, piece)| untold(piece)).count();
            }
        }
        assert!(classes > 8 && fallen > 16, "{classes} {fallen}");
    }
}
