//! Looking into a position: what a player knows there, believes, and would do.

use crate::beliefs::Beliefs;
use crate::game::{Match, Refused};
use outflank::engine::{Control, Engine, Settings, Stopwatch};
use outflank::rules::{BySide, Side, Spn, Viewer};
use outflank::search::{Budget, Info};
use outflank::view::View;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Lines that are searched, and the plies of each that are shown.
const LINES: usize = 3;
const STEPS: usize = 6;
/// The most nodes of a question, and the longest it may take.
const NODES: u64 = 2_000_000;
const TIME: Duration = Duration::from_secs(5);

/// A position that is looked into, with the players of the sides whose knowledge it holds.
pub struct Study {
    known: Spn,
    /// The text of the position as it was set up: more than is shown, if it is looked at by what one side knows.
    source: String,
    players: BySide<Option<Box<Engine>>>,
    ply: usize,
    /// The plies before it, if it is of a game.
    moves: Vec<String>,
}

/// What is found in a position.
#[derive(Debug, Serialize)]
pub struct Insight {
    /// The position as its viewer knows it, with every key of its rules.
    spn: String,
    /// The position with all that was set up.
    source: String,
    /// Who is to move.
    turn: String,
    /// Whether the game is over there.
    over: bool,
    /// The plies before it, if it is of a game.
    moves: Vec<String>,
    /// Nodes searched; 0 where the side to move is not one whose knowledge is there.
    nodes: u64,
    /// The best lines of the side to move by what it knows, the best first.
    lines: Vec<Line>,
    /// What each side believes of the enemy, Red first; nothing of a side whose knowledge is not there.
    beliefs: [Option<Beliefs>; 2],
}

/// What is expected to be played.
#[derive(Clone, Debug, Default, Serialize)]
struct Line {
    /// The actions, the first of the side to move.
    play: Vec<String>,
    /// Chances to win, draw and lose in permille, of the side to move.
    chances: [u16; 3],
    /// Plies looked ahead.
    depth: u32,
}

impl Study {
    /// A position by its text, as `eyes` knows it. A text of what one side knows is always looked at as that side
    /// does. A rank that the text does not show to the enemy is hidden from it.
    pub fn of_position(whole: &Spn, eyes: Viewer) -> Study {
        let viewer = if whole.viewer == Viewer::Both { eyes } else { whole.viewer };
        let seen = |side| Spn { position: whole.position.masked(side), viewer: Viewer::Player(side) };
        let known = match viewer {
            Viewer::Both => whole.clone(),
            Viewer::Player(side) => seen(side),
        };
        let holds = |side| [Viewer::Both, Viewer::Player(side)].contains(&whole.viewer);
        let player = |side| holds(side).then(|| Box::new(Engine::from(View::from_spn(&seen(side), side))));
        let (players, ply) = (BySide::from_fn(player), known.position.ply() as usize);
        Study { known, source: whole.to_string(), players, ply, moves: Vec::new() }
    }

    /// A game that is over, after so many plies, as `viewer` saw it. Both players are there: what the side to move
    /// would do is of interest to whoever looks.
    ///
    /// # Errors
    /// While the game goes on, and if there are fewer plies.
    pub fn of_game(game: &Match, plies: usize, viewer: Viewer) -> Result<Study, Refused> {
        let truth = game.truth(plies)?;
        let mut players = BySide::default();
        for side in Side::BOTH {
            players[side] = Some(Box::new(game.player(side, plies)?));
        }
        let position = match viewer {
            Viewer::Both => truth,
            Viewer::Player(side) => game.player(side, plies)?.view().position().clone(),
        };
        let known = Spn { position, viewer };
        Ok(Study { source: known.to_string(), known, players, ply: plies, moves: game.plies() })
    }

    /// Looks into it, with a search of so many nodes at most, if any, until somebody stops it.
    pub fn look(mut self, nodes: u64, stop: &AtomicBool) -> Insight {
        let beliefs = Side::BOTH.map(|side| Some(Beliefs::of(self.players[side].as_ref()?, self.ply)));
        let position = &self.known.position;
        let (turn, over) = (position.to_move(), position.ending().is_some());
        let mut insight = Insight {
            spn: self.known.to_string(),
            source: self.source,
            turn: turn.to_string(),
            over,
            moves: self.moves,
            nodes: 0,
            lines: Vec::new(),
            beliefs,
        };
        if let Some(player) = self.players[turn].as_mut().filter(|_| nodes > 0 && !over) {
            search(player, nodes.min(NODES), stop, &mut insight);
        }
        insight
    }
}

fn search(player: &mut Engine, nodes: u64, stop: &AtomicBool, insight: &mut Insight) {
    player.configure(Settings { lines: LINES, ..Settings::default() });
    let budget = Budget { nodes: Some(nodes), hard: Some(TIME), ..Budget::default() };
    let clock = Stopwatch::start();
    let lines = &mut insight.lines;
    let mut note = |info: &Info| {
        lines.resize(lines.len().max(info.line), Line::default());
        let play = info.line_of_play.iter().take(STEPS).map(|step| step.action.text(step.strike)).collect();
        let chances = [info.score.win, info.score.draw, info.score.loss];
        lines[info.line - 1] = Line { play, chances, depth: info.depth };
    };
    let choice = player.think(&budget.into(), Control::new(&clock, stop), &mut note);
    insight.nodes = choice.nodes;
}
