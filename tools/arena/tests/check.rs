//! The walk through SEI 1: our own engine passes every step, and each deliberate fault of the mock engine is caught by
//! the step that is about it, for the right reason.

use outflank_arena::check::{Finding, STEPS, Terms, Trouble, check};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

const MOCK: &str = env!("CARGO_BIN_EXE_outflank-mock");

/// The mock with a fault, or a correct one; a margin under what the mock calls late, and patience for a busy machine
/// that those who answer never need.
fn mock(fault: &str) -> Terms {
    let arguments = if fault.is_empty() { Vec::new() } else { vec![fault.to_owned()] };
    let (margin, patience) = (Duration::from_millis(1500), Duration::from_secs(6));
    Terms { program: MOCK.to_owned(), arguments, margin, patience }
}

/// No machine is as busy as that.
fn unhurried(program: String) -> Terms {
    let long = Duration::from_secs(120);
    Terms { program, arguments: Vec::new(), margin: long, patience: long }
}

/// The steps up to the first that fails.
fn walk(terms: &Terms) -> Vec<Finding> {
    let mut findings = Vec::new();
    for step in &STEPS {
        findings.push(check(step, terms));
        if findings.last().is_some_and(Finding::failed) {
            break;
        }
    }
    findings
}

/// Each fault, the step that catches it, and a part of the reason.
const FAULTS: [(&str, &str, &str); 37] = [
    ("banner", "start", "before readyok it says: Mock engine"),
    ("floods", "start", "a flood"),
    ("other-protocol", "handshake", "no line protocol 1"),
    ("bad-option", "handshake", "no option is offered so"),
    ("unfenced", "start", ""),
    ("forgets-rules", "rules", "the rules have preset=1961"),
    ("bad-shares", "belief", "shares sum to a million"),
    ("crlf", "answers", "answers end in LF"),
    ("needs-lf", "text", "\\r\" is answered by: error"),
    ("dies-on-garbage", "garbage", "crashed"),
    ("silent-on-garbage", "garbage", "one error is due to \"uci\", not: nothing"),
    ("two-errors", "garbage", "one error is due to \"uci\", not: 2 lines"),
    ("dies-on-long-line", "long-lines", "crashed"),
    ("crash@2", "garbage", ""),
    ("crash@9", "limits", "crashed: exit status: 101; stderr: mock: a deliberate crash"),
    ("hang@9", "limits", "no bestmove after"),
    ("closes@9", "limits", "closed: it closed its output"),
    ("illegal@9", "limits", "is not among the legal actions"),
    ("unreadable@9", "limits", "this is no action: bestmove pass"),
    ("resigns@9", "limits", "it resigns"),
    ("no-bestmove@9", "limits", "no bestmove after"),
    ("two-bestmoves@9", "limits", "a second bestmove"),
    ("illegal@50", "game", "is not among the legal actions"),
    ("leaves-x-out@50", "game", "is not among the legal actions"),
    ("crash@50", "game", "crashed"),
    ("ignores-stop@2", "stop", "no bestmove after"),
    ("ignores-isready@2", "thinking", "no readyok after"),
    ("answers-first", "interrupts", "is answered before the bestmove"),
    ("ignores-wait", "wait", "the answers are"),
    ("exits-late", "end-of-input", "it does not end"),
    ("exits-badly", "end-of-input", "it ends with exit status: 3"),
    ("forgets-desync", "desync", "error desynced and bestmove none are due"),
    ("late", "clock", "the margin is 1500 ms"),
    ("not-deterministic", "determinism", "with equal seeds and nodes it says first"),
    ("peeks", "peeking", "told other hidden ranks, it says first"),
    ("remembers", "peeking", "after the board was revealed"),
    ("late@9", "clock", "the margin is 1500 ms"),
];

#[test]
fn each_fault_is_caught_by_the_step_that_is_about_it() {
    let left = Mutex::new(FAULTS.to_vec());
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some((fault, step, reason)) = {
            let next = left.lock().unwrap().pop();
            next
        } {
            let findings = walk(&mock(fault));
            let last = findings.last().unwrap();
            let caught = last.name == step
                && matches!(&last.outcome, Err(Trouble::Failed(found)) if found.contains(reason));
            if !caught {
                wrong.lock().unwrap().push(format!("{fault}: {} {:?}", last.name, last.outcome));
            }
        }
    };
    thread::scope(|scope| (0..6).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
