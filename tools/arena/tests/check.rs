//! The walk through SEI 1: our own engine passes every step, and each deliberate fault of the mock engine is caught by
//! the step that is about it, for the right reason.

use crate::common::{MOCK, engine};
use outflank_arena::check::{Finding, STEPS, Terms, Trouble, check};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

/// The mock with a fault, or a correct one; a margin under what the mock calls late, and patience for a busy machine
/// that those who answer never need.
fn mock(fault: &str) -> Terms {
    let arguments = if fault.is_empty() { Vec::new() } else { vec![fault.to_owned()] };
    let (margin, patience) = (Duration::from_millis(1500), Duration::from_secs(6));
    Terms { program: (*MOCK).to_owned(), arguments, margin, patience }
}

/// No machine is as busy as that.
fn unhurried(program: String) -> Terms {
    let long = Duration::from_secs(120);
    Terms { program, arguments: Vec::new(), margin: long, patience: long }
}

/// Each fault, the step that catches it, and a part of the reason.
const FAULTS: [(&str, &str, &str); 45] = [
    ("banner", "start", "before readyok it says: Mock engine"),
    ("floods", "start", "a flood"),
    ("other-protocol", "handshake", "no line protocol 1"),
    ("bad-option", "handshake", "no option is offered so"),
    ("unfenced", "fence", "readyok readyok"),
    ("takes-any-value", "options", "one error is due"),
    ("forgets-rules", "rules", "the rules have preset=1961"),
    ("short-legal", "setups", "are missing"),
    ("forgets-moves", "positions", "history a4a5 j9j8 is due"),
    ("wrong-undo", "undo", "undo 3 ply 0 turn red"),
    ("bad-shares", "belief", "shares sum to a million"),
    ("crlf", "answers", "answers end in LF"),
    ("crash@2", "answers", "crashed: exit status: 101; stderr: mock: a deliberate crash"),
    ("needs-lf", "text", "\\r\" is answered by: error"),
    ("dies-on-garbage", "garbage", "crashed"),
    ("silent-on-garbage", "garbage", "one error is due to \"uci\", not: nothing"),
    ("two-errors", "garbage", "one error is due to \"uci\", not: 2 lines"),
    ("forgets-game", "garbage", "changed its state"),
    ("dies-on-long-line", "long-lines", "crashed"),
    ("crash@9", "limits", "crashed"),
    ("hang@9", "limits", "no bestmove after"),
    ("closes@9", "limits", "closed: it closed its output"),
    ("illegal@9", "limits", "is not among the legal actions"),
    ("unreadable@9", "limits", "this is no action: pass"),
    ("resigns@9", "limits", "it resigns"),
    ("no-bestmove@9", "limits", "no bestmove after"),
    ("two-bestmoves@9", "limits", "a second bestmove"),
    ("wrong-code", "refusals", "error not-our-turn and bestmove none are due"),
    ("same-setup", "go-setup", "the same army twice running"),
    ("ignores-stop", "stop", "no bestmove after"),
    ("ignores-isready", "thinking", "no readyok after"),
    ("answers-first", "interrupts", "is answered before the bestmove"),
    ("ignores-wait", "wait", "the answers are"),
    ("exits-late", "end-of-input", "it does not end"),
    ("exits-badly", "end-of-input", "it ends with exit status: 3"),
    ("quits-at-once", "quit", "one bestmove is due at the end, not 0 answers"),
    ("forgets-desync", "desync", "error desynced and bestmove none are due"),
    ("illegal@50", "game", "is not among the legal actions"),
    ("leaves-x-out@20", "game", "is not among the legal actions"),
    ("crash@50", "game", "crashed"),
    ("late", "clock", "the margin is 1500 ms"),
    ("late@9", "clock", "the margin is 1500 ms"),
    ("not-deterministic", "determinism", "with equal seeds and nodes it says first"),
    ("peeks", "peeking", "told other hidden ranks, it says first"),
    ("remembers", "peeking", "after the board was revealed"),
];

#[test]
fn no_step_is_without_a_fault() {
    for step in &STEPS {
        assert!(FAULTS.iter().any(|(_, caught_by, _)| *caught_by == step.name), "{}", step.name);
    }
}

