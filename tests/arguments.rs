//! The command line of the engine: what it prints without a conversation.

use crate::host::PROGRAM;
use std::process::{Command, Output, Stdio};

fn outflank(arguments: &[&str], out: Stdio) -> Output {
    let mut command = Command::new(&*PROGRAM);
    command.args(arguments).stdin(Stdio::null()).stdout(out).stderr(Stdio::piped());
    command.spawn().unwrap().wait_with_output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = outflank(arguments, Stdio::piped());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_is_given_for_the_program_and_for_the_public_arena() {
    assert!(printed(&["--help"]).contains("outflank arena-bot"));
    assert_eq!(printed(&["--version"]), format!("outflank {}\n", env!("CARGO_PKG_VERSION")));
    for arguments in
        [&["arena-bot", "--help"][..], &["arena-bot", "-h"], &["arena-bot", "--nodes", "5", "--help"]]
    {
        let help = printed(arguments);
        for option in ["--movetime MS", "--nodes N", "--overhead MS", "--seed N"] {
            assert!(help.contains(option), "{help}");
        }
    }
    assert!(!outflank(&["arena-bot", "--hlep"], Stdio::piped()).status.success());
    let renamed = outflank(&["evaluator", "--nodes", "5"], Stdio::piped());
    let error = String::from_utf8(renamed.stderr).unwrap();
    assert!(
        !renamed.status.success() && error.lines().count() == 1 && error.contains("arena-bot"),
        "{error}"
    );
}

/// The program alone in a folder, and with a shell beside it that is called `outflank-play`. Both are links: a program
/// that has just been written may be busy.
#[cfg(unix)]
#[test]
fn play_hands_over_to_the_program_beside_it_or_tells_how_to_get_it() {
    let folder = std::path::Path::new(&*PROGRAM).with_file_name(format!("arguments-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let own = folder.join("outflank");
    std::fs::hard_link(&*PROGRAM, &own).unwrap();
    let play = || {
        Command::new(&own).args(["play", "-c", "echo here; exit 7"]).env("PATH", &folder).output().unwrap()
    };
    let missing = play();
    std::os::unix::fs::symlink("/bin/sh", folder.join("outflank-play")).unwrap();
    let found = play();
    std::fs::remove_dir_all(&folder).unwrap();
    let error = String::from_utf8(missing.stderr).unwrap();
    assert!(!missing.status.success() && error.lines().count() == 1, "{error}");
    assert!(error.contains("cargo run --release -p outflank-play"), "{error}");
    assert_eq!((found.status.code(), found.stdout.as_slice()), (Some(7), &b"here\n"[..]));
}

/// Tuned numbers are constants in this build. What the feature `tune` does is tested where they are declared.
#[test]
fn numbers_are_set_in_a_build_for_tuning_only() {
    let mut command = Command::new(&*PROGRAM);
    command.env("OUTFLANK_PARAMS", "eval.attack=0.2").arg("--version");
    for output in [command.output().unwrap(), outflank(&["params"], Stdio::piped())] {
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && output.stdout.is_empty());
        assert_eq!(error, "outflank: parameters are constants: built without the feature tune\n");
    }
}

#[test]
fn a_bench_that_cannot_be_meant_fails() {
    for words in [&["bench", "x"][..], &["bench", "--threads", "0"], &["bench", "1", "--threads", "300"]] {
        let output = outflank(words, Stdio::piped());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{words:?}");
        assert_eq!(error, "outflank: usage: outflank bench [<nodes>] [--threads <n>]\n");
    }
    assert!(outflank(&["bench", "--help"], Stdio::piped()).status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_goes_nowhere() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let unread = outflank(&["--help"], writer.into());
    assert!(unread.status.success() && unread.stderr.is_empty(), "{unread:?}");
    for arguments in [&["--help"][..], &["bench", "1"]] {
        let full = outflank(arguments, std::fs::File::create("/dev/full").unwrap().into());
        let error = String::from_utf8(full.stderr).unwrap();
        assert!(!full.status.success() && error.contains("standard output: No space left"), "{error}");
    }
}
