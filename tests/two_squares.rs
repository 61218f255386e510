//! *Two squares*, table by table: how often running a border may be crossed, by whom, and what ends a run.

use outflank::rules::{BySide, Position, Preset, Repetition, Ruleset, Side};
use outflank_tests::{action, study};

/// A game in which Red has a scout on a1, a miner on j1 and a captain on e4, Blue the same across the board.
fn game(rules: Ruleset) -> Position {
    let pieces = "r2a1 r3j1 r6e4 rFd1 rBc1 b2j10 b3a10 b6f7 bFg10 bBh10";
    study(rules, Side::Red, pieces).position
}

fn rules(limit: u8) -> Ruleset {
    Ruleset { twosquares: limit, moresquares: false, ..Ruleset::default() }
}

fn play(position: &mut Position, text: &str) {
    let action = action(text);
    assert_eq!(position.repetition(action), None, "{text} after {} plies", position.ply());
    position.play(action.into()).unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// Plays what Red and Blue do in turn; `-` is an idle action of that side's captain, which moves in a ring.
fn after(rules: Ruleset, plies: &str) -> Position {
    let rings = BySide::new([["e4", "e3", "f3", "f4"], ["f7", "f8", "e8", "e7"]]);
    let mut steps = BySide::filled(0);
    let mut position = game(rules);
    for text in plies.split_ascii_whitespace() {
        let side = position.to_move();
        if text == "-" {
            let ring = rings[side];
            let idle = format!("{}{}", ring[steps[side] % 4], ring[(steps[side] + 1) % 4]);
            steps[side] += 1;
            play(&mut position, &idle);
        } else {
            play(&mut position, text);
        }
    }
    position
}

/// Red's actions, Blue idling between them.
fn alone(rules: Ruleset, actions: &[&str]) -> Position {
    let plies: Vec<&str> = actions.iter().flat_map(|text| [*text, "-"]).collect();
    after(rules, &plies.join(" "))
}

fn refused(position: &Position, text: &str) -> bool {
    let action = action(text);
    let broken = position.repetition(action) == Some(Repetition::TwoSquares);
    assert_eq!(position.is_legal(action), !broken, "{text}");
    broken
}

/// The actions of a piece that goes to and fro, the `limit + 1`st of which is refused.
fn shuffle(limit: usize, there: &'static str, back: &'static str) -> Vec<&'static str> {
    (0..limit).map(|count| if count % 2 == 0 { there } else { back }).collect()
}

#[test]
fn a_border_is_crossed_as_often_as_the_limit_says_and_no_more() {
    for limit in [2, 3, 5] {
        let crossings = shuffle(limit, "j1j2", "j2j1");
        for made in 0..=limit {
            let position = alone(rules(limit as u8), &crossings[..made]);
            let next = if made % 2 == 0 { "j1j2" } else { "j2j1" };
            assert_eq!(refused(&position, next), made == limit, "limit {limit}, {made} made");
        }
        // Varying is always open: to a third square, or with another piece.
        let position = alone(rules(limit as u8), &crossings);
        let aside = if limit % 2 == 0 { ["j1i1", "a1a2"] } else { ["j2i2", "j2j3"] };
        assert!(aside.iter().all(|text| !refused(&position, text)));
    }
}

#[test]
fn the_presets_have_the_limits_of_their_texts() {
    let limits = [2, 5, 2, 2, 3, 5, 0];
    for (preset, limit) in Preset::ALL.into_iter().zip(limits) {
        let rules = Ruleset { moresquares: false, ..Ruleset::of(preset) };
        assert_eq!(rules.twosquares, limit, "{preset:?}");
        let most = if limit == 0 { 20 } else { usize::from(limit) };
        let position = alone(rules, &shuffle(most, "j1j2", "j2j1"));
        let next = if most % 2 == 0 { "j1j2" } else { "j2j1" };
        assert_eq!(refused(&position, next), limit != 0, "{preset:?}");
    }
}

