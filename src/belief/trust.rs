//! How far each source of the belief is trusted against this player.
//!
//! What a history or a setup tells was learned from other players. So each source competes with plain counts by the ranks told so
//! far: several mixtures of sources are weighed by how likely they held these ranks to be just before, from a sceptical start.
//! Flag, bombs and mobile ranks are judged apart, as what holds of the one need not hold of the other.

use super::counts::Counts;
use super::explanation::multiply;
use super::history::{self, HistoryNet};
use super::{Chances, Joint, by_place, setups};
use crate::math;
use crate::rules::{Army, Piece, PieceId, Rank};
use crate::view::View;

/// Kinds of ranks that are judged apart.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Kind {
    /// The flag.
    Flag,
    /// Bombs.
    Bomb,
    /// All that can move.
    Mobile,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Flag, Kind::Bomb, Kind::Mobile];

    /// The kind of a rank.
    pub const fn of(rank: Rank) -> Kind {
        match rank {
            Rank::Flag => Kind::Flag,
            Rank::Bomb => Kind::Bomb,
            _ => Kind::Mobile,
        }
    }

    fn holds(self, rank: usize) -> bool {
        Kind::of(Rank::ALL[rank]) == self
    }
}

/// What sources said of a piece just before its rank was told.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Foretold {
    /// The ply that told it.
    pub ply: u32,
    /// The piece.
    pub id: PieceId,
    /// Its rank.
    pub rank: Rank,
    /// Its chances by facts and counts.
    pub counts: Chances,
    /// What the sources said, in nats; only differences count.
    pub said: Said,
}

/// What the sources say of a piece, in nats; only differences between ranks count.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// Its history, by what players of all kinds do.
    pub history: Chances,
    /// Its history, by what this engine does against itself.
    pub self_play: Chances,
    /// Its place, and what is known of the pieces that began elsewhere.
    pub setup: Chances,
}

impl Said {
    fn at(&self, power: Powers, rank: usize) -> f32 {
        let said = power.history * self.history[rank]
            + power.self_play * self.self_play[rank]
            + power.setup * self.setup[rank];
        math::exp(said)
    }
}

/// The powers to which the sources are raised.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Powers {
    /// Of the history.
    pub history: f32,
    /// Of the history as this engine plays against itself.
    pub self_play: f32,
    /// Of the setup.
    pub setup: f32,
}

/// Sources raised to powers, and how far that is believed of flag, bombs and mobile ranks before any rank is told.
struct Mixture {
    powers: Powers,
    shares: [f32; 3],
}

const fn mixture(history: f32, self_play: f32, setup: f32, shares: [f32; 3]) -> Mixture {
    Mixture { powers: Powers { history, self_play, setup }, shares }
}

/// The mixtures that compete; the first is plain counts. Chosen by hand among eleven such lists on 20 games of strong
/// players, 40 against a bot of the public arena and 36 of this engine against itself: `docs/experiments.md`, "Experts".
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

/// How much a told rank counts as evidence: ranks that are told are not drawn as hidden ones are. Chosen with [`MIXTURES`].
const TOLD: f32 = 0.5;

/// The powers of the sources for each kind of rank.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Trust([Powers; 3]);

impl Trust {
    /// By what was said of ranks before they were told.
    pub fn of<'a>(told: impl Iterator<Item = &'a Foretold>) -> Trust {
        let mut logs: [[f32; MIXTURES.len()]; 3] =
            std::array::from_fn(|kind| std::array::from_fn(|index| math::ln(MIXTURES[index].shares[kind])));
        for foretold in told {
            for (kind, logs) in Kind::ALL.into_iter().zip(&mut logs) {
                for (mixture, log) in MIXTURES.iter().zip(logs) {
                    *log += TOLD * math::ln(likelihood(foretold, kind, mixture.powers).max(1e-3));
                }
            }
        }
        Trust(logs.map(|logs| mean(&logs)))
    }

    /// The powers for a kind of rank.
    pub const fn powers(&self, kind: Kind) -> Powers {
        self.0[kind as usize]
    }

    /// How much what the history says favours each rank.
    pub fn history(&self, said: &Chances) -> Chances {
        self.favours(said, |powers| powers.history)
    }

    /// How much what the history says as this engine plays favours each rank.
    pub fn self_play(&self, said: &Chances) -> Chances {
        self.favours(said, |powers| powers.self_play)
    }

    /// How much what the setup says favours each rank.
    pub fn setup(&self, said: &Chances) -> Chances {
        self.favours(said, |powers| powers.setup)
    }

    fn favours(&self, said: &Chances, power: fn(Powers) -> f32) -> Chances {
        std::array::from_fn(|rank| math::exp(power(self.powers(Kind::of(Rank::ALL[rank]))) * said[rank]))
    }
}

/// The mean of the mixtures' powers.
fn mean(logs: &[f32; MIXTURES.len()]) -> Powers {
    let most = logs.iter().copied().fold(f32::MIN, f32::max);
    let shares = logs.map(|log| math::exp(log - most));
    let sum: f32 = shares.iter().sum();
    let mut mean = Powers::default();
    for (Mixture { powers, .. }, share) in MIXTURES.iter().zip(shares) {
        mean.history += powers.history * share / sum;
        mean.self_play += powers.self_play * share / sum;
        mean.setup += powers.setup * share / sum;
    }
    mean
}

