//! What the hidden pieces may be.
//!
//! Hard facts per piece (sets of ranks), the counts of the whole army respected jointly, and likelihoods that weigh
//! ranks: starting squares, what is known of the other pieces (bombs beside flags, and a net that knows how people set
//! up), when pieces first move, whom one has just come beside, behaviour features by several opponent types, and what
//! the moves were good for.

mod assignment;
mod barrage;
pub mod contact;
mod counts;
pub mod evidence;
mod explanation;
mod flag_and_bombs;
pub mod history;
mod move_evidence;
pub mod opponent_types;
mod params;
pub mod score;
pub mod setups;
mod square_prior;
pub mod trust;
#[cfg(test)]
mod world_tests;
mod worlds;

use crate::rules::{Army, ByRank, Piece, PieceId, Position, Rank, RankSet, Ruleset, Square};
use crate::view::View;
pub use counts::Counts;
pub use evidence::{Evidence, Known, MoveEvidence};
pub use explanation::Likelihood;
use explanation::multiply;
use opponent_types::{TypeMixture, mixture};
#[cfg(any(test, feature = "tune"))]
pub(crate) use params::PARAMETERS;
pub use params::count_share;
use square_prior::SQUARE_PRIOR;
use trust::Trust;
use worlds::Structure;
pub use worlds::World;

/// The probabilities of one piece's ranks; they sum to one.
pub type RankProbabilities = ByRank<f32>;

/// Start weights by `row_from_back * 5 + min(column, 9 - column)` and by [`Rank::index`]: positive, 10000 meaning "as
/// if placed blindly".
pub type SquarePrior = [[u16; Rank::COUNT]; 20];

/// The entry of a [`SquarePrior`] that says "as if placed blindly".
const BLIND: f32 = 10_000.0;

/// A belief about one side's pieces.
///
/// It gives each piece's rank probabilities, and draws whole armies that fit all that is known:
///
/// ```
/// use outflank::belief::Belief;
/// use outflank::rng::Rng;
/// use outflank::rules::{Ruleset, Side, Spn};
/// use outflank::view::View;
///
/// let spn = Spn::parse("?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r r 22,6? 12 200", Ruleset::default())?;
/// let belief = Belief::of_enemies(&View::from_spn(&spn, Side::Red));
/// let worlds = belief.sample(3, &mut Rng::new(7));
/// // Three pieces stand, and one of the two dead is unknown.
/// assert!(worlds.iter().all(|world| world.ranks().len() >= 4));
/// # Ok::<(), outflank::rules::SpnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Belief {
    pieces: Vec<(PieceId, RankProbabilities)>,
    army: ArmyModel,
}

/// The joint model of an army's ranks: its pieces, then one phantom for each piece that a study position leaves out.
#[derive(Clone, Debug)]
struct ArmyModel {
    allowed: Vec<RankSet>,
    weights: Vec<ByRank<f32>>,
    counts: ByRank<u8>,
    /// The likelihoods that have weighed in, in order, and the weights before each.
    before: Vec<(Likelihood, Vec<ByRank<f32>>)>,
    /// What whole armies need beside that; none where only weights are known.
    structure: Option<Structure>,
}

impl ArmyModel {
    fn new(
        pieces: &[(PieceId, Piece)],
        rules: &Ruleset,
        weigh: impl Fn(PieceId, &Piece) -> ByRank<f32>,
    ) -> ArmyModel {
        let army = rules.army();
        let mut allowed: Vec<RankSet> = pieces.iter().map(|(_, piece)| piece.ranks).collect();
        let mut weights: Vec<ByRank<f32>> = pieces.iter().map(|(id, piece)| weigh(*id, piece)).collect();
        // While a game goes on the flag stands: no piece that is missing or dead is one.
        let flag = RankSet::only(Rank::Flag);
        let flag_stands = pieces.iter().any(|(_, piece)| piece.is_alive() && piece.ranks.meets(flag));
        if flag_stands {
            for ((_, piece), allowed) in pieces.iter().zip(&mut allowed) {
                if !piece.is_alive() && piece.ranks != flag {
                    *allowed = allowed.without(flag);
                }
            }
        }
        let phantom = if flag_stands { RankSet::ALL.without(flag) } else { RankSet::ALL };
        allowed.resize(army.size().max(allowed.len()), phantom);
        weights.resize(allowed.len(), ByRank::filled(1.0));
        ArmyModel { allowed, weights, counts: *army.counts(), before: Vec::new(), structure: None }
    }

