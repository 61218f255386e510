//! The first words: starting, the handshake, options, the fence, and the form of answers.

use super::super::game::{RED, begin};
use super::super::host::Host;
use super::super::plain;
use super::super::talk::{Step, ensure, fail, first_word, one_error, shown, summary};

pub(super) fn start(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    let said = talk.say("isready")?;
    let answers = talk.until("readyok")?;
    ensure(answers.len() == 1, || format!("before readyok it says: {}", shown(&answers[0].text)))?;
    let took = answers[0].at.saturating_duration_since(said);
    Ok(format!("ready after {} ms", took.as_millis()))
}

pub(super) fn handshake(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    talk.say("sei")?;
    let answers: Vec<String> = talk.until("seiok")?.into_iter().map(|answer| answer.text).collect();
    let more = talk.fence()?;
    ensure(more.is_empty(), || format!("after seiok it says: {}", summary(&more)))?;
    let after = |prefix: &str| answers.iter().find_map(|line| line.strip_prefix(prefix));
    let Some(name) = after("id name ").filter(|name| !name.is_empty()) else { return fail("no id name") };
    let Some(version) = after("id version ") else { return fail("no id version") };
    ensure(after("protocol ") == Some("1"), || "no line protocol 1".to_owned())?;
    for line in &answers {
        match first_word(line) {
            "id" | "protocol" | "seiok" => {}
            "option" => option(line)?,
            _ => return fail(format!("this is no part of the handshake: {}", shown(line))),
        }
    }
    Ok(format!("{} {}", shown(name), shown(version)))
}

/// Whether a line offers an option as it should: `option name <n> type <t> ...`.
fn option(line: &str) -> Step {
    let words: Vec<&str> = line.split(' ').collect();
    let integer = |word: &str| word.parse::<i64>().is_ok();
    let good = match words.as_slice() {
        ["option", "name", _, "type", "check", "default", value] => ["true", "false"].contains(value),
        ["option", "name", _, "type", "spin", "default", value, "min", least, "max", most] => {
            integer(value) && integer(least) && integer(most)
        }
        ["option", "name", _, "type", "string" | "combo", "default", ..]
        | ["option", "name", _, "type", "button"] => true,
        _ => false,
    };
    ensure(good, || format!("no option is offered so: {}", shown(line)))
}

pub(super) fn options(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    talk.say("sei")?;
    let answers = talk.until("seiok")?;
    let mut taken = 0;
    for words in answers.iter().map(|answer| answer.text.split(' ').collect::<Vec<_>>()) {
        let ["option", "name", name, "type", kind, "default", value, rest @ ..] = words.as_slice() else {
            continue;
        };
        for spelt in [(*name).to_owned(), name.to_ascii_lowercase(), name.to_ascii_uppercase()] {
            talk.tell(&format!("setoption name {spelt} value {value}"))?;
        }
        taken += 1;
        if *kind == "check" {
            talk.refused(&format!("setoption name {name} value perhaps"))?;
        }
        if let (&"spin", ["min", least, "max", most]) = (kind, rest) {
            talk.tell(&format!("setoption name {name} value {least}"))?;
            talk.tell(&format!("setoption name {name} value {value}"))?;
            for bad in [format!("{most}0"), format!("-{most}"), "many".to_owned(), "1.5".to_owned()] {
                talk.refused(&format!("setoption name {name} value {bad}"))?;
            }
        }
    }
    for bad in ["setoption name NoSuchOption value 1", "setoption", "setoption name", "setoption value 1"] {
        talk.refused(bad)?;
    }
    Ok(format!("{taken} options"))
}

pub(super) fn fence(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    for line in ["rules", "no-such-command", "rules", "isready", "isready", "no-such-command", "isready"] {
        talk.say(line)?;
    }
    let mut words = Vec::new();
    for _ in 0..3 {
        words.extend(talk.until("readyok")?.iter().map(|answer| answer.word().to_owned()));
    }
    let due = ["rules", "error", "rules", "readyok", "readyok", "error", "readyok"];
    ensure(words == due, || format!("the answers are {}, not {}", due.join(" "), words.join(" ")))?;
    let more = talk.fence()?;
    ensure(more.is_empty(), || format!("more answers than questions: {}", summary(&more)))?;
    Ok(String::new())
}

/// Questions of all kinds; those that an engine does not know are answered by an error.
const QUESTIONS: &str = "sei\nrules\nstatus\nhistory\nlegal\nbelief\nbelief ours\nbelief dead\nbelief sample 2\neval\nd\n\
                         help\nundo 0\nperft 1\nno-such-command";

pub(super) fn answers(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    begin(talk)?;
    for line in QUESTIONS.lines() {
        talk.say(line)?;
    }
    talk.say("setoption name MultiPV value 2\ngo nodes 300")?;
    let mut answers = talk.until("bestmove")?;
    talk.say("go setup")?;
    answers.extend(talk.until("bestsetup")?);
    talk.say("isready")?;
    answers.extend(talk.until("readyok")?);
    for answer in &answers {
        plain::line(&answer.text)?;
        ensure(answer.bare, || format!("answers end in LF, without CR: {}", shown(&answer.text)))?;
    }
    one_error(&talk.ask(&format!("setup red {}", &RED[1..]))?, "a setup of 39")?;
    Ok(format!("{} lines", answers.len()))
}
