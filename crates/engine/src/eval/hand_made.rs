//! The hand-made evaluator: a sum of [`Terms`], and what it keeps up ply by ply for them.
//!
//! What each of our pieces could win from each enemy piece, and the other way round, is kept in one evaluation per enemy
//! piece; a ply of the tree works out at most two of them, and taking it back restores them.

use super::enemy_piece::Place;
use super::evaluator::{Evaluator, Situation, Strike};
use super::flag_attack::FlagAttack;
use super::flag_defence::FlagDefence;
use super::odds::shown;
use super::params;
use super::paths::PathDistances;
use super::piece::PieceEvaluations;
use super::piece_value::rescue_value;
use super::race::Scene;
use super::root::{Root, hidden_value, whole_hidden_value};
use super::state::InformationState;
use super::threat_map::ThreatMap;
use crate::belief::Belief;
use crate::math;
use crate::policy;
use crate::rules::{ByRank, Piece, PieceId, PieceNumber, RankSet};
use crate::sparse::{Evaluation, Pursuits};
use crate::view::{View, Visibility};

/// The evaluator which players use unless another is chosen: the sum of its [`Terms`]. Its numbers are in
/// `crates/engine/src/eval/params.rs`. It orders moves, and the learned policy advises it at the root.
#[derive(Copy, Clone, Debug)]
pub struct HandMade;

impl Evaluator for HandMade {
    type State = Sums;
    type Undo = Undo;

    fn begin(&self, root: Situation<'_>) -> Sums {
        Sums::new(root, None)
    }

    fn observe(&self, sums: &mut Sums, now: Situation<'_>, changed: &[(PieceId, Piece)]) -> Undo {
        sums.make(now, changed)
    }

    fn undo(&self, sums: &mut Sums, undo: Undo) {
        sums.unmake(undo);
    }

    fn evaluate(&self, sums: &mut Sums, now: Situation<'_>) -> f32 {
        Terms::of(now, sums).total()
    }

    fn gain(&self, sums: &Sums, _: Situation<'_>, strike: Strike) -> f32 {
        sums.pieces.of(strike.target.into()).attack[strike.striker]
    }

    fn danger(&self, sums: &Sums, _: Situation<'_>, strike: Strike) -> f32 {
        sums.pieces.of(strike.striker.into()).threat[strike.target][Visibility::Known as usize]
    }

    fn policy(&self, view: &View, pursuits: &Pursuits) -> Option<Evaluation> {
        policy::evaluate(view, pursuits)
    }
}

/// What the hand-made evaluator keeps up along a search.
#[cfg_attr(test, derive(Clone))]
pub struct Sums {
    pub(super) pieces: PieceEvaluations,
    pub(super) totals: Totals,
    /// What our information was worth at the root beyond what it would be without a progress incentive.
    known_at_root: f32,
    pub(super) map: ThreatMap,
    distances: PathDistances,
    flag_defence: FlagDefence,
    flag_attack: FlagAttack,
}

/// What the pieces add up to.
#[derive(Copy, Clone, Default)]
pub(super) struct Totals {
    revealed: f32,
    known: f32,
    /// How many of our pieces never moved and are not known.
    unmoved: f32,
}

/// What taking back a ply needs.
pub struct Undo {
    totals: Totals,
    map: ThreatMap,
    /// Old evaluations of enemy pieces, of one that was struck and of one that came back, the latest first.
    places: [Option<(PieceNumber, Place)>; 2],
}

/// The sums of the same beliefs in another world.
#[derive(Copy, Clone)]
pub(super) struct OtherWorld<'a> {
    /// Those sums.
    pub(super) sums: &'a Sums,
    /// Whether the worlds are so near to each other that the path distances of the one serve for the other.
    pub(super) near: bool,
}

