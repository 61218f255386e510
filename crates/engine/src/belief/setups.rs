//! How people set up: what is known of some squares tells of all others, bombs beside the flag above all.
//!
//! A net judges each start square from what is known of every start square. It was trained on human setups, and on a
//! few shuffled ones, so that it goes by what people do the less, the less the ranks revealed so far look like it.

use super::army_model::{ArmyModel, multiply};
use super::assignment;
use super::flag_and_bombs;
use super::params;
use super::square_prior::{by_place, place_of, square_weights};
use crate::math;
use crate::net::{Error, Stack};
use crate::rules::{Army, ByRank, Piece, PieceId, Rank, RankSet, Ruleset, Square};
use crate::view::HiddenArmy;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Places of a setup, counted as in a setup string.
const PLACES: usize = 40;
/// What a likelihood of one becomes for the net.
const ONE: f32 = 255.0;
/// Parts of a nat in which the net answers.
const NAT: f32 = 1024.0;
/// The net in use.
///
/// Source: derived figures from 58,560 human setups collected from gravon.de, by
/// `tools/research/train/setups.py` of commit b23e47a.
const BYTES: &[u8] = include_bytes!("setups.net");

/// By place, one number for each rank.
pub(crate) type Places = [ByRank<f32>; PLACES];

/// A net that judges setups.
#[derive(Clone, Debug)]
pub(crate) struct SetupNet {
    layers: Stack,
}

impl SetupNet {
    /// Reads a net from the bytes of its file.
    ///
    /// # Errors
    /// If it is none, or one for something else than setups.
    pub(crate) fn read(bytes: &[u8]) -> Result<SetupNet, Error> {
        Ok(SetupNet { layers: Stack::read(bytes, PLACES * Rank::COUNT, PLACES * Rank::COUNT)? })
    }

    /// The net that the engine uses; `None` if the program was built with a broken one.
    pub(crate) fn in_use() -> Option<&'static SetupNet> {
        static NET: OnceLock<Option<SetupNet>> = OnceLock::new();
        NET.get_or_init(|| {
            SetupNet::read(BYTES).inspect_err(|error| log::error!("the net of setups: {error}")).ok()
        })
        .as_ref()
    }

    /// How much each rank is favoured on each place, in nats that are added to the logarithm of its `likelihood` there
    /// and say nothing of it; only differences between ranks count. Likelihoods are 1 for the likeliest rank.
    pub(crate) fn judge(&self, likelihood: &Places) -> Places {
        let likelihood = integers(likelihood);
        let straight = self.layers.apply(likelihood.as_flattened().to_vec());
        let mirrored = (0..PLACES).flat_map(|place| likelihood[mirror(place)]);
        let mirrored = self.layers.apply(mirrored.collect());
        let mean = |place: usize, rank: Rank| {
            let rank = rank.index();
            let sum = i32::from(straight[place * Rank::COUNT + rank])
                + i32::from(mirrored[mirror(place) * Rank::COUNT + rank]);
            sum as f32 / (2.0 * NAT)
        };
        std::array::from_fn(|place| ByRank::from_fn(|rank| mean(place, rank)))
    }
}

/// Likelihoods as the net takes them.
type Integers = [[i16; Rank::COUNT]; PLACES];

fn integers(likelihood: &Places) -> Integers {
    let integer = |likelihood: f32| math::rounded((likelihood * ONE).clamp(0.0, ONE));
    std::array::from_fn(|place| likelihood[place].as_array().map(integer))
}

fn mirror(place: usize) -> usize {
    place / 10 * 10 + 9 - place % 10
}

/// What of a setup is asked.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub(super) enum SetupPart {
    /// What each place says by itself.
    Places,
    /// What is known of the pieces that began elsewhere.
    Neighbours,
    /// What each place says, together with what is known of the others.
    Whole,
}

impl SetupPart {
    const fn has_places(self) -> bool {
        matches!(self, SetupPart::Places | SetupPart::Whole)
    }

    const fn has_neighbours(self) -> bool {
        matches!(self, SetupPart::Neighbours | SetupPart::Whole)
    }

    /// What a place has said by itself once this part is asked.
    fn said_of(self, place: usize) -> ByRank<f32> {
        if self.has_places() { square_weights(place) } else { ByRank::filled(1.0) }
    }
}

