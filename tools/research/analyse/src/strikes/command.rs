//! The subcommand.

use super::blind::{BlindReport, BlindStrike};
use super::dangers::{DangerReport, Dangers};
use super::game::{Faced, Plan};
use super::{PlayerReport, Report};
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
    #[command(flatten)]
    weighing: Weighing,
    #[command(flatten)]
    resampling: Resampling,
    #[command(flatten)]
    form: Form,
}

/// Looks at what the players that were asked for struck and faced, and prints the answer.
///
/// # Errors
/// If games cannot be read or replayed.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { games, weighing, resampling, form } = arguments;
    let plan = Plan { likelihoods: weighing.likelihoods(), inference_nodes: weighing.inference_nodes };
    let mut dangers = BTreeMap::<Unit, Dangers>::new();
    let mut players = BTreeMap::<String, Vec<BlindStrike>>::new();
    let count = each(
        &games,
        |record| Faced::of(record, &plan, |name| games.wants(name)).map(Some),
        |game| {
            for (side, name) in game.sides() {
                let Some(faced) = &game.made[side] else { continue };
                dangers.entry(game.unit).or_default().merge(&faced.dangers);
                players.entry(name.to_owned()).or_default().extend(&faced.blind);
            }
        },
    )?;
    let dangers = Sample::new(&dangers.into_values().collect::<Vec<_>>(), resampling);
    let player = |(name, strikes): (String, Vec<BlindStrike>)| PlayerReport {
        name,
        strikes: BlindReport::all(&strikes),
    };
    form.print(&Report {
        files: games.names(),
        games: count,
        about: games.about,
        without: weighing.without(),
        resamples: resampling.resamples,
        seed: resampling.seed,
        units: dangers.units,
        players: players.into_iter().map(player).collect(),
        dangers: DangerReport::all(&dangers),
    })
}
