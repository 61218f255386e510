//! Policy networks: the engine computes what the training program computed, and what is no network is refused.
//!
//! `tests/policy/fixture.net` and `fixture.txt` were made by
//! `python tools/research/train/fixture.py tests/policy/fixture.net tests/policy/fixture.txt` with torch; commit b23e47a is
//! the last that has this program.

use outflank::math;
use outflank::policy::encoding::{GLOBALS, PLANE_BYTES, code, encode};
use outflank::policy::{Evaluation, Network, ReadError, Scratch};
use outflank::rules::{BySide, Played, Ruleset, Setup, Side, Spn};
use outflank::view::View;
use outflank_referee::{Events, Referee};
use proptest::prelude::*;

const NET: &[u8] = include_bytes!("policy/fixture.net");
const FIXTURE: &str = include_str!("policy/fixture.txt");

/// The words of the first line that begins with `key`.
fn words(key: &str) -> Vec<&'static str> {
    let line = FIXTURE.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    line.unwrap().split(' ').collect()
}

/// Both players' views of the game, after so many plies.
fn views(plies: usize) -> BySide<View> {
    let mut rules = Ruleset::default();
    for (key, value) in words("rules").iter().filter_map(|word| word.split_once('=')).skip(1) {
        rules.set(key, value).unwrap();
    }
    let setups: Vec<Setup> = words("setups").iter().map(|text| text.parse().unwrap()).collect();
    let mut referee = Referee::new(rules, &setups[0], &setups[1]).unwrap();
    let mut views = BySide::from_fn(|side| View::without_behaviour(side, rules));
    let show = |views: &mut BySide<View>, events: &Events| {
        views.iter_mut().for_each(|(side, view)| view.observe(&events[side]).unwrap());
    };
    for events in referee.opening() {
        show(&mut views, &events);
    }
    for text in &words("moves")[..plies] {
        let played: Played = text.parse().unwrap();
        show(&mut views, &referee.play(played.action).unwrap());
    }
    views
}

/// The view of the player to move.
fn mover(plies: usize) -> View {
    let [red, blue] = views(plies).into_array();
    if red.position().to_move() == Side::Red { red } else { blue }
}

/// Every number of the fixture, of a network evaluated by these loops: chances to half a hundredth, as rounded weights
/// change them.
fn check_against_the_fixture(network: &Network) {
    let (mut scratch, mut checked) = (Scratch::default(), 0);
    let (mut view, mut found) = (mover(0), Evaluation::default());
    let near = |found: f32, text: &str| (found - text.parse::<f32>().unwrap()).abs() < 0.005;
    for line in FIXTURE.lines() {
        let (key, rest) = line.split_once(' ').unwrap();
        let words: Vec<&str> = rest.split(' ').collect();
        match key {
            "ply" => {
                view = mover(rest.parse().unwrap());
                found = network.evaluate(&view, &mut scratch);
            }
            "outcome" => {
                let outcome = [found.win, found.draw, found.loss];
                assert!(outcome.iter().zip(words).all(|(&found, text)| near(found, text)), "{outcome:?}");
                checked += 1;
            }
            "actions" => {
                assert_eq!(2 * found.actions.len(), words.len());
                let actions = found.actions.iter().zip(&found.log_probabilities).zip(words.chunks(2));
                for ((&action, &logarithm), words) in actions {
                    assert_eq!(code(view.viewer(), action).to_string(), words[0]);
                    let wanted: f32 = words[1].parse().unwrap();
                    let difference = math::exp(logarithm) - math::exp(wanted);
                    assert!(difference.abs() < 0.005, "{action:?}: {logarithm} for {wanted}");
                }
            }
            _ => assert!(["rules", "setups", "moves"].contains(&key), "{line}"),
        }
    }
    assert_eq!(checked, 4);
}

#[test]
fn the_engine_computes_what_the_training_program_computed() {
    check_against_the_fixture(&Network::read(NET).unwrap());
    check_against_the_fixture(&Network::read(NET).unwrap().portable());
}

#[test]
fn fast_loops_compute_what_the_portable_ones_do() {
    let fast = Network::read(NET).unwrap();
    let portable = fast.clone().portable();
    let scratches = &mut [Scratch::default(), Scratch::default()];
    for plies in (0..240).step_by(20) {
        let view = mover(plies);
        let one = fast.evaluate(&view, &mut scratches[0]);
        assert_eq!(one, portable.evaluate(&view, &mut scratches[1]));
        let sum: f32 = one.log_probabilities.iter().map(|&value| math::exp(value)).sum();
        assert!((sum - 1.0).abs() < 1e-4 && (one.win + one.draw + one.loss - 1.0).abs() < 1e-4);
    }
}

