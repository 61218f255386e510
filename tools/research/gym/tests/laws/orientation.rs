//! Both players see their own side of the board at the bottom, and nothing else depends on the colour.

use crate::support::{Shown, encoded, fresh, play, replay, rules, systems};
use outflank::rng::Rng;
use outflank::rules::{BySide, Rank, Ruleset, SQUARES, Setup, Side, Spn, Viewer};
use outflank::view::View;
use outflank_gym::encoding::{Plane, legal_codes_into};
use outflank_gym::game::Game;

/// Flag on the eighth square of the back row, a Sergeant at the left end of the front row, a bomb three to its right.
const SETUP: &str = "4532B2BF5BBB37S6362339M7224875466B852224";

fn game(red: &str, blue: &str) -> Game {
    Game::new(rules("isf"), BySide::new([red, blue].map(|setup| setup.parse().unwrap()))).unwrap()
}

fn backwards() -> String {
    SETUP.chars().rev().collect()
}

#[test]
fn own_pieces_stand_where_the_setup_has_them_for_either_side() {
    let mut game = game(SETUP, SETUP);
    let red = Shown::of(&game);
    game.play_code(3141).unwrap();
    let blue = Shown::of(&game);
    for shown in [&red, &blue] {
        assert_eq!(shown.rank_marks(Plane::OurRanks, Rank::Flag), [(7, 255)]);
        assert_eq!(shown.rank_marks(Plane::OurRanks, Rank::Marshal), [(22, 255)]);
        assert_eq!(shown.rank_plane(Plane::OurRanks, Rank::Sergeant)[30], 255);
        assert_eq!(shown.rank_plane(Plane::OurRanks, Rank::Bomb)[33], 255);
        assert!(shown.marks(Plane::OurStartRows, 0).is_empty());
        let lakes: Vec<usize> = shown.marks(Plane::Lakes, 0).into_iter().map(|(square, _)| square).collect();
        assert_eq!(lakes, [42, 43, 46, 47, 52, 53, 56, 57]);
    }
}

#[test]
fn enemy_pieces_stand_opposite() {
    let mut game = game(SETUP, &backwards());
    game.play_code(3040).unwrap();
    let blue = Shown::of(&game);
    // The piece that has left a4 stands on a5.
    assert_eq!(blue.marks(Plane::EnemyMoved, 0), [(59, 255)]);
    assert_eq!(blue.rank_plane(Plane::EnemyRanks, Rank::Bomb)[59], 0);
    assert!(blue.rank_plane(Plane::EnemyRanks, Rank::Bomb)[68] > 0);
}

#[test]
fn a_setup_given_back_to_front_shows_it() {
    let [right, wrong] = [SETUP, &backwards()].map(|setup| Shown::of(&game(setup, setup)));
    assert_eq!(right.rank_marks(Plane::OurRanks, Rank::Flag), [(7, 255)]);
    assert_eq!(wrong.rank_marks(Plane::OurRanks, Rank::Flag), [(32, 255)]);
}

#[test]
fn actions_and_history_are_as_the_mover_sees_them() {
    let mut game = game(SETUP, SETUP);
    // a4a5, then Blue's j7j6, which is a4a5 to Blue.
    let played = game.play_code(3040).unwrap();
    assert_eq!(played.to_string(), "a4a5");
    let blue = Shown::of(&game);
    assert!(blue.codes.contains(&3040));
    assert_eq!(blue.marks(Plane::History, 0), [(59, 170), (69, 85)]);
    assert_eq!(game.play_code(3040).unwrap().to_string(), "j7j6");
    let red = Shown::of(&game);
    assert_eq!(red.marks(Plane::History, 0), [(59, 170), (69, 85)]);
    assert_eq!(red.marks(Plane::History, 1), [(30, 85), (40, 170)]);
    assert_eq!(red.marks(Plane::OursMoved, 0), [(40, 255)]);
    assert_eq!(red.marks(Plane::OurStartRows, 0), [(40, 200)]);
    assert_eq!(red.marks(Plane::EnemyStartRows, 0), [(59, 200)]);
}

