//! The folder of games: nothing of somebody else's is changed in it, and nothing of ours is lost.

use crate::common::{ARMY, Random, Site, against_engine, limits, ready};
use outflank_record::{Record, open};
use serde_json::json;
use std::fs::{self, read_to_string, write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

fn folder() -> Arc<TempDir> {
    let folder = tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::create_dir(folder.path().join("games")).unwrap();
    Arc::new(folder)
}

/// A game that was begun.
async fn begun(site: &Site) -> String {
    let game = site.begin(&against_engine("isf")).await;
    site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await;
    site.until(&game, ready).await;
    game
}

fn games_of(records: &Path) -> Vec<u64> {
    open(records).unwrap().map(|record| record.unwrap().game).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_saved_is_reported_and_saved_later() {
    let site = Site::new(Random::new(1));
    tokio::spawn(site.house.clone().look_after());
    let game = begun(&site).await;
    let (games, away) = (site.games(), site.games().with_file_name("away"));
    fs::rename(&games, &away).unwrap();
    let over = site.wish(&game, "resign").await.json();
    assert_eq!((&over["stage"], &over["unsaved"]), (&json!("over"), &json!(true)));
    let refused = site.post("/new", &against_engine("isf")).await;
    assert_eq!(refused.status, 503, "no game begins without a file");
    // Where the server keeps its files is none of the page's business.
    let why = "The game cannot be saved: the disk may be full, or its folder gone.";
    assert_eq!(refused.json(), json!({ "error": why }));
    fs::rename(&away, &games).unwrap();
    site.until(&game, |state| state["unsaved"] == false).await;
    assert_eq!(games_of(&games.join("records.jsonl")), [1]);
    // A file of records that somebody has removed is made anew.
    fs::remove_file(games.join("records.jsonl")).unwrap();
    let second = begun(&site).await;
    assert_eq!(site.wish(&second, "resign").await.json()["unsaved"], false);
    assert_eq!(games_of(&games.join("records.jsonl")).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_is_owed_is_kept_once() {
    let site = Site::new(Random::new(1));
    let game = begun(&site).await;
    site.wish(&game, "resign").await;
    let (folder, games) = (site.folder(), site.games());
    let (file, records) = (games.join("game-1.json"), games.join("records.jsonl"));
    drop(site);
    // The server ended before the record was written, and then between the record and the note that it is.
    for (kept, found) in [("", 0), (&*read_to_string(&records).unwrap(), 1)] {
        let text = read_to_string(&file).unwrap();
        assert!(text.contains("\"kept\":true"), "{text}");
        write(&file, text.replace("\"kept\":true", "\"kept\":false")).unwrap();
        write(&records, kept).unwrap();
        let again = Site::at(folder.clone(), Random::new(1), limits());
        assert_eq!(again.state(&game).await["unsaved"], found == 0);
        let looking = tokio::spawn(again.house.clone().look_after());
        again.until(&game, |state| state["unsaved"] == false).await;
        assert_eq!(games_of(&records), [1]);
        // Whatever is saved now says that it is kept.
        again.wish(&game, "retry").await;
        looking.abort();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_with_other_numbers_are_never_written_over() {
    let folder = folder();
    let games = folder.path().join("games");
    let foreign =
        ["game-18446744073709551615.json", "game-18446744073709551614.json", "game-007.json", "game-+8.json"];
    for name in foreign {
        write(games.join(name), "mine").unwrap();
    }
    let mut known = Vec::new();
    for start in 0..3 {
        let site = Site::at(folder.clone(), Random::new(1), limits());
        for game in &known {
            assert_eq!(site.get(&format!("{game}/state")).await.status, 200, "start {start}");
        }
        known.extend([begun(&site).await, begun(&site).await]);
        if start == 1 {
            // Put there while the server runs.
            write(games.join("game-5.json"), "mine").unwrap();
            known.push(begun(&site).await);
        }
    }
    for name in foreign.into_iter().chain(["game-5.json"]) {
        assert_eq!(read_to_string(games.join(name)).unwrap(), "mine", "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_records_that_holds_something_else_is_left_alone() {
    let record = include_str!("../../record/tests/game.jsonl").trim();
    let record = record.parse::<Record>().unwrap();
    let nine = Record { game: 9, ..record }.line().unwrap();
    for text in ["my notes\n".to_owned(), format!("{nine}my notes\n"), nine.replace("moves", "muves")] {
        for linked in [false, true] {
            let folder = folder();
            let games = folder.path().join("games");
            let (records, notes) = (games.join("records.jsonl"), folder.path().join("notes"));
            if linked && cfg!(unix) {
                write(&notes, &text).unwrap();
                #[cfg(unix)]
                std::os::unix::fs::symlink(&notes, &records).unwrap();
            } else {
                write(&records, &text).unwrap();
            }
            let site = Site::at(folder.clone(), Random::new(1), limits());
            let game = begun(&site).await;
            assert_eq!(site.wish(&game, "resign").await.json()["unsaved"], false);
            assert_eq!(read_to_string(&records).unwrap(), text);
            let number = if text.contains("muves") || !text.contains("moves") { 1 } else { 10 };
            assert_eq!(games_of(&games.join("records-2.jsonl")), [number]);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_error_and_no_panic() {
    let folder = folder();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_outflank-board"));
    command.args(["--port", "0", "--folder"]).arg(folder.path().join("games"));
    command.stdout(fs::File::create("/dev/full").unwrap()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let begun = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("standard output") && !errors.contains("panicked"), "{errors}");
}
