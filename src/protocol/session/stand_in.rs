//! Another player behind the same protocol.

use outflank_rules::rng::Rng;
use outflank_rules::rules::{Action, Ruleset, Setup};
use outflank_rules::view::View;

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
