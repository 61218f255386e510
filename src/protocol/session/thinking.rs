//! The session's searches: how they are set up, and how their results are answered.

use super::{Session, Stream};
use crate::protocol::analysis::explain_move::MoveQuestion;
use crate::protocol::analysis::queries;
use crate::protocol::game::Game;
use crate::protocol::game::board::Board;
use crate::protocol::grammar::command::Go;
use crate::protocol::grammar::error::{AskError, CommandError};
use crate::protocol::grammar::options::Options;
use crate::protocol::grammar::reply::{Best, Reply};
use crate::protocol::session::pending::{self, Pending};
use crate::protocol::session::pondering::Expected;
use crate::protocol::session::task::{Done, Search, SetupTask, Task};
use outflank_engine::engine::{Ablation, Request, Settings, choose_setup};
use outflank_engine::search::{Budget, Choice, Level, Limits, TranspositionTable};
use outflank_rules::event::Event;
use outflank_rules::rules::{Action, Side};
use outflank_rules::view::View;
use std::sync::Arc;

/// From this share of expected losses on, in permille, a position counts as hopeless.
const HOPELESS: u16 = 990;
/// So many hopeless searches in a row make us resign.
const HOPELESS_RUN: u32 = 3;
/// Nodes from which on a search uses the session's table.
const LONG: u64 = 1 << 18;

impl Session {
    pub(crate) fn go(&mut self, go: Go, replies: &mut Vec<Reply>) -> Result<Task, CommandError> {
        match go {
            Go::Setup => Ok(self.choose_setup(None)),
            Go::Action { limits, only } => {
                let search = self.search(&limits, only)?;
                replies.extend(self.level_remark());
                Ok(Task::Search(search))
            }
        }
    }

    /// Chooses a setup, and lets a side have it.
    pub(crate) fn choose_setup(&mut self, side: Option<Side>) -> Task {
        let rules = *self.game.rules();
        self.setups += 1;
        self.pending = Some(Pending::Setup(rules, side));
        let chooser = self.settings.stand_in.map_or(choose_setup as _, |player| player.setup);
        Task::Setup(Box::new(SetupTask {
            rules,
            previous: self.previous_setup,
            seed: self.seed_for(Stream::Setup, 0),
            count: self.setups,
            chooser,
        }))
    }

    /// Says that we play below full strength, if we do.
    fn level_remark(&self) -> Option<Reply> {
        let level = self.options.level;
        if self.settings.stand_in.is_some() {
            return None;
        }
        let text = || format!("level {} of {}, below full strength", level.number(), Level::FULL.number());
        level.is_weaker().then(|| Reply::Remark(text()))
    }

    fn search(&mut self, limits: &Limits, only: Vec<Action>) -> Result<Box<Search>, CommandError> {
        let board = self.game.check_turn()?;
        Game::check_legal(board, &only)?;
        let mut player = board.player().to_think();
        let (side, ply) = (player.view().viewer(), player.view().position().ply());
        let budget = limits.budget(side, ply, self.options.overhead);
        let keep = self.pondering.serves(&mut player, limits);
        player.share_table(self.table_for(&budget, keep));
        player.configure(self.settings(ply));
        self.pending = Some(Pending::Action { view: Box::new(player.view().clone()), only: only.clone() });
        let stand_in = self.settings.stand_in.map(|player| player.action);
        Ok(Box::new(Search { player, request: Request { budget, only }, stand_in }))
    }

    /// How to think at a ply.
    pub(crate) fn settings(&self, ply: u32) -> Settings {
        // Every option that there is: one that nothing reads does not compile.
        let &Options {
            seed: _, // `Session::seed`
            threads,
            hash: _,     // `table_for`
            overhead: _, // `search`
            lines,
            resign: _, // `is_hopeless`
            ponder: _, // `ponder`
            level,
            evaluator,
            policy,
        } = &self.options;
        Settings {
            seed: self.seed_for(Stream::Search, ply.into()),
            level,
            threads: threads.min(self.cores),
            lines,
            evaluator,
            ablation: Ablation { policy: !policy, ..Ablation::default() },
            searcher: self.searcher(),
        }
    }

    /// The table for a search, with nothing in it unless it is to be kept; short searches make a small one.
    pub(crate) fn table_for(&mut self, budget: &Budget, keep: bool) -> Option<Arc<TranspositionTable>> {
        if budget.nodes.is_some_and(|nodes| nodes < LONG) {
            return None;
        }
        let megabytes = self.options.hash;
        let table =
            self.table.get_or_insert_with(|| Arc::new(TranspositionTable::up_to_megabytes(megabytes)));
        if !keep {
            table.clear();
        }
        Some(Arc::clone(table))
    }

