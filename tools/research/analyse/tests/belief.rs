//! Scores of games played here, from the library and from the program.

use crate::{analyse, file, json, records, text};
use outflank::belief::Likelihood;
use outflank::belief::score::Marks;
use outflank_analyse::belief::Guess;
use outflank_analyse::belief::bands::Band;
use outflank_analyse::belief::game::{Plan, Scored};
use outflank_analyse::sample::Sums;
use outflank_record::Record;
use serde_json::Value;

/// Everything in one game.
fn score(record: &Record, plan: &Plan) -> Scored {
    let mut sum = Scored::default();
    for army in Scored::of(record, plan).unwrap().values().flatten() {
        sum.merge(army);
    }
    sum
}

/// The marks of one guess over all plies.
fn all(scored: &Scored, guess: Guess) -> Marks {
    Band::From(0).marks(&scored.guesses[guess as usize].cells)
}

#[test]
fn no_true_rank_is_held_impossible() {
    let rule_sets = [
        "isf plies=300",
        "1961 plies=300",
        "gravon silent=on plies=300",
        "gameboard rescue=on silent=on plies=400",
    ];
    for rules in rule_sets {
        for record in records(rules, 3, false) {
            let scored = score(&record, &Plan::every(7));
            assert_eq!((scored.impossible, &scored.examples), (0, &Vec::new()), "{rules}");
            assert_eq!((scored.armies, scored.views % 2), (2, 0));
            assert!(all(&scored, Guess::Belief).pieces > 0);
        }
    }
}

/// Before the first ply every piece is hidden, and counts know the shares of the ranks: 2.2702 nats.
#[test]
fn the_first_position_is_scored_by_hand() {
    let mut scored = Scored::default();
    for record in records("isf plies=1", 2, false) {
        scored.merge(&score(&record, &Plan::every(1000)));
    }
    assert_eq!((scored.views, scored.armies), (4, 4));
    let [belief, counts, squares] = Guess::ALL.map(|guess| all(&scored, guess));
    assert_eq!((belief.pieces, belief.flags), (160, 4));
    let army = [1.0, 1.0, 8.0, 5.0, 4.0, 4.0, 4.0, 3.0, 2.0, 1.0, 1.0, 6.0f64];
    let entropy: f64 = army.iter().map(|count| count / 40.0 * (40.0 / count).ln()).sum();
    assert!((counts.nats / 160.0 - entropy).abs() < 1e-3);
    assert!((counts.flag_nats / 4.0 - 40f64.ln()).abs() < 1e-2);
    // The engine's own setups are drawn from its prior.
    for better in [belief, squares] {
        assert!(
            better.nats < counts.nats && better.flag_nats < counts.flag_nats && better.brier < counts.brier
        );
    }
    // Every possible rank of a hidden piece is one prediction, and one of them comes true.
    let bins = scored.guesses[0].calibration[0].0;
    assert_eq!(bins.iter().map(|bin| bin.predictions).sum::<u64>(), 160 * 12);
    assert!((bins.iter().map(|bin| bin.came_true).sum::<f64>() - 160.0).abs() < 1e-9);
    let predicted: f64 = bins.iter().map(|bin| bin.predicted).sum();
    assert!((predicted - 160.0).abs() < 1e-2, "{predicted}");
}

#[test]
fn both_kinds_of_bands_see_every_piece() {
    let record = records("isf plies=300", 1, false).remove(0);
    let scored = score(&record, &Plan::every(10));
    for guess in Guess::ALL {
        let cells = &scored.guesses[guess as usize].cells;
        let pieces = |by: &str| {
            let bands = Band::all().filter(|band| band.of() == by && !matches!(band, Band::From(_)));
            bands.map(|band| band.marks(cells).pieces).sum::<u64>()
        };
        assert_eq!(pieces("plies"), pieces("shown"));
        assert_eq!(pieces("plies"), all(&scored, guess).pieces);
    }
}

#[test]
fn scores_about_one_player_are_about_its_pieces() {
    let record = records("isf plies=200", 1, false).remove(0);
    let about = |name: &str| score(&record, &Plan { about: vec![name.to_owned()], ..Plan::every(10) });
    let (mut both, whole) = (about("anna"), score(&record, &Plan::every(10)));
    assert_eq!(both.armies, 1);
    both.merge(&about("bert"));
    assert_eq!((both.armies, both.views), (whole.armies, whole.views));
    assert_eq!(all(&both, Guess::Belief).pieces, all(&whole, Guess::Belief).pieces);
    assert!((all(&both, Guess::Belief).nats - all(&whole, Guess::Belief).nats).abs() < 1e-6);
    assert_eq!(about("nobody").views, 0);
}

