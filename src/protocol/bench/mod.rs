//! A fixed run that measures speed and detects any change of play: equal builds print equal signatures.
//!
//! It replays recorded games in a session of its own and asks for an action in every phase of them, just as a host's
//! `go` does.

use crate::protocol::analysis::context::{Context, Report};
use crate::protocol::grammar::command::{BenchSize, Command, Go, Pieces};
use crate::protocol::grammar::error::CommandError;
use crate::protocol::grammar::parse;
use crate::protocol::grammar::reply::{Best, Reply, rate};
use crate::protocol::session::Session;
use crate::protocol::session::settings::ConversationSettings;
use crate::protocol::session::task::{Done, Task};
use outflank_engine::engine::Searcher;
use outflank_engine::search::{Info, Limits};
use outflank_rules::fnv::Fnv1a;
use std::fmt::Write;
use std::mem::take;

/// Nodes for each action unless the command says otherwise.
const NODES: u64 = 3_000;
/// Seeds every random choice of the run.
const SEED: u64 = 1;
/// The lines that a host would send; at each `go` an action is searched.
const GAMES: &str = include_str!("games.sei");

/// Searches wherever the recorded games say so, and prints what came of it.
pub(crate) fn run(size: BenchSize, searcher: Searcher, context: &mut Context<'_>) {
    let mut run = Run::new(size, searcher);
    for line in GAMES.lines() {
        if context.control.is_stopped() {
            return say(context, "stopped".to_owned());
        }
        if let Err(error) = run.take(line, context) {
            return say(context, format!("broken {error}"));
        }
    }
    run.print_phase(context);
    say(context, run.sum(context));
}

fn say(context: &mut Context<'_>, text: String) {
    context.say(Reply::Bench(text));
}

/// How far the run has come.
struct Run {
    session: Session,
    size: BenchSize,
    phases: u32,
    phase: Phase,
    nodes: u64,
    signature: Signature,
}

/// Actions searched one after another in a game.
#[derive(Default)]
struct Phase {
    ply: u32,
    nodes: u64,
    best: Vec<String>,
}

impl Run {
    fn new(size: BenchSize, searcher: Searcher) -> Run {
        let settings = ConversationSettings { searcher, seed: SEED, ..ConversationSettings::default() };
        let mut session = Session::new(settings);
        let threads = Command::SetOption { name: "Threads".to_owned(), value: size.threads.to_string() };
        session.execute(threads, &mut Vec::new());
        let (phase, signature) = (Phase::default(), Signature::default());
        Run { session, size, phases: 0, phase, nodes: 0, signature }
    }

    /// Deals with one line.
    fn take(&mut self, line: &str, context: &mut Context<'_>) -> Result<(), CommandError> {
        let command = parse::parse(line).map_err(|misread| CommandError::from(misread.error))?;
        match command {
            None => Ok(()),
            Some(Command::Go(_)) => self.search(context),
            Some(command) => {
                if matches!(command, Command::NewGame { .. }) {
                    self.print_phase(context);
                }
                let mut replies = Vec::new();
                self.session.execute(command, &mut replies);
                fault(replies)
            }
        }
    }

    /// Asks for an action, as a host would.
    fn search(&mut self, context: &mut Context<'_>) -> Result<(), CommandError> {
        let ply = self.session.status(false).ply;
        if ply != self.phase.ply + self.phase.best.len() as u32 {
            self.print_phase(context);
        }
        if self.phase.best.is_empty() {
            self.phase.ply = ply;
        }
        let nodes = Some(self.size.nodes.unwrap_or(NODES));
        let go = Command::Go(Go::Action { limits: Limits { nodes, ..Limits::default() }, only: Vec::new() });
        let mut replies = Vec::new();
        if let Some(task) = self.session.execute(go, &mut replies) {
            let done = self.think(task, context);
            self.session.finish(done, &mut replies);
        }
        for reply in &replies {
            if let Reply::BestMove(best) = reply {
                self.phase.best.push(text(best));
                self.signature.mix(reply.to_string().as_bytes());
            }
        }
        fault(replies)?;
        self.mix_belief()
    }

    /// Mixes in what is believed by now, as `belief` prints it: a likelihood that speaks of few pieces moves scores by
    /// less than they show.
    fn mix_belief(&mut self) -> Result<(), CommandError> {
        let mut replies = Vec::new();
        self.session.execute(Command::Belief { pieces: Pieces::All, json: false }, &mut replies);
        for reply in &replies {
            self.signature.mix(reply.to_string().as_bytes());
        }
        fault(replies)
    }

    /// Does the work; what it reports goes into the signature, but for times.
    fn think(&mut self, task: Task, context: &mut Context<'_>) -> Done {
        let signature = &mut self.signature;
        let mut report = |report: Report| {
            if let Report::Info(info) = report {
                signature.mix_info(&info);
            }
        };
        let done = task.run(&mut Context { control: context.control, report: &mut report });
        if let Done::Choice(choice, _) = &done {
            self.nodes += choice.nodes;
            self.phase.nodes += choice.nodes;
        }
        done
    }

    /// Prints what came of the phase that ends here.
    fn print_phase(&mut self, context: &mut Context<'_>) {
        let Phase { ply, nodes, best } = take(&mut self.phase);
        if best.is_empty() {
            return;
        }
        self.phases += 1;
        say(context, format!("{} ply {ply} nodes {nodes} best {}", self.phases, best.join(" ")));
    }

    fn sum(&self, context: &Context<'_>) -> String {
        let time = context.control.elapsed();
        let mut text =
            format!("nodes {} time {} nps {}", self.nodes, time.as_millis(), rate(self.nodes, time));
        // Writing to a string cannot fail.
        let _ = match self.size.threads {
            1 => write!(text, " signature {:016x}", self.signature.0.hash()),
            threads => write!(text, " threads {threads}"),
        };
        text
    }
}

fn text(best: &Best) -> String {
    match best {
        Best::Action(text) => text.clone(),
        Best::Resign => "resign".to_owned(),
        Best::None => "none".to_owned(),
    }
}

/// The first error among the replies.
fn fault(replies: Vec<Reply>) -> Result<(), CommandError> {
    replies
        .into_iter()
        .find_map(|reply| if let Reply::Error(error) = reply { Some(error) } else { None })
        .map_or(Ok(()), Err)
}

/// A hash of everything that the run chose, searched and believed.
#[derive(Default)]
struct Signature(Fnv1a);

impl Signature {
    fn mix(&mut self, bytes: &[u8]) {
        self.0 = self.0.with(bytes);
    }

    /// What an `info` line says of the search, but for times and worlds.
    fn mix_info(&mut self, info: &Info) {
        let Info { depth, line: _, time: _, nodes, score, worlds: _, line_of_play } = info;
        self.mix(&depth.to_le_bytes());
        self.mix(&nodes.to_le_bytes());
        for chance in [score.win, score.draw, score.loss] {
            self.mix(&chance.to_le_bytes());
        }
        for step in line_of_play {
            self.mix(step.action.text(step.strike).as_bytes());
        }
    }
}

#[cfg(test)]
mod tests;
