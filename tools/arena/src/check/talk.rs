//! One conversation of a check: what is said and heard, and when.

use super::stall::Watch;
use crate::engine::{Engine, Fault, Flaw};
use outflank_record::console::printable;
use std::fmt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Answers to one question from which on it is a flood.
const FLOOD: usize = 20_000;
/// Lines of a conversation that are kept from its start, and as many from its end.
const KEPT: usize = 40;
/// Characters of a line that are shown.
const SHOWN: usize = 160;

/// How an engine is started and how long it may take.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// What an answer that is due at once, or at the end of a given time, may come later.
    pub margin: Duration,
    /// How long any other answer may take.
    pub patience: Duration,
}

/// How a step does not pass.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Trouble {
    /// The engine breaks the protocol; what was seen of it.
    Failed(String),
    /// The step cannot be made with this engine; why.
    Skipped(String),
    /// The machine lacks something; what.
    Host(String),
}

/// Nothing, or why a step does not pass.
pub(super) type Step<T = ()> = Result<T, Trouble>;

/// A failure with its reason.
pub(super) fn fail<T>(reason: impl fmt::Display) -> Step<T> {
    Err(Trouble::Failed(reason.to_string()))
}

/// Fails with the reason unless what should hold does.
pub(super) fn ensure(holds: bool, reason: impl FnOnce() -> String) -> Step {
    if holds { Ok(()) } else { Err(Trouble::Failed(reason())) }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        match fault.flaw {
            Flaw::Host => Trouble::Host(fault.to_string()),
            Flaw::Unstartable
            | Flaw::Crashed
            | Flaw::Hung
            | Flaw::Silent
            | Flaw::Late
            | Flaw::Illegal
            | Flaw::Garbage
            | Flaw::Flooded
            | Flaw::Closed => Trouble::Failed(fault.to_string()),
        }
    }
}

/// A line that was said or heard.
#[derive(Clone, Debug)]
pub struct Note {
    /// Since the start of the conversation.
    pub at: Duration,
    /// `>` from the host, `<` from the engine.
    pub sign: char,
    /// The line, shortened, without control characters.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>9.3} {} {}", self.at.as_secs_f64(), self.sign, self.text)
    }
}

/// An answer: its line and when it came.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// The line.
    pub(super) text: String,
    /// Whether it ended in a bare LF.
    pub(super) bare: bool,
    /// When it came.
    pub(super) at: Instant,
}

impl Answer {
    /// Its first word.
    pub(super) fn word(&self) -> &str {
        self.text.split(' ').next().unwrap_or_default()
    }
}

/// A running engine and all that was said to it and by it.
#[derive(Debug)]
pub(super) struct Talk {
    engine: Engine,
    start: Instant,
    /// From the start of the conversation, then from its end.
    notes: [Vec<Note>; 2],
    left_out: usize,
    /// How busy the machine is.
    pub(super) watch: Watch,
    pub(super) margin: Duration,
    pub(super) patience: Duration,
}

impl Talk {
    /// Starts the engine.
    pub(super) fn start(terms: &Terms) -> Step<Talk> {
        let start = Instant::now();
        let engine = Engine::start(&terms.program, &terms.arguments)?;
        let (margin, patience) = (terms.margin, terms.patience);
        Ok(Talk {
            engine,
            start,
            notes: [Vec::new(), Vec::new()],
            left_out: 0,
            watch: Watch::start()?,
            margin,
            patience,
        })
    }

    fn note(&mut self, sign: char, at: Instant, text: &str) {
        let note = Note { at: at.saturating_duration_since(self.start), sign, text: shown(text) };
        let [first, last] = &mut self.notes;
        if first.len() < KEPT {
            first.push(note);
            return;
        }
        last.push(note);
        if last.len() > 2 * KEPT {
            self.left_out += last.drain(..KEPT).len();
        }
    }

    /// The conversation; the middle of a long one is left out.
    pub(super) fn notes(&self) -> Vec<Note> {
        let [first, last] = &self.notes;
        let mut notes = first.clone();
        if self.left_out > 0 {
            let text = format!("{} lines are left out", self.left_out);
            notes.extend(last.first().map(|next| Note { at: next.at, sign: '.', text }));
        }
        notes.extend_from_slice(last);
        notes
    }

    /// Says a line.
    pub(super) fn say(&mut self, line: &str) -> Step<Instant> {
        self.say_bytes(format!("{line}\n").as_bytes())
    }

