//! The seam between search and evaluation: any evaluator can stand beside the hand-made one.

use outflank::belief::Belief;
use outflank::eval::{Evaluator, EvaluatorKind, InformationState, Material, Situation, Walk};
use outflank::rng::Rng;
use outflank::rules::{
    Outcome, Piece, PieceId, Played, Rank, RankSet, Ruleset, Side, Spn, Square, Verdict, Viewer,
};
use outflank::search::{Budget, Choice, Conditions, Control, Level, SearchTask, search_by};
use outflank::view::View;
use outflank_tests::{Policy, Stopped, deal, random_setup, rescue_systems, rule_systems};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::AtomicBool;

/// Wants its Marshal near a square, and nothing else.
#[derive(Copy, Clone)]
struct Goal(Square);

impl Evaluator for Goal {
    type State = ();
    type Undo = ();

    fn begin(&self, _: Situation<'_>) {}

    fn observe(&self, (): &mut (), _: Situation<'_>, _: &[(PieceId, Piece)]) {}

    fn undo(&self, (): &mut (), (): ()) {}

    fn evaluate(&self, (): &mut (), Situation { position, known }: Situation<'_>) -> f32 {
        let marshal = RankSet::only(Rank::Marshal);
        let own = position.pieces(known.us()).find(|(_, piece)| piece.ranks == marshal);
        let square = own.and_then(|(_, piece)| piece.square);
        square.map_or(-2000.0, |square| -100.0 * f32::from(square.distance(self.0)))
    }
}

/// An accumulator: it adds a number for each standing piece, by where it stands and what is known of it, and follows the
/// plies. Asked for a value, it counts anew.
#[derive(Copy, Clone)]
struct Adding;

impl Adding {
    fn share(id: PieceId, piece: &Piece) -> u64 {
        let mut hasher = DefaultHasher::new();
        (id, piece.square, piece.ranks, piece.learned, piece.moved, piece.rescuer).hash(&mut hasher);
        if piece.square.is_some() { hasher.finish() } else { 0 }
    }
}

impl Evaluator for Adding {
    type State = u64;
    type Undo = u64;

    fn begin(&self, Situation { position, .. }: Situation<'_>) -> u64 {
        let pieces = Side::BOTH.into_iter().flat_map(|side| position.pieces(side));
        pieces.fold(0, |sum, (id, piece)| sum.wrapping_add(Adding::share(id, piece)))
    }

    fn observe(&self, sum: &mut u64, now: Situation<'_>, changed: &[(PieceId, Piece)]) -> u64 {
        let before = *sum;
        for (id, old) in changed {
            *sum = sum.wrapping_add(Adding::share(*id, now.position.piece(*id)));
            *sum = sum.wrapping_sub(Adding::share(*id, old));
        }
        before
    }

    fn undo(&self, sum: &mut u64, before: u64) {
        *sum = before;
    }

    fn evaluate(&self, sum: &mut u64, now: Situation<'_>) -> f32 {
        assert_eq!(*sum, self.begin(now));
        (*sum % 1000) as f32
    }
}

/// Red has its flag at a1 and its Marshal at e3; Blue's three pieces are far away, behind the lakes.
fn view() -> View {
    let text = "?8?/10/9?/10/2__2__2/2__2__2/10/4L5/10/M9 r r -,- 0 0 preset=isf";
    View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), Side::Red)
}

fn choose(view: &View, evaluator: impl Evaluator, threads: usize) -> Choice {
    // A limit of nodes could be spent by the helper before the main thread has begun.
    let budget = Budget { depth: Some(3), ..Budget::default() };
    let (belief, stop) = (Belief::of_enemies(view), AtomicBool::new(false));
    let conditions =
        Conditions { budget, level: Level::FULL, seed: 1, control: Control::new(&Stopped, &stop) };
    let task = SearchTask { threads, ..SearchTask::plain(view, &belief, conditions) };
    search_by(&task, evaluator, &mut |_| {})
}

fn distance_after(choice: &Choice, goal: Square) -> u8 {
    choice.action.unwrap().to.distance(goal)
}

