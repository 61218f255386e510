//! The players: each holds its own view, fed by the referee's events and by nothing else.

pub use crate::ignores::Ignores;
use crate::policy::{Chooser, Policy};
use crate::record::PlayerRecord;
use anyhow::{Context, bail, ensure};
use outflank::belief::Belief;
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
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The engine's search.
    Engine,
    /// Any legal action, each as likely.
    Random,
    /// The actions of a policy network.
    Policy(Policy),
}

impl Kind {
    /// The word in texts and records.
    pub const fn name(&self) -> &'static str {
        match self {
            Kind::Engine => "engine",
            Kind::Random => "random",
            Kind::Policy(_) => "policy",
        }
    }

    const fn policy(&self) -> Option<&Policy> {
        match self {
            Kind::Policy(policy) => Some(policy),
            Kind::Engine | Kind::Random => None,
        }
    }

    /// The kind of this name; a policy network is read from its file.
    fn read(name: &str, net: Option<&str>, temperature: Option<f32>) -> anyhow::Result<Kind> {
        let kind = match (name, net) {
            ("engine", _) => Kind::Engine,
            ("random", _) => Kind::Random,
            ("policy", Some(net)) => return Ok(Kind::Policy(Policy::load(net, temperature.unwrap_or(0.0))?)),
            ("policy", None) => bail!("player=policy needs net=FILE"),
            _ => bail!("no player is called {name:?}"),
        };
        ensure!(net.is_none() && temperature.is_none(), "only player=policy has net and temperature");
        Ok(kind)
    }
}

/// How a player is told on the command line, as in `name=new,nodes=2000`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    name: Option<String>,
    kind: Option<Kind>,
    nodes: Option<u64>,
    movetime: Option<u64>,
    level: Level,
    ignores: Ignores,
    setups: Option<Source>,
    random: f32,
    candidates: usize,
    asked: f32,
}

const KEYS: &str = "name, player, net, temperature, asked, nodes, movetime, level, setups, random, candidates, rescue, silent, hints, place, firstmove, neighbours, approach, habits, intents";

impl FromStr for Told {
    type Err = anyhow::Error;

    /// Reads `key=value` pairs between commas: `name`, `player` (`engine`, `random`, `policy`), `net` (the file of a policy's
    /// network, which is read at once), `temperature` (at which a policy's actions are drawn; 0 for the likeliest), `asked` (the share
    /// of a policy's turns, 0 to 1, at which the engine's search is asked for its candidates, too), `nodes`, `movetime`,
    /// `level` (1 to 20), `setups` (`book`, `drawn`, `shuffled`), `random` (the share of its actions, 0 to 1, that are any
    /// legal action), `candidates` (how many of the root's actions are recorded with their values), `rescue=ignore`, `silent=ignore`, `hints=ignore`, and the
    /// belief's factors: `place=ignore`, `firstmove=ignore`, `neighbours=ignore`, `approach=ignore`,
    /// `habits=ignore`, `intents=ignore`.
    fn from_str(text: &str) -> anyhow::Result<Told> {
        let mut told = Told::default();
        let (mut player, mut net, mut temperature) = (None, None, None);
        for word in text.split(',').filter(|word| !word.is_empty()) {
            let (key, value) = word.split_once('=').with_context(|| format!("{word:?} is no key=value"))?;
            let number = || value.parse().with_context(|| format!("{key} does not take {value:?}"));
            match key {
                "name" => told.name = Some(value.to_owned()),
                "nodes" => told.nodes = Some(number()?),
                "movetime" => told.movetime = Some(number()?),
                "level" => told.level = Level::new(number()?).context("levels are 1 to 20")?,
                "player" => player = Some(value),
                "net" => net = Some(value),
                "temperature" => {
                    let told = value.parse().with_context(|| format!("{key} does not take {value:?}"));
                    temperature = Some(told?);
                }
                "setups" => {
                    let source = Source::ALL.into_iter().find(|source| source.name() == value);
                    told.setups = Some(source.with_context(|| format!("there are no setups {value:?}"))?);
                }
                "random" => told.random = read_share(key, value)?,
                "asked" => told.asked = read_share(key, value)?,
                "candidates" => told.candidates = number()? as usize,
                _ => {
                    let ignored = told.ignores.key(key);
                    *ignored.with_context(|| format!("players have no {key:?}; there are {KEYS}"))? = true;
                    ensure!(value == "ignore", "{key} takes nothing but ignore");
                }
            }
        }
        let kind = Kind::read(player.unwrap_or("engine"), net, temperature)?;
        let asks = told.asked > 0.0;
        ensure!(!asks || kind.policy().is_some(), "only player=policy has the search asked");
        ensure!(!asks || told.candidates > 0, "a search that is asked needs candidates to tell");
        told.kind = Some(kind);
        Ok(told)
    }
}

