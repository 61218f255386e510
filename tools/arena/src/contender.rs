//! Who plays: a program, how it is spoken to, its options and limits; or a policy network inside this process.

use crate::mirrored::Mirror;
use anyhow::{Context, Error, bail, ensure};
use outflank_record::{PlayerRecord, bounds, command_line};
use outflank_selfplay::policy::Policy;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// A protocol that the arena can host.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Protocol {
    /// SEI 1.
    Sei,
    /// That of the public arena strategoevaluator.
    StrategoEvaluator,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 2] = [Protocol::Sei, Protocol::StrategoEvaluator];

    /// Milliseconds for an action of a player that is told no limit at all; those of the public arena are its own.
    pub const fn movetime(self) -> u64 {
        match self {
            Protocol::Sei => 100,
            Protocol::StrategoEvaluator => 2000,
        }
    }

    /// The word on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Sei => "sei",
            Protocol::StrategoEvaluator => "strategoevaluator",
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

/// One that takes part in a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Its name in the match.
    pub name: String,
    /// The policy network that plays in place of a program.
    pub policy: Option<Policy>,
    /// The program; none for a network.
    pub program: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options by name, in order.
    pub options: Vec<(String, String)>,
    /// What ends its thinking.
    pub limits: Limits,
    /// Whether every game gets a new process.
    pub restart: bool,
    /// Whether it sees the game with left and right exchanged.
    pub mirror: Mirror,
    /// The words it was told by, but for the name.
    told: String,
}

impl Contender {
    /// Reads the words of one engine, `key=value` each: `cmd`, `args`, `name`, `protocol`, `option.<Name>`,
    /// `movetime`, `nodes`, `depth`, `tc` (seconds, as in 60+0.5), `restart` (on, off), `mirror` (off, on, random); or `policy` (a network's file)
    /// and `temperature`. Later words replace earlier ones.
    ///
    /// # Errors
    /// If a word cannot be read, or the program is missing.
    pub fn read(words: &[String]) -> anyhow::Result<Contender> {
        let mut contender = Contender {
            name: String::new(),
            policy: None,
            program: String::new(),
            arguments: Vec::new(),
            protocol: Protocol::Sei,
            options: Vec::new(),
            limits: Limits::default(),
            restart: false,
            mirror: Mirror::Off,
            told: String::new(),
        };
        let mut policy = PolicyWords::default();
        for word in words {
            if !policy.take(word) {
                contender.take(word).with_context(|| format!("engine word {word:?}"))?;
            }
        }
        contender.policy = policy.load()?;
        ensure!(
            !contender.program.is_empty() || contender.policy.is_some(),
            "an engine needs cmd=PROGRAM or policy=FILE"
        );
        if contender.limits.is_none() && contender.policy.is_none() {
            contender.limits.movetime = Some(contender.protocol.movetime());
        }
        contender.check()?;
        if contender.name.is_empty() {
            let stem = Path::new(policy.file.unwrap_or(&contender.program)).file_stem();
            contender.name = stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        }
        let told = words.iter().filter(|word| !word.starts_with("name="));
        contender.told = told.map(String::as_str).collect::<Vec<_>>().join(" ");
        Ok(contender)
    }

    /// Networks have nothing of a program's. Bots of the public arena are told nothing but where they sit.
    fn check(&mut self) -> anyhow::Result<()> {
        if self.policy.is_some() {
            let program = !self.program.is_empty() || !self.arguments.is_empty() || !self.options.is_empty();
            let searches = self.limits.nodes.is_some() || self.limits.depth.is_some();
            ensure!(
                !program && !searches && self.protocol == Protocol::Sei,
                "a policy runs no program and does not search: it takes no cmd, args, protocol, options, nodes or depth"
            );
        }
        match self.protocol {
            Protocol::Sei => {}
            Protocol::StrategoEvaluator => {
                let told =
                    !self.options.is_empty() || self.limits.nodes.is_some() || self.limits.depth.is_some();
                ensure!(
                    !told,
                    "protocol=strategoevaluator takes no options, nodes or depth; limit it by movetime or tc"
                );
                self.restart = true;
            }
        }
        Ok(())
    }