#[test]
fn equal_setups_look_the_same_from_both_sides() {
    let mut rng = Rng::new(61);
    for rules in systems() {
        let setup = outflank::deployment::shuffled(&rules, &mut rng);
        let game = Game::new(rules, BySide::filled(setup)).unwrap();
        assert!(encoded(game.view(Side::Red)) == encoded(game.view(Side::Blue)), "{rules}");
    }
}

/// A position text with colours exchanged and the board turned round.
fn turned(text: &str) -> String {
    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let rows: Vec<String> = fields[0].split('/').rev().map(turned_row).collect();
    fields[0] = rows.join("/");
    for field in &mut fields[1..3] {
        *field = String::from(if field == "r" { "b" } else { "r" });
    }
    let (red, blue) = fields[3].split_once(',').unwrap();
    fields[3] = format!("{blue},{red}");
    fields.join(" ")
}

fn turned_row(row: &str) -> String {
    let mut places: Vec<String> = Vec::new();
    let mut inside = false;
    for letter in row.chars() {
        let goes_on = match places.last() {
            Some(last) => last.ends_with(|c: char| c.is_ascii_digit()) && letter.is_ascii_digit(),
            None => false,
        };
        if inside || goes_on || "+*[]".contains(letter) {
            places.last_mut().unwrap().push(letter);
        } else {
            places.push(recoloured(letter).to_string());
        }
        inside = (inside || letter == '[') && letter != ']';
    }
    places.reverse();
    places.concat()
}

fn recoloured(letter: char) -> char {
    let shifted = match letter.to_ascii_uppercase() {
        'B'..='M' => letter as u8 + 12,
        'N'..='Y' => letter as u8 - 12,
        _ => letter as u8,
    };
    char::from(shifted)
}

fn legal(view: &View) -> Vec<u16> {
    let mut codes = Vec::new();
    legal_codes_into(view, &mut codes);
    codes
}

#[test]
fn a_position_looks_the_same_with_colours_exchanged() {
    let mut rng = Rng::new(62);
    for rules in systems().into_iter().filter(|rules| !rules.rescue) {
        for plies in [1, 40, 90, 151, 250] {
            let mut game = fresh(rules, &mut rng);
            play(&mut game, plies, &mut rng, |_| {});
            if game.ending().is_some() {
                continue;
            }
            let side = game.to_move();
            let position = game.view(side).position().clone();
            let text = Spn { position, viewer: Viewer::Player(side) }.to_string();
            let read =
                |text: &str, side| View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), side);
            let (view, other) = (read(&text, side), read(&turned(&text), side.enemy()));
            assert!(encoded(&view) == encoded(&other), "{text}\n{}", turned(&text));
            assert_eq!(legal(&view), legal(&other), "{text}");
        }
    }
}

/// The code of the same action on the board mirrored left to right.
const fn mirrored(code: u16) -> u16 {
    let (from, to) = (code / 100, code % 100);
    100 * (from / 10 * 10 + 9 - from % 10) + to / 10 * 10 + 9 - to % 10
}

/// Bytes by square on the mirrored board.
fn mirrored_squares(squares: &[u8]) -> Vec<u8> {
    squares.chunks(10).flat_map(|row| row.iter().rev().copied()).collect()
}

fn mirrored_shown(shown: &Shown) -> Shown {
    let planes = shown.planes.chunks(SQUARES).flat_map(mirrored_squares).collect();
    let mut codes: Vec<u16> = shown.codes.iter().map(|&code| mirrored(code)).collect();
    codes.sort_unstable();
    Shown { planes, globals: shown.globals.clone(), codes }
}

#[test]
fn the_mirrored_game_shows_the_mirrored_board() {
    let mut rng = Rng::new(63);
    for rules in systems() {
        let mut game = fresh(rules, &mut rng);
        let (mut one, mut two) = (Vec::new(), Vec::new());
        let codes = play(&mut game, 160, &mut rng, |game| one.push(Shown::of(game)));
        let codes: Vec<u16> = codes.into_iter().map(mirrored).collect();
        let setups = game.setups().map(|setup: Setup| setup.mirrored());
        let other = replay(rules, setups, &codes, |game| two.push(Shown::of(game)));
        assert_eq!(other.ending(), game.ending());
        for (ply, (one, two)) in one.iter().zip(&two).enumerate() {
            assert!(mirrored_shown(one) == *two, "{rules}, ply {ply}");
        }
    }
}
