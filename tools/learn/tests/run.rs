//! Runs of the learner: kept, gone on with, and learning something.

use outflank::rng::Rng;
use outflank::rules::{Preset, Ruleset, Side};
use outflank::sparse::{Network, Shape};
use outflank_learn::game::Game;
use outflank_learn::games::{Group, Players, Seat, Traces};
use outflank_learn::network::Forward;
use outflank_learn::parameters::Layout;
use outflank_learn::setups::Starts;
use outflank_learn::state::{Learned, games_from_text, games_to_text};
use outflank_learn::train::{Plan, Run};
use outflank_learn::update::Learning;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Knows few features: a small network.
const SMALL: Shape = Shape { position_features: 5300, action_features: 6600, hidden: 192 };

fn plan(most_plies: u64) -> Plan {
    Plan {
        games: 8,
        steps: 24,
        threads: 2,
        traces: Traces { policy: 0.7, value: 0.9 },
        learning: Learning {
            rate: 1e-3,
            batch: 16,
            magnet: 0.2,
            entropy: 0.03,
            policy_share: 0.25,
            value_share: 0.25,
        },
        magnet_plies: 3e6,
        average_plies: 1e6,
        past_share: 0.2,
        most_plies,
        seed: 5,
        least_entropy: 0.0,
    }
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn first(layout: &Layout) -> Learned {
    Learned::new(layout.first_weights(&mut Rng::new(2)), 0)
}

#[test]
fn a_run_that_is_stopped_goes_on_as_if_it_had_not_been() {
    let starts = Starts::new(None, None, &mut Rng::new(1)).unwrap();
    let never = AtomicBool::new(false);
    let layout = Layout::new(SMALL);
    let plies = 8 * 24;
    let (whole, halves) = (folder("whole"), folder("halves"));
    let mut run = Run::<192>::new(&whole, layout.clone(), first(&layout), &starts, &plan(0)).unwrap();
    run.learn(&starts, &plan(2 * plies), &never).unwrap();
    run.learn(&starts, &plan(4 * plies), &never).unwrap();
    let mut run = Run::<192>::new(&halves, layout.clone(), first(&layout), &starts, &plan(0)).unwrap();
    run.learn(&starts, &plan(2 * plies), &never).unwrap();
    // Told to stop before it has begun: nothing is learned, and nothing lost.
    run.learn(&starts, &plan(4 * plies), &AtomicBool::new(true)).unwrap();
    let (layout, learned) = Learned::read(&fs::read(halves.join("state.bin")).unwrap()).unwrap();
    assert_eq!((learned.plies, learned.iterations), (2 * plies, 2));
    let mut run = Run::<192>::new(&halves, layout, learned, &starts, &plan(0)).unwrap();
    run.learn(&starts, &plan(4 * plies), &never).unwrap();
    for file in ["state.bin", "games.txt", "latest.net"] {
        let [one, other] = [&whole, &halves].map(|folder| fs::read(folder.join(file)).unwrap());
        assert!(one == other, "{file}");
    }
    assert_eq!(Network::read(&fs::read(whole.join("latest.net")).unwrap()).unwrap().shape(), SMALL);
}

#[test]
fn what_is_kept_reads_back_and_damage_is_noticed() {
    let layout = Layout::new(Shape { position_features: 10, action_features: 10, hidden: 192 });
    let mut learned = first(&layout);
    learned.magnet[3] += 0.123;
    learned.average[4] -= 0.456;
    learned.adam.mean[5] = 0.789;
    learned.plies = 77;
    let bytes = learned.to_bytes(layout.shape);
    let (again, read) = Learned::read(&bytes).unwrap();
    assert_eq!((again.shape, &read), (layout.shape, &learned));
    for broken in [&bytes[..bytes.len() - 1], &bytes[..20], &bytes[1..], &[]] {
        assert!(Learned::read(broken).is_err());
    }
}

/// Games of every rule system, with past opponents or without: what is noted of them fits.
#[test]
fn games_are_played_under_all_rules_and_read_back() {
    let layout = Layout::new(SMALL);
    let weights = layout.first_weights(&mut Rng::new(3));
    let past = layout.rounded(&weights).unwrap();
    let network = Forward::<192> { layout: &layout, weights: &weights };
    for (place, preset) in Preset::ALL.into_iter().enumerate() {
        let (rescue, silent, barrage) = (place % 2 == 0, place % 3 == 0, place % 4 == 1);
        let rules = Ruleset { rescue, silent, barrage, ..Ruleset::of(preset) };
        let starts = Starts::new(Some(rules), None, &mut Rng::new(1)).unwrap();
        let mut rng = Rng::new(place as u64);
        let seat = |side| Seat::new(Game::new(starts.draw(&mut Rng::new(9))).unwrap(), side);
        let mut group = Group::new(vec![seat(None), seat(Some(Side::Blue))]);
        let players = Players {
            network,
            past: Some(&past),
            past_share: 0.5,
            starts: &starts,
            traces: Traces { policy: 0.7, value: 0.9 },
            stop: &AtomicBool::new(false),
        };
        assert!(group.play(&players, 400, &mut rng).unwrap());
        assert_eq!(group.tally.plies, 800);
        let known = group.decisions.iter().filter(|decision| decision.is_known);
        for decision in known.clone() {
            let inputs = group.inputs(decision);
            assert_eq!(inputs.each_action().count(), decision.actions);
            assert!(decision.chosen < decision.actions && decision.advantage.abs() <= 8.0);
            assert!((decision.target.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        }
        assert!(known.count() + 8 >= group.decisions.len());
        let text = games_to_text(group.seats.iter());
        let again = games_from_text(&text).unwrap();
        assert_eq!(games_to_text(again.iter()), text);
    }
    assert!(games_from_text("isf;x;y;-;").is_err());
}
