//! How fast the rules go: `cargo run --release --example playouts [games [runs]]`.
//!
//! First random games: every ply lists its legal actions, the repetition rules of the rule set included, and picks
//! one blindly. Then what *more squares* costs where it bites: the time of listing the actions of the last positions
//! of the chase cases (`tests/chase_cases.positions`, and the collection that `OUTFLANK_CHASE_CASES` names), with the
//! rule and without. One thread, medians throughout. The counts depend on nothing but the arguments.

use anyhow::Context;
use outflank::deployment;
use outflank::rng::Rng;
use outflank::rules::{Action, Played, Position, Preset, Ruleset, Side};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Random games need not end: stop them here.
const MOST_PLIES: u32 = 2_000;
/// Lists made of one position at a time, and how often in one run: short times, so that few are interrupted.
const LISTS: u32 = 500;
const TIMES: u32 = 10;

fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let mut number = |name: &'static str, default: u32| {
        let number = words.next().map_or(Ok(default), |text| text.parse());
        number.ok().filter(|&number| number > 0).with_context(|| format!("{name} is a number above 0"))
    };
    let (games, runs) = (number("games", 500)?, number("runs", 7)?);
    println!("random games: {games} a run, median of {runs} runs");
    println!("{:<16}{:>12}{:>10}{:>13}{:>10}", "rules", "plies/s", "plies", "actions/ply", "ended");
    for (name, rules) in rule_sets() {
        let mut timed: Vec<(Duration, Counts)> =
            (0..runs).map(|_| play_games(rules, games)).collect::<anyhow::Result<_>>()?;
        timed.sort_by_key(|(time, _)| *time);
        let (time, counts) = &timed[timed.len() / 2];
        println!(
            "{name:<16}{:>12.0}{:>10}{:>13.1}{:>10}",
            counts.plies as f64 / time.as_secs_f64(),
            counts.plies,
            counts.listed as f64 / counts.plies as f64,
            counts.ended
        );
    }
    time_chases("own chase cases", include_str!("../tests/chase_cases.positions"), runs)?;
    match std::env::var_os("OUTFLANK_CHASE_CASES") {
        Some(path) => time_chases("collected chase cases", &std::fs::read_to_string(path)?, runs),
        None => Ok(()),
    }
}

/// Tournament rules first, as those are what the engine plays by; then what changes when a key or all of them do.
fn rule_sets() -> Vec<(String, Ruleset)> {
    let isf = Ruleset::of(Preset::Isf);
    let others = Preset::ALL.into_iter().filter(|&preset| preset != Preset::Isf);
    let mut sets = vec![("isf".to_owned(), isf)];
    sets.push(("isf silent".to_owned(), Ruleset { silent: true, ..isf }));
    sets.push(("isf rescue".to_owned(), Ruleset { rescue: true, ..isf }));
    sets.push(("isf barrage".to_owned(), Ruleset { barrage: true, ..isf }));
    sets.extend(others.map(|preset| (preset.name().to_owned(), Ruleset::of(preset))));
    sets
}

#[derive(Default)]
struct Counts {
    plies: u64,
    listed: u64,
    ended: u32,
}

fn play_games(rules: Ruleset, games: u32) -> anyhow::Result<(Duration, Counts)> {
    let (mut position, mut actions) = (Position::new(rules), Vec::new());
    let (mut rng, mut counts) = (Rng::new(1), Counts::default());
    let began = Instant::now();
    for _ in 0..games {
        deal(&mut position, &mut rng);
        play_on(&mut position, &mut rng, &mut actions, &mut counts)?;
    }
    Ok((began.elapsed(), counts))
}

fn play_on(
    position: &mut Position,
    rng: &mut Rng,
    actions: &mut Vec<Action>,
    counts: &mut Counts,
) -> anyhow::Result<()> {
    while position.ply() < MOST_PLIES {
        position.actions_into(actions);
        if actions.is_empty() {
            counts.ended += 1;
            break;
        }
        counts.listed += actions.len() as u64;
        position.play(actions[rng.below(actions.len())].into())?;
    }
    counts.plies += u64::from(position.ply());
    Ok(())
}

fn deal(position: &mut Position, rng: &mut Rng) {
    position.restart();
    for side in Side::BOTH {
        position.deploy(side, &deployment::shuffled(position.rules(), rng));
    }
    position.settle();
}

fn time_chases(name: &str, text: &str, runs: u32) -> anyhow::Result<()> {
    let cases: Vec<(usize, Position)> =
        text.lines().filter(|line| !line.trim().is_empty()).map(chase).collect::<anyhow::Result<_>>()?;
    println!("\n{name}: {} last positions, median of {} times {LISTS} lists", cases.len(), runs * TIMES);
    println!(
        "{:<6}{:>7}{:>9}{:>12}{:>12}{:>8}",
        "case", "plies", "actions", "with/ns", "without/ns", "ratio"
    );
    let (mut with_all, mut without_all) = (0.0, 0.0);
    for (index, (plies, position)) in cases.iter().enumerate() {
        let (with, without) = time_lists(position, runs);
        let actions = position.actions().len();
        let case = index + 1;
        println!("{case:<6}{plies:>7}{actions:>9}{with:>12.1}{without:>12.1}{:>8.2}", with / without);
        (with_all, without_all) = (with_all + with, without_all + without);
    }
    let (count, ratio) = (cases.len() as f64, with_all / without_all);
    println!("{:<22}{:>12.1}{:>12.1}{ratio:>8.2}", "mean", with_all / count, without_all / count);
    Ok(())
}

/// The position before a case's last ply, and how many plies led to it.
fn chase(line: &str) -> anyhow::Result<(usize, Position)> {
    let mut words = line.split_ascii_whitespace().filter(|word| !matches!(*word, "legal" | "illegal"));
    let mut position = Position::new(Ruleset::default());
    for side in Side::BOTH {
        let setup = words.next().context("a case has two setups")?;
        position.deploy(side, &setup.parse()?);
    }
    position.settle();
    let actions: Vec<&str> = words.collect();
    let (_, before) = actions.split_last().context("a case has plies")?;
    for text in before {
        let played: Played = text.parse().ok().with_context(|| format!("{text} is no action"))?;
        position.play(played)?;
    }
    Ok((before.len(), position))
}

/// Nanoseconds for one list of the actions, with *more squares* and without.
fn time_lists(position: &Position, runs: u32) -> (f64, f64) {
    let mut free = position.clone();
    free.set_rules(Ruleset { moresquares: false, ..*position.rules() });
    let (mut with, mut without): (Vec<f64>, Vec<f64>) =
        (0..runs * TIMES).map(|_| (time_list(position), time_list(&free))).unzip();
    with.sort_by(f64::total_cmp);
    without.sort_by(f64::total_cmp);
    (with[with.len() / 2], without[without.len() / 2])
}

fn time_list(position: &Position) -> f64 {
    let mut actions = Vec::new();
    let began = Instant::now();
    for _ in 0..LISTS {
        black_box(position).actions_into(&mut actions);
        black_box(&actions);
    }
    began.elapsed().as_nanos() as f64 / f64::from(LISTS)
}
