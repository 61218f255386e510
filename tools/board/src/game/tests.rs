//! The state machine by itself.

use super::*;
use serde_json::json;

const ARMY: &str = "B3FB3262452B3B6B5S7325B48269474M62225873";

fn options(seats: [&str; 2], clock: Option<(u32, u32)>) -> Options {
    let seat = |kind: &str| match kind {
        "person" => json!({ "player": "person" }),
        _ => json!({ "player": "engine", "level": 3, "movetime": 100 }),
    };
    let text =
        json!({ "rules": "isf", "seats": seats.map(seat), "eyes": "red", "friendly": true, "clock": clock });
    serde_json::from_value(text).unwrap()
}

fn begun(seats: [&str; 2], clock: Option<(u32, u32)>) -> Match {
    let mut game = Match::new(options(seats, clock));
    for side in Side::BOTH {
        game.deploy(side, &ARMY.parse().unwrap()).unwrap();
        let _ = game.sit_down();
    }
    game
}

fn action(text: &str) -> Action {
    text.parse::<Played>().unwrap().action
}

const NOW: Duration = Duration::ZERO;

#[test]
fn engines_choose_their_setups_first_and_keep_no_person_waiting() {
    let mut game = Match::new(options(["person", "engine"], None));
    assert_eq!((game.due(), game.person_setup()), (Some(Due::Setup(Side::Blue)), Some(Side::Red)));
    game.deploy(Side::Red, &ARMY.parse().unwrap()).unwrap();
    assert_eq!((game.due(), game.person_setup()), (Some(Due::Setup(Side::Blue)), None));
    assert_eq!(game.deploy(Side::Red, &ARMY.parse().unwrap()), Err(Refused::Stage));
    game.deploy(Side::Blue, &ARMY.parse().unwrap()).unwrap();
    assert_eq!(game.person_due(), Some(Due::Action(Side::Red)));
}

#[test]
fn armies_that_do_not_fit_are_refused() {
    let mut game = Match::new(options(["person", "engine"], None));
    let refused = |game: &mut Match, text: &str| game.deploy(Side::Red, &text.parse().unwrap()).unwrap_err();
    assert_eq!(refused(&mut game, &ARMY.replace('F', ".")), Refused::Incomplete);
    assert_eq!(refused(&mut game, &ARMY.replace('F', "?")), Refused::Incomplete);
    assert!(matches!(refused(&mut game, &ARMY.replace('F', "M")), Refused::Setup(_)));
}

#[test]
fn a_person_acts_in_turn_and_knows_the_board() {
    let mut game = begun(["person", "engine"], None);
    assert_eq!(game.play_person(action("a4a5"), 1, NOW), Err(Refused::Stale));
    assert!(matches!(game.play_person(action("a4a6"), 0, NOW), Err(Refused::Illegal(_))));
    assert!(matches!(game.play_person(action("b1b2"), 0, NOW), Err(Refused::Illegal(_))));
    game.play_person(action("a4a5"), 0, NOW).unwrap();
    assert_eq!(game.play_person(action("j7j6"), 1, NOW), Err(Refused::Turn));
    game.play(action("j7j6"), 0, NOW).unwrap();
    game.take_back().unwrap();
    assert_eq!((game.ply(), game.person_due()), (0, Some(Due::Action(Side::Red))));
    assert_eq!(game.take_back(), Err(Refused::Nothing));
}

#[test]
fn taking_back_while_the_engine_thinks_takes_the_own_ply() {
    let mut game = begun(["person", "engine"], None);
    game.play_person(action("a4a5"), 0, NOW).unwrap();
    game.take_back().unwrap();
    assert_eq!((game.ply(), game.taken_back()), (0, 1));
}

#[test]
fn clocks_run_grow_and_fall() {
    let mut game = begun(["person", "engine"], Some((60, 5)));
    let seconds = Duration::from_secs;
    game.play_person(action("a4a5"), 0, seconds(20)).unwrap();
    assert_eq!(game.left().as_array(), &[Some(seconds(45)), Some(seconds(60))]);
    // An engine's clock is looked at when it answers.
    assert!(!game.check_clock(seconds(61)));
    game.play(action("j7j6"), 0, seconds(1)).unwrap();
    assert!(!game.check_clock(seconds(45)));
    assert!(game.check_clock(seconds(46)));
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner.name(), outcome.reason.name()), ("blue", "time"));
}

#[test]
fn taking_back_turns_the_clocks_back_too() {
    let mut game = begun(["person", "engine"], Some((60, 5)));
    let seconds = Duration::from_secs;
    game.play_person(action("a4a5"), 0, seconds(20)).unwrap();
    game.play(action("j7j6"), 0, seconds(3)).unwrap();
    let before = *game.left();
    assert_eq!(before.as_array(), &[Some(seconds(45)), Some(seconds(62))]);
    game.play_person(action("a5a6"), 2, seconds(30)).unwrap();
    game.take_back().unwrap();
    assert_eq!(*game.left(), before);
    game.take_back().unwrap();
    assert_eq!(game.left().as_array(), &[Some(seconds(60)), Some(seconds(60))]);
}

#[test]
fn engines_answer_offers_of_a_draw_by_what_they_expect() {
    let mut game = begun(["person", "engine"], None);
    assert!(game.offer_draw(None).is_ok());
    assert!(game.is_running(), "it has revealed nothing");
    assert_eq!(game.seen().draw_refused_by.as_deref(), Some("blue"));
    assert!(matches!(game.offer_draw(Some([0, 0, 1000])), Err(Refused::Pressing(_))));
    game.play_person(action("a4a5"), 0, NOW).unwrap();
    assert_eq!(game.offer_draw(Some([0, 0, 1000])), Err(Refused::Turn));
    let mut game = begun(["person", "engine"], None);
    game.offer_draw(Some([200, 100, 700])).unwrap();
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner.name(), outcome.reason.name()), ("draw", "agreed"));
    assert!(outflank_record::verify(&game.record().unwrap()).is_ok());
}

