//! The players: each holds its own view, fed by the referee's events and by nothing else.

use crate::config::{Config, Kind, Limits};
use crate::network::Chooser;
use anyhow::Context;
use outflank::engine::{Control, Engine, Settings, Stopwatch, Variant};
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{Action, BySide, Ruleset, Side};
use outflank::search::{self, Budget, Info, Overhead};
use outflank::sparse::Evaluation;
use outflank::view::View;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The game clocks on a player's turn; none, unless given.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Clocks {
    /// Time left to each side that has a clock.
    pub left: BySide<Option<Duration>>,
    /// What each action adds to it.
    pub increment: BySide<Duration>,
}

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
    /// Its chances to win, draw and lose in permille, if they go with what it offers.
    pub chances: Option<[u16; 3]>,
}

impl Offer {
    /// An action that nothing is known of.
    const fn plain(action: Option<Action>, nodes: u64) -> Offer {
        Offer { action, nodes, candidates: Vec::new(), chances: None }
    }

    /// Another action takes the place of what is offered, if there is one.
    fn replaced(self, action: Option<Action>) -> Offer {
        match action {
            Some(_) => Offer { action, chances: None, ..self },
            None => self,
        }
    }
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
    Network(Box<NetworkPlayer>),
}

/// The engine's search, with what is expected of it.
#[derive(Debug)]
struct Thinker {
    limits: Limits,
    candidates: usize,
    random: f32,
    rng: Rng,
    variant: Option<Variant>,
}

/// The stream of a player's seed that decides where it plays any legal action.
const RANDOM_ACTIONS: u64 = 1 << 34;

impl Thinker {
    fn new(config: &Config, seed: u64) -> Thinker {
        let Config { limits, candidates, random, .. } = *config;
        let rng = Rng::stream(seed, RANDOM_ACTIONS);
        Thinker { limits, candidates, random, rng, variant: config.variant.clone() }
    }

    fn choose(&mut self, engine: &mut Engine, clocks: &Clocks, stop: &AtomicBool) -> Offer {
        let variant = self.variant.clone();
        with(variant.as_ref(), || self.think(engine, clocks, stop))
    }

    fn think(&mut self, engine: &mut Engine, clocks: &Clocks, stop: &AtomicBool) -> Offer {
        let (mut candidates, mut chances): (Vec<(Action, u16)>, _) = (Vec::new(), None);
        let choice = self.search(engine, clocks, stop, &mut |info| {
            let search::Score { win, draw, loss } = info.score;
            if info.line == 1 {
                chances = Some([win, draw, loss]);
            }
            if let Some(first) = info.line_of_play.first().filter(|_| self.candidates > 0) {
                candidates.truncate(info.line - 1);
                candidates.push((first.action, win + draw / 2));
            }
        });
        let offer = Offer { action: choice.action, nodes: choice.nodes, candidates, chances };
        offer.replaced(random_action(self.random, engine.view(), &mut self.rng))
    }

    fn search(
        &self,
        engine: &mut Engine,
        clocks: &Clocks,
        stop: &AtomicBool,
        sink: &mut dyn FnMut(&Info),
    ) -> search::Choice {
        let (watch, budget) = (&Stopwatch::start(), self.budget(engine.view(), clocks));
        engine.think(&budget.into(), Control::new(watch, stop), sink)
    }

    fn budget(&self, view: &View, clocks: &Clocks) -> Budget {
        let Limits { nodes, movetime, depth } = self.limits;
        let limits = search::Limits {
            movetime: movetime.map(Duration::from_millis),
            nodes,
            depth: depth.map(|depth| depth as u32),
            time: clocks.left,
            increment: clocks.increment,
            infinite: false,
        };
        // Nothing lies between it and its host.
        limits.budget(view.viewer(), view.position().ply(), Overhead::given(Duration::ZERO))
    }
}

/// Works with the numbers of a variant, or with the engine's own.
fn with<T>(variant: Option<&Variant>, work: impl FnOnce() -> T) -> T {
    match variant {
        Some(variant) => variant.while_doing(work),
        None => work(),
    }
}

/// Any legal action, as often as `share` says.
fn random_action(share: f32, view: &View, rng: &mut Rng) -> Option<Action> {
    (share > 0.0 && rng.unit() < share).then(|| any(view, rng)).flatten()
}

/// A network that plays.
#[derive(Debug)]
struct NetworkPlayer {
    chooser: Chooser,
    random: f32,
    rng: Rng,
}

impl NetworkPlayer {
    fn choose(&mut self, engine: &Engine) -> Offer {
        let view = engine.view();
        let (action, said) = self.chooser.choose(view, engine.pursuits());
        let offer = Offer { chances: Some(permille(&said)), ..Offer::plain(action, 1) };
        offer.replaced(random_action(self.random, view, &mut self.rng))
    }
}

/// Its probabilities of a win, a draw and a loss.
fn permille(evaluation: &Evaluation) -> [u16; 3] {
    [evaluation.win, evaluation.draw, evaluation.loss].map(|share| (share * 1000.0).round() as u16)
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
            Kind::Engine => (View::new(side, rules), Mind::Engine(Box::new(Thinker::new(config, seed)))),
            Kind::Random => (View::new(side, rules), Mind::Random(Box::new(Rng::new(seed)))),
            Kind::Network(policy) => {
                let chooser = Chooser::new(policy, config.limits.nodes, seed);
                let rng = Rng::stream(seed, RANDOM_ACTIONS);
                let player = NetworkPlayer { chooser, random: config.random, rng };
                (View::without_behaviour(side, rules), Mind::Network(Box::new(player)))
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
        self.engine.observe(event).with_context(|| format!("{viewer} cannot follow {event:?}"))?;
        Ok(())
    }

    /// Chooses an action; it must be its turn.
    pub fn choose(&mut self) -> Offer {
        self.choose_by(&Clocks::default(), &AtomicBool::new(false))
    }

    /// As [`choose`](Player::choose), by game clocks; `stop` breaks its thinking off from outside.
    pub fn choose_by(&mut self, clocks: &Clocks, stop: &AtomicBool) -> Offer {
        match &mut self.mind {
            Mind::Random(rng) => Offer::plain(any(self.engine.view(), rng), 0),
            Mind::Engine(thinker) => thinker.choose(&mut self.engine, clocks, stop),
            Mind::Network(player) => player.choose(&self.engine),
        }
    }
}
