//! Who plays: a program, how it is spoken to, its options and limits; or a player inside this process.

use crate::mirrored::Mirror;
use anyhow::{Context, Error, bail, ensure};
use outflank::deployment::Source;
use outflank::named_enum::named_enum;
use outflank_players::{self as players, Config, Description, Kind};
use outflank_record::{PlayerRecord, bounds, command_line};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

named_enum! {
    /// A protocol that the arena can host.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Protocol {
        /// SEI 1.
        Sei = "sei",
        /// That of the public arena strategoevaluator.
        StrategoEvaluator = "strategoevaluator",
    }
}

impl Protocol {
    /// Milliseconds for an action of a player that is given no limit at all; those of the public arena are its own.
    pub const fn movetime(self) -> u64 {
        match self {
            Protocol::Sei => 100,
            Protocol::StrategoEvaluator => 2000,
        }
    }
}

/// A game clock: so much for the whole game, and so much more for each action.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Control {
    /// The time at the start.
    pub base: Duration,
    /// What each action adds.
    pub increment: Duration,
}

/// What ends a player's thinking; the first limit reached does.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Limits {
    /// Milliseconds for an action.
    pub movetime: Option<u64>,
    /// Nodes for an action.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u64>,
    /// The game clock.
    pub control: Option<Control>,
}

impl Limits {
    /// What a `go` says of them, clocks aside; each word after a blank.
    pub fn go(&self) -> String {
        let mut text = String::new();
        for (name, limit) in [("movetime", self.movetime), ("nodes", self.nodes), ("depth", self.depth)] {
            if let Some(limit) = limit {
                let _ = write!(text, " {name} {limit}");
            }
        }
        text
    }

    fn is_none(&self) -> bool {
        *self == Limits::default()
    }
}

/// A program that plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Its file.
    pub file: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options by name, in order.
    pub options: Vec<(String, String)>,
    /// Variables of its environment besides ours.
    pub environment: Vec<(String, String)>,
}

impl Program {
    /// How it is started.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.file);
        let variables = self.environment.iter().map(|(name, value)| (name, value));
        command.args(&self.arguments).envs(variables);
        command
    }
}

/// Where one plays that takes part in a match.
#[derive(Clone, Debug, PartialEq)]
pub enum Home {
    /// In processes of its own.
    Process(Program),
    /// Inside this process.
    Inside(Box<Config>),
}

/// One that takes part in a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Its name in the match.
    pub name: String,
    /// Where it plays, and what it is.
    pub home: Home,
    /// What ends its thinking.
    pub limits: Limits,
    /// Whether every game gets a new process.
    pub restart: bool,
    /// How long a process may take to answer `sei`.
    pub handshake: Duration,
    /// Whether it sees the game with left and right exchanged.
    pub mirror: Mirror,
    /// Where the arena draws its setups from, if not as everybody's.
    pub setups: Option<Source>,
    /// The words that describe it, but for the name.
    words: String,
}

/// What words say of whoever they describe.
#[derive(Default)]
struct Common {
    name: String,
    limits: Limits,
    restart: bool,
    handshake: Option<u64>,
    mirror: Mirror,
    setups: Option<Source>,
}

/// Milliseconds that a process may take to answer `sei`, unless given: a program that speaks SEI does so at once.
const HANDSHAKE: u64 = 10_000;

const WORDS: &str = "engines have cmd, args, protocol, option.NAME, env.NAME; or player and what goes with it, or \
                     network and temperature; and name, movetime, nodes, depth, tc, restart, handshake, mirror, setups";

