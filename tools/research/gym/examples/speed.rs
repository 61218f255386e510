//! How fast the environment is on one core: `cargo run --release -p outflank-gym --example speed [games [plies]]`.
//!
//! Random actions; stepping (referee, both views, legal actions, new games) and encoding are timed apart.

use anyhow::Context;
use outflank::rng::Rng;
use outflank_gym::setups::Mix;
use outflank_gym::{Batch, Environment, Options};
use outflank_record::parse_rules;
use std::time::{Duration, Instant};

fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let mut number = |default: usize| words.next().map_or(Ok(default), |text| text.parse());
    let (games, plies) = (number(256)?, number(2000)?);
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().context("threads")?;
    for text in [
        "isf quiet=200 plies=2000",
        "evaluator quiet=200 plies=2000",
        "isf barrage=on quiet=100",
        "isf silent=on quiet=200",
    ] {
        let options = Options {
            games,
            seed: 1,
            rules: vec![parse_rules(text)?],
            mix: Mix::default(),
            opponents: Vec::new(),
            adviser: None,
            records: false,
        };
        time(text, options, plies)?;
    }
    Ok(())
}

fn time(name: &str, options: Options, plies: usize) -> anyhow::Result<()> {
    let games = options.games;
    let mut environment = Environment::new(options)?;
    let (mut batch, mut rng) = (Batch::default(), Rng::new(3));
    let (mut stepping, mut encoding, mut shown, mut ended) = (Duration::ZERO, Duration::ZERO, 0, 0);
    for step in 0..plies {
        let codes: Vec<u16> =
            environment.games().map(|game| game.codes()[rng.below(game.codes().len())]).collect();
        let began = Instant::now();
        environment.step(&codes)?;
        stepping += began.elapsed();
        ended += environment.finished().flatten().count();
        if step % 20 == 0 {
            let began = Instant::now();
            environment.observe(&mut batch);
            encoding += began.elapsed();
            shown += games;
        }
    }
    let each = encoding.as_secs_f64() * 1e6 / shown as f64;
    let rate = (games * plies) as f64 / stepping.as_secs_f64();
    println!("{name:<32} {rate:>9.0} plies/s   encoding {each:>6.2} us   {ended} games ended");
    Ok(())
}
