//! The page is sent nothing that its player may not know.

use crate::common::{ARMY, Answer, Random, Site, against_engine, program, ready};
use outflank::rng::Rng;
use outflank::rules::{Outcome, Played, Rank, Setup, Side, Square};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Plays a game to its end by chance; `look` sees every state, with the bytes as they were sent.
async fn play(site: &Site, rules: &str, seed: u64, mut look: impl FnMut(&Value, &[u8]) -> bool) -> String {
    let mut rng = Rng::new(seed);
    let game = site.begin(&against_engine(rules)).await;
    let proposed = site.post(&format!("{game}/propose"), &json!({})).await.json();
    let barrage = rules.contains("barrage=on");
    let setup = if barrage { proposed["setup"].as_str().unwrap() } else { ARMY };
    assert_eq!(site.post(&format!("{game}/setup"), &json!({ "setup": setup })).await.status, 200);
    loop {
        site.until(&game, ready).await;
        let mut sent = site.get(&format!("{game}/state")).await;
        let mut state = sent.json();
        // What may be believed comes by a way of its own, and is held to the same.
        let believed = site.get(&format!("{game}/beliefs")).await;
        assert_eq!(believed.status == 200, state["stage"] == "play", "{state}");
        sent.bytes.extend_from_slice(&believed.bytes);
        state["beliefs"] = believed.json();
        if !look(&state, &sent.bytes) || state["stage"] == "over" {
            return game;
        }
        let legal = state["legal"].as_array().unwrap();
        let action = legal[rng.below(legal.len())].as_str().unwrap();
        let made =
            site.post(&format!("{game}/move"), &json!({ "action": action, "ply": state["ply"] })).await;
        assert_eq!(made.status, 200);
        if !look(&made.json(), &made.bytes) {
            return game;
        }
    }
}

/// The ranks that remove a striker of this rank, by the table of the rules.
fn winners(striker: char) -> &'static str {
    match striker {
        'S' => "23456789B",
        '3' => "456789M",
        '4' => "56789MB",
        '5' => "6789MB",
        '6' => "789MB",
        '7' => "89MB",
        '8' => "9MB",
        '9' => "MB",
        'M' => "B",
        _ => "3456789MB",
    }
}

/// What the plies alone have shown that a piece may be, by the square where it stands: an account of its own.
#[derive(Clone)]
struct Shown {
    side: Side,
    may: String,
}

impl Shown {
    fn new(side: Side) -> Shown {
        Shown { side, may: "FS23456789MB".to_owned() }
    }

    fn only(&mut self, ranks: &str) {
        self.may.retain(|letter| ranks.contains(letter));
    }

    fn reveal(&mut self, rank: Option<Rank>, otherwise: &str) {
        match rank {
            Some(rank) => self.may = rank.letter().to_string(),
            None => self.only(otherwise),
        }
    }
}

/// What has been shown of the enemy's pieces.
fn shown(plies: &[Value], viewer: Side) -> HashMap<Square, Shown> {
    let mut known: HashMap<Square, Shown> = HashMap::new();
    for (index, text) in plies.iter().enumerate() {
        let mover = Side::BOTH[index % 2];
        let played: Played = text.as_str().unwrap().parse().unwrap();
        let (from, to) = (played.action.from, played.action.to);
        let mut piece = known.remove(&from).unwrap_or_else(|| Shown::new(mover));
        piece.only(if from.distance(to) > 1 { "2" } else { "S23456789M" });
        let Some(verdict) = played.verdict else {
            known.insert(to, piece);
            continue;
        };
        piece.reveal(verdict.striker, "S23456789M");
        let mut defender = known.remove(&to).unwrap_or_else(|| Shown::new(mover.enemy()));
        match verdict.outcome {
            Outcome::Win => {
                known.insert(to, piece);
            }
            Outcome::Loss => {
                defender.reveal(verdict.defender, verdict.striker.map_or("", |rank| winners(rank.letter())));
                known.insert(to, defender);
            }
            Outcome::Tie => {}
        }
    }
    known.retain(|_, shown| shown.side != viewer);
    known
}

/// Whether every rank of the enemy's that was sent had been shown; how many were.
fn check(state: &Value, viewer: Side) -> usize {
    let moves = state["moves"].as_array().unwrap();
    let (known, enemy) = (shown(moves, viewer), viewer.enemy().to_string());
    let mut seen = 0;
    for piece in state["pieces"].as_array().unwrap().iter().filter(|piece| piece["side"] == enemy) {
        let at: Square = piece["at"].as_str().unwrap().parse().unwrap();
        let letter = piece["rank"].as_str().unwrap().chars().next().unwrap();
        if letter != '?' {
            let may = known.get(&at).map_or("", |shown| shown.may.as_str());
            assert_eq!(may, letter.to_string(), "{at} in {state}");
            seen += 1;
        }
    }
    seen
}

