//! The players: each holds its own view, fed by the referee's events and by nothing else.

use crate::record::PlayerRecord;
use anyhow::{Context, ensure};
use outflank::belief::{Belief, Factor};
use outflank::deploy::Source;
use outflank::dice::Dice;
use outflank::event::Event;
use outflank::rules::{Action, Ruleset, Side};
use outflank::search::{Budget, Choice, Clock, Inquiry, Level, Limits, Task, reflect, search};
use outflank::view::View;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What kind of player.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Kind {
    /// The engine's search.
    Engine,
    /// Any legal action, each as likely.
    Random,
}

impl Kind {
    /// The word in texts and records.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Engine => "engine",
            Kind::Random => "random",
        }
    }
}

/// How a player is told on the command line, as in `name=new,nodes=2000`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Told {
    name: Option<String>,
    kind: Option<Kind>,
    nodes: Option<u64>,
    movetime: Option<u64>,
    level: Level,
    ignores: Ignores,
    setups: Option<Source>,
}

/// Rules and factors of the belief that a player does not reckon with: it follows the game as it is, but thinks as if
/// they did not hold.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Ignores {
    /// It makes no rescue and expects none.
    pub rescue: bool,
    /// It expects every strike to show both ranks.
    pub silent: bool,
    /// It makes nothing of strikes that did not show a rank: what won or was lost there may still be anything.
    pub hints: bool,
    /// Its belief does without these factors, in their order.
    pub factors: [bool; Factor::ALL.len()],
}

impl Ignores {
    /// Whether it does not reckon with a key.
    fn key(&mut self, key: &str) -> Option<&mut bool> {
        match key {
            "rescue" => Some(&mut self.rescue),
            "silent" => Some(&mut self.silent),
            "hints" => Some(&mut self.hints),
            _ => {
                let index = Factor::ALL.into_iter().position(|factor| factor.name() == key)?;
                self.factors.get_mut(index)
            }
        }
    }

    /// The keys it does not reckon with, for records.
    fn keys(self) -> Vec<String> {
        let keys = [(self.rescue, "rescue"), (self.silent, "silent"), (self.hints, "hints")];
        let factors = self.factors.into_iter().zip(Factor::ALL.map(Factor::name));
        keys.into_iter()
            .chain(factors)
            .filter(|(ignored, _)| *ignored)
            .map(|(_, key)| key.to_owned())
            .collect()
    }

    /// Whether it thinks about what the enemy's moves are good for.
    fn reflects(self) -> bool {
        let mut factors = Factor::ALL.into_iter().zip(self.factors);
        factors.any(|(factor, ignored)| factor == Factor::Intents && !ignored)
    }

    /// What it believes of the enemy.
    fn belief(self, view: &View) -> Belief {
        let factors: Vec<Factor> = Factor::ALL
            .into_iter()
            .zip(self.factors)
            .filter(|(_, ignored)| !ignored)
            .map(|(f, _)| f)
            .collect();
        Belief::of_enemies_weighing(view, &factors)
    }

    /// The view that it thinks about.
    fn supposed(self, view: &View) -> Option<View> {
        let rules = *view.position().rules();
        let supposed =
            Ruleset { rescue: rules.rescue && !self.rescue, silent: rules.silent && !self.silent, ..rules };
        let told = (rules.silent && self.hints).then(|| view.forgetting_hints());
        if supposed == rules { told } else { Some(told.as_ref().unwrap_or(view).supposing(supposed)) }
    }
}

const KEYS: &str = "name, player, nodes, movetime, level, setups, rescue, silent, hints, place, firstmove, neighbours, approach, habits, intents";

impl FromStr for Told {
    type Err = anyhow::Error;

    /// Reads `key=value` pairs between commas: `name`, `player` (`engine`, `random`), `nodes`, `movetime`,
    /// `level` (1 to 20), `setups` (`book`, `drawn`), `rescue=ignore`, `silent=ignore`, `hints=ignore`, and the
    /// belief's factors: `place=ignore`, `firstmove=ignore`, `neighbours=ignore`, `approach=ignore`,
    /// `habits=ignore`, `intents=ignore`.
    fn from_str(text: &str) -> anyhow::Result<Told> {
        let mut told = Told::default();
        for word in text.split(',').filter(|word| !word.is_empty()) {
            let (key, value) = word.split_once('=').with_context(|| format!("{word:?} is no key=value"))?;
            let number = || value.parse().with_context(|| format!("{key} does not take {value:?}"));
            match key {
                "name" => told.name = Some(value.to_owned()),
                "nodes" => told.nodes = Some(number()?),
                "movetime" => told.movetime = Some(number()?),
                "level" => told.level = Level::new(number()?).context("levels are 1 to 20")?,
                "player" => {
                    let kind = [Kind::Engine, Kind::Random].into_iter().find(|kind| kind.name() == value);
                    told.kind = Some(kind.with_context(|| format!("no player is called {value:?}"))?);
                }
                "setups" => {
                    let source = Source::ALL.into_iter().find(|source| source.name() == value);
                    told.setups = Some(source.with_context(|| format!("there are no setups {value:?}"))?);
                }
                _ => {
                    let ignored = told.ignores.key(key);
                    *ignored.with_context(|| format!("players have no {key:?}; there are {KEYS}"))? = true;
                    ensure!(value == "ignore", "{key} takes nothing but ignore");
                }
            }
        }
        Ok(told)
    }
}

/// A player's configuration.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Config {
    /// Its name in the contest.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Nodes for an action.
    pub nodes: Option<u64>,
    /// Milliseconds for an action.
    pub movetime: Option<u64>,
    /// How strong it plays.
    pub level: Level,
    /// Rules it does not reckon with.
    pub ignores: Ignores,
    /// Where its own setups come from; if neither player has any, each takes its colour's.
    pub setups: Option<Source>,
}

