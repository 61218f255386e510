//! Engines as child processes. One that ends is started again and shown the game again, so the game goes on.

use crate::game::{Clock, Due, EngineSeat, Match};
use anyhow::{Context, bail};
use outflank::engine::random_seed;
use outflank::event::Event;
use outflank::rules::{Action, BySide, Ruleset, Setup, Spn};
use outflank_arena::contender::Contender;
use outflank_arena::engine::{Fault, Flaw};
use outflank_arena::player::{Choice, Player, Seat, Turn};
use outflank_record::command_line;
use std::time::Duration;

/// How long an engine may be silent beyond the time it was given.
const PATIENCE: Duration = Duration::from_secs(30);
/// What a clock may be overdrawn by before an engine is taken for hung.
const MARGIN: Duration = Duration::from_secs(5);

/// Starts engines.
pub trait Launcher: Send + Sync {
    /// Starts one that plays like this; with a clock, that limits its time instead.
    ///
    /// # Errors
    /// Any fault.
    fn start(&self, seat: EngineSeat, clock: Option<Clock>) -> Result<Box<dyn Player>, Fault>;
}

/// A program that speaks SEI 1.
#[derive(Clone, Debug)]
pub struct Program {
    program: String,
    arguments: Vec<String>,
}

impl Program {
    /// A program and its arguments, as one line; blanks in a name stand between quotes.
    ///
    /// # Errors
    /// If there is none, or a quote has no end.
    pub fn read(line: &str) -> anyhow::Result<Program> {
        let (program, arguments) = command_line::program(line).context("the engine's command")?;
        Ok(Program { program, arguments })
    }

    /// The program that runs now, which speaks SEI 1 when it is called with `engine`.
    ///
    /// # Errors
    /// If the system cannot tell where it is.
    pub fn itself() -> anyhow::Result<Program> {
        let path = std::env::current_exe().context("this program does not know where it is")?;
        let Some(program) = path.to_str() else { bail!("the path of this program is not UTF-8") };
        Ok(Program { program: program.to_owned(), arguments: vec!["engine".to_owned()] })
    }
}

impl Launcher for Program {
    fn start(&self, seat: EngineSeat, clock: Option<Clock>) -> Result<Box<dyn Player>, Fault> {
        let mut words = vec![
            format!("cmd={}", self.program),
            format!("args={}", command_line::join(&self.arguments)),
            format!("option.Level={}", seat.level),
        ];
        words.push(match clock {
            None => format!("movetime={}", seat.movetime),
            Some(clock) => format!("tc={}+{}", clock.base.as_secs(), clock.increment.as_secs()),
        });
        let contender = Contender::read(&words)
            .map_err(|error| Fault::new(Flaw::Unstartable, format!("{}: {error:#}", self.program)))?;
        contender.start(PATIENCE + Duration::from_millis(u64::from(seat.movetime)))
    }
}

/// What an engine is asked, with all that it may know.
#[derive(Clone, Debug)]
pub struct Question {
    /// What it has to do.
    pub due: Due,
    /// How it plays.
    pub seat: EngineSeat,
    /// How often something had been taken back.
    pub taken_back: u32,
    rules: Ruleset,
    clock: Option<Clock>,
    left: BySide<Option<Duration>>,
    /// What its player knew where the game began, if it began from a position.
    start: Option<Spn>,
    events: Vec<Event>,
}

impl Question {
    /// What an engine has to do in this game, if one has.
    pub fn of(game: &Match) -> Option<Question> {
        let (due, seat) = game.engine_due()?;
        Some(Question {
            due,
            seat,
            taken_back: game.taken_back(),
            rules: *game.rules(),
            clock: game.options().clock,
            left: *game.left(),
            start: game.start(due.side()),
            events: game.events(due.side()),
        })
    }
}

/// What an engine's action took, and what it expects.
#[derive(Copy, Clone, Debug)]
pub struct Effort {
    /// Nodes.
    pub nodes: u64,
    /// Time.
    pub taken: Duration,
    /// Its chances to win, draw and lose in permille, if it says.
    pub chances: Option<[u32; 3]>,
}

/// What an engine answers.
#[derive(Copy, Clone, Debug)]
pub enum Answer {
    /// Its army.
    Setup(Setup),
    /// An action, and what it took.
    Act(Action, Effort),
    /// It gives up.
    Resign,
}

/// Where an engine sits: its process, if it runs, and how much of the game it was shown.
#[derive(Default)]
pub struct Chair {
    player: Option<Box<dyn Player>>,
    shown: usize,
    taken_back: u32,
}

impl Chair {
    /// Whether a process runs.
    pub const fn is_taken(&self) -> bool {
        self.player.is_some()
    }

    /// Ends the process.
    pub fn clear(&mut self) {
        self.player = None;
    }

    /// Asks, after telling what has happened since it was asked last. After a fault the process is gone.
    ///
    /// # Errors
    /// Any fault.
    pub fn ask(&mut self, launcher: &dyn Launcher, question: &Question) -> Result<Answer, Fault> {
        let answer = self.try_ask(launcher, question);
        if answer.is_err() {
            self.clear();
        }
        answer
    }

    fn try_ask(&mut self, launcher: &dyn Launcher, question: &Question) -> Result<Answer, Fault> {
        if self.player.is_none() {
            self.player = Some(launcher.start(question.seat, question.clock)?);
            self.shown = usize::MAX;
        }
        let Some(player) = &mut self.player else {
            return Err(Fault::new(Flaw::Unstartable, "no process"));
        };
        // A new process, or one that knows what was taken back, hears everything from the start.
        if self.shown > question.events.len() || self.taken_back != question.taken_back {
            let (side, rules) = (question.due.side(), question.rules);
            player.begin(&Seat { side, rules, seed: random_seed() })?;
            if let Some(start) = &question.start {
                player.place(start)?;
            }
            (self.shown, self.taken_back) = (0, question.taken_back);
        }
        for event in &question.events[self.shown..] {
            player.observe(event)?;
        }
        self.shown = question.events.len();
        match question.due {
            Due::Setup(_) => player.choose_setup().map(Answer::Setup),
            Due::Action(_) => act(player.as_mut(), question),
        }
    }
}

fn act(player: &mut dyn Player, question: &Question) -> Result<Answer, Fault> {
    let increment = BySide::filled(question.clock.map_or(Duration::ZERO, |clock| clock.increment));
    let left = question.left;
    let allowed = left[question.due.side()].map(|left| left + MARGIN);
    let offer = player.choose(&Turn { left, increment, allowed })?;
    Ok(match offer.choice {
        Choice::Act(action) => {
            let effort = Effort { nodes: offer.nodes, taken: offer.taken, chances: offer.chances };
            Answer::Act(action, effort)
        }
        Choice::Resign => Answer::Resign,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_read_as_a_shell_would() {
        let read = |line: &str| Program::read(line).map(|read| (read.program, read.arguments));
        let command = |program: &str, arguments: &[&str]| {
            (program.to_owned(), arguments.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(read("./engine --book my.txt").unwrap(), command("./engine", &["--book", "my.txt"]));
        let quoted = read("'/my games/engine' --book \"my book.txt\"").unwrap();
        assert_eq!(quoted, command("/my games/engine", &["--book", "my book.txt"]));
        assert!(read(" ").is_err() && read("'engine").is_err());
    }
}
