//! Games: what both players are shown agrees with the truth, is undone without a trace, and prints and reads back.

use outflank::belief::Belief;
use outflank::rng::Rng;
use outflank::rules::{BySide, Side, Spn, Viewer};
use outflank::view::View;
use outflank_referee::Referee;
use outflank_tests::{random_setup, rule_systems};

/// Plies of a game: longer ones show nothing new.
const MOST_PLIES: usize = 400;

/// The first byte chooses the rules, the next two the setups, and each of the rest an action.
///
/// # Panics
/// If a view disagrees with the truth, or what is undone is not as before.
pub fn hold(bytes: &[u8]) {
    let [system, seed, more, choices @ ..] = bytes else { return };
    let systems = rule_systems();
    let rules = systems[usize::from(*system) % systems.len()];
    let mut rng = Rng::new(u64::from(*seed) | u64::from(*more) << 8);
    let setups = BySide::from_fn(|_| random_setup(&rules, &mut rng));
    let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).expect("whole armies");
    let mut views = BySide::from_fn(|side| View::new(side, rules));
    for events in referee.opening() {
        views.values_mut().zip(events.values()).for_each(|(view, event)| view.observe(event).unwrap());
    }
    let start = views.clone();
    let plies = play(&mut referee, &mut views, choices);
    for view in views.values() {
        let latest = text_of(view);
        let again = Spn::parse(&latest, rules).unwrap_or_else(|error| panic!("{latest:?}: {error}"));
        assert_eq!(again.to_string(), latest);
    }
    for _ in 0..plies {
        views.values_mut().for_each(|view| assert!(view.undo()));
    }
    for (view, before) in views.values().zip(start.values()) {
        assert_eq!(format!("{:?}", view.position()), format!("{:?}", before.position()));
    }
}

/// Plays on while there are choices, and says how many plies it were.
fn play(referee: &mut Referee, views: &mut BySide<View>, choices: &[u8]) -> usize {
    let mut plies = 0;
    for &choice in choices.iter().take(MOST_PLIES) {
        let actions = referee.actions();
        if referee.ending().is_some() || actions.is_empty() {
            break;
        }
        let own = views[referee.to_move()].position().actions();
        assert_eq!(own, actions, "the player knows what it may do");
        let action = actions[usize::from(choice) % actions.len()];
        let events = referee.play(action).expect("it was listed");
        for (view, event) in views.values_mut().zip(events.values()) {
            view.observe(event).expect("what happened can be seen");
            let position = view.position();
            assert_eq!(position.hash(), position.hash_from_scratch());
            assert_eq!(position.ply(), referee.ply());
        }
        plies += 1;
    }
    for view in views.values() {
        whole(view);
    }
    plies
}

/// What a player believes of each hidden piece sums to one.
fn whole(view: &View) {
    let belief = Belief::of_enemies(view);
    for (id, _) in view.enemies() {
        let Some(probabilities) = belief.probabilities(id) else { continue };
        let sum: f32 = probabilities.values().sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum} for {id:?} in {}", text_of(view));
    }
}

fn text_of(view: &View) -> String {
    let viewer = Viewer::Player(view.viewer());
    Spn { position: view.position().clone(), viewer }.to_string()
}