#[test]
fn each_fault_is_caught_by_the_step_that_is_about_it() {
    let left = Mutex::new(FAULTS.to_vec());
    let wrong = Mutex::new(Vec::new());
    let next = || left.lock().unwrap().pop();
    let work = || {
        while let Some((fault, step, reason)) = next() {
            let about = STEPS.iter().find(|known| known.name == step).unwrap();
            let finding = check(about, &mock(fault));
            let caught = matches!(&finding.outcome, Err(Trouble::Failed(found)) if found.contains(reason));
            if !caught {
                wrong.lock().unwrap().push(format!("{fault}: {step} {:?}", finding.outcome));
            }
        }
    };
    thread::scope(|scope| (0..6).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_tells_of_every_step() {
    let page = include_str!("../../../docs/check.md");
    let names: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(names, STEPS.iter().map(|step| step.name).collect::<Vec<_>>());
}

/// Passed or skipped, with the reason for the latter.
fn outcomes(terms: &Terms) -> Vec<(&'static str, Option<String>)> {
    let skipped = |finding: Finding| match finding.outcome {
        Ok(_) => (finding.name, None),
        Err(Trouble::Skipped(reason)) => (finding.name, Some(reason)),
        Err(Trouble::Failed(reason) | Trouble::Host(reason)) => {
            panic!("{}: {reason}\n{:#?}", finding.name, finding.talk)
        }
    };
    STEPS.iter().map(|step| skipped(check(step, terms))).collect()
}

#[test]
fn a_correct_engine_passes_every_step() {
    let found = outcomes(&unhurried((*MOCK).to_owned()));
    assert_eq!(found, STEPS.iter().map(|step| (step.name, None)).collect::<Vec<_>>());
}

#[test]
fn our_own_program_passes_every_step() {
    let found = outcomes(&unhurried(engine()));
    assert_eq!(found, STEPS.iter().map(|step| (step.name, None)).collect::<Vec<_>>());
}

#[test]
fn blanks_behind_answers_are_tolerated() {
    assert!(outcomes(&mock("trailing-blanks")).iter().all(|(_, skipped)| skipped.is_none()));
}

#[test]
fn an_engine_without_a_seed_is_not_asked_for_equal_answers() {
    let found = outcomes(&mock("fixed-seed"));
    let skipped: Vec<&str> =
        found.iter().filter(|(_, reason)| reason.is_some()).map(|(name, _)| *name).collect();
    assert_eq!(skipped, ["determinism", "peeking"]);
}

fn arena(arguments: &[&str]) -> (Output, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_outflank-arena")).arg("check").args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

const QUICK: [&str; 4] = ["--margin", "60000", "--patience", "60"];

#[test]
fn the_program_prints_a_line_a_step_and_the_talk_of_a_failure() {
    let chosen = [QUICK.as_slice(), &["--only", "fence,start,garbage", *MOCK]].concat();
    let (output, text) = arena(&chosen);
    assert!(output.status.success(), "{text}");
    let words: Vec<&str> = text.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(words, ["start", "fence", "garbage", "3"]);
    assert!(text.ends_with("3 passed, 0 failed, 0 skipped\n"), "{text}");

    let spoilt = [chosen.as_slice(), &["two-errors"]].concat();
    let (output, text) = arena(&spoilt);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("\ngarbage        failed  one error is due to \"uci\""), "{text}");
    assert!(text.contains(" > uci\n") && text.contains(" < error unknown "), "{text}");
    let shown = text.lines().position(|line| line.starts_with(' ')).unwrap();
    assert!(text.lines().nth(shown - 1).unwrap().starts_with("garbage "), "only what fails is shown: {text}");
}

#[test]
fn it_stops_at_the_first_failure_unless_asked_to_continue() {
    let mut words = [QUICK.as_slice(), &["--only", "handshake,options,start", *MOCK, "bad-option"]].concat();
    let (output, text) = arena(&words);
    assert!(!output.status.success() && text.ends_with("\n1 passed, 1 failed, 0 skipped\n"), "{text}");
    words.insert(0, "--all");
    let (output, text) = arena(&words);
    assert!(!output.status.success() && text.ends_with("\n2 passed, 1 failed, 0 skipped\n"), "{text}");
}

#[test]
fn what_cannot_be_checked_is_said() {
    let (output, text) = arena(&["--only", "start", "./no-such-engine"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.starts_with("start          failed  unstartable"), "{text}");
    let (output, _) = arena(&["--only", "no-such-step", *MOCK]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no step is called \"no-such-step\""));
    let (output, text) = arena(&["--list"]);
    assert!(output.status.success());
    assert_eq!(text.lines().count(), STEPS.len());
}
