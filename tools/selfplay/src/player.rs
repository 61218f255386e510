//! The players: each holds its own view, fed by the referee's events and by nothing else.

pub use crate::config::{Config, Kind, Told};
use crate::policy::{Chooser, Policy};
use anyhow::Context;
pub use outflank::engine::Ablation;
use outflank::engine::{Control, Engine, Settings, Stopwatch, Variant};
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{Action, Ruleset, Side};
use outflank::search::Budget;
use outflank::view::View;
use std::sync::atomic::AtomicBool;

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
    engine: Engine,
    mind: Mind,
}

#[derive(Debug)]
enum Mind {
    Engine(Box<Thinker>),
    Random(Box<Rng>),
    Policy(Box<PolicyPlayer>),
}

/// The engine's search, with what is expected of it.
#[derive(Debug)]
struct Thinker {
    budget: Budget,
    candidates: usize,
    random: f32,
    rng: Rng,
    variant: Option<Variant>,
}

/// The stream of a player's seed that decides where it plays any legal action.
const RANDOM_ACTIONS: u64 = 1 << 34;

impl Thinker {
    fn new(config: &Config, side: Side, seed: u64) -> Thinker {
        let Config { candidates, random, .. } = *config;
        let (budget, rng) = (config.budget(side), Rng::stream(seed, RANDOM_ACTIONS));
        Thinker { budget, candidates, random, rng, variant: config.variant.clone() }
    }

    fn choose(&mut self, engine: &mut Engine) -> Offer {
        match self.variant.clone() {
            Some(variant) => variant.while_doing(|| self.think(engine)),
            None => self.think(engine),
        }
    }

    fn think(&mut self, engine: &mut Engine) -> Offer {
        let (clock, stop) = (&Stopwatch::start(), &AtomicBool::new(false));
        let mut candidates: Vec<(Action, u16)> = Vec::new();
        let choice = engine.think(&self.budget.into(), Control::new(clock, stop), &mut |info| {
            if let Some(first) = info.line_of_play.first().filter(|_| self.candidates > 0) {
                candidates.truncate(info.line - 1);
                candidates.push((first.action, info.score.win + info.score.draw / 2));
            }
        });
        let random = random_action(self.random, engine.view(), &mut self.rng);
        Offer { action: random.or(choice.action), nodes: choice.nodes, candidates }
    }
}

/// Any legal action, as often as `share` says.
fn random_action(share: f32, view: &View, rng: &mut Rng) -> Option<Action> {
    (share > 0.0 && rng.unit() < share).then(|| any(view, rng)).flatten()
}

/// A policy that plays, and the search that says at some of its turns what it would have done.
#[derive(Debug)]
struct PolicyPlayer {
    chooser: Chooser,
    labeller: Option<Thinker>,
    labels: f32,
    random: f32,
    rng: Rng,
}

/// The stream of a player's seed that decides which turns the search labels.
const LABELS: u64 = 1 << 35;

impl PolicyPlayer {
    fn new(config: &Config, policy: Policy, side: Side, seed: u64) -> PolicyPlayer {
        let labeller = (config.labels > 0.0).then(|| Thinker::new(config, side, seed));
        let rng = Rng::stream(seed, LABELS);
        let Config { labels, random, .. } = *config;
        PolicyPlayer { chooser: Chooser::new(policy, seed), labeller, labels, random, rng }
    }

    fn choose(&mut self, engine: &mut Engine) -> Offer {
        let PolicyPlayer { chooser, labeller, labels, random, rng } = self;
        let answer =
            labeller.as_mut().filter(|_| rng.unit() < *labels).map(|labeller| labeller.choose(engine));
        let Offer { nodes, candidates, .. } =
            answer.unwrap_or(Offer { action: None, nodes: 1, candidates: Vec::new() });
        let random = random_action(*random, engine.view(), rng);
        Offer { action: random.or_else(|| chooser.choose(engine.view()).0), nodes, candidates }
    }
}

/// Any legal action, each as likely.
fn any(view: &View, rng: &mut Rng) -> Option<Action> {
    let actions = view.position().actions();
    actions.get(rng.below(actions.len())).copied()
}

impl Player {
    /// The player of `side` at an empty board.
    pub fn new(config: &Config, side: Side, rules: Ruleset, seed: u64) -> Player {
        let (view, mind) = match &config.kind {
            Kind::Engine => {
                (View::new(side, rules), Mind::Engine(Box::new(Thinker::new(config, side, seed))))
            }
            Kind::Random => (View::new(side, rules), Mind::Random(Box::new(Rng::new(seed)))),
            Kind::Policy(policy) => {
                let player = PolicyPlayer::new(config, policy.clone(), side, seed);
                // Only a search needs what pieces have been seen to do.
                let view = if player.labeller.is_some() { View::new } else { View::without_behaviour };
                (view(side, rules), Mind::Policy(Box::new(player)))
            }
        };
        let mut engine = Engine::from(view);
        let Config { level, ignores: ablation, candidates, .. } = *config;
        engine.configure(Settings { seed, level, ablation, lines: candidates.max(1), ..Settings::default() });
        Player { engine, mind }
    }

    /// Sees what the referee shows its side.
    ///
    /// # Errors
    /// If it does not fit what the player knows: a fault of the engine's.
    pub fn observe(&mut self, event: &Event) -> anyhow::Result<()> {
        let viewer = self.engine.view().viewer();
        self.engine.observe(event).with_context(|| format!("{viewer} cannot follow {event:?}"))
    }

    /// Chooses an action; it must be its turn.
    pub fn choose(&mut self) -> Offer {
        match &mut self.mind {
            Mind::Random(rng) => {
                Offer { action: any(self.engine.view(), rng), nodes: 0, candidates: Vec::new() }
            }
            Mind::Engine(thinker) => thinker.choose(&mut self.engine),
            Mind::Policy(player) => player.choose(&mut self.engine),
        }
    }
}
