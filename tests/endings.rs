//! How games end, case by case: flags, sides that cannot act, armies worn out, and games that are drawn.

use outflank::rules::{Position, Preset, Ruleset, Side, Spn, Stuck};
use outflank_tests::{action, study};

/// The presets by what they say of a side that cannot act.
const LOSES: [Preset; 4] = [Preset::Original1961, Preset::Gameboard, Preset::Wiki, Preset::Gravon];
const ATTRITION: [Preset; 2] = [Preset::Vassal, Preset::Evaluator];

fn stuck(stuck: Stuck) -> Ruleset {
    Ruleset { stuck, ..Ruleset::default() }
}

/// Plays from a position; how it ended, or `-`.
fn ends(rules: Ruleset, turn: Side, pieces: &str, plies: &str) -> String {
    let mut position = study(rules, turn, pieces).position;
    for text in plies.split_ascii_whitespace() {
        assert_eq!(position.ending(), None, "over before {text}");
        let action = action(text);
        assert!(position.is_legal(action), "{text}");
        position.play(action.into()).unwrap();
    }
    outcome(&position)
}

fn outcome(position: &Position) -> String {
    position.ending().map_or("-".to_owned(), |ending| ending.to_string())
}

#[test]
fn whoever_takes_the_flag_wins() {
    for preset in Preset::ALL {
        for rank in "S23456789M".chars() {
            let rules = Ruleset::of(preset);
            let red = ends(rules, Side::Red, &format!("r{rank}e9 rFa1 bFe10 b4j10"), "e9e10");
            assert_eq!(red, "red flag", "{rank} {preset:?}");
            let blue = ends(rules, Side::Blue, &format!("b{rank}e2 rFe1 bFa10 r4j1"), "e2e1");
            assert_eq!(blue, "blue flag", "{rank} {preset:?}");
        }
    }
}

#[test]
fn a_side_that_cannot_act_on_its_turn_loses() {
    // Blue's miner is walled in by its own bombs; Red moves, then Blue is stuck.
    let blocked = "r4e4 rFa1 bFj9 bBj8 bBi9 b3j10 bBi10";
    for preset in Preset::ALL {
        assert_eq!(ends(Ruleset::of(preset), Side::Red, blocked, "e4e5"), "red stuck", "{preset:?}");
    }
    // The same for Red, which has nothing but its flag and a bomb.
    for preset in LOSES.into_iter().chain([Preset::Isf]) {
        let bare = ends(Ruleset::of(preset), Side::Blue, "rFa1 rBb1 b4e7 bFj10", "e7e6");
        assert_eq!(bare, "blue stuck", "{preset:?}");
    }
}

#[test]
fn nobody_is_stuck_before_its_turn() {
    let blocked = "r4e4 rFa1 bFj9 bBj8 bBi9 b3j10 bBi10";
    for preset in Preset::ALL {
        assert_eq!(outcome(&study(Ruleset::of(preset), Side::Red, blocked).position), "-", "{preset:?}");
    }
}

#[test]
fn an_army_worn_out_has_lost_at_once_where_attrition_counts() {
    // Red's last mobile piece falls to a bomb it strikes; then it is Blue's turn.
    let pieces = "r4e4 rFa1 rBb1 bBe5 b4j9 bFj10";
    for preset in ATTRITION {
        assert_eq!(ends(Ruleset::of(preset), Side::Red, pieces, "e4e5"), "blue attrition", "{preset:?}");
    }
    for preset in LOSES.into_iter().chain([Preset::Isf]) {
        let rules = Ruleset { advance: false, ..Ruleset::of(preset) };
        assert_eq!(ends(rules, Side::Red, pieces, "e4e5"), "-", "{preset:?}");
        assert_eq!(ends(rules, Side::Red, pieces, "e4e5 j9j8"), "blue stuck", "{preset:?}");
    }
    // Taking the enemy's last mobile piece wins just so.
    for preset in ATTRITION {
        let taken = ends(Ruleset::of(preset), Side::Red, "r5e4 rFa1 b4e5 bFj10 bBj9", "e4e5");
        assert_eq!(taken, "red attrition", "{preset:?}");
    }
}

