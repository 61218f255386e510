//! Tasks: what takes time runs beside the session and can be stopped.

use crate::belief::Evidence;
use crate::engine::{Control, Engine, Request, choose_setup};
use crate::protocol::analysis::context::{Context, Report};
use crate::protocol::analysis::explain_move::MoveQuestion;
use crate::protocol::analysis::perft;
use crate::protocol::grammar::reply::{Count, Reply};
use crate::rules::{Position, Ruleset, Setup};
use crate::search::{Choice, Clock, Info};

/// A search to run.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// The player to move, as it is to think.
    pub player: Engine,
    /// What it is asked.
    pub request: Request,
    /// Whether only a `stop` ends it.
    pub infinite: bool,
}

/// Work for the thinking thread.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// `go`
    Search(Box<Search>),
    /// A search on the enemy's time: of the position after the answer we expect, for what it leaves in the table.
    Ponder(Box<Search>),
    /// `go setup`: the rules, the setup not to repeat, and the rng's seed and stream.
    Setup(Ruleset, Option<Setup>, u64, u64),
    /// `perft`
    Perft(Box<Position>, u32),
    /// `why <mv>`
    ExplainMove(Box<MoveQuestion>),
}

/// How a task ended.
#[derive(Debug)]
pub(crate) enum Done {
    /// A search has chosen; what was found out about the enemy's last move comes with it.
    Choice(Choice, Evidence),
    /// A search on the enemy's time has ended; what was found out about the expected answer, unless that was broken
    /// off.
    Pondered(Option<Evidence>),
    /// A setup is chosen.
    Setup(Setup),
    /// Everything is said.
    Said,
    /// It broke.
    Panicked,
}

impl Task {
    /// Whether only a `stop` ends the task.
    pub(crate) fn is_infinite(&self) -> bool {
        match self {
            Task::Search(search) | Task::Ponder(search) => search.infinite,
            Task::Setup(..) | Task::Perft(..) | Task::ExplainMove(_) => false,
        }
    }

    /// Whether later lines had better wait than break it off.
    pub(crate) const fn is_brief(&self) -> bool {
        match self {
            Task::Setup(..) | Task::ExplainMove(_) => true,
            Task::Search(_) | Task::Ponder(_) | Task::Perft(..) => false,
        }
    }

    /// Whether nobody asked for it.
    pub(crate) const fn is_ponder(&self) -> bool {
        match self {
            Task::Ponder(_) => true,
            Task::Search(_) | Task::Setup(..) | Task::Perft(..) | Task::ExplainMove(_) => false,
        }
    }

    /// Does the work.
    pub(crate) fn run(self, context: &mut Context<'_>) -> Done {
        match self {
            Task::Search(search) => {
                let (choice, evidence) = search.run(context);
                Done::Choice(choice, evidence)
            }
            Task::Ponder(search) => Done::Pondered(search.ponder(context)),
            Task::Setup(rules, previous, seed, stream) => {
                Done::Setup(choose_setup(&rules, previous.as_ref(), (seed, stream)))
            }
            Task::Perft(mut position, depth) => {
                let (nodes, stopped) = perft::count(&mut position, depth, context.stop);
                let time = context.clock.elapsed();
                context.say(Reply::Perft(Count { depth, nodes, time, stopped }));
                Done::Said
            }
            Task::ExplainMove(question) => {
                question.answer(context);
                Done::Said
            }
        }
    }
}

impl Search {
    fn run(mut self, context: &mut Context<'_>) -> (Choice, Evidence) {
        let Context { searcher, clock, stop, report } = context;
        let control = Control { clock: &*clock, stop, searcher: *searcher };
        let mut sink = |info: &Info| report(Report::Info(Box::new(info.clone())));
        let choice = self.player.think(&self.request, control, &mut sink);
        (choice, self.player.evidence().clone())
    }

    fn ponder(mut self, context: &Context<'_>) -> Option<Evidence> {
        self.player.ponder(context.control()).then(|| self.player.evidence().clone())
    }
}
