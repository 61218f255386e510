//! An engine for tests of hosts: correct, but for one deliberate fault that its argument names.
//!
//! It is Outflank's own conversation with something in between that spoils it: `outflank-mock crash@3` is a good
//! engine to its third `go`, and then crashes. Without an argument it is correct, and `outflank-mock arena-bot ...`
//! speaks the public arena's protocol correctly.

mod fault;
mod input;
mod output;
mod say;
mod state;

use fault::Fault;
use outflank::engine::random_seed;
use outflank::protocol::{ConversationSettings, converse};
use say::{FOR_EVER, say};
use state::State;
use std::io::{self, BufReader};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::sleep;

fn main() -> ExitCode {
    // What is no text names no fault.
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if arguments.first().is_some_and(|word| word == "arena-bot") {
        return ExitCode::from(u8::from(outflank::arena_bot::run(&arguments[1..]).is_err()));
    }
    let (fault, from) = match arguments.first().map(|word| Fault::parse(word)) {
        None => (None, 1),
        Some(Some((fault, from))) => (Some(fault), from),
        Some(None) if ["help", "--help", "-h"].contains(&arguments[0].as_str()) => {
            say(&usage());
            return ExitCode::SUCCESS;
        }
        Some(None) => {
            eprintln!("{}", usage());
            return ExitCode::from(2);
        }
    };
    begin(fault);
    let state = Arc::new(State::new(fault, from));
    let input = BufReader::new(input::Filter::new(io::stdin(), Arc::clone(&state)));
    let output = output::Filter::new(io::stdout(), Arc::clone(&state));
    let seed = if state.has(Fault::FixedSeed) { 1 } else { random_seed() };
    let settings = ConversationSettings { seed, ..ConversationSettings::default() };
    if converse(Box::new(input), Box::new(output), settings).is_err() {
        return ExitCode::FAILURE;
    }
    end(fault)
}

fn usage() -> String {
    let faults: Vec<&str> = Fault::ALL.iter().map(|fault| fault.name()).collect();
    let faults = faults.join("\n    ");
    format!("usage: outflank-mock [FAULT[@N]]    the fault shows from the N-th go on; faults:\n    {faults}")
}

/// Faults that show before the first word.
fn begin(fault: Option<Fault>) {
    match fault {
        Some(Fault::Banner) => say("Mock engine, ready to play"),
        Some(Fault::Floods) => loop {
            say("info string and so on");
        },
        _ => {}
    }
}

/// Faults that show when all is said.
fn end(fault: Option<Fault>) -> ExitCode {
    match fault {
        Some(Fault::ExitsLate) => sleep(FOR_EVER),
        Some(Fault::ExitsBadly) => return ExitCode::from(3),
        _ => {}
    }
    ExitCode::SUCCESS
}
