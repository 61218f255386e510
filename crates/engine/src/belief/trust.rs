//! How far each expert of the belief is trusted against this player.
//!
//! What a history or a setup says was learned from other players. So each expert competes with plain counts: several
//! mixtures of experts are weighted by how well they predicted the ranks revealed so far, from a sceptical start.
//! Flag, bombs and mobile ranks have weights of their own, as what holds for one need not hold for another.

use super::army_model::RankProbabilities;
use super::params;
use crate::math;
use crate::rules::{ByRank, PieceId, Rank, RankKind, RankSet};

/// How far one expert is trusted.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NamedExponent {
    /// The expert, by its word in the protocol.
    pub expert: &'static str,
    /// For which kind of ranks, if it has an exponent for each.
    pub kind: Option<RankKind>,
    /// The power that what it says is raised to: 0 where it is not trusted, 1 where it is in full.
    pub exponent: f32,
}

/// The exponents of the experts that are judged together, each from 0, not trusted, to 1, trusted in full.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Exponents {
    /// Of the history.
    pub history: f32,
    /// Of the history as this engine plays against itself.
    pub self_play: f32,
    /// Of the setup.
    pub setup: f32,
}

impl Exponents {
    /// How much the experts favour a rank together.
    fn weight(self, experts: &LogLikelihoods, rank: Rank) -> f32 {
        math::exp(
            self.history * experts.history[rank]
                + self.self_play * experts.self_play[rank]
                + self.setup * experts.setup[rank],
        )
    }
}

/// Experts raised to exponents, and the prior weight of that for flag, bombs and mobile ranks.
struct Mixture {
    powers: Exponents,
    shares: [f32; 3],
}

const fn mixture(history: f32, self_play: f32, setup: f32, shares: [f32; 3]) -> Mixture {
    Mixture { powers: Exponents { history, self_play, setup }, shares }
}

/// The mixtures that compete; the first is plain counts. The shares were chosen on 40 games of strong players (each half
/// scored by a net of the other), 40 of this engine against itself and 60 of three bots with randomised setups, by a
/// random search and then by hand towards what came before: `docs/log/belief.md`, "Shares of the mixtures".
const MIXTURES: [Mixture; 10] = [
    mixture(0.0, 0.0, 0.0, [0.15, 0.05, 0.18]),
    mixture(0.35, 0.0, 0.0, [0.02, 0.03, 0.20]),
    mixture(0.7, 0.0, 0.0, [0.15, 0.20, 0.30]),
    mixture(1.0, 0.0, 0.0, [0.05, 0.05, 0.10]),
    mixture(0.0, 0.5, 0.0, [0.10, 0.20, 0.05]),
    mixture(0.0, 1.0, 0.0, [0.02, 0.02, 0.04]),
    mixture(0.0, 1.0, 0.5, [0.02, 0.02, 0.02]),
    mixture(0.5, 0.0, 0.5, [0.06, 0.33, 0.07]),
    mixture(0.0, 0.0, 1.0, [0.40, 0.02, 0.02]),
    mixture(0.4, 0.0, 1.0, [0.03, 0.08, 0.02]),
];

/// An expert on what pieces do: exponents that compete, each with its prior weight. Players differ in how often they
/// bluff, from never to always, so most of it is learned during the game.
struct Behaviour {
    exponents: [(f32, f32); 3],
    log: fn(&LogLikelihoods) -> &ByRank<f32>,
}

/// What moves were good for. The prior weights are guesses.
const MOVES: Behaviour =
    Behaviour { exponents: [(0.0, 0.25), (0.5, 0.35), (1.0, 0.40)], log: |experts| &experts.moves };

/// Whom a piece has just come beside. The prior weights are guesses.
const CONTACT: Behaviour =
    Behaviour { exponents: [(0.0, 0.35), (0.4, 0.40), (1.0, 0.25)], log: |experts| &experts.contact };

