//! The options of `outflank arena-bot`.

use anyhow::{Context, bail};
use outflank_engine::engine::random_seed;
use outflank_engine::search::{Budget, Limits, Overhead};
use outflank_rules::rules::Side;
use std::time::Duration;

/// How the bot plays.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct BotOptions {
    /// When to end a search.
    pub(super) limits: Limits,
    /// Answer so much before the time for an action is over.
    pub(super) overhead: Overhead,
    /// Seeds the setup and every search.
    pub(super) seed: u64,
}

/// Time for an action where neither time nor nodes are given: a twentieth of what the arena allows.
const MOVETIME: Duration = Duration::from_millis(100);
/// A share of [`MOVETIME`] that leaves room for the pipe and for being woken.
const OVERHEAD: Duration = Duration::from_millis(5);

impl BotOptions {
    /// Reads `--movetime MS`, `--nodes N`, `--overhead MS` and `--seed N`, each at most once and in any order.
    ///
    /// With `--nodes` alone the clock is not asked, so that equal seeds give equal answers.
    pub(super) fn parse(args: &[String]) -> anyhow::Result<BotOptions> {
        let mut given = [None; 4];
        for pair in args.chunks(2) {
            let place = FLAGS.iter().position(|&flag| flag == pair[0]);
            let Some(place) = place else {
                bail!("unknown option {:?}; there are {}", pair[0], FLAGS.join(", "))
            };
            let Some(value) = pair.get(1) else { bail!("{} needs a number", pair[0]) };
            let number =
                value.parse::<u64>().with_context(|| format!("{} {value:?} is no number", pair[0]))?;
            if given[place].replace(number).is_some() {
                bail!("{} is given twice", pair[0]);
            }
        }
        let [movetime, nodes, overhead, seed] = given;
        let usual = nodes.is_none().then_some(MOVETIME);
        let movetime = movetime.map(Duration::from_millis).or(usual);
        Ok(BotOptions {
            limits: Limits { movetime, nodes, ..Limits::default() },
            overhead: overhead
                .map_or(Overhead::usual(OVERHEAD), |time| Overhead::given(Duration::from_millis(time))),
            seed: seed.unwrap_or_else(random_seed),
        })
    }

    /// The budget of one search.
    pub(super) fn budget(&self, side: Side, ply: u32) -> Budget {
        self.limits.budget(side, ply, self.overhead)
    }
}

const FLAGS: [&str; 4] = ["--movetime", "--nodes", "--overhead", "--seed"];

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> anyhow::Result<BotOptions> {
        BotOptions::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_in_any_order() {
        let usual = parse("--seed 7").unwrap();
        assert_eq!((usual.limits.movetime, usual.limits.nodes, usual.seed), (Some(MOVETIME), None, 7));
        let options = parse("--overhead 20 --nodes 500 --seed 1 --movetime 30").unwrap();
        assert_eq!(options.limits.movetime, Some(Duration::from_millis(30)));
        assert_eq!(
            (options.limits.nodes, options.overhead),
            (Some(500), Overhead::given(Duration::from_millis(20)))
        );
        assert_eq!(parse("--nodes 500").unwrap().budget(Side::Red, 0).hard, None);
    }

    #[test]
    fn help_names_every_option() {
        assert!(FLAGS.iter().all(|flag| super::super::HELP.contains(&format!("\n       {flag} "))));
    }

    #[test]
    fn seeds_differ_unless_given() {
        assert_ne!(parse("").unwrap().seed, parse("").unwrap().seed);
    }

    #[test]
    fn other_command_lines_are_refused() {
        for line in ["--speed 3", "--nodes", "--nodes x", "--nodes -1", "--seed 1 --seed 2", "nodes 3"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