#[test]
fn a_search_goes_where_its_evaluator_wants_to_be() {
    let marshal: Square = "e3".parse().unwrap();
    for goal in ["a3", "j3", "e1", "b2"] {
        let goal: Square = goal.parse().unwrap();
        for threads in [1, 2] {
            let choice = choose(&view(), Goal(goal), threads);
            assert!(distance_after(&choice, goal) < marshal.distance(goal), "{goal}: {choice:?}");
        }
    }
}

#[test]
fn evaluators_are_found_by_name() {
    for kind in EvaluatorKind::ALL {
        assert_eq!(EvaluatorKind::from_name(&kind.name().to_uppercase()), Some(kind));
    }
    assert_eq!(EvaluatorKind::from_name("network"), None);
}

/// Walks from a view by random plies and back again, the accumulator counted anew at every step; how many it made, and how
/// many of them were rescues.
fn walk(view: &View, policy: Policy, rng: &mut Rng) -> [usize; 2] {
    let mut walk = Walk::new(Adding, view, &Belief::of_enemies(view));
    let (mut path, mut rescues) = (Vec::new(), 0);
    for _ in 0..200 {
        let position = walk.situation().position;
        let actions = position.actions();
        if actions.is_empty() || position.ending().is_some() {
            break;
        }
        let action = policy.choose(position, &actions, rng);
        let verdict = Verdict { outcome: Outcome::ALL[rng.below(3)], striker: None, defender: None };
        let verdict = position.is_strike(action).then_some(verdict);
        path.extend(walk.play(Played { action, verdict }));
        walk.evaluate();
        rescues += usize::from(!walk.situation().position.last_rescue().is_empty());
    }
    let made = path.len();
    while let Some(made) = path.pop() {
        walk.undo(made);
        walk.evaluate();
    }
    [made, rescues]
}

#[test]
fn an_accumulator_follows_games_and_searches_under_all_rules() {
    let mut rng = Rng::new(11);
    let mut met = [0; 2];
    for (round, rules) in rule_systems().into_iter().chain(rescue_systems()).enumerate() {
        let setups = [(); 2].map(|()| random_setup(&rules, &mut rng));
        let mut position = deal(rules, &setups[0], &setups[1]);
        let policy = Policy::by_turns(round, &rules);
        for _ in 0..30 * (round % 8) {
            let action = policy.choose(&position, &position.actions(), &mut rng);
            position.play(action.into()).unwrap();
            if position.ending().is_some() {
                position.undo();
                break;
            }
        }
        let mover = position.to_move();
        let view = View::from_spn(&Spn { position, viewer: Viewer::Both }, mover);
        let found = walk(&view, policy, &mut rng);
        met = [met[0] + found[0], met[1] + found[1]];
        assert!(choose(&view, Adding, 1 + round % 2).action.is_some(), "{rules:?}");
    }
    assert!(met[0] > 1000 && met[1] > 10, "{met:?}");
}

/// Who has a Marshal against two unknown pieces leads, wherever they stand.
#[test]
fn material_is_who_is_left() {
    let value = |text: &str| {
        let view = View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), Side::Red);
        Walk::new(Material, &view, &Belief::of_enemies(&view)).evaluate()
    };
    let [far, near, alone] = ["4L5/10/M9", "10/4L5/1M8", "10/10/M9"]
        .map(|home| value(&format!("?8?/10/9?/10/2__2__2/2__2__2/10/{home} r r -,- 0 0 preset=isf")));
    assert!((far - near).abs() < 1.0 && far > 0.0, "{far} {near}");
    assert!(alone < far, "{alone} {far}");
}

#[test]
fn the_value_of_a_position_is_the_evaluators() {
    let view = view();
    let state = InformationState::new(&view, &Belief::of_enemies(&view));
    let enemy = view.position().pieces(Side::Blue).next().unwrap().0;
    assert_eq!(state.us(), Side::Red);
    assert!((state.conditioned(view.position(), enemy).values().sum::<f32>() - 1.0).abs() < 1e-4);
    let now = Situation { position: view.position(), known: &state };
    assert!(Goal("e3".parse().unwrap()).evaluate(&mut (), now).abs() < 1e-6);
}
