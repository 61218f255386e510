//! Runs of the learner: kept, resumed, judged.

use outflank::rng::Rng;
use outflank::rules::{Preset, Ruleset, Side};
use outflank::sparse::{Network, Shape};
use outflank_learn::adam::Stride;
use outflank_learn::examples::Examples;
use outflank_learn::foretell::foretell;
use outflank_learn::game::Game;
use outflank_learn::games::{Group, Players, Role, Seat, Source, Traces};
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
        material: 0.1,
        learning: Learning {
            stride: Stride { rate: 1e-3, epsilon: 1e-7, weight_decay: 0.01, rows: 1.0 },
            batch: 16,
            magnet: 0.2,
            entropy: 0.03,
            policy_share: 0.25,
            value_share: 0.25,
            example: 1.0,
        },
        magnet_plies: 3e6,
        average_plies: 1e6,
        most_plies,
        seed: 5,
        least_entropy: 0.0,
        judge: None,
    }
}

fn folder_of(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = folder_of(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The game of the record that the tests of records have.
fn examples() -> Examples {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../record/tests/game.jsonl");
    Examples::open(&[PathBuf::from(game)]).unwrap()
}

fn source<'a>(starts: &'a Starts, examples: &'a Examples) -> Source<'a> {
    Source { starts, examples, example_share: 0.4, past_share: 0.5 }
}

/// The network plays both sides; who wins is all that counts.
fn players<'a>(network: Forward<'a, 192>, source: Source<'a>, stop: &'a AtomicBool) -> Players<'a, 192> {
    let traces = Traces { policy: 0.7, value: 0.9 };
    Players { network, past: None, source, traces, material: 0.0, stop }
}

fn first(layout: &Layout) -> Kept {
    let learned = Learned::new(layout.first_weights(&mut Rng::new(2)), 0);
    Kept { layout: layout.clone(), learned, games: String::new() }
}

#[test]
fn a_run_that_is_stopped_goes_on_as_if_it_had_not_been() {
    let (starts, examples) = (Starts::new(None, None, &mut Rng::new(1)).unwrap(), examples());
    let source = source(&starts, &examples);
    let never = AtomicBool::new(false);
    let layout = Layout::new(SMALL);
    let plies = 8 * 24;
    let (whole, halves) = (folder("whole"), folder("halves"));
    let mut run = Run::<192>::new(&whole, first(&layout), &source, &plan(0)).unwrap();
    run.learn(&source, &plan(2 * plies), &never).unwrap();
    run.learn(&source, &plan(4 * plies), &never).unwrap();
    let mut run = Run::<192>::new(&halves, first(&layout), &source, &plan(0)).unwrap();
    run.learn(&source, &plan(2 * plies), &never).unwrap();
    // Stopped before it has begun: nothing is learned, and nothing lost.
    run.learn(&source, &plan(4 * plies), &AtomicBool::new(true)).unwrap();
    let kept = Learned::read(&fs::read(halves.join("state.bin")).unwrap()).unwrap();
    assert_eq!((kept.learned.plies, kept.learned.iterations), (2 * plies, 2));
    let mut run = Run::<192>::new(&halves, kept, &source, &plan(0)).unwrap();
    run.learn(&source, &plan(4 * plies), &never).unwrap();
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
        let (starts, examples) = (Starts::new(Some(rules), None, &mut Rng::new(1)).unwrap(), examples());
        let mut rng = Rng::new(place as u64);
        let source = Source { example_share: 0.0, ..source(&starts, &examples) };
        let game = || Game::new(starts.draw(&mut Rng::new(9))).unwrap();
        let who = [Role::Alone, Role::Past(Side::Blue)];
        let mut group = Group::new(who.map(|role| Seat::new(game(), role)).to_vec());
        let never = AtomicBool::new(false);
        let players = Players { past: Some(&past), material: 0.1, ..players(network, source, &never) };
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
        let again = games_from_text(&text, &examples).unwrap();
        assert_eq!(games_to_text(again.iter()), text);
    }
    assert!(games_from_text("isf;x;y;-;", &Examples::default()).is_err());
}

#[test]
fn a_run_is_judged_beside_it_and_drawn() {
    let (starts, examples) = (Starts::new(None, None, &mut Rng::new(1)).unwrap(), examples());
    let source = source(&starts, &examples);
    let layout = Layout::new(Shape { position_features: 10, action_features: 10, hidden: 192 });
    let folder = folder("judged");
    let command =
        r#"mkdir "${OUTFLANK_NET%.net}" && mv "$OUTFLANK_NET" "${OUTFLANK_NET%.net}/net""#.to_owned();
    let plan = Plan { judge: Some(Judge { command, every: 300 }), ..plan(2 * 8 * 24) };
    let mut run = Run::<192>::new(&folder, first(&layout), &source, &plan).unwrap();
    run.learn(&source, &plan, &AtomicBool::new(false)).unwrap();
    let judged = folder.join("judged").join("000000M");
    while !judged.join("net").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Network::read(&fs::read(judged.join("net")).unwrap()).is_ok());

    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../record/tests/game.jsonl");
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

