//! Looking into games that are over and into positions, and playing on from either.

use crate::common::{ARMY, Random, Site, against_engine, program, ready};
use outflank::rules::{Ruleset, Spn};
use serde_json::{Value, json};

/// A game against the engine, resigned after some turns; its address.
async fn resigned(site: &Site, turns: usize) -> String {
    let game = site.begin(&against_engine("isf")).await;
    site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await;
    for _ in 0..turns {
        let state = site.until(&game, ready).await;
        let action = state["legal"][0].as_str().unwrap();
        site.post(&format!("{game}/move"), &json!({ "action": action, "ply": state["ply"] })).await;
    }
    site.until(&game, ready).await;
    site.wish(&game, "resign").await;
    game
}

fn look(ply: usize, eyes: &str, nodes: u64) -> Value {
    json!({ "ply": ply, "eyes": eyes, "nodes": nodes })
}

fn against(side: &str) -> Value {
    json!({ "side": side, "engine": { "level": 1, "movetime": 50 } })
}

#[tokio::test]
async fn a_game_is_looked_into_when_it_is_over_by_what_a_side_knew() {
    let site = Site::new(program());
    let game = site.begin(&against_engine("isf")).await;
    let study = format!("{game}/study");
    assert_eq!(site.post(&study, &look(0, "red", 0)).await.status, 409, "while setting up");
    site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await;
    site.until(&game, ready).await;
    assert_eq!(site.post(&study, &look(0, "both", 0)).await.status, 409, "while it is played");
    site.wish(&game, "resign").await;
    let seen = async |eyes, nodes| site.post(&study, &look(0, eyes, nodes)).await.json();
    let [red, blue, both] = [seen("red", 500).await, seen("blue", 0).await, seen("both", 0).await];
    let board = |answer: &Value| answer["spn"].as_str().unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!(board(&red).matches('?').count(), 40);
    assert_eq!(board(&blue).matches('?').count(), 40);
    assert_eq!(board(&both).matches('?').count(), 0);
    assert_eq!(red["lines"].as_array().unwrap().len(), 3, "{red}");
    assert!(red["lines"][0]["play"][0].is_string() && red["nodes"].as_u64() >= Some(400), "{red}");
    assert_eq!(blue["nodes"], 0);
    for answer in [&red, &blue] {
        assert_eq!(answer["beliefs"][0]["theirs"].as_array().unwrap().len(), 40);
    }
    assert_eq!(site.post(&study, &look(9, "red", 0)).await.status, 409, "there is no such ply");
    // The same position by its text: no history, the same board.
    let text = site.post("/study", &json!({ "position": red["spn"], "nodes": 0 })).await.json();
    assert_eq!(text["spn"], red["spn"]);
    assert!(text["beliefs"][1].is_null(), "nobody knows what Blue knows");
    let bad = site.post("/study", &json!({ "position": "8/8 w", "nodes": 0 })).await;
    assert_eq!(bad.status, 400);
    assert!(bad.json()["error"].as_str().unwrap().starts_with("This is no position: "));
}

#[tokio::test]
async fn a_game_goes_on_from_any_ply_from_either_side() {
    let site = Site::new(Random::new(3));
    let game = resigned(&site, 3).await;
    for (side, ply) in [("red", 2), ("blue", 3)] {
        let mut asked = against(side);
        asked["ply"] = ply.into();
        let answer = site.post(&format!("{game}/resume"), &asked).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
        let on = format!("/game/{}", answer.json()["token"].as_str().unwrap());
        let state = site.until(&on, ready).await;
        assert_eq!(
            (&state["eyes"], &state["ply"], &state["yours"]),
            (&json!(side), &json!(ply), &json!(true))
        );
        let hidden = state["pieces"].as_array().unwrap().iter();
        assert!(hidden.filter(|piece| piece["rank"] == "?").all(|piece| piece["side"] != side));
        site.wish(&on, "resign").await;
        assert_eq!(site.get(&format!("{on}/record")).await.status, 200, "it has a record");
    }
    let mut asked = against("red");
    asked["ply"] = 60.into();
    assert_eq!(site.post(&format!("{game}/resume"), &asked).await.status, 409);
    asked["engine"]["level"] = 21.into();
    assert_eq!(site.post(&format!("{game}/resume"), &asked).await.status, 400);
}

/// Blue's scout and flag against Red's miner and flag; Red's dead are given.
const BOTH: &str = "Y8P/10/10/10/2__2__2/2__2__2/10/10/10/E8M b - 2,3 4 40 preset=isf";

