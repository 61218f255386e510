//! The command line.

use anyhow::{Context, bail, ensure};
use clap::builder::NonEmptyStringValueParser;
use clap::error::{Error, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use outflank::engine::Ablation;
use outflank::rules::Side;
use outflank_arena::check;
use outflank_arena::gauntlet::{STYLES, usual_styles};
use outflank_arena::html::command as html;
use outflank_arena::panel::{Opponent, expand};
use outflank_arena::replay::Eyes;
use outflank_arena::shard::Shard;
use outflank_arena::statistics::{MOST_ELO, Model, Sprt};
use outflank_record::bounds::{self, MOST_GAMES};
use outflank_record::command_line;
use std::path::PathBuf;

/// Milliseconds that an engine without a limit of time is waited for, unless given: ten minutes, as a busy machine takes
/// a hundred times as long as a quiet one, and no engine loses by that.
const PATIENCE: u64 = 600_000;

/// Matches between Stratego engines.
#[derive(Parser)]
#[command(version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Play a match
    Match(Box<Match>),
    /// Play an engine against the scripted styles and others
    Gauntlet(Box<Gauntlet>),
    /// Measure an engine against a panel of strangers, and compare it with another
    Panel(Box<PanelRun>),
    /// Fit how much of a result is the luck of strikes, and print the model
    Luck(LuckFit),
    /// Walk an engine through SEI 1, step by step
    Check(check::Arguments),
    /// Put the records of shards together
    Merge(Merge),
    /// Step through a game
    Replay(Shown),
    /// Make a page for looking at a game, or at all games of a file
    Html(html::Arguments),
    /// Check every action of every game again
    Verify {
        /// The records; - for standard input
        file: PathBuf,
    },
    /// The table of a match, and how its games went
    Stats {
        /// The records; - for standard input
        file: PathBuf,
        #[command(flatten)]
        sprt: Test,
    },
}

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Match {
    #[command(flatten)]
    pub(crate) engines: Engines,
    /// Words for every engine, before its own: --each nodes=1000 option.Threads=1
    #[arg(long, num_args = 1.., value_name = "WORD")]
    pub(crate) each: Vec<String>,
    /// Games between each two engines; an even number, as each pair of setups is played with both colours
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub(crate) games: u64,
    /// The first engine plays all others; the others do not play each other
    #[arg(long)]
    pub(crate) gauntlet: bool,
    /// Games at once; by default one for each core
    #[arg(long, value_parser = bounds::at_once)]
    pub(crate) concurrency: Option<usize>,
    /// Preset and keys, as in "gravon twosquares=3", or "random": drawn for each pair of games
    #[arg(long, default_value = "isf")]
    pub(crate) rules: String,
    /// A draw after this many plies, unless the rules set their own number; 0 for no limit
    #[arg(long, default_value_t = 2000)]
    pub(crate) max_plies: u32,
    /// Seeds setups and engines
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// A file of setups, one a line, to play instead of drawn ones
    #[arg(long)]
    pub(crate) book: Option<PathBuf>,
    /// The engines choose their own setups; games then are not in pairs
    #[arg(long, conflicts_with = "book")]
    pub(crate) own_setups: bool,
    /// New setups for every game, instead of pairs with colours swapped
    #[arg(long)]
    pub(crate) no_pairs: bool,
    /// Milliseconds an action may take beyond its limit
    #[arg(long, default_value_t = 100, value_parser = bounds::milliseconds)]
    pub(crate) margin: u64,
    /// Milliseconds of silence, by an engine without a limit of time, after which its game is broken off without a
    /// result
    #[arg(long, default_value_t = PATIENCE, value_parser = bounds::milliseconds)]
    pub(crate) patience: u64,
    /// End a game once both engines expect at least this many permille of the points for the same side, as in 970
    #[arg(long, value_name = "PERMILLE", value_parser = clap::value_parser!(u32).range(501..=1000))]
    pub(crate) adjudicate: Option<u32>,
    /// For how many of its own actions in a row each engine has to expect it
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) adjudicate_actions: u32,
    #[command(flatten)]
    pub(crate) sprt: Test,
    /// Where the records go, one game a line
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the file: keep its games and play the others
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// Play only a share of the match: 2/5 is the second of five
    #[arg(long, conflicts_with = "sprt")]
    pub(crate) shard: Option<Shard>,
    /// Leave times out of the records
    #[arg(long)]
    pub(crate) no_clocks: bool,
    /// Show the match on a page for this machine's browsers, at this port; 0 takes any free one
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8018")]
    pub(crate) serve: Option<u16>,
}