#[test]
fn a_blocked_army_is_not_worn_out() {
    // Blue's miner is walled in: no attrition while it is Red's turn, and none by Red's strike elsewhere.
    let blocked = "r4e4 r5e3 rFa1 bFj9 bBj8 bBi9 b3j10 bBi10 b2f4";
    for preset in ATTRITION {
        let rules = Ruleset::of(preset);
        assert_eq!(ends(rules, Side::Blue, blocked, "f4f5"), "-", "{preset:?}");
        assert_eq!(ends(rules, Side::Red, blocked, "e4f4"), "red stuck", "{preset:?}");
    }
}

/// Both sides' last mobile pieces fall together.
#[test]
fn the_last_mobile_pieces_lost_in_a_tie() {
    let pieces = "r4e4 rFa1 b4e5 bFj10";
    for preset in LOSES {
        // Blue is to move and cannot: it gives up first.
        let rules = Ruleset::of(preset);
        assert_eq!(ends(rules, Side::Red, pieces, "e4e5"), "red stuck", "{preset:?}");
        let other = pieces.replace("e5", "e7").replace("e4", "e6");
        assert_eq!(ends(rules, Side::Blue, &other, "e7e6"), "blue stuck", "{preset:?}");
    }
    for preset in ATTRITION {
        assert_eq!(ends(Ruleset::of(preset), Side::Red, pieces, "e4e5"), "draw attrition", "{preset:?}");
    }
    assert_eq!(ends(Ruleset::of(Preset::Isf), Side::Red, pieces, "e4e5"), "draw stuck");
    // One side's last alone: the other goes on to win.
    let more = format!("{pieces} r5j1");
    assert_eq!(ends(Ruleset::of(Preset::Isf), Side::Red, &more, "e4e5"), "red stuck");
    assert_eq!(ends(Ruleset::of(Preset::Vassal), Side::Red, &more, "e4e5"), "red attrition");
    // With the aggressor's advantage there is no tie.
    let rules = Ruleset { aggressor: true, ..Ruleset::of(Preset::Isf) };
    assert_eq!(ends(rules, Side::Red, pieces, "e4e5"), "red stuck");
}

#[test]
fn both_stuck_is_a_draw_only_where_the_rules_say_so() {
    // The free pieces fall together; what is left on either side is walled in by its own bombs.
    let pieces = "r3a1 rBa2 rBb1 rFc1 r4e4 b3j10 bBj9 bBi10 bFh10 b4e5";
    let expected =
        [(Stuck::Loses, "red stuck"), (Stuck::Attrition, "red stuck"), (Stuck::DrawIfBoth, "draw stuck")];
    for (key, ending) in expected {
        assert_eq!(ends(stuck(key), Side::Red, pieces, "e4e5"), ending, "{key:?}");
    }
}

/// Repetition rules bind the side to move; whether the other side is stuck too is asked without them.
#[test]
fn a_side_whose_every_action_is_a_repetition_is_stuck() {
    // Red's piece has a corridor of two squares.
    let pieces = "r4a1 rBb1 rBb2 rBa3 rFe1 b6f7 bFj10";
    let plies = "a1a2 f7f8 a2a1 f8e8 a1a2 e8e7";
    for key in [Stuck::Loses, Stuck::Attrition, Stuck::DrawIfBoth] {
        let rules = Ruleset { twosquares: 3, ..stuck(key) };
        assert_eq!(ends(rules, Side::Red, pieces, plies), "blue stuck", "{key:?}");
        let rules = Ruleset { twosquares: 4, ..stuck(key) };
        assert_eq!(ends(rules, Side::Red, pieces, plies), "-", "{key:?}");
    }
    // Both in corridors: Red has used its crossings up and loses, since Blue has an action, repetition aside.
    let pieces = "r4a1 rBb1 rBb2 rBa3 rFe1 b4j10 bBi10 bBi9 bBj8 bFe10";
    let rules = Ruleset { twosquares: 2, ..stuck(Stuck::DrawIfBoth) };
    assert_eq!(ends(rules, Side::Red, pieces, "a1a2 j10j9 a2a1 j9j10"), "blue stuck");
}