impl Behaviour {
    /// The mean exponent, by how likely each held the ranks that were revealed.
    fn mean<'a>(&self, scored: impl Iterator<Item = (&'a Prediction, Rank)>, trust: &Trust) -> f32 {
        let mut logs = self.exponents.map(|(_, prior)| math::ln(prior));
        for (prediction, rank) in scored {
            let experts = ByRank::from_fn(|rank| {
                let powers = trust.exponents(rank.kind());
                prediction.counts[rank] * powers.weight(&prediction.experts, rank)
            });
            let said = (self.log)(&prediction.experts);
            for ((exponent, _), log) in self.exponents.iter().zip(&mut logs) {
                *log += math::ln(likelihood_with(&experts, said, rank, *exponent).max(1e-3));
            }
        }
        self.exponents.iter().zip(shares(logs)).map(|((exponent, _), share)| exponent * share).sum()
    }
}

/// How likely a rank was by the weights of the `experts`, as far as they are trusted, and by what an expert on
/// behaviour `said` with this exponent.
fn likelihood_with(experts: &ByRank<f32>, said: &ByRank<f32>, rank: Rank, exponent: f32) -> f32 {
    let weights = ByRank::from_fn(|rank| experts[rank] * exp(exponent * said[rank]));
    weights[rank] / weights.values().copied().sum::<f32>().max(f32::MIN_POSITIVE)
}

/// [`math::exp`], at once for what says nothing.
fn exp(x: f32) -> f32 {
    if x == 0.0 { 1.0 } else { math::exp(x) }
}

/// How far each expert is trusted against one player: the exponents of what they say, 0 for not at all and 1 for in
/// full.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Trust {
    kinds: [Exponents; 3],
    /// Exponent (0 to 1) of what moves were good for.
    pub moves: f32,
    /// Exponent (0 to 1) of whom a piece has just come beside.
    pub contact: f32,
}

impl Trust {
    /// In the setup alone, in full.
    pub(super) fn in_the_setup() -> Trust {
        Trust { kinds: [Exponents { setup: 1.0, ..Exponents::default() }; 3], ..Trust::default() }
    }

    /// In an army for which no expert was made: what moves were good for is all that is trusted.
    pub(super) fn in_another_army() -> Trust {
        Trust { moves: 1.0, ..Trust::default() }
    }

    /// By how well all experts predicted the `revealed` ranks, and what contacts said of ranks that are known by now.
    pub(super) fn of<'a>(
        revealed: impl Iterator<Item = &'a Scored> + Clone,
        contacts: impl Iterator<Item = (&'a Prediction, Rank)>,
    ) -> Trust {
        let mut trust = Trust { kinds: Trust::by_kind(revealed.clone()), moves: 0.0, contact: 0.0 };
        let ranks = revealed.filter_map(|scored| Some((&scored.prediction, scored.ranks.single()?)));
        trust.moves = MOVES.mean(ranks, &trust);
        trust.contact = CONTACT.mean(contacts, &trust);
        trust
    }

    fn by_kind<'a>(revealed: impl Iterator<Item = &'a Scored>) -> [Exponents; 3] {
        let mut logs: [[f32; MIXTURES.len()]; 3] =
            std::array::from_fn(|kind| std::array::from_fn(|index| math::ln(MIXTURES[index].shares[kind])));
        for scored in revealed {
            let revealed = scored.ranks.single().is_some();
            let weight = if revealed { params::reveal_weight() } else { params::first_move_weight() };
            for (logs, said) in logs.iter_mut().zip(&scored.said) {
                for (log, said) in logs.iter_mut().zip(said) {
                    *log += weight * said;
                }
            }
        }
        logs.map(mean)
    }

    /// Every exponent, expert by expert.
    pub fn all(&self) -> impl Iterator<Item = NamedExponent> {
        let by_kind = (0..3).flat_map(move |expert| {
            RankKind::ALL.map(move |kind| {
                let Exponents { history, self_play, setup } = self.exponents(kind);
                let (name, exponent) =
                    [("setup", setup), ("history", history), ("selfplay", self_play)][expert];
                NamedExponent { expert: name, kind: Some(kind), exponent }
            })
        });
        let of_all = [("contact", self.contact), ("moves", self.moves)];
        by_kind.chain(of_all.map(|(expert, exponent)| NamedExponent { expert, kind: None, exponent }))
    }

    /// The exponents for a kind of rank.
    pub const fn exponents(&self, kind: RankKind) -> Exponents {
        self.kinds[kind as usize]
    }

    /// How much what the history says favours each rank.
    pub(super) fn history(&self, said: &ByRank<f32>) -> ByRank<f32> {
        self.favours(said, |powers| powers.history)
    }

    /// How much what the history says as this engine plays favours each rank.
    pub(super) fn self_play(&self, said: &ByRank<f32>) -> ByRank<f32> {
        self.favours(said, |powers| powers.self_play)
    }

    /// How much what the setup says favours each rank.
    pub(super) fn setup(&self, said: &ByRank<f32>) -> ByRank<f32> {
        self.favours(said, |powers| powers.setup)
    }

    fn favours(&self, said: &ByRank<f32>, power: fn(Exponents) -> f32) -> ByRank<f32> {
        ByRank::from_fn(|rank| exp(power(self.exponents(rank.kind())) * said[rank]))
    }
}