    /// Says bytes; returns when.
    pub(super) fn say_bytes(&mut self, bytes: &[u8]) -> Step<Instant> {
        let now = Instant::now();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            self.note('>', now, &String::from_utf8_lossy(line));
        }
        self.engine.say_bytes(bytes.to_vec())?;
        Ok(now)
    }

    /// The next answer before `deadline`.
    pub(super) fn hear(&mut self, deadline: Instant) -> Step<Option<Answer>> {
        let Some(said) = self.engine.hear(deadline)? else { return Ok(None) };
        self.note('<', said.at, &said.text);
        Ok(Some(Answer { text: said.text.trim_end().to_owned(), bare: said.bare, at: said.at }))
    }

    /// The answers up to the one with this first word, which is the last of them.
    pub(super) fn until(&mut self, word: &str) -> Step<Vec<Answer>> {
        self.until_before(word, Instant::now() + self.patience)
    }

    /// As [`Talk::until`], with a deadline of its own.
    pub(super) fn until_before(&mut self, word: &str, deadline: Instant) -> Step<Vec<Answer>> {
        let mut answers = Vec::new();
        loop {
            let waited = deadline.saturating_duration_since(Instant::now());
            let Some(answer) = self.hear(deadline)? else {
                return fail(format!("no {word} after {} ms of waiting", waited.as_millis()));
            };
            let found = answer.word() == word;
            answers.push(answer);
            if found {
                return Ok(answers);
            }
            ensure(answers.len() < FLOOD, || format!("a flood: {FLOOD} lines and no {word}"))?;
        }
    }

    /// Says lines to an idle engine and returns their answers, by the fence of `isready`.
    pub(super) fn ask(&mut self, lines: &str) -> Step<Vec<String>> {
        for line in lines.lines() {
            self.say(line)?;
        }
        self.fence()
    }

    /// What comes up to `readyok`, without it.
    pub(super) fn fence(&mut self) -> Step<Vec<String>> {
        self.say("isready")?;
        let mut answers = self.until("readyok")?;
        answers.pop();
        Ok(answers.into_iter().map(|answer| answer.text).collect())
    }

    /// Says lines that are answered by nothing.
    pub(super) fn tell(&mut self, lines: &str) -> Step {
        match self.ask(lines)?.first() {
            None => Ok(()),
            Some(answer) => fail(format!("no answer is due here, but it says: {}", shown(answer))),
        }
    }

    /// Says a line that is answered by one `error`; returns its code.
    pub(super) fn refused(&mut self, line: &str) -> Step<String> {
        let answers = self.ask(line)?;
        one_error(&answers, line)
    }

    /// Says `question`, and what it is answered by if that is one line with this first word. Skips the step if the
    /// engine does not know the command.
    pub(super) fn question(&mut self, question: &str) -> Step<String> {
        let word = question.split(' ').next().unwrap_or_default();
        let answers = self.ask(question)?;
        match answers.as_slice() {
            [one] if first_word(one) == word => Ok(one.clone()),
            [one] if one.starts_with("error unknown") => Err(Trouble::Skipped(format!("it has no {word}"))),
            _ => fail(format!("one line {word} is due, not: {}", summary(&answers))),
        }
    }

    /// Ends the input and hears the rest; how the engine ended, `None` if it does not.
    pub(super) fn end(&mut self) -> Step<(Vec<Answer>, Option<ExitStatus>)> {
        let now = Instant::now();
        self.note('>', now, "(end of input)");
        self.engine.end_input();
        self.rest()
    }

    /// Hears all to the end of the output; how the engine ended, `None` if it does not.
    pub(super) fn rest(&mut self) -> Step<(Vec<Answer>, Option<ExitStatus>)> {
        let deadline = Instant::now() + self.patience;
        let mut answers = Vec::new();
        while let Ok(Some(answer)) = self.hear(deadline) {
            answers.push(answer);
            ensure(answers.len() < FLOOD, || format!("a flood: {FLOOD} lines and no end"))?;
        }
        let status = self.engine.ended(deadline);
        let text = status.map_or_else(|| "(it goes on)".to_owned(), |status| format!("({status})"));
        self.note('<', Instant::now(), &text);
        Ok((answers, status))
    }
}

/// The first word of a line.
pub(super) fn first_word(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

/// The code of the only answer, which has to be an error.
pub(super) fn one_error(answers: &[String], line: &str) -> Step<String> {
    match answers {
        [one] if first_word(one) == "error" => Ok(one.split(' ').nth(1).unwrap_or_default().to_owned()),
        _ => fail(format!("one error is due to \"{}\", not: {}", shown(line), summary(answers))),
    }
}

/// A few answers on one line.
pub(super) fn summary(answers: &[String]) -> String {
    match answers {
        [] => "nothing".to_owned(),
        [one] => shown(one),
        [one, .., last] => format!("{} lines, \"{}\" to \"{}\"", answers.len(), shown(one), shown(last)),
    }
}

/// A line as it can be shown: not too long, without control characters.
pub(super) fn shown(line: &str) -> String {
    let text = printable(&line.chars().take(SHOWN).collect::<String>());
    if line.chars().nth(SHOWN).is_some() { format!("{text}... ({} bytes)", line.len()) } else { text }
}