/// How likely a mixture held what was told of one kind of rank: whether the piece is the flag, or a bomb; which of the mobile ranks it has.
fn likelihood(foretold: &Foretold, kind: Kind, powers: Powers) -> f32 {
    let weight = |rank: usize| foretold.counts[rank] * foretold.said.at(powers, rank);
    let sum = |holds: &dyn Fn(usize) -> bool| -> f32 {
        (0..Rank::COUNT).filter(|&rank| holds(rank)).map(weight).sum()
    };
    let told = Kind::of(foretold.rank);
    match kind {
        Kind::Flag | Kind::Bomb => {
            let share = sum(&|rank| kind.holds(rank)) / sum(&|_| true).max(f32::MIN_POSITIVE);
            if told == kind { share } else { 1.0 - share }
        }
        Kind::Mobile if told == Kind::Mobile => {
            weight(foretold.rank.index()) / sum(&|rank| kind.holds(rank)).max(f32::MIN_POSITIVE)
        }
        Kind::Mobile => 1.0,
    }
}

/// What the setup says of each piece, in nats: `placed`, where it began, and `joined`, what is known of the pieces that began
/// elsewhere.
pub(super) fn said_by_setup(
    pieces: &[(PieceId, Piece)],
    view: &View,
    placed: bool,
    joined: bool,
) -> Vec<Chances> {
    let mut joint = Joint::new(pieces, view.position(), |_, _| [1.0; Rank::COUNT]);
    for ((id, piece), weights) in pieces.iter().zip(&mut joint.weights).filter(|_| placed) {
        if let Some(favoured) = by_place(*id, piece, view.position()) {
            multiply(weights, &favoured);
        }
    }
    if joined {
        setups::weigh(&mut joint, pieces, placed);
    }
    let log = |weights: &Chances| weights.map(|weight| math::ln(weight.max(1e-6)));
    joint.weights.iter().take(pieces.len()).map(log).collect()
}

/// What the sources say of one of the enemy's pieces; `None` if its rank is known or the army is not the classic one.
pub fn foretell(view: &View, id: PieceId) -> Option<Foretold> {
    let position = view.position();
    let piece = position.piece(id);
    if piece.ranks.len() < 2 || position.rules().army() != Army::CLASSIC {
        return None;
    }
    let pieces: Vec<_> = view.enemies().map(|(id, piece)| (id, *piece)).collect();
    let index = pieces.iter().position(|(other, _)| *other == id)?;
    let counts = Counts::of(position, id.side(), |piece| piece.ranks);
    let said = Said {
        history: history::judged_one(HistoryNet::of_anybody()?, &pieces, view, index),
        self_play: history::judged_one(HistoryNet::of_self_play()?, &pieces, view, index),
        setup: said_by_setup(&pieces, view, true, true)[index],
    };
    let counts = counts.chances(id, piece, piece.ranks);
    Some(Foretold { ply: position.ply() + 1, id, rank: Rank::Flag, counts, said })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    /// A piece that was one of flag, captain and bomb, of which the setup said that it was a bomb and its history nothing.
    fn told(rank: Rank) -> Foretold {
        let (mut counts, mut said) = ([0.0; Rank::COUNT], Said::default());
        for rank in [Rank::Flag, Rank::Captain, Rank::Bomb] {
            counts[rank.index()] = 1.0 / 3.0;
        }
        said.setup[Rank::Bomb.index()] = 2.0;
        Foretold { ply: 10, id: PieceId::new(Side::Blue, 3), rank, counts, said }
    }

    fn after(rank: Rank, times: usize) -> Trust {
        let told = told(rank);
        Trust::of(std::iter::repeat_n(&told, times))
    }

    #[test]
    fn a_stranger_is_trusted_about_half() {
        let trust = Trust::of(std::iter::empty());
        for kind in Kind::ALL {
            let powers = trust.powers(kind);
            let sum = powers.history + powers.self_play + powers.setup;
            assert!((0.4..1.1).contains(&sum), "{kind:?} {powers:?}");
        }
        assert!(
            trust.powers(Kind::Mobile).setup < 0.2,
            "strong players do not set their mobile pieces up as people do"
        );
    }

    #[test]
    fn a_source_is_trusted_the_more_the_more_it_was_right() {
        let setup = |trust: Trust| trust.powers(Kind::Bomb).setup;
        let (right, stranger, wrong) =
            (setup(after(Rank::Bomb, 8)), setup(after(Rank::Bomb, 0)), setup(after(Rank::Captain, 8)));
        assert!(right > stranger + 0.1 && wrong < stranger - 0.1, "{wrong} {stranger} {right}");
    }

    #[test]
    fn what_a_bomb_tells_is_nothing_about_mobile_ranks() {
        assert_eq!(after(Rank::Bomb, 8).powers(Kind::Mobile), after(Rank::Bomb, 0).powers(Kind::Mobile));
    }
}