    /// With all that is expected of people and bots: places, histories, bombs beside flags.
    fn expected(
        pieces: &[(PieceId, Piece)],
        known: Known<'_>,
        likelihoods: &[Likelihood],
        mixture: &TypeMixture,
    ) -> ArmyModel {
        let mut model = ArmyModel::new(pieces, known.view.position().rules(), |_, _| ByRank::filled(1.0));
        let classic = model.counts == *Army::CLASSIC.counts();
        let trust = if classic { trust_in(pieces, known) } else { Trust::in_another_army() };
        for likelihood in Likelihood::ALL.into_iter().filter(|likelihood| likelihoods.contains(likelihood)) {
            let placed = likelihoods.contains(&Likelihood::Place);
            let setup = |placed, joined| {
                trust::setup_log_likelihoods(pieces, known.view.position().rules(), placed, joined)
            };
            model.weigh(likelihood, |model| match likelihood {
                Likelihood::Place if classic => weigh_setup(model, &trust, &setup(true, false), None),
                Likelihood::Neighbours if classic => {
                    weigh_setup(model, &trust, &setup(placed, true), Some(&setup(placed, false)));
                }
                Likelihood::Neighbours => setups::weigh(model, pieces, placed),
                Likelihood::History => history::weigh(pieces, &mut model.weights, known.view, &trust),
                Likelihood::Contact => contact::weigh(pieces, &mut model.weights, known, &trust),
                Likelihood::MoveEvidence => move_evidence::weigh(pieces, &mut model.weights, known, &trust),
                _ => weigh(likelihood, &mut model.weights, pieces, (known, mixture)),
            });
            model.sharpen(likelihood, params::power(likelihood));
        }
        if classic && likelihoods.contains(&Likelihood::Neighbours) {
            let placed = likelihoods.contains(&Likelihood::Place);
            model.structure = Some(Structure::new(pieces, *known.view.position().rules(), trust, placed));
        }
        model
    }

    fn problem(&self) -> assignment::Problem<'_> {
        assignment::Problem { allowed: &self.allowed, weights: &self.weights, counts: self.counts }
    }
}

/// How far the sources are trusted, by the ranks of this side that have been revealed.
fn trust_in(pieces: &[(PieceId, Piece)], known: Known<'_>) -> Trust {
    let side = pieces.first().map(|(id, _)| id.side());
    Trust::of(
        known.evidence.revealed(known.view).filter(|(prediction, _)| Some(prediction.id.side()) == side),
        known.evidence.contacts(known.view).filter(|(prediction, _)| Some(prediction.id.side()) == side),
    )
}

/// Weighs ranks by what the setup says, beyond what was `said` already, as far as it is trusted.
fn weigh_setup(model: &mut ArmyModel, trust: &Trust, all: &[ByRank<f32>], said: Option<&[ByRank<f32>]>) {
    for (index, (weights, all)) in model.weights.iter_mut().zip(all).enumerate() {
        let rest = ByRank::from_fn(|rank| all[rank] - said.map_or(0.0, |said| said[index][rank]));
        multiply(weights, &trust.setup(&rest));
    }
}

/// How much each rank is favoured in a piece that came back unseen: whoever may choose takes a strong one. A guess.
const RESCUED: ByRank<f32> = ByRank::new([1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 3.0, 8.0, 16.0, 24.0, 32.0, 1.0]);