/// Shares that sum to 1, from the logarithms of weights.
fn shares<const N: usize>(logs: [f32; N]) -> [f32; N] {
    let most = logs.iter().copied().fold(f32::MIN, f32::max);
    let weights = logs.map(|log| math::exp(log - most));
    let sum: f32 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// The mean of the mixtures' powers.
fn mean(logs: [f32; MIXTURES.len()]) -> Exponents {
    let mut mean = Exponents::default();
    for (Mixture { powers, .. }, share) in MIXTURES.iter().zip(shares(logs)) {
        mean.history += powers.history * share;
        mean.self_play += powers.self_play * share;
        mean.setup += powers.setup * share;
    }
    mean
}

/// A prediction and what was revealed: a rank, or by a first move that the piece can move.
#[derive(Copy, Clone, Debug)]
pub(super) struct Scored {
    pub(super) prediction: Prediction,
    pub(super) ranks: RankSet,
    /// How well each mixture of experts predicted it. It never changes, and beliefs ask for it move after move.
    pub(super) said: MixtureLogs,
}

impl Scored {
    /// Scores a prediction by what was revealed.
    pub(super) fn new(prediction: &Prediction, ranks: RankSet) -> Scored {
        Scored { prediction: *prediction, ranks, said: mixture_logs(prediction, ranks) }
    }
}

/// By kind of rank and mixture, the logarithm of how likely the mixture held what was revealed.
pub(super) type MixtureLogs = [[f32; MIXTURES.len()]; 3];

/// How well each mixture predicted what was revealed.
pub(super) fn mixture_logs(prediction: &Prediction, revealed: RankSet) -> MixtureLogs {
    let mut logs = MixtureLogs::default();
    for (index, Mixture { powers, .. }) in MIXTURES.iter().enumerate() {
        let weights =
            ByRank::from_fn(|rank| prediction.counts[rank] * powers.weight(&prediction.experts, rank));
        for (kind, logs) in RankKind::ALL.into_iter().zip(&mut logs) {
            logs[index] = math::ln(likelihood(&weights, revealed, kind).max(1e-3));
        }
    }
    logs
}

/// How likely a mixture held what was revealed about one kind of rank, by the weights that it gives: whether the piece
/// is the flag, or a bomb; which of the mobile ranks it has.
fn likelihood(weights: &ByRank<f32>, revealed: RankSet, kind: RankKind) -> f32 {
    let sum = |holds: &dyn Fn(Rank) -> bool| -> f32 {
        Rank::ALL.into_iter().filter(|&rank| holds(rank)).map(|rank| weights[rank]).sum()
    };
    let single = revealed.single();
    match kind {
        RankKind::Flag | RankKind::Bomb => {
            let share = sum(&|rank| rank.kind() == kind) / sum(&|_| true).max(f32::MIN_POSITIVE);
            if single.map(Rank::kind) == Some(kind) { share } else { 1.0 - share }
        }
        RankKind::Mobile => match single.filter(|rank| rank.is_mobile()) {
            Some(rank) => weights[rank] / sum(&|rank| rank.kind() == kind).max(f32::MIN_POSITIVE),
            None => 1.0,
        },
    }
}

/// What the experts predicted of a piece just before a ply that may reveal its rank.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Prediction {
    /// That ply, counted as plies played with it.
    pub(crate) ply: u32,
    /// The piece.
    pub(crate) id: PieceId,
    /// The piece's rank probabilities by facts and counts.
    pub(crate) counts: RankProbabilities,
    /// What the experts said.
    pub(crate) experts: LogLikelihoods,
}