    fn take(&mut self, word: &str) -> anyhow::Result<()> {
        let (key, value) = word.split_once('=').context("it is no key=value, as in cmd=./engine")?;
        let number = |read: fn(&str) -> Result<u64, String>| read(value).map_err(Error::msg);
        match key {
            "cmd" => value.clone_into(&mut self.program),
            "args" => self.arguments = command_line::split(value)?,
            "name" => value.clone_into(&mut self.name),
            "protocol" if value == "evaluator" => bail!("it is called strategoevaluator now"),
            "protocol" => {
                let found = Protocol::ALL.into_iter().find(|protocol| protocol.name() == value);
                self.protocol = found.context("the arena does not speak it")?;
            }
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
            "mirror" => {
                let found = Mirror::ALL.into_iter().find(|mirror| mirror.name() == value);
                self.mirror = found.context("it is off, on or random")?;
            }
            _ => {
                let name = key.strip_prefix("option.").context(
                    "engines have cmd, args, name, protocol, option.NAME, movetime, nodes, depth, tc, restart, mirror, policy, temperature",
                )?;
                self.options.retain(|(other, _)| other != name);
                self.options.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    /// As it stands in records; `about` is how it names itself.
    pub fn record(&self, about: &str) -> PlayerRecord {
        PlayerRecord {
            name: self.name.clone(),
            player: self.policy.as_ref().map_or(self.protocol.name(), |_| "policy").to_owned(),
            told: Some(self.told.clone()),
            engine: (!about.is_empty()).then(|| about.to_owned()),
            nodes: self.limits.nodes,
            movetime: self.limits.movetime,
            net: self.policy.as_ref().map(|policy| policy.file().to_owned()),
            temperature: self.policy.as_ref().map(Policy::temperature),
            ..PlayerRecord::default()
        }
    }
}

/// The words of a policy network.
#[derive(Default)]
struct PolicyWords<'a> {
    file: Option<&'a str>,
    temperature: Option<&'a str>,
}

impl<'a> PolicyWords<'a> {
    /// Takes a word; false if it is none of these.
    fn take(&mut self, word: &'a str) -> bool {
        match word.split_once('=') {
            Some(("policy", file)) => self.file = Some(file),
            Some(("temperature", temperature)) => self.temperature = Some(temperature),
            _ => return false,
        }
        true
    }

    fn load(&self) -> anyhow::Result<Option<Policy>> {
        let Some(file) = self.file else {
            ensure!(self.temperature.is_none(), "temperature= is for a policy, but there is no policy=FILE");
            return Ok(None);
        };
        let temperature = self.temperature.unwrap_or("0");
        let temperature = temperature.parse().with_context(|| format!("temperature {temperature:?}"))?;
        Policy::load(file, temperature).map(Some)
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

    #[test]
    fn engines_are_told_by_words() {
        let told = read("nodes=9 cmd=bin/engine.exe option.Seed=3 tc=60+0.5 nodes=10 restart=on").unwrap();
        assert_eq!((told.name.as_str(), told.program.as_str()), ("engine", "bin/engine.exe"));
        assert_eq!(told.options, [("Seed".to_owned(), "3".to_owned())]);
        assert_eq!(told.limits.go(), " nodes 10");
        let control = Control { base: Duration::from_secs(60), increment: Duration::from_millis(500) };
        assert_eq!((told.limits.control, told.restart), (Some(control), true));
        let bare = read("cmd=x name=bare").unwrap();
        assert_eq!((bare.name.as_str(), bare.limits.movetime), ("bare", Some(100)));
        assert_eq!(bare.record("X 1").told.as_deref(), Some("cmd=x"));
    }

    #[test]
    fn arguments_are_split_as_a_shell_would() {
        let words = ["cmd=/a folder/engine", "args=--book 'my book.txt' \"a b\""].map(str::to_owned);
        let told = Contender::read(&words).unwrap();
        assert_eq!((told.program.as_str(), told.name.as_str()), ("/a folder/engine", "engine"));
        assert_eq!(told.arguments, ["--book", "my book.txt", "a b"]);
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
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(read("cmd=x protocol=chess").is_err());
    }

    #[test]
    fn a_network_takes_the_place_of_a_program() {
        let net = concat!("policy=", env!("CARGO_MANIFEST_DIR"), "/../../tests/policy/fixture.net");
        let told = read(&format!("{net} temperature=0.5")).unwrap();
        assert_eq!((told.name.as_str(), told.limits), ("fixture", Limits::default()));
        let record = told.record("");
        assert_eq!((record.player.as_str(), record.net.as_deref()), ("policy", Some("fixture.net")));
        assert_eq!(record.temperature, Some(0.5));
        assert!(read(&format!("{net} tc=60")).is_ok());
        for wrong in ["cmd=x", "nodes=5", "option.Seed=1", "protocol=strategoevaluator", "temperature=cold"] {
            assert!(read(&format!("{net} {wrong}")).is_err(), "{wrong}");
        }
        for wrong in ["cmd=x temperature=1", "policy=nowhere.net"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
