//! Scores of games played here, from the library and from the program.

use outflank::belief::Likelihood;
use outflank::belief::score::Marks;
use outflank::rng::Rng;
use outflank::rules::BySide;
use outflank_beliefscore::Guess;
use outflank_beliefscore::bands::Band;
use outflank_beliefscore::dangers::{Danger, Predictions};
use outflank_beliefscore::game::{Plan, Scored};
use outflank_record::Record;
use outflank_selfplay::contest::Contest;
use outflank_selfplay::player::Told;
use outflank_selfplay::rules::Rules;
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn records(rules: &str, games: u64, pairs: bool) -> Vec<Record> {
    let config = |name| "player=random".parse::<Told>().unwrap().config(name, None, None);
    let players = [config("anna"), config("bert")];
    let rules = Rules::parse(rules, 0).unwrap();
    let contest = Contest { games, pairs, rules, seed: 5, players, clocks: false };
    let mut records = Vec::new();
    let keep = |record| {
        records.push(record);
        Ok(())
    };
    contest.play(1, &HashSet::new(), keep).unwrap();
    records
}

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

/// A file of this test run's own with these records.
fn file(name: &str, records: &[Record]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut bytes = Vec::new();
    for record in records {
        record.write(&mut bytes).unwrap();
    }
    std::fs::write(&path, bytes).unwrap();
    path
}

fn beliefscore(arguments: &[&str], file: &Path, threads: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-beliefscore"));
    command.args(arguments).arg(file).env("RAYON_NUM_THREADS", threads).output().unwrap()
}

fn json(arguments: &[&str], file: &Path) -> Value {
    let output = beliefscore(&[&["--json"], arguments].concat(), file, "2");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
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
            assert_eq!(scored.impossible, Vec::<String>::new(), "{rules}");
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
    assert_eq!(bins.iter().map(|bin| bin.came_true).sum::<u64>(), 160);
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
fn the_program_prints_the_same_on_any_number_of_threads() {
    let file = file("threads.jsonl", &records("isf plies=150", 4, false));
    let [alone, many] = ["1", "3"].map(|threads| beliefscore(&["--resamples", "50"], &file, threads));
    assert!(alone.status.success());
    assert_eq!(alone.stdout, many.stdout);
    let text = String::from_utf8(alone.stdout).unwrap();
    assert!(text.starts_with("4 games, 8 armies, "), "{text}");
    assert!(text.contains("50 resamples of 4 units") && text.ends_with("held impossible: 0\n"), "{text}");
    for title in ["Nats a hidden piece", "Brier", "the likeliest", "where the flag is", "Calibration"] {
        assert!(text.contains(title), "{title}\n{text}");
    }
    assert!(alone.stderr.is_empty(), "progress is for terminals");
}

#[test]
fn json_says_what_the_tables_say() {
    let file = file("json.jsonl", &records("isf plies=150", 4, true));
    let report = json(&["--resamples", "40", "--every", "20"], &file);
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
    let text =
        String::from_utf8(beliefscore(&["--resamples", "40", "--every", "20"], &file, "1").stdout).unwrap();
    assert!(text.contains(&format!("{:.4}", value("belief", "nats"))), "{text}");
}

/// Without the other likelihoods the belief is what squares say, and without any what counts say.
#[test]
fn a_belief_can_be_measured_without_its_factors() {
    let file = file("without.jsonl", &records("isf plies=150", 2, false));
    let without = |likelihoods: &[&str]| {
        let words: Vec<&str> = likelihoods.iter().flat_map(|likelihood| ["--without", likelihood]).collect();
        json(&[&["--resamples", "0"], words.as_slice()].concat(), &file)["bands"][5].clone()
    };
    let all = Likelihood::ALL.map(Likelihood::name);
    let others: Vec<&str> = all.into_iter().filter(|&name| name != Likelihood::Place.name()).collect();
    assert_eq!(without(&others)["belief"], without(&others)["squares"]);
    assert_eq!(without(&all)["belief"], without(&[])["counts"]);
    assert_ne!(without(&[])["belief"], without(&others)["belief"]);
    let refused = beliefscore(&["--without", "luck"], &file, "1");
    assert!(!refused.status.success());
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(all.into_iter().all(|name| message.contains(name)), "{message}");
}

#[test]
fn what_cannot_be_scored_is_told() {
    let mut games = records("isf plies=30", 2, false);
    let good = file("good.jsonl", &games);
    assert_eq!(json(&["--about", "anna"], &good)["armies"], 2);
    let refused = beliefscore(&["--about", "nobody"], &good, "1");
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && message.contains("there are anna, bert"), "{message}");
    let at = Rng::new(3).below(games[1].moves.len());
    games[1].moves[at] = "a1a9".to_owned();
    let refused = beliefscore(&[], &file("bad.jsonl", &games), "1");
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && message.contains("game 1") && message.contains("a1a9"), "{message}");
}

