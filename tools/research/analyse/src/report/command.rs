//! The subcommand.

use super::army::Army;
use super::game::Game;
use super::{Question, Report};
use crate::options::{Form, Games};
use crate::reading::each;
use clap::Args;
use std::collections::BTreeMap;

/// What is asked.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    form: Form,
}

/// Adds up the games that have a result, and prints the answer.
///
/// # Errors
/// If games cannot be read, or did not go as recorded.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { games, form } = arguments;
    let mut players = BTreeMap::<String, Vec<Army>>::new();
    let count = each(
        &games,
        |record| (!record.outcome.is_unfinished()).then(|| Game::of(record)).transpose(),
        |game| {
            for (side, name) in game.sides().filter(|(_, name)| games.wants(name)) {
                players.entry(name.to_owned()).or_default().push(Army::of(&game.made, side));
            }
        },
    )?;
    let question = Question { files: games.names(), games: count, about: games.about };
    form.print(&Report::new(question, &players))
}
