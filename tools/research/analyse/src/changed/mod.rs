//! In which positions of recorded games two engines choose differently, and what they choose there.
//!
//! Asked before a match: what changes few actions cannot show in few games.

pub mod command;

use anyhow::Context;
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{Action, Position, Side};
use outflank_arena::contender::Contender;
use outflank_arena::player::{Choice, Player, Seat, Turn};
use outflank_record::{Record, Replay, Visibility};
use outflank_referee::Referee;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// Longest wait for an engine that no limit bounds.
const PATIENCE: Duration = Duration::from_secs(120);

/// Kinds of action, as the player sees them.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// It strikes a piece that never moved and whose rank is not known.
    Unmoved,
    /// It strikes a hidden piece that moved.
    Moved,
    /// It strikes a piece of known rank.
    Known,
    /// It moves towards the enemy's side of the board.
    Forward,
    /// It moves along a row.
    Sideways,
    /// It moves towards the own side.
    Back,
}

impl ActionKind {
    /// All of them, in the order of tables.
    pub const ALL: [ActionKind; 6] = [
        ActionKind::Unmoved,
        ActionKind::Moved,
        ActionKind::Known,
        ActionKind::Forward,
        ActionKind::Sideways,
        ActionKind::Back,
    ];

    /// Of what kind an action of the side to move is.
    pub fn of(position: &Position, action: Action) -> ActionKind {
        if let Some(target) = position.piece_at(action.to) {
            let piece = position.piece(target);
            return match Visibility::of(piece.ranks, piece.moved) {
                Visibility::Unmoved => ActionKind::Unmoved,
                Visibility::Moved => ActionKind::Moved,
                Visibility::Known => ActionKind::Known,
            };
        }
        let (from, to) = (action.from.row(), action.to.row());
        let towards = match position.to_move() {
            Side::Red => to.cmp(&from),
            Side::Blue => from.cmp(&to),
        };
        match towards {
            std::cmp::Ordering::Greater => ActionKind::Forward,
            std::cmp::Ordering::Equal => ActionKind::Sideways,
            std::cmp::Ordering::Less => ActionKind::Back,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            ActionKind::Unmoved => "at unmoved",
            ActionKind::Moved => "at moved",
            ActionKind::Known => "at known",
            ActionKind::Forward => "forward",
            ActionKind::Sideways => "sideways",
            ActionKind::Back => "back",
        }
    }
}

/// What both engines chose in one position, and how long each took.
#[derive(Copy, Clone, Debug)]
pub struct Answers {
    /// Whether their actions differ.
    pub differ: bool,
    /// Of what kind their actions are; `None` for one that resigned.
    pub kinds: [Option<ActionKind>; 2],
    /// Whether each engine's action is the recorded one.
    pub as_played: [bool; 2],
    /// Time taken.
    pub taken: [Duration; 2],
}

/// Two engines that are led through the same games, and asked in the same positions.
pub struct SideBySide {
    players: [Box<dyn Player>; 2],
}

impl SideBySide {
    /// Starts both.
    ///
    /// # Errors
    /// If one cannot be started.
    pub fn start(contenders: &[Contender; 2]) -> anyhow::Result<SideBySide> {
        let [one, other] = contenders
            .each_ref()
            .map(|contender| contender.start(PATIENCE).with_context(|| contender.name.clone()));
        Ok(SideBySide { players: [one?, other?] })
    }

