//! Files that games are saved to and loaded from.

use outflank_record::{Record, open};
use std::fs::{self, read_to_string, write};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const BEGUN: &str = include_str!("data/begun.jsonl");

/// An empty folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("outflank-play-{}-files-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What the program prints when a game is loaded and this is typed.
fn typed(folder: &Path, lines: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-play"));
    command.args(["--load", "game.jsonl"]).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// A pipe that nobody reads or writes.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_place_for_a_game() {
    let folder = folder("pipe");
    write(folder.join("game.jsonl"), BEGUN).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    let output = typed(&folder, "save pipe\nload pipe\nsave .\nload .\nquit\n");
    assert_eq!(output.matches("pipe is no regular file.").count(), 2, "{output}");
    assert_eq!(output.matches(". is no regular file.").count(), 2, "{output}");
}

fn saved(path: &Path) -> Record {
    open(path).unwrap().next().unwrap().unwrap()
}

#[test]
fn saving_leaves_neighbours_and_what_they_link_to_alone() {
    let folder = folder("neighbours");
    let (game, other) = (folder.join("game.jsonl"), folder.join("other"));
    write(&game, BEGUN).unwrap();
    write(&other, "mine").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&other, folder.join("game.tmp")).unwrap();
    #[cfg(not(unix))]
    write(folder.join("game.tmp"), "mine").unwrap();
    let output = typed(&folder, "undo\nsave game.jsonl\nquit\n");
    assert!(output.contains("Saved: go on with load game.jsonl."), "{output}");
    assert_eq!(saved(&game).plies, 6);
    assert_eq!(
        (read_to_string(&other).unwrap(), read_to_string(folder.join("game.tmp")).unwrap()),
        ("mine".to_owned(), "mine".to_owned())
    );
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}

#[test]
fn a_record_without_nodes_goes_on_where_it_stopped() {
    let folder = folder("nodes");
    let record: Record = BEGUN.parse().unwrap();
    let bare = Record { nodes: Vec::new(), ..record.clone() };
    write(folder.join("game.jsonl"), bare.line().unwrap()).unwrap();
    let output = typed(&folder, "save again.jsonl\nquit\n");
    assert!(output.contains("ply 8, your move"), "{output}");
    assert_eq!(saved(&folder.join("again.jsonl")).moves, record.moves);
}
