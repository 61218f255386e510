//! How far each expert of the belief is trusted against this player.
//!
//! What a history or a setup says was learned from other players. So each expert competes with plain counts: several
//! mixtures of experts are weighted by how well they predicted the ranks revealed so far, from a sceptical start.
//! Flag, bombs and mobile ranks have weights of their own, as what holds for one need not hold for another.

use super::contact;
use super::counts::Counts;
use super::evidence::Known;
use super::explanation::multiply;
use super::history::{self, HistoryNet};
use super::move_evidence;
use super::params;
use super::{ArmyModel, RankProbabilities, by_place, setups};
use crate::math;
use crate::rules::{Army, ByRank, Piece, PieceId, Rank, RankSet, Ruleset};

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

/// A prediction and what was revealed: a rank, or by a first move that the piece can move.
pub type Scored = (Prediction, RankSet);

/// How much each expert favours each rank of a piece, in nats; only differences between ranks count.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct LogLikelihoods {
    /// Its history, by what players of all kinds do.
    pub history: ByRank<f32>,
    /// Its history, by what this engine does against itself.
    pub self_play: ByRank<f32>,
    /// Its place, and what is known of the pieces that began elsewhere.
    pub setup: ByRank<f32>,
    /// What its moves were good for.
    pub moves: ByRank<f32>,
    /// Whom it has just come beside.
    pub contact: ByRank<f32>,
}

impl LogLikelihoods {
    /// What history, self-play and setup say together.
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

/// An expert on what pieces do: exponents that compete, each with its prior weight. Players differ in how often they
/// bluff, from never to always, so most of it is learned during the game.
struct Behaviour {
    exponents: [(f32, f32); 3],
    /// How much one revealed rank counts as evidence.
    weight: f32,
    log: fn(&LogLikelihoods) -> &ByRank<f32>,
}

/// What moves were good for.
const MOVES: Behaviour = Behaviour {
    exponents: [(0.0, 0.25), (0.5, 0.35), (1.0, 0.40)],
    weight: 1.0,
    log: |experts| &experts.moves,
};

/// Whom a piece has just come beside.
const CONTACT: Behaviour = Behaviour {
    exponents: [(0.0, 0.35), (0.4, 0.40), (1.0, 0.25)],
    weight: 1.0,
    log: |experts| &experts.contact,
};

impl Behaviour {
    /// The mean exponent, by how likely each held the ranks that were revealed.
    fn mean<'a>(&self, scored: impl Iterator<Item = (&'a Prediction, Rank)>, trust: &Trust) -> f32 {
        let mut logs = self.exponents.map(|(_, prior)| math::ln(prior));
        for (prediction, rank) in scored {
            for ((exponent, _), log) in self.exponents.iter().zip(&mut logs) {
                *log += self.weight * math::ln(self.likelihood(prediction, rank, *exponent, trust).max(1e-3));
            }
        }
        let most = logs.iter().copied().fold(f32::MIN, f32::max);
        let shares = logs.map(|log| math::exp(log - most));
        let sum: f32 = shares.iter().sum();
        self.exponents.iter().zip(shares).map(|((exponent, _), share)| exponent * share / sum).sum()
    }

    /// How likely it held a rank with this exponent, beside the experts as far as they are trusted.
    fn likelihood(&self, prediction: &Prediction, rank: Rank, exponent: f32, trust: &Trust) -> f32 {
        let said = (self.log)(&prediction.experts);
        let weight = |rank: Rank| {
            let powers = trust.powers(RankKind::of(rank));
            prediction.counts[rank]
                * prediction.experts.weight(powers, rank)
                * math::exp(exponent * said[rank])
        };
        weight(rank) / Rank::ALL.into_iter().map(weight).sum::<f32>().max(f32::MIN_POSITIVE)
    }
}

/// How far each expert is trusted.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Trust {
    kinds: [Exponents; 3],
    /// Exponent (0 to 1) of what moves were good for.
    pub moves: f32,
    /// Exponent (0 to 1) of whom a piece has just come beside.
    pub contact: f32,
}

impl Trust {
    /// In an army for which no expert was made: what moves were good for is all that is trusted.
    pub fn in_another_army() -> Trust {
        Trust { moves: 1.0, ..Trust::default() }
    }

    /// By how well all experts predicted the `revealed` ranks, and what contacts told of ranks that are known by now.
    pub fn of<'a>(
        revealed: impl Iterator<Item = &'a Scored> + Clone,
        contacts: impl Iterator<Item = (&'a Prediction, Rank)>,
    ) -> Trust {
        let mut trust = Trust { kinds: Trust::by_kind(revealed.clone()), moves: 0.0, contact: 0.0 };
        let ranks = revealed.filter_map(|(prediction, ranks)| Some((prediction, ranks.single()?)));
        trust.moves = MOVES.mean(ranks, &trust);
        trust.contact = CONTACT.mean(contacts, &trust);
        trust
    }

