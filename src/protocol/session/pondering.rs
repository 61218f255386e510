//! Thinking on the enemy's time.
//!
//! After our own action is played, the position after the answer we expect is searched until a line ends that. If the
//! enemy answers so, the next search finds what this one left in the table; it keeps its own clock and its own
//! `bestmove`, so a guess that fails costs nothing.

use outflank_engine::belief::Evidence;
use outflank_engine::engine::Engine;
use outflank_engine::search::{Choice, Limits};
use outflank_rules::rules::Action;
use outflank_rules::view::{LineKey, View};
use std::mem::take;

/// What is expected, and what was thought about for it.
#[derive(Debug, Default)]
pub(crate) struct Pondering {
    expected: Option<Expected>,
    /// The line of play that the table is about.
    line: Option<LineKey>,
    /// What was found out about its last ply.
    evidence: Evidence,
}

/// How the game is expected to go on from our last choice.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Expected {
    /// The ply of the choice.
    pub ply: u32,
    /// The choice.
    pub action: Action,
    /// The quiet answer.
    pub answer: Action,
}

impl Pondering {
    /// Notes what a search chose and expects. What a strike will show cannot be foreseen, so none is pondered.
    pub(crate) fn expect(&mut self, view: &View, choice: &Choice) {
        let answer = choice.answer.filter(|answer| !answer.strike);
        let (ply, both) = (view.position().ply(), choice.action.zip(answer));
        self.expected = both.map(|(action, answer)| Expected { ply, action, answer: answer.action });
    }

    /// What is expected; it is handed out only once.
    pub(crate) fn take_expected(&mut self) -> Option<Expected> {
        self.expected.take()
    }

    /// Notes the line of play that the table is about from now on.
    pub(crate) fn begin(&mut self, line: Option<LineKey>) {
        self.line = line;
    }

    /// Whether the table serves a search by this player, which then knows what was found out about the enemy's
    /// answer. Where nodes or depth are given it must not, so that equal commands have equal answers.
    pub(crate) fn serves(&mut self, player: &mut Engine, limits: &Limits) -> bool {
        let (line, evidence) = (self.line.take(), take(&mut self.evidence));
        let free = limits.nodes.is_none() && limits.depth.is_none();
        let serves = free && line.is_some() && line == player.view().line_key(player.view().position().ply());
        if serves {
            player.learn(&evidence);
        }
        serves
    }

    /// Takes in what was found out about the expected answer; had there been no time for that, another belief would be
    /// searched next, and the table serves nothing.
    pub(crate) fn end(&mut self, evidence: Option<Evidence>) {
        match evidence {
            Some(evidence) => self.evidence = evidence,
            None => self.line = None,
        }
    }
}
