//! What an engine's answers leave behind.

use super::*;
use crate::engine::Effort;
use serde_json::json;

const ARMY: &str = "B3FB3262452B3B6B5S7325B48269474M62225873";

/// Red, the person, has moved, and Blue, the engine, is to act; with a minute on each clock.
fn state() -> State {
    let engine = json!({ "player": "engine", "level": 3, "movetime": 100 });
    let seats = [json!({ "player": "person" }), engine];
    let options =
        json!({ "rules": "isf", "seats": seats, "eyes": "red", "friendly": true, "clock": [60, 0] });
    let mut game = Match::new(serde_json::from_value(options).unwrap());
    for side in Side::BOTH {
        game.deploy(side, &ARMY.parse().unwrap()).unwrap();
    }
    game.play_person(action("a4a5"), 0, Duration::ZERO).unwrap();
    Room::new(Tokens::new(false).unwrap(), 1, game, false).state.into_inner().unwrap()
}

fn action(text: &str) -> Action {
    text.parse::<Played>().unwrap().action
}

/// Lets the engine answer by this action, after so many seconds.
fn answer(state: &mut State, text: &str, chances: Option<[u32; 3]>, seconds: u64) -> Result<(), Fault> {
    let taken = Duration::from_secs(seconds);
    let effort = Effort { nodes: 0, taken, chances };
    state.take(Due::Action(Side::Blue), Answer::Act(action(text), effort), taken)
}

const LOST: Option<[u32; 3]> = Some([100, 100, 800]);

#[test]
fn an_engine_takes_a_draw_by_what_it_expected_of_its_last_action() {
    let mut state = state();
    answer(&mut state, "j7j6", LOST, 0).unwrap();
    state.offer_draw().unwrap();
    assert!(state.game.outcome().is_some());
}

#[test]
fn what_an_engine_expected_of_an_illegal_action_does_not_count() {
    let mut state = state();
    assert_eq!(answer(&mut state, "j7j5", LOST, 0).unwrap_err().flaw, Flaw::Illegal);
    assert!(state.expected.is_empty());
    answer(&mut state, "j7j6", None, 0).unwrap();
    state.offer_draw().unwrap();
    assert!(state.game.outcome().is_none());
}

#[test]
fn what_an_engine_expected_too_late_does_not_count() {
    let mut state = state();
    answer(&mut state, "j7j6", LOST, 61).unwrap();
    assert!(state.expected.is_empty() && state.game.outcome().is_some());
}
