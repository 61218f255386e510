//! What the root adds to the tree's values, in points: a bonus for strikes at hidden pieces, what a learned policy says,
//! and noise on the moves of an opening, so that whoever knows our setup still cannot prepare for what we do.
//!
//! The search sees hardly a difference between first moves, so without noise the policy's favourite would be played in
//! every game. To take the best after Gumbel noise is to sample by a softmax (Gumbel 1954, Statistical Theory of Extreme
//! Values).

use super::level::Level;
use super::params;
use super::task::ActionProbability;
use crate::math;
use crate::rng::Rng;
use crate::rules::{Action, Outcome, PieceId, Position, Rank, Side, battle};

/// The points that an action is worth beyond what the search says of it: a strike at a hidden piece, unless by a miner.
/// A major or better that strikes what may well be a bomb loses some. `bomb` is the chance that an enemy piece is one.
pub(super) fn strike_bonus(position: &Position, action: Action, bomb: impl Fn(PieceId) -> f32) -> f32 {
    let piece = |square| position.piece_at(square).map(|id| (id, position.piece(id)));
    let (Some((_, striker)), Some((id, victim))) = (piece(action.from), piece(action.to)) else { return 0.0 };
    if striker.ranks.single() == Some(Rank::Miner) || victim.ranks.single().is_some() {
        return 0.0;
    }
    let is_open = position.ply() >= params::strike_bonus_from();
    let share = if is_open { 1.0 } else { params::strike_bonus_opening() };
    if victim.moved {
        return share * params::strike_bonus_moved();
    }
    let is_strong = striker.ranks.single() >= Some(Rank::Major);
    let charged = is_strong && bomb(id) >= params::bomb_charge_from();
    share * params::strike_bonus_unmoved() - if charged { params::bomb_charge() } else { 0.0 }
}

/// Whether an action strikes what is known to beat its piece: people see that, however weak they are.
pub(super) fn surely_loses(position: &Position, action: Action) -> bool {
    let rank = |square| position.piece_at(square).and_then(|id| position.piece(id).ranks.single());
    let battle = |(striker, defender)| battle(striker, defender, position.rules().strike_rules());
    rank(action.from).zip(rank(action.to)).is_some_and(|ranks| battle(ranks) == Outcome::Loss)
}

/// What a learned policy adds to an action, in points: nothing for its favourite, a loss for what it seldom chooses. At
/// full strength its favourite is the move that it likes best, and it never favours a strike.
pub(super) fn policy_bonus(
    policy: &[ActionProbability],
    level: Level,
    is_strike: impl Fn(Action) -> bool,
) -> impl Fn(Action) -> f32 {
    let (weight, floor) = (level.policy_weight(), level.policy_floor());
    let most = |of: &dyn Fn(Action) -> bool| {
        let logarithms = policy.iter().filter(|said| of(said.action)).map(|said| said.logarithm);
        logarithms.fold(f32::NEG_INFINITY, f32::max)
    };
    let all = most(&|_| true);
    let moves = most(&|action| level.is_weaker() || !is_strike(action));
    let most = if moves.is_finite() { moves } else { all };
    move |action| {
        let said = policy.iter().find(|said| said.action == action);
        let logarithm = said.map_or(most, |said| said.logarithm);
        if most.is_finite() { weight * (logarithm - most).clamp(-floor, 0.0) } else { 0.0 }
    }
}

/// The stream of the seed that the noise comes from, by ply.
const STREAM: u64 = 2 << 32;
/// The mean of Gumbel noise: Euler's constant.
const MEAN: f32 = 0.577_215_7;

/// The share of both armies that stands in an opening.
const WHOLE: f32 = 0.9;

/// The noise of one ply.
pub(super) struct OpeningNoise {
    rng: Rng,
    /// A move that is worth so many points less is chosen less often by a factor of e.
    scale: f32,
}

