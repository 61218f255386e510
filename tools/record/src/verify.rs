//! Replaying records through the referee.

use crate::bounds::MOST_NODES;
use crate::duplicates::Duplicates;
use crate::outcome::{EndReason, Outcome, Winner};
use crate::record::{MOST_SCORE, Record};
use anyhow::{Context, bail, ensure};
use outflank::event::Event;
use outflank::rules::{Played, Side};
use outflank_referee::{Events, Referee};
use std::fmt;

/// Replays a game: every action legal in its turn, every result, the outcome and the counts as recorded.
///
/// # Errors
/// The first thing that differs.
pub fn verify(record: &Record) -> anyhow::Result<()> {
    if record.setups.values().all(String::is_empty) {
        // Players that choose their own setups can fail before there are any.
        let failed = record.outcome.reason == EndReason::Fault || record.outcome.is_unfinished();
        ensure!(failed && record.moves.is_empty(), "the setups are missing");
        return Ok(());
    }
    let setups = record.armies()?;
    let mut referee = Referee::new(record.ruleset()?, &setups[Side::Red], &setups[Side::Blue])?;
    for (ply, played) in record.actions()?.into_iter().enumerate() {
        replay(&mut referee, played).with_context(|| format!("ply {}: {played}", ply + 1))?;
    }
    check_outcome(record, &referee)?;
    let strikes = record.moves.iter().filter(|text| text.contains('=')).count();
    ensure!(record.plies as usize == record.moves.len(), "{} plies are noted", record.plies);
    ensure!(record.strikes as usize == strikes, "{} strikes are noted, not {strikes}", record.strikes);
    let nodes = record.nodes.len();
    ensure!(nodes == 0 || nodes == record.moves.len(), "{nodes} counts of nodes");
    let clocks = record.clocks.len();
    ensure!(clocks == 0 || clocks == record.moves.len(), "{clocks} clocks");
    check_numbers(record)
}

/// Whether what players said of their searches can be.
fn check_numbers(record: &Record) -> anyhow::Result<()> {
    let nodes = record.nodes.iter().find(|nodes| **nodes > MOST_NODES);
    ensure!(nodes.is_none(), "{} nodes for an action", nodes.unwrap_or(&0));
    for (ply, line) in record.candidates.iter().enumerate() {
        for score in line.split_ascii_whitespace().skip(1).step_by(2) {
            let fits = score.parse::<u16>().is_ok_and(|score| score <= MOST_SCORE);
            ensure!(fits, "ply {}: {score} is no score in thousandths", ply + 1);
        }
    }
    Ok(())
}

fn replay(referee: &mut Referee, played: Played) -> anyhow::Result<()> {
    ensure!(referee.ending().is_none(), "the game was over before it");
    ensure!(referee.actions().contains(&played.action), "it is not legal");
    let mover = referee.to_move();
    let events = referee.play(played.action)?;
    let found = truth(&events, mover).context("the referee reported no ply")?;
    ensure!(found == played, "the result is {found}");
    Ok(())
}

/// The ply as it truly was. The side struck at sees both ranks under every rule system: the striker's is always
/// shown, its own it knows. What the mover hands back the mover knows.
pub fn truth(events: &Events, mover: Side) -> Option<Played> {
    match (events[mover], events[mover.enemy()]) {
        (Event::Played(own), Event::Played(other)) => Some(Played { verdict: other.verdict, ..own }),
        (Event::Deployed(..), _) | (_, Event::Deployed(..)) => None,
    }
}

fn check_outcome(record: &Record, referee: &Referee) -> anyhow::Result<()> {
    let outcome = &record.outcome;
    if let Some(ending) = referee.ending() {
        ensure!(Outcome::of(ending) == *outcome, "it ended {ending}");
        return Ok(());
    }
    if outcome.is_unfinished() {
        ensure!(outcome.winner == Winner::None, "nobody has won yet");
        return Ok(());
    }
    let winner = outcome.side()?;
    match outcome.reason {
        EndReason::Decision(decision) => decision.check(winner)?,
        EndReason::Adjudicated => ensure!(winner.is_some(), "nobody was given the game"),
        EndReason::Fault => {
            let loser = winner.context("nobody lost by the fault")?.enemy();
            // Whoever an arena hosted can fail when it is not its turn; nobody else can.
            let hosted = record.players[loser].told.is_some();
            ensure!(hosted || loser == referee.to_move(), "the fault was the other side's");
        }
        EndReason::Rule(_) | EndReason::Unfinished => bail!("it has not ended"),
    }
    Ok(())
}

/// How many records replay as they say.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Records replayed.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Records that are not as the referee finds.
    pub wrong: u64,
    /// Which games there are.
    duplicates: Duplicates,
}

impl Tally {
    /// Replays all records; `complain` hears of each that is wrong, by its number.
    ///
    /// # Errors
    /// If a record cannot be read.
    pub fn of(
        records: impl Iterator<Item = anyhow::Result<Record>>,
        mut complain: impl FnMut(u64, &anyhow::Error),
    ) -> anyhow::Result<Tally> {
        let mut tally = Tally::default();
        for record in records {
            let record = record?;
            tally.games += 1;
            tally.plies += u64::from(record.plies);
            tally.duplicates.add(&record);
            if let Err(error) = verify(&record) {
                tally.wrong += 1;
                complain(record.game, &error);
            }
        }
        Ok(tally)
    }

    /// # Errors
    /// If a record was wrong, or a game was there twice.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(self.wrong == 0, "{} games are not as recorded", self.wrong);
        self.duplicates.check()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, {} plies replayed, {} wrong", self.games, self.plies, self.wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_game_has_no_winner_and_has_not_ended() {
        let ended: Record = include_str!("../tests/game.jsonl").parse().unwrap();
        let mut begun = ended.clone();
        begun.moves.truncate(4);
        begun.nodes.clear();
        begun.clocks.clear();
        begun.plies = 4;
        begun.strikes = begun.moves.iter().filter(|text| text.contains('=')).count() as u32;
        begun.outcome = Outcome::unfinished();
        verify(&begun).unwrap();
        assert!(begun.outcome.side().is_err(), "it must not count as a draw");
        assert!(
            verify(&Record { nodes: vec![1; 3], ..begun.clone() }).is_err(),
            "one of four is not counted"
        );
        verify(&Record { outcome: Outcome::broken_off("silent: a".to_owned()), ..begun.clone() }).unwrap();
        let boasts = vec!["a4a5 400450".to_owned(); 4];
        assert!(verify(&Record { candidates: boasts, ..begun.clone() }).is_err());
        assert!(verify(&Record { nodes: vec![u64::MAX; 4], ..begun.clone() }).is_err());
        begun.outcome.winner = Winner::Red;
        assert!(verify(&begun).is_err());
        let claimed = Record { outcome: Outcome::unfinished(), ..ended };
        assert!(verify(&claimed).is_err());
    }
}
