//! Thinking on the enemy's time.
//!
//! After our own action is told, the position after the answer we expect is searched until a line ends that. If the enemy
//! answers so, the next search finds what this one left in the table; it keeps its own clock and its own `bestmove`, so
//! a guess that fails costs nothing.

use super::{Session, Stream};
use crate::event::Event;
use crate::protocol::board::Board;
use crate::protocol::errand::Errand;
use crate::protocol::job::Search;
use crate::rules::{Action, Played};
use crate::search::{Budget, Choice, Level, Limits};
use crate::view::View;
use crate::view::intent::Intent;
use std::mem::take;

/// What is expected, and what was thought about for it.
#[derive(Debug, Default)]
pub(super) struct Pondering {
    /// The ply of our last choice, the choice, and the quiet answer we expect.
    expected: Option<(u32, Action, Action)>,
    /// The plies up to the position that the table is about.
    course: Option<Vec<Played>>,
    /// What was thought about the last of them.
    intents: Vec<Intent>,
}

impl Pondering {
    /// Notes what a search chose and expects. What a strike will show cannot be foreseen, so none is pondered.
    pub(super) fn expect(&mut self, view: &View, choice: &Choice) {
        let answer = choice.answer.filter(|answer| !answer.strike);
        let expected = choice.action.zip(answer);
        self.expected = expected.map(|(action, answer)| (view.position().ply(), action, answer.action));
    }

    /// Whether the table serves a search of this position, which then knows what was thought about the enemy's
    /// answer. Where nodes or depth are told it must not, so that equal commands have equal answers.
    pub(super) fn serves(&mut self, view: &mut View, limits: &Limits) -> bool {
        let (course, intents) = (self.course.take(), take(&mut self.intents));
        let free = limits.nodes.is_none() && limits.depth.is_none();
        let serves = free && course.is_some_and(|course| view.position().history().eq(&course));
        if serves && view.latest_intents().is_empty() {
            for intent in intents {
                view.note(intent);
            }
        }
        serves
    }

    /// Takes in what was thought about the expected answer; had there been no time for that, another belief would be searched next,
    /// and the table serves nothing.
    pub(super) fn end(&mut self, intents: Option<Vec<Intent>>) {
        match intents {
            Some(intents) => self.intents = intents,
            None => self.course = None,
        }
    }
}

impl Session {
    /// What to think about until the enemy has answered, if we may and know its likely answer.
    pub(super) fn ponder(&mut self) -> Option<Box<Search>> {
        let (ply, action, answer) = self.pondering.expected.take()?;
        let free = self.options.ponder && !self.options.level.is_weaker() && !self.game.desynced();
        let Ok(Board::Player(view)) = self.game.board() else { return None };
        let last = view.position().history().last()?;
        if !free
            || view.position().ply() != ply + 1
            || last.action != action
            || !view.position().is_legal(answer)
        {
            return None;
        }
        let mut view = View::clone(view);
        view.observe(&Event::Played(answer.into())).ok()?;
        if view.position().ending().is_some() || view.position().to_move() != view.viewer() {
            return None;
        }
        self.pondering.course = Some(view.position().history().copied().collect());
        self.errand = Some(Errand::Ponder);
        let budget = Budget::default();
        Some(Box::new(Search {
            only: Vec::new(),
            budget,
            seed: self.seed_for(Stream::Search, view.position().ply().into()),
            lines: 1,
            level: Level::FULL,
            threads: self.threads(),
            table: self.table_for(&budget, false),
            infinite: true,
            view,
        }))
    }
}