#[test]
fn the_nth_quiet_ply_is_a_draw() {
    let pieces = "r6e4 rFa1 b4e7 b4f5 bFj10";
    let plies = "e4e3 e7e8 e3e4 e8e7";
    for preset in Preset::ALL {
        let of = |quiet| Ruleset { quiet, ..Ruleset::of(preset) };
        assert_eq!(ends(of(4), Side::Red, pieces, plies), "draw quiet", "{preset:?}");
        assert_eq!(ends(of(5), Side::Red, pieces, plies), "-", "{preset:?}");
        assert_eq!(ends(of(1), Side::Red, pieces, "e4e3"), "draw quiet", "{preset:?}");
        // A strike begins the count anew.
        let three = of(3);
        let struck = "r6e4 rFa1 b4e5 b4f7 bFj10";
        assert_eq!(ends(three, Side::Red, struck, "e4e5 f7f8 e5e4"), "-", "{preset:?}");
        assert_eq!(ends(three, Side::Red, struck, "e4e5 f7f8 e5e4 f8f7"), "draw quiet", "{preset:?}");
    }
}

#[test]
fn the_nth_ply_is_a_draw() {
    let pieces = "r6e4 rFa1 b4e5 b4f7 bFj10";
    for preset in Preset::ALL {
        let of = |plies| Ruleset { plies, ..Ruleset::of(preset) };
        assert_eq!(ends(of(3), Side::Red, pieces, "e4e5 f7f8"), "-", "{preset:?}");
        assert_eq!(ends(of(3), Side::Red, pieces, "e4e5 f7f8 e5e4"), "draw plies", "{preset:?}");
        // Strikes do not hold it off.
        assert_eq!(ends(of(1), Side::Red, pieces, "e4e5"), "draw plies", "{preset:?}");
    }
}

#[test]
fn flag_then_stuck_then_quiet_then_plies() {
    let all = |stuck| Ruleset { stuck, quiet: 1, plies: 1, ..Ruleset::default() };
    for key in [Stuck::Loses, Stuck::Attrition, Stuck::DrawIfBoth] {
        assert_eq!(ends(all(key), Side::Red, "r4e9 rFa1 bFe10 b4j10", "e9e10"), "red flag", "{key:?}");
        let blocked = "r4e4 rFa1 bFj9 bBj8 bBi9 b3j10 bBi10";
        assert_eq!(ends(all(key), Side::Red, blocked, "e4e5"), "red stuck", "{key:?}");
        assert_eq!(ends(all(key), Side::Red, "r4e4 rFa1 b4e7 bFj10", "e4e3"), "draw quiet", "{key:?}");
        assert_eq!(ends(all(key), Side::Red, "r5e4 rFa1 b4e5 b4j9 bFj10", "e4e5"), "draw plies", "{key:?}");
    }
    let taken = "r5e4 rFa1 b4e5 bFj10 bBj9";
    assert_eq!(ends(all(Stuck::Attrition), Side::Red, taken, "e4e5"), "red attrition");
}

#[test]
fn no_preset_counts_plies() {
    for preset in Preset::ALL {
        let rules = Ruleset { twosquares: 0, moresquares: false, ..Ruleset::of(preset) };
        let mut position = study(rules, Side::Red, "r6e4 rFa1 b4e7 bFj10").position;
        for _ in 0..500 {
            for text in ["e4e3", "e7e8", "e3e4", "e8e7"] {
                position.play(action(text).into()).unwrap();
            }
        }
        assert_eq!((position.ply(), outcome(&position)), (2000, "-".to_owned()), "{preset:?}");
    }
}

