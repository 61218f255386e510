//! What an answer looks like, read by its words.

use super::talk::{Step, ensure, fail, first_word, shown};
use outflank::rules::Played;

/// Words that an answer can begin with.
const WORDS: [&str; 22] = [
    "id",
    "protocol",
    "option",
    "seiok",
    "readyok",
    "info",
    "bestmove",
    "bestsetup",
    "error",
    "warning",
    "rules",
    "undo",
    "history",
    "status",
    "belief",
    "world",
    "legal",
    "eval",
    "why",
    "perft",
    "bench",
    "spn",
];

/// Codes of errors that protocol.md lists.
const CODES: [&str; 25] = [
    "unknown",
    "syntax",
    "encoding",
    "too-long",
    "option",
    "value",
    "rules",
    "setup",
    "position",
    "move",
    "illegal",
    "repetition",
    "result",
    "result-needed",
    "started",
    "no-setup",
    "not-our-turn",
    "game-over",
    "desynced",
    "hidden",
    "empty",
    "undo",
    "reveal",
    "world",
    "internal",
];

/// Whether a line can be an answer at all.
pub(super) fn line(text: &str) -> Step {
    ensure(text.chars().all(|c| c.is_ascii() && !c.is_control()), || {
        format!("an answer is printable ASCII: {}", shown(text))
    })?;
    let drawn = text.starts_with("  ");
    ensure(drawn || WORDS.contains(&first_word(text)), || format!("no answer begins so: {}", shown(text)))?;
    let mut words = text.split(' ');
    if words.next() == Some("error") {
        let code = words.next().unwrap_or_default();
        ensure(CODES.contains(&code), || format!("no error has this code: {}", shown(text)))?;
    }
    if text.starts_with("info depth") { info(text) } else { Ok(()) }
}

/// Whether a report of a search has its form.
fn info(text: &str) -> Step {
    let Some((numbers, moves)) = text.split_once(" pv ") else {
        return fail(format!("a report has a pv: {}", shown(text)));
    };
    let mut words = numbers.split(' ').skip(1).peekable();
    let mut number = |name: &str, optional: bool, count: usize| {
        if words.peek() != Some(&name) {
            return optional.then(Vec::new);
        }
        words.next();
        words.by_ref().take(count).map(|word| word.parse().ok()).collect::<Option<Vec<u64>>>()
    };
    let parts = [("depth", false, 1), ("multipv", true, 1), ("time", false, 1), ("nodes", false, 1)];
    let good = parts.into_iter().all(|(name, optional, count)| number(name, optional, count).is_some())
        && number("nps", false, 1).is_some()
        && number("wdl", false, 3).is_some_and(|wdl| wdl.iter().sum::<u64>() == 1000)
        && number("worlds", true, 1).is_some()
        && words.next().is_none();
    ensure(good, || {
        format!("a report is depth [multipv] time nodes nps wdl (of sum 1000) [worlds] pv: {}", shown(text))
    })?;
    let readable = moves.split(' ').all(|word| word.parse::<Played>().is_ok());
    ensure(readable, || format!("a pv is of moves: {}", shown(text)))
}

/// The line without what depends on the machine: times of reports.
pub(super) fn timeless(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        kept.push(word);
        if line.starts_with("info") && ["time", "nps"].contains(&word) {
            words.next();
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_distinguished_from_what_is_none() {
        for good in [
            "readyok",
            "error move \"x\" is no move",
            "  a drawing",
            "info string anything",
            "info depth 1 time 0 nodes 18 nps 53571 wdl 628 26 346 pv f4f5",
            "info depth 1 multipv 2 time 0 nodes 18 nps 53571 wdl 628 26 346 worlds 3 pv f4xf5 a7a6",
        ] {
            assert_eq!(line(good), Ok(()), "{good}");
        }
        for bad in [
            "Hello",
            "",
            "error",
            "error oops",
            "bestmove\ta4a5",
            "info depth 1 time 0 nodes 18 nps 53571 wdl 628 26 347 pv f4f5",
            "info depth 1 time 0 nodes 18 nps 53571 wdl 628 26 346",
            "info depth one time 0 nodes 18 nps 53571 wdl 628 26 346 pv f4f5",
            "info depth 1 time 0 nodes 18 nps 53571 wdl 628 26 346 pv f4f5 then",
        ] {
            assert!(line(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_are_left_out_of_reports_alone() {
        assert_eq!(
            timeless("info depth 1 time 7 nodes 8 nps 9 pv a4a5"),
            "info depth 1 time nodes 8 nps pv a4a5"
        );
        assert_eq!(timeless("legal time 7"), "legal time 7");
    }
}
