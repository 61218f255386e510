//! What a player is told to be: on the command line, in a contest, and as it stands in records.

use crate::policy::Policy;
use anyhow::{Context, anyhow, bail, ensure};
use outflank::deployment::Source;
use outflank::engine::{Ablation, Variant};
use outflank::rules::Side;
use outflank::search::{Budget, Level, Limits, Overhead};
use outflank_record::{PlayerRecord, bounds};
use std::str::FromStr;
use std::time::Duration;

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

    pub(crate) const fn policy(&self) -> Option<&Policy> {
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
    ignores: Ablation,
    setups: Option<Source>,
    random: f32,
    candidates: usize,
    labels: f32,
    variant: Option<Variant>,
}

/// More candidates than any position has actions.
const MOST_CANDIDATES: u64 = 1000;

const KEYS: &str = "name, player, net, temperature, labels, nodes, movetime, level, params, setups, random, candidates, rescue, silent, hints, place, firstmove, history, neighbours, contact, types, moves";

impl FromStr for Told {
    type Err = anyhow::Error;

    /// Reads `key=value` pairs between commas: `name`, `player` (`engine`, `random`, `policy`), `net` (the file of a
    /// policy's network, which is read at once), `temperature` (at which a policy's actions are drawn; 0 for the
    /// likeliest), `labels` (the share of a policy's turns, 0 to 1, that the engine's search labels with its
    /// candidates), `nodes`, `movetime`, `level` (1 to 20), `params` (other tuned numbers, as in
    /// `params=eval.threat=0.6;eval.bluff=0.9`, where the engine is built with the feature `tune`), `setups` (`book`, `drawn`, `shuffled`), `random` (the
    /// share of its actions, 0 to 1, that are any legal action), `candidates` (how many of the root's actions are
    /// recorded with their values), `rescue=ignore`, `silent=ignore`, `hints=ignore`, `policy=ignore` (it
    /// searches without the learned policy), and the belief's likelihoods:
    /// `place=ignore`, `firstmove=ignore`, `history=ignore`, `neighbours=ignore`, `contact=ignore`, `types=ignore`,
    /// `moves=ignore`.
    fn from_str(text: &str) -> anyhow::Result<Told> {
        let mut told = Told::default();
        let (mut player, mut net, mut temperature) = (None, None, None);
        for word in text.split(',').filter(|word| !word.is_empty()) {
            let (key, value) = word.split_once('=').with_context(|| format!("{word:?} is no key=value"))?;
            let whole =
                |least, most| bounds::within(value, least, most).map_err(|error| anyhow!("{key}: {error}"));
            match key {
                "name" => told.name = Some(value.to_owned()),
                "nodes" => told.nodes = Some(whole(1, bounds::MOST_NODES)?),
                "movetime" => told.movetime = Some(whole(1, bounds::MOST_MILLISECONDS)?),
                "level" => told.level = Level::new(whole(1, 20)?).context("levels are 1 to 20")?,
                "player" => player = Some(value),
                "params" => told.variant = Some(Variant::read(&value.replace(';', ","))?),
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
                "labels" => told.labels = read_share(key, value)?,
                "candidates" => told.candidates = whole(0, MOST_CANDIDATES)? as usize,
                _ => {
                    let ignored = told.ignores.key(key);
                    *ignored.with_context(|| format!("players have no {key:?}; there are {KEYS}"))? = true;
                    ensure!(value == "ignore", "{key} takes nothing but ignore");
                }
            }
        }
        let kind = Kind::read(player.unwrap_or("engine"), net, temperature)?;
        let asks = told.labels > 0.0;
        ensure!(!asks || kind.policy().is_some(), "only player=policy has its turns labelled");
        ensure!(!asks || told.candidates > 0, "a search that labels needs candidates to tell");
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
    pub ignores: Ablation,
    /// Where its own setups come from; if neither player has any, each takes its colour's.
    pub setups: Option<Source>,
    /// The share of its actions that are any legal action, so that bad positions are seen, too.
    pub random: f32,
    /// How many of the root's actions are recorded with their values.
    pub candidates: usize,
    /// The share of a policy's turns that the search labels with its candidates, though the policy plays.
    pub labels: f32,
    /// Other tuned numbers than the engine's.
    pub variant: Option<Variant>,
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
            (Kind::Policy(_), _, _) if self.labels == 0.0 => (None, None),
            (Kind::Engine | Kind::Policy(_), None, None) => (Some(NODES), None),
            (Kind::Engine | Kind::Policy(_), nodes, movetime) => (nodes, movetime),
        };
        let Told { level, ignores, setups, random, candidates, labels, variant, .. } = self;
        Config { name, kind, nodes, movetime, level, ignores, setups, random, candidates, labels, variant }
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
            told: self.variant.as_ref().map(|variant| format!("params {}", variant.text())),
            setups: self.setups.map(|source| source.name().to_owned()),
            random: self.random,
            labels: self.labels,
            net: self.kind.policy().map(|policy| policy.file().to_owned()),
            temperature: self.kind.policy().map(Policy::temperature),
            ..PlayerRecord::default()
        }
    }

    pub(crate) fn budget(&self, side: Side) -> Budget {
        let movetime = self.movetime.map(Duration::from_millis);
        Limits { nodes: self.nodes, movetime, ..Limits::default() }.budget(
            side,
            0,
            Overhead::given(Duration::ZERO),
        )
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
        let blind = config("rescue=ignore,silent=ignore,hints=ignore,policy=ignore").unwrap();
        assert_eq!(blind.record().ignores, ["rescue", "silent", "hints", "policy"]);
        let plain = config("neighbours=ignore,types=ignore").unwrap();
        assert_eq!(plain.record().ignores, ["neighbours", "types"]);
        assert_eq!(config("setups=drawn").unwrap().record().setups.as_deref(), Some("drawn"));
        let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/policy/fixture.net");
        let policy = config(&format!("player=policy,net={net},temperature=0.3")).unwrap();
        assert_eq!((policy.nodes, policy.movetime), (None, None));
        let record = policy.record();
        assert_eq!((record.player.as_str(), record.net.as_deref()), ("policy", Some("fixture.net")));
        assert_eq!((record.temperature, shared.record().temperature), (Some(0.3), None));
        let labels = config(&format!("player=policy,net={net},labels=0.5,nodes=20,candidates=3")).unwrap();
        assert_eq!((labels.nodes, labels.record().labels), (Some(20), 0.5));
        assert!(
            config("labels=0.5,candidates=3").is_err()
                && config(&format!("player=policy,net={net},labels=0.5")).is_err()
        );
        if cfg!(feature = "tune") {
            let variant = config("params=eval.threat=0.6;eval.bluff=0.9").unwrap();
            assert_eq!(variant.record().told.as_deref(), Some("params eval.threat=0.6,eval.bluff=0.9"));
        } else {
            assert!(config("params=eval.threat=0.6").is_err());
        }
        for wrong in ["player=policy", "player=policy,net=nowhere.net", "net=nowhere.net", "temperature=1"] {
            assert!(config(wrong).is_err(), "{wrong}");
        }
        assert!(config(&format!("player=policy,net={net},temperature=-1")).is_err());
        for wrong in [
            "nodes=0",
            "nodes=18446744073709551615",
            "movetime=0",
            "movetime=18446744073709551615",
            "candidates=18446744073709551615",
            "random=nan",
            "setups=none",
            "nodes",
            "nodes=x",
            "speed=1",
            "player=chess",
            "rescue=on",
            "level=0",
            "level=21",
        ] {
            assert!(config(wrong).is_err(), "{wrong}");
        }
    }
}
