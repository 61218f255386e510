//! The program: a server for this machine, or for the network where that is asked for; called with `engine`, the engine
//! itself.

use anyhow::Context;
use clap::{Parser, Subcommand};
use outflank::engine::random_seed;
use outflank::protocol::{ConversationSettings, converse};
use outflank_board::engine::Program;
use outflank_board::house::{House, Limits};
use outflank_board::invitation;
use outflank_board::store::Store;
use outflank_board::token::Token;
use outflank_board::web::{Access, router, serve};
use outflank_record::bounds;
use outflank_record::console::{exit, print};
use std::io::{self, BufReader, IsTerminal};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::net::TcpListener;

/// Play Stratego against Outflank on a page in your browser
#[derive(Parser)]
#[command(name = "outflank-board", version)]
struct Arguments {
    /// The port; 0 takes any free one
    #[arg(long, default_value_t = 8017)]
    port: u16,
    /// Let other devices in this network play: listen on this address of the machine (0.0.0.0: on all); they need the
    /// key that the terminal shows
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// Where games are saved
    #[arg(long, default_value = "outflank-games")]
    folder: PathBuf,
    /// Another engine that speaks SEI 1: its program and arguments, as a shell would take them
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// The greatest number of games at a time
    #[arg(long, default_value_t = Limits::default().games, value_name = "N", value_parser = bounds::at_once)]
    games: usize,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Subcommand)]
enum Part {
    /// Speak SEI 1 on stdin and stdout: what the server starts as its engine
    #[command(hide = true)]
    Engine,
}

fn main() -> ExitCode {
    exit(env!("CARGO_PKG_NAME"), run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match arguments.part {
        Some(Part::Engine) => {
            let settings = ConversationSettings { seed: random_seed(), ..ConversationSettings::default() };
            Ok(converse(Box::new(BufReader::new(io::stdin())), Box::new(io::stdout()), settings)?)
        }
        None => {
            let runtime = tokio::runtime::Runtime::new()?;
            let ended = runtime.block_on(host(arguments));
            // Engines that still think are not waited for: they end with this process.
            runtime.shutdown_background();
            ended
        }
    }
}

async fn host(arguments: &Arguments) -> anyhow::Result<()> {
    let program = match &arguments.engine {
        Some(line) => Program::read(line)?,
        None => Program::itself()?,
    };
    let limits = Limits { games: arguments.games.max(1), ..Limits::default() };
    let house = House::open(Store::open(&arguments.folder)?, Box::new(program), limits)?;
    let address = arguments.listen.unwrap_or(Ipv4Addr::LOCALHOST.into());
    let listener = TcpListener::bind((address, arguments.port))
        .await
        .with_context(|| format!("port {} on {address} (--port 0 takes any free one)", arguments.port))?;
    let access = welcome(arguments, listener.local_addr()?.port())?;
    tokio::spawn(house.clone().look_after());
    house.resume();
    tokio::select! {
        served = serve(listener, router(house, access)) => served,
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}

/// Says where the server is found; who may come.
fn welcome(arguments: &Arguments, port: u16) -> anyhow::Result<Access> {
    let ends = format!("Ctrl+C ends the server; games are saved in {}.\n", arguments.folder.display());
    let Some(listen) = arguments.listen else {
        print(format_args!("Open http://127.0.0.1:{port}/ in your browser. {ends}"))?;
        return Ok(Access::local(port));
    };
    let (addresses, key) = (invitation::addresses(listen)?, Token::new()?);
    let text = invitation::text(&addresses, port, &key, io::stdout().is_terminal())?;
    print(format_args!("{text}{ends}"))?;
    Ok(Access::network(&addresses, port, key))
}