    /// What to think about until the enemy has answered, if we may and know its likely answer.
    pub(crate) fn ponder(&mut self) -> Option<Box<Search>> {
        let Expected { ply, action, answer } = self.pondering.take_expected()?;
        let free = self.options.ponder
            && self.settings.stand_in.is_none()
            && !self.options.level.is_weaker()
            && !self.game.desynced();
        let Ok(Board::Player(player)) = self.game.board() else { return None };
        let view = player.view();
        let last = view.position().history().last()?;
        if !free
            || view.position().ply() != ply + 1
            || last.action != action
            || !view.position().is_legal(answer)
        {
            return None;
        }
        let mut player = player.to_think();
        player.observe(&Event::Played(answer.into())).ok()?;
        let view = player.view();
        if view.position().ending().is_some() || view.position().to_move() != view.viewer() {
            return None;
        }
        self.pondering.begin(view.line_key(view.position().ply()));
        self.pending = Some(Pending::Ponder);
        player.configure(Settings { lines: 1, level: Level::FULL, ..self.settings(view.position().ply()) });
        player.share_table(self.table_for(&Budget::default(), false));
        Some(Box::new(Search { player, request: Budget::default().into(), stand_in: None }))
    }

    pub(crate) fn explain_move(&mut self, action: Action) -> Result<Task, CommandError> {
        let board = self.game.board()?;
        if !board.knows_mover() {
            return Err(AskError::HiddenMover(board.position().to_move()).into());
        }
        self.game.check_open()?;
        Game::check_legal(board, &[action])?;
        let mut player = board.player().clone();
        let seed = self.seed_for(Stream::Why, player.view().position().ply().into());
        player.configure(Settings { seed, lines: 2, searcher: self.searcher(), ..Settings::default() });
        self.pending = Some(Pending::Lines("explaining"));
        Ok(Task::ExplainMove(Box::new(MoveQuestion { player, action })))
    }

    pub(crate) fn perft(&mut self, depth: u32) -> Result<Task, CommandError> {
        let position = queries::full_position(self.game.board()?)?.clone();
        self.pending = Some(Pending::Lines("counting"));
        Ok(Task::Perft(Box::new(position), depth))
    }

    /// Answers what a task was started for.
    pub(crate) fn finish(&mut self, done: Done, replies: &mut Vec<Reply>) {
        let Some(pending) = self.pending.take() else { return };
        if matches!(done, Done::Panicked) && !matches!(pending, Pending::Ponder) {
            replies.push(Reply::Error(CommandError::Internal(pending.name())));
        }
        match pending {
            Pending::Action { view, only } => {
                replies.push(Reply::BestMove(self.finish_action(&view, &only, done)));
            }
            Pending::Setup(rules, side) => {
                let setup = if let Done::Setup(setup) = done { setup } else { pending::plain_setup(&rules) };
                self.previous_setup = Some(setup);
                // Whether the side may still be set up was asked before.
                if let Some(Err(error)) = side.map(|side| self.game.set_up(side, &setup)) {
                    log::error!("our own setup: {error}");
                }
                replies.push(Reply::BestSetup(setup));
            }
            Pending::Ponder => {
                let evidence = if let Done::Pondered(evidence) = done { evidence } else { None };
                self.pondering.end(evidence);
            }
            Pending::Lines(_) => {}
        }
    }

    /// Takes in what a search found; what to answer to its `go`.
    fn finish_action(&mut self, view: &View, only: &[Action], done: Done) -> Best {
        let choice = match done {
            Done::Choice(choice, evidence) => {
                self.game.learn(&evidence);
                Some(choice)
            }
            Done::Setup(_) | Done::Pondered(_) | Done::Said | Done::Panicked => None,
        };
        let hopeless = choice.as_ref().is_some_and(|choice| self.is_hopeless(view, choice));
        if let Some(choice) = &choice {
            self.pondering.expect(view, choice);
        }
        if hopeless { Best::Resign } else { pending::answer(view, only, choice.as_ref()) }
    }

    fn is_hopeless(&mut self, view: &View, choice: &Choice) -> bool {
        let ply = view.position().ply();
        let lost = choice.score.is_some_and(|score| score.loss >= HOPELESS);
        let (before, last_ply) = self.hopeless;
        let running = match (lost, last_ply == Some(ply)) {
            (false, _) => 0,
            (true, true) => before,
            (true, false) => before + 1,
        };
        self.hopeless = (running, Some(ply));
        self.options.resign && running >= HOPELESS_RUN
    }
}
