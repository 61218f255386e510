//! What a player is to be: by words, in a match, and as it stands in records.

use crate::network::Policy;
use anyhow::{Context, anyhow, bail, ensure};
use outflank::engine::{Ablation, Variant};
use outflank::search::Level;
use outflank_record::{PlayerRecord, bounds};
use std::str::FromStr;

/// What kind of player.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The engine's search.
    Engine,
    /// Any legal action, each as likely.
    Random,
    /// The actions of a sparse network.
    Network(Policy),
}

impl Kind {
    /// The word in texts and records.
    pub const fn name(&self) -> &'static str {
        match self {
            Kind::Engine => "engine",
            Kind::Random => "random",
            Kind::Network(_) => "network",
        }
    }

    /// The name of its network's file and its temperature.
    fn net(&self) -> Option<(&str, f32)> {
        match self {
            Kind::Network(policy) => Some((policy.file(), policy.temperature())),
            Kind::Engine | Kind::Random => None,
        }
    }

    /// The kind of this name; a network is read from its file.
    fn read(name: &str, net: Option<&str>, temperature: Option<f32>) -> anyhow::Result<Kind> {
        let kind = match (name, net) {
            ("engine", _) => Kind::Engine,
            ("random", _) => Kind::Random,
            ("network", Some(net)) => {
                return Ok(Kind::Network(Policy::load(net, temperature.unwrap_or(0.0))?));
            }
            ("network", None) => bail!("player=network needs net=FILE"),
            _ => bail!("no player is called {name:?}"),
        };
        ensure!(net.is_none() && temperature.is_none(), "only player=network has net and temperature");
        Ok(kind)
    }
}

/// What ends the thinking about one action; the first limit reached does.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Limits {
    /// Nodes.
    pub nodes: Option<u64>,
    /// Milliseconds.
    pub movetime: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u64>,
}

impl Limits {
    /// Those of a player that is given none.
    pub const USUAL: Limits = Limits { nodes: Some(1000), movetime: None, depth: None };

    fn is_none(&self) -> bool {
        *self == Limits::default()
    }
}

/// How a player is described by words, as in `name=new,nodes=2000`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Description {
    name: Option<String>,
    kind: Option<Kind>,
    limits: Limits,
    level: Level,
    ignores: Ablation,
    random: f32,
    candidates: usize,
    variant: Option<Variant>,
}

/// The words that say what kind of player it is: only together do they mean something.
#[derive(Default)]
struct KindWords<'a> {
    player: Option<&'a str>,
    net: Option<&'a str>,
    temperature: Option<f32>,
}

/// More candidates than any position has actions.
const MOST_CANDIDATES: u64 = 1000;

/// The keys that take a value; those of [`Ablation`] take `ignore`.
const KEYS: [&str; 11] = [
    "name",
    "player",
    "net",
    "temperature",
    "nodes",
    "movetime",
    "depth",
    "level",
    "params",
    "random",
    "candidates",
];

/// Every key, as an error lists them.
fn all_keys() -> String {
    let keys: Vec<&str> = KEYS.into_iter().chain(Ablation::all_keys()).collect();
    keys.join(", ")
}

impl FromStr for Description {
    type Err = anyhow::Error;

    /// As [`Description::read`], the words between commas.
    fn from_str(text: &str) -> anyhow::Result<Description> {
        Description::read(text.split(',').filter(|word| !word.is_empty()))
    }
}

