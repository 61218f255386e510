//! What a conversation is begun with, and who may choose in place of the engine.

use crate::protocol::drawing::picture::Style;
use outflank_engine::engine::Searcher;
use outflank_engine::search::search;
use outflank_rules::rng::Rng;
use outflank_rules::rules::{Action, Ruleset, Setup};
use outflank_rules::view::View;

/// The settings of a conversation.
#[derive(Copy, Clone, Debug)]
pub struct ConversationSettings {
    /// What chooses actions: see [`Searcher`].
    pub searcher: Searcher,
    /// How drawings look.
    pub style: Style,
    /// Seeds everything until the host sets a seed.
    pub seed: u64,
    /// Who chooses in place of the engine.
    pub stand_in: Option<StandIn>,
}

impl Default for ConversationSettings {
    /// The engine itself, no colours, seed 0.
    fn default() -> ConversationSettings {
        ConversationSettings { searcher: search, style: Style::default(), seed: 0, stand_in: None }
    }
}

/// A player that chooses in place of the engine, for programs that measure the engine against other ways of playing.
///
/// The conversation is the engine's in everything else, its answers to questions about beliefs among them. A stand-in
/// knows what its side was shown, and nothing of what the engine thinks about that.
#[derive(Copy, Clone, Debug)]
pub struct StandIn {
    /// How it names itself.
    pub name: &'static str,
    /// Chooses an action for the viewer, whose turn it is: one of these, unless there are none, and then any legal one.
    /// The number seeds its random choices.
    pub action: fn(&View, &[Action], u64) -> Option<Action>,
    /// Chooses a setup of the whole army, another than the last one.
    pub setup: fn(&Ruleset, Option<&Setup>, &mut Rng) -> Setup,
}
