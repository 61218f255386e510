//! Plays random games and prints how fast the rules went: `cargo run --release --example playouts [preset [games]]`.
//!
//! Every ply lists its legal actions, both repetition rules included, and picks one blindly.

use anyhow::Context;
use outflank::dice::Dice;
use outflank::rules::{Cell, Position, Preset, Rank, Ruleset, Setup, Side};
use std::time::Instant;

/// Random games need not end: stop them here.
const MOST_PLIES: u32 = 2_000;

fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "isf".to_owned());
    let preset = Preset::from_name(&name).with_context(|| format!("no rule system is called {name:?}"))?;
    let games: u32 = words.next().map_or(Ok(2_000), |text| text.parse()).context("games is a number")?;
    let rules = Ruleset::of(preset);
    let (mut plies, mut listed, mut ended) = (0u64, 0u64, 0u32);
    let mut dice = Dice::new(1);
    let mut actions = Vec::new();
    let began = Instant::now();
    for _ in 0..games {
        let mut position = deal(rules, &mut dice);
        while position.ply() < MOST_PLIES {
            position.actions_into(&mut actions);
            if actions.is_empty() {
                ended += 1;
                break;
            }
            listed += actions.len() as u64;
            position.play(actions[dice.below(actions.len())].into())?;
        }
        plies += u64::from(position.ply());
    }
    let seconds = began.elapsed().as_secs_f64();
    println!("{name}: {games} games, {ended} of them ended, {plies} plies, {listed} actions listed");
    println!("{:.0} plies/s, {:.1} actions a ply", plies as f64 / seconds, listed as f64 / plies as f64);
    Ok(())
}

fn deal(rules: Ruleset, dice: &mut Dice) -> Position {
    let mut position = Position::new(rules);
    for side in Side::BOTH {
        position.deploy(side, &shuffled_army(&rules, dice));
    }
    position.settle();
    position
}

fn shuffled_army(rules: &Ruleset, dice: &mut Dice) -> Setup {
    let army = rules.army();
    let ranks = Rank::ALL.into_iter().flat_map(|rank| std::iter::repeat_n(rank, army.count(rank) as usize));
    let mut cells: Vec<Cell> = ranks.map(Cell::Known).collect();
    cells.resize(40, Cell::Empty);
    dice.shuffle(&mut cells);
    Setup(std::array::from_fn(|place| cells[place]))
}