impl Sums {
    /// The sums at the root; what need not be worked out again is taken from `like`, if there is one.
    pub(super) fn new(now: Situation<'_>, like: Option<OtherWorld<'_>>) -> Sums {
        let Situation { position, known } = now;
        let (us, root) = (known.root.us, &known.root);
        let distances = match like {
            Some(OtherWorld { sums, near: true }) => sums.distances.clone(),
            _ => PathDistances::new(position, us, like.map(|like| &like.sums.distances)),
        };
        let mut sums = Sums {
            pieces: PieceEvaluations::new(root.army.strikers()),
            totals: Totals::default(),
            known_at_root: 0.0,
            map: ThreatMap::new(),
            flag_defence: FlagDefence::new(position, us, root.aware, &distances),
            flag_attack: FlagAttack::new(position, us, &root.probabilities, &distances),
            distances,
        };
        for id in PieceId::of(us.enemy()) {
            sums.pieces.follow(known, id);
        }
        sums.count_all(now);
        sums.chase_off(now);
        sums.known_at_root = sums.totals.known * (1.0 - 1.0 / root.progress);
        sums
    }

    /// Takes in all pieces.
    pub(super) fn count_all(&mut self, now: Situation<'_>) {
        let us = now.known.us();
        for id in PieceId::of(us).chain(PieceId::of(us.enemy())) {
            self.count(&now.known.root, now.position.piece(id), id, 1.0);
            self.place(now, id);
        }
    }

    /// Makes striking an enemy that roams among our pieces worth more by a share of what it threatens.
    fn chase_off(&mut self, now: Situation<'_>) {
        let Situation { position, known } = now;
        let us = known.us();
        for id in PieceId::of(us.enemy()) {
            let piece = self.pieces.of(id.into());
            let threat = self.map.threat_of(id.into(), piece, &self.distances.theirs) * params::chase_off();
            let mut share = ByRank::filled(0.0);
            for rank in RankSet::MOBILE.iter() {
                let odds = known.odds(position, rank, id);
                share[rank] = threat * (odds.win + odds.tie);
            }
            let attack = &mut self.pieces.of_mut(id.into()).attack;
            for (own, rank) in
                position.pieces(us).filter_map(|(own, piece)| Some((own, piece.ranks.single()?)))
            {
                if rank.is_mobile() {
                    attack[own] += share[rank];
                }
            }
            self.place(now, id);
        }
    }

    /// Adds a piece's share to the totals, or takes it out with `sign` -1.
    fn count(&mut self, root: &Root, piece: &Piece, id: PieceId, sign: f32) {
        if !piece.is_alive() {
            return;
        }
        if id.side() == root.us {
            let Some(rank) = piece.ranks.single() else { return };
            let lost = whole_hidden_value(rank) - hidden_value(piece, rank);
            self.totals.revealed += sign * root.unsuspected[id] * lost;
            if shown(piece) == Visibility::Unmoved {
                self.totals.unmoved += sign;
            }
        } else {
            self.totals.known += sign * self.pieces.of(id.into()).known;
        }
    }

    /// Takes in where a piece stands.
    fn place(&mut self, now: Situation<'_>, id: PieceId) {
        let piece = now.position.piece(id);
        if id.side() == now.known.us() {
            self.map.place_ours(id.into(), piece.square, shown(piece), &self.pieces, &self.distances);
        } else {
            self.map.place_theirs(id.into(), piece.square, &self.pieces, &self.distances);
        }
    }

    /// Takes in a ply: `changed` are the pieces that it changed, as they were before it.
    fn make(&mut self, now: Situation<'_>, changed: &[(PieceId, Piece)]) -> Undo {
        let Situation { position, known } = now;
        let mut undo = Undo { totals: self.totals, map: self.map.clone(), places: [None; 2] };
        for &(id, old) in changed {
            self.count(&known.root, &old, id, -1.0);
            if id.side() != known.us()
                && let Some(place) = self.pieces.follow(known, id)
            {
                undo.places = [Some(place), undo.places[0]];
            }
            self.count(&known.root, position.piece(id), id, 1.0);
            self.place(now, id);
        }
        undo
    }

    fn unmake(&mut self, undo: Undo) {
        self.totals = undo.totals;
        self.map = undo.map;
        for (number, place) in undo.places.into_iter().flatten() {
            self.pieces.take(number, place);
        }
    }

