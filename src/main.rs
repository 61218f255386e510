//! The engine binary: a conversation on stdin and stdout, or what the arguments ask for.

mod bench;
mod play;

use outflank::arena_bot;
use outflank::engine::{list_parameters, random_seed, set_parameters};
use outflank::protocol::{ConversationSettings, Style, converse, print};
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::process::ExitCode;

const USAGE: &str = "\
usage: outflank                    speak SEI 1 on stdin and stdout (type help)
       outflank play [...]         play against a person, if outflank-play is installed
       outflank bench [<nodes>] [--threads <n>]    measure speed, print a signature of play
       outflank arena-bot [...]    play in the public arena; arena-bot --help tells its options
       outflank --version | --help | params (the numbers that a build for tuning lets be set)";
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn main() -> ExitCode {
    env_logger::init();
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    // A word of `play` may be any file's name.
    let done = match words.split_first() {
        Some((word, rest)) if word == "play" => play::run(rest),
        _ => run(&words.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>()),
    };
    let fail = |error| eprintln!("outflank: {error:#}");
    done.map_err(fail).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

fn run(arguments: &[String]) -> anyhow::Result<()> {
    set_parameters(&std::env::var("OUTFLANK_PARAMS").unwrap_or_default())?;
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            if io::stdin().is_terminal() {
                eprintln!("Outflank {VERSION}. Type help, or begin: newgame red, setup red auto, go");
            }
            talk(Box::new(BufReader::new(io::stdin())))
        }
        ["bench", extent @ ..] => bench::run(extent),
        ["arena-bot", options @ ..] if options.iter().any(|word| ["--help", "-h"].contains(word)) => {
            Ok(print(arena_bot::HELP)?)
        }
        ["arena-bot", ..] => arena_bot::run(&arguments[1..]),
        ["evaluator", ..] => anyhow::bail!("evaluator is called arena-bot now: outflank arena-bot [...]"),
        ["params"] => Ok(print(&list_parameters()?)?),
        ["--version" | "-V"] => Ok(print(&format!("outflank {VERSION}"))?),
        ["--help" | "-h"] => Ok(print(USAGE)?),
        _ => Err(anyhow::anyhow!("{USAGE}")),
    }
}

fn talk(input: Box<dyn BufRead + Send>) -> anyhow::Result<()> {
    let (style, seed) = (Style::of_stdout(), random_seed());
    let settings = ConversationSettings { style, seed, ..ConversationSettings::default() };
    Ok(converse(input, Box::new(io::stdout()), settings)?)
}