    fn by_kind<'a>(revealed: impl Iterator<Item = &'a Scored>) -> [Exponents; 3] {
        let mut logs: [[f32; MIXTURES.len()]; 3] =
            std::array::from_fn(|kind| std::array::from_fn(|index| math::ln(MIXTURES[index].shares[kind])));
        for (prediction, rank) in revealed {
            for (kind, logs) in RankKind::ALL.into_iter().zip(&mut logs) {
                for (mixture, log) in MIXTURES.iter().zip(logs) {
                    let weight = if rank.single().is_some() {
                        params::reveal_weight()
                    } else {
                        params::first_move_weight()
                    };
                    *log += weight * math::ln(likelihood(prediction, *rank, kind, mixture.powers).max(1e-3));
                }
            }
        }
        logs.map(|logs| mean(&logs))
    }

    /// The powers for a kind of rank.
    pub const fn powers(&self, kind: RankKind) -> Exponents {
        self.kinds[kind as usize]
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

/// How likely a mixture held what was revealed about one kind of rank: whether the piece is the flag, or a bomb; which
/// of the mobile ranks it has.
fn likelihood(prediction: &Prediction, revealed: RankSet, kind: RankKind, powers: Exponents) -> f32 {
    let weight = |rank: Rank| prediction.counts[rank] * prediction.experts.weight(powers, rank);
    let sum = |holds: &dyn Fn(Rank) -> bool| -> f32 {
        Rank::ALL.into_iter().filter(|&rank| holds(rank)).map(weight).sum()
    };
    let single = revealed.single();
    match kind {
        RankKind::Flag | RankKind::Bomb => {
            let share = sum(&|rank| kind.holds(rank)) / sum(&|_| true).max(f32::MIN_POSITIVE);
            if single.map(RankKind::of) == Some(kind) { share } else { 1.0 - share }
        }
        RankKind::Mobile => match single.filter(|rank| rank.is_mobile()) {
            Some(rank) => weight(rank) / sum(&|rank| kind.holds(rank)).max(f32::MIN_POSITIVE),
            None => 1.0,
        },
    }
}

/// The weights of the ranks that a piece may have, each as often as the army has it.
pub(super) fn in_the_army(weights: &ByRank<f32>, ranks: RankSet, army: &Army) -> ByRank<f32> {
    let counts = army.counts();
    ByRank::from_fn(|rank| if ranks.contains(rank) { weights[rank] * f32::from(counts[rank]) } else { 0.0 })
}

/// What one move tells, held back so that it carries no rank beyond [`params::proven`]. `plain` are the weights of the
/// ranks without it, counts included; `logs` is what it says, in nats.
pub(super) fn held_back(plain: &ByRank<f32>, logs: ByRank<f32>) -> ByRank<f32> {
    let likeliest = |power: f32| -> f32 {
        let weights = ByRank::from_fn(|rank| plain[rank] * math::exp(power * logs[rank]));
        let most = weights.values().copied().fold(0.0, f32::max);
        most / weights.values().sum::<f32>().max(f32::MIN_POSITIVE)
    };
    let bound = likeliest(0.0).max(params::proven());
    if likeliest(1.0) <= bound {
        return logs;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..10 {
        let middle = 0.5 * (low + high);
        if likeliest(middle) <= bound { low = middle } else { high = middle }
    }
    logs.map(|log| low * log)
}

/// What the setup says of each piece, in nats: `placed`, where it began, and `joined`, what is known of the pieces
/// that began elsewhere.
pub(super) fn setup_log_likelihoods(
    pieces: &[(PieceId, Piece)],
    rules: &Ruleset,
    placed: bool,
    joined: bool,
) -> Vec<ByRank<f32>> {
    let mut model = ArmyModel::new(pieces, rules, |_, _| ByRank::filled(1.0));
    for ((id, piece), weights) in pieces.iter().zip(&mut model.weights).filter(|_| placed) {
        if let Some(favoured) = by_place(*id, piece, rules) {
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
pub fn predict(known: Known<'_>, id: PieceId) -> Option<Prediction> {
    let view = known.view;
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
        setup: setup_log_likelihoods(&pieces, position.rules(), true, true)[index],
        moves: move_evidence::log_likelihoods(&pieces, known)[index],
        contact: contact::log_likelihoods(&pieces, view)
            .filter(|(met, _)| *met == index)
            .map_or_else(|| ByRank::filled(0.0), |(_, logs)| logs),
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
        (Prediction { ply: 10, id: PieceId::new(Side::Blue, 3), counts, experts }, RankSet::only(rank))
    }

    fn after(rank: Rank, times: usize) -> Trust {
        let revealed = revealed(rank);
        Trust::of(std::iter::repeat_n(&revealed, times), std::iter::empty())
    }

    #[test]
    fn a_stranger_is_trusted_about_half() {
        let trust = Trust::of(std::iter::empty(), std::iter::empty());
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
            let scored = (chaser(), RankSet::only(rank));
            let contacts = std::iter::repeat_n((&scored.0, rank), times);
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
    fn one_move_carries_no_rank_beyond_what_is_proven() {
        let (mut plain, mut logs) = (ByRank::filled(1.0), ByRank::filled(0.0));
        let share = |plain: &ByRank<f32>, logs: &ByRank<f32>| {
            let weights = ByRank::from_fn(|rank| plain[rank] * math::exp(logs[rank]));
            weights[Rank::General] / weights.values().sum::<f32>()
        };
        logs[Rank::General] = 5.0;
        let held = share(&plain, &held_back(&plain, logs));
        assert!((params::proven() - 0.01..=params::proven() + 1e-4).contains(&held), "{held}");
        logs[Rank::General] = 1.0;
        assert!((held_back(&plain, logs)[Rank::General] - 1.0).abs() < 1e-6, "little is not held back");
        // What others say is not taken away.
        plain[Rank::General] = 40.0;
        logs[Rank::General] = 5.0;
        let before = share(&plain, &ByRank::filled(0.0));
        assert!(before > params::proven() && (share(&plain, &held_back(&plain, logs)) - before).abs() < 0.01);
    }

    #[test]
    fn what_a_bomb_tells_is_nothing_about_mobile_ranks() {
        assert_eq!(
            after(Rank::Bomb, 8).powers(RankKind::Mobile),
            after(Rank::Bomb, 0).powers(RankKind::Mobile)
        );
    }
}