    /// Seats both on `side` of a recorded game, which they see as it was played, and asks both at about a share of
    /// that side's turns.
    ///
    /// # Errors
    /// If the record cannot be played, or an engine fails.
    pub fn ask(
        &mut self,
        record: &Record,
        side: Side,
        share: f32,
        seed: u64,
    ) -> anyhow::Result<Vec<Answers>> {
        let (rules, setups) = (record.ruleset()?, record.armies()?);
        for player in &mut self.players {
            player.begin(&Seat { side, rules, seed })?;
        }
        for events in Referee::new(rules, &setups[Side::Red], &setups[Side::Blue])?.opening() {
            self.show(&events[side])?;
        }
        let (mut replay, mut rng, mut answers) =
            (Replay::new(record)?, Rng::stream(seed, record.game), Vec::new());
        while let Some(played) = replay.next_action() {
            let position = replay.view(side).position();
            if position.to_move() == side && rng.unit() < share {
                answers.push(self.compare(position, played)?);
            }
            replay.step()?;
            if let Some(events) = replay.last_events() {
                self.show(&events[side])?;
            }
        }
        for player in &mut self.players {
            player.end(None)?;
        }
        Ok(answers)
    }

    fn show(&mut self, event: &Event) -> anyhow::Result<()> {
        for player in &mut self.players {
            player.observe(event)?;
        }
        Ok(())
    }

    fn compare(&mut self, position: &Position, played: Action) -> anyhow::Result<Answers> {
        let [one, other] = self.players.each_mut().map(|player| player.choose(&Turn::default()));
        let offers = [one?, other?];
        let actions = offers.each_ref().map(|offer| match offer.choice {
            Choice::Act(action) => Some(action),
            Choice::Resign => None,
        });
        let kinds = actions.map(|action| action.map(|action| ActionKind::of(position, action)));
        let as_played = actions.map(|action| action == Some(played));
        Ok(Answers {
            differ: actions[0] != actions[1],
            kinds,
            as_played,
            taken: offers.map(|offer| offer.taken),
        })
    }
}

/// What was found in all positions.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The engines' names.
    pub names: [String; 2],
    /// Positions in which both were asked.
    pub positions: usize,
    /// The share of them in which they chose differently.
    pub share: f64,
    /// Its standard error, as if positions did not depend on each other.
    pub error: f64,
    /// How often each engine's action was of each kind, where they chose differently.
    pub kinds: Vec<(ActionKind, [usize; 2])>,
    /// The share of all positions in which each engine's action is the recorded one.
    pub as_played: [f64; 2],
    /// Each engine's median time for an action, in milliseconds.
    pub median: [f64; 2],
}

impl Change {
    /// Adds up; nothing if there are no positions.
    pub fn of(names: [String; 2], answers: &[Answers]) -> Option<Change> {
        let positions = answers.len();
        let different: Vec<&Answers> = answers.iter().filter(|both| both.differ).collect();
        let share = different.len() as f64 / positions as f64;
        let count =
            |kind, engine: usize| different.iter().filter(|both| both.kinds[engine] == Some(kind)).count();
        let kinds = ActionKind::ALL.map(|kind| (kind, [count(kind, 0), count(kind, 1)])).to_vec();
        let median = |engine: usize| {
            let mut taken: Vec<Duration> = answers.iter().map(|both| both.taken[engine]).collect();
            taken.sort_unstable();
            taken.get(positions / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
        };
        let agree = |engine: usize| {
            answers.iter().filter(|both| both.as_played[engine]).count() as f64 / positions as f64
        };
        let as_played = [agree(0), agree(1)];
        let error = (share * (1.0 - share) / positions as f64).sqrt();
        let median = [median(0), median(1)];
        (positions > 0).then_some(Change { names, positions, share, error, kinds, as_played, median })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([one, other], [first, second]) = (&self.names, self.median);
        let (share, error) = (100.0 * self.share, 100.0 * self.error);
        writeln!(f, "{} positions, in {share:.1}% ± {error:.1} they choose differently", self.positions)?;
        writeln!(f, "{:>24} {:>12} {:>12}", "where they do:", one, other)?;
        for (kind, [one, other]) in &self.kinds {
            writeln!(f, "{:>24} {one:>12} {other:>12}", kind.name())?;
        }
        let [one, other] = self.as_played.map(|share| 100.0 * share);
        writeln!(f, "{:>24} {one:>12.1} {other:>12.1}", "% as it was played")?;
        writeln!(f, "{:>24} {first:>12.1} {second:>12.1}", "ms an action (median)")
    }
}