impl Description {
    /// Reads words that are `key=value` each: `name`, `player` (`engine`, `random`, `network`), `net` (the file of its
    /// network, which is read at once), `temperature` (at which a network's actions are drawn; 0 for the likeliest),
    /// `nodes`, `movetime`, `depth`, `level` (1 to 20), `params` (other tuned numbers, as in
    /// `params=eval.threat=0.6;eval.bluff=0.9`, where the engine is built with the feature `tune`), `random` (the
    /// share of its actions, 0 to 1, that are any legal action), `candidates` (how many of the root's actions are
    /// recorded with their values), and what it does without, by the keys of [`Ablation`]: `rescue=ignore`,
    /// `policy=ignore` (it searches without the learned policy), or a likelihood of the belief as in `types=ignore`.
    /// Later words replace earlier ones.
    ///
    /// # Errors
    /// If a word cannot be read, or does not go with the others.
    pub fn read<'a>(words: impl Iterator<Item = &'a str>) -> anyhow::Result<Description> {
        let (mut description, mut kind) = (Description::default(), KindWords::default());
        for word in words {
            let (key, value) = word.split_once('=').with_context(|| format!("{word:?} is no key=value"))?;
            if !kind.take(key, value)? {
                description.take(key, value)?;
            }
        }
        description.kind = Some(kind.read()?);
        Ok(description)
    }

    fn take(&mut self, key: &str, value: &str) -> anyhow::Result<()> {
        let whole =
            |least, most| bounds::within(value, least, most).map_err(|error| anyhow!("{key}: {error}"));
        match key {
            "name" => self.name = Some(value.to_owned()),
            "nodes" => self.limits.nodes = Some(whole(1, bounds::MOST_NODES)?),
            "movetime" => self.limits.movetime = Some(whole(1, bounds::MOST_MILLISECONDS)?),
            "depth" => self.limits.depth = Some(whole(1, bounds::MOST_DEPTH)?),
            "level" => self.level = Level::new(whole(1, 20)?).context("levels are 1 to 20")?,
            "params" => self.variant = Some(Variant::read(&value.replace(';', ","))?),
            "random" => self.random = read_share(key, value)?,
            "candidates" => self.candidates = whole(0, MOST_CANDIDATES)? as usize,
            _ => {
                let unknown = || format!("players have no {key:?}; there are {}", all_keys());
                *self.ignores.key(key).with_context(unknown)? = true;
                ensure!(value == "ignore", "{key} takes nothing but ignore");
            }
        }
        Ok(())
    }

    /// Fills in what is not given: the name, and the limits if there is none at all, by [`Limits::USUAL`] if its host has none
    /// either. A network makes playouts where nodes are given.
    pub fn config(self, name: &str, limits: Option<Limits>) -> Config {
        let name = self.name.unwrap_or_else(|| name.to_owned());
        let kind = self.kind.unwrap_or(Kind::Engine);
        let own = if self.limits.is_none() { limits } else { Some(self.limits) };
        let usual = own.unwrap_or(Limits::USUAL);
        let limits = match &kind {
            Kind::Engine => usual,
            Kind::Network(_) => Limits { nodes: own.and_then(|own| own.nodes), ..Limits::default() },
            Kind::Random => Limits::default(),
        };
        let Description { level, ignores, random, candidates, variant, .. } = self;
        Config { name, kind, limits, level, ignores, random, candidates, variant }
    }
}

