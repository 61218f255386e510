//! What a search and networks say of turns of recorded games.

use crate::reading::replay;
use outflank::engine::{Ablation, Control, Engine, Request, Settings, Stopwatch};
use outflank::policy::{Evaluation, Network, Scratch};
use outflank::rules::{Action, Side};
use outflank::search::Budget;
use outflank_record::{Record, Replay};
use std::sync::atomic::AtomicBool;

/// More lines than a player can have actions: each is searched for itself.
const ALL_LINES: usize = 500;

/// How turns are looked at.
#[derive(Copy, Clone, Debug)]
pub struct Look<'a> {
    /// Look at one in so many turns.
    pub every: u32,
    /// Nodes of each search, shared among all actions.
    pub nodes: u64,
    /// Whose preferences are asked for; without any, those of the engine's own policy.
    pub networks: &'a [Network],
}

/// A turn: of each action that the player had what a search expects of it, and how likely it is to each policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// The place of the action that was played.
    pub played: usize,
    /// What the search expects of each action, in points of evaluation, less what it expects of the best.
    pub points: Vec<f32>,
    /// By policy: the logarithm of the probability of each action.
    pub logarithms: Vec<Vec<f32>>,
}

/// The turns of the players of a record about whom `wants` asks; none under rules under which the engine's own policy
/// is not used, if that is asked.
///
/// # Errors
/// If the record cannot be played.
pub fn turns(record: &Record, look: Look<'_>, wants: impl Fn(&str) -> bool) -> anyhow::Result<Vec<Turn>> {
    let (mut turns, mut scratch) = (Vec::new(), Scratch::default());
    let Some(mut replay) = replay(record)? else { return Ok(turns) };
    while let Some(action) = replay.next_action() {
        let position = replay.view(Side::Red).position();
        let is_next = (u64::from(position.ply()) + record.game).is_multiple_of(u64::from(look.every));
        if is_next && wants(&record.players[position.to_move()].name) {
            turns.extend(turn(&replay, action, look, &mut scratch));
        }
        replay.step()?;
    }
    Ok(turns)
}

/// The turn of the side to move; `None` if it had no choice, or its action is none that was valued: a rescue, or a
/// search that came to no end.
fn turn(replay: &Replay, action: Action, look: Look<'_>, scratch: &mut Scratch) -> Option<Turn> {
    let player = replay.player(replay.view(Side::Red).position().to_move());
    let said: Vec<Said> = if look.networks.is_empty() {
        vec![player.policy().into_iter().map(|said| (said.action, said.logarithm)).collect()]
    } else {
        look.networks.iter().map(|network| pairs(network.evaluate(player.view(), scratch))).collect()
    };
    let expected = searched(player, look.nodes);
    let best = expected.iter().map(|(_, points)| *points).fold(f32::NEG_INFINITY, f32::max);
    let mut turn = Turn { logarithms: vec![vec![]; said.len()], ..Turn::default() };
    let mut place = None;
    for &(valued, points) in &expected {
        let logarithms: Option<Vec<f32>> = said.iter().map(|said| logarithm(said, valued)).collect();
        let Some(logarithms) = logarithms else { continue };
        if valued == action {
            place = Some(turn.points.len());
        }
        turn.points.push(points - best);
        for (all, one) in turn.logarithms.iter_mut().zip(logarithms) {
            all.push(one);
        }
    }
    Some(Turn { played: place?, ..turn }).filter(|turn| turn.points.len() > 1)
}

/// Actions and the logarithms of their probabilities.
type Said = Vec<(Action, f32)>;

fn pairs(evaluation: Evaluation) -> Said {
    evaluation.actions.into_iter().zip(evaluation.log_probabilities).collect()
}

fn logarithm(said: &Said, action: Action) -> Option<f32> {
    said.iter().find(|(other, _)| *other == action).map(|(_, logarithm)| *logarithm)
}

/// What a search without the policy expects of each action, in points of evaluation.
fn searched(player: &Engine, nodes: u64) -> Vec<(Action, f32)> {
    let mut player = player.to_think();
    let ablation = Ablation { policy: true, ..Ablation::default() };
    player.configure(Settings { lines: ALL_LINES, ablation, ..Settings::default() });
    let (clock, stop) = (&Stopwatch::start(), &AtomicBool::new(false));
    let request = Request::from(Budget { nodes: Some(nodes), ..Budget::default() });
    let choice = player.search(&request, Control::new(clock, stop), &mut |_| ());
    choice.candidates.into_iter().map(|candidate| (candidate.action, candidate.points)).collect()
}
