//! The examples of the documentation work as printed.
//!
//! An indented block is run by a shell, with the programs of this build, in a folder of its own where the files that it
//! names stand ready. `SHORTER` is what is changed so that this is quick. A block fenced as `console` has commands and
//! what they print. Blocks fenced as `sei` are held by `transcripts`. Everything else is in `ELSEWHERE` or `NOT_RUN`. A
//! fence without a language shows what is printed, and is no example.
//!
//! The pages of single games in `docs/games` quote a version of the past, as its README says.

use crate::transcripts::pages;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Examples that another test runs: the page, how the example begins, the test.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("docs/convert.md", "```console", "tools/convert/tests/program.rs"),
    ("docs/play.md", "```play", "tools/play/tests/transcripts.rs"),
    ("tools/client/README.md", "```python", "tools/client/tests/test_docs.py"),
    ("tools/research/gym/README.md", "```python", "tools/research/gym/python/tests/test_gym.py"),
];

/// Examples that no test runs: the page, how the example begins, why.
const NOT_RUN: &[(&str, &str, &str)] = &[
    ("README.md", "cargo test", "runs this test; .ci/run runs it as printed"),
    ("docs/check.md", "./outflank-arena check [--all]", "says what can be given; the next block is run"),
    ("docs/how-to.md", "/// Points for each free square", "lines of Rust"),
    ("docs/how-to.md", "let us = root.us;", "lines of Rust"),
    ("docs/how-to.md", "cargo build --release --features tune", "needs a build for tuning"),
    ("docs/measuring.md", "outflank-arena match --games 400", "needs a build for tuning"),
    ("docs/measuring.md", "./outflank-arena luck", "needs games whose player reported its scores"),
    ("docs/learning.md", "RUSTFLAGS=", "learns for ever; tools/research/learn/tests learns a little"),
    (
        "docs/learning.md",
        "target/release/outflank-learn train",
        "the same; tools/research/learn/tests is judged and drawn",
    ),
    (
        "docs/learning.md",
        "target/release/outflank-arena match --games 1000",
        "takes half an hour; tools/research/learn/tests learns from examples",
    ),
    (
        "docs/learning.md",
        "target/release/outflank-prior setups",
        "takes hours; tools/research/prior/tests plays rounds",
    ),
    ("docs/pages.md", "OUTFLANK_AXE=", "needs axe-core, which is no part of the project"),
    ("docs/proof.md", "cargo install cargo-fuzz", "needs a nightly compiler, and hours"),
    ("tools/client/README.md", "pip install ./tools/client", ".ci/run runs it as printed"),
    ("tools/client/README.md", "python -m pytest", ".ci/run runs it, with other tests"),
    (
        "tools/research/gym/README.md",
        "cd tools/research/gym/python && maturin",
        "needs a virtual environment; .ci/run makes a wheel of it",
    ),
    ("tools/research/gym/README.md", "Environment(games, seed=0", "a signature"),
];

/// What is changed to make examples short, or independent of what is not here.
const SHORTER: &[(&str, &str)] = &[
    (
        "cargo run --release -p outflank-board -- --listen 0.0.0.0",
        "timeout 3 outflank-board --port 0 --listen 127.0.0.1 || test $? = 124",
    ),
    ("cargo run --release -p outflank-board", "timeout 3 outflank-board --port 0 || test $? = 124"),
    // Three processes stand in for three machines.
    ("ssh -n \"host$i\" ", "eval "),
    ("scp -q \"host$i:$i.jsonl\" .", "test -s $i.jsonl"),
    ("--games 400 --seed 7", "--games 6 --max-plies 60 --seed 7"),
    ("match --games 20", "match --games 4 --max-plies 60"),
    ("gauntlet --out", "gauntlet --games 2 --max-plies 20 --out"),
    ("gauntlet --rules evaluator", "gauntlet --games 2 --max-plies 20 --rules evaluator"),
    ("panel ../../tools/arena/panel.toml", "panel panel.toml --only chaser --share 0.01"),
    ("panel ../../tools/arena/panel-100ms.toml", "panel panel-100ms.toml --only chaser --share 0.02"),
    // Game 3 is a long one.
    ("--game 3", "--game 2"),
    ("nodes=2000", "nodes=20"),
    ("nodes=1000", "nodes=10"),
    ("movetime=100", "movetime=5"),
    ("cmd=./demonofignorance", "cmd=./outflank args=arena-bot"),
    ("/path/to/outflank", "outflank"),
];

/// What examples find in their folder, unless they make it themselves.
const FILES: &[(&str, &str)] = &[
    ("match.jsonl", "docs/games/games.jsonl"),
    ("games.jsonl", "docs/games/games.jsonl"),
    ("more.jsonl", "docs/games/games.jsonl"),
    ("panel.toml", "tools/arena/panel.toml"),
    ("panel-100ms.toml", "tools/arena/panel-100ms.toml"),
    ("classic-1.xml", "tools/convert/tests/data/sample.xml"),
];

