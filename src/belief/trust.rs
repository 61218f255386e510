//! How far each expert of the belief is trusted against this player.
//!
//! What a history or a setup says was learned from other players. So each expert competes with plain counts: several
//! mixtures of experts are weighted by how well they predicted the ranks revealed so far, from a sceptical start.
//! Flag, bombs and mobile ranks have weights of their own, as what holds for one need not hold for another.

use super::counts::Counts;
use super::explanation::multiply;
use super::history::{self, HistoryNet};
use super::{ArmyModel, RankProbabilities, by_place, setups};
use crate::math;
use crate::rules::{Army, ByRank, Piece, PieceId, Rank};
use crate::view::View;

/// Kinds of ranks that are judged apart.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum RankKind {
    /// The flag.
    Flag,
    /// Bombs.
    Bomb,
    /// All that can move.
    Mobile,
}

impl RankKind {
    /// All of them.
    pub const ALL: [RankKind; 3] = [RankKind::Flag, RankKind::Bomb, RankKind::Mobile];

    /// The kind of a rank.
    pub const fn of(rank: Rank) -> RankKind {
        match rank {
            Rank::Flag => RankKind::Flag,
            Rank::Bomb => RankKind::Bomb,
            _ => RankKind::Mobile,
        }
    }

    fn holds(self, rank: Rank) -> bool {
        RankKind::of(rank) == self
    }
}

/// What the experts predicted of a piece just before a ply that may reveal its rank.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Prediction {
    /// That ply, counted as plies played with it.
    pub ply: u32,
    /// The piece.
    pub id: PieceId,
    /// Its rank probabilities by facts and counts.
    pub counts: RankProbabilities,
    /// What the experts said.
    pub experts: LogLikelihoods,
}

/// A prediction and the rank that was revealed.
pub type Scored = (Prediction, Rank);

/// How much each expert favours each rank of a piece, in nats; only differences between ranks count.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct LogLikelihoods {
    /// Its history, by what players of all kinds do.
    pub history: ByRank<f32>,
    /// Its history, by what this engine does against itself.
    pub self_play: ByRank<f32>,
    /// Its place, and what is known of the pieces that began elsewhere.
    pub setup: ByRank<f32>,
}

impl LogLikelihoods {
    fn weight(&self, power: Exponents, rank: Rank) -> f32 {
        let sum = power.history * self.history[rank]
            + power.self_play * self.self_play[rank]
            + power.setup * self.setup[rank];
        math::exp(sum)
    }
}

/// The exponents of the experts in a mixture.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Exponents {
    /// Of the history.
    pub history: f32,
    /// Of the history as this engine plays against itself.
    pub self_play: f32,
    /// Of the setup.
    pub setup: f32,
}

/// Experts raised to exponents, and the prior weight of that for flag, bombs and mobile ranks.
struct Mixture {
    powers: Exponents,
    shares: [f32; 3],
}

const fn mixture(history: f32, self_play: f32, setup: f32, shares: [f32; 3]) -> Mixture {
    Mixture { powers: Exponents { history, self_play, setup }, shares }
}

/// The mixtures that compete; the first is plain counts. Chosen by hand among eleven such lists on 20 games of strong
/// players, 40 against a bot of the public arena and 36 of this engine against itself: `docs/experiments.md`,
/// "Experts".
const MIXTURES: [Mixture; 10] = [
    mixture(0.0, 0.0, 0.0, [0.05, 0.05, 0.10]),
    mixture(0.35, 0.0, 0.0, [0.05, 0.10, 0.20]),
    mixture(0.7, 0.0, 0.0, [0.15, 0.20, 0.30]),
    mixture(1.0, 0.0, 0.0, [0.15, 0.10, 0.20]),
    mixture(0.0, 0.5, 0.0, [0.02, 0.02, 0.03]),
    mixture(0.0, 1.0, 0.0, [0.03, 0.03, 0.05]),
    mixture(0.0, 1.0, 0.5, [0.05, 0.05, 0.05]),
    mixture(0.5, 0.0, 0.5, [0.30, 0.30, 0.08]),
    mixture(0.0, 0.0, 1.0, [0.10, 0.10, 0.02]),
    mixture(0.4, 0.0, 1.0, [0.30, 0.20, 0.05]),
];