async fn whole_game(rules: &str, seed: u64) -> (u64, usize) {
    let site = Site::new(program());
    let (mut ranks, mut sent) = (0, Vec::new());
    let game = play(&site, rules, seed, |state, bytes| {
        if state["stage"] != "over" {
            ranks += check(state, Side::Red);
            sent.extend_from_slice(bytes);
        }
        true
    })
    .await;
    let record = site.get(&format!("{game}/record")).await.json();
    let army = record["setups"][1].as_str().unwrap();
    names_nothing_of(army, sent);
    (record["plies"].as_u64().unwrap(), ranks)
}

/// Neither a hidden army nor a run of its letters was sent.
fn names_nothing_of(army: &str, sent: Vec<u8>) {
    let sent = String::from_utf8(sent).unwrap();
    assert!(!sent.contains(army));
    // No run of the hidden army's letters came by another way either.
    for start in 0..=30 {
        let part = &army[start..start + 10];
        let telling = part.chars().filter(|letter| *letter != '.').count() > 5;
        assert!(!telling || !sent.contains(part), "{part}");
    }
}

/// What one of two persons at devices of their own has been sent.
struct Device {
    side: Side,
    page: String,
    army: String,
    sent: Vec<u8>,
    ranks: usize,
}

impl Device {
    /// Looks at the state that its page is sent, and keeps what was sent.
    async fn look(&mut self, site: &Site) -> Value {
        let answer = site.get(&format!("{}/state?eyes=both", self.page)).await;
        self.hear(&answer)
    }

    fn hear(&mut self, answer: &Answer) -> Value {
        let state = answer.json();
        if state["stage"] != "over" {
            self.ranks += check(&state, self.side);
            self.sent.extend_from_slice(&answer.bytes);
        }
        state
    }
}

