//! Conversations that must come out as written: `tests/transcripts/*.sei`, and the blocks of the manual.
//!
//! `> ` is said, `< ` is answered, and every number has to come out as written if it can: with a seed, and limits of
//! nodes or depth. What depends on time or on luck is compared only in form (see `form`). `< ...` stands for any
//! further answers. `BLESS=1 cargo test --test engine transcripts::` writes the answers of the day into
//! the files, where they are others.

use crate::comparison::{Luck, form, forms};
use crate::host::Host;
use outflank::protocol::{Code, Keyword, OptionName};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// One line said, and what is written as its answers.
struct Turn {
    said: String,
    answers: Vec<String>,
}

/// Runs one conversation; returns the answers to each line.
struct Conversation {
    host: Host,
    infinite: bool,
    luck: Luck,
}

impl Conversation {
    fn start() -> Conversation {
        Conversation { host: Host::start(), infinite: false, luck: Luck::default() }
    }

    fn answers(&mut self, said: &str) -> Vec<String> {
        self.luck.hear(said);
        match said.split_once(' ').unwrap_or((said, "")) {
            ("@long", _) => self.host.say(&"x".repeat((1 << 20) + 1)),
            ("@bytes", bytes) => {
                let bytes = bytes.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap());
                self.host.say_bytes(&bytes.collect::<Vec<u8>>());
            }
            _ => self.host.say(said),
        }
        let word = said.split_ascii_whitespace().next().unwrap_or("");
        if word == "quit" {
            return self.host.rest();
        }
        let ends = word == "stop" || Keyword::from_name(word).is_some_and(Keyword::interrupts);
        self.infinite = said.contains("infinite") || (self.infinite && !ends);
        if self.infinite {
            self.fence("isready", "readyok", word)
        } else {
            self.fence("wait\nhistory", "history", word)
        }
    }

    /// Says one more line whose answer shows that everything before it is answered.
    fn fence(&mut self, line: &str, answer: &str, word: &str) -> Vec<String> {
        self.host.say(line);
        let own = usize::from(word == "isready" && answer == "readyok") + usize::from(word == "history");
        let mut lines = Vec::new();
        for _ in 0..=own {
            lines.extend(self.host.until(answer));
        }
        lines.pop();
        lines
    }
}

fn turns(text: &str) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("> ") {
            turns.push(Turn { said: said.to_owned(), answers: Vec::new() });
        } else if let Some(answer) = line.strip_prefix("< ") {
            turns.last_mut().expect("an answer before anything was said").answers.push(answer.to_owned());
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "neither said nor answered: {line}");
        }
    }
    turns
}

/// Whether the answers are those written.
fn agrees(turn: &Turn, answers: &[String], luck: Luck) -> bool {
    if let Some((last, first)) = turn.answers.split_last().filter(|(last, _)| *last == "...") {
        assert_eq!(last, "...");
        return forms(&turn.said, answers, luck).starts_with(&forms(&turn.said, first, luck));
    }
    forms(&turn.said, &turn.answers, luck) == forms(&turn.said, answers, luck)
}

/// What the file should say: the answers of the day, cut where it cuts them.
fn blessed(turn: &Turn, answers: &[String]) -> String {
    let cut = turn.answers.last().is_some_and(|last| last == "...");
    let most = turn.answers.len().saturating_sub(1).min(answers.len());
    let kept = if cut { &answers[..most] } else { answers };
    let mut text = format!("> {}\n", turn.said);
    for line in kept {
        let _ = writeln!(text, "< {line}");
    }
    if cut {
        text.push_str("< ...\n");
    }
    text
}

/// Holds the conversation of `text`; returns it with the answers of the day, and what differs.
fn hold(text: &str) -> (String, Vec<String>) {
    let mut conversation = Conversation::start();
    let (mut today, mut faults) = (String::new(), Vec::new());
    let mut turns = turns(text).into_iter();
    for line in text.lines() {
        if line.starts_with("> ") {
            let turn = turns.next().unwrap();
            let answers = conversation.answers(&turn.said);
            conversation.luck.note(&answers);
            if agrees(&turn, &answers, conversation.luck) {
                today.push_str(&blessed(&turn, &turn.answers));
            } else {
                faults
                    .push(format!("> {}\nwritten:  {:#?}\nanswered: {answers:#?}", turn.said, turn.answers));
                today.push_str(&blessed(&turn, &answers));
            }
        } else if !line.starts_with("< ") {
            today.push_str(line);
            today.push('\n');
        }
    }
    conversation.host.close();
    let left = conversation.host.rest();
    if !left.is_empty() {
        faults.push(format!("left at the end: {left:#?}"));
    }
    (today, faults)
}

fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(name)
}

/// Checks each conversation of a file, or writes the answers of the day into it.
fn check(path: &Path, parts: &dyn Fn(&str) -> Vec<(usize, usize)>) {
    let mut text = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let mut faults = Vec::new();
    for (start, end) in parts(&text).into_iter().rev() {
        let (today, found) = hold(&text[start..end]);
        faults.extend(found);
        text.replace_range(start..end, &today);
    }
    if blessing() {
        std::fs::write(path, text).unwrap();
    } else {
        assert!(faults.is_empty(), "{}:\n{}", path.display(), faults.join("\n"));
    }
}

