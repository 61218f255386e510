//! The seam between search and evaluation: any evaluator can stand beside the hand-made one.

use outflank::belief::Belief;
use outflank::eval::{Evaluator, EvaluatorKind, HandMade, InformationState, Material};
use outflank::rules::{Position, Rank, RankSet, Ruleset, Side, Spn, Square};
use outflank::search::{Budget, Choice, Conditions, Control, Level, SearchTask, search};
use outflank::view::View;
use outflank_tests::Stopped;
use std::sync::atomic::AtomicBool;

/// Wants its Marshal near a square, and nothing else.
struct Goal(Square);

impl Evaluator for Goal {
    fn evaluate(&self, position: &Position, state: &InformationState) -> f32 {
        let marshal = RankSet::only(Rank::Marshal);
        let own = position.pieces(state.us()).find(|(_, piece)| piece.ranks == marshal);
        let square = own.and_then(|(_, piece)| piece.square);
        square.map_or(-2000.0, |square| -100.0 * f32::from(square.distance(self.0)))
    }
}

/// Red has its flag at a1 and its Marshal at e3; Blue's three pieces are far away, behind the lakes.
fn view() -> View {
    let text = "?8?/10/9?/10/2__2__2/2__2__2/10/4L5/10/M9 r r -,- 0 0 preset=isf";
    View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), Side::Red)
}

fn choose(evaluator: &dyn Evaluator, threads: usize) -> Choice {
    let view = view();
    // A limit of nodes could be spent by the helper before the main thread has begun.
    let budget = Budget { depth: Some(3), ..Budget::default() };
    let (belief, stop) = (Belief::of_enemies(&view), AtomicBool::new(false));
    let conditions =
        Conditions { budget, level: Level::FULL, seed: 1, control: Control::new(&Stopped, &stop) };
    let task = SearchTask { evaluator, threads, ..SearchTask::plain(&view, &belief, conditions) };
    search(&task, &mut |_| {})
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
            let choice = choose(&Goal(goal), threads);
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

/// Who has a Marshal against two unknown pieces leads, wherever they stand.
#[test]
fn material_is_who_is_left() {
    let value = |text: &str| {
        let view = View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), Side::Red);
        Material.evaluate(view.position(), &InformationState::new(&view, &Belief::of_enemies(&view)))
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
    let same = [(); 2].map(|()| HandMade.evaluate(view.position(), &state).to_bits());
    assert_eq!(same[0], same[1]);
    assert!((Goal("e3".parse().unwrap()).evaluate(view.position(), &state)).abs() < 1e-6);
}