impl Contender {
    /// Reads the words of one engine, `key=value` each. A program has `cmd`, `args`, `protocol`, `option.<Name>`,
    /// `env.<NAME>`; a player inside this process `player` (`engine`, `random`, `network`) and the words of
    /// [`Description::read`]; `network=<file>` alone is short for `player=network net=<file>`. All have `name`, `movetime`,
    /// `nodes`, `depth`, `tc` (seconds, as in 60+0.5), `restart` (on, off), `handshake` (milliseconds), `mirror` (off,
    /// on, random) and `setups` (`book`, `drawn`, `shuffled`). Later words replace earlier ones.
    ///
    /// # Errors
    /// If a word cannot be read or does not go with the others, or nothing tells who plays.
    pub fn read(words: &[String]) -> anyhow::Result<Contender> {
        let (mut common, mut own) = (Common::default(), Vec::new());
        for word in words {
            let read = word.split_once('=').context("it is no key=value, as in cmd=./engine");
            let taken = read.and_then(|(key, value)| common.take(key, value));
            if !taken.with_context(|| format!("engine word {word:?}"))? {
                own.push(word.clone());
            }
        }
        let own = long_form(own);
        let inside = own.iter().any(|word| word.starts_with("player="));
        let home = if inside { common.inside(&own)? } else { common.process(&own)? };
        let Common { mut name, limits, restart, handshake, mirror, setups } = common;
        let handshake = Duration::from_millis(handshake.unwrap_or(HANDSHAKE));
        if name.is_empty() {
            name = home.usual_name();
        }
        // How long it is waited for is no part of how it plays.
        let aside = |word: &&String| !word.starts_with("name=") && !word.starts_with("handshake=");
        let words: Vec<&str> = words.iter().filter(aside).map(String::as_str).collect();
        let words = words.join(" ");
        Ok(Contender { name, home, limits, restart, handshake, mirror, setups, words })
    }

    /// As it stands in records; `about` is how it names itself.
    pub fn record(&self, about: &str) -> PlayerRecord {
        let own = match &self.home {
            Home::Process(program) => {
                PlayerRecord { player: program.protocol.name().to_owned(), ..PlayerRecord::default() }
            }
            Home::Inside(config) => config.record(),
        };
        PlayerRecord {
            name: self.name.clone(),
            told: Some(self.words.clone()),
            engine: (!about.is_empty()).then(|| about.to_owned()),
            nodes: self.limits.nodes,
            movetime: self.limits.movetime,
            setups: self.setups.map(|source| source.name().to_owned()),
            ..own
        }
    }

    /// How many of the root's actions its records are to have with their values, if it was asked to say them.
    pub fn candidates(&self) -> usize {
        match &self.home {
            Home::Process(_) => 0,
            Home::Inside(config) => config.candidates,
        }
    }
}

/// `network=FILE` without a player is one that plays by this network.
fn long_form(words: Vec<String>) -> Vec<String> {
    if words.iter().any(|word| word.starts_with("player=")) {
        return words;
    }
    let long = |word: String| match word.strip_prefix("network=") {
        Some(file) => vec!["player=network".to_owned(), format!("net={file}")],
        None => vec![word],
    };
    words.into_iter().flat_map(long).collect()
}

impl Home {
    /// The name of whoever was given none.
    fn usual_name(&self) -> String {
        match self {
            Home::Process(program) => stem(&program.file),
            Home::Inside(config) => match &config.kind {
                Kind::Network(policy) => stem(policy.file()),
                kind @ (Kind::Engine | Kind::Random) => kind.name().to_owned(),
            },
        }
    }
}