fn transcripts() -> Vec<PathBuf> {
    let directory = std::fs::read_dir(file("tests/transcripts")).unwrap();
    let mut paths: Vec<PathBuf> = directory.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn the_transcripts_come_out_as_written() {
    let paths = transcripts();
    assert!(!paths.is_empty());
    for path in paths {
        check(&path, &|text| vec![(0, text.len())]);
    }
}

/// The pages that tell how to use the project.
pub(crate) fn pages() -> Vec<PathBuf> {
    let inside = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let mut pages = [inside(&file("")), inside(&file("docs")), inside(&file("docs/log"))].concat();
    pages.push(file("docs/games/README.md"));
    let tools = [inside(&file("tools")), inside(&file("tools/research"))].concat();
    pages.extend(tools.into_iter().map(|tool| tool.join("README.md")));
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md") && page.is_file());
    pages.sort();
    pages
}

/// Where the blocks fenced as `sei` begin and end.
fn blocks(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("```sei\n").map(|at| from + at + "```sei\n".len()) {
        let end = text[start..].find("```").map(|at| start + at).expect("a block that does not end");
        found.push((start, end));
        from = end + 3;
    }
    found
}

#[test]
fn the_conversations_of_the_manual_are_true() {
    check(&file("protocol.md"), &|text| {
        let blocks = blocks(text);
        assert!(blocks.len() > 20, "the manual shows every command");
        blocks
    });
}

#[test]
fn the_conversations_of_the_pages_are_true() {
    for page in pages() {
        check(&page, &blocks);
    }
}

#[test]
fn numbers_that_depend_on_neither_time_nor_chance_are_compared() {
    let differ =
        |luck: Luck, said: &str, [one, other]: [&str; 2]| form(said, one, luck) != form(said, other, luck);
    let nodes = ["info depth 1 time 2 nodes 26 nps 9 pv f4f5", "info depth 1 time 2 nodes 27 nps 9 pv f4f5"];
    let times = ["info depth 1 time 2 nodes 26 nps 9 pv f4f5", "info depth 1 time 3 nodes 26 nps 8 pv f4f5"];
    let beliefs = ["belief b6 moved F 0 S 1772", "belief b6 moved F 0 S 1773"];
    let mut luck = Luck::default();
    luck.hear("go nodes 26");
    assert!(!differ(luck, "go nodes 26", nodes) && differ(luck, "belief b6", beliefs));
    luck.hear("setoption name Seed value 7");
    luck.hear("go nodes 26");
    assert!(differ(luck, "go nodes 26", nodes) && !differ(luck, "go nodes 26", times));
    luck.hear("go movetime 5");
    luck.note(&["bestmove f4f5".to_owned()]);
    assert!(!differ(luck, "go movetime 5", nodes) && !differ(luck, "belief b6", beliefs));
    luck.hear("newgame");
    assert!(differ(luck, "belief b6", beliefs));
}

/// Every command and every error code appears in some transcript; `internal` cannot be brought about from outside.
#[test]
fn the_transcripts_cover_every_command_and_every_error() {
    let text: String = transcripts().iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for keyword in Keyword::ALL {
        let name = keyword.name();
        let said = text.lines().any(|line| {
            line.strip_prefix("> ").is_some_and(|said| said.split_ascii_whitespace().next() == Some(name))
        });
        assert!(said, "no transcript says {name}");
    }
    for code in Code::ALL {
        let answer = format!("< error {} ", code.name());
        let answered = text.lines().any(|line| line.starts_with(&answer));
        assert!(answered || code == Code::Internal, "no transcript answers {answer}");
    }
}

/// The manual's tables name every error code, command and option, and no other.
#[test]
fn the_manual_names_everything_there_is() {
    let manual = std::fs::read_to_string(file("protocol.md")).unwrap();
    for code in Code::ALL {
        assert!(manual.contains(&format!("\n| `{}` |", code.name())), "error {}", code.name());
    }
    for keyword in Keyword::ALL {
        assert!(manual.contains(&format!("\n### `{}`", keyword.name())), "command {}", keyword.name());
    }
    for option in OptionName::ALL {
        assert!(manual.contains(&format!("\n| `{}` |", option.name())), "option {}", option.name());
    }
    let rows = manual.lines().skip_while(|line| !line.starts_with("## Errors")).skip(1);
    let rows = rows.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
    assert_eq!(rows.count(), Code::ALL.len(), "rows of the table of errors");
}

/// The README's first command: it must come out whole, without an error.
#[test]
fn the_first_game_is_without_fault() {
    let mut host = Host::start();
    host.say_bytes(&std::fs::read(file("docs/first-game.sei")).unwrap());
    host.close();
    let lines = host.rest();
    let count = |word: &str| lines.iter().filter(|line| line.split(' ').next() == Some(word)).count();
    assert_eq!((count("error"), count("warning")), (0, 0), "{lines:#?}");
    assert_eq!((count("bestsetup"), count("bestmove"), count("spn")), (1, 1, 3));
    assert!(lines.last().unwrap().starts_with("info string belief of blue hidden "), "{lines:#?}");
    assert!(host.end().success());
}
