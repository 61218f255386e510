//! Games from their beginning to what comes after their end.

use crate::common::{ARMY, Random, Scripted, Site, against_engine, limits, names, program, ready};
use axum::body::Body;
use outflank_board::house::Limits;
use outflank_record::{Record, verify};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The person's next move, the first that is legal.
async fn step(site: &Site, game: &str) -> Value {
    let state = site.until(game, ready).await;
    if state["stage"] == "over" {
        return state;
    }
    let act = json!({ "action": state["legal"][0], "ply": state["ply"] });
    let made = site.post(&format!("{game}/move"), &act).await;
    assert_eq!(made.status, 200, "{}", made.json());
    site.until(game, ready).await
}

async fn begun(site: &Site, options: &Value) -> String {
    let game = site.begin(options).await;
    let answer = site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await;
    assert_eq!(answer.status, 200, "{}", answer.json());
    site.until(&game, ready).await;
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_after_the_server_ended() {
    let site = Site::new(Random::new(1));
    let game = begun(&site, &against_engine("isf")).await;
    for _ in 0..5 {
        step(&site, &game).await;
    }
    let before = site.until(&game, ready).await;
    let folder = site.folder();
    drop(site);
    let again = Site::at(folder, Random::new(2), limits());
    let after = again.until(&game, ready).await;
    for key in ["pieces", "moves", "dead", "ply", "legal", "rules", "seats"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    let next = step(&again, &game).await;
    assert!(next["ply"].as_u64() > after["ply"].as_u64());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_an_earlier_server_is_answered_at_once() {
    let site = Site::new(Random::new(1));
    let game = begun(&site, &against_engine("isf")).await;
    let before = site.state(&game).await;
    let folder = site.folder();
    drop(site);
    let again = Site::at(folder, Random::new(2), limits());
    let now = again.state(&game).await;
    assert_ne!(before["run"], now["run"]);
    // The new server has the version that the page waits to be left.
    let asked = format!("{game}/state?since={}&run={}", now["version"], before["run"].as_str().unwrap());
    let answer = tokio::time::timeout(Duration::from_secs(15), again.get(&asked)).await;
    assert_eq!(answer.expect("it waits for nothing").json()["run"], now["run"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_record_is_refused_in_plain_words() {
    let site = Site::new(Random::new(1));
    for text in ["<game/>", "my notes", "", "{}", "[1, 2]", "\"text\"", "{\"game\": 1"] {
        let answer = site.post_body("/load", Body::from(text)).await;
        assert_eq!(answer.status, 400, "{text}");
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.starts_with("This is no record of a game."), "{error}");
    }
    let large = site.post_body("/load", Body::from(" ".repeat(5 << 20))).await;
    assert_eq!(large.status, 400);
    assert!(!large.json()["error"].as_str().unwrap().starts_with("This is no record"));
}

/// A game of red, a person, that was saved before its end.
const BEGUN: &str = include_str!("../../play/tests/data/begun.jsonl");

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_record_is_gone_on_with() {
    let site = Site::new(Random::new(1));
    let load = async |record: &Value| {
        let answer = site.post("/load", record).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        format!("/game/{}", answer.json()["token"].as_str().unwrap())
    };
    let record: Value = serde_json::from_str(BEGUN).unwrap();
    let game = load(&record).await;
    let state = site.state(&game).await;
    assert_eq!(
        (&state["stage"], &state["eyes"], &state["ply"], &state["loaded"], &state["yours"]),
        (&json!("play"), &json!("red"), &json!(8), &json!(false), &json!(true))
    );
    assert_eq!(state["seats"][1]["level"], 3);
    let hidden = |state: &Value| {
        let pieces = state["pieces"].as_array().unwrap();
        pieces.iter().filter(|piece| piece["side"] == "blue" && piece["rank"] == "?").count()
    };
    assert!(hidden(&state) > 30, "{state}");
    assert_eq!(step(&site, &game).await["ply"], 10);
    site.wish(&game, "resign").await;
    let kept: Record =
        String::from_utf8(site.get(&format!("{game}/record")).await.bytes).unwrap().parse().unwrap();
    verify(&kept).unwrap();
    assert_eq!((kept.plies, kept.outcome.reason.name()), (10, "resigned"));

    let mut shared = record.clone();
    shared["players"][1] = json!({ "name": "other", "player": "human" });
    let state = site.state(&load(&shared).await).await;
    assert_eq!(
        (&state["stage"], &state["eyes"], &state["pieces"]),
        (&json!("play"), &Value::Null, &json!([]))
    );

    let mut engines = record;
    engines["players"][0] = json!({ "name": "other", "player": "engine" });
    let state = site.state(&load(&engines).await).await;
    assert_eq!((&state["stage"], &state["outcome"]["reason"]), (&json!("over"), &json!("unfinished")));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_no_games_are_left_alone() {
    let site = Site::new(Random::new(1));
    let game = begun(&site, &against_engine("isf")).await;
    step(&site, &game).await;
    let (folder, games) = (site.folder(), site.games());
    let whole = std::fs::read_to_string(games.join("game-1.json")).unwrap();
    drop(site);
    let wrong = [
        String::new(),
        "{}".to_owned(),
        whole.replace("\"taken_back\":0", "\"taken_back\":\"x\""),
        whole.replace(ARMY, &ARMY.replace('M', "9")),
        whole.replacen("\"moves\":[\"", "\"moves\":[\"a1a2\",\"", 1),
        whole.replace("\"player\":\"person\"", "\"player\":\"../../x\""),
    ];
    for (number, text) in (2..).zip(&wrong) {
        std::fs::write(games.join(format!("game-{number}.json")), text).unwrap();
    }
    let again = Site::at(folder, Random::new(1), limits());
    assert_eq!(again.house.games(), 1);
    let new = again.begin(&against_engine("isf")).await;
    assert_eq!(again.get(&new).await.status, 200);
    assert_eq!(names(&games).len(), 1 + wrong.len() + 1 + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_dies_is_started_again_and_shown_the_game() {
    let launcher = Random { dies_after: Some(3), ..Random::new(1) };
    let started = launcher.started.clone();
    let site = Site::new(launcher);
    let game = begun(&site, &against_engine("isf")).await;
    for _ in 0..10 {
        step(&site, &game).await;
    }
    let state = site.until(&game, ready).await;
    assert!(state["ply"].as_u64().unwrap() >= 20 && state["trouble"].is_null(), "{state}");
    assert!(started.load(Ordering::Relaxed) > 3 && state["restarts"].as_u64().unwrap() >= 3);
}

/// A real process that ends in the middle of the conversation.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_ends_is_started_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let script = folder.path().join("short-lived");
    let lines = "n=0; while [ $n -lt 40 ] && read -r line; do echo \"$line\"; n=$((n + 1)); done";
    let text = format!("#!/bin/sh\n{{ {lines}; }} | {} engine\n", env!("CARGO_BIN_EXE_outflank-board"));
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o700)).unwrap();
    let site = Site::new(outflank_board::engine::Program::read(script.to_str().unwrap()).unwrap());
    let game = begun(&site, &against_engine("isf")).await;
    for _ in 0..12 {
        step(&site, &game).await;
    }
    let state = site.until(&game, ready).await;
    assert!(state["ply"].as_u64().unwrap() >= 24 && state["restarts"].as_u64().unwrap() >= 1, "{state}");
    assert!(state["trouble"].is_null(), "{state}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_cannot_be_started_is_reported_and_can_be_tried_again() {
    let site = Site::new(outflank_board::engine::Program::read("no-such-program-anywhere").unwrap());
    let game = site.begin(&against_engine("isf")).await;
    let state = site.until(&game, |state| !state["trouble"].is_null()).await;
    assert_eq!(state["trouble"], "unstartable");
    let again = site.wish(&game, "retry").await.json();
    assert!(again["restarts"].as_u64() >= state["restarts"].as_u64());
    site.until(&game, |now| !now["trouble"].is_null() && now["restarts"] != state["restarts"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_taken_back_in_friendly_games_only() {
    let site = Site::new(Random::new(1));
    let game = begun(&site, &against_engine("isf")).await;
    let start = site.until(&game, ready).await;
    assert_eq!(start["can_take_back"], false);
    assert_eq!(site.wish(&game, "take-back").await.status, 409);
    step(&site, &game).await;
    assert_eq!(site.wish(&game, "take-back").await.status, 200);
    let back = site.until(&game, ready).await;
    assert_eq!(
        (&back["pieces"], &back["ply"], &back["legal"]),
        (&start["pieces"], &start["ply"], &start["legal"])
    );
    step(&site, &game).await;

    let mut serious = against_engine("isf");
    serious["friendly"] = json!(false);
    let game = begun(&site, &serious).await;
    step(&site, &game).await;
    assert_eq!(site.wish(&game, "take-back").await.status, 409);
    assert_eq!(site.wish(&game, "hint").await.status, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_is_a_legal_move() {
    let site = Site::new(program());
    let game = begun(&site, &against_engine("isf")).await;
    site.wish(&game, "hint").await;
    let state = site.until(&game, |state| !state["hint"].is_null()).await;
    let legal = state["legal"].as_array().unwrap();
    assert!(legal.contains(&state["hint"]["action"]), "{state}");
    // It goes with its turn.
    assert!(step(&site, &game).await["hint"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_goes_when_something_is_taken_back() {
    let site = Site::new(program());
    let game = begun(&site, &against_engine("isf")).await;
    let opened = step(&site, &game).await;
    site.wish(&game, "hint").await;
    site.until(&game, |state| !state["hint"].is_null()).await;
    site.wish(&game, "take-back").await;
    // Other plies lead to the same number of them.
    let first = site.until(&game, ready).await;
    let other = json!({ "action": first["legal"][1], "ply": first["ply"] });
    site.post(&format!("{game}/move"), &other).await;
    let again = site.until(&game, ready).await;
    assert_eq!((&again["ply"], &again["hint"]), (&opened["ply"], &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_forgets_what_it_expected_at_plies_taken_back() {
    let site = Site::new(Scripted { army: ARMY.to_owned(), actions: Vec::new(), chances: [300, 100, 600] });
    let game = begun(&site, &against_engine("isf")).await;
    step(&site, &game).await;
    site.wish(&game, "take-back").await;
    site.until(&game, ready).await;
    // It has not moved, so it expects nothing and refuses.
    let refused = site.wish(&game, "offer-draw").await.json();
    assert_eq!((&refused["stage"], &refused["outcome"]), (&json!("play"), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_after_the_end() {
    let site = Site::new(Random::new(1));
    let game = begun(&site, &against_engine("isf")).await;
    for _ in 0..3 {
        step(&site, &game).await;
    }
    assert_eq!(site.wish(&game, "rematch").await.status, 409);
    let over = site.wish(&game, "resign").await.json();
    assert_eq!(
        (&over["outcome"]["winner"], &over["outcome"]["reason"]),
        (&json!("blue"), &json!("resigned"))
    );
    assert!(over["pieces"].as_array().unwrap().iter().all(|piece| piece["rank"] != "?"));
    assert_eq!(site.wish(&game, "resign").await.status, 409);

    let text = site.get(&format!("{game}/record")).await;
    let record: Record = String::from_utf8(text.bytes).unwrap().parse().unwrap();
    verify(&record).unwrap();
    assert_eq!(record.players.as_array()[0].player, "human");
    let kept = std::fs::read_to_string(site.games().join("records.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 1);

    site.wish(&game, "replay").await;
    site.until(&game, |state| state["replay"] == "made").await;
    let page = String::from_utf8(site.get(&format!("{game}/replay")).await.bytes).unwrap();
    assert!(page.contains("id=\"belief\""));

    let loaded = site.post("/load", &serde_json::to_value(&record).unwrap()).await;
    assert_eq!(loaded.status, 200, "{}", loaded.json());
    let copy = site.state(&format!("/game/{}", loaded.json()["token"].as_str().unwrap())).await;
    assert_eq!((&copy["pieces"], &copy["outcome"]), (&over["pieces"], &over["outcome"]));
    let mut wrong = serde_json::to_value(&record).unwrap();
    wrong["moves"][0] = json!("a4a6");
    assert_eq!(site.post("/load", &wrong).await.status, 400);

    let first = site.wish(&game, "rematch").await.json();
    let second = site.wish(&game, "rematch").await.json();
    assert_eq!(first["next"], second["next"]);
    let next = site.state(&format!("/game/{}", first["next"].as_str().unwrap())).await;
    assert_eq!((&next["eyes"], &next["seats"][0]["player"]), (&json!("blue"), &json!("engine")));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_persons_hand_the_page_over() {
    let site = Site::new(Random::new(1));
    let person = json!({ "player": "person" });
    let options =
        json!({ "rules": "isf", "seats": [person, person], "eyes": "red", "friendly": true, "clock": null });
    let game = site.begin(&options).await;
    let nobody = |state: &Value| {
        assert_eq!(
            (&state["eyes"], &state["pieces"], &state["legal"]),
            (&Value::Null, &json!([]), &json!([]))
        );
        assert_eq!(state["moves"], json!([]));
    };
    assert_eq!(site.wish(&game, "hand-over").await.status, 409);
    nobody(&site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await.json());
    let blue = site.wish(&game, "sit-down").await.json();
    assert_eq!((&blue["eyes"], &blue["yours"], &blue["pieces"]), (&json!("blue"), &json!(true), &json!([])));
    assert_eq!(site.wish(&game, "sit-down").await.status, 409);
    nobody(&site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await.json());
    let mut eyes = "red";
    for _ in 0..4 {
        let state = site.wish(&game, "sit-down").await.json();
        assert_eq!(state["eyes"], eyes);
        let of = |state: &Value, side: &str| {
            let pieces = state["pieces"].as_array().unwrap().clone();
            pieces.into_iter().filter(|piece| piece["side"] == side && piece["rank"] == "?").count()
        };
        let other = if eyes == "red" { "blue" } else { "red" };
        assert_eq!((of(&state, eyes), of(&state, other)), (0, 40));
        let act = json!({ "action": state["legal"][0], "ply": state["ply"] });
        let done = site.post(&format!("{game}/move"), &act).await.json();
        // The mover still sees what came of it, and nothing else.
        assert_eq!((&done["eyes"], &done["yours"], of(&done, other)), (&json!(eyes), &json!(false), 40));
        nobody(&site.wish(&game, "hand-over").await.json());
        eyes = other;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_engines_play_and_can_be_stopped() {
    let site = Site::new(Random::new(1));
    let engine = json!({ "player": "engine", "level": 1, "movetime": 100 });
    let options = json!({ "rules": "isf plies=60", "seats": [engine, engine], "eyes": "blue",
        "friendly": false, "clock": null });
    let game = site.begin(&options).await;
    site.until(&game, |state| state["ply"].as_u64() > Some(3)).await;
    site.wish(&game, "pause").await;
    let paused = site.until(&game, |state| state["thinking"] == false).await;
    if paused["stage"] == "play" {
        assert!(paused["pieces"].as_array().unwrap().iter().any(|piece| piece["rank"] == "?"));
        assert_eq!(site.wish(&game, "resign").await.status, 409);
    }
    site.wish(&game, "go-on").await;
    let over = site.until(&game, |state| state["stage"] == "over").await;
    assert_eq!(over["outcome"]["reason"], "plies");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_engines_are_watched_by_anybodys_eyes_step_by_step_and_ended() {
    let site = Site::new(Random::new(1));
    let engine = json!({ "player": "engine", "level": 1, "movetime": 100 });
    let options = json!({ "rules": "isf", "seats": [engine, engine], "eyes": "blue", "friendly": false, "clock": null });
    let game = site.begin(&options).await;
    site.until(&game, |state| state["ply"].as_u64() > Some(3)).await;
    site.wish(&game, "pause").await;
    let paused = site.until(&game, |state| state["thinking"] == false).await;
    let seen = async |eyes: &str| site.get(&format!("{game}/state?eyes={eyes}")).await.json();
    let hidden = |state: &Value| {
        let hidden = state["pieces"].as_array().unwrap().iter().filter(|piece| piece["rank"] == "?");
        hidden.map(|piece| piece["side"].as_str().unwrap().to_owned()).collect::<HashSet<String>>()
    };
    for (eyes, of) in [("red", vec!["blue"]), ("blue", vec!["red"]), ("both", vec![])] {
        assert_eq!(hidden(&seen(eyes).await), of.into_iter().map(str::to_owned).collect(), "{eyes}");
    }
    for side in ["red", "blue"] {
        let believed = site.get(&format!("{game}/beliefs?eyes={side}")).await.json();
        assert!(believed["theirs"].as_array().unwrap().len() > 20, "{believed}");
    }
    for step in 1..=2 {
        site.wish(&game, "step").await;
        let ply = paused["ply"].as_u64().unwrap() + step;
        site.until(&game, |state| state["ply"] == ply && state["thinking"] == false).await;
    }
    assert_eq!(site.post(&format!("{game}/do"), &json!({ "wish": "pace", "pace": 0 })).await.status, 200);
    assert_eq!(site.wish(&game, "end").await.status, 200);
    let over = site.state(&game).await;
    assert_eq!((&over["stage"], &over["outcome"]["reason"]), (&json!("over"), &json!("unfinished")));
    assert_eq!(site.get(&format!("{game}/record")).await.status, 200);
    // Of a game with a person nobody has other eyes, and nobody ends it so.
    let own = site.begin(&against_engine("isf")).await;
    site.post(&format!("{own}/setup"), &json!({ "setup": ARMY })).await;
    site.until(&own, ready).await;
    for eyes in ["blue", "both"] {
        let seen = site.get(&format!("{own}/state?eyes={eyes}")).await.json();
        assert_eq!((&seen["eyes"], hidden(&seen)), (&json!("red"), HashSet::from(["blue".to_owned()])));
    }
    assert_eq!(site.wish(&own, "end").await.status, 409);

    let folder = site.folder();
    drop(site);
    let site = Site::at(folder, Random::new(1), limits());
    assert_eq!(site.state(&game).await["stage"], "over");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_engines_that_nobody_watches_stop() {
    let folder = tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let unwatched = Limits { unwatched: Duration::ZERO, ..limits() };
    let site = Site::at(Arc::new(folder), Random::new(1), unwatched);
    let engine = json!({ "player": "engine", "level": 1, "movetime": 100 });
    let options = json!({ "rules": "isf plies=60", "seats": [engine, engine], "eyes": "blue",
        "friendly": false, "clock": null });
    let game = site.begin(&options).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_ne!(site.state(&game).await["stage"], "over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_runs_out_loses() {
    let site = Site::new(Random::new(1));
    let mut options = against_engine("isf");
    options["clock"] = json!([1, 0]);
    let game = begun(&site, &options).await;
    tokio::spawn(site.house.clone().look_after());
    let over = site.until(&game, |state| state["stage"] == "over").await;
    assert_eq!((&over["outcome"]["winner"], &over["outcome"]["reason"]), (&json!("blue"), &json!("time")));
    assert_eq!(site.get(&format!("{game}/record")).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_hidden_pieces_may_be_is_shown_in_friendly_games_only() {
    let site = Site::new(Random::new(1));
    let game = site.begin(&against_engine("isf")).await;
    assert_eq!(site.get(&format!("{game}/beliefs")).await.status, 409, "nothing is played yet");
    let game = begun(&site, &against_engine("isf")).await;
    for _ in 0..3 {
        step(&site, &game).await;
    }
    let state = site.until(&game, ready).await;
    let beliefs = site.get(&format!("{game}/beliefs")).await.json();
    assert_eq!((beliefs["ply"] == state["ply"], beliefs["ranks"].as_str()), (true, Some("FS23456789MB")));
    let hidden = |side: &str, unknown: fn(&Value) -> bool| -> Vec<String> {
        let pieces = state["pieces"].as_array().unwrap().iter();
        let at = |piece: &Value| piece["at"].as_str().unwrap().to_owned();
        pieces.filter(|piece| piece["side"] == side && unknown(piece)).map(at).collect()
    };
    for (key, squares) in [
        ("theirs", hidden("blue", |piece| piece["rank"] == "?")),
        ("ours", hidden("red", |piece| piece["open"] == false)),
    ] {
        let believed = beliefs[key].as_array().unwrap();
        assert_eq!(believed.iter().map(|piece| piece["at"].as_str().unwrap()).collect::<Vec<_>>(), squares);
        for piece in believed {
            let sum: u64 =
                piece["chances"].as_array().unwrap().iter().map(|chance| chance.as_u64().unwrap()).sum();
            assert!((990..=1010).contains(&sum), "{piece}");
        }
    }
    let mut serious = against_engine("isf");
    serious["friendly"] = json!(false);
    let game = begun(&site, &serious).await;
    assert_eq!(site.get(&format!("{game}/beliefs")).await.status, 409);
}
