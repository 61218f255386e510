//! An adapter for the line protocol of the public arena strategoevaluator: `outflank arena-bot`.
//!
//! The arena starts a player per game, tells it its colour, and from then on shows it both sides' actions with
//! their results and, when it is to move, the board. A player is stopped while the other thinks. The rules are the
//! preset `evaluator`. `host` is the other side of the conversation, for whoever stands in for the arena.

mod bot;
mod grammar;
// Of use to the tools and tests only.
#[doc(hidden)]
pub mod host;
mod options;
mod resync;
#[cfg(test)]
mod tests;

use anyhow::Context;
use bot::{Answer, Bot};
use options::BotOptions;
use std::io::{self, BufRead, ErrorKind, Read, Write};

/// Longer lines are cut, so that no opponent can make us hold more; the arena's own have less than 300 bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// What `outflank arena-bot --help` prints.
pub const HELP: &str = "\
usage: outflank arena-bot [options]    play one game by the protocol of the public arena strategoevaluator
       --movetime MS    time for an action; 100 unless given, none unless given if there are nodes
       --nodes N        nodes for an action; without --movetime, equal seeds give equal answers
       --overhead MS    answer so much before the time is over; 5 unless given, or a quarter of less than 20 ms
       --seed N         seeds the setup and every search; random unless given
The arena starts its players without arguments: give it a script that calls this one.";

/// Plays one game over stdin and stdout, until the arena says `QUIT` or goes away.
///
/// `args` are what follows the word `arena-bot`: `--movetime MS` (100 unless nodes are given), `--nodes N`,
/// `--overhead MS` (5, or a quarter of less than 20 ms) and `--seed N` (random).
///
/// # Errors
/// If an option cannot be read, or a pipe breaks in another way than by the arena's leaving.
pub fn run(args: &[String]) -> anyhow::Result<()> {
    let options = BotOptions::parse(args)?;
    log::info!("seed {}", options.seed);
    play(io::stdin().lock(), io::stdout().lock(), Bot::new(options)).context("talking to the arena")
}

/// Answers line after line; every answer leaves in one piece.
fn play(mut input: impl BufRead, mut output: impl Write, mut session: Bot) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match session.receive(&String::from_utf8_lossy(&line)) {
            Answer::Silence => {}
            Answer::Leave => return Ok(()),
            Answer::Say(answer) => match output.write_all(answer.as_bytes()).and_then(|()| output.flush()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
                said => said?,
            },
        }
    }
}
