//! What single planes and bytes hold.

use crate::support::{Shown, fresh, play, rules, systems};
use outflank::rng::Rng;
use outflank::rules::{BySide, Piece, Rank, Ruleset, SQUARES, Side, Spn, Square};
use outflank::view::View;
use outflank_gym::encoding::{GLOBALS, PLANE_BYTES, PLANES, Plane, encode, seen_from};
use outflank_gym::game::Game;

/// The twelve bytes of a square.
fn chances(shown: &Shown, plane: Plane, square: usize) -> Vec<u8> {
    (0..Rank::COUNT).map(|rank| shown.plane(plane, rank)[square]).collect()
}

/// Expects chances that sum to about 1 where pieces stand, one alone where the rank is known, and none elsewhere.
fn check_chances(shown: &Shown, [ranks, known]: [Plane; 2], occupied: &[bool]) {
    for (square, &occupied) in occupied.iter().enumerate() {
        let bytes = chances(shown, ranks, square);
        let sum: u32 = bytes.iter().map(|&byte| u32::from(byte)).sum();
        if !occupied {
            assert_eq!(sum, 0, "{ranks:?}: chances on {square}, where nobody stands");
            assert_eq!(shown.plane(known, 0)[square], 0);
        } else if shown.plane(known, 0)[square] == 255 {
            assert!(sum == 255 && bytes.contains(&255), "{ranks:?}: {square} is known, {bytes:?}");
        } else {
            assert!(sum.abs_diff(255) <= 6, "{ranks:?}: {square} sums to {sum}, {bytes:?}");
        }
    }
}

#[test]
fn chances_sum_to_one_and_known_ranks_stand_alone() {
    let mut rng = Rng::new(81);
    for rules in systems() {
        let mut game = fresh(rules, &mut rng);
        play(&mut game, 300, &mut rng, check_position);
    }
}

fn check_position(game: &Game) {
    let (mover, shown) = (game.to_move(), Shown::of(game));
    let position = game.view(mover).position();
    let occupied = |side| {
        let mut occupied = [false; SQUARES];
        for square in position.occupied(side) {
            occupied[seen_from(mover, square)] = true;
        }
        occupied
    };
    let (ours, theirs) = (occupied(mover), occupied(mover.enemy()));
    check_chances(&shown, [Plane::EnemyRanks, Plane::EnemyKnown], &theirs);
    check_chances(&shown, [Plane::OursAsSeen, Plane::OursKnown], &ours);
    for (square, ours) in ours.into_iter().enumerate() {
        let bytes = chances(&shown, Plane::OurRanks, square);
        let found: Vec<u8> = bytes.into_iter().filter(|&byte| byte > 0).collect();
        assert_eq!(found, if ours { vec![255] } else { Vec::new() }, "our rank on {square}");
    }
    for (_, piece) in game.view(mover.enemy()).position().pieces(mover.enemy()) {
        let (Some(square), Some(truth)) = (piece.square, piece.ranks.single()) else { continue };
        let square = seen_from(mover, square);
        assert!(shown.rank_plane(Plane::EnemyRanks, truth)[square] > 0, "the truth is impossible");
    }
}

#[test]
fn history_is_shown_newest_first() {
    let mut rng = Rng::new(82);
    let mut game = fresh(rules("isf"), &mut rng);
    let mut seen = 0;
    play(&mut game, 200, &mut rng, |game| {
        let (mover, shown) = (game.to_move(), Shown::of(game));
        let at = |square: Square| seen_from(mover, square);
        for age in 0..8 {
            let played = game.moves().len().checked_sub(age + 1).map(|index| game.moves()[index]);
            let mut marks = played.map_or(Vec::new(), |played| {
                let to = if played.verdict.is_some() { 255 } else { 170 };
                vec![(at(played.action.from), 85), (at(played.action.to), to)]
            });
            marks.sort_unstable();
            assert_eq!(shown.marks(Plane::History, age), marks);
            seen += usize::from(played.is_some_and(|played| played.verdict.is_some()));
        }
    });
    assert!(seen > 20, "{seen}");
}

/// Both front rows begin with a Sergeant.
const SETUP: &str = "4532B2BF5BBB37S6362339M7224875466B852224";

#[test]
fn a_square_that_two_squares_forbids_is_marked() {
    let setup = SETUP.parse().unwrap();
    let mut game = Game::new(rules("gameboard twosquares=3"), BySide::filled(setup)).unwrap();
    let (out, back) = (3040, 4030);
    for code in [out, out, back, back, out, out] {
        let shown = Shown::of(&game);
        assert!(shown.marks(Plane::Forbidden, 0).is_empty() && shown.codes.contains(&code));
        game.play_code(code).unwrap();
    }
    // a4a5 a5a4 a4a5: the fourth crossing is forbidden, to either side as it sees the board.
    for _ in 0..2 {
        let shown = Shown::of(&game);
        assert_eq!(shown.marks(Plane::Forbidden, 0), [(30, 255)]);
        assert!(!shown.codes.contains(&back) && shown.codes.contains(&4050));
        game.play_code(3141).unwrap();
    }
    // Another piece has moved since.
    let shown = Shown::of(&game);
    assert!(shown.marks(Plane::Forbidden, 0).is_empty() && shown.codes.contains(&back));
}

#[test]
fn globals_hold_the_dead_the_clocks_and_the_rules() {
    let mut rng = Rng::new(83);
    let rules = rules("evaluator quiet=50 plies=400 aggressor=on");
    let mut game = fresh(rules, &mut rng);
    play(&mut game, 120, &mut rng, |game| {
        let (mover, globals) = (game.to_move(), Shown::of(game).globals);
        let position = game.view(mover).position();
        for (first, side) in [(0, mover), (12, mover.enemy())] {
            let scouts = |piece: &Piece| !piece.is_alive() && piece.ranks.single() == Some(Rank::Scout);
            let dead = position.pieces(side).filter(|(_, piece)| scouts(piece)).count();
            assert_eq!(usize::from(globals[first + 2]), dead * 255 / 8);
        }
        let quiet = game.moves().iter().rev().take_while(|played| played.verdict.is_none()).count();
        assert_eq!(usize::from(globals[24]), quiet);
        assert_eq!(usize::from(globals[25]), game.moves().len() / 8);
        assert_eq!(usize::from(globals[26]), quiet * 255 / 50);
        assert_eq!(usize::from(globals[27]), game.moves().len() * 255 / 400);
        // Scouts, two squares, more squares, advance; loses, attrition; aggressor, silent, rescue, barrage.
        assert_eq!(globals[28..], [255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0]);
    });
}

/// The README's table of planes names them in order, without a gap.
#[test]
fn the_readme_says_where_every_plane_is() {
    let readme = include_str!("../../README.md");
    let mut next = 0;
    for (index, plane) in Plane::ALL.into_iter().enumerate() {
        let end = Plane::ALL.get(index + 1).map_or(PLANES, |after| after.first());
        let range = if end == next + 1 { next.to_string() } else { format!("{next}-{}", end - 1) };
        assert_eq!(plane.first(), next);
        assert!(readme.contains(&format!("| {range} | `{plane:?}` |")), "{range} {plane:?}");
        next = end;
    }
    assert_eq!(next, 64);
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