/// Limit, a scout's actions, what then crosses a border once too often, and what does not. Worked out by hand: a
/// border counts as often as the last actions have crossed it without a gap.
type Run = (u8, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

const SCOUTS: [Run; 10] = [
    // a1|a2 to a3|a4 twice each.
    (2, &["a1a4", "a4a1"], &["a1a2", "a1a3", "a1a4", "a1a9"], &["a1b1"]),
    // a2|a3 and a3|a4 twice, a1|a2 but once and not last.
    (2, &["a1a4", "a4a2"], &["a2a3", "a2a5"], &["a2a1", "a2b2", "a2j2"]),
    // Nothing twice: it went on.
    (2, &["a1a4", "a4a7"], &[], &["a7a4", "a7a1", "a7a9"]),
    // ISF's own example: a3|a4 and a4|a5 three times.
    (3, &["a1a5", "a5a3", "a3a8"], &["a8a4", "a8a3", "a8a2", "a8a1"], &["a8a5", "a8a6", "a8a9", "a8e8"]),
    // a2|a3 three times.
    (3, &["a1a9", "a9a2", "a2a3"], &["a3a2", "a3a1"], &["a3a4", "a3a9", "a3b3"]),
    // a1|a2 three times.
    (3, &["a1a9", "a9a1", "a1a2"], &["a2a1"], &["a2a3", "a2a9"]),
    // Two crossings are not three.
    (3, &["a1a9", "a9a1"], &[], &["a1a2", "a1a9"]),
    // a3|a4 and a4|a5 five times.
    (5, &["a1a9", "a9a1", "a1a5", "a5a3", "a3a7"], &["a7a4", "a7a3", "a7a1"], &["a7a5", "a7a9"]),
    // a2|a3 five times.
    (5, &["a1a3", "a3a2", "a2a3", "a3a2", "a2a3"], &["a3a2", "a3a1"], &["a3a4", "a3b3"]),
    // Four are not five.
    (5, &["a1a9", "a9a1", "a1a9", "a9a1"], &[], &["a1a9", "a1a2"]),
];

#[test]
fn scouts_cross_every_border_on_their_way() {
    for (limit, made, broken, open) in SCOUTS {
        let position = alone(rules(limit), made);
        for text in broken {
            assert!(refused(&position, text), "limit {limit}, {made:?}, {text}");
        }
        for text in open {
            assert!(!refused(&position, text), "limit {limit}, {made:?}, {text}");
        }
    }
}

#[test]
fn rows_count_as_files_do() {
    let position = alone(rules(3), &["a1a4", "a4d4", "d4b4", "b4c4"]);
    assert!(refused(&position, "c4b4") && refused(&position, "c4a4"));
    assert!(!refused(&position, "c4d4") && !refused(&position, "c4c3"));
}

#[test]
fn strikes_cross_borders_too() {
    let pieces = "r2a1 rFd1 rBc1 r6e4 bSa9 b6f7 bFg10 bBh10";
    let start = |limit| study(rules(limit), Side::Red, pieces).position;
    let mut position = start(2);
    for text in ["a1a4", "f7f8", "a4a1", "f8f7"] {
        play(&mut position, text);
    }
    assert!(refused(&position, "a1a9"), "the strike would be the third crossing");
    let mut position = start(3);
    for text in ["a1a4", "f7f8", "a4a1", "f8e8", "a1a9", "e8e7"] {
        play(&mut position, text);
    }
    // The strike won; it was the third crossing of a3|a4 and the first of a4|a5.
    assert!(refused(&position, "a9a3") && !refused(&position, "a9a4"));
}

#[test]
fn another_action_of_its_side_ends_a_run() {
    for between in ["a1a2", "e4e3"] {
        let position = alone(rules(2), &["j1j2", "j2j1", between]);
        assert!(!refused(&position, "j1j2"), "{between}");
        // Counting begins anew.
        let position = alone(rules(2), &["j1j2", "j2j1", between, "j1j2", "j2j1"]);
        assert!(refused(&position, "j1j2"), "{between}");
    }
    // So does an action of the same piece across another border.
    let position = alone(rules(2), &["j1j2", "j2j1", "j1i1", "i1j1"]);
    assert!(!refused(&position, "j1j2") && refused(&position, "j1i1"));
}

#[test]
fn what_the_enemy_does_ends_no_run() {
    let pieces = "r3j1 r6e4 rFd1 bSj9 b6f7 bFg10";
    let mut position = study(rules(3), Side::Red, pieces).position;
    for text in ["j1j2", "j9j8", "j2j1", "j8j7", "j1j2", "j7j6"] {
        play(&mut position, text);
    }
    assert!(refused(&position, "j2j1"));
    // Neither does being struck: the defender that wins and stays goes on with its run.
    let pieces = "r3j1 r6e4 rFd1 b2j9 b6f7 bFg10";
    let mut position = study(rules(3), Side::Red, pieces).position;
    for text in ["j1j2", "j9j2", "j2j1", "f7f8", "j1j2", "f8f7"] {
        play(&mut position, text);
    }
    assert!(refused(&position, "j2j1"));
}

#[test]
fn a_striker_that_falls_leaves_no_run_behind() {
    let pieces = "r3j1 r2j4 rFd1 b6j5 b6f7 bFg10";
    let mut position = study(rules(1), Side::Red, pieces).position;
    play(&mut position, "j4j5");
    play(&mut position, "f7f8");
    assert!(!refused(&position, "j1j2"));
}

#[test]
fn both_sides_count_for_themselves_and_the_first_has_to_vary_first() {
    for limit in [2usize, 3, 5] {
        let red = shuffle(limit, "j1j2", "j2j1");
        let blue = shuffle(limit, "a10a9", "a9a10");
        let plies: Vec<&str> = red.iter().zip(&blue).flat_map(|(red, blue)| [*red, *blue]).collect();
        let next = |there, back| if limit % 2 == 0 { there } else { back };
        // One ply short, Blue may still cross; it began after Red.
        let position = after(rules(limit as u8), &plies[..plies.len() - 1].join(" "));
        assert_eq!(position.to_move(), Side::Blue);
        assert!(!refused(&position, blue[limit - 1]));
        // Now Red, which began, has to vary.
        let position = after(rules(limit as u8), &plies.join(" "));
        assert!(refused(&position, next("j1j2", "j2j1")), "limit {limit}");
        // When it has, Blue's own run stands at the limit too.
        let position = after(rules(limit as u8), &format!("{} -", plies.join(" ")));
        assert!(refused(&position, next("a10a9", "a9a10")), "limit {limit}");
    }
}

#[test]
fn without_a_limit_nothing_is_refused() {
    let position = alone(rules(0), &shuffle(40, "j1j2", "j2j1"));
    assert!(!refused(&position, "j1j2"));
}

#[test]
fn undone_crossings_do_not_count() {
    let mut position = alone(rules(2), &["j1j2", "j2j1"]);
    assert!(refused(&position, "j1j2"));
    position.undo();
    position.undo();
    assert!(!refused(&position, "j2j1"));
}
