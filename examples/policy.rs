//! How fast a policy network is: `cargo run --release --example policy -- FILE`.
//!
//! Evaluates the positions of a random game, by the fastest loops and by the portable ones.

use outflank::deployment;
use outflank::policy::{Network, Scratch, encoding};
use outflank::rng::Rng;
use outflank::rules::{BySide, Ruleset, Side};
use outflank::view::View;
use outflank_referee::{Events, Referee};
use std::hint::black_box;
use std::time::Instant;

/// Each position is timed so often, and its fastest time counts: the machine may do other things.
const ROUNDS: usize = 300;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("which network? policy FILE")?;
    let bytes = std::fs::read(file)?;
    let network = Network::read(&bytes)?;
    let views = views(20, 10)?;
    println!("{network}");
    let (mut planes, mut globals) = (vec![0; encoding::PLANE_BYTES], vec![0; encoding::GLOBALS]);
    time("encoding alone", &views, |view| encoding::encode(view, &mut planes, &mut globals));
    for network in [network.clone(), network.portable()] {
        let mut scratch = Scratch::default();
        time(network.kernel(), &views, |view| drop(black_box(network.evaluate(view, &mut scratch))));
    }
    Ok(())
}

fn time(what: &str, views: &[View], mut work: impl FnMut(&View)) {
    let mut fastest = vec![f64::INFINITY; views.len()];
    for _ in 0..ROUNDS {
        for (fastest, view) in fastest.iter_mut().zip(views) {
            let since = Instant::now();
            work(view);
            *fastest = fastest.min(since.elapsed().as_secs_f64());
        }
    }
    println!("{what}: {:.1} µs a position", fastest.iter().sum::<f64>() * 1e6 / views.len() as f64);
}

/// What the player to move knows, every so many plies of a random game.
fn views(count: usize, every: usize) -> Result<Vec<View>, Box<dyn std::error::Error>> {
    let (rules, mut rng) = (Ruleset::default(), Rng::new(4));
    let setups = BySide::from_fn(|_| deployment::choose(&rules, None, &mut rng));
    let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue])?;
    let mut views = BySide::from_fn(|side| View::without_behaviour(side, rules));
    for events in referee.opening() {
        show(&mut views, &events)?;
    }
    let mut found = Vec::new();
    for ply in 0..count * every {
        let view = &views[referee.to_move()];
        let actions = view.position().actions();
        if actions.is_empty() || referee.ending().is_some() {
            break;
        }
        if ply % every == 0 {
            found.push(view.clone());
        }
        show(&mut views, &referee.play(actions[rng.below(actions.len())])?)?;
    }
    Ok(found)
}

fn show(views: &mut BySide<View>, events: &Events) -> Result<(), outflank::rules::PlayError> {
    views.iter_mut().try_for_each(|(side, view)| view.observe(&events[side]))
}