#[test]
fn a_game_that_is_over_takes_no_more_plies() {
    let mut position = study(Ruleset::default(), Side::Red, "r4e9 rFa1 bFe10 b4j10").position;
    position.play(action("e9e10").into()).unwrap();
    assert!(position.actions().is_empty());
    assert!(position.play(action("j10j9").into()).is_err());
    // Taking the ply back opens it again.
    assert!(position.undo());
    assert_eq!(outcome(&position), "-");
}

/// The ending of a position as one player or nobody in particular knows it, after some plies with their results.
fn known(position: &str, plies: &str) -> String {
    let mut position = Spn::parse(position, Ruleset::default()).unwrap().position;
    for text in plies.split_ascii_whitespace() {
        assert_eq!(position.ending(), None, "over before {text}");
        position.play(text.parse().unwrap()).unwrap();
    }
    outcome(&position)
}

/// Seven pieces that never moved are the flag and the bombs, if all else is dead.
#[test]
fn an_army_without_a_mobile_piece_by_its_counts_is_stuck() {
    let board = "7???/7???/9?/8p+k+/2__2__2/2__2__2/10/10/10/MB8 r r";
    let dead = "222222223333344445555666677788SMBBBBB,S222222233333444455556666777889M 0 200";
    let ending = |board: &str, preset: &str| known(&format!("{board} {dead} preset={preset}"), "j7xi7=W92");
    for preset in Preset::ALL {
        let reason = if ATTRITION.contains(&preset) { "attrition" } else { "stuck" };
        assert_eq!(ending(board, preset.name()), format!("red {reason}"), "{preset:?}");
    }
    // One more lives, and may be anything: here a scout.
    let one_more =
        format!("{} {}", board.replacen("7???", "6????", 1), dead.replacen("S2222222", "S222222", 1));
    for preset in Preset::ALL {
        assert_eq!(known(&format!("{one_more} preset={}", preset.name()), "j7xi7=W92"), "-", "{preset:?}");
    }
}

#[test]
fn two_armies_without_mobile_pieces_draw_where_that_is_the_rule() {
    let board = "7???/7???/9?/10/2__2__2/2__2__2/10/10/10/MB8 r r \
                 222222223333344445555666677788S9MBBBBB,S222222223333344445555666677788M9 0 200 preset=";
    for preset in Preset::ALL {
        let ending = match Ruleset::of(preset).stuck {
            Stuck::Loses => "blue stuck",
            Stuck::Attrition => "draw attrition",
            Stuck::DrawIfBoth => "draw stuck",
        };
        assert_eq!(known(&format!("{board}{}", preset.name()), ""), ending, "{preset:?}");
    }
}

/// Silent strikes leave the dead unclear: what they may be decides, if it does.
#[test]
fn attrition_waits_for_what_decides_it() {
    // A bomb or the spy died: the spy, as all six bombs are known.
    let sure = "1?8/10/10/10/2__2__2/2__2__2/10/10/D+9/MB8 b r 222222233333444455556666777889MSBBBBB,\
                ?[SB]2222222233333444455556666777889MBBBBBB 0 200 preset=vassal silent=on";
    assert_eq!(known(sure, ""), "red attrition");
    // Two live, and a bomb, the spy or a scout died: Blue may have a scout left, and then Red has lost.
    let unclear = "??8/3?+6/3d+6/10/2__2__2/2__2__2/10/10/10/MB8 b r 22222223333344445555666677788S9MBBBBB,\
                   ?[BS2]222222233333444455556666777889MBBBBB 0 200 preset=vassal silent=on";
    assert_eq!(known(unclear, "d9xd8=T22"), "-");
}
