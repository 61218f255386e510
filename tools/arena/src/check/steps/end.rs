//! Ends: of the input, and by `quit`.

use super::super::game::{BLUE, RED};
use super::super::game::{begin, one_of};
use super::super::host::Host;
use super::super::talk::{Answer, Step, ensure, fail, shown};
use super::super::truth::Truth;
use super::think;
use std::process::ExitStatus;

type End = (Vec<Answer>, Option<ExitStatus>);

pub(super) fn input(host: &mut Host) -> Step<String> {
    let (answers, status) = host.fresh()?.end()?;
    ended_well(status)?;
    silent(&answers)?;
    for go in ["go nodes 2000", "go movetime 200", "go infinite"] {
        let talk = host.fresh()?;
        begin(talk)?;
        talk.say(go)?;
        one_answer(&talk.end()?)?;
    }
    let talk = host.fresh()?;
    begin(talk)?;
    for line in ["go infinite", "wait", "history"] {
        talk.say(line)?;
    }
    let (mut answers, status) = talk.end()?;
    ended_well(status)?;
    let last = answers.pop().map(|answer| answer.text).unwrap_or_default();
    ensure(last == "history", || {
        format!("a line held by wait is answered at the end, not: {}", shown(&last))
    })?;
    one_answer(&(answers, status))?;
    Ok(String::new())
}

pub(super) fn quit(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    talk.say("quit")?;
    let (answers, status) = talk.rest()?;
    ended_well(status)?;
    silent(&answers)?;
    for held in ["quit", "wait\nhistory\nquit"] {
        let talk = host.fresh()?;
        begin(talk)?;
        talk.say("go infinite")?;
        think::think(talk)?;
        talk.say(held)?;
        one_answer(&talk.rest()?)?;
    }
    Ok(String::new())
}

fn ended_well(status: Option<ExitStatus>) -> Step {
    match status {
        Some(status) if status.success() => Ok(()),
        Some(status) => fail(format!("it ends with {status}, not 0")),
        None => fail("it does not end"),
    }
}

fn silent(answers: &[Answer]) -> Step {
    answers
        .first()
        .map_or(Ok(()), |answer| fail(format!("nobody asked, and it says: {}", shown(&answer.text))))
}

/// Reports, one bestmove, nothing else, and an end.
fn one_answer((answers, status): &End) -> Step {
    ended_well(*status)?;
    let other = answers.iter().filter(|answer| answer.word() != "info").count();
    ensure(other == 1, || format!("one bestmove is due at the end, not {other} answers"))?;
    one_of(answers, &Truth::of(RED, BLUE)?.legal()).map(drop)
}
