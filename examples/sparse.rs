//! How fast a sparse network is: `cargo run --release --example sparse -- FILE`.
//!
//! Follows a random game, and evaluates each position with all its actions: from nothing, and from the sums of the position
//! two plies before, by the fastest loops and by the portable ones.

use outflank::deployment;
use outflank::rng::Rng;
use outflank::rules::{BySide, Ruleset, Side};
use outflank::sparse::{Accumulator, Network, Observation, Pursuits, Scratch};
use outflank::view::View;
use outflank_referee::{Events, Referee};
use std::hint::black_box;
use std::time::Instant;

/// Each position is timed so often, and its fastest time counts: the machine may do other things.
const ROUNDS: usize = 100;
/// Plies of the game.
const PLIES: usize = 200;

/// A position of the game, as its mover sees it.
struct Stop {
    view: View,
    pursuits: Pursuits,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("which network? sparse FILE")?;
    let network = Network::read(&std::fs::read(file)?)?;
    println!("{network}");
    let stops = stops()?;
    let actions: usize = stops.iter().map(|stop| stop.view.position().actions().len()).sum();
    println!("{} positions, {:.1} actions each", stops.len(), actions as f64 / stops.len() as f64);
    time("what the player sees", &stops, |stop| _ = black_box(seen(stop)));
    for (loops, network) in [("fastest", network.clone()), ("portable", network.plain())] {
        let mut scratch = Scratch::default();
        time(&format!("from nothing, {loops}"), &stops, |stop| {
            let actions = stop.view.position().actions();
            drop(black_box(network.evaluate_actions(&seen(stop), actions, &mut scratch)));
        });
        let mut accumulators = BySide::from_fn(|_| Accumulator::default());
        time(&format!("from two plies before, {loops}"), &stops, |stop| {
            let (actions, side) = (stop.view.position().actions(), stop.view.viewer());
            let accumulator = &mut accumulators[side];
            drop(black_box(network.evaluate_by(accumulator, &seen(stop), actions, &mut scratch)));
        });
        time(&format!("the value alone, from two plies before, {loops}"), &stops, |stop| {
            let accumulator = &mut accumulators[stop.view.viewer()];
            let _: [f32; 3] = black_box(network.outcome_by(accumulator, &seen(stop), &mut scratch));
        });
    }
    Ok(())
}

fn seen(stop: &Stop) -> Observation {
    Observation::new(&stop.view, &stop.pursuits)
}

/// The positions of a random game.
fn stops() -> Result<Vec<Stop>, Box<dyn std::error::Error>> {
    let (rules, mut rng) = (Ruleset::default(), Rng::new(1));
    let setups = BySide::from_fn(|_| deployment::choose(&rules, None, &mut rng));
    let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue])?;
    let mut views = BySide::from_fn(|side| View::without_behaviour(side, rules));
    let mut pursuits = Pursuits::default();
    let mut stops = Vec::new();
    let show = |views: &mut BySide<View>, events: &Events| {
        views.iter_mut().try_for_each(|(side, view)| view.observe(&events[side]))
    };
    for events in referee.opening() {
        show(&mut views, &events)?;
    }
    while referee.ending().is_none() && stops.len() < PLIES {
        let view = &views[referee.to_move()];
        stops.push(Stop { view: view.clone(), pursuits: pursuits.clone() });
        let actions = view.position().actions();
        let events =
            referee.play(actions[rng.below(actions.len())]).map_err(|refusal| refusal.to_string())?;
        show(&mut views, &events)?;
        pursuits.note_latest(views[Side::Red].position());
    }
    Ok(stops)
}

fn time(what: &str, stops: &[Stop], mut work: impl FnMut(&Stop)) {
    let mut fastest = vec![f64::INFINITY; stops.len()];
    for _ in 0..ROUNDS {
        for (fastest, stop) in fastest.iter_mut().zip(stops) {
            let since = Instant::now();
            work(stop);
            *fastest = fastest.min(since.elapsed().as_secs_f64());
        }
    }
    println!("{what}: {:.1} µs", fastest.iter().sum::<f64>() * 1e6 / stops.len() as f64);
}
