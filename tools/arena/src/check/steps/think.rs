//! Thinking: what ends it, what it answers, and what an engine does meanwhile.

use super::super::game::{BLUE, RED, begin, best, go, nothing_more, one_of, refused_go};
use super::super::host::Host;
use super::super::plain;
use super::super::talk::{Answer, Step, Talk, ensure, fail, first_word, one_error, shown, summary};
use super::super::truth::Truth;
use super::lines::LINE_LIMIT;
use outflank::rules::{Ruleset, Setup};
use std::time::Instant;

/// Limits of all kinds, alone and together, down to nothing and up to the largest numbers.
const LIMITS: [&str; 18] = [
    "go nodes 200",
    "go depth 2",
    "go movetime 100",
    "go rtime 1000 btime 1000",
    "go rtime 1000 btime 1000 rinc 10 binc 10",
    "go rtime 60000 btime 1 nodes 50",
    "go nodes 0",
    "go nodes 1",
    "go depth 0",
    "go movetime 0",
    "go rtime 0 btime 0",
    "go infinite nodes 50",
    "go nodes 18446744073709551615 movetime 20",
    "go movetime 18446744073709551615 nodes 50",
    "go rtime 18446744073709551615 btime 5 rinc 18446744073709551615 nodes 50",
    "go depth 4294967295 nodes 50",
    "go nodes 50 searchmoves b4b5 a4a5",
    "go",
];

pub(super) fn limits(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    begin(talk)?;
    let legal = Truth::of(RED, BLUE)?.legal();
    for line in LIMITS {
        let answers = go(talk, line)?;
        match line.split_once("searchmoves ") {
            None => one_of(&answers, &legal)?,
            Some((_, only)) => one_of(&answers, &only.split(' ').map(str::to_owned).collect::<Vec<_>>())?,
        };
    }
    // A misread go has a host waiting for its bestmove too.
    for bad in ["go depth", "go nodes many", "go movetime -1", "go fast"] {
        refused_go(talk, bad, "syntax")?;
    }
    refused_go(talk, "go nodes 50 searchmoves a1a2", "illegal")?;
    Ok(format!("{} limits", LIMITS.len()))
}

pub(super) fn refusals(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    refused_go(talk, "go nodes 50", "no-setup")?;
    begin(talk)?;
    talk.tell("play b4b5")?;
    refused_go(talk, "go nodes 50", "not-our-turn")?;
    talk.tell("newgame blue")?;
    talk.tell(&format!("setup blue {BLUE}"))?;
    refused_go(talk, "go nodes 50", "not-our-turn")?;
    begin(talk)?;
    talk.tell("gameover red")?;
    refused_go(talk, "go nodes 50", "game-over")?;
    // Red's scout takes the flag: the board itself ends the game.
    talk.tell("newgame\nposition Y9/10/10/10/2__2__2/2__2__2/10/D9/10/9M r - -,- 0 0")?;
    talk.tell("play a3xa10")?;
    refused_go(talk, "go nodes 50", "game-over")?;
    begin(talk)?;
    go(talk, "go nodes 50").map(drop)?;
    Ok(String::new())
}

pub(super) fn setup(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    let mut last = String::new();
    for _ in 0..4 {
        talk.say("newgame\ngo setup")?;
        let answers = talk.until("bestsetup")?;
        nothing_more(talk)?;
        let text = answers.last().map_or("", |answer| answer.text.as_str());
        let setup = text.strip_prefix("bestsetup ").unwrap_or_default();
        let whole = setup.parse().is_ok_and(|setup: Setup| setup.is_complete(&Ruleset::default().army()));
        ensure(whole, || format!("this is not the whole army: {}", shown(text)))?;
        ensure(setup != last, || format!("the same army twice running: {setup}"))?;
        talk.tell(&format!("setup red {setup}"))?;
        setup.clone_into(&mut last);
    }
    Ok(String::new())
}

/// How often a search and its stop race.
const RACES: usize = 30;

pub(super) fn stop(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    begin(talk)?;
    talk.tell("stop\nstop")?;
    let legal = Truth::of(RED, BLUE)?.legal();
    for round in 0..RACES {
        talk.say(if round % 3 == 0 { "go infinite" } else { "go nodes 20" })?;
        let said = talk.say("stop")?;
        if round % 2 == 0 {
            talk.say("stop")?;
        }
        in_time(talk, "bestmove", said).and_then(|answers| one_of(&answers, &legal))?;
        nothing_more(talk)?;
    }
    for line in ["go infinite", "go nodes 18446744073709551615"] {
        talk.say(line)?;
        stop_long(talk, line, &legal)?;
        nothing_more(talk)?;
    }
    Ok(format!("{} times", RACES + 2))
}

/// Stops a search that has begun. Where a number of nodes is its limit, an engine may need fewer and answer before.
fn stop_long(talk: &mut Talk, line: &str, legal: &[String]) -> Step {
    let deadline = Instant::now() + talk.margin;
    match talk.hear(deadline)? {
        Some(answer) if answer.word() == "bestmove" && line.contains("nodes") => {
            return one_of(&[answer], legal).map(drop);
        }
        Some(answer) if answer.word() != "info" => {
            return fail(format!("it is to think, but says: {}", shown(&answer.text)));
        }
        Some(_) | None => {}
    }
    let said = talk.say("stop")?;
    in_time(talk, "bestmove", said).and_then(|answers| one_of(&answers, legal)).map(drop)
}