/// Nodes for an action where no limit is told at all.
const NODES: u64 = 1000;

impl Told {
    /// Fills in what is not told: the name, and the limits that both players share.
    pub fn config(self, name: &str, nodes: Option<u64>, movetime: Option<u64>) -> Config {
        let name = self.name.unwrap_or_else(|| name.to_owned());
        let kind = self.kind.unwrap_or(Kind::Engine);
        let (nodes, movetime) = match (self.nodes, self.movetime) {
            (None, None) => (nodes, movetime),
            own => own,
        };
        let (level, ignores, setups) = (self.level, self.ignores, self.setups);
        match kind {
            Kind::Random => Config { name, kind, nodes: None, movetime: None, level, ignores, setups },
            Kind::Engine => {
                let unlimited = nodes.is_none() && movetime.is_none();
                let nodes = if unlimited { Some(NODES) } else { nodes };
                Config { name, kind, nodes, movetime, level, ignores, setups }
            }
        }
    }
}

impl Config {
    /// As it stands in records.
    pub fn record(&self) -> PlayerRecord {
        PlayerRecord {
            name: self.name.clone(),
            player: self.kind.name().to_owned(),
            nodes: self.nodes,
            movetime: self.movetime,
            level: self.level.is_weaker().then(|| self.level.number()),
            ignores: self.ignores.keys(),
            setups: self.setups.map(|source| source.name().to_owned()),
            ..PlayerRecord::default()
        }
    }

    fn budget(&self, side: Side) -> Budget {
        let movetime = self.movetime.map(Duration::from_millis);
        Limits { nodes: self.nodes, movetime, ..Limits::default() }.budget(side, 0, Duration::ZERO)
    }
}

/// What a player offers.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Offer {
    /// Its action, if it finds one.
    pub action: Option<Action>,
    /// Nodes visited for it.
    pub nodes: u64,
}

/// A player in one game.
#[derive(Debug)]
pub struct Player {
    view: View,
    mind: Mind,
}

#[derive(Debug)]
enum Mind {
    Engine { budget: Budget, seed: u64, level: Level, ignores: Ignores },
    Random(Box<Dice>),
}

impl Player {
    /// The player of `side` at an empty board.
    pub fn new(config: &Config, side: Side, rules: Ruleset, seed: u64) -> Player {
        let mind = match config.kind {
            Kind::Engine => {
                let Config { level, ignores, .. } = *config;
                Mind::Engine { budget: config.budget(side), seed, level, ignores }
            }
            Kind::Random => Mind::Random(Box::new(Dice::new(seed))),
        };
        Player { view: View::new(side, rules), mind }
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
            Mind::Random(dice) => {
                let actions = self.view.position().actions();
                Offer { action: actions.get(dice.below(actions.len())).copied(), nodes: 0 }
            }
            Mind::Engine { budget, seed, level, ignores } => {
                let clock = &Stopwatch(Instant::now());
                let budget = if ignores.reflects() {
                    let stop = &AtomicBool::new(false);
                    reflect(
                        &mut self.view,
                        &Inquiry { budget: *budget, level: *level, seed: *seed, clock, stop },
                    )
                } else {
                    *budget
                };
                let supposed = ignores.supposed(&self.view);
                let view = supposed.as_ref().unwrap_or(&self.view);
                let choice = think(view, &ignores.belief(&self.view), budget, *level, (*seed, clock));
                Offer { action: choice.action, nodes: choice.nodes }
            }
        }
    }
}

/// One search on one thread.
pub(crate) fn think(
    view: &View,
    belief: &Belief,
    budget: Budget,
    level: Level,
    (seed, clock): (u64, &Stopwatch),
) -> Choice {
    let stop = &AtomicBool::new(false);
    let task =
        Task { view, belief, budget, only: &[], seed, lines: 1, level, threads: 1, table: None, clock, stop };
    search(&task, &mut |_| {})
}

pub(crate) struct Stopwatch(pub(crate) Instant);

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> anyhow::Result<Config> {
        Ok(text.parse::<Told>()?.config("a", None, Some(50)))
    }

    #[test]
    fn players_are_told_by_keys() {
        let shared = config("").unwrap();
        assert_eq!((shared.name.as_str(), shared.nodes, shared.movetime), ("a", None, Some(50)));
        let own = config("nodes=20,name=new").unwrap();
        assert_eq!((own.name.as_str(), own.nodes, own.movetime), ("new", Some(20), None));
        let random = config("player=random").unwrap();
        assert_eq!((random.kind, random.nodes, random.movetime), (Kind::Random, None, None));
        assert_eq!(Told::default().config("b", None, None).nodes, Some(NODES));
        let weak = config("level=3").unwrap();
        assert_eq!((weak.level.number(), weak.record().level), (3, Some(3)));
        assert_eq!((shared.level, shared.record().level), (Level::FULL, None));
        let blind = config("rescue=ignore,silent=ignore,hints=ignore").unwrap();
        assert_eq!(blind.record().ignores, ["rescue", "silent", "hints"]);
        let plain = config("neighbours=ignore,habits=ignore").unwrap();
        assert_eq!(plain.record().ignores, ["neighbours", "habits"]);
        assert_eq!(config("setups=drawn").unwrap().record().setups.as_deref(), Some("drawn"));
        for wrong in
            ["setups=none", "nodes", "nodes=x", "speed=1", "player=chess", "rescue=on", "level=0", "level=21"]
        {
            assert!(config(wrong).is_err(), "{wrong}");
        }
    }
}
