//! The games of a round.

use crate::features::{Kinds, setup};
use crate::model::Game;
use anyhow::{Context, bail};
use outflank::rng::Rng;
use outflank::rules::{BySide, Ruleset, Setup, Side};
use outflank_arena::contender::Contender;
use outflank_arena::game::{Fixture, House, play as play_game};
use outflank_arena::start::Starts;
use outflank_record::Record;
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// Who plays, and whom.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who plays both sides.
    pub player: Contender,
    /// Under which rules.
    pub rules: Ruleset,
    /// Opponents that stay as they are.
    pub against: Vec<Kinds>,
    /// The share of a round that plays one of them, 0 to 1; 0 if there are none.
    pub share: f64,
    /// Seeds everything.
    pub seed: u64,
    /// Games at once.
    pub threads: usize,
}

impl Plan {
    /// How many of `size` setups play one of the fixed opponents; an even number is left.
    pub fn outside(&self, size: usize) -> usize {
        let wanted = (size as f64 * self.share) as usize;
        if self.against.is_empty() { 0 } else { size - (size - wanted) / 2 * 2 }
    }

    /// How many games so many setups play.
    pub fn games(&self, size: usize) -> usize {
        let outside = self.outside(size);
        outside + (size - outside) / 2
    }
}

/// Plays a game with each of these setups: the first ones against a fixed opponent, the others against each other; an
/// odd one is left out. Games are numbered from `first` on. The same for the same seed, whatever the threads.
///
/// # Errors
/// If a game cannot be played: a fault of the engine's.
pub fn play(plan: &Plan, setups: &[Kinds], first: u64, tick: impl Fn() + Sync) -> anyhow::Result<Vec<Game>> {
    let (outside, among) = setups.split_at(plan.outside(setups.len()));
    let mut rng = Rng::stream(plan.seed, 1 << 41 | first);
    let mut pairs: Vec<[Kinds; 2]> =
        outside.iter().map(|own| [*own, plan.against[rng.below(plan.against.len())]]).collect();
    pairs.extend(among.chunks_exact(2).map(|two| [two[0], two[1]]));
    let numbered: Vec<(u64, [Kinds; 2])> = (first..).zip(pairs).collect();
    let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build()?;
    let one = |&(number, setups): &(u64, [Kinds; 2])| {
        let points = points(plan, number, &setups).with_context(|| format!("game {number}"));
        tick();
        points.map(|points| Game { setups, points })
    };
    pool.install(|| numbered.par_iter().map(one).collect())
}

/// The first one's points in game `number`, with either colour and either wing.
fn points(plan: &Plan, number: u64, setups: &[Kinds; 2]) -> anyhow::Result<f64> {
    let mut rng = Rng::stream(plan.seed, 1 << 40 | number);
    let mut side = |setup: Setup| if rng.below(2) == 0 { setup } else { setup.mirrored() };
    let [one, other] = setups.each_ref().map(|kinds| side(setup(kinds)));
    let own = if rng.below(2) == 0 { Side::Red } else { Side::Blue };
    let placed = BySide::from_fn(|side| if side == own { one } else { other });
    let mut rng = Rng::stream(plan.seed, number << 1 | 1);
    let fixture = Fixture {
        number,
        pair: None,
        shard: None,
        rules: plan.rules,
        seats: BySide::new([0, 1]),
        setups: Some(placed),
        seeds: BySide::from_fn(|_| rng.bits()),
    };
    let players = BySide::new([&plan.player; 2]);
    let record =
        play_game(&House::patient(plan.seed), &fixture, players, &mut BySide::default(), &Starts::default())?;
    points_of(&record.context("it was broken off")?, own)
}

fn points_of(record: &Record, own: Side) -> anyhow::Result<f64> {
    match &record.outcome.fault {
        Some(fault) => bail!("{fault}"),
        None => Ok(record.outcome.side()?.map_or(0.5, |winner| f64::from(u8::from(winner == own)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::known;
    use outflank::deployment::{Source, choose_from};

    #[test]
    fn a_share_plays_fixed_opponents_whatever_the_threads() {
        let mut rng = Rng::new(2);
        let rules = Ruleset { plies: 300, ..Ruleset::default() };
        let drawn: Vec<Setup> = (0..9).map(|_| choose_from(Source::Book, &rules, None, &mut rng)).collect();
        let setups = known(&drawn);
        let player = Contender::read(&["player=random".to_owned()]).unwrap();
        let plan = Plan { player, rules, against: vec![setups[8]], share: 0.5, seed: 1, threads: 1 };
        let games = play(&plan, &setups, 0, || ()).unwrap();
        // Five play fixed opponents, and four are two pairs.
        assert_eq!((plan.outside(9), plan.games(9), games.len()), (5, 7, 7));
        assert!(games[..5].iter().all(|game| game.setups[1] == setups[8]));
        assert_eq!(games[5].setups, [setups[5], setups[6]]);
        let plan = Plan { threads: 2, ..plan };
        assert_eq!(play(&plan, &setups, 0, || ()).unwrap(), games);
        let alone = Plan { against: Vec::new(), ..plan };
        assert_eq!(alone.games(9), 4);
    }
}