/// Lets a likelihood weigh in on the pieces; `weights` come in their order, and may have more at the end.
fn weigh(
    likelihood: Likelihood,
    weights: &mut [ByRank<f32>],
    pieces: &[(PieceId, Piece)],
    (known, mixture): (Known<'_>, &TypeMixture),
) {
    let view = known.view;
    let position = view.position();
    let favours: fn(PieceId, &Piece, &Position) -> Option<ByRank<f32>> = match likelihood {
        Likelihood::Place => |id, piece, position| by_place(id, piece, position.rules()),
        Likelihood::FirstMove => by_first_move,
        Likelihood::Rescue => |id, _, _| id.came_back().then_some(RESCUED),
        Likelihood::History | Likelihood::Contact | Likelihood::MoveEvidence => return,
        Likelihood::Neighbours => return flag_and_bombs::weigh(pieces, weights, &position.rules().army()),
        Likelihood::OpponentTypes => return opponent_types::weigh(pieces, weights, view, mixture),
    };
    for ((id, piece), weights) in pieces.iter().zip(weights) {
        if let Some(favoured) = favours(*id, piece, position) {
            multiply(weights, &favoured);
        }
    }
}

/// The place of a piece in its owner's setup, if it is known.
fn place_of(id: PieceId, piece: &Piece) -> Option<usize> {
    let start = piece.start.filter(|_| !id.came_back());
    start.and_then(|square: Square| square.setup_place(id.side()))
}

/// How much each rank is favoured by where the piece stood when the game began.
fn by_place(id: PieceId, piece: &Piece, rules: &Ruleset) -> Option<ByRank<f32>> {
    let place = place_of(id, piece)?;
    Some(if rules.barrage {
        barrage::by_row(place / 10)
    } else {
        start_weights(&SQUARE_PRIOR, place, count_share())
    })
}

/// How much each rank of a piece of the classic army is favoured by where it began.
fn prior(id: PieceId, piece: &Piece) -> ByRank<f32> {
    if id.came_back() {
        return RESCUED;
    }
    let Some(place) = place_of(id, piece) else { return ByRank::filled(1.0) };
    start_weights(&SQUARE_PRIOR, place, count_share())
}

/// How much each rank is favoured by when the piece first moved. For the classic army the history model says that.
fn by_first_move(id: PieceId, piece: &Piece, position: &Position) -> Option<ByRank<f32>> {
    place_of(id, piece).filter(|_| position.rules().barrage)?;
    let (first_move, turns) = (piece.first_move.map(|ply| ply / 2), position.ply() / 2);
    Some(barrage::by_first_move(first_move, piece.moved, turns))
}

/// How much `table` favours each rank on a place of its owner's setup (below 40, counted as in a setup string),
/// with `count_share` (0 to 1) of the plain count prior mixed in. 1 means "as if placed blindly".
pub fn start_weights(table: &SquarePrior, place: usize, count_share: f32) -> ByRank<f32> {
    let (row, file) = (place / 10, place % 10);
    ByRank::new(table[row * 5 + file.min(9 - file)])
        .map(|weight| (1.0 - count_share) * f32::from(weight) / BLIND + count_share)
}

/// How much the engine's square prior favours each rank on a place of its owner's setup, counted as in a setup string.
pub fn square_weights(place: usize) -> ByRank<f32> {
    start_weights(&SQUARE_PRIOR, place, count_share())
}

impl Belief {
    /// What a player may think of the enemy's pieces, by what it was shown and what was found out about that.
    pub fn of_enemies<'a>(known: impl Into<Known<'a>>) -> Belief {
        Belief::of_enemies_weighing(known, &Likelihood::ALL)
    }

    /// Like [`Belief::of_enemies`], with nothing weighed but these likelihoods: for measuring what they are worth.
    /// Without any, facts and the army's counts are left.
    pub fn of_enemies_weighing<'a>(known: impl Into<Known<'a>>, likelihoods: &[Likelihood]) -> Belief {
        let known = known.into();
        let pieces: Vec<_> = known.view.enemies().map(|(id, piece)| (id, *piece)).collect();
        Belief::new(&pieces, ArmyModel::expected(&pieces, known, likelihoods, &mixture()))
    }

    /// Like [`Belief::of_enemies`], as if these were the opponent types. For fitting them and measuring their worth.
    pub fn of_enemies_by(view: &View, mixture: &TypeMixture) -> Belief {
        let pieces: Vec<_> = view.enemies().map(|(id, piece)| (id, *piece)).collect();
        Belief::new(&pieces, ArmyModel::expected(&pieces, view.into(), &Likelihood::ALL, mixture))
    }

    /// Like [`Belief::of_enemies`], with each piece's ranks weighed by `weigh` alone: positive weights, in any unit.
    /// Hard facts and the army's counts hold as ever. For measuring what a prior is worth.
    pub fn of_enemies_weighed(view: &View, weigh: impl Fn(PieceId, &Piece) -> ByRank<f32>) -> Belief {
        let pieces: Vec<_> = view.enemies().map(|(id, piece)| (id, *piece)).collect();
        Belief::new(&pieces, ArmyModel::new(&pieces, view.position().rules(), weigh))
    }

    /// What the enemy may think of `view`'s player's pieces, by the same reasoning.
    pub fn of_ours(view: &View) -> Belief {
        let pieces: Vec<_> = view.ours_as_learned().collect();
        Belief::new(&pieces, ArmyModel::expected(&pieces, view.into(), &Likelihood::ALL, &mixture()))
    }

    fn new(pieces: &[(PieceId, Piece)], army: ArmyModel) -> Belief {
        let mut probabilities = Vec::new();
        if !assignment::marginals(&army.problem(), &mut probabilities) {
            // The facts told contradict the army's counts (a host's error): believe each piece by itself.
            log::warn!("no army fits what has been told; counts are ignored");
            probabilities = pieces.iter().map(|(_, piece)| uniform(piece.ranks)).collect();
        }
        let pieces =
            pieces.iter().zip(probabilities).map(|((id, _), probabilities)| (*id, probabilities)).collect();
        Belief { pieces, army }
    }

    /// Whether some whole army fits what the view's player has been told of the enemy.
    pub fn is_possible(view: &View) -> bool {
        let pieces: Vec<_> = view.enemies().map(|(id, piece)| (id, *piece)).collect();
        // What fits is a matter of facts and counts alone.
        let army = ArmyModel::new(&pieces, view.position().rules(), |_, _| ByRank::filled(1.0));
        assignment::feasible(&army.problem()).is_some()
    }

    /// Every piece of the side, living and dead, with its rank probabilities.
    pub fn pieces(&self) -> &[(PieceId, RankProbabilities)] {
        &self.pieces
    }

    /// The rank probabilities of one piece.
    pub fn probabilities(&self, id: PieceId) -> Option<&RankProbabilities> {
        self.pieces.iter().find(|(other, _)| *other == id).map(|(_, probabilities)| probabilities)
    }

    /// The probabilities of [`Belief::pieces`] without the approximation used for large armies; `None` if no army fits
    /// what has been told. A whole army takes about 0.2 s and 150 MB: for fitting and checking, not for play.
    pub fn exact(&self) -> Option<Vec<(PieceId, RankProbabilities)>> {
        let mut probabilities = Vec::new();
        assignment::marginals_exact(&self.army.problem(), &mut probabilities).then(|| {
            self.pieces
                .iter()
                .zip(probabilities)
                .map(|((id, _), probabilities)| (*id, probabilities))
                .collect()
        })
    }
}