#[test]
fn scratch_memory_does_not_change_an_answer() {
    let network = Network::read(NET).unwrap();
    let (mut used, view) = (Scratch::default(), mover(100));
    network.evaluate(&mover(7), &mut used);
    let fresh = network.evaluate(&view, &mut Scratch::default());
    assert_eq!(network.evaluate(&view, &mut used), fresh);
}

#[test]
fn a_view_whose_player_has_no_action_is_evaluated() {
    let network = Network::read(NET).unwrap();
    let empty = View::new(Side::Red, Ruleset::default());
    let found = network.evaluate(&empty, &mut Scratch::default());
    assert!(found.actions.is_empty() && found.log_probabilities.is_empty());
}

/// The bytes of a network with some exchanged, and a right checksum again.
fn changed(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = NET.to_vec();
    change(&mut bytes);
    let sums = bytes[16..].iter().fold((1_u32, 0_u32), |(one, two), byte| {
        let one = (one + u32::from(*byte)) % 65_521;
        (one, (two + one) % 65_521)
    });
    bytes[12..16].copy_from_slice(&(sums.1 << 16 | sums.0).to_le_bytes());
    bytes
}

/// Where the six numbers of the section `policy` begin: it is the first one.
const HEADER: usize = 8 + 4 + 4 + 4 + 1 + 6 + 4;

#[test]
fn another_shape_is_refused() {
    assert_eq!(Network::read(&changed(|_| ())).unwrap().to_string(), "policy network, 8 channels, 2 blocks");
    let with = |index: usize, number: u32| {
        let bytes = changed(|bytes| {
            bytes[HEADER + 4 * index..][..4].copy_from_slice(&number.to_le_bytes());
        });
        Network::read(&bytes).map(|_| ()).unwrap_err()
    };
    assert_eq!(with(0, 3), ReadError::Encoding(3));
    assert_eq!(with(0, 1).to_string(), "encoding version 1, not 2");
    for (index, name) in [(1, "planes"), (2, "globals"), (5, "dimensions of its move vectors")] {
        assert_eq!(with(index, 7), ReadError::Dimension(name, 7));
    }
    assert_eq!(with(3, 0), ReadError::Dimension("channels", 0));
    assert_eq!(with(4, 1000), ReadError::Dimension("blocks", 1000));
    assert_eq!(with(3, u32::MAX), ReadError::Dimension("channels", u32::MAX));
    assert!(matches!(with(3, 16), ReadError::Length(_)));
    assert!(matches!(with(4, 3), ReadError::File(_)));
    let infinite = changed(|bytes| {
        let name = bytes.windows(9).position(|window| window == b"ends.bias").unwrap();
        bytes[name + 13..][..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    });
    assert_eq!(Network::read(&infinite).unwrap_err(), ReadError::Number("ends.bias".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_network_or_an_error(place in 0..NET.len(), byte: u8, end in 0..NET.len()) {
        // What still reads after a change must also evaluate.
        if let Ok(network) = Network::read(&changed(|bytes| bytes[place.max(16)] = byte)) {
            let found = network.evaluate(&mover(0), &mut Scratch::default());
            prop_assert_eq!(found.actions.len(), found.log_probabilities.len());
        }
        prop_assert!(Network::read(&NET[..end]).is_err());
        prop_assert!(Network::read(&changed(|bytes| bytes.truncate(end.max(16)))).is_err());
    }
}

/// Limits of plies go to the end of `u32`, and made plies to a thousand million.
#[test]
fn what_is_left_to_a_distant_limit_is_a_share_of_it() {
    let seen = |plies: u64, limit: u64| {
        let text = format!(
            "?9/10/10/10/2__2__2/2__2__2/10/10/10/M9 r r -,- {plies} {plies} quiet={limit} plies={limit}"
        );
        let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
        let (mut planes, mut globals) = (vec![0; PLANE_BYTES], [0; GLOBALS]);
        encode(&view, &mut planes, &mut globals);
        [globals[26], globals[27]]
    };
    for (plies, limit, share) in [
        (100, 200, 127),
        (16_777_215, 16_777_216, 254),
        (1_000_000_000, 1_000_000_001, 254),
        (1_000_000_000, 2_000_000_000, 127),
        (1_000_000_000, 4_294_967_295, 59),
    ] {
        assert_eq!(seen(plies, limit), [share; 2], "{plies} of {limit}");
    }
}