/// The first `--engine` plays every style, and every other `--engine`; all choose their setups.
#[derive(Args)]
pub(crate) struct Gauntlet {
    #[command(flatten)]
    pub(crate) engines: Engines,
    /// Words for every engine, before its own: --each nodes=1000 option.Threads=1
    #[arg(long, num_args = 1.., value_name = "WORD")]
    pub(crate) each: Vec<String>,
    /// Only these styles, as in --styles chaser turtle; by default all but ordinary, without a name none
    #[arg(long, num_args = 0.., value_name = "NAME")]
    pub(crate) styles: Option<Vec<String>>,
    /// The program of the styles; by default outflank-style beside this program
    #[arg(long, value_name = "FILE")]
    pub(crate) style_program: Option<PathBuf>,
    /// Games against each
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub(crate) games: u64,
    /// Games at once; by default one for each core
    #[arg(long, value_parser = bounds::at_once)]
    pub(crate) concurrency: Option<usize>,
    /// Preset and keys, as in "gravon twosquares=3"
    #[arg(long, default_value = "isf")]
    pub(crate) rules: String,
    /// A draw after this many plies, unless the rules set their own number; 0 for no limit
    #[arg(long, default_value_t = 2000)]
    pub(crate) max_plies: u32,
    /// Seeds setups and engines
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Milliseconds an action may take beyond its limit
    #[arg(long, default_value_t = 100, value_parser = bounds::milliseconds)]
    pub(crate) margin: u64,
    /// Milliseconds of silence, by an engine without a limit of time, after which its game is broken off without a
    /// result
    #[arg(long, default_value_t = PATIENCE, value_parser = bounds::milliseconds)]
    pub(crate) patience: u64,
    /// Where the records go, one game a line
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Go on with the file: keep its games and play the others
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
}

/// The engine plays every opponent of the panel; all choose their setups.
#[derive(Args)]
pub(crate) struct PanelRun {
    /// Who plays, how many games, and by which rules: a file in TOML
    pub(crate) panel: PathBuf,
    /// The engine to measure, given by words; the panel adds its limits
    #[arg(long, num_args = 1.., required = true, value_name = "WORD", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) engine: Vec<String>,
    /// The folder of its games, a file for each opponent; games that are there are kept, the others played
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Compare with the games of another engine, in a folder of the same kind
    #[arg(long, value_name = "FOLDER")]
    pub(crate) against: Option<PathBuf>,
    /// Play nothing: print the table of the games that are there
    #[arg(long)]
    pub(crate) table: bool,
    /// Play this share of the games that the panel has
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    pub(crate) share: f64,
    /// Only these opponents
    #[arg(long, num_args = 1.., value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// All opponents but these
    #[arg(long, num_args = 1.., value_name = "NAME")]
    pub(crate) without: Vec<String>,
    /// Play only a part of each opponent's games, into a file of its own: 2/5 is the second of five
    #[arg(long)]
    pub(crate) shard: Option<Shard>,
    /// The program of the styles; by default outflank-style beside this program
    #[arg(long, value_name = "FILE")]
    pub(crate) style_program: Option<PathBuf>,
    /// Games at once; by default one for each core
    #[arg(long, value_parser = bounds::at_once)]
    pub(crate) concurrency: Option<usize>,
    /// Milliseconds an action may take beyond its limit
    #[arg(long, default_value_t = 100, value_parser = bounds::milliseconds)]
    pub(crate) margin: u64,
    /// Milliseconds of silence, by an engine without a limit of time, after which its game is broken off without a
    /// result
    #[arg(long, default_value_t = PATIENCE, value_parser = bounds::milliseconds)]
    pub(crate) patience: u64,
}

/// Games at once: as many as given, or one for each core.
pub(crate) fn at_once(given: Option<usize>) -> std::io::Result<usize> {
    given.map_or_else(|| std::thread::available_parallelism().map(usize::from), Ok)
}

/// A share of something: above 0, up to 100 times.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 100.0);
    share.ok_or_else(|| "a share lies above 0, and not above 100".to_owned())
}

impl PanelRun {
    /// The match against one opponent.
    pub(crate) fn to_match(&self, opponent: &Opponent) -> anyhow::Result<Match> {
        let look = |name: &str| std::env::var(name).ok();
        let words =
            |words: &[String]| words.iter().map(|word| expand(word, look)).collect::<Result<Vec<_>, _>>();
        let mut measured = self.engine.clone();
        measured.extend(words(&opponent.engine)?);
        let mut other = match &opponent.style {
            Some(style) => style_words(&style_program(self.style_program.as_ref())?, style),
            None => words(&opponent.words)?,
        };
        other.push(format!("name={}", opponent.name));
        Ok(Match {
            engines: Engines(vec![measured, other]),
            games: opponent.games,
            concurrency: self.concurrency,
            rules: opponent.rules.clone(),
            max_plies: opponent.max_plies,
            seed: opponent.seed,
            margin: self.margin,
            patience: self.patience,
            out: Some(self.file(&opponent.name)),
            resume: true,
            shard: self.shard,
            ..Match::of_own_setups()
        })
    }