fn read_share(key: &str, value: &str) -> anyhow::Result<f32> {
    let share = value.parse::<f32>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.with_context(|| format!("{key} is a share of 0 to 1, not {value:?}"))
}

/// A player's configuration.
#[derive(Clone, Debug, PartialEq)]
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
    /// The share of its actions that are any legal action, so that bad positions are seen, too.
    pub random: f32,
    /// How many of the root's actions are recorded with their values.
    pub candidates: usize,
    /// The share of a policy's turns at which the search is asked for its candidates, though the policy plays.
    pub asked: f32,
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
        let (nodes, movetime) = match (&kind, nodes, movetime) {
            (Kind::Random, _, _) => (None, None),
            (Kind::Policy(_), _, _) if self.asked == 0.0 => (None, None),
            (Kind::Engine | Kind::Policy(_), None, None) => (Some(NODES), None),
            (Kind::Engine | Kind::Policy(_), nodes, movetime) => (nodes, movetime),
        };
        let Told { level, ignores, setups, random, candidates, asked, .. } = self;
        Config { name, kind, nodes, movetime, level, ignores, setups, random, candidates, asked }
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
            random: self.random,
            asked: self.asked,
            net: self.kind.policy().map(|policy| policy.file().to_owned()),
            temperature: self.kind.policy().map(Policy::temperature),
            ..PlayerRecord::default()
        }
    }

    fn budget(&self, side: Side) -> Budget {
        let movetime = self.movetime.map(Duration::from_millis);
        Limits { nodes: self.nodes, movetime, ..Limits::default() }.budget(side, 0, Duration::ZERO)
    }
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
        let task = Task {
            lines: self.candidates.max(1),
            ..plain_task(supposed, &belief, budget, self.level, (self.seed, clock), stop)
        };
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

/// One search on one thread.
pub(crate) fn think(
    view: &View,
    belief: &Belief,
    budget: Budget,
    level: Level,
    (seed, clock): (u64, &Stopwatch),
) -> Choice {
    let stop = &AtomicBool::new(false);
    search(&plain_task(view, belief, budget, level, (seed, clock), stop), &mut |_| {})
}

/// A search on one thread that reports one line.
fn plain_task<'a>(
    view: &'a View,
    belief: &'a Belief,
    budget: Budget,
    level: Level,
    (seed, clock): (u64, &'a Stopwatch),
    stop: &'a AtomicBool,
) -> Task<'a> {
    Task { view, belief, budget, only: &[], seed, lines: 1, level, threads: 1, table: None, clock, stop }
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
        let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/policy/fixture.net");
        let policy = config(&format!("player=policy,net={net},temperature=0.3")).unwrap();
        assert_eq!((policy.nodes, policy.movetime), (None, None));
        let record = policy.record();
        assert_eq!((record.player.as_str(), record.net.as_deref()), ("policy", Some("fixture.net")));
        assert_eq!((record.temperature, shared.record().temperature), (Some(0.3), None));
        let asked = config(&format!("player=policy,net={net},asked=0.5,nodes=20,candidates=3")).unwrap();
        assert_eq!((asked.nodes, asked.record().asked), (Some(20), 0.5));
        assert!(
            config("asked=0.5,candidates=3").is_err()
                && config(&format!("player=policy,net={net},asked=0.5")).is_err()
        );
        for wrong in ["player=policy", "player=policy,net=nowhere.net", "net=nowhere.net", "temperature=1"] {
            assert!(config(wrong).is_err(), "{wrong}");
        }
        assert!(config(&format!("player=policy,net={net},temperature=-1")).is_err());
        for wrong in
            ["setups=none", "nodes", "nodes=x", "speed=1", "player=chess", "rescue=on", "level=0", "level=21"]
        {
            assert!(config(wrong).is_err(), "{wrong}");
        }
    }
}