fn uniform(ranks: RankSet) -> RankProbabilities {
    let share = 1.0 / ranks.len().max(1) as f32;
    ByRank::from_fn(|rank| if ranks.contains(rank) { share } else { 0.0 })
}

/// Probabilities in parts per million that sum to exactly 1,000,000; a possible rank is never 0.
pub fn parts_per_million(probabilities: &RankProbabilities) -> ByRank<u32> {
    let mut parts = probabilities.map(|chance| if chance > 0.0 { ((chance * 1e6) as u32).max(1) } else { 0 });
    let likeliest = Rank::ALL.into_iter().max_by_key(|&rank| parts[rank]).unwrap_or(Rank::Flag);
    let others: u32 = Rank::ALL.into_iter().filter(|&rank| rank != likeliest).map(|rank| parts[rank]).sum();
    parts[likeliest] = 1_000_000u32.saturating_sub(others);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::rng::Rng;
    use crate::rules::{Army, Ruleset, Setup, Side};

    pub(super) fn opening() -> View {
        let mut view = View::new(Side::Red, Ruleset::default());
        let ours: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
        view.observe(&Event::Deployed(Side::Red, ours)).unwrap();
        view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
        view
    }

    #[test]
    fn chances_add_up_by_piece_and_by_rank() {
        let belief = Belief::of_enemies(&opening());
        for rank in Rank::ALL {
            let expected: f32 = belief.pieces().iter().map(|(_, probabilities)| probabilities[rank]).sum();
            assert!((expected - f32::from(Army::CLASSIC.count(rank))).abs() < 1e-2, "{rank}: {expected}");
        }
        for (_, probabilities) in belief.pieces() {
            assert_eq!(parts_per_million(probabilities).values().sum::<u32>(), 1_000_000);
        }
    }

    /// A setup loaded back to front would put the flags in front: both sides' flags are at home.
    #[test]
    fn flags_are_expected_at_home() {
        let view = opening();
        for (side, belief) in [(Side::Blue, Belief::of_enemies(&view)), (Side::Red, Belief::of_ours(&view))] {
            let at_home: f32 = (0..10)
                .filter_map(|n| belief.probabilities(PieceId::new(side, n)))
                .map(|probabilities| probabilities[Rank::Flag])
                .sum();
            assert!(at_home > 0.75 && at_home < 0.95, "{side}: {at_home}");
        }
    }

    #[test]
    fn sampled_worlds_are_whole_armies() {
        let belief = Belief::of_enemies(&opening());
        let worlds = belief.sample(100, &mut Rng::new(1));
        assert_eq!(worlds.len(), 100);
        for world in worlds {
            for rank in Rank::ALL {
                let count = world.ranks().iter().filter(|(_, other)| *other == rank).count();
                assert_eq!(count, Army::CLASSIC.count(rank) as usize);
            }
        }
    }
}
