//! Armies and questions that several steps share.

use super::plain;
use super::talk::{Answer, Step, Talk, Trouble, ensure, fail, first_word, shown, summary};
use outflank::rules::{Action, Played};

/// A whole Red army.
pub(super) const RED: &str = "FB3B24845223286562B2B7B432SB53669M534772";
/// A whole Blue army, as Blue sees it.
pub(super) const BLUE: &str = "329F5B4234B83B272B6BM856273B2267643S4255";

/// The first army known, the other hidden.
pub(super) fn begin(talk: &mut Talk) -> Step {
    talk.tell(&format!("newgame\nsetup red {RED}\nsetup blue ?"))
}

/// What a `go` ended with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Best {
    /// An action, and how it was written.
    Action(Action, String),
    /// It gives up.
    Resign,
    /// There is no action.
    None,
}

/// Reads the last of the answers, a `bestmove`.
pub(super) fn best(answers: &[Answer]) -> Step<Best> {
    let text = answers.last().map_or("", |answer| answer.text.as_str());
    match text.split(' ').collect::<Vec<_>>().as_slice() {
        ["bestmove", "none"] => Ok(Best::None),
        ["bestmove", "resign"] => Ok(Best::Resign),
        ["bestmove", text] => match text.parse::<Played>() {
            Ok(Played { action, verdict: None }) => Ok(Best::Action(action, (*text).to_owned())),
            _ => fail(format!("this is no action: {}", shown(text))),
        },
        _ => fail(format!("a bestmove has one word: {}", shown(text))),
    }
}

/// Says a `go`, hears the reports and its one `bestmove`, and that nothing follows.
pub(super) fn go(talk: &mut Talk, line: &str) -> Step<Vec<Answer>> {
    talk.say(line)?;
    let answers = talk.until("bestmove")?;
    nothing_more(talk)?;
    Ok(answers)
}

/// Fails if anything is said before the next fence.
pub(super) fn nothing_more(talk: &mut Talk) -> Step {
    match talk.fence()?.first() {
        None => Ok(()),
        Some(line) if first_word(line) == "bestmove" => fail("a second bestmove"),
        Some(line) => fail(format!("after the bestmove it says: {}", shown(line))),
    }
}

/// Fails unless the answers end in one of these actions, written as here, and no error came.
pub(super) fn one_of(answers: &[Answer], legal: &[String]) -> Step<Action> {
    if let Some(error) = answers.iter().find(|answer| answer.word() == "error") {
        return fail(format!("no error is due: {}", shown(&error.text)));
    }
    for answer in answers {
        plain::line(&answer.text)?;
    }
    match best(answers)? {
        Best::Action(action, text) => {
            ensure(legal.contains(&text), || {
                format!("{text} is not among the legal actions {}", legal.join(" "))
            })?;
            Ok(action)
        }
        Best::Resign => fail("it resigns, though that was not allowed"),
        Best::None => fail(format!("bestmove none, and there are legal actions: {}", legal.join(" "))),
    }
}

/// What a refused `go` is answered by: an error with this code, then `bestmove none`.
pub(super) fn refused_go(talk: &mut Talk, line: &str, code: &str) -> Step {
    let answers: Vec<String> = go(talk, line)?.into_iter().map(|answer| answer.text).collect();
    match answers.as_slice() {
        [error, best] if best == "bestmove none" && error.starts_with(&format!("error {code} ")) => Ok(()),
        _ => {
            fail(format!("\"{line}\": error {code} and bestmove none are due, not: {}", answers.join(" | ")))
        }
    }
}

/// What must not change when a line is refused: the plies, the legal actions (or that there are none to tell), the
/// rules, the status.
pub(super) fn state(talk: &mut Talk) -> Step<Vec<String>> {
    let answers = talk.ask("history\nlegal\nrules\nstatus")?;
    let words: Vec<&str> = answers.iter().map(|line| first_word(line)).collect();
    let whole = matches!(words.as_slice(), ["history", "legal" | "error", "rules", "status"]);
    ensure(whole, || {
        format!("history, legal, rules and status are one line each, not: {}", summary(&answers))
    })?;
    Ok(answers)
}

/// Fails if the state is another than before.
pub(super) fn kept(talk: &mut Talk, before: &[String], after: &str) -> Step {
    let now = state(talk)?;
    match before.iter().zip(&now).find(|(old, new)| old != new) {
        None => Ok(()),
        Some((old, new)) => {
            fail(format!("{} changed its state: {} was {}", shown(after), shown(new), shown(old)))
        }
    }
}

/// The names of the options it offers, in lower case.
pub(super) fn offers(talk: &mut Talk) -> Step<Vec<String>> {
    talk.say("sei")?;
    let answers = talk.until("seiok")?;
    let name = |answer: &Answer| {
        let rest = answer.text.strip_prefix("option name ")?;
        rest.split(' ').next().map(str::to_ascii_lowercase)
    };
    Ok(answers.iter().filter_map(name).collect())
}

/// Sets the seed and one thread, where there are such options. Skips the step where there is no seed.
pub(super) fn seed(talk: &mut Talk, seed: u64) -> Step {
    let offers = offers(talk)?;
    let has = |name: &str| offers.iter().any(|offer| offer == name);
    if !has("seed") {
        return Err(Trouble::Skipped("it has no option Seed".to_owned()));
    }
    if has("threads") {
        talk.tell("setoption name Threads value 1")?;
    }
    talk.tell(&format!("setoption name Seed value {seed}"))
}
