//! The report: its tables and its JSON.

use crate::{analyse, file, game, json, line, list, number, records, swapped, text};
use outflank::rules::Side;
use outflank_record::{Outcome, Record};
use std::path::Path;

/// Random games, one of them decided, so that no column is missing.
fn mixed() -> Vec<Record> {
    let mut games = records("isf plies=700", 6, false);
    let plies = "e4e5 a7a6 e5e6 a6a7 e6xe7=W85 f7xe7=T88";
    games.push(game([swapped(&[]), swapped(&[])], plies, Side::Red));
    games.push(game([swapped(&[]), swapped(&[])], plies, Side::Blue));
    games
}

#[test]
fn games_without_a_result_are_passed_over() {
    let games = mixed();
    let broken = Record { outcome: Outcome::broken_off("silent: anna".to_owned()), ..games[0].clone() };
    let (plain, more) =
        (file("finished.jsonl", &games), file("broken-off.jsonl", &[&games[..], &[broken]].concat()));
    let of = |path: &Path| {
        let mut report = json(&["report"], &[path]);
        report.as_object_mut().unwrap().remove("files");
        report
    };
    assert_eq!(of(&more), of(&plain));
}

#[test]
fn tables_say_what_the_json_says_of_material() {
    let path = file("material.jsonl", &mixed());
    let (text, json) =
        (text(&["report", "--about", "anna"], &[&path]), json(&["report", "--about", "anna"], &[&path]));
    let player = &json["players"][0];
    let columns = ["all", "won", "drawn", "lost"];
    for loss in list(&player["losses"]) {
        let words = columns.iter().flat_map(|column| {
            let games = &loss[column];
            [
                number(&games["count"], 1.0, 0),
                number(&games["a_game"], 1.0, 1),
                number(&games["paid_a_game"], 1.0, 1),
            ]
        });
        let kind = loss["kind"].as_str().unwrap();
        assert_eq!(line(&text, "Material lost", kind), words.collect::<Vec<_>>(), "{kind}");
    }
    let taken = columns.iter().flat_map(|column| {
        let games = &player["taken"][column];
        [number(&games["count"], 1.0, 0), number(&games["a_game"], 1.0, 1)]
    });
    assert_eq!(line(&text, "Material lost", "taken from the enemy"), taken.collect::<Vec<_>>());
    let games = &player["games"];
    let counts = ["games", "won", "drawn", "lost"].map(|key| games[key].as_u64().unwrap());
    assert_eq!(counts, [8, counts[1], counts[2], counts[3]]);
    let head = format!("== anna: 8 games, won {}, drawn {}, lost {}\n", counts[1], counts[2], counts[3]);
    assert!(text.contains(&head), "{head}{text}");
    for ending in list(&games["endings"]) {
        let word = |key: &str| ending[key].as_str().unwrap();
        assert!(
            text.contains(&format!("{} by {} {}", word("score"), word("reason"), ending["games"])),
            "{text}"
        );
    }
    assert!(text.contains(&format!("median {} (8)", number(&games["plies"]["median"], 1.0, 1))), "{text}");
}

#[test]
fn tables_say_what_the_json_says_of_pieces() {
    let path = file("pieces.jsonl", &mixed());
    let (text, json) =
        (text(&["report", "--about", "bert"], &[&path]), json(&["report", "--about", "bert"], &[&path]));
    let player = &json["players"][0];
    for fate in list(&player["fates"]) {
        let words = line(&text, "Top pieces", fate["rank"].as_str().unwrap());
        let expected = [number(&fate["pieces"], 1.0, 0), number(&fate["lived_share"], 100.0, 1)];
        assert_eq!(words[..2], expected);
        let plies = ["fell", "revealed"]
            .map(|key| [number(&fate[key]["median"], 1.0, 0), format!("({})", fate[key]["count"])]);
        assert_eq!(words[2..6], plies.concat());
        assert_eq!(words[6..8], ["took_until", "took_after"].map(|key| number(&fate[key], 1.0, 0)));
        assert_eq!(words.len(), 8 + 2 * list(&fate["takers"]).len());
    }
    for reveal in list(&player["reveals"]) {
        let name = format!("{}  {}", reveal["rank"].as_str().unwrap(), reveal["way"].as_str().unwrap());
        let mut expected = vec![number(&reveal["count"], 1.0, 0), number(&reveal["share"], 100.0, 1)];
        expected.push(number(&reveal["plies"]["median"], 1.0, 0));
        expected.push(number(&reveal["earning"], 1.0, 0));
        expected.extend(["earned", "after", "lost", "net"].map(|key| number(&reveal[key], 1.0, 0)));
        assert_eq!(line(&text, "First reveals", &name), expected);
    }
}

#[test]
fn tables_say_what_the_json_says_of_leads() {
    let path = file("leads.jsonl", &mixed());
    let (text, json) =
        (text(&["report", "--about", "bert"], &[&path]), json(&["report", "--about", "bert"], &[&path]));
    let player = &json["players"][0];
    for lead in list(&player["leads"]) {
        let mut expected: Vec<String> =
            ["games", "won", "drawn", "lost"].map(|key| number(&lead[key], 1.0, 0)).to_vec();
        expected.push(number(&lead["began"]["median"], 1.0, 0));
        expected.extend(["mean", "median"].map(|key| number(&lead["to_win"][key], 1.0, 1)));
        expected.extend(["miners", "idle"].map(|key| number(&lead[key], 1.0, 2)));
        assert_eq!(line(&text, "First leads", &number(&lead["percent"], 1.0, 0)), expected);
    }
}

#[test]
fn tables_say_what_the_json_says_of_changes() {
    let mut games = mixed();
    for game in &mut games {
        game.candidates = (0..game.moves.len()).map(|ply| format!("a4a5 {}", ply * 37 % 1000)).collect();
    }
    let path = file("changes.jsonl", &games);
    let (text, json) =
        (text(&["report", "--about", "bert"], &[&path]), json(&["report", "--about", "bert"], &[&path]));
    let changes = list(&json["players"][0]["changes"]);
    assert!(changes.len() > 3, "{changes:?}");
    for change in changes {
        let figures = [("turns", 1.0, 0), ("turns_a_game", 1.0, 1), ("change", 100.0, 2)];
        let words = figures.into_iter().chain([("error", 100.0, 2), ("a_game", 100.0, 1)]);
        let expected: Vec<String> =
            words.map(|(key, unit, decimals)| number(&change[key], unit, decimals)).collect();
        let kind = format!("{:34}", change["kind"].as_str().unwrap());
        assert_eq!(line(&text, "How the expected score", &kind), expected);
    }
}

#[test]
fn several_files_are_one_report_on_any_number_of_threads() {
    let games = mixed();
    let (one, other) = (file("one.jsonl", &games[..3]), file("other.jsonl", &games[3..]));
    let whole = file("whole.jsonl", &games);
    let [alone, many] = ["1", "3"].map(|threads| analyse(&["report"], &[&one, &other], threads).stdout);
    assert_eq!(alone, many);
    assert_eq!(alone, analyse(&["report"], &[&whole], "2").stdout);
    let json = json(&["report"], &[&one, &other]);
    assert_eq!((&json["games"], list(&json["files"]).len(), list(&json["players"]).len()), (&8.into(), 2, 2));
    let count = |player: usize, key: &str| json["players"][player]["games"][key].as_u64().unwrap();
    assert_eq!((count(0, "won"), count(0, "lost")), (count(1, "lost"), count(1, "won")));
    assert_eq!(
        list(&self::json(&["report", "--about", "anna", "--about", "bert"], &[&whole])["players"]).len(),
        2
    );
}