#[test]
fn numbers_that_cannot_be_meant_are_refused() {
    for words in [["--resamples", "99999999999"], ["--every", "0"], ["--reflect", "18446744073709551615"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-beliefscore"));
        let refused = command.arg("games.jsonl").args(words).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {refused:?}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let path = file("unread.jsonl", &records("isf plies=30", 1, false));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-beliefscore"));
    command.arg(&path).args(["--resamples", "0"]).stdout(writer).stderr(Stdio::piped());
    let unread = command.spawn().unwrap().wait_with_output().unwrap();
    assert!(unread.status.success() && unread.stderr.is_empty(), "{unread:?}");
}

const SETUP: &str = "4532B2BF5BBB37S6362339M7224875466B852224";

/// The setup with the pieces on two places changed.
fn swapped(one: usize, other: usize) -> String {
    let mut setup = SETUP.as_bytes().to_vec();
    setup.swap(one, other);
    String::from_utf8(setup).unwrap()
}

/// What is noted of a danger, early in a game of these setups and plies.
fn danger(danger: Danger, setups: [String; 2], plies: &[&str]) -> Predictions {
    let mut record = records("isf plies=40", 1, false).remove(0);
    record.setups = BySide::new(setups);
    record.moves = plies.iter().map(|ply| (*ply).to_owned()).collect();
    score(&record, &Plan::every(1000)).dangers[danger as usize][0]
}

/// Red's colonel is known on e6, and Blue's f7 comes beside it.
#[test]
fn a_chaser_is_one_that_comes_beside_a_known_piece() {
    let plies = ["e4e5", "a7a6", "e5e6", "a6a7", "e6xe7=W85", "a7a6", "e7e6", "f7f6", "j4j5"];
    for (blue, can_take) in [(SETUP.to_owned(), 0), (swapped(34, 21), 1)] {
        let noted = danger(Danger::Chaser, [SETUP.to_owned(), blue], &plies);
        assert_eq!((noted.whole().predictions, noted.whole().came_true), (1, can_take));
        assert_eq!(
            danger(Danger::Chaser, [SETUP.to_owned(), swapped(34, 21)], &plies[..7]).whole().predictions,
            0
        );
    }
}

/// Red's colonel takes a lieutenant that never moved; its miner falls to a sergeant that never moved.
#[test]
fn a_strike_on_a_hidden_piece_is_noted_with_what_becomes_of_the_striker() {
    let wins = ["e4e5", "a7a6", "e5e6", "b7b6", "e6xe7=W85"];
    let loses = ["f4f5", "a7a6", "f5f6", "b7b6", "f6xf7=L34"];
    let setups = [[SETUP.to_owned(), SETUP.to_owned()], [swapped(35, 20), swapped(34, 30)]];
    for ((setups, plies), falls) in setups.into_iter().zip([wins, loses]).zip([0, 1]) {
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
    let red = swapped(35, 20);
    let sergeant = swapped(34, 30);
    let mut general = sergeant.clone().into_bytes();
    general.swap(24, 21);
    let general = String::from_utf8(general).unwrap();
    for (blue, can_retake) in [(sergeant, 0), (general, 1)] {
        let noted = danger(Danger::Guard, [red.clone(), blue], &takes);
        assert_eq!((noted.whole().predictions, noted.whole().came_true), (1, can_retake));
    }
}