fn stem(file: &str) -> String {
    Path::new(file).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

impl Common {
    /// Takes a word; false if it is none that everybody has.
    fn take(&mut self, key: &str, value: &str) -> anyhow::Result<bool> {
        let number = |read: fn(&str) -> Result<u64, String>| read(value).map_err(Error::msg);
        match key {
            "name" => value.clone_into(&mut self.name),
            "movetime" => self.limits.movetime = Some(number(bounds::movetime)?),
            "nodes" => self.limits.nodes = Some(number(bounds::nodes)?),
            "depth" => self.limits.depth = Some(number(bounds::depth)?),
            "tc" => self.limits.control = Some(control(value)?),
            "restart" => {
                self.restart = match value {
                    "on" => true,
                    "off" => false,
                    _ => bail!("it is on or off"),
                }
            }
            "handshake" => self.handshake = Some(number(bounds::movetime)?),
            "mirror" => {
                let found = Mirror::ALL.into_iter().find(|mirror| mirror.name() == value);
                self.mirror = found.context("it is off, on or random")?;
            }
            "setups" => {
                let found = Source::ALL.into_iter().find(|source| source.name() == value);
                self.setups = Some(found.context("they are book, drawn or shuffled")?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A program with these words of its own. Bots of the public arena get nothing but their side.
    fn process(&mut self, words: &[String]) -> anyhow::Result<Home> {
        let mut program = Program {
            file: String::new(),
            arguments: Vec::new(),
            protocol: Protocol::Sei,
            options: Vec::new(),
            environment: Vec::new(),
        };
        for word in words {
            program.take(word).with_context(|| format!("engine word {word:?}"))?;
        }
        ensure!(
            !program.file.is_empty(),
            "an engine needs cmd=PROGRAM, player=engine, player=random or policy=FILE"
        );
        if self.limits.is_none() {
            self.limits.movetime = Some(program.protocol.movetime());
        }
        match program.protocol {
            Protocol::Sei => {}
            Protocol::StrategoEvaluator => {
                let unusable =
                    !program.options.is_empty() || self.limits.nodes.is_some() || self.limits.depth.is_some();
                ensure!(
                    !unusable,
                    "protocol=strategoevaluator knows no options, nodes or depth; movetime and tc judge it"
                );
                self.restart = true;
            }
        }
        Ok(Home::Process(program))
    }

    /// A player inside this process with these words of its own. Limits of time judge whoever does not search, too.
    fn inside(&mut self, words: &[String]) -> anyhow::Result<Home> {
        let Limits { nodes, movetime, depth, control } = self.limits;
        let shared = match (nodes, movetime, depth, control) {
            (None, None, None, None) => None,
            _ => Some(players::Limits { nodes, movetime, depth }),
        };
        let description =
            Description::read(words.iter().map(String::as_str)).context("a player inside the arena")?;
        let config = description.config(&self.name, shared);
        (self.limits.nodes, self.limits.depth) = (config.limits.nodes, config.limits.depth);
        Ok(Home::Inside(Box::new(config)))
    }
}

impl Program {
    fn take(&mut self, word: &str) -> anyhow::Result<()> {
        let (key, value) = word.split_once('=').context(WORDS)?;
        match key {
            "cmd" => value.clone_into(&mut self.file),
            "args" => self.arguments = command_line::split(value)?,
            "protocol" if value == "evaluator" => bail!("it is called strategoevaluator now"),
            "protocol" => {
                let found = Protocol::ALL.into_iter().find(|protocol| protocol.name() == value);
                self.protocol = found.context("the arena does not speak it")?;
            }
            _ => {
                let (name, values) = match key.strip_prefix("env.") {
                    Some(name) => (name, &mut self.environment),
                    None => (key.strip_prefix("option.").context(WORDS)?, &mut self.options),
                };
                ensure!(!name.is_empty(), "it names nothing");
                values.retain(|(other, _)| other != name);
                values.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }
}

/// Reads `60`, `60+0.5`: seconds.
fn control(text: &str) -> anyhow::Result<Control> {
    let seconds = |text: &str| {
        let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let most = Duration::from_millis(bounds::MOST_MILLISECONDS);
        let meant = seconds.filter(|seconds| *seconds <= most);
        meant.with_context(|| format!("it takes seconds up to {}, as in 60+0.5", most.as_secs()))
    };
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let control = Control { base: seconds(base)?, increment: seconds(increment)? };
    ensure!(control.base >= Duration::from_millis(1), "a clock needs at least a millisecond");
    Ok(control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Contender> {
        Contender::read(&text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    fn program(contender: &Contender) -> &Program {
        match &contender.home {
            Home::Process(program) => program,
            Home::Inside(_) => panic!("{contender:?} is no program"),
        }
    }

    #[test]
    fn engines_are_described_by_words() {
        let engine = read("nodes=9 cmd=bin/engine.exe option.Seed=3 tc=60+0.5 nodes=10 restart=on").unwrap();
        let program = program(&engine);
        assert_eq!((engine.name.as_str(), program.file.as_str()), ("engine", "bin/engine.exe"));
        assert_eq!(program.options, [("Seed".to_owned(), "3".to_owned())]);
        assert_eq!(engine.limits.go(), " nodes 10");
        let control = Control { base: Duration::from_secs(60), increment: Duration::from_millis(500) };
        assert_eq!((engine.limits.control, engine.restart), (Some(control), true));
        let bare = read("cmd=x name=bare").unwrap();
        assert_eq!((bare.name.as_str(), bare.limits.movetime), ("bare", Some(100)));
        assert_eq!(bare.record("X 1").told.as_deref(), Some("cmd=x"));
        assert_eq!(bare.handshake, Duration::from_secs(10));
        let slow = read("cmd=lr=0.1/x env.A=1=2 env.B= env.A=3 handshake=60000").unwrap();
        let environment = [("B", ""), ("A", "3")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(self::program(&slow).environment, environment);
        assert_eq!(slow.handshake, Duration::from_secs(60));
        // How long it is waited for may differ where a match is resumed.
        assert_eq!(slow.record("").told.as_deref(), Some("cmd=lr=0.1/x env.A=1=2 env.B= env.A=3"));
    }

    #[test]
    fn arguments_are_split_as_a_shell_would() {
        let words = ["cmd=/a folder/engine", "args=--book 'my book.txt' \"a b\""].map(str::to_owned);
        let engine = Contender::read(&words).unwrap();
        let program = program(&engine);
        assert_eq!((program.file.as_str(), engine.name.as_str()), ("/a folder/engine", "engine"));
        assert_eq!(program.arguments, ["--book", "my book.txt", "a b"]);
    }

    #[test]
    fn other_words_are_refused() {
        for wrong in [
            "name=x",
            "cmd",
            "cmd=x speed=1",
            "cmd=x nodes=0",
            "cmd=x tc=0",
            "cmd=x tc=-1",
            "cmd=x tc=0.0001",
            "cmd=x tc=nan",
            "cmd=x tc=18446744073709552",
            "cmd=x tc=9300000000000000000",
            "cmd=x tc=60+31536001",
            "cmd=x movetime=18446744073709551615",
            "cmd=x nodes=18446744073709551615",
            "cmd=x depth=4294967297",
            "cmd=x args='half",
            "cmd=x restart=maybe",
            "cmd=x mirror=maybe",
            "cmd=x setups=none",
            "cmd=x level=3",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(read("cmd=x protocol=chess").is_err());
    }

    #[test]
    fn a_network_takes_the_place_of_a_program() {
        let net =
            concat!("network=", env!("CARGO_MANIFEST_DIR"), "/../../crates/engine/src/policy/self_play.net");
        let player = read(&format!("{net} temperature=0.5")).unwrap();
        assert_eq!((player.name.as_str(), player.limits), ("self_play", Limits::default()));
        let record = player.record("");
        assert_eq!((record.player.as_str(), record.net.as_deref()), ("network", Some("self_play.net")));
        assert_eq!(record.temperature, Some(0.5));
        assert!(read(&format!("{net} tc=60")).is_ok());
        for wrong in ["cmd=x", "option.Seed=1", "protocol=strategoevaluator", "temperature=cold"] {
            assert!(read(&format!("{net} {wrong}")).is_err(), "{wrong}");
        }
        // Nodes are those of its playouts; `--each` tells everybody other limits, which are of no use to it.
        let limits = read(&format!("{net} nodes=5 depth=3")).unwrap().limits;
        assert_eq!(limits, Limits { nodes: Some(5), ..Limits::default() });
        let long =
            read(&format!("player=network {} temperature=0.5", net.replace("network=", "net="))).unwrap();
        assert_eq!((&long.home, &long.name), (&player.home, &player.name));
        for wrong in ["cmd=x temperature=1", "network=nowhere.net"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn players_inside_are_described_by_words() {
        let engine = read("player=engine nodes=60 level=3 policy=ignore candidates=2 setups=drawn").unwrap();
        assert_eq!((engine.name.as_str(), engine.limits.nodes, engine.candidates()), ("engine", Some(60), 2));
        let record = engine.record("X 1");
        assert_eq!((record.player.as_str(), record.level, record.nodes), ("engine", Some(3), Some(60)));
        assert_eq!((record.setups.as_deref(), record.ignores), (Some("drawn"), vec!["policy".to_owned()]));
        assert_eq!(
            record.told.as_deref(),
            Some("player=engine nodes=60 level=3 policy=ignore candidates=2 setups=drawn")
        );
        let limits = |words: &str| read(words).unwrap().limits;
        assert_eq!(limits("player=engine"), Limits { nodes: Some(1000), ..Limits::default() });
        assert_eq!(limits("player=engine depth=2"), Limits { depth: Some(2), ..Limits::default() });
        assert_eq!(limits("player=random nodes=7"), Limits::default());
        let clocked = read("player=engine tc=60").unwrap();
        assert!(clocked.limits.nodes.is_none() && clocked.limits.control.is_some());
        for wrong in ["player=chess", "player=engine cmd=x", "player=random net=x", "player=engine level=21"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
