//! A player of one's own that speaks SEI 1: it strikes where it can, and else moves at random.
//!
//! `cargo build --release --example bot`; the arena hosts it as `cmd=target/release/examples/bot`.

use anyhow::{Context, Result};
use outflank::engine::{choose_setup, random_seed};
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{Action, Position, Preset, Ruleset, Side};
use outflank::view::View;

fn main() -> Result<()> {
    let (mut view, mut rng) = (View::new(Side::Red, Ruleset::default()), Rng::new(random_seed()));
    for line in std::io::stdin().lines() {
        let line = line?;
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["sei"] => println!("id name Striker\nid version 1\nprotocol 1\nseiok"),
            ["isready"] => println!("readyok"),
            ["newgame", name, "rules", ref keys @ ..] => view = View::new(side(name)?, rules(keys)?),
            ["setup", name, army] => view.observe(&Event::Deployed(side(name)?, army.parse()?))?,
            ["play", ply] => view.observe(&Event::Played(ply.parse()?))?,
            ["go", "setup"] => {
                println!("bestsetup {}", choose_setup(view.position().rules(), None, &mut rng));
            }
            ["go", ..] => match choose(view.position(), &mut rng) {
                Some(action) => println!("bestmove {}", action.text(view.position().is_strike(action))),
                None => println!("bestmove none"),
            },
            ["quit"] => break,
            _ => {} // An option, or that the game is over.
        }
    }
    Ok(())
}

/// A strike, if there is one, else any action; of several by chance.
fn choose(position: &Position, rng: &mut Rng) -> Option<Action> {
    let (strikes, steps): (Vec<_>, Vec<_>) =
        position.actions().into_iter().partition(|action| position.is_strike(*action));
    let best = if strikes.is_empty() { steps } else { strikes };
    (!best.is_empty()).then(|| best[rng.below(best.len())])
}

fn side(name: &str) -> Result<Side> {
    Side::BOTH.into_iter().find(|side| side.to_string() == name).context("a side is red or blue")
}

/// The rules as a host says them: `preset=isf scout=on ...`.
fn rules(keys: &[&str]) -> Result<Ruleset> {
    keys.iter().try_fold(Ruleset::default(), |mut rules, key| match key.split_once('=') {
        Some(("preset", name)) => Ok(Ruleset::of(Preset::from_name(name).context("an unknown rule system")?)),
        Some((key, value)) => rules.set(key, value).map(|()| rules).map_err(Into::into),
        None => anyhow::bail!("{key} has no value"),
    })
}
