//! Thinking on the enemy's time.
//!
//! After our own action is told, the position after the answer we expect is searched until a line ends that. If the enemy
//! answers so, the next search finds what this one left in the table; it keeps its own clock and its own `bestmove`, so
//! a guess that fails costs nothing.

use super::Session;
use crate::belief::Evidence;
use crate::engine::{Engine, Settings};
use crate::event::Event;
use crate::protocol::board::Board;
use crate::protocol::errand::Errand;
use crate::protocol::job::Search;
use crate::rules::Action;
use crate::search::{Budget, Choice, Level, Limits};
use crate::view::{LineKey, View};
use std::mem::take;

/// What is expected, and what was thought about for it.
#[derive(Debug, Default)]
pub(super) struct Pondering {
    /// The ply of our last choice, the choice, and the quiet answer we expect.
    expected: Option<(u32, Action, Action)>,
    /// The line of play that the table is about.
    line: Option<LineKey>,
    /// What was found out about its last ply.
    evidence: Evidence,
}

impl Pondering {
    /// Notes what a search chose and expects. What a strike will show cannot be foreseen, so none is pondered.
    pub(super) fn expect(&mut self, view: &View, choice: &Choice) {
        let answer = choice.answer.filter(|answer| !answer.strike);
        let expected = choice.action.zip(answer);
        self.expected = expected.map(|(action, answer)| (view.position().ply(), action, answer.action));
    }

    /// Whether the table serves a search by this player, which then knows what was found out about the enemy's
    /// answer. Where nodes or depth are told it must not, so that equal commands have equal answers.
    pub(super) fn serves(&mut self, player: &mut Engine, limits: &Limits) -> bool {
        let (line, evidence) = (self.line.take(), take(&mut self.evidence));
        let free = limits.nodes.is_none() && limits.depth.is_none();
        let serves = free && line.is_some() && line == player.view().line_key(player.view().position().ply());
        if serves {
            player.learn(&evidence);
        }
        serves
    }

    /// Takes in what was found out about the expected answer; had there been no time for that, another belief would be searched next,
    /// and the table serves nothing.
    pub(super) fn end(&mut self, evidence: Option<Evidence>) {
        match evidence {
            Some(evidence) => self.evidence = evidence,
            None => self.line = None,
        }
    }
}

impl Session {
    /// What to think about until the enemy has answered, if we may and know its likely answer.
    pub(super) fn ponder(&mut self) -> Option<Box<Search>> {
        let (ply, action, answer) = self.pondering.expected.take()?;
        let free = self.options.ponder && !self.options.level.is_weaker() && !self.game.desynced();
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
        let mut player = Engine::clone(player);
        player.observe(&Event::Played(answer.into())).ok()?;
        let view = player.view();
        if view.position().ending().is_some() || view.position().to_move() != view.viewer() {
            return None;
        }
        self.pondering.line = view.line_key(view.position().ply());
        self.errand = Some(Errand::Ponder);
        player.configure(Settings { lines: 1, level: Level::FULL, ..self.settings(view.position().ply()) });
        player.share_table(self.table_for(&Budget::default(), false));
        Some(Box::new(Search { player, request: Budget::default().into(), infinite: true }))
    }
}
