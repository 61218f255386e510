//! The subcommand.

use super::game::{Plan, Scored};
use super::report::{Question, Report};
use crate::options::{Form, Games, Resampling, Weighing};
use crate::reading::{Unit, each};
use crate::sample::{Sample, Sums};
use clap::Args;
use std::collections::BTreeMap;

/// What is asked.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    games: Games,
    /// Plies between scored positions
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    #[command(flatten)]
    weighing: Weighing,
    #[command(flatten)]
    resampling: Resampling,
    #[command(flatten)]
    form: Form,
}

/// Scores by the unit of games they belong to.
type Units = BTreeMap<Unit, Scored>;

/// Scores the belief about the pieces of the players that were asked for, and prints the answer.
///
/// # Errors
/// If games cannot be read or replayed, or a true rank was held impossible.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { games, every, weighing, resampling, form } = arguments;
    let plan = Plan {
        every,
        about: games.about.clone(),
        likelihoods: weighing.likelihoods(),
        inference_nodes: weighing.inference_nodes,
    };
    let (mut units, mut players) = (Units::new(), BTreeMap::<String, Units>::new());
    let count = each(
        &games,
        |record| Scored::of(record, &plan).map(Some),
        |game| {
            for (side, name) in game.sides() {
                let Some(army) = &game.made[side] else { continue };
                units.entry(game.unit).or_default().merge(army);
                players.entry(name.to_owned()).or_default().entry(game.unit).or_default().merge(army);
            }
        },
    )?;
    let question = Question {
        files: games.names(),
        games: count,
        about: games.about,
        without: weighing.without(),
        every,
        resamples: resampling.resamples,
        seed: resampling.seed,
    };
    let sample = |units: Units| Sample::new(&units.into_values().collect::<Vec<_>>(), resampling);
    let players: Vec<_> = players.into_iter().map(|(name, units)| (name, sample(units))).collect();
    let report = Report::new(question, &sample(units), &players);
    form.print(&report)?;
    report.verify()
}