#[tokio::test]
async fn a_position_is_played_outlasts_the_server_and_has_no_record() {
    let site = Site::new(program());
    let mut asked = against("blue");
    asked["position"] = BOTH.into();
    let answer = site.post("/resume", &asked).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    let game = format!("/game/{}", answer.json()["token"].as_str().unwrap());
    let state = site.until(&game, ready).await;
    assert_eq!(
        (&state["first"], &state["recorded"], &state["ply"]),
        (&json!("blue"), &json!(false), &json!(0))
    );
    let ranks = |state: &Value, side: &str| {
        let pieces = state["pieces"].as_array().unwrap().iter().filter(|piece| piece["side"] == side);
        pieces.map(|piece| piece["rank"].as_str().unwrap().to_owned()).collect::<String>()
    };
    assert_eq!((ranks(&state, "blue"), ranks(&state, "red")), ("F2".to_owned(), "??".to_owned()));
    let made = site.post(&format!("{game}/move"), &json!({ "action": "j10i10", "ply": 0 })).await;
    assert_eq!(made.status, 200);
    let state = site.until(&game, |state| ready(state) && state["ply"] == 2).await;
    assert!(state["moves"][1].as_str().unwrap().starts_with("a1"), "{state}");
    site.wish(&game, "take-back").await;
    assert_eq!(site.state(&game).await["ply"], 0);

    let folder = site.folder();
    drop(site);
    let site = Site::at(folder, program(), crate::common::limits());
    assert_eq!(site.until(&game, ready).await["ply"], 0);
    site.wish(&game, "resign").await;
    assert_eq!(site.get(&format!("{game}/record")).await.status, 409);
    assert_eq!(site.wish(&game, "replay").await.status, 409);
    let answer = site.post(&format!("{game}/study"), &look(0, "both", 200)).await.json();
    assert!(answer["spn"].as_str().unwrap().starts_with("Y8P/"), "{answer}");
}

/// Of an army that nobody knows, one is drawn that may be.
#[tokio::test]
async fn what_one_player_knows_is_played_against_an_army_that_fits() {
    let site = Site::new(Random::new(5));
    let known = "9?/8?+?[789M]/10/10/2__2__2/2__2__2/10/10/10/LE8 r r -,- 0 2 preset=isf";
    let mut asked = against("blue");
    asked["position"] = known.into();
    let answer = site.post("/resume", &asked).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    let game = format!("/game/{}", answer.json()["token"].as_str().unwrap());
    let state = site.state(&game).await;
    let own = state["pieces"].as_array().unwrap().iter().filter(|piece| piece["side"] == "blue");
    let own: Vec<(&str, &str)> =
        own.map(|piece| (piece["at"].as_str().unwrap(), piece["rank"].as_str().unwrap())).collect();
    assert_eq!(own.len(), 3);
    for (at, rank) in own {
        assert!(rank != "?" && (at != "j9" || "789M".contains(rank)), "{at} {rank}");
        assert!(at != "i9" || !"FB".contains(rank), "it has moved");
    }
    assert!(Spn::parse(known, Ruleset::default()).is_ok());
}

/// A rank that the text does not show to the enemy is hidden from it, whether the text holds both armies or names a
/// viewer: while it is looked at, and in a game that begins there.
#[tokio::test]
async fn a_position_of_ones_own_hides_what_is_not_known_to_the_other_side() {
    let site = Site::new(Random::new(9));
    for viewer in ["-", "r"] {
        let text = format!("Yr7P/10/10/10/2__2__2/2__2__2/10/10/10/E8M r {viewer} -,- 0 4 preset=isf");
        let asked = json!({ "position": text, "eyes": "red", "nodes": 200 });
        let answer = site.post("/study", &asked).await.json();
        let board = |key: &str| answer[key].as_str().unwrap().split(' ').next().unwrap().to_owned();
        assert!(board("spn").starts_with("?r7?/"), "{answer}");
        assert!(board("source").starts_with("Yr7P/"), "{answer}");
        assert_eq!(answer["beliefs"][0]["theirs"].as_array().unwrap().len(), 2, "{answer}");
        assert!(answer["nodes"].as_u64() > Some(0), "{answer}");

        let mut asked = against("red");
        asked["position"] = text.into();
        let game = site.post("/resume", &asked).await.json();
        let game = format!("/game/{}", game["token"].as_str().unwrap());
        let ranks = |state: &Value| {
            let blue = state["pieces"].as_array().unwrap().iter().filter(|piece| piece["side"] == "blue");
            blue.map(|piece| piece["rank"].as_str().unwrap().to_owned()).collect::<String>()
        };
        assert_eq!(ranks(&site.until(&game, ready).await), "?4?");
        site.wish(&game, "resign").await;
        assert_eq!(ranks(&site.until(&game, |state| state["stage"] == "over").await), "F42");
    }
}