/// How much a revealed rank counts as evidence: ranks that are revealed are not drawn as hidden ones are. Chosen with
/// [`MIXTURES`].
const REVEAL_WEIGHT: f32 = 0.5;

/// The powers of the sources for each kind of rank.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Trust([Exponents; 3]);

impl Trust {
    /// By how well the mixtures predicted the revealed ranks.
    pub fn of<'a>(revealed: impl Iterator<Item = &'a Scored>) -> Trust {
        let mut logs: [[f32; MIXTURES.len()]; 3] =
            std::array::from_fn(|kind| std::array::from_fn(|index| math::ln(MIXTURES[index].shares[kind])));
        for (prediction, rank) in revealed {
            for (kind, logs) in RankKind::ALL.into_iter().zip(&mut logs) {
                for (mixture, log) in MIXTURES.iter().zip(logs) {
                    *log += REVEAL_WEIGHT
                        * math::ln(likelihood(prediction, *rank, kind, mixture.powers).max(1e-3));
                }
            }
        }
        Trust(logs.map(|logs| mean(&logs)))
    }

    /// The powers for a kind of rank.
    pub const fn powers(&self, kind: RankKind) -> Exponents {
        self.0[kind as usize]
    }

    /// How much what the history says favours each rank.
    pub fn history(&self, said: &ByRank<f32>) -> ByRank<f32> {
        self.favours(said, |powers| powers.history)
    }

    /// How much what the history says as this engine plays favours each rank.
    pub fn self_play(&self, said: &ByRank<f32>) -> ByRank<f32> {
        self.favours(said, |powers| powers.self_play)
    }

    /// How much what the setup says favours each rank.
    pub fn setup(&self, said: &ByRank<f32>) -> ByRank<f32> {
        self.favours(said, |powers| powers.setup)
    }

    fn favours(&self, said: &ByRank<f32>, power: fn(Exponents) -> f32) -> ByRank<f32> {
        ByRank::from_fn(|rank| math::exp(power(self.powers(RankKind::of(rank))) * said[rank]))
    }
}

/// The mean of the mixtures' powers.
fn mean(logs: &[f32; MIXTURES.len()]) -> Exponents {
    let most = logs.iter().copied().fold(f32::MIN, f32::max);
    let shares = logs.map(|log| math::exp(log - most));
    let sum: f32 = shares.iter().sum();
    let mut mean = Exponents::default();
    for (Mixture { powers, .. }, share) in MIXTURES.iter().zip(shares) {
        mean.history += powers.history * share / sum;
        mean.self_play += powers.self_play * share / sum;
        mean.setup += powers.setup * share / sum;
    }
    mean
}

/// How likely a mixture held what was revealed about one kind of rank: whether the piece is the flag, or a bomb; which of
/// the mobile ranks it has.
fn likelihood(prediction: &Prediction, revealed: Rank, kind: RankKind, powers: Exponents) -> f32 {
    let weight = |rank: Rank| prediction.counts[rank] * prediction.experts.weight(powers, rank);
    let sum = |holds: &dyn Fn(Rank) -> bool| -> f32 {
        Rank::ALL.into_iter().filter(|&rank| holds(rank)).map(weight).sum()
    };
    let revealed_kind = RankKind::of(revealed);
    match kind {
        RankKind::Flag | RankKind::Bomb => {
            let share = sum(&|rank| kind.holds(rank)) / sum(&|_| true).max(f32::MIN_POSITIVE);
            if revealed_kind == kind { share } else { 1.0 - share }
        }
        RankKind::Mobile if revealed_kind == RankKind::Mobile => {
            weight(revealed) / sum(&|rank| kind.holds(rank)).max(f32::MIN_POSITIVE)
        }
        RankKind::Mobile => 1.0,
    }
}

