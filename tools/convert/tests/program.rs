//! The program itself: what it prints, where, and with which exit status; and the page about it, whose conversations
//! have to be true.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The folder that the page's file names start from.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program with what is said to it on standard input.
fn run(arguments: &[&str], said: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_outflank-convert"))
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
    program.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const SAMPLE: &str = "tools/convert/tests/data/sample.xml";

#[test]
fn a_pipe_of_programs_ends_where_it_began() {
    let record = run(&["--to", "record", SAMPLE], "");
    assert!(record.status.success() && record.stderr.is_empty());
    let xml = run(&["--to", "xml"], &text(&record.stdout));
    assert!(xml.status.success() && xml.stderr.is_empty());
    assert_eq!(run(&["--to", "xml", "-"], &text(&xml.stdout)).stdout, xml.stdout);
    assert_eq!(run(&["--to", "record", "--from", "xml"], &text(&xml.stdout)).stdout, record.stdout);
}

#[test]
fn a_bad_game_ends_the_program_unless_it_is_to_go_on() {
    let good = std::fs::read_to_string(root().join(SAMPLE)).unwrap();
    let text_of = format!("{}{good}", good.replace("source=\"A4\"", "source=\"A1\""));
    let stopped = run(&["--to", "xml"], &text_of);
    assert_eq!((stopped.status.code(), text(&stopped.stdout).lines().count()), (Some(1), 3));
    let error = text(&stopped.stderr);
    assert!(error.starts_with("error: standard input: game 0, line 4: move 5, line 11: a1a6"), "{error}");
    let went_on = run(&["--to", "xml", "--keep-going"], &text_of);
    assert_eq!(went_on.status.code(), Some(1));
    assert!(text(&went_on.stderr).starts_with("left out: standard input: game 0, line 4"));
    assert_eq!(went_on.stdout, run(&["--to", "xml", SAMPLE], "").stdout);
}

#[test]
fn games_are_numbered_as_in_records() {
    let records = text(&run(&["--to", "record", SAMPLE, SAMPLE], "").stdout);
    let numbers: Vec<&str> = records.lines().map(|line| &line[..10]).collect();
    assert_eq!(numbers, ["{\"game\":0,", "{\"game\":1,"]);
    let broken = records.replace("\"game\":1", "\"game\":17").replace("\"plies\":11", "\"plies\":12");
    let refused = text(&run(&["--to", "xml", "--keep-going"], &broken).stderr);
    let games: Vec<&str> = refused.lines().map(|line| line.split(", line").next().unwrap()).collect();
    assert_eq!(games, ["left out: standard input: game 0", "left out: standard input: game 17"]);
}

#[test]
fn files_that_are_nothing_are_named() {
    for (said, reason) in [
        ("hello, world\n", "none of the four texts"),
        ("", "nothing in it"),
        ("{}\n", "no record of a game: missing field"),
        ("{\n", "position 0, line 1"),
    ] {
        let from = if said == "{\n" { vec!["--from", "spn"] } else { Vec::new() };
        let failed = run(&[&["--to", "spn"], from.as_slice()].concat(), said);
        assert_eq!(failed.status.code(), Some(1));
        assert!(text(&failed.stderr).contains(reason), "{}", text(&failed.stderr));
    }
    let missing = run(&["--to", "spn", "no-such-file"], "");
    assert!(text(&missing.stderr).starts_with("error: no-such-file: "));
    assert_eq!(run(&["--to", "chess"], "").status.code(), Some(2));
    assert_eq!(run(&["--to", "xml", "--rules", "chess"], "").status.code(), Some(2));
}

/// The blocks of the page: `$ ` is called, what follows is printed, stdout first. `...` stands for the rest of a line
/// or for further lines.
#[test]
fn the_conversations_of_the_page_are_true() {
    let page = std::fs::read_to_string(root().join("docs/convert.md")).unwrap().replace("\r\n", "\n");
    let mut held = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for call in block.split("$ ").skip(1) {
            let (call, written) = call.split_once('\n').unwrap();
            let arguments = call.strip_prefix("outflank-convert ").unwrap();
            let done = run(&arguments.split(' ').collect::<Vec<_>>(), "");
            let printed = text(&done.stdout) + &text(&done.stderr);
            assert!(agrees(written, &printed), "$ {call}\nwritten:\n{written}\nprinted:\n{printed}");
            held += 1;
        }
    }
    assert!(held >= 5, "{held} calls");
}

fn agrees(written: &str, printed: &str) -> bool {
    let (mut written, mut printed) = (written.lines().peekable(), printed.lines());
    while let Some(line) = written.next() {
        if line == "..." {
            let Some(next) = written.peek() else { return true };
            let wanted = next.trim_end_matches("...");
            while !printed.clone().next().is_some_and(|line| line.starts_with(wanted)) {
                if printed.next().is_none() {
                    return false;
                }
            }
            continue;
        }
        let found = printed.next();
        let fits = match line.strip_suffix("...") {
            Some(start) => found.is_some_and(|found| found.starts_with(start)),
            None => found == Some(line),
        };
        if !fits {
            return false;
        }
    }
    printed.next().is_none()
}

/// Where nobody reads, the program ends quietly; where there is no room, it says so.
#[cfg(target_os = "linux")]
#[test]
fn output_that_goes_nowhere() {
    let with = |out: Stdio| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_outflank-convert"));
        program.args(["--to", "xml", SAMPLE]).current_dir(root()).stdin(Stdio::null());
        program.stdout(out).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap()
    };
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let unread = with(writer.into());
    assert!(unread.status.success() && unread.stderr.is_empty(), "{unread:?}");
    let full = with(std::fs::File::create("/dev/full").unwrap().into());
    assert_eq!(full.status.code(), Some(1));
    assert!(
        text(&full.stderr).starts_with("error: standard output: No space left"),
        "{}",
        text(&full.stderr)
    );
}
