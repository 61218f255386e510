//! What a page is sent of its room.

use super::{Advice, Hint, Replay, Room, State};
use crate::game::{Due, Eyes, Match, Seen};
use crate::token::Token;
use outflank::rules::Side;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Everything that a page is sent of its room.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own that the page reads")]
pub struct Snapshot {
    /// Grows with every change, for as long as this server runs.
    pub version: u64,
    /// Which server it is: versions of another one say nothing.
    run: Token,
    #[serde(flatten)]
    seen: Seen,
    /// Whether an engine is at work.
    thinking: bool,
    /// Milliseconds since the turn began.
    turn: u64,
    /// Milliseconds left on the clocks, as they stand now.
    clocks: [Option<u64>; 2],
    paused: bool,
    /// How often an engine was started again.
    restarts: u32,
    /// Why no engine answers, in a word.
    trouble: Option<&'static str>,
    /// Whether the game could not be saved.
    unsaved: bool,
    hinting: bool,
    hint: Option<Advice>,
    /// `none`, `making`, `made` or `failed`.
    replay: &'static str,
    /// Plies that the replay page has and will have.
    progress: Option<[u64; 2]>,
    /// The rematch, if it was asked for.
    next: Option<Token>,
}

impl Room {
    /// What a page with these eyes is sent now, by the server that is called `run`.
    pub fn snapshot(&self, run: &Token, eyes: Eyes) -> Snapshot {
        // The version comes first: what changes meanwhile is sent again.
        let version = *self.version.borrow();
        let mut state = self.lock();
        let awaited = state.game.awaited().len();
        state.game.turn_to(eyes);
        if state.game.awaited().len() < awaited {
            // The page that shows the way hears of it.
            self.bump();
        }
        state.used = Instant::now();
        let turn = state.since.elapsed();
        let (hinting, hint) = state.hint_now();
        let (replay, progress) = state.replay.progress();
        Snapshot {
            version,
            run: run.clone(),
            seen: state.game.seen(),
            thinking: state.driven,
            turn: turn.as_millis() as u64,
            clocks: clocks(&state.game, turn),
            paused: state.paused,
            restarts: state.restarts,
            trouble: state.trouble,
            unsaved: state.unsaved.is_some(),
            hinting,
            hint,
            replay,
            progress,
            // The colours are changed.
            next: state.next.as_ref().map(|next| next.of(eyes.across()).clone()),
        }
    }
}

impl Replay {
    fn progress(&self) -> (&'static str, Option<[u64; 2]>) {
        match self {
            Replay::None => ("none", None),
            Replay::Making(bar) => ("making", Some([bar.position(), bar.length().unwrap_or(0)])),
            Replay::Made(_) => ("made", None),
            Replay::Failed(_) => ("failed", None),
        }
    }
}

impl State {
    /// Whether a hint is being looked for, and the hint; for the person's turn, and no other.
    fn hint_now(&self) -> (bool, Option<Advice>) {
        let now = self.moment();
        match &self.hint {
            Hint::Thinking(at) if *at == now => (true, None),
            Hint::Given(at, advice) if *at == now && self.game.person_due().is_some() => {
                (false, Some(advice.clone()))
            }
            Hint::None | Hint::Thinking(_) | Hint::Given(..) => (false, None),
        }
    }
}

/// Milliseconds on the clocks, the running one as it stands now.
fn clocks(game: &Match, turn: Duration) -> [Option<u64>; 2] {
    let running = match game.due() {
        Some(Due::Action(side)) => Some(side),
        Some(Due::Setup(_)) | None => None,
    };
    let shown = |side: Side| {
        let left = game.left()[side]?;
        let gone = if running == Some(side) { turn } else { Duration::ZERO };
        Some(left.saturating_sub(gone).as_millis() as u64)
    };
    Side::BOTH.map(shown)
}