/// Weighs ranks by what is known of the pieces that began elsewhere. `part` tells whether the weights already hold what
/// each place says by itself. The army is the classic one.
fn weigh(model: &mut ArmyModel, pieces: &HiddenArmy, part: SetupPart) {
    let mut guarded = model.weights.clone();
    flag_and_bombs::weigh(pieces, &mut guarded);
    let judged = judged(model, pieces, part);
    let judged = judged.iter().flatten().map(Option::as_ref).chain(std::iter::repeat(None));
    for (((_, piece), judged), guarded) in pieces.iter().zip(judged).zip(&mut guarded) {
        if let Some(judged) = judged {
            let whole = mass(guarded, piece.ranks);
            // In the unit of the weights so far.
            let scale = whole / mass(judged, piece.ranks).max(f32::MIN_POSITIVE);
            for rank in piece.ranks.iter() {
                guarded[rank] = (1.0 - params::flag_and_bombs_share()) * scale * judged[rank]
                    + params::flag_and_bombs_share() * guarded[rank];
            }
        }
    }
    model.weights = guarded;
}

/// What this part of the setup says of each piece, in nats.
///
/// It changes only when something becomes known of a piece, and each move asks again: so it is remembered.
pub(super) fn log_likelihoods(pieces: &HiddenArmy, rules: &Ruleset, part: SetupPart) -> Vec<ByRank<f32>> {
    thread_local! {
        static ANSWERS: RefCell<HashMap<Question, Vec<ByRank<f32>>>> = RefCell::default();
    }
    /// Answers of up to 2 KB each. A move asks for a handful; drawing worlds asks for more.
    const MOST: usize = 256;
    ANSWERS.with_borrow_mut(|answers| {
        if answers.len() >= MOST {
            answers.clear();
        }
        let question = Question::new(pieces, rules, part);
        answers.entry(question).or_insert_with(|| work_out_log_likelihoods(pieces, rules, part)).clone()
    })
}

/// All that [`log_likelihoods`] goes by.
#[derive(Eq, PartialEq, Hash)]
struct Question {
    /// Who each piece is, what it may be, where it began, and whether it stands.
    pieces: Vec<(PieceId, RankSet, Option<Square>, bool)>,
    rules: Ruleset,
    part: SetupPart,
    /// The tuned numbers, which tests and tuning change.
    numbers: [u32; 3],
}

impl Question {
    fn new(pieces: &HiddenArmy, rules: &Ruleset, part: SetupPart) -> Question {
        let known = |(id, piece): &(PieceId, Piece)| (*id, piece.ranks, piece.start, piece.is_alive());
        Question {
            pieces: pieces.iter().map(known).collect(),
            rules: *rules,
            part,
            numbers: [params::count_share(), params::flag_and_bombs_share(), params::closed_flags()]
                .map(f32::to_bits),
        }
    }
}

fn work_out_log_likelihoods(pieces: &HiddenArmy, rules: &Ruleset, part: SetupPart) -> Vec<ByRank<f32>> {
    let mut model = ArmyModel::new(pieces, rules, |_, _| ByRank::filled(1.0));
    for ((id, piece), weights) in pieces.iter().zip(&mut model.weights).filter(|_| part.has_places()) {
        if let Some(favoured) = by_place(*id, piece, rules) {
            multiply(weights, &favoured);
        }
    }
    if part.has_neighbours() {
        weigh(&mut model, pieces, part);
    }
    let log = |weights: &ByRank<f32>| weights.map(|weight| math::ln(weight.max(1e-6)));
    model.weights.iter().take(pieces.len()).map(log).collect()
}