    /// The sum of what enemy pieces have in reach.
    fn threat(&self) -> f32 {
        let threat = self.map.threat(&self.pieces, &self.distances.ours);
        if params::domination() > 0.0 {
            threat + params::domination() * self.map.dominated(&self.pieces, &self.distances)
        } else {
            threat
        }
    }

    /// What races for the flags depend on.
    fn scene<'a>(&'a self, now: Situation<'a>) -> Scene<'a> {
        let Situation { position, known } = now;
        Scene { position, us: known.us(), pieces: &self.pieces, map: &self.map, distances: &self.distances }
    }
}

/// The terms of the hand-made evaluation, in points: a captain is worth 80. Each is positive where it is good for the
/// player whose information is evaluated.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Terms {
    /// Who is left.
    pub material: f32,
    /// What the enemy has found out about our pieces.
    pub revealed: f32,
    /// What we know of the enemy's pieces, beyond the root.
    pub known: f32,
    /// Our profits in reach.
    pub attack: f32,
    /// The enemy's profits in reach.
    pub threat: f32,
    /// The enemy's races for our flag.
    pub flag_defence: f32,
    /// Our races for the enemy's flag.
    pub flag_attack: f32,
    /// How near both sides are to their next rescue; `None` where the rules have none.
    pub rescue: Option<f32>,
}

impl Terms {
    /// The terms of a view, for its player.
    pub fn of_view(view: &View, belief: &Belief) -> Terms {
        let known = &InformationState::new(view, belief);
        let root = Situation { position: view.position(), known };
        Terms::of(root, &HandMade.begin(root))
    }

    /// The terms where `sums` have followed.
    pub(super) fn of(now: Situation<'_>, sums: &Sums) -> Terms {
        let Totals { revealed, known, unmoved } = sums.totals;
        let (root, scene) = (&now.known.root, sums.scene(now));
        let incentive = root.progress.min(params::most_attack_incentive());
        Terms {
            material: now.known.material(),
            revealed: cover(unmoved) - revealed,
            known: known - sums.known_at_root,
            attack: sums.map.attack(sums.pieces.strikers()) * params::attack() * incentive,
            threat: -(sums.threat() * params::threat() / root.progress),
            flag_defence: -sums.flag_defence.cost(scene),
            flag_attack: sums.flag_attack.value(scene),
            rescue: scene
                .position
                .rules()
                .rescue
                .then(|| rescue_value(scene.position, &root.values, root.us)),
        }
    }

    /// The evaluation: the sum of all terms.
    pub fn total(self) -> f32 {
        // A term that is left out here, or in `named`, is an unused variable.
        let Terms { material, revealed, known, attack, threat, flag_defence, flag_attack, rescue } = self;
        // The order decides the last digits, and those decide between equals.
        let pieces = material + revealed + known + attack + threat;
        pieces + rescue.unwrap_or(0.0) + (flag_attack + flag_defence)
    }

    /// The terms with the names that the protocol's `eval` gives them, but for those that the rules do not have.
    pub fn named(self) -> impl Iterator<Item = (&'static str, f32)> {
        let Terms { material, revealed, known, attack, threat, flag_defence, flag_attack, rescue } = self;
        let always = [
            ("material", material),
            ("revealed", revealed),
            ("known", known),
            ("attack", attack),
            ("threat", threat),
            ("flag-defence", flag_defence),
            ("flag-attack", flag_attack),
        ];
        always.into_iter().chain(rescue.map(|rescue| ("rescue", rescue)))
    }

    /// The total as people read it: the sum of the rounded terms, so that what `eval` prints adds up.
    pub fn in_points(self) -> i32 {
        self.named().map(|(_, points)| points.round() as i32).sum()
    }
}

/// What so many of our pieces that never moved are worth: the flag hides among them.
fn cover(unmoved: f32) -> f32 {
    params::cover() * math::ln(1.0 + unmoved) / std::f32::consts::LN_2
}
