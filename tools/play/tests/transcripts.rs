//! Conversations that must come out as written: `tests/transcripts/*.txt`.
//!
//! `$ ` is the command line, `> ` is typed, `< ` is answered. `< ...` stands for any further lines, and `*` at the end
//! of a line for the rest of it: no choice of the engine's is pinned. In the command line `_` is a blank, and `DATA` the
//! folder `tests/data`.

use outflank_play::command::WORDS;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Transcript {
    arguments: Vec<String>,
    typed: String,
    answers: Vec<String>,
}

fn read(text: &str) -> Transcript {
    let mut transcript = Transcript { arguments: Vec::new(), typed: String::new(), answers: Vec::new() };
    for line in text.lines() {
        match line.split_at_checked(2).unwrap_or((line, "")) {
            ("$ ", arguments) => {
                let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
                let word = |word: &str| word.replace('_', " ").replace("DATA", data);
                transcript.arguments = arguments.split(' ').map(word).collect();
            }
            ("> " | ">", typed) => transcript.typed.extend([typed, "\n"]),
            ("< ", answer) => transcript.answers.push(answer.to_owned()),
            ("" | "# ", _) => {}
            _ => panic!("{line}"),
        }
    }
    transcript
}

/// A folder of the test's own, where the program runs.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("outflank-play-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What the program prints when this is typed.
fn printed(arguments: &[String], typed: &str, folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-play"));
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The answer that is missing in `lines`, if one is; and the line where another was expected.
fn mismatch<'a>(answers: &'a [String], lines: &[&str]) -> Option<(&'a str, String)> {
    let mut rest = lines.iter();
    let mut skips = false;
    for answer in answers {
        if answer == "..." {
            skips = true;
            continue;
        }
        let matches = |line: &str| match answer.strip_suffix('*') {
            Some(start) => line.starts_with(start),
            None => line.trim_end() == answer,
        };
        let found =
            if skips { rest.find(|line| matches(line)) } else { rest.next().filter(|line| matches(line)) };
        if found.is_none() {
            return Some((answer, rest.as_slice().join("\n")));
        }
        skips = false;
    }
    (!skips && rest.next().is_some()).then(|| ("the end", rest.as_slice().join("\n")))
}

#[test]
fn conversations_come_out_as_written() {
    let mut count = 0;
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let transcript = read(&fs::read_to_string(&path).unwrap());
        let folder = folder(name);
        let output = printed(&transcript.arguments, &transcript.typed, &folder);
        fs::remove_dir_all(&folder).unwrap();
        assert!(!output.contains('\x1b'), "{name}: colours in a pipe");
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(mismatch(&transcript.answers, &lines), None, "{name}:\n{output}");
        count += 1;
    }
    assert!(count >= 3, "{count}");
}

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/play.md")).unwrap()
}

/// Its conversation goes on from the saved game, whose beginning is not shown.
#[test]
fn the_conversation_of_the_page_is_true() {
    let page = page();
    let (_, block) = page.split_once("```play\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let mut transcript = read(&format!("$ --load DATA/begun.jsonl\n< ...\n{block}"));
    transcript.typed += "quit\n";
    transcript.answers.push("The game is saved: *".to_owned());
    let output = printed(&transcript.arguments, &transcript.typed, &folder("page"));
    assert_eq!(mismatch(&transcript.answers, &output.lines().collect::<Vec<_>>()), None, "{output}");
}

#[test]
fn the_page_names_every_command() {
    let page = page();
    let missing: Vec<&str> = WORDS.into_iter().filter(|word| !page.contains(&format!("`{word}"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The commands of the page that start the program, as a shell runs them.
#[cfg(unix)]
#[test]
fn the_commands_of_the_page_run() {
    let page = page().replace("\\\n", " ");
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let commands: Vec<&str> = commands.into_iter().filter(|command| !command.starts_with("cargo ")).collect();
    let own = Path::new(env!("CARGO_BIN_EXE_outflank-play")).parent().unwrap();
    let path = format!("{}:{}", own.display(), std::env::var("PATH").unwrap_or_default());
    for command in &commands {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).env("PATH", &path).current_dir(folder("commands")).stdin(Stdio::null());
        let output = shell.output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{command}: {output:?}");
        assert!(String::from_utf8(output.stdout).unwrap().contains("you play red"), "{command}");
    }
    assert_eq!(commands.len(), 2, "{commands:?}");
}

#[test]
fn a_wrong_answer_is_found() {
    let answers = ["one", "...", "three*", "four"].map(str::to_owned);
    assert_eq!(mismatch(&answers, &["one", "x", "three and", "four"]), None);
    for lines in [
        &["one", "three", "five"][..],
        &["one", "three"],
        &["two", "three", "four"],
        &["one", "three", "four", "five"],
    ] {
        assert!(mismatch(&answers, lines).is_some(), "{lines:?}");
    }
}