/// The net's weights of the unknown pieces whose places are known; none if no army fits.
fn judged(model: &ArmyModel, pieces: &HiddenArmy, part: SetupPart) -> Option<Vec<Option<ByRank<f32>>>> {
    let open = assignment::feasible(&model.problem())?;
    let net = SetupNet::in_use()?;
    let seats: Vec<Option<usize>> = pieces.iter().map(|(id, piece)| place_of(*id, piece)).collect();
    let judged = net.judge(&likelihoods(&model.weights, &open, &seats, part));
    let unknown = open.iter().filter(|open| open.single().is_none()).count();
    // The net knows the army, so its chances already heed that ranks are few; the counts, held jointly, would tell a
    // piece the same again through its rivals. They say the more, the fewer pieces are unknown: between two all, so
    // that each says half; that much is taken away.
    let share = 1.0 - 1.0 / unknown.max(2) as f32;
    let weight = |((weights, &open), place): ((&ByRank<f32>, &RankSet), &Option<usize>)| {
        let place = place.filter(|_| open.single().is_none())?;
        Some(weighed(weights, &part.said_of(place), &judged[place], open, share))
    };
    Some(model.weights.iter().zip(&open).zip(&seats).map(weight).collect())
}

/// Weight of the ranks of a set, each as often as the army has it.
fn mass(weights: &ByRank<f32>, ranks: RankSet) -> f32 {
    ranks.iter().map(|rank| weights[rank] * f32::from(Army::CLASSIC.count(rank))).sum()
}

/// Weight of a rank that facts and counts exclude: the net says nothing of those.
const CLOSED: f32 = 1e-9;

/// What is known of each place, but for what it says by itself.
fn likelihoods(
    weights: &[ByRank<f32>],
    open: &[RankSet],
    seats: &[Option<usize>],
    part: SetupPart,
) -> Places {
    // Who began on a place that nobody is known to have begun on is one of those whose place is not known.
    let elsewhere =
        open.iter().enumerate().filter(|(index, _)| seats.get(*index).is_none_or(Option::is_none));
    let strangers = elsewhere.fold(RankSet::EMPTY, |all, (_, open)| all.or(*open));
    let mut known =
        [within(&ByRank::filled(1.0), if strangers.is_empty() { RankSet::ALL } else { strangers }); PLACES];
    for ((weights, open), place) in weights.iter().zip(open).zip(seats) {
        let Some(place) = *place else { continue };
        let mut likelihood = *weights;
        for (likelihood, said) in likelihood.values_mut().zip(part.said_of(place).values()) {
            *likelihood /= said;
        }
        known[place] = within(&likelihood, *open);
    }
    known
}

/// Scaled to a maximum of 1 over the ranks of a set; 0 outside.
fn within(likelihood: &ByRank<f32>, open: RankSet) -> ByRank<f32> {
    let inside = |rank: Rank| if open.contains(rank) { likelihood[rank] } else { 0.0 };
    let most = Rank::ALL.into_iter().map(inside).fold(f32::MIN_POSITIVE, f32::max);
    ByRank::from_fn(|rank| (inside(rank) / most).min(1.0))
}

