//! Whole games: every choice is legal, and none of the styles is a fool.

use crate::common::{RANDOM, ordinary, play, points, rules};
use outflank::rules::BySide;
use outflank_styles::STYLES;

/// Rule systems of all kinds of repetition rules.
fn systems() -> [outflank::rules::Ruleset; 4] {
    [
        rules("isf", &[], 600),
        rules("evaluator", &[], 600),
        rules("isf", &[("barrage", "on")], 300),
        rules("1961", &[("silent", "on"), ("aggressor", "on"), ("rescue", "on")], 400),
    ]
}

#[test]
fn every_style_plays_whole_games_by_every_kind_of_rules() {
    for (number, style) in STYLES.into_iter().enumerate() {
        for (index, rules) in systems().into_iter().enumerate() {
            let enemy = STYLES[(number + index + 1) % STYLES.len()];
            let game = play(rules, BySide::new([style, enemy]), number as u64, |_, _, _| ());
            assert!(game.plies > 4, "{} against {}: {:?}", style.name, enemy.name, game.ending);
        }
    }
}

#[test]
fn equal_seeds_play_equal_games() {
    let game = || {
        let mut actions = Vec::new();
        play(rules("isf", &[], 200), BySide::new([STYLES[0], STYLES[1]]), 5, |_, _, action| {
            actions.push(action);
        });
        actions
    };
    assert_eq!(game(), game());
}

#[test]
fn every_style_beats_a_random_mover() {
    for style in STYLES {
        let (points, _) = points(style, RANDOM, rules("isf", &[], 2000), 2);
        assert!(points >= 1.5, "{}: {points} of 2", style.name);
    }
}

/// With a table: `cargo test -p outflank-styles -- --ignored --nocapture soak_`.
#[test]
#[ignore = "takes minutes"]
fn soak_every_style_beats_a_random_mover_nine_times_in_ten() {
    let games = 40;
    let mut weak = Vec::new();
    for style in STYLES {
        let (score, plies) = points(style, RANDOM, rules("isf", &[], 2000), games);
        let (even, _) = points(style, ordinary(), rules("isf", &[], 2000), games);
        println!(
            "{:<10} {score} of {games} in {} plies, {even} against ordinary play",
            style.name,
            plies / games as u32
        );
        if score < 0.9 * games as f32 {
            weak.push(style.name);
        }
    }
    assert!(weak.is_empty(), "{weak:?}");
}