#[test]
fn tables_have_every_part_of_the_answer() {
    let file = file("tables.jsonl", &records("isf plies=150", 4, false));
    let text = text(&["belief", "--resamples", "50"], &[&file]);
    assert!(text.starts_with("4 games, 8 armies, "), "{text}");
    assert!(text.contains("50 resamples of 4 units") && text.ends_with("held impossible: 0\n"), "{text}");
    for title in ["Nats a hidden piece", "Brier", "the likeliest", "where the flag is", "Calibration"] {
        assert!(text.contains(title), "{title}\n{text}");
    }
}

#[test]
fn json_says_what_the_tables_say() {
    let file = file("json.jsonl", &records("isf plies=150", 4, true));
    let report = json(&["belief", "--resamples", "40", "--every", "20"], &[&file]);
    // Pairs that share their setups are one unit.
    assert_eq!(
        (&report["games"], &report["units"], &report["impossible"]),
        (&4.into(), &2.into(), &0.into())
    );
    let bands = report["bands"].as_array().unwrap();
    assert_eq!(bands.len(), Band::all().count());
    let band = bands.iter().find(|band| band["band"] == "all").unwrap();
    let value = |guess: &str, mark: &str| band[guess][mark]["value"].as_f64().unwrap();
    let saved = 1.0 - value("belief", "nats") / value("counts", "nats");
    assert!((band["saved"][0]["value"].as_f64().unwrap() - saved).abs() < 1e-9);
    for (mark, most) in [("nats", 3.0), ("top1", 1.0), ("brier", 2.0), ("flag_nats", 9.0), ("flag_top1", 1.0)]
    {
        for guess in Guess::ALL {
            let mark = &band[guess.name()][mark];
            let [value, low, high] = ["value", "low", "high"].map(|key| mark[key].as_f64().unwrap());
            assert!(low <= value && value <= high && low >= 0.0 && high <= most, "{mark}");
        }
    }
    let parts = report["calibration"].as_array().unwrap();
    assert_eq!(parts.len(), 3 * 6);
    assert!(parts[0]["plies"] == "all" && parts[0]["guess"] == "belief");
    let players = report["players"].as_array().unwrap();
    assert!(players.len() == 2 && players[0]["name"] == "anna" && players[1]["armies"] == 4);
    let pieces = |of: &Value| of["pieces"].as_u64().unwrap();
    assert_eq!(pieces(&players[0]["all"]) + pieces(&players[1]["all"]), pieces(band));
    let text = text(&["belief", "--resamples", "40", "--every", "20"], &[&file]);
    assert!(text.contains(&format!("{:.4}", value("belief", "nats"))), "{text}");
}

/// Without the other likelihoods the belief is what squares say, and without any what counts say.
#[test]
fn a_belief_can_be_measured_without_its_factors() {
    let file = file("without.jsonl", &records("isf plies=150", 2, false));
    let without = |likelihoods: &[&str]| {
        let words: Vec<&str> = likelihoods.iter().flat_map(|likelihood| ["--without", likelihood]).collect();
        json(&[&["belief", "--resamples", "0"], words.as_slice()].concat(), &[&file])["bands"][5].clone()
    };
    let all = Likelihood::ALL.map(Likelihood::name);
    let others: Vec<&str> = all.into_iter().filter(|&name| name != Likelihood::Place.name()).collect();
    assert_eq!(without(&others)["belief"], without(&others)["squares"]);
    assert_eq!(without(&all)["belief"], without(&[])["counts"]);
    assert_ne!(without(&[])["belief"], without(&others)["belief"]);
    let refused = analyse(&["belief", "--without", "luck"], &[&file], "1");
    assert!(!refused.status.success());
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(all.into_iter().all(|name| message.contains(name)), "{message}");
}

#[test]
fn one_player_is_asked_about() {
    let good = file("asked.jsonl", &records("isf plies=30", 2, false));
    assert_eq!(json(&["belief", "--about", "anna"], &[&good])["armies"], 2);
}