#[test]
fn persons_answer_offers_of_a_draw_when_they_sit_before_the_page() {
    let mut game = begun(["person", "person"], None);
    assert_eq!(game.answer_draw(true), Err(Refused::Stage));
    game.offer_draw(None).unwrap();
    assert_eq!(game.answer_draw(true), Err(Refused::Stage), "it is one's own offer");
    game.play_person(action("a4a5"), 0, NOW).unwrap();
    game.hand_over().unwrap();
    assert_eq!(game.answer_draw(true), Err(Refused::Stage), "nobody sits there");
    assert_eq!(game.seen().draw_offered_by.as_deref(), Some("red"));
    let text = serde_json::to_string(&Saved::from(&game)).unwrap();
    let mut game = Match::try_from(serde_json::from_str::<Saved>(&text).unwrap()).unwrap();
    game.sit_down().unwrap();
    let mut declining = game.clone();
    declining.answer_draw(false).unwrap();
    assert_eq!((declining.is_running(), declining.can_offer_draw()), (true, false));
    game.answer_draw(true).unwrap();
    assert_eq!(game.outcome().unwrap().reason.name(), "agreed");
}

#[test]
fn what_is_saved_reads_back() {
    let mut game = begun(["person", "person"], Some((60, 5)));
    game.play(action("a4a5"), 7, Duration::from_millis(1500)).unwrap();
    game.hand_over().unwrap();
    let text = serde_json::to_string(&Saved::from(&game)).unwrap();
    let read = Match::try_from(serde_json::from_str::<Saved>(&text).unwrap()).unwrap();
    assert_eq!(serde_json::to_string(&Saved::from(&read)).unwrap(), text);
    assert_eq!((read.eyes(), read.ply()), (None, 1));
}

#[test]
fn a_saved_game_that_did_not_go_so_is_refused() {
    let mut game = begun(["person", "engine"], None);
    game.play(action("a4a5"), 0, NOW).unwrap();
    let text = serde_json::to_string(&Saved::from(&game)).unwrap();
    let read = |text: String| Match::try_from(serde_json::from_str::<Saved>(&text)?);
    assert!(read(text.clone()).is_ok());
    let outcome = "\"outcome\":{\"winner\":\"red\",\"reason\":\"flag\"}";
    for (from, to) in [("a4a5", "a4a6"), ("[[0,0]]", "[]"), ("\"outcome\":null", outcome), (ARMY, "?")] {
        assert!(text.contains(from), "{from}");
        assert!(read(text.replace(from, to)).is_err(), "{to}");
    }
}

#[test]
fn options_have_bounds() {
    let good = serde_json::to_value(options(["person", "engine"], Some((300, 3)))).unwrap();
    let reads = |value: &serde_json::Value| serde_json::from_value::<Options>(value.clone()).is_ok();
    assert!(reads(&good));
    let wrong = [
        ("/rules", json!("chess")),
        ("/rules", json!("isf ".repeat(200))),
        ("/seats/1/level", json!(21)),
        ("/seats/1/movetime", json!(0)),
        ("/seats/1/movetime", json!(99_999_999)),
        ("/seats/0/player", json!("outsider")),
        ("/eyes", json!("green")),
        ("/clock/0", json!(0)),
        ("/clock/1", json!(100_000)),
    ];
    for (place, value) in wrong {
        let mut text = good.clone();
        *text.pointer_mut(place).unwrap() = value;
        assert!(!reads(&text), "{place}");
    }
}

/// A setup with these pieces on these places.
fn places(pieces: &[(usize, char)]) -> Setup {
    let mut letters = ['.'; 40];
    for (place, letter) in pieces {
        letters[*place] = *letter;
    }
    letters.iter().collect::<String>().parse().unwrap()
}

#[test]
fn rescued_pieces_are_dead_no_more() {
    let mut options = options(["person", "engine"], None);
    options.rules.set("rescue", "on").unwrap();
    options.rules.set("barrage", "on").unwrap();
    let mut game = Match::new(options);
    let red = [(0, 'F'), (1, 'B'), (2, 'S'), (3, '2'), (9, '2'), (34, '3'), (35, '9'), (39, 'M')];
    let blue = [(0, 'F'), (1, 'B'), (2, 'S'), (3, '2'), (7, 'M'), (8, '3'), (9, '2'), (35, '9')];
    game.deploy(Side::Red, &places(&red)).unwrap();
    game.deploy(Side::Blue, &places(&blue)).unwrap();
    let plies = "e4e5 c10c9 e5e6 c9c8 e6e7 c8c7 f4f5 c7b7 f5f6 b7b8 f6f7 b8b9 f7f8 b9a9 f8f9 a9a8";
    for text in plies.split(' ') {
        game.play(action(text), 0, NOW).unwrap();
    }
    let seen = game.seen();
    assert_eq!((seen.dead[Side::Red].as_str(), seen.moves[4].as_str()), ("3", "e6xe7=L39"));
    assert!(seen.legal.contains(&"f9f10+3@a2".to_owned()), "{:?}", seen.legal);
    game.play_person(action("f9f10+3@a2"), 16, NOW).unwrap();
    let seen = game.seen();
    assert_eq!(seen.dead[Side::Red], "");
    assert!(seen.pieces.iter().any(|piece| piece.at == "a2" && piece.rank == '3'));
}