    /// Where the games against an opponent go.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        let part =
            self.shard.map_or_else(String::new, |shard| format!(".{}-of-{}", shard.index + 1, shard.count));
        self.out.join(format!("{name}{part}.jsonl"))
    }
}

#[derive(Args)]
pub(crate) struct LuckFit {
    /// Records of games in which the engine reported its scores
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Whose strikes: the name of a player
    #[arg(long)]
    pub(crate) about: String,
    /// What the games are, for whoever reads the model
    #[arg(long)]
    pub(crate) source: String,
}

impl Match {
    /// A match without games, in which both choose their setups.
    fn of_own_setups() -> Match {
        Match {
            engines: Engines(Vec::new()),
            each: Vec::new(),
            games: 0,
            gauntlet: true,
            concurrency: None,
            rules: String::new(),
            max_plies: 0,
            seed: 0,
            book: None,
            own_setups: true,
            no_pairs: true,
            margin: 0,
            patience: 0,
            adjudicate: None,
            adjudicate_actions: 1,
            sprt: Test { sprt: Vec::new() },
            out: None,
            resume: false,
            shard: None,
            no_clocks: false,
            serve: None,
        }
    }
}

impl Gauntlet {
    /// The match that it is.
    pub(crate) fn to_match(&self) -> anyhow::Result<Match> {
        let (measured, others) = self.engines.0.split_first().context("a gauntlet needs an --engine")?;
        let with_each = |own: &Vec<String>| self.each.iter().chain(own).cloned().collect();
        let mut engines = vec![with_each(measured)];
        engines.extend(self.style_words()?);
        engines.extend(others.iter().map(with_each));
        Ok(Match {
            engines: Engines(engines),
            games: self.games,
            concurrency: self.concurrency,
            rules: self.rules.clone(),
            max_plies: self.max_plies,
            seed: self.seed,
            margin: self.margin,
            patience: self.patience,
            out: self.out.clone(),
            resume: self.resume,
            ..Match::of_own_setups()
        })
    }

    /// The words of each style.
    fn style_words(&self) -> anyhow::Result<Vec<Vec<String>>> {
        let names = match &self.styles {
            Some(names) => names.clone(),
            None => usual_styles().iter().map(|name| (*name).to_owned()).collect(),
        };
        // Another program has styles of its own.
        let unknown = names.iter().find(|name| !STYLES.contains(&name.as_str()));
        if let (Some(name), None) = (unknown, &self.style_program) {
            bail!("no style is called {name:?}; there are {}", STYLES.join(", "));
        }
        let program = style_program(self.style_program.as_ref())?;
        Ok(names.iter().map(|name| style_words(&program, name)).collect())
    }
}

/// The program of the styles: the one that is given, or the one beside this program.
fn style_program(given: Option<&PathBuf>) -> anyhow::Result<String> {
    let beside = || Ok(std::env::current_exe()?.with_file_name(STYLE_PROGRAM));
    let program: anyhow::Result<PathBuf> = given.cloned().map_or_else(beside, Ok);
    Ok(program?.to_str().context("the path of the styles' program is not UTF-8")?.to_owned())
}

/// The words of a style. It chooses at once, so that no limit of time is for it.
fn style_words(program: &str, name: &str) -> Vec<String> {
    let arguments = command_line::join(&[name.to_owned()]);
    vec![format!("cmd={program}"), format!("args={arguments}"), format!("name={name}"), "nodes=1".to_owned()]
}

/// The program of the styles.
const STYLE_PROGRAM: &str = if cfg!(windows) { "outflank-style.exe" } else { "outflank-style" };

#[derive(Args)]
pub(crate) struct Merge {
    /// The records of the shards
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The file to write
    #[arg(long)]
    pub(crate) out: PathBuf,
}

#[derive(Args)]
pub(crate) struct Shown {
    /// The records; - is standard input
    pub(crate) file: PathBuf,
    /// The game's number; by default the first in the file
    #[arg(long)]
    pub(crate) game: Option<u64>,
    /// Whose view
    #[arg(long, value_enum, default_value_t = Whose::Truth)]
    pub(crate) side: Whose,
    /// After how many plies to begin
    #[arg(long)]
    pub(crate) ply: Option<usize>,
}

