//! *More squares* on games that ran into it: every ply legal but the last, which breaks this rule alone.
//!
//! `chase_cases.positions` holds cases of our own, a game a line: whether the last ply is legal, red setup, blue
//! setup, plies without results. In the legal ones a strike has cut the chase short. A larger collection is read from
//! the file that `OUTFLANK_CHASE_CASES` names: the same without the first word, all of them illegal.

use outflank::rules::{Action, Played, Repetition, Ruleset, Setup};
use outflank_tests::{deal, places_of, turn_of};
use outflank_twin::Twin;

/// Plies before the last that the twin judges too; it is slow in long games.
const CHECKED_BY_TWIN: usize = 40;

struct Case {
    red: String,
    blue: String,
    actions: Vec<Action>,
}

fn read(line: &str) -> Case {
    let mut words = line.split_ascii_whitespace();
    let mut setup = || words.next().expect("a setup").to_owned();
    let (red, blue) = (setup(), setup());
    let actions = words.map(|text| text.parse::<Played>().expect("an action").action).collect();
    Case { red, blue, actions }
}

/// Plays the case under the engine and under the twin, and judges its last ply by both.
fn check(case: &Case, legal: bool, name: &str) {
    let rules = Ruleset::default();
    let [red, blue] = [&case.red, &case.blue].map(|text| text.parse::<Setup>().expect("a setup"));
    let mut position = deal(rules, &red, &blue);
    let mut twin = Twin::new(rules, &case.red, &case.blue);
    let (&last, before) = case.actions.split_last().expect("a case has plies");
    for (ply, &action) in before.iter().enumerate() {
        assert!(position.is_legal(action), "{name}: ply {ply}");
        position.play(action.into()).expect("legal");
        if before.len() - ply < CHECKED_BY_TWIN {
            assert!(twin.legal().contains(&turn_of(action)), "{name}: ply {ply} by the twin");
            twin.play(turn_of(action));
        } else {
            twin.play_on(places_of(action));
        }
    }
    let ply = places_of(last);
    assert_eq!(position.ending(), None, "{name}");
    assert_eq!(position.is_legal(last), legal, "{name}");
    assert_eq!(position.actions().contains(&last), legal, "{name}");
    assert!(twin.reachable().contains(&ply) && !twin.breaks_two_squares(ply), "{name}");
    assert_eq!(twin.legal().contains(&(ply, None)), legal, "{name} by the twin");
    let rule = if legal { None } else { Some(Repetition::MoreSquares) };
    assert_eq!(position.repetition(last), rule, "{name}");
    assert_eq!(twin.breaks_more_squares(ply, &twin.chases()), !legal, "{name} by the twin");
}

#[test]
fn cases_of_our_own() {
    for (index, line) in include_str!("chase_cases.positions").lines().enumerate() {
        let (judgement, game) = line.split_once(' ').expect("a judgement and a game");
        check(&read(game), judgement == "legal", &format!("case {}", index + 1));
    }
}

#[test]
#[ignore = "reads a collection that is no part of the project: the file that OUTFLANK_CHASE_CASES names"]
fn cases_of_the_collection() {
    let path = std::env::var_os("OUTFLANK_CHASE_CASES").expect("OUTFLANK_CHASE_CASES names the collection");
    let text = std::fs::read_to_string(path).expect("the collection can be read");
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    assert!(!lines.is_empty());
    for (index, line) in lines.iter().enumerate() {
        check(&read(line), false, &format!("line {}", index + 1));
    }
    println!("{} cases", lines.len());
}
