//! How late answers come: two engine processes play a whole game at `go movetime 100`; every answer is timed from the
//! writing of the line to the reading of `bestmove`.
//!
//!     cargo build --release && cargo run --release --example lateness -- target/release/outflank [ms] [seed]

use anyhow::{Context, Result};
use outflank::deployment;
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{Action, BySide, Played, Ruleset, Setup, Side};
use outflank_referee::Referee;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Games longer than this are broken off.
const LONGEST: u32 = 600;

struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(program: &str, side: Side, setup: &Setup) -> Result<Engine> {
        let mut process = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().context("no stdin")?;
        let output = BufReader::new(process.stdout.take().context("no stdout")?);
        let mut engine = Engine { process, input, output };
        engine.say(&format!("newgame {side}"))?;
        engine.say(&format!("setup {side} {setup}"))?;
        engine.say(&format!("setup {} ?", side.enemy()))?;
        Ok(engine)
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").context("the engine is gone")
    }

    /// The action chosen, and how long the answer took.
    fn go(&mut self, movetime: u64) -> Result<(Action, Duration)> {
        let begun = Instant::now();
        self.say(&format!("go movetime {movetime}"))?;
        let mut line = String::new();
        while !line.starts_with("bestmove ") {
            line.clear();
            anyhow::ensure!(self.output.read_line(&mut line)? > 0, "the engine is gone");
        }
        let took = begun.elapsed();
        let played: Played = line["bestmove ".len()..].trim().parse().ok().context("no action")?;
        Ok((played.action, took))
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let program = arguments.first().context("usage: lateness ENGINE [ms] [seed]")?;
    let movetime = arguments.get(1).map_or(Ok(100), |text| text.parse())?;
    let mut rng = Rng::new(arguments.get(2).map_or(Ok(1), |text| text.parse())?);
    let rules = Ruleset::default();
    let setups = BySide::from_fn(|_| deployment::choose(&rules, None, &mut rng));
    let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue])?;
    let start = |side: Side| Engine::start(program, side, &setups[side]);
    let mut engines = BySide::new([start(Side::Red)?, start(Side::Blue)?]);
    let mut late = Vec::new();
    while referee.ending().is_none() && referee.ply() < LONGEST {
        let (action, took) = engines[referee.to_move()].go(movetime)?;
        late.push(took.as_secs_f64() * 1000.0 - movetime as f64);
        for (side, event) in referee.play(action)?.iter() {
            if let Event::Played(played) = event {
                engines[side].say(&format!("play {played}"))?;
            }
        }
    }
    for engine in engines.values_mut() {
        engine.say("quit")?;
        engine.process.wait()?;
    }
    late.sort_by(f64::total_cmp);
    let at = |share: f64| late[((late.len() - 1) as f64 * share) as usize];
    println!(
        "{} answers at movetime {movetime}: late by median {:.1} ms, 99% {:.1} ms, most {:.1} ms",
        late.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    Ok(())
}
