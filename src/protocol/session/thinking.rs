//! What a session thinks about, and what comes of it.

use super::{Session, Stream};
use crate::engine::{Request, Settings};
use crate::protocol::ask;
use crate::protocol::command::Go;
use crate::protocol::errand::{self, Errand};
use crate::protocol::error::{AskError, CommandError};
use crate::protocol::game::Game;
use crate::protocol::job::{Done, Job, Search};
use crate::protocol::reply::{Best, Reply};
use crate::protocol::why::Why;
use crate::rules::Action;
use crate::search::{Budget, Choice, Level, Limits, TranspositionTable};
use crate::view::View;
use std::sync::Arc;

/// From this share of expected losses on, in permille, a position counts as hopeless.
const HOPELESS: u16 = 990;
/// So many hopeless searches running make us resign.
const HOPELESS_RUN: u32 = 3;
/// Nodes from which on a search uses the session's table.
const LONG: u64 = 1 << 18;

impl Session {
    pub(super) fn go(&mut self, go: Go, replies: &mut Vec<Reply>) -> Result<Job, CommandError> {
        match go {
            Go::Setup => {
                let rules = *self.game.rules();
                self.setups += 1;
                self.errand = Some(Errand::Setup(rules));
                let seed = self.seed_for(Stream::Setup, 0);
                Ok(Job::Setup(rules, self.previous_setup, seed, self.setups))
            }
            Go::Action(limits, only) => {
                let search = self.search(&limits, only)?;
                replies.extend(self.confession());
                Ok(Job::Search(search))
            }
        }
    }

    /// Says that we play below full strength, if we do.
    fn confession(&self) -> Option<Reply> {
        let level = self.options.level;
        let text = || format!("level {} of {}, below full strength", level.number(), Level::FULL.number());
        level.is_weaker().then(|| Reply::Remark(text()))
    }

    fn search(&mut self, limits: &Limits, only: Vec<Action>) -> Result<Box<Search>, CommandError> {
        let board = self.game.check_turn()?;
        Game::check_legal(board, &only)?;
        let mut player = board.player().clone();
        let (side, ply) = (player.view().viewer(), player.view().position().ply());
        let budget = limits.budget(side, ply, self.options.overhead);
        let keep = self.pondering.serves(&mut player, limits);
        player.share_table(self.table_for(&budget, keep));
        player.configure(self.settings(ply));
        self.errand = Some(Errand::Action { view: Box::new(player.view().clone()), only: only.clone() });
        let infinite = limits.infinite && limits.nodes.is_none() && limits.depth.is_none();
        Ok(Box::new(Search { player, request: Request { budget, only }, infinite }))
    }

    /// How to think at a ply.
    pub(super) fn settings(&self, ply: u32) -> Settings {
        Settings {
            seed: self.seed_for(Stream::Search, ply.into()),
            level: self.options.level,
            threads: self.threads(),
            lines: self.options.lines,
            ..Settings::default()
        }
    }

    /// The table for a search, with nothing in it unless it is to be kept; short searches make a small one.
    pub(super) fn table_for(&mut self, budget: &Budget, keep: bool) -> Option<Arc<TranspositionTable>> {
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

    pub(super) fn why(&mut self, action: Action) -> Result<Job, CommandError> {
        let board = self.game.board()?;
        if !board.knows_mover() {
            return Err(AskError::Hidden.into());
        }
        self.game.check_open()?;
        Game::check_legal(board, &[action])?;
        let mut player = board.player().clone();
        let seed = self.seed_for(Stream::Why, player.view().position().ply().into());
        player.configure(Settings { seed, ..Settings::default() });
        self.errand = Some(Errand::Lines("explaining"));
        Ok(Job::Why(Box::new(Why { player, action })))
    }

    pub(super) fn perft(&mut self, depth: u32) -> Result<Job, CommandError> {
        let position = ask::full_position(self.game.board()?)?.clone();
        self.errand = Some(Errand::Lines("counting"));
        Ok(Job::Perft(Box::new(position), depth))
    }

    /// Answers what a job was started for.
    pub(in crate::protocol) fn finish(&mut self, done: Done, replies: &mut Vec<Reply>) {
        let Some(errand) = self.errand.take() else { return };
        if matches!(done, Done::Panicked) && !matches!(errand, Errand::Ponder) {
            replies.push(Reply::Error(CommandError::Internal(errand.name())));
        }
        match errand {
            Errand::Action { view, only } => {
                let choice = match done {
                    Done::Choice(choice, evidence) => {
                        self.game.learn(&evidence);
                        Some(choice)
                    }
                    Done::Setup(_) | Done::Pondered(_) | Done::Said | Done::Panicked => None,
                };
                let hopeless = choice.as_ref().is_some_and(|choice| self.is_hopeless(&view, choice));
                if let Some(choice) = &choice {
                    self.pondering.expect(&view, choice);
                }
                let answer =
                    if hopeless { Best::Resign } else { errand::answer(&view, &only, choice.as_ref()) };
                replies.push(Reply::BestMove(answer));
            }
            Errand::Setup(rules) => {
                let setup = if let Done::Setup(setup) = done { setup } else { errand::plain_setup(&rules) };
                self.previous_setup = Some(setup);
                replies.push(Reply::BestSetup(setup));
            }
            Errand::Ponder => {
                let evidence = if let Done::Pondered(evidence) = done { evidence } else { None };
                self.pondering.end(evidence);
            }
            Errand::Lines(_) => {}
        }
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