#[derive(Copy, Clone, ValueEnum)]
pub(crate) enum Whose {
    Red,
    Blue,
    Truth,
}

impl From<Whose> for Eyes {
    fn from(whose: Whose) -> Eyes {
        match whose {
            Whose::Red => Eyes::Player(Side::Red),
            Whose::Blue => Eyes::Player(Side::Blue),
            Whose::Truth => Eyes::Truth,
        }
    }
}

/// The words of each `--engine`.
pub(crate) struct Engines(pub(crate) Vec<Vec<String>>);

impl FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Engines, Error> {
        let engines = matches.get_occurrences::<String>("engine");
        let engines = engines.ok_or_else(|| Error::new(ErrorKind::MissingRequiredArgument))?;
        Ok(Engines(engines.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Engines::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        let engine = Arg::new("engine").long("engine").value_name("WORD").num_args(1..).required(true);
        let engine = engine.action(ArgAction::Append).value_parser(NonEmptyStringValueParser::new());
        let keys = Ablation::all_keys().collect::<Vec<_>>().join(", ");
        command.arg(engine.help("One engine, described by words").long_help(format!(
            "One engine, described by words\n\n\
             A program:\n\
             \u{20} cmd=PROGRAM args=\"...\" name=NAME option.NAME=VALUE\n\
             \u{20} movetime=MS nodes=N depth=N tc=SECONDS+INCREMENT: its limits; movetime=100 if there is none\n\
             \u{20} restart=on: a new process for every game; env.NAME=VALUE: a variable of its environment\n\
             \u{20} handshake=MS: how long it may take to answer `sei`, 10000 if not given\n\
             \u{20} mirror=on, mirror=random: left and right exchanged, or that in half of the games\n\
             \u{20} setups=book, drawn or shuffled: where the arena draws its setups\n\
             \u{20} protocol=strategoevaluator: a bot of that arena; needs --rules evaluator, and in a match\n\
             \u{20}   --own-setups\n\n\
             A player inside this process:\n\
             \u{20} player=engine and limits, nodes=1000 if there is none; level=1 to 20; random=SHARE of its actions;\n\
             \u{20}   candidates=N that are recorded; params=NAME=VALUE,... (built with the feature tune);\n\
             \u{20}   and what it plays without, each =ignore:\n\
             \u{20}   {keys}\n\
             \u{20} player=random\n\
             \u{20} player=network net=FILE temperature=T (0, the likeliest action, if not given): a network that\n\
             \u{20}   outflank-learn taught; nodes=N: with playouts that look at so many positions;\n\
             \u{20}   network=FILE is short for it",
        )))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Engines::augment_args(command)
    }
}

/// A test of two engines.
#[derive(Args)]
pub(crate) struct Test {
    /// A sequential test; a match stops as soon as it has decided: --sprt elo0=0 elo1=20 alpha=0.05 beta=0.05
    /// model=logistic
    #[arg(long, num_args = 1.., value_name = "WORD")]
    sprt: Vec<String>,
}

impl Test {
    /// The test that is given, if any.
    pub(crate) fn test(&self) -> anyhow::Result<Option<Sprt>> {
        if self.sprt.is_empty() {
            return Ok(None);
        }
        let mut test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        for word in &self.sprt {
            let (key, value) =
                word.split_once('=').with_context(|| format!("SPRT: {word:?} is no key=value"))?;
            let number =
                || value.parse::<f64>().with_context(|| format!("SPRT: {key} does not take {value:?}"));
            let elo = || {
                let elo = number()?;
                ensure!(elo.abs() <= MOST_ELO, "SPRT: {key} is at most {MOST_ELO} either way");
                Ok(elo)
            };
            match key {
                "elo0" => test.elo0 = elo()?,
                "elo1" => test.elo1 = elo()?,
                "alpha" => test.alpha = number()?,
                "beta" => test.beta = number()?,
                "model" => {
                    let model = Model::ALL.into_iter().find(|model| model.name() == value);
                    test.model = model.context("SPRT: the model is logistic or normalized")?;
                }
                _ => bail!("an SPRT has elo0, elo1, alpha, beta and model, not {key:?}"),
            }
        }
        ensure!(test.elo0 < test.elo1, "an SPRT needs elo0 below elo1");
        let chance = |chance: f64| chance > 0.0 && chance < 0.5;
        ensure!(chance(test.alpha) && chance(test.beta), "an SPRT's alpha and beta lie between 0 and 0.5");
        Ok(Some(test))
    }
}