/// The first seats have examples, of which every decision is noted.
#[test]
fn examples_are_followed() {
    let layout = Layout::new(SMALL);
    let weights = layout.first_weights(&mut Rng::new(3));
    let (starts, examples) = (Starts::new(None, None, &mut Rng::new(1)).unwrap(), examples());
    let source = source(&starts, &examples);
    let seats: Vec<Seat> = (0..5).map(|place| source.seat((place, 5), &mut Rng::new(8)).unwrap()).collect();
    let is_example = |seat: &Seat| matches!(seat.role, Role::Example(_));
    assert!(seats[..2].iter().all(is_example) && !seats[2..].iter().any(is_example));
    let mut group = Group::new(seats);
    let never = AtomicBool::new(false);
    let players = players(Forward { layout: &layout, weights: &weights }, source, &never);
    assert!(group.play(&players, 40, &mut Rng::new(1)).unwrap());
    let followed = group.decisions.iter().filter(|decision| decision.is_example).count();
    assert_eq!((followed, group.decisions.len()), (80, 200));
    assert_eq!(group.tally.examples, 80);
    let text = games_to_text(group.seats.iter());
    let again = games_from_text(&text, &examples).unwrap();
    assert_eq!(games_to_text(again.iter()), text);
    // Examples that are not at hand any more are left out.
    assert_eq!(games_from_text(&text, &Examples::default()).unwrap().len(), 3);
}

/// What is learned from one game alone is known by heart.
#[test]
fn examples_can_be_learned() {
    let layout = Layout::new(SMALL);
    let (starts, examples) = (Starts::new(None, None, &mut Rng::new(1)).unwrap(), examples());
    let source = Source { example_share: 1.0, ..source(&starts, &examples) };
    let plan = Plan { average_plies: 1e3, ..plan(6_000) };
    let mut run = Run::<192>::new(&folder("examples"), first(&layout), &source, &plan).unwrap();
    let before = foretell(&layout.rounded(&first(&layout).learned.average).unwrap(), &examples).unwrap();
    run.learn(&source, &plan, &AtomicBool::new(false)).unwrap();
    let bytes = fs::read(folder_of("examples").join("latest.net")).unwrap();
    let after = foretell(&Network::read(&bytes).unwrap(), &examples).unwrap();
    assert!(after.surprise < before.surprise - 0.2, "{before}, {after}");
    assert!(after.likeliest > 0.6 * after.decisions, "{after}");
}

/// Who has won counts for what is left of it, and what is left of both armies for the rest.
#[test]
fn what_is_left_counts_at_the_end_of_a_game() {
    let layout = Layout::new(SMALL);
    let weights = layout.first_weights(&mut Rng::new(3));
    let (starts, examples) = (Starts::new(None, None, &mut Rng::new(1)).unwrap(), Examples::default());
    let source = Source { past_share: 0.0, ..source(&starts, &examples) };
    let targets = |material: f32| {
        let seats = (0..4).map(|place| source.seat((place, 4), &mut Rng::new(8)).unwrap()).collect();
        let mut group = Group::new(seats);
        let never = AtomicBool::new(false);
        let network = Forward { layout: &layout, weights: &weights };
        let traces = Traces { policy: 0.7, value: 1.0 };
        let players = Players { traces, material, ..players(network, source, &never) };
        assert!(group.play(&players, 2001, &mut Rng::new(1)).unwrap() && group.tally.games > 3);
        group.decisions.iter().filter(|decision| decision.is_known).map(|decision| decision.target).collect()
    };
    let [won, both, left]: [Vec<[f32; 3]>; 3] = [0.0, 0.5, 1.0].map(targets);
    let is_end = |target: &&[f32; 3]| target[1].fract() == 0.0;
    let of_end = |all: &[[f32; 3]]| all.iter().filter(is_end).count();
    assert!(of_end(&won) > 1000 && of_end(&left) > 1000);
    assert!(won.iter().filter(is_end).all(|target| target.iter().all(|share| share.fract() == 0.0)));
    for ((won, both), left) in won.iter().zip(&both).zip(&left).filter(|(_, left)| left[1] == 0.0) {
        assert!(left[0] > 0.0 && left[2] > 0.0 && (left[0] + left[2] - 1.0).abs() < 1e-6);
        assert!((0..3).all(|end| (won[end] + left[end] - 2.0 * both[end]).abs() < 1e-6));
    }
}
