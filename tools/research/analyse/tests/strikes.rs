//! Strikes into the unknown and dangers, in games made by hand.

use crate::{adventure, file, game, json, line, list, number, records, swapped, text};
use outflank::belief::Likelihood;
use outflank::rules::{Rank, Side};
use outflank_analyse::strikes::blind::{BlindReport, BlindStrike};
use outflank_analyse::strikes::dangers::{Danger, Predictions};
use outflank_analyse::strikes::game::{Faced, Plan};
use outflank_record::Record;

/// What both players of a game struck and faced, Red's first.
fn faced(record: &Record) -> [Faced; 2] {
    let plan = Plan { likelihoods: Likelihood::ALL.to_vec(), inference_nodes: 0 };
    let faced = Faced::of(record, &plan, |_| true).unwrap();
    faced.into_array().map(Option::unwrap)
}

/// What Red could believe of a danger, early in a game of these setups and plies.
fn danger(danger: Danger, setups: [String; 2], plies: &[&str]) -> Predictions {
    let [red, _] = faced(&game(setups, &plies.join(" "), Side::Red));
    red.dangers[danger as usize][0]
}

/// Red's colonel is known on e6, and Blue's f7 comes beside it.
#[test]
fn a_chaser_is_one_that_comes_beside_a_known_piece() {
    let plies = ["e4e5", "a7a6", "e5e6", "a6a7", "e6xe7=W85", "a7a6", "e7e6", "f7f6", "j4j5"];
    for (blue, can_take) in [(swapped(&[]), 0.0), (swapped(&[(34, 21)]), 1.0)] {
        let noted = danger(Danger::Chaser, [swapped(&[]), blue], &plies);
        assert_eq!((noted.whole().predictions, noted.whole().came_true), (1, can_take));
        assert_eq!(
            danger(Danger::Chaser, [swapped(&[]), swapped(&[(34, 21)])], &plies[..7]).whole().predictions,
            0
        );
    }
}

/// Red's colonel takes a lieutenant that never moved; its miner falls to a sergeant that never moved.
#[test]
fn a_strike_on_a_hidden_piece_is_noted_with_what_becomes_of_the_striker() {
    let wins = ["e4e5", "a7a6", "e5e6", "b7b6", "e6xe7=W85"];
    let loses = ["f4f5", "a7a6", "f5f6", "b7b6", "f6xf7=L34"];
    let setups = [[swapped(&[]), swapped(&[])], [swapped(&[(35, 20)]), swapped(&[(34, 30)])]];
    for ((setups, plies), falls) in setups.into_iter().zip([wins, loses]).zip([0.0, 1.0]) {
        let noted = danger(Danger::Unmoved, setups.clone(), &plies).whole();
        assert_eq!((noted.predictions, noted.came_true), (1, falls));
        assert_eq!(danger(Danger::Moved, setups, &plies).whole().predictions, 0);
    }
}

/// Blue's sergeant on f7 beats a miner and is known; Red's colonel is about to take it.
#[test]
fn a_guard_is_a_hidden_neighbour_of_what_is_taken() {
    let plies =
        ["f4f5", "a7a6", "f5f6", "b7b6", "f6xf7=L34", "i7i6", "e4e5", "j7j6", "e5e6", "b6b5", "e6f6", "i6i5"];
    let takes = [&plies[..], &["f6xf7=W84"]].concat();
    let red = swapped(&[(35, 20)]);
    let sergeant = swapped(&[(34, 30)]);
    let mut general = sergeant.clone().into_bytes();
    general.swap(24, 21);
    let general = String::from_utf8(general).unwrap();
    for (blue, can_retake) in [(sergeant, 0.0), (general, 1.0)] {
        let noted = danger(Danger::Guard, [red.clone(), blue], &takes);
        assert_eq!((noted.whole().predictions, noted.whole().came_true), (1, can_retake));
    }
}

#[test]
fn blind_strikes_are_at_hidden_pieces_that_never_moved() {
    let [red, blue] = faced(&adventure());
    let strike = |striker, victim, net| BlindStrike { striker, victim, net };
    let reds = [
        strike(Rank::Colonel, Rank::Lieutenant, 65),
        strike(Rank::Captain, Rank::Scout, 15),
        strike(Rank::Scout, Rank::Captain, -15),
    ];
    assert_eq!(red.blind, reds);
    let blues = [strike(Rank::General, Rank::Lieutenant, 65), strike(Rank::General, Rank::Bomb, -340)];
    assert_eq!(blue.blind, blues);
    let report = BlindReport::all(&blue.blind);
    let general = report.iter().find(|strikes| strikes.rank == "9").unwrap();
    assert_eq!((general.strikes, general.net, general.bombs), (2, -275, 1));
    assert_eq!((general.net_a_strike, general.bomb_share), (Some(-137.5), Some(0.5)));
    assert_eq!(report.last().unwrap().strikes, 2);
}

/// What is told about one player is what it struck and faced; both together are everybody.
#[test]
fn one_player_is_what_it_struck_and_faced() {
    let path = file("asked-strikes.jsonl", &records("isf plies=600", 4, false));
    let told = |about: &[&str]| {
        let words: Vec<&str> = about.iter().flat_map(|name| ["--about", name]).collect();
        json(&[&["strikes", "--resamples", "0"], &words[..]].concat(), &[&path])
    };
    let [anna, bert, both] = [&["anna"][..], &["bert"], &[]].map(told);
    assert_eq!((&both["players"][0], &both["players"][1]), (&anna["players"][0], &bert["players"][0]));
    let seen =
        |told: &serde_json::Value, danger: usize| told["dangers"][danger]["predictions"].as_u64().unwrap();
    for danger in 0..2 * Danger::ALL.len() {
        assert_eq!(seen(&anna, danger) + seen(&bert, danger), seen(&both, danger));
    }
    // Every blind strike of a player's is a piece that never moved and might have beaten it.
    let unmoved: u64 = [6, 7].iter().map(|danger| seen(&anna, *danger)).sum();
    let strikes = list(&anna["players"][0]["strikes"]).last().unwrap()["strikes"].as_u64().unwrap();
    assert!(strikes > 3 && strikes == unmoved, "{strikes} {unmoved}");
}

#[test]
fn tables_say_what_the_json_says_of_strikes() {
    let path = file("strikes.jsonl", &records("isf plies=700", 6, false));
    let words = ["strikes", "--about", "bert", "--resamples", "20"];
    let (text, json) = (text(&words, &[&path]), json(&words, &[&path]));
    for strikes in list(&json["players"][0]["strikes"]) {
        let figures = [("strikes", 1.0, 0), ("net", 1.0, 0), ("net_a_strike", 1.0, 1)];
        let bombs = [("bombs", 1.0, 0), ("bomb_share", 100.0, 1), ("flags", 1.0, 0)];
        let words = figures.into_iter().chain(bombs);
        let expected: Vec<String> =
            words.map(|(key, unit, decimals)| number(&strikes[key], unit, decimals)).collect();
        assert_eq!(line(&text, "strikes at hidden", strikes["rank"].as_str().unwrap()), expected);
    }
    for danger in list(&json["dangers"]) {
        let name =
            format!("{:<9} {:>7}", danger["danger"].as_str().unwrap(), danger["plies"].as_str().unwrap());
        let words = line(&text, "Dangers", &name);
        assert_eq!(
            words[..2],
            [number(&danger["predictions"], 1.0, 0), number(&danger["predicted"], 100.0, 1)]
        );
        assert_eq!(words.last().unwrap(), &number(&danger["brier_of_constant"], 1.0, 4));
    }
}