/// What the setup says of each piece, in nats: `placed`, where it began, and `joined`, what is known of the pieces
/// that began elsewhere.
pub(super) fn setup_log_likelihoods(
    pieces: &[(PieceId, Piece)],
    view: &View,
    placed: bool,
    joined: bool,
) -> Vec<ByRank<f32>> {
    let mut model = ArmyModel::new(pieces, view.position(), |_, _| ByRank::filled(1.0));
    for ((id, piece), weights) in pieces.iter().zip(&mut model.weights).filter(|_| placed) {
        if let Some(favoured) = by_place(*id, piece, view.position()) {
            multiply(weights, &favoured);
        }
    }
    if joined {
        setups::weigh(&mut model, pieces, placed);
    }
    let log = |weights: &ByRank<f32>| weights.map(|weight| math::ln(weight.max(1e-6)));
    model.weights.iter().take(pieces.len()).map(log).collect()
}

/// What the sources say of one of the enemy's pieces; `None` if its rank is known or the army is not the classic one.
pub fn predict(view: &View, id: PieceId) -> Option<Prediction> {
    let position = view.position();
    let piece = position.piece(id);
    if piece.ranks.len() < 2 || position.rules().army() != Army::CLASSIC {
        return None;
    }
    let pieces: Vec<_> = view.enemies().map(|(id, piece)| (id, *piece)).collect();
    let index = pieces.iter().position(|(other, _)| *other == id)?;
    let counts = Counts::of(position, id.side(), |piece| piece.ranks);
    let experts = LogLikelihoods {
        history: history::log_likelihoods_of(HistoryNet::general()?, &pieces, view, index),
        self_play: history::log_likelihoods_of(HistoryNet::self_play()?, &pieces, view, index),
        setup: setup_log_likelihoods(&pieces, view, true, true)[index],
    };
    let counts = counts.probabilities(id, piece, piece.ranks);
    Some(Prediction { ply: position.ply() + 1, id, counts, experts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    /// A piece that was one of flag, captain and bomb, of which the setup said that it was a bomb and its history
    /// nothing.
    fn revealed(rank: Rank) -> Scored {
        let (mut counts, mut experts) = (ByRank::filled(0.0), LogLikelihoods::default());
        for rank in [Rank::Flag, Rank::Captain, Rank::Bomb] {
            counts[rank] = 1.0 / 3.0;
        }
        experts.setup[Rank::Bomb] = 2.0;
        (Prediction { ply: 10, id: PieceId::new(Side::Blue, 3), counts, experts }, rank)
    }

    fn after(rank: Rank, times: usize) -> Trust {
        let revealed = revealed(rank);
        Trust::of(std::iter::repeat_n(&revealed, times))
    }

    #[test]
    fn a_stranger_is_trusted_about_half() {
        let trust = Trust::of(std::iter::empty());
        for kind in RankKind::ALL {
            let powers = trust.powers(kind);
            let sum = powers.history + powers.self_play + powers.setup;
            assert!((0.4..1.1).contains(&sum), "{kind:?} {powers:?}");
        }
        assert!(
            trust.powers(RankKind::Mobile).setup < 0.2,
            "strong players do not set their mobile pieces up as people do"
        );
    }

    #[test]
    fn a_source_is_trusted_the_more_the_more_it_was_right() {
        let setup = |trust: Trust| trust.powers(RankKind::Bomb).setup;
        let (right, stranger, wrong) =
            (setup(after(Rank::Bomb, 8)), setup(after(Rank::Bomb, 0)), setup(after(Rank::Captain, 8)));
        assert!(right > stranger + 0.1 && wrong < stranger - 0.1, "{wrong} {stranger} {right}");
    }

    #[test]
    fn what_a_bomb_tells_is_nothing_about_mobile_ranks() {
        assert_eq!(
            after(Rank::Bomb, 8).powers(RankKind::Mobile),
            after(Rank::Bomb, 0).powers(RankKind::Mobile)
        );
    }
}
