//! Replaying records through the referee.

use crate::decision::Decision;
use crate::game::truth;
use crate::record::{FAULT, Outcome, Record};
use anyhow::{Context, ensure};
use outflank::referee::Referee;
use outflank::rules::Played;

/// Replays a game: every action legal in its turn, every result, the outcome and the counts as recorded.
///
/// # Errors
/// The first thing that differs.
pub fn verify(record: &Record) -> anyhow::Result<()> {
    let [red, blue] = record.armies()?;
    let mut referee = Referee::new(record.ruleset()?, &red, &blue)?;
    for (ply, played) in record.actions()?.into_iter().enumerate() {
        replay(&mut referee, played).with_context(|| format!("ply {}: {played}", ply + 1))?;
    }
    check_outcome(record, &referee)?;
    let strikes = record.moves.iter().filter(|text| text.contains('=')).count();
    ensure!(record.plies as usize == record.moves.len(), "{} plies are told", record.plies);
    ensure!(record.strikes as usize == strikes, "{} strikes are told, not {strikes}", record.strikes);
    ensure!(record.nodes.len() == record.moves.len(), "{} counts of nodes", record.nodes.len());
    let clocks = record.clocks.len();
    ensure!(clocks == 0 || clocks == record.moves.len(), "{clocks} clocks");
    Ok(())
}

fn replay(referee: &mut Referee, played: Played) -> anyhow::Result<()> {
    ensure!(referee.ending().is_none(), "the game is over before it");
    ensure!(referee.actions().contains(&played.action), "it is not legal");
    let mover = referee.to_move();
    let events = referee.play(played.action)?;
    let found = truth(&events, mover).context("the referee told no ply")?;
    ensure!(found == played, "the result is {found}");
    Ok(())
}

fn check_outcome(record: &Record, referee: &Referee) -> anyhow::Result<()> {
    let told = &record.outcome;
    if let Some(ending) = referee.ending() {
        ensure!(Outcome::of(ending) == *told, "it ended {ending}");
        return Ok(());
    }
    let winner = told.side()?;
    if let Some(decision) = Decision::from_name(&told.reason) {
        let agreed = decision == Decision::Agreed;
        ensure!(!agreed || winner.is_none(), "nobody wins a game that ends by agreement");
        return Ok(());
    }
    ensure!(told.reason == FAULT, "it has not ended");
    ensure!(winner == Some(referee.to_move().enemy()), "the fault was the other side's");
    Ok(())
}