/// Two persons at devices of their own, who have come and set up; and the page from which they went there.
async fn two_devices(site: &Site, rules: &str) -> (String, [Device; 2]) {
    let person = json!({ "player": "person" });
    let options = json!({ "rules": rules, "seats": [person, person], "eyes": "red", "friendly": true, "clock": null,
        "devices": true });
    let table = site.begin(&options).await;
    let ways = site.get(&format!("{table}/invitations")).await.json();
    let state = site.state(&table).await;
    assert_eq!((&state["eyes"], &state["awaited"]), (&Value::Null, &json!(["red", "blue"])));
    let mut devices = Side::BOTH.map(|side| Device {
        side,
        page: ways[side.index()]["page"].as_str().unwrap().to_owned(),
        army: if side == Side::Red {
            ARMY.to_owned()
        } else {
            ARMY.parse::<Setup>().unwrap().mirrored().to_string()
        },
        sent: Vec::new(),
        ranks: 0,
    });
    for (device, left) in devices.iter_mut().zip([1, 0]) {
        assert_eq!(device.look(site).await["yours"], true);
        assert_eq!(site.get(&format!("{table}/invitations")).await.json().as_array().unwrap().len(), left);
        assert_eq!(site.get(&format!("{table}/invitations/{}", device.side)).await.status, 404);
        assert_eq!(site.get(&format!("{}/invitations", device.page)).await.status, 404);
        let set = site.post(&format!("{}/setup", device.page), &json!({ "setup": device.army })).await;
        assert_eq!(set.status, 200);
        device.hear(&set);
    }
    (table, devices)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_at_devices_of_their_own_are_sent_one_side_each() {
    for (rules, seed) in [("isf plies=300", 6), ("isf silent=on plies=200", 7)] {
        let (site, mut rng) = (Site::new(Random::new(1)), Rng::new(seed));
        let (table, mut devices) = two_devices(&site, rules).await;
        let mut ply = 0;
        loop {
            let (mover, other) = (ply % 2, 1 - ply % 2);
            let state = devices[mover].look(&site).await;
            if state["stage"] == "over" {
                break;
            }
            let waits = devices[other].look(&site).await;
            assert_eq!((&waits["legal"], &waits["yours"]), (&json!([]), &json!(false)));
            for eyes in ["", "red", "blue", "both"] {
                let public = site.get(&format!("{table}/state?eyes={eyes}")).await.json();
                let shown = [&public["pieces"], &public["moves"], &public["legal"]];
                assert_eq!((shown, &public["eyes"]), ([&json!([]); 3], &Value::Null), "{eyes}");
                let offer = json!({ "wish": "offer-draw" });
                assert_eq!(site.post(&format!("{table}/do?eyes={eyes}"), &offer).await.status, 409);
            }
            let legal = state["legal"].as_array().unwrap();
            let act = json!({ "action": legal[rng.below(legal.len())], "ply": ply });
            for page in [&table, &devices[other].page] {
                assert_eq!(
                    site.post(&format!("{page}/move"), &act).await.status,
                    409,
                    "it is not their turn"
                );
                assert_eq!(site.get(&format!("{page}/beliefs?eyes=red")).await.status, 409);
            }
            let made = site.post(&format!("{}/move", devices[mover].page), &act).await;
            assert_eq!(made.status, 200);
            devices[mover].hear(&made);
            ply += 1;
        }
        assert!(ply > 40 && devices.iter().all(|device| device.ranks > 0), "{ply}");
        let [red, blue] = devices;
        let token = |device: &Device| device.page.strip_prefix("/game/").unwrap().to_owned();
        for (one, other) in [(&red, &blue), (&blue, &red)] {
            assert!(!String::from_utf8_lossy(&one.sent).contains(&token(other)));
        }
        // A rematch leads each to a page of his own again.
        let next = |state: Value| state["next"].as_str().unwrap().to_owned();
        let next = [
            next(site.wish(&red.page, "rematch").await.json()),
            next(site.state(&blue.page).await),
            next(site.state(&table).await),
        ];
        assert_eq!(site.state(&format!("/game/{}", next[0])).await["eyes"], "blue");
        assert_eq!(site.state(&format!("/game/{}", next[1])).await["eyes"], "red");
        assert_eq!(site.state(&format!("/game/{}", next[2])).await["eyes"], Value::Null);
        names_nothing_of(&blue.army, red.sent);
        names_nothing_of(&red.army, blue.sent);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_whole_game_against_the_engine_only_shown_ranks_are_sent() {
    let (plies, seen) = whole_game("isf plies=300", 3).await;
    assert!(plies > 40 && seen > 20, "{plies} {seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nor_in_barrage_nor_under_silent() {
    let (plies, _) = whole_game("isf barrage=on plies=200", 4).await;
    assert!(plies > 4, "{plies}");
    let (plies, seen) = whole_game("isf silent=on plies=200", 5).await;
    assert!(plies > 40 && seen > 0, "{plies} {seen}");
}

/// The army with the pieces of two places exchanged.
fn exchanged(army: &str, (one, other): (usize, usize)) -> String {
    let mut letters: Vec<char> = army.chars().collect();
    letters.swap(one, other);
    letters.into_iter().collect()
}

/// What was sent, but for what counts time.
fn timeless(state: &Value) -> Value {
    let mut state = state.clone();
    let keys = state.as_object_mut().unwrap();
    for key in ["version", "run", "turn", "thinking"] {
        keys.remove(key);
    }
    state
}

/// Every state of a game with this enemy army, up to the first in which a piece of these squares has struck or been
/// struck.
async fn course(army: String, rules: &str, places: (usize, usize), seed: u64) -> Vec<Value> {
    let site = Site::new(Random { army, ..Random::new(seed) });
    let mut states = Vec::new();
    play(&site, rules, seed, |state, _| {
        let begun: Vec<Square> =
            [places.0, places.1].iter().filter_map(|place| Square::of_setup(Side::Blue, *place)).collect();
        let moves = state["moves"].as_array().unwrap();
        let hidden = state["stage"] != "over" && !met(moves, begun);
        // What was answered to a move comes again when it is the person's turn, then with what may be believed.
        if hidden && !state["beliefs"].is_null() && states.last() != Some(&timeless(state)) {
            states.push(timeless(state));
        }
        hidden
    })
    .await;
    states
}

/// Whether a piece that began on one of these squares took part in a strike.
fn met(moves: &[Value], mut squares: Vec<Square>) -> bool {
    moves.iter().any(|text| {
        let played: Played = text.as_str().unwrap().parse().unwrap();
        let (from, to) = (played.action.from, played.action.to);
        if played.verdict.is_some() && (squares.contains(&from) || squares.contains(&to)) {
            return true;
        }
        squares.iter_mut().filter(|square| **square == from).for_each(|square| *square = to);
        false
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_ranks_that_change_places_change_nothing_that_is_sent() {
    let find = |letter: char, from: usize| from + ARMY[from..].find(letter).unwrap();
    // The flag and a bomb, the marshal and a four, the spy and a five: pieces that may move alike.
    let pairs = [(find('F', 0), find('B', 0)), (find('M', 0), find('4', 0)), (find('S', 0), find('5', 0))];
    let mut compared = 0;
    for (seed, places) in (11..).zip(pairs) {
        for rules in ["isf plies=120", "isf silent=on plies=120"] {
            let one = course(ARMY.to_owned(), rules, places, seed).await;
            let other = course(exchanged(ARMY, places), rules, places, seed).await;
            assert_eq!(one.len(), other.len());
            for (one, other) in one.iter().zip(&other) {
                assert_eq!(one, other);
            }
            compared += one.len();
        }
    }
    assert!(compared > 100, "{compared}");
}
