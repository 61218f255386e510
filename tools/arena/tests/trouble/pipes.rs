//! Standard output that nobody reads, or that has no room.

use super::{arena, file, small_match, succeed};
use std::fs::File;
use std::process::{Command, Output, Stdio};

/// With a reader that has gone before the first word, and standard error going the same way if asked.
fn unread(command: &mut Command, errors: bool) -> Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    if errors {
        command.stderr(writer.try_clone().unwrap());
    } else {
        command.stderr(Stdio::piped());
    }
    command.stdout(writer).spawn().unwrap().wait_with_output().unwrap()
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let out = file("unread.jsonl");
    let ended = unread(&mut small_match(&["--games", "2"], &out), false);
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
    let again = file("unread-merged.jsonl");
    let path = out.display().to_string();
    for words in [
        &["stats", &path][..],
        &["verify", &path],
        &["replay", &path, "--ply", "9"],
        &["merge", "--out", &again.display().to_string(), &path],
    ] {
        let ended = unread(&mut arena(words), false);
        assert!(ended.status.success() && ended.stderr.is_empty(), "{words:?}: {ended:?}");
    }
    assert!(again.exists());
    let engine = *crate::common::MOCK;
    let ended = unread(&mut arena(&["check", "--only", "start", engine]), false);
    assert!(!ended.status.success() && ended.stderr.is_empty(), "an engine that was not checked: {ended:?}");
    let text = std::fs::read_to_string(&out).unwrap();
    std::fs::write(&out, text.replace("\"plies\":40", "\"plies\":41")).unwrap();
    let wrong = unread(&mut arena(&["verify", &path]), true);
    assert_eq!(wrong.status.code(), Some(1));
}

#[test]
fn standard_output_without_room_is_named() {
    let out = file("no-room.jsonl");
    succeed(&mut small_match(&["--games", "2"], &out));
    let path = out.display().to_string();
    let engine = *crate::common::MOCK;
    for words in
        [&["stats", &path][..], &["verify", &path], &["replay", &path], &["check", "--only", "start", engine]]
    {
        let mut command = arena(words);
        let command = command.stdout(File::create("/dev/full").unwrap()).stderr(Stdio::piped());
        let failed = command.spawn().unwrap().wait_with_output().unwrap();
        let errors = String::from_utf8(failed.stderr).unwrap();
        assert_eq!(failed.status.code(), Some(1), "{words:?}");
        assert!(errors.contains("standard output: No space left"), "{words:?}: {errors}");
    }
}
