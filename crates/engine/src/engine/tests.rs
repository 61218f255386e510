//! One player: what it finds out is found again, and nothing else changes what it does.

use super::*;
use crate::belief::Likelihood;
use crate::rules::PieceId;
use crate::search::Clock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const RED: &str = "4532B2BF5BBB37S6362339M7224875466B852224";
/// Red's captain takes b7 on b6 and is known; Blue's a7 comes beside it on a6, where the captain can strike it.
const MET: [&str; 6] = ["b4b5", "b7b6", "b5xb6=W62", "j7j6", "j4j5", "a7a6"];

struct Stands;

impl Clock for Stands {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn after(texts: &[&str], settings: Settings) -> Engine {
    let mut player = Engine::new(Side::Red, Ruleset::default(), settings);
    player.observe(&Event::Deployed(Side::Red, RED.parse().unwrap())).unwrap();
    player.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
    play(&mut player, texts);
    player
}

fn play(player: &mut Engine, texts: &[&str]) {
    for text in texts {
        player.observe(&Event::Played(text.parse().unwrap())).unwrap();
    }
}

fn request() -> Request {
    Budget { nodes: Some(4_000), ..Budget::default() }.into()
}

fn think(player: &mut Engine) -> Choice {
    player.think(&request(), Control::new(&Stands, &AtomicBool::new(false)), &mut |_| ())
}

fn shares(player: &Engine) -> Vec<u32> {
    player.belief().pieces().iter().flat_map(|(_, shares)| *shares.map(f32::to_bits).as_array()).collect()
}

#[test]
fn a_thought_changes_the_belief_and_an_undo_takes_that_back() {
    let mut player = after(&MET, Settings::default());
    let before = shares(&player);
    let choice = think(&mut player);
    assert!(choice.action.is_some());
    let thought = shares(&player);
    assert_ne!(before, thought);
    assert!(player.undo());
    assert_eq!(shares(&player), shares(&after(&MET[..5], Settings::default())));
    play(&mut player, &MET[5..]);
    assert_eq!(shares(&player), thought, "the same ply again");
}

#[test]
fn equal_questions_have_equal_answers() {
    let mut player = after(&MET, Settings { seed: 3, ..Settings::default() });
    let (one, two) = (think(&mut player.clone()), think(&mut player));
    // The second time it is known already what the enemy's last move tells.
    let three = think(&mut player);
    for other in [two, three] {
        assert_eq!((one.action, one.score, one.nodes), (other.action, other.score, other.nodes));
    }
}

#[test]
fn values_are_those_of_the_evaluator_that_was_chosen() {
    let [hand_made, material] = EvaluatorKind::ALL
        .map(|evaluator| think(&mut after(&MET, Settings { evaluator, ..Settings::default() })));
    assert!(hand_made.action.is_some() && material.action.is_some());
    assert_ne!(hand_made.score, material.score);
}

/// The plies of the contacts by which Blue's a7 is judged.
fn contacts(player: &Engine) -> Vec<u32> {
    let a7 = PieceId::new(Side::Blue, 39);
    let contacts = player.evidence().contacts(player.view());
    contacts.filter(|(contact, _)| contact.id == a7).map(|(contact, _)| contact.ply).collect()
}

#[test]
fn a_contact_is_noted_once_and_judged_when_the_rank_is_revealed() {
    let mut player = after(&MET, Settings::default());
    assert_eq!(contacts(&player), [], "nobody knows yet whether it was a bluff");
    // It goes away, comes again, and is struck.
    play(&mut player, &["j5j4", "a6a7", "j4j5", "a7a6", "b6xa6=W65"]);
    let noted = contacts(&player);
    assert_eq!(noted, [6]);
    // Made again after an `undo`, it is still one.
    for _ in 0..2 {
        assert!(player.undo());
    }
    assert_eq!(contacts(&player), []);
    play(&mut player, &["a7a6", "b6xa6=W65"]);
    assert_eq!(contacts(&player), noted);
}

#[test]
fn another_telling_inherits_what_was_found_out() {
    let mut player = after(&MET, Settings::default());
    think(&mut player);
    let mut replayed = after(&MET, Settings::default());
    replayed.inherit(&player);
    assert_eq!(shares(&replayed), shares(&player));
    let mut other = after(&["a4a5"], Settings::default());
    other.inherit(&player);
    assert_eq!(other.evidence().about(other.view()).count(), 0);
}

/// What neither side's strike follows: enough plies for a copy to think by to have forgotten the ones before.
const QUIET: [&str; 18] = [
    "f4f5", "f7f6", "i4i5", "e7e6", "e4e5", "i7i6", "f5f4", "f6f7", "i5i4", "e6e7", "e5e4", "i6i7", "f4f5",
    "f7f6", "i4i5", "e7e6", "e4e5", "i7i6",
];

#[test]
fn a_copy_to_think_by_is_advised_as_the_whole_game_is() {
    let mut player = after(&MET, Settings::default());
    play(&mut player, &QUIET);
    let copy = player.to_think();
    assert_ne!(
        Pursuits::of(copy.view().position()),
        player.pursuits,
        "the copy has forgotten who went up to whom"
    );
    assert!(copy.policy().len() > 10);
    assert_eq!(copy.policy(), player.policy());
    // Plies that are taken back are as if they had not been made.
    assert!(player.undo());
    assert_eq!(player.pursuits, Pursuits::of(player.view().position()));
}

#[test]
fn who_ignores_the_moves_does_not_ask_about_them() {
    let mut ablation = Ablation::default();
    *ablation.key(Likelihood::MoveEvidence.name()).unwrap() = true;
    let mut player = after(&MET, Settings { ablation, ..Settings::default() });
    think(&mut player);
    assert_eq!(player.evidence().about(player.view()).count(), 0);
}

#[test]
fn a_stopped_pondering_says_so() {
    let (mut player, stop) = (after(&MET, Settings::default()), AtomicBool::new(true));
    assert!(!player.ponder(Control::new(&Stands, &stop)));
}

/// How many of twelve first moves strike, with setups that the engine chooses.
fn first_strikes() -> usize {
    let strikes_first = |&seed: &u64| {
        let setup = choose_setup(&Ruleset::default(), None, &mut Rng::new(seed));
        let mut player = Engine::new(Side::Red, Ruleset::default(), Settings { seed, ..Settings::default() });
        player.observe(&Event::Deployed(Side::Red, setup)).unwrap();
        player.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
        let action = think(&mut player).action.unwrap();
        player.view().position().is_strike(action)
    };
    (0..12).filter(strikes_first).count()
}

/// Nine of ten games once began with a scout thrown away, for the bonus that strikes have at the root. It does not count
/// so early, and the policy strikes as often as strong players do: 16 of 80 first actions.
#[test]
fn a_first_move_seldom_strikes() {
    let numbers = "search.strike_bonus_opening=1,search.policy_weight=0";
    let whole_bonus = crate::params::Variant::read(crate::search::PARAMETERS, numbers).unwrap();
    let (now, before) = (first_strikes(), whole_bonus.while_doing(first_strikes));
    assert!(now <= 4 && before >= 8, "{now} and {before} of 12");
}