/// Waits until it thinks for sure: for its first report, or a while.
pub(super) fn think(talk: &mut Talk) -> Step {
    let deadline = Instant::now() + talk.margin;
    match talk.hear(deadline)? {
        Some(answer) if answer.word() == "info" => Ok(()),
        Some(answer) => fail(format!("it is to think, but says: {}", shown(&answer.text))),
        None => Ok(()),
    }
}

/// Answers up to `word`, which is due within the margin after `since`; longer only by what a busy machine keeps this
/// check itself waiting.
pub(super) fn in_time(talk: &mut Talk, word: &str, since: Instant) -> Step<Vec<Answer>> {
    talk.watch.take();
    let answers = talk.until_before(word, since + talk.patience)?;
    let took = answers.last().map_or(since, |answer| answer.at).saturating_duration_since(since);
    let stall = talk.watch.take();
    ensure(took <= talk.margin + stall, || {
        let [took, margin, stall] = [took, talk.margin, stall].map(|time| time.as_millis());
        format!(
            "{word} came after {took} ms, the margin is {margin} ms (the machine kept this check waiting {stall} ms)"
        )
    })?;
    Ok(answers)
}

pub(super) fn ready(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    begin(talk)?;
    talk.say("go infinite")?;
    let mut worst = 0;
    for _ in 0..10 {
        let said = talk.say("isready")?;
        let answers = in_time(talk, "readyok", said)?;
        ensure(answers.iter().all(|answer| answer.word() != "bestmove"), || {
            "isready ended the search".to_owned()
        })?;
        let at = answers.last().map_or(said, |answer| answer.at);
        worst = worst.max(at.saturating_duration_since(said).as_millis());
    }
    let said = talk.say("status")?;
    let answers = in_time(talk, "status", said)?;
    let status = answers.last().map_or("", |answer| answer.text.as_str());
    ensure(status.starts_with("status thinking "), || format!("it thinks, and says: {}", shown(status)))?;
    for question in ["legal", "history"] {
        let said = talk.say(question)?;
        let answers = in_time(talk, question, said)?;
        ensure(answers.iter().all(|answer| answer.word() != "bestmove"), || {
            format!("{question} ended the search")
        })?;
    }
    talk.say(&"legal ".repeat(LINE_LIMIT))?;
    let answers = talk.until("error")?;
    ensure(answers.iter().all(|answer| answer.word() != "bestmove"), || {
        "a line that is too long ended the search".to_owned()
    })?;
    talk.say("stop")?;
    talk.until("bestmove")?;
    nothing_more(talk)?;
    Ok(format!("worst {worst} ms, margin {} ms", talk.margin.as_millis()))
}

pub(super) fn interrupts(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    let lines =
        ["play b4b5", "undo 0", "setoption name NoSuchOption value 1", "rules", "newgame", "gameover draw"];
    for line in lines {
        begin(talk)?;
        talk.say("go infinite")?;
        think(talk)?;
        talk.say(line)?;
        let answers = talk.until("bestmove")?;
        let early = answers.iter().find(|answer| !["info", "bestmove"].contains(&answer.word()));
        ensure(early.is_none(), || format!("\"{line}\" is answered before the bestmove it brings about"))?;
        let after = talk.fence()?;
        let words: Vec<&str> = after.iter().map(|answer| first_word(answer)).collect();
        let due: &[&str] = match first_word(line) {
            "undo" => &["undo"],
            "rules" => &["rules"],
            "setoption" => &["error"],
            _ => &[],
        };
        ensure(words == due, || {
            format!("after the bestmove, \"{line}\" is answered by: {}", summary(&after))
        })?;
    }
    begin(talk)?;
    for _ in 0..3 {
        talk.say("go infinite")?;
    }
    talk.until("bestmove")?;
    talk.until("bestmove")?;
    talk.say("stop")?;
    let answers = talk.until("bestmove")?;
    best(&answers)?;
    nothing_more(talk)?;
    Ok(String::new())
}

pub(super) fn wait(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    begin(talk)?;
    talk.tell("wait")?;
    for line in ["go infinite", "wait", "history", "no-such-command", "isready", "status"] {
        talk.say(line)?;
    }
    let mut answers = talk.until("status")?;
    talk.say("stop")?;
    answers.extend(talk.until("bestmove")?);
    let mut lines: Vec<String> = answers.into_iter().map(|answer| answer.text).collect();
    lines.extend(talk.fence()?);
    lines.iter().try_for_each(|line| plain::line(line))?;
    let words: Vec<&str> = lines.iter().map(|line| first_word(line)).filter(|word| *word != "info").collect();
    let due = ["readyok", "status", "bestmove", "history", "error"];
    ensure(words == due, || format!("the answers are {}, not {}", due.join(" "), words.join(" ")))?;
    let line = "no-such-command";
    one_error(&talk.ask(line)?, line)?;
    Ok(String::new())
}
