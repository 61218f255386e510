//! The codes that are offered are the legal actions, and each code is one action.

use crate::support::{fresh, play, systems};
use outflank::rng::Rng;
use outflank::rules::{Action, Ruleset, Side};
use outflank_gym::encoding::{CODES, action_of, code, legal_into};
use outflank_referee::Referee;

/// The codes of the actions without a rescue, rising.
fn plain(actions: Vec<Action>, mover: Side) -> Vec<u16> {
    let plain = actions.into_iter().filter(|action| action.rescue.is_none());
    let mut codes: Vec<u16> = plain.map(|action| code(mover, action)).collect();
    codes.sort_unstable();
    codes
}

/// Plays a game beside a referee of its own; the plies made.
fn compare(rules: Ruleset, rng: &mut Rng) -> usize {
    let mut game = fresh(rules, rng);
    let mut referee = Referee::new(rules, &game.setups()[Side::Red], &game.setups()[Side::Blue]).unwrap();
    let mut listed = Vec::new();
    let codes = play(&mut game, 1200, rng, |game| {
        if let Some(last) = game.moves().last() {
            referee.play(last.action).unwrap();
        }
        let (mover, view) = (game.to_move(), game.view(game.to_move()));
        assert_eq!(game.codes(), plain(referee.actions(), mover), "{rules}: the referee's actions");
        assert_eq!(game.codes(), plain(view.position().actions(), mover), "{rules}: the view's actions");
        assert!(game.codes().is_sorted_by(|one, two| one < two), "{rules}: a code is offered twice");
        legal_into(view, &mut listed);
        let codes: Vec<u16> = listed.iter().map(|&action| code(mover, action)).collect();
        assert_eq!(game.codes(), codes);
    });
    if game.ending().is_some() {
        assert!(game.codes().is_empty(), "{rules}: actions after the end");
    }
    codes.len()
}

#[test]
fn the_codes_are_the_legal_actions_without_rescues() {
    let mut rng = Rng::new(71);
    for rules in systems() {
        let plies: usize = (0..4).map(|_| compare(rules, &mut rng)).sum();
        assert!(plies > if rules.barrage { 40 } else { 400 }, "{rules}: {plies}");
    }
}

#[test]
fn a_code_is_one_action_and_an_action_one_code() {
    for viewer in Side::BOTH {
        let mut actions = 0;
        for wanted in 0..CODES as u16 {
            if let Some(action) = action_of(viewer, wanted) {
                assert_eq!(code(viewer, action), wanted);
                actions += 1;
            }
        }
        // Eight of the hundred squares are lakes.
        assert_eq!(actions, 92 * 92);
        for wanted in [CODES as u16, 10_050, u16::MAX] {
            assert_eq!(action_of(viewer, wanted), None);
        }
    }
}

#[test]
fn an_illegal_code_is_refused_and_changes_nothing() {
    let mut rng = Rng::new(72);
    let mut game = fresh(Ruleset::default(), &mut rng);
    play(&mut game, 40, &mut rng, |_| {});
    let (codes, plies) = (game.codes().to_vec(), game.moves().len());
    let illegal = (0..=u16::MAX).filter(|code| codes.binary_search(code).is_err());
    for code in illegal.step_by(7) {
        assert!(game.play_code(code).is_err(), "{code}");
    }
    assert_eq!((game.codes(), game.moves().len()), (codes.as_slice(), plies));
}