/// How much each expert favours each rank of a piece, in nats; only differences between ranks count.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct LogLikelihoods {
    /// Likelihoods by the piece's history and what players of all kinds do.
    pub(crate) history: ByRank<f32>,
    /// Likelihoods by the piece's history and what this engine does against itself.
    pub(crate) self_play: ByRank<f32>,
    /// Likelihoods by the piece's place and what is known of the pieces that began elsewhere.
    pub(crate) setup: ByRank<f32>,
    /// What its moves were good for.
    pub(crate) moves: ByRank<f32>,
    /// Whom it has just come beside.
    pub(crate) contact: ByRank<f32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{PieceId, Side};

    /// A piece that was one of flag, captain and bomb, of which the setup said that it was a bomb and its history
    /// nothing.
    fn revealed(rank: Rank) -> Scored {
        let (mut counts, mut experts) = (ByRank::filled(0.0), LogLikelihoods::default());
        for rank in [Rank::Flag, Rank::Captain, Rank::Bomb] {
            counts[rank] = 1.0 / 3.0;
        }
        experts.setup[Rank::Bomb] = 2.0;
        Scored::new(
            &Prediction { ply: 10, id: PieceId::new(Side::Blue, 3), counts, experts },
            RankSet::only(rank),
        )
    }

    fn after(rank: Rank, times: usize) -> Trust {
        let revealed = revealed(rank);
        Trust::of(std::iter::repeat_n(&revealed, times), std::iter::empty())
    }

    #[test]
    fn a_stranger_is_trusted_about_half() {
        let trust = Trust::of(std::iter::empty(), std::iter::empty());
        for kind in RankKind::ALL {
            let powers = trust.exponents(kind);
            let sum = powers.history + powers.self_play + powers.setup;
            assert!((0.4..1.1).contains(&sum), "{kind:?} {powers:?}");
        }
        assert!(
            trust.exponents(RankKind::Mobile).setup < 0.2,
            "strong players do not set their mobile pieces up as people do"
        );
    }

    #[test]
    fn a_source_is_trusted_the_more_the_more_it_was_right() {
        let setup = |trust: Trust| trust.exponents(RankKind::Bomb).setup;
        let (right, stranger, wrong) =
            (setup(after(Rank::Bomb, 8)), setup(after(Rank::Bomb, 0)), setup(after(Rank::Captain, 8)));
        assert!(right > stranger + 0.1 && wrong < stranger - 0.1, "{wrong} {stranger} {right}");
    }

    /// A piece that may be a scout or a major, of which a contact and its moves say that it is a major.
    fn chaser() -> Prediction {
        let (mut counts, mut experts) = (ByRank::filled(0.0), LogLikelihoods::default());
        for rank in [Rank::Scout, Rank::Major] {
            counts[rank] = 0.5;
        }
        experts.contact[Rank::Major] = 2.0;
        experts.moves[Rank::Major] = 2.0;
        Prediction { ply: 10, id: PieceId::new(Side::Blue, 3), counts, experts }
    }

    #[test]
    fn who_bluffs_is_believed_less_and_who_does_not_more() {
        let after = |rank: Rank, times: usize| {
            let scored = Scored::new(&chaser(), RankSet::only(rank));
            let contacts = std::iter::repeat_n((&scored.prediction, rank), times);
            Trust::of(std::iter::repeat_n(&scored, times), contacts)
        };
        let (bluffs, stranger, honest) =
            (after(Rank::Scout, 5), after(Rank::Scout, 0), after(Rank::Major, 5));
        for trust in [|trust: &Trust| trust.moves, |trust: &Trust| trust.contact] {
            let [low, start, high] = [&bluffs, &stranger, &honest].map(trust);
            assert!(low < start - 0.15 && start + 0.15 < high, "{low} {start} {high}");
        }
    }

    #[test]
    fn what_a_bomb_tells_is_nothing_about_mobile_ranks() {
        assert_eq!(
            after(Rank::Bomb, 8).exponents(RankKind::Mobile),
            after(Rank::Bomb, 0).exponents(RankKind::Mobile)
        );
    }
}