/// A game whose record has more bytes is left out: one of 2,000 plies takes as long as ten others.
const LONG_GAME: usize = 6000;

/// The programs are built: what cargo is asked to run, runs.
const CARGO: &str = r#"#!/bin/sh
program=outflank
case $1 in
    build) exit ;;
    run) shift ;;
    *) echo "cargo $1: the test knows no such command" >&2; exit 1 ;;
esac
while [ $# -gt 0 ]; do
    case $1 in
        --release) shift ;;
        -p) program=$2; shift 2 ;;
        --) shift; break ;;
        *) echo "cargo run $1: the test knows no such option" >&2; exit 1 ;;
    esac
done
exec "$program" "$@"
"#;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A block of a page.
#[derive(Debug)]
struct Example {
    page: String,
    line: usize,
    /// `None` if it is indented, or the language of the fence.
    language: Option<String>,
    text: String,
}

impl Example {
    /// Whether an entry of a list is about it.
    fn is(&self, page: &str, start: &str) -> bool {
        let begins = match (&self.language, start.strip_prefix("```")) {
            (Some(own), Some(language)) => own == language,
            (None, None) => self.text.starts_with(start),
            _ => false,
        };
        begins && self.page == page
    }

    fn is_listed(&self) -> bool {
        let conversation = self.language.as_deref() == Some("sei");
        conversation || ELSEWHERE.iter().chain(NOT_RUN).any(|(page, start, _)| self.is(page, start))
    }

    fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }
}

/// The blocks of a page.
fn blocks(page: &str, text: &str) -> Vec<Example> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    let mut blank = true;
    while let Some((number, line)) = lines.next() {
        let (mut block, language) = if let Some(language) = line.strip_prefix("```") {
            (String::new(), Some(language.to_owned()))
        } else if let Some(code) = line.strip_prefix("    ").filter(|_| blank) {
            (format!("{code}\n"), None)
        } else {
            blank = line.is_empty();
            continue;
        };
        while let Some((_, next)) =
            lines.next_if(|(_, next)| language.is_some() || next.is_empty() || next.starts_with("    "))
        {
            if language.is_some() && next == "```" {
                break;
            }
            block += if language.is_none() { next.strip_prefix("    ").unwrap_or_default() } else { next };
            block.push('\n');
        }
        // A block takes the blank line behind it.
        blank = true;
        found.push(Example { page: page.to_owned(), line: number + 1, language, text: block });
    }
    // What is printed is no example.
    found.retain(|example| example.language.as_deref() != Some(""));
    found
}

fn examples() -> Vec<Example> {
    let of = |page: PathBuf| {
        let text = fs::read_to_string(&page).unwrap().replace("\r\n", "\n");
        blocks(page.strip_prefix(root()).unwrap().to_str().unwrap(), &text)
    };
    pages().into_iter().flat_map(of).collect()
}

/// What shows that an example needs a program of `tools/research`.
const RESEARCH: &[&str] = &["outflank-analyse", "outflank-learn", "outflank-prior", "gauntlet", "panel"];

/// All programs as they are now, those of `tools/research` if they are needed; cargo names them, and makes them if nobody
/// has. With the features of tests, as in `host`.
fn programs(research: bool) -> Vec<PathBuf> {
    let words = ["build", "--quiet", "--bins", "--example", "belief", "--message-format", "json"];
    let made = Command::new(env!("CARGO"))
        .args(words)
        .args(research.then_some("--workspace"))
        .current_dir(root())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let messages = String::from_utf8(made.stdout).unwrap();
    let program = |line: &str| Some(line.split_once("\"executable\":\"")?.1.split_once('"')?.0.into());
    messages.lines().filter_map(program).collect()
}

/// A folder in which examples run.
struct Place {
    folder: PathBuf,
    programs: PathBuf,
}

