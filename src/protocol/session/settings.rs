//! What a conversation is begun with.

use crate::protocol::drawing::picture::Style;
use crate::protocol::session::stand_in::StandIn;
use outflank_engine::engine::Searcher;
use outflank_engine::search::search;

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
