//! Tasks: what takes time runs beside the session and can be stopped.

use crate::protocol::analysis::context::{Context, Report};
use crate::protocol::analysis::explain_move::MoveQuestion;
use crate::protocol::analysis::perft;
use crate::protocol::grammar::reply::{Count, Reply};
use outflank_engine::belief::Evidence;
use outflank_engine::engine::{Engine, Request};
use outflank_engine::search::{Choice, Info};
use outflank_rules::rng::Rng;
use outflank_rules::rules::{Action, Position, Ruleset, Setup};
use outflank_rules::view::View;

/// A search to run.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// The player to move, as it is to think.
    pub player: Engine,
    /// What it is asked.
    pub request: Request,
    /// What chooses in place of the player, by the same seed.
    pub stand_in: Option<ActionChooser>,
}

/// Chooses an action for who is to move: see [`StandIn`](super::settings::StandIn).
pub(crate) type ActionChooser = fn(&View, &[Action], u64) -> Option<Action>;

/// A setup to choose.
#[derive(Clone, Debug)]
pub(crate) struct SetupTask {
    /// The rules.
    pub rules: Ruleset,
    /// The setup not to repeat.
    pub previous: Option<Setup>,
    /// Seeds its random choices.
    pub seed: u64,
    /// Which setup of this seed it is.
    pub count: u64,
    /// What chooses.
    pub chooser: fn(&Ruleset, Option<&Setup>, &mut Rng) -> Setup,
}

/// Work for the thinking thread.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// `go`
    Search(Box<Search>),
    /// A search on the enemy's time: of the position after the answer we expect, for what it leaves in the table.
    Ponder(Box<Search>),
    /// `go setup`
    Setup(Box<SetupTask>),
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
    /// The task panicked.
    Panicked,
}

impl Task {
    /// Whether only a `stop` ends the task.
    pub(crate) fn is_infinite(&self) -> bool {
        match self {
            Task::Search(search) | Task::Ponder(search) => search.request.budget.is_unlimited(),
            Task::Setup(_) | Task::Perft(..) | Task::ExplainMove(_) => false,
        }
    }

    /// Whether later lines had better wait than break it off.
    pub(crate) const fn is_brief(&self) -> bool {
        match self {
            Task::Setup(_) | Task::ExplainMove(_) => true,
            Task::Search(_) | Task::Ponder(_) | Task::Perft(..) => false,
        }
    }

    /// Whether nobody asked for it.
    pub(crate) const fn is_ponder(&self) -> bool {
        match self {
            Task::Ponder(_) => true,
            Task::Search(_) | Task::Setup(_) | Task::Perft(..) | Task::ExplainMove(_) => false,
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
            Task::Setup(task) => {
                let mut rng = Rng::stream(task.seed, task.count);
                Done::Setup((task.chooser)(&task.rules, task.previous.as_ref(), &mut rng))
            }
            Task::Perft(mut position, depth) => {
                let (nodes, stopped) = perft::count(&mut position, depth, context.control.stop);
                let time = context.control.elapsed();
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
        if let Some(choose) = self.stand_in {
            let action = choose(self.player.view(), &self.request.only, self.player.settings().seed);
            return (Choice::unsearched(action), self.player.into_evidence());
        }
        let Context { control, report } = context;
        let mut sink = |info: &Info| report(Report::Info(Box::new(info.clone())));
        let choice = self.player.think(&self.request, *control, &mut sink);
        (choice, self.player.into_evidence())
    }

    fn ponder(mut self, context: &Context<'_>) -> Option<Evidence> {
        self.player.ponder(context.control).then(|| self.player.into_evidence())
    }
}