impl OpeningNoise {
    /// The noise at a position. A position with few pieces is no opening, whatever its ply: it is somebody's study.
    pub(super) fn new(seed: u64, position: &Position) -> OpeningNoise {
        let standing = Side::BOTH.into_iter().flat_map(|side| position.pieces(side));
        let standing = standing.filter(|(_, piece)| piece.is_alive()).count();
        let whole = 2 * position.rules().army().size();
        let is_opening = standing as f32 >= WHOLE * whole as f32;
        OpeningNoise::at(seed, if is_opening { position.ply() } else { params::opening_noise_plies() })
    }

    /// The noise of an opening at this ply.
    fn at(seed: u64, ply: u32) -> OpeningNoise {
        let left = 1.0 - ply as f32 / params::opening_noise_plies() as f32;
        let scale = params::opening_noise() * left.max(0.0);
        OpeningNoise { rng: Rng::stream(seed, STREAM | u64::from(ply)), scale }
    }

    /// The points that the next move has by chance; none once the opening is over.
    pub(super) fn points(&mut self) -> f32 {
        // From the open interval: the logarithm of neither end is finite.
        let chance = self.rng.unit().clamp(1e-6, 1.0 - 1e-6);
        self.scale * (-math::ln(-math::ln(chance)) - MEAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, Setup, Side, Spn, Square};
    use crate::view::View;

    #[test]
    fn strikes_at_hidden_pieces_have_a_bonus_unless_by_a_miner() {
        // In front of a6, b6, e6 and f6: one that has moved, one that never did, a known one, and f6 is a miner.
        for (ply, share) in [(58, params::strike_bonus_opening()), (60, 1.0)] {
            let text =
                format!("9?/9?/10/?+?2t+?+4/GG__GE__2/2__2__2/10/10/10/MB3K3H r r -,- 0 {ply} preset=isf");
            let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
            let bonus = |file| {
                let square = |row| Square::new(file, row).unwrap();
                strike_bonus(view.position(), Action::new(square(5), square(6)), |_| 0.0)
            };
            let full = [params::strike_bonus_moved(), params::strike_bonus_unmoved(), 0.0, 0.0];
            for (file, expected) in [0, 1, 4, 5].into_iter().zip(full.map(|bonus| share * bonus)) {
                assert!((bonus(file) - expected).abs() < 1e-6, "{ply} {file}: {}", bonus(file));
            }
            assert!(full[0] > 0.0 && full[1] > 0.0);
        }
    }

    #[test]
    fn a_strong_piece_is_charged_for_a_likely_bomb() {
        // In front of a6, b6, e6 and f6: a major before one that has moved, a major and a captain before ones that never
        // did, a colonel before one that is known.
        let text = "9?/9?/10/?+?2?t+4/II__HJ__2/2__2__2/10/10/10/MB3K3H r r -,- 0 60 preset=isf";
        let view = View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), Side::Red);
        let bonus = |file, bomb| {
            let square = |row| Square::new(file, row).unwrap();
            strike_bonus(view.position(), Action::new(square(5), square(6)), |_| bomb)
        };
        let (few, many) = (params::bomb_charge_from() - 0.01, params::bomb_charge_from());
        let charge = |file| bonus(file, few) - bonus(file, many);
        assert!(params::bomb_charge() > params::strike_bonus_unmoved());
        assert!((charge(1) - params::bomb_charge()).abs() < 1e-6, "{}", charge(1));
        assert!([0, 4, 5].into_iter().all(|file| charge(file).abs() < 1e-6));
    }

    /// How often each of these worths is the best with the noise of so many seeds.
    fn chosen<const N: usize>(worths: [f32; N], ply: u32) -> [usize; N] {
        let mut counts = [0; N];
        for seed in 0..2000 {
            let mut noise = OpeningNoise::at(seed, ply);
            let with_noise = worths.map(|worth| worth + noise.points());
            let best = (0..N).max_by(|&one, &other| with_noise[one].total_cmp(&with_noise[other])).unwrap();
            counts[best] += 1;
        }
        counts
    }

    #[test]
    fn equal_moves_are_chosen_alike_and_worse_ones_by_their_worth() {
        let alike = chosen([0.0; 4], 0);
        assert!(alike.iter().all(|count| (400..600).contains(count)), "{alike:?}");
        let [best, worse, poor] = chosen([0.0, -params::opening_noise(), -8.0 * params::opening_noise()], 0);
        // A factor of e is 73 and 27 of a hundred.
        assert!((1360..1560).contains(&best) && worse + best >= 1990 && poor <= 10, "{best} {worse} {poor}");
    }

    #[test]
    fn there_is_none_once_the_opening_is_over() {
        let [late, later] = [0, 1].map(|more| params::opening_noise_plies() + more);
        let points = |ply| OpeningNoise::at(1, ply).points();
        assert_eq!((points(late), points(later)), (0.0, 0.0));
    }

    #[test]
    fn a_study_is_no_opening() {
        let mut whole = Position::new(Ruleset::default());
        for side in Side::BOTH {
            whole.deploy(side, &"B3FB3262452B3B6B5S7325B48269474M62225873".parse::<Setup>().unwrap());
        }
        assert!((OpeningNoise::new(1, &whole).scale - params::opening_noise()).abs() < 1e-6);
        let text = "9?/9?/10/10/2__2__2/2__2__2/?9/G9/10/MB3K3H r r -,- 0 0 preset=isf";
        let study = Spn::parse(text, Ruleset::default()).unwrap();
        assert!(OpeningNoise::new(1, &study.position).scale.abs() < 1e-6);
    }

    fn policy(of: impl IntoIterator<Item = (Action, f32)>) -> Vec<ActionProbability> {
        of.into_iter().map(|(action, logarithm)| ActionProbability { action, logarithm }).collect()
    }

    #[test]
    fn a_policy_costs_what_it_seldom_chooses_and_nothing_else() {
        let to = |file| Action::new(Square::new(0, 3).unwrap(), Square::new(file, 4).unwrap());
        let policy = policy([(to(0), -1.5), (to(4), -0.5), (to(5), -90.0)]);
        let (weight, floor) = (params::policy_weight(), params::policy_floor());
        let bonus_of = policy_bonus(&policy, Level::FULL, |_| false);
        assert!(weight > 0.0);
        let near = |one: f32, other: f32| (one - other).abs() < 1e-6;
        assert!(near(bonus_of(to(4)), 0.0) && near(bonus_of(to(9)), 0.0));
        assert!(near(bonus_of(to(0)), -weight) && near(bonus_of(to(5)), -weight * floor));
        assert!(near(policy_bonus(&[], Level::FULL, |_| false)(to(0)), 0.0));
    }

    #[test]
    fn a_policy_favours_a_strike_below_full_strength_only() {
        let to = |file| Action::new(Square::new(0, 3).unwrap(), Square::new(file, 4).unwrap());
        let policy = policy([(to(0), -0.1), (to(4), -2.5), (to(5), -3.5), (to(8), -4.5)]);
        let is_strike = |action| action == to(0) || action == to(8);
        let bonuses = |level| {
            let bonus_of = policy_bonus(&policy, level, is_strike);
            [0, 4, 5, 8].map(|file| bonus_of(to(file)) / level.policy_weight())
        };
        // The strike that it likes best counts as the move that it likes best; one that it likes less counts less.
        let near = |all: [f32; 4], expected: [f32; 4]| {
            all.into_iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-5)
        };
        assert!(near(bonuses(Level::FULL), [0.0, 0.0, -1.0, -2.0]), "{:?}", bonuses(Level::FULL));
        let weak = bonuses(Level::new(3).unwrap());
        assert!(near(weak, [0.0, -2.4, -3.4, -4.4]), "{weak:?}");
        // Where all is strikes the best of them is the favourite.
        assert!(policy_bonus(&policy, Level::FULL, |_| true)(to(0)).abs() < 1e-6);
    }
}