impl<'a> KindWords<'a> {
    /// Takes a word; false if it is none of these.
    fn take(&mut self, key: &str, value: &'a str) -> anyhow::Result<bool> {
        match key {
            "player" => self.player = Some(value),
            "net" => self.net = Some(value),
            "temperature" => {
                let temperature = value.parse().with_context(|| format!("{key} does not take {value:?}"));
                self.temperature = Some(temperature?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read(&self) -> anyhow::Result<Kind> {
        Kind::read(self.player.unwrap_or("engine"), self.net, self.temperature)
    }
}

fn read_share(key: &str, value: &str) -> anyhow::Result<f32> {
    let share = value.parse::<f32>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.with_context(|| format!("{key} is a share of 0 to 1, not {value:?}"))
}

/// A player's configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Its name in the match.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// What ends its search, if it searches.
    pub limits: Limits,
    /// How strong it plays.
    pub level: Level,
    /// Rules and likelihoods that it does without.
    pub ignores: Ablation,
    /// The share of its actions that are any legal action, so that bad positions are seen, too.
    pub random: f32,
    /// How many of the root's actions are recorded with their values.
    pub candidates: usize,
    /// Other tuned numbers than the engine's.
    pub variant: Option<Variant>,
}

impl Config {
    /// As it stands in records.
    pub fn record(&self) -> PlayerRecord {
        PlayerRecord {
            name: self.name.clone(),
            player: self.kind.name().to_owned(),
            nodes: self.limits.nodes,
            movetime: self.limits.movetime,
            level: self.level.is_weaker().then(|| self.level.number()),
            ignores: self.ignores.keys(),
            told: self.variant.as_ref().map(|variant| format!("params {}", variant.text())),
            random: self.random,
            net: self.kind.net().map(|(file, _)| file.to_owned()),
            temperature: self.kind.net().map(|(_, temperature)| temperature),
            ..PlayerRecord::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> anyhow::Result<Config> {
        let limits = Limits { movetime: Some(50), ..Limits::default() };
        Ok(text.parse::<Description>()?.config("a", Some(limits)))
    }

    #[test]
    fn players_are_described_by_keys() {
        let shared = config("").unwrap();
        assert_eq!((shared.name.as_str(), shared.limits.movetime), ("a", Some(50)));
        let own = config("nodes=20,name=new,depth=3").unwrap();
        let limits = Limits { nodes: Some(20), movetime: None, depth: Some(3) };
        assert_eq!((own.name.as_str(), own.limits), ("new", limits));
        let random = config("player=random,nodes=5").unwrap();
        assert_eq!((random.kind, random.limits), (Kind::Random, Limits::default()));
        let weak = config("level=3").unwrap();
        assert_eq!((weak.level.number(), weak.record().level), (3, Some(3)));
        assert_eq!((shared.level, shared.record().level), (Level::FULL, None));
        let blind = config("rescue=ignore,silent=ignore,hints=ignore,policy=ignore").unwrap();
        assert_eq!(blind.record().ignores, ["rescue", "silent", "hints", "policy"]);
        let plain = config("neighbours=ignore,types=ignore").unwrap();
        assert_eq!(plain.record().ignores, ["neighbours", "types"]);
        for key in Ablation::all_keys() {
            assert!(!KEYS.contains(&key), "{key}");
            assert_eq!(config(&format!("{key}=ignore")).unwrap().record().ignores, [key]);
        }
        assert!(config("speed=1").unwrap_err().to_string().ends_with("types, moves"));
        let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/engine/src/policy/self_play.net");
        let policy = config(&format!("player=network,net={net},temperature=0.3")).unwrap();
        assert_eq!(policy.limits, Limits::default());
        let record = policy.record();
        assert_eq!((record.player.as_str(), record.net.as_deref()), ("network", Some("self_play.net")));
        assert_eq!((record.temperature, shared.record().temperature), (Some(0.3), None));
        let playouts = config(&format!("player=network,net={net},nodes=20")).unwrap();
        assert_eq!(playouts.limits.nodes, Some(20));
        if cfg!(feature = "tune") {
            let variant = config("params=eval.threat=0.6;eval.bluff=0.9").unwrap();
            assert_eq!(variant.record().told.as_deref(), Some("params eval.threat=0.6,eval.bluff=0.9"));
        } else {
            assert!(config("params=eval.threat=0.6").is_err());
        }
        for wrong in ["player=network", "player=network,net=nowhere.net", "net=nowhere.net", "temperature=1"]
        {
            assert!(config(wrong).is_err(), "{wrong}");
        }
        assert!(config(&format!("player=network,net={net},temperature=-1")).is_err());
        for wrong in [
            "nodes=0",
            "nodes=18446744073709551615",
            "movetime=0",
            "movetime=18446744073709551615",
            "candidates=18446744073709551615",
            "random=nan",
            "depth=0",
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
