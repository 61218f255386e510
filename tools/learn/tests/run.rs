//! Runs of the learner: kept, resumed, judged.

use outflank::rng::Rng;
use outflank::rules::{Preset, Ruleset, Side};
use outflank::sparse::{Network, Shape};
use outflank_learn::game::Game;
use outflank_learn::games::{Group, Players, Seat, Traces};
use outflank_learn::network::Forward;
use outflank_learn::parameters::Layout;
use outflank_learn::report::COLUMNS;
use outflank_learn::setups::Starts;
use outflank_learn::state::{Kept, Learned, games_from_text, games_to_text};
use outflank_learn::train::{Judge, Plan, Run};
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
        judge: None,
    }
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn first(layout: &Layout) -> Kept {
    let learned = Learned::new(layout.first_weights(&mut Rng::new(2)), 0);
    Kept { layout: layout.clone(), learned, games: String::new() }
}

#[test]
fn a_run_that_is_stopped_goes_on_as_if_it_had_not_been() {
    let starts = Starts::new(None, None, &mut Rng::new(1)).unwrap();
    let never = AtomicBool::new(false);
    let layout = Layout::new(SMALL);
    let plies = 8 * 24;
    let (whole, halves) = (folder("whole"), folder("halves"));
    let mut run = Run::<192>::new(&whole, first(&layout), &starts, &plan(0)).unwrap();
    run.learn(&starts, &plan(2 * plies), &never).unwrap();
    run.learn(&starts, &plan(4 * plies), &never).unwrap();
    let mut run = Run::<192>::new(&halves, first(&layout), &starts, &plan(0)).unwrap();
    run.learn(&starts, &plan(2 * plies), &never).unwrap();
    // Told to stop before it has begun: nothing is learned, and nothing lost.
    run.learn(&starts, &plan(4 * plies), &AtomicBool::new(true)).unwrap();
    let kept = Learned::read(&fs::read(halves.join("state.bin")).unwrap()).unwrap();
    assert_eq!((kept.learned.plies, kept.learned.iterations), (2 * plies, 2));
    let mut run = Run::<192>::new(&halves, kept, &starts, &plan(0)).unwrap();
    run.learn(&starts, &plan(4 * plies), &never).unwrap();
    for file in ["state.bin", "latest.net"] {
        let [one, other] = [&whole, &halves].map(|folder| fs::read(folder.join(file)).unwrap());
        assert!(one == other, "{file}");
    }
    assert_eq!(Network::read(&fs::read(whole.join("latest.net")).unwrap()).unwrap().shape(), SMALL);
}

#[test]
fn what_is_kept_reads_back_and_damage_is_noticed() {
    let layout = Layout::new(Shape { position_features: 10, action_features: 10, hidden: 192 });
    let mut learned = first(&layout).learned;
    learned.magnet[3] += 0.123;
    learned.average[4] -= 0.456;
    learned.adam.mean[5] = 0.789;
    learned.plies = 77;
    let bytes = learned.to_bytes(layout.shape, "games");
    let kept = Learned::read(&bytes).unwrap();
    assert_eq!((kept.layout.shape, &kept.learned, kept.games.as_str()), (layout.shape, &learned, "games"));
    for broken in [&bytes[..bytes.len() - 6], &bytes[..20], &bytes[1..], &[]] {
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

#[test]
fn a_run_is_judged_beside_it_and_drawn() {
    let starts = Starts::new(None, None, &mut Rng::new(1)).unwrap();
    let layout = Layout::new(Shape { position_features: 10, action_features: 10, hidden: 192 });
    let folder = folder("judged");
    let command =
        r#"mkdir "${OUTFLANK_NET%.net}" && mv "$OUTFLANK_NET" "${OUTFLANK_NET%.net}/net""#.to_owned();
    let plan = Plan { judge: Some(Judge { command, every: 300 }), ..plan(2 * 8 * 24) };
    let mut run = Run::<192>::new(&folder, first(&layout), &starts, &plan).unwrap();
    run.learn(&starts, &plan, &AtomicBool::new(false)).unwrap();
    let judged = folder.join("judged").join("000000M");
    while !judged.join("net").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Network::read(&fs::read(judged.join("net")).unwrap()).is_ok());

    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../record/tests/game.jsonl");
    fs::copy(game, judged.join("somebody.jsonl")).unwrap();
    let line =
        |plies: u64| format!("{plies}\t40000\t10\t250\t0.05\t0.5\t14\t0.5\t0.1\t0.03\t0\t0\t0.01\t0\t0\n");
    let table = format!("{COLUMNS}\n{}{}", line(2_000_000), line(4_000_000));
    fs::write(folder.join("table.tsv"), table).unwrap();
    let page = outflank_learn::curve::page(&folder).unwrap();
    assert!(page.contains(">somebody</text>") && page.contains("0 million plies"), "{page}");
    assert_eq!(page.matches("<svg").count(), 7);
    assert!(outflank_learn::curve::page(&folder.join("judged")).is_err());
}
