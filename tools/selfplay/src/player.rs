//! The players: each holds its own view, fed by the referee's events and by nothing else.

pub use crate::config::{Config, Kind, Told};
pub use crate::ignores::Ignores;
use crate::policy::{Chooser, Policy};
use anyhow::Context;
use outflank::belief::Belief;
use outflank::dice::Dice;
use outflank::event::Event;
use outflank::rules::{Action, Ruleset, Side};
use outflank::search::{Budget, Clock, Inquiry, Level, Task, reflect, search};
use outflank::view::View;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a player offers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Offer {
    /// Its action, if it finds one.
    pub action: Option<Action>,
    /// Nodes visited for it.
    pub nodes: u64,
    /// The root's best actions, best first, each with the points it expects (a draw counting half), in 1/1000. What is
    /// offered need not be the first.
    pub candidates: Vec<(Action, u16)>,
}

/// A player in one game.
#[derive(Debug)]
pub struct Player {
    view: View,
    mind: Mind,
}

#[derive(Debug)]
enum Mind {
    Engine(Box<Thinker>),
    Random(Box<Dice>),
    Policy(Box<Pupil>),
}

/// The engine's search, with what changes it.
#[derive(Debug)]
struct Thinker {
    budget: Budget,
    seed: u64,
    level: Level,
    ignores: Ignores,
    candidates: usize,
    random: f32,
    dice: Dice,
}

/// The stream of a player's seed that decides where it plays any legal action.
const STRAY: u64 = 1 << 34;

impl Thinker {
    fn new(config: &Config, side: Side, seed: u64) -> Thinker {
        let Config { level, ignores, candidates, random, .. } = *config;
        let dice = Dice::stream(seed, STRAY);
        Thinker { budget: config.budget(side), seed, level, ignores, candidates, random, dice }
    }

    fn choose(&mut self, view: &mut View) -> Offer {
        let clock = &Stopwatch(Instant::now());
        let budget = if self.ignores.reflects() {
            let stop = &AtomicBool::new(false);
            let Thinker { budget, level, seed, .. } = *self;
            reflect(view, &Inquiry { budget, level, seed, clock, stop })
        } else {
            self.budget
        };
        let supposed = self.ignores.supposed(view);
        let (supposed, belief) = (supposed.as_ref().unwrap_or(view), self.ignores.belief(view));
        let stop = &AtomicBool::new(false);
        let task = self.task((supposed, &belief), budget, (clock, stop));
        let mut candidates: Vec<(Action, u16)> = Vec::new();
        let choice = search(&task, &mut |info| {
            if let Some(first) = info.line_of_play.first().filter(|_| self.candidates > 0) {
                candidates.truncate(info.line - 1);
                candidates.push((first.action, info.score.win + info.score.draw / 2));
            }
        });
        let stray = stray(self.random, view, &mut self.dice);
        Offer { action: stray.or(choice.action), nodes: choice.nodes, candidates }
    }

    /// A search on one thread.
    fn task<'a>(
        &self,
        (view, belief): (&'a View, &'a Belief),
        budget: Budget,
        (clock, stop): (&'a Stopwatch, &'a AtomicBool),
    ) -> Task<'a> {
        let (seed, level, lines) = (self.seed, self.level, self.candidates.max(1));
        Task { view, belief, budget, only: &[], seed, lines, level, threads: 1, table: None, clock, stop }
    }
}

/// Any legal action, as often as `share` says.
fn stray(share: f32, view: &View, dice: &mut Dice) -> Option<Action> {
    (share > 0.0 && dice.unit() < share).then(|| any(view, dice)).flatten()
}

/// A policy that plays, and the search that says at some of its turns what it would have done.
#[derive(Debug)]
struct Pupil {
    chooser: Chooser,
    teacher: Option<Thinker>,
    asked: f32,
    random: f32,
    dice: Dice,
}

/// The stream of a player's seed that decides where the search is asked.
const ASKED: u64 = 1 << 35;

impl Pupil {
    fn new(config: &Config, policy: Policy, side: Side, seed: u64) -> Pupil {
        let teacher = (config.asked > 0.0).then(|| Thinker::new(config, side, seed));
        let dice = Dice::stream(seed, ASKED);
        let Config { asked, random, .. } = *config;
        Pupil { chooser: Chooser::new(policy, seed), teacher, asked, random, dice }
    }

    fn choose(&mut self, view: &mut View) -> Offer {
        let Pupil { chooser, teacher, asked, random, dice } = self;
        let answer = teacher.as_mut().filter(|_| dice.unit() < *asked).map(|teacher| teacher.choose(view));
        let Offer { nodes, candidates, .. } =
            answer.unwrap_or(Offer { action: None, nodes: 1, candidates: Vec::new() });
        let stray = stray(*random, view, dice);
        Offer { action: stray.or_else(|| chooser.choose(view).0), nodes, candidates }
    }
}

/// Any legal action, each as likely.
fn any(view: &View, dice: &mut Dice) -> Option<Action> {
    let actions = view.position().actions();
    actions.get(dice.below(actions.len())).copied()
}

impl Player {
    /// The player of `side` at an empty board.
    pub fn new(config: &Config, side: Side, rules: Ruleset, seed: u64) -> Player {
        let (view, mind) = match &config.kind {
            Kind::Engine => {
                (View::new(side, rules), Mind::Engine(Box::new(Thinker::new(config, side, seed))))
            }
            Kind::Random => (View::new(side, rules), Mind::Random(Box::new(Dice::new(seed)))),
            Kind::Policy(policy) => {
                let pupil = Pupil::new(config, policy.clone(), side, seed);
                // Only a search needs what pieces have been seen to do.
                let view = if pupil.teacher.is_some() { View::new } else { View::without_conduct };
                (view(side, rules), Mind::Policy(Box::new(pupil)))
            }
        };
        Player { view, mind }
    }

    /// Sees what the referee shows its side.
    ///
    /// # Errors
    /// If it does not fit what the player knows: a fault of the engine's.
    pub fn observe(&mut self, event: &Event) -> anyhow::Result<()> {
        self.view.observe(event).with_context(|| format!("{} cannot follow {event:?}", self.view.viewer()))
    }

    /// Chooses an action; it must be its turn.
    pub fn choose(&mut self) -> Offer {
        match &mut self.mind {
            Mind::Random(dice) => Offer { action: any(&self.view, dice), nodes: 0, candidates: Vec::new() },
            Mind::Engine(thinker) => thinker.choose(&mut self.view),
            Mind::Policy(pupil) => pupil.choose(&mut self.view),
        }
    }
}

pub(crate) struct Stopwatch(pub(crate) Instant);

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
