//! A fixed run to measure speed and to notice any change of play: equal builds print equal signatures.

use super::job::{Desk, Report};
use super::reply::{Reply, rate};
use crate::belief::Belief;
use crate::dice::Dice;
use crate::rules::{Position, Preset, Ruleset, Setup, Side, Spn, Viewer};
use crate::search::{Budget, Info, Level, Task};
use crate::view::View;
use std::sync::atomic::Ordering;

/// Nodes for each position unless the command says otherwise.
const NODES: u64 = 10_000;
/// Seeds every random choice of the run.
const SEED: u64 = 1;

/// Armies to start from; made up for this run.
const SETUPS: [&str; 4] = [
    "B3FB3262452B3B6B5S7325B48269474M62225873",
    "3BFB22S5B32B63B475B46342826597M542862723",
    "FB22B34B53B5S63B2742B368274296275M254683",
    "26BFB33225534BS6B4BB7386M532942257284627",
];

/// Where the positions come from: which armies, the plies of random play before, and the rules.
const GAMES: [(usize, usize, u32, Preset); 12] = [
    (0, 1, 0, Preset::Isf),
    (2, 3, 1, Preset::Evaluator),
    (1, 0, 20, Preset::Isf),
    (3, 2, 21, Preset::Gravon),
    (0, 2, 60, Preset::Isf),
    (1, 3, 61, Preset::Vassal),
    (2, 0, 120, Preset::Isf),
    (3, 1, 121, Preset::Wiki),
    (0, 3, 240, Preset::Isf),
    (2, 1, 241, Preset::Gameboard),
    (1, 2, 400, Preset::Isf),
    (3, 0, 401, Preset::Original1961),
];

/// How much to measure.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Extent {
    /// Nodes for each position, unless it is the usual number.
    pub nodes: Option<u64>,
    /// Threads to search on; only one gives equal signatures.
    pub threads: usize,
}

/// Searches every position of the run and prints what came of it.
pub(super) fn run(extent: Extent, desk: &mut Desk<'_>) {
    let Extent { nodes, threads } = extent;
    let limit = nodes.unwrap_or(NODES);
    let (mut total, mut signature) = (0u64, Signature::default());
    for (index, view) in views().iter().enumerate() {
        if desk.stop.load(Ordering::Relaxed) {
            return say(desk, "stopped".to_owned());
        }
        let (visited, best) = search(view, limit, threads, desk);
        total += visited;
        signature.mix(visited);
        best.bytes().for_each(|byte| signature.mix(byte.into()));
        say(desk, format!("{} ply {} nodes {visited} best {best}", index + 1, view.position().ply()));
    }
    let time = desk.clock.0.elapsed();
    let nps = rate(total, time);
    let play =
        if threads == 1 { format!("signature {:016x}", signature.0) } else { format!("threads {threads}") };
    say(desk, format!("nodes {total} time {} nps {nps} {play}", time.as_millis()));
}

fn say(desk: &mut Desk<'_>, text: String) {
    (desk.report)(Report::Say(Reply::Bench(text)));
}

fn search(view: &View, nodes: u64, threads: usize, desk: &mut Desk<'_>) -> (u64, String) {
    let belief = Belief::of_enemies(view);
    let task = Task {
        view,
        belief: &belief,
        budget: Budget { soft: None, hard: None, nodes: Some(nodes), depth: None },
        only: &[],
        seed: SEED,
        lines: 1,
        level: Level::FULL,
        threads,
        table: None,
        clock: &desk.clock,
        stop: desk.stop,
    };
    let choice = (desk.searcher)(&task, &mut |_: &Info| ());
    let text = choice.action.map(|action| action.text(view.position().is_strike(action)));
    (choice.nodes, text.unwrap_or_else(|| "none".to_owned()))
}

/// The positions, each as its mover knows it.
fn views() -> Vec<View> {
    let mut views = Vec::new();
    for (index, (red, blue, plies, preset)) in GAMES.into_iter().enumerate() {
        let mut position = Position::new(Ruleset::of(preset));
        for (side, army) in Side::BOTH.into_iter().zip([red, blue]) {
            if let Ok(setup) = SETUPS[army].parse::<Setup>() {
                position.deploy(side, &setup);
            }
        }
        play_at_random(&mut position, plies, &mut Dice::stream(SEED, index as u64));
        let mover = position.to_move();
        views.push(View::from_spn(&Spn { position, viewer: Viewer::Both }, mover));
    }
    views
}

/// Plays at random, taking back whatever would end the game.
fn play_at_random(position: &mut Position, plies: u32, dice: &mut Dice) {
    let mut tries = 0;
    while position.ply() < plies && tries < 4 * plies {
        tries += 1;
        let actions = position.actions();
        let Some(&action) = actions.get(dice.below(actions.len())) else { return };
        if position.play(action.into()).is_ok() && position.ending().is_some() {
            position.undo();
        }
    }
}

/// FNV-1a over whole numbers.
struct Signature(u64);

impl Default for Signature {
    fn default() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }
}

impl Signature {
    fn mix(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_whole_games_still_going_on() {
        for setup in SETUPS {
            assert!(setup.parse::<Setup>().unwrap().is_complete(&crate::rules::Army::CLASSIC), "{setup}");
        }
        let views = views();
        for (view, (.., plies, _)) in views.iter().zip(GAMES) {
            assert_eq!(view.position().ply(), plies);
            assert_eq!(view.position().ending(), None);
            assert!(!view.position().actions().is_empty());
        }
        assert_eq!(views.len(), GAMES.len());
    }
}
