//! Setups drawn in proportion to exp(value / temperature), by exchanges of two pieces (N. Metropolis and others, 1953).
//!
//! So the temperature says how much value is given up for variety.

use crate::features::{Kinds, exchange, kinds, setup};
use crate::fit::{SQUARES, square};
use crate::model::SetupModel;
use outflank::deployment::flag_is_in_the_open;
use outflank::rng::Rng;
use outflank::rules::{Cell, Rank, Setup, Square};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use std::collections::HashSet;

/// The largest share that has the flag on one square or its mirror image.
const FLAG_SHARE: f64 = 0.2;
/// Squares of the first two rows, mirror images taken together: the flag stands there.
const FLAG_SQUARES: usize = 10;
/// Exchanges that are tried with each setup in a stage; after it, the flags are counted.
const EXCHANGES: usize = 200;
/// Stages.
const STAGES: usize = 20;
/// What a square's cost rises by after a stage, in points, for a share of flags that is all too much.
const FLAG_COST: f64 = 0.1;

/// Where the flag stands, mirror images taken together: 0 to 19.
pub fn flag_square(setup: &Kinds) -> usize {
    let flag = Rank::Flag.index() as u8;
    setup.iter().position(|&kind| kind == flag).map_or(0, square)
}

/// Whether it can be played: a piece can move, the flag stands in the first two rows, and no scout can run into it at
/// once, which the games of those who hardly try it would not punish.
pub fn is_sound(kinds: &Kinds) -> bool {
    flag_square(kinds) < FLAG_SQUARES && {
        let setup = setup(kinds);
        can_move(&setup) && !flag_is_in_the_open(&setup)
    }
}

/// Whether some piece can step forward: no lake and none of its own stands before it.
fn can_move(setup: &Setup) -> bool {
    let is_mobile = |place: usize| matches!(setup.0[place], Cell::Known(rank) if rank.is_mobile());
    let is_free = |ahead: usize| match setup.0.get(ahead) {
        Some(&cell) => cell == Cell::Empty,
        None => Square::new((ahead % 10) as u8, 4).is_some(),
    };
    (0..40).any(|place| is_mobile(place) && is_free(place + 10))
}

/// Advances each of these Markov chains, so that together they are drawn in proportion to exp(value / temperature) among the sound
/// ones, and not many more than a fifth have the flag on one square. The same for the same seed, whatever the
/// threads.
pub fn advance(chains: &mut [Kinds], model: &SetupModel, temperature: f64, seed: u64) {
    let mut cost = [0.0; SQUARES];
    for stage in 0..STAGES as u64 {
        chains.par_iter_mut().enumerate().for_each(|(number, kinds)| {
            let mut rng = Rng::stream(seed ^ stage << 48, number as u64);
            for _ in 0..EXCHANGES {
                try_exchange(kinds, model, &cost, temperature, &mut rng);
            }
        });
        let mut at = [0.0; SQUARES];
        for kinds in &*chains {
            at[flag_square(kinds)] += 1.0 / chains.len() as f64;
        }
        for (cost, at) in cost.iter_mut().zip(at) {
            *cost = (*cost + FLAG_COST * (at - FLAG_SHARE)).max(0.0);
        }
    }
}

fn try_exchange(
    kinds: &mut Kinds,
    model: &SetupModel,
    cost: &[f64; SQUARES],
    temperature: f64,
    rng: &mut Rng,
) {
    let places = [rng.below(40), rng.below(40)];
    if kinds[places[0]] == kinds[places[1]] {
        return;
    }
    let before = *kinds;
    let gain =
        exchange(kinds, places, model.weights()) - cost[flag_square(kinds)] + cost[flag_square(&before)];
    if f64::from(rng.unit()) >= (gain / temperature).exp() || !is_sound(kinds) {
        *kinds = before;
    }
}

/// The setups, none of them twice or the mirror image of another, and at most a fifth of `count` with the flag
/// on one square: so many of them at most, from the first on.
pub fn various(chains: &[Kinds], count: usize) -> Vec<Setup> {
    let part = ((count as f64 * FLAG_SHARE) as usize).max(1);
    let (mut at, mut seen, mut chosen) = ([0; SQUARES], HashSet::new(), Vec::new());
    for kinds in chains {
        let square = flag_square(kinds);
        if at[square] < part && chosen.len() < count && seen.insert(key(kinds)) {
            at[square] += 1;
            chosen.push(setup(kinds));
        }
    }
    chosen
}

/// The smaller of the setup and its mirror image.
fn key(kinds: &Kinds) -> Kinds {
    let mirrored = std::array::from_fn(|place| kinds[place / 10 * 10 + 9 - place % 10]);
    (*kinds).min(mirrored)
}

/// What stands where in each of these, of which every rank is known; others are left out.
pub fn known(setups: &[Setup]) -> Vec<Kinds> {
    setups.iter().filter_map(kinds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Game;
    use outflank::deployment::{Source, choose_from};
    use outflank::rules::{Army, Ruleset};

    fn drawn(barrage: bool, count: usize) -> Vec<Kinds> {
        let rules = Ruleset { barrage, ..Ruleset::default() };
        let mut rng = Rng::new(5);
        let setups: Vec<Setup> =
            (0..count).map(|_| choose_from(Source::Drawn, &rules, None, &mut rng)).collect();
        known(&setups)
    }

    #[test]
    fn what_has_more_value_is_drawn_more_often() {
        let chains = drawn(false, 400);
        // Whoever has a bomb on the first square wins.
        let bomb = |kinds: &Kinds| kinds[0] == 11 || kinds[9] == 11;
        let games: Vec<Game> = chains
            .chunks_exact(2)
            .filter(|two| bomb(&two[0]) != bomb(&two[1]))
            .flat_map(|two| {
                let game = Game { setups: [two[0], two[1]], points: f64::from(u8::from(bomb(&two[0]))) };
                vec![game; 300]
            })
            .collect();
        let model = SetupModel::fitted(&games);
        let share = |temperature: f64| {
            let mut led = chains.clone();
            advance(&mut led, &model, temperature, 9);
            assert!(led.iter().all(is_sound));
            led.iter().filter(|kinds| bomb(kinds)).count() as f64 / led.len() as f64
        };
        let [cold, warm] = [0.01, 1.0].map(share);
        assert!(cold > 0.8 && warm < 0.6, "{cold} {warm}");
    }

    #[test]
    fn flags_are_spread_and_nothing_is_there_twice() {
        for barrage in [false, true] {
            let mut chains = drawn(barrage, 300);
            advance(&mut chains, &SetupModel::fitted(&[]), 0.01, 1);
            let army = if barrage { Army::BARRAGE } else { Army::CLASSIC };
            assert!(chains.iter().all(|kinds| setup(kinds).is_complete(&army)));
            let twice = [chains.clone(), chains].concat();
            let chosen = various(&twice, 200);
            let squares = known(&chosen);
            let most =
                (0..SQUARES).map(|at| squares.iter().filter(|kinds| flag_square(kinds) == at).count()).max();
            assert!(chosen.len() > 150 && most <= Some(40), "{} {most:?}", chosen.len());
            let keys: HashSet<Kinds> = squares.iter().map(key).collect();
            assert_eq!(keys.len(), chosen.len());
        }
    }
}