/// The weights of a piece, with what its place is judged to be by all others for this share of what its place has
/// said by itself.
fn weighed(
    weights: &ByRank<f32>,
    said: &ByRank<f32>,
    judged: &ByRank<f32>,
    open: RankSet,
    share: f32,
) -> ByRank<f32> {
    let most = open.iter().map(|rank| judged[rank]).fold(f32::MIN, f32::max);
    let favoured = |rank: Rank| {
        let count = f32::from(Army::CLASSIC.count(rank));
        let (before, judged) = if open.contains(rank) {
            ((weights[rank] / (said[rank] * count)).max(f32::MIN_POSITIVE), judged[rank] - most)
        } else {
            (CLOSED / count, 0.0)
        };
        math::exp(share * (math::ln(before) + judged))
    };
    ByRank::from_fn(favoured)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Belief;
    use crate::belief::tests::opening;
    use crate::rules::Side;
    use crate::view::View;

    const NOTHING: Places = [ByRank::filled(1.0); PLACES];

    /// Blue's piece that begins on a place.
    fn on(place: usize) -> PieceId {
        PieceId::new(Side::Blue, place)
    }

    /// What setups alone say, trusted in full.
    fn believed(view: &View) -> Belief {
        let pieces = view.hidden_army();
        let mut model = ArmyModel::new(&pieces, view.position().rules(), |id, _| square_weights(id.number()));
        weigh(&mut model, &pieces, SetupPart::Whole);
        Belief::new(&pieces, model.into())
    }

    fn chance(view: &View, place: usize, rank: Rank) -> f32 {
        believed(view).probabilities(on(place)).unwrap()[rank]
    }

    fn only(rank: Rank) -> ByRank<f32> {
        ByRank::from_fn(|other| f32::from(u8::from(other == rank)))
    }

    #[test]
    fn the_net_in_use_can_be_read_and_others_are_refused() {
        assert!(SetupNet::in_use().is_some_and(|net| net.layers.memory() < 700_000));
        assert!(SetupNet::read(&BYTES[..BYTES.len() - 1]).is_err());
        assert_eq!(SetupNet::read(b"no net").unwrap_err(), Error::NoNet);
    }

    #[test]
    fn mirrored_evidence_is_judged_in_the_mirror() {
        let net = SetupNet::in_use().unwrap();
        let mut likelihood = NOTHING;
        likelihood[3] = only(Rank::Bomb);
        likelihood[27] = only(Rank::Scout);
        likelihood[14][Rank::Marshal] = 0.25;
        let mirrored: Places = std::array::from_fn(|place| likelihood[mirror(place)]);
        let (one, other) = (net.judge(&likelihood), net.judge(&mirrored));
        for place in 0..PLACES {
            assert_eq!(one[place].map(f32::to_bits), other[mirror(place)].map(f32::to_bits));
        }
    }

    /// Before anything is known, every place is judged much as it is by itself.
    #[test]
    fn at_the_opening_places_stand_by_themselves() {
        let view = opening();
        let together = believed(&view);
        let alone = Belief::of_enemies_weighed(&view, |id, _| square_weights(id.number()));
        for ((_, together), (_, alone)) in together.pieces().iter().zip(alone.pieces()) {
            for (together, alone) in together.values().zip(alone.values()) {
                assert!((together - alone).abs() < 0.05, "{together} {alone}");
            }
        }
    }

    /// Who stands before a piece of the back row and is no bomb leaves it open.
    #[test]
    fn a_piece_that_stands_open_is_hardly_the_flag() {
        let mut view = opening();
        let before = view.clone();
        assert!(view.tell(on(15), RankSet::only(Rank::Sergeant)));
        let gain = |place: usize| chance(&view, place, Rank::Flag) / chance(&before, place, Rank::Flag);
        assert!(gain(5) < 0.75 && gain(5) < 0.8 * gain(1), "{} {}", gain(5), gain(1));
    }

    /// A bomb known on the back row makes its neighbours likelier flags, and the piece in front of those a bomb.
    #[test]
    fn a_bomb_speaks_for_a_flag_beside_it() {
        let mut view = opening();
        let before = view.clone();
        assert!(view.tell(on(2), RankSet::only(Rank::Bomb)));
        let gain = |place: usize, rank: Rank| chance(&view, place, rank) / chance(&before, place, rank);
        assert!(gain(3, Rank::Flag) > 1.5 && gain(8, Rank::Flag) < 1.0);
        assert!(gain(13, Rank::Bomb) > 1.02 && gain(13, Rank::Scout) < 1.0);
    }

    /// A place where nobody is known to have begun holds one of those whose place is not known.
    #[test]
    fn strangers_began_on_the_places_that_are_left() {
        let set = |ranks: &[Rank]| ranks.iter().copied().collect::<RankSet>();
        let open = [set(&[Rank::Miner]), set(&[Rank::Flag, Rank::Bomb]), set(&[Rank::Spy, Rank::Bomb])];
        let weights = [ByRank::filled(2.0); 3];
        let places = likelihoods(&weights, &open, &[Some(0), None], SetupPart::Neighbours);
        let possible = |place: &ByRank<f32>| -> RankSet {
            place.iter().filter(|(_, likelihood)| **likelihood > 0.0).map(|(rank, _)| rank).collect()
        };
        assert_eq!(possible(&places[0]), open[0]);
        assert!(places[1..].iter().all(|place| possible(place) == open[1].or(open[2])));
    }

    /// However sure the net is, what is possible keeps a weight.
    #[test]
    fn no_possible_rank_loses_all_weight() {
        let mut judged = ByRank::filled(-30.0);
        judged[Rank::Bomb] = 30.0;
        let weights = weighed(&ByRank::filled(1.0), &square_weights(0), &judged, RankSet::ALL, 0.975);
        assert!(weights.values().all(|weight| *weight > 0.0), "{weights:?}");
    }
}
