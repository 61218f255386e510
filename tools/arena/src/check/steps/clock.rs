//! Time: an answer comes when it is due, give or take the margin.

use super::super::game::{go, one_of, seed};
use super::super::host::{Host, unless_skipped};
use super::super::talk::{Step, Talk, fail};
use super::super::truth::Truth;
use outflank::rng::Rng;
use outflank::rules::Ruleset;
use std::time::{Duration, Instant};

/// What it is sent, and when it has to answer at the latest, in milliseconds.
const TIMES: [(&str, u64); 7] = [
    ("go movetime 30", 30),
    ("go movetime 100", 100),
    ("go movetime 400", 400),
    ("go rtime 50 btime 50", 50),
    ("go rtime 400 btime 400", 400),
    ("go rtime 5 btime 5 rinc 100 binc 100", 105),
    ("go movetime 200 nodes 18446744073709551615 depth 4000000000", 200),
];

pub(super) fn clock(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    unless_skipped(seed(talk, 1))?;
    let mut rng = Rng::new(31);
    let mut worst = 0;
    for (index, (line, due)) in TIMES.into_iter().cycle().take(2 * TIMES.len()).enumerate() {
        let mut truth = Truth::random(Ruleset::default(), &mut rng);
        truth.wander(10 * index as u32, &mut rng);
        let side = truth.position.to_move();
        for line in truth.lines(side, false) {
            talk.tell(&line)?;
        }
        worst = worst.max(late(talk, line, Duration::from_millis(due), &truth.legal())?);
    }
    let margin = talk.margin.as_millis();
    Ok(format!("worst {worst} ms after the time given, margin {margin} ms"))
}

/// A busy machine makes any engine late: a late answer counts if the machine did not keep this check itself waiting
/// as long, or as the last of so many.
const ATTEMPTS: usize = 5;

/// Milliseconds that the answer came after its time.
fn late(talk: &mut Talk, line: &str, due: Duration, legal: &[String]) -> Step<u128> {
    let (mut took, mut stall) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..ATTEMPTS {
        talk.watch.take();
        let said = Instant::now();
        let answers = go(talk, line)?;
        one_of(&answers, legal)?;
        took = answers.last().map_or(said, |answer| answer.at).saturating_duration_since(said);
        stall = talk.watch.take();
        let late = took.saturating_sub(due);
        if late <= talk.margin {
            return Ok(late.as_millis());
        }
        if stall < talk.margin {
            break;
        }
    }
    let [took, margin, stall] = [took, talk.margin, stall].map(|time| time.as_millis());
    fail(format!(
        "\"{line}\" was answered after {took} ms, the margin is {margin} ms (the machine kept this check waiting {stall} ms)"
    ))
}