impl Place {
    /// A place with the programs in it.
    fn new(research: bool) -> Place {
        let name = format!("outflank-examples-{}-{research}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        let place = Place { programs: folder.join("programs"), folder };
        fs::create_dir_all(&place.programs).unwrap();
        for program in programs(research) {
            symlink(&program, place.programs.join(program.file_name().unwrap())).unwrap();
        }
        let cargo = place.programs.join("cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        place
    }

    /// A folder as the example expects it.
    fn prepare(&self, example: &Example) -> PathBuf {
        let here = self.folder.join(example.place().replace(['/', ':'], "-"));
        fs::create_dir_all(here.join("target/release")).unwrap();
        for program in fs::read_dir(&self.programs).unwrap().map(Result::unwrap) {
            symlink(program.path(), here.join("target/release").join(program.file_name())).unwrap();
        }
        for folder in ["docs", "tools"] {
            symlink(root().join(folder), here.join(folder)).unwrap();
        }
        for (name, program) in
            [("outflank", "outflank"), ("older", "outflank"), ("outflank-arena", "outflank-arena")]
        {
            symlink(self.programs.join(program), here.join(name)).unwrap();
        }
        for (name, from) in FILES {
            let makes = [format!("--out {name}"), format!("> {name}")];
            if !makes.iter().any(|made| example.text.contains(made)) {
                let text = fs::read_to_string(root().join(from)).unwrap();
                let records = Path::new(from).extension().is_some_and(|kind| kind == "jsonl");
                let fits = |line: &&str| !records || line.len() <= LONG_GAME;
                let kept: String = text.split_inclusive('\n').filter(fits).collect();
                fs::write(here.join(name), kept).unwrap();
            }
        }
        here
    }

    /// What a shell makes of it.
    fn run(&self, here: &Path, script: &str) -> Output {
        let path = format!("{}:{}", self.programs.display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("timeout");
        shell.args(["300", "sh", "-ec", script]).current_dir(here).env("PATH", path).stdin(Stdio::null());
        shell.output().unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn shortened(text: &str) -> String {
    SHORTER.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// What is wrong with an example when it is run.
fn fault(place: &Place, example: &Example) -> Option<String> {
    let here = place.prepare(example);
    if example.language.as_deref() == Some("console") {
        return console_fault(place, &here, &example.text);
    }
    if let Some(language) = &example.language {
        return Some(format!("nobody runs what is fenced as {language}"));
    }
    let done = place.run(&here, &shortened(&example.text));
    let answers = String::from_utf8_lossy(&done.stdout);
    let wrong = !done.status.success() || answers.lines().any(|line| line.starts_with("error "));
    wrong.then(|| format!("{done:?}"))
}

/// Each command prints what is written behind it, but for figures.
fn console_fault(place: &Place, here: &Path, text: &str) -> Option<String> {
    let unfigured = |text: &str| -> String {
        let letters = text.chars().filter(|letter| !letter.is_ascii_digit());
        letters.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    text.split("$ ").skip(1).find_map(|call| {
        let (command, written) = call.split_once('\n').unwrap();
        let done = place.run(here, command);
        let printed = String::from_utf8_lossy(&done.stdout);
        (unfigured(&printed) != unfigured(written)).then(|| format!("{command}: {done:?}"))
    })
}

/// Runs the examples that need, or do not need, a program of `tools/research`; how many there were.
fn run_examples(research: bool) -> usize {
    let place = Place::new(research);
    let mut run = 0;
    let mut faults = Vec::new();
    let needs = |example: &Example| RESEARCH.iter().any(|word| example.text.contains(word));
    let examples = examples();
    let ours = examples.iter().filter(|example| !example.is_listed() && needs(example) == research);
    for example in ours {
        if let Some(fault) = fault(&place, example) {
            faults.push(format!("{}\n{}{fault}", example.place(), example.text));
        }
        run += 1;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    run
}

#[test]
fn every_example_runs_as_printed_or_is_listed() {
    let run = run_examples(false);
    assert!(run >= 12, "{run} examples");
}

/// With the programs of `tools/research`, which have to be built for it.
#[test]
#[ignore = "builds all of the workspace"]
fn soak_every_example_of_research_runs_as_printed_or_is_listed() {
    let run = run_examples(true);
    assert!(run >= 5, "{run} examples");
}

#[test]
fn every_entry_of_the_lists_is_about_an_example() {
    let examples = examples();
    for (page, start, why) in ELSEWHERE.iter().chain(NOT_RUN) {
        assert!(examples.iter().any(|example| example.is(page, start)), "{page}: {start} ({why})");
    }
    for (from, _) in SHORTER {
        let found = examples.iter().any(|example| !example.is_listed() && example.text.contains(from));
        assert!(found, "no example is shortened by {from}");
    }
}

/// The tests that are said to run examples read the page.
#[test]
fn the_tests_elsewhere_read_the_pages() {
    for (page, _, test) in ELSEWHERE {
        let text = fs::read_to_string(root().join(test)).unwrap();
        let name = page.rsplit('/').next().unwrap();
        assert!(text.contains(name), "{test} does not name {page}");
    }
}

#[test]
fn blocks_are_found() {
    let page = "text\n\n    one\n    two\n\n    three\n\ntext\n    no block\n\n```sh\nfour\n\n    five\n```\n```\nprinted\n```\n";
    let found = blocks("page", page);
    let texts: Vec<(usize, &str)> =
        found.iter().map(|example| (example.line, example.text.as_str())).collect();
    assert_eq!(texts, [(3, "one\ntwo\n\nthree\n\n"), (11, "four\n\n    five\n")]);
    assert!(found[1].is("page", "```sh") && !found[1].is("page", "four") && found[0].is("page", "one"));
}
