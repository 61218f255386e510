//! What the belief costs: microseconds for the chances of all pieces, for a world in batches of 1,000, and for one
//! observed move; and how far a batch's shares are from those of a long run.
//!
//! `cargo run --release --example belief`

use anyhow::Context;
use outflank::belief::{Belief, World};
use outflank::deployment::{choose, shuffled};
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{ByRank, RankSet, Ruleset, Setup, Side};
use outflank::view::View;
use std::time::Instant;

/// Worlds of a batch.
const BATCH: usize = 1000;
/// Batches of a long run.
const BATCHES: usize = 60;

/// What Red knows when Blue has shown all but `unknown` pieces.
fn view(unknown: usize, rng: &mut Rng) -> anyhow::Result<View> {
    let rules = Ruleset::default();
    let mut view = View::new(Side::Red, rules);
    view.observe(&Event::Deployed(Side::Red, choose(&rules, None, rng)))?;
    view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN))?;
    let army = Belief::of_enemies(&view).sample(1, rng);
    let mut pieces: Vec<_> = army.iter().flat_map(World::ranks).copied().collect();
    rng.shuffle(&mut pieces);
    for &(id, rank) in pieces.iter().skip(unknown) {
        anyhow::ensure!(view.tell(id, RankSet::only(rank)), "a world that does not fit");
    }
    Ok(view)
}

/// Microseconds that one call takes, the median of several rounds of some.
fn time<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut rounds: Vec<f64> = (0..9)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..20 {
                std::hint::black_box(call());
            }
            start.elapsed().as_secs_f64() * 1e6 / 20.0
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

/// Share of each rank by piece.
fn shares(worlds: &[World]) -> Vec<ByRank<f64>> {
    let mut shares = vec![ByRank::filled(0.0); worlds.first().map_or(0, |world| world.ranks().len())];
    for world in worlds {
        for (shares, (_, rank)) in shares.iter_mut().zip(world.ranks()) {
            shares[*rank] += 1.0 / worlds.len() as f64;
        }
    }
    shares
}

/// Mean absolute difference in points, over what is open at all.
fn gap<'a>(one: impl Iterator<Item = &'a ByRank<f64>>, other: impl Iterator<Item = &'a ByRank<f64>>) -> f64 {
    let cells = one
        .flat_map(ByRank::values)
        .zip(other.flat_map(ByRank::values))
        .filter(|(one, other)| **one > 0.0 && **other < 1.0);
    let (sum, count) = cells.fold((0.0, 0), |(sum, count), (a, b)| (sum + (a - b).abs(), count + 1));
    100.0 * sum / f64::from(count.max(1))
}

fn report(unknown: usize, rng: &mut Rng) -> anyhow::Result<()> {
    let view = view(unknown, rng)?;
    let marginals = time(|| Belief::of_enemies(&view));
    let belief = Belief::of_enemies(&view);
    let world = time(|| belief.sample(BATCH, rng)) / BATCH as f64;
    let batches: Vec<_> = (0..BATCHES).map(|_| shares(&belief.sample(BATCH, rng))).collect();
    let long: Vec<ByRank<f64>> = (0..batches[0].len())
        .map(|piece| {
            ByRank::from_fn(|rank| {
                batches.iter().map(|batch| batch[piece][rank]).sum::<f64>() / BATCHES as f64
            })
        })
        .collect();
    let off = batches.iter().map(|batch| gap(long.iter(), batch.iter())).sum::<f64>() / BATCHES as f64;
    let believed: Vec<_> =
        belief.pieces().iter().map(|(_, probabilities)| probabilities.map(f64::from)).collect();
    println!(
        "{unknown:7} {marginals:16.0} {world:14.2} {off:18.2} {:22.2}",
        gap(long.iter(), believed.iter())
    );
    Ok(())
}

/// A move seen, and what it makes the belief.
fn observed(rng: &mut Rng) -> anyhow::Result<f64> {
    let mut view = view(40, rng)?;
    let action = view.position().actions().first().copied().context("no move to make")?;
    Ok(time(|| {
        let seen = view.observe(&Event::Played(action.into())).is_ok();
        let belief = Belief::of_enemies(&view);
        view.undo();
        (seen, belief.pieces().len())
    }))
}

fn main() -> anyhow::Result<()> {
    let mut rng = Rng::new(1);
    // Tables are made at the first call.
    std::hint::black_box(shuffled(&Ruleset::default(), &mut rng));
    let first = Instant::now();
    let view_of_all = view(40, &mut rng)?;
    println!("first belief, with its tables: {:.1} ms", first.elapsed().as_secs_f64() * 1e3);
    drop(view_of_all);
    println!("unknown  all chances, µs  one world, µs  batch off, points  chances off, points");
    for unknown in [40, 30, 20, 15, 12, 8] {
        report(unknown, &mut rng)?;
    }
    println!("one move observed, all chances renewed: {:.0} µs", observed(&mut rng)?);
    Ok(())
}
