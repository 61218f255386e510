//! Features from either side and mirrored; the network by both kernels and by both ways of summing.

use super::action_features::{
    ACTION_FEATURES, MOST_ACTION_FEATURES, Odds, action_features, mirrored as mirrored_action,
};
use super::features::{POSITION_FEATURES, mirrored, position_features};
use super::network::{
    Accumulator, CONTEXT_VALUES, Network, READ_VALUES, SECOND_LAYER, Scratch, Shape, Weights,
};
use super::observation::Observation;
use super::pursuit::Pursuits;
use crate::rng::Rng;
use crate::rules::{Action, Piece, PieceId, Position, Preset, Rescue, Ruleset, Side, Spn, Square, Viewer};
use crate::test_support::after_random_plies;
use crate::view::View;

/// A network of any weights.
pub(crate) fn network(shape: Shape, rng: &mut Rng) -> Network {
    let both = shape.both();
    let mut weights =
        |count: usize, spread: f32| -> Vec<f32> { (0..count).map(|_| (rng.unit() - 0.5) * spread).collect() };
    Network::rounded(
        shape,
        &Weights {
            rows: &weights(shape.position_features * shape.hidden, 0.3),
            bias: &weights(shape.hidden, 0.3),
            second: &weights(shape.hidden * SECOND_LAYER, 0.3),
            second_bias: &weights(SECOND_LAYER, 0.3),
            context: &weights(both * CONTEXT_VALUES, 0.3),
            context_bias: &weights(CONTEXT_VALUES, 0.3),
            value: &weights(both * 3, 0.3),
            value_bias: &weights(3, 0.3),
            actions: &weights(shape.action_features * CONTEXT_VALUES, 2.0),
            readout: &weights(READ_VALUES, 2.0),
        },
    )
    .unwrap()
}

fn views(count: usize, rng: &mut Rng) -> Vec<View> {
    let rules = [Preset::Isf, Preset::Evaluator, Preset::Wiki, Preset::Original1961];
    let rules = |index: usize| Ruleset { rescue: index.is_multiple_of(3), ..Ruleset::of(rules[index % 4]) };
    (0..count).map(|index| after_random_plies(rules(index), 30 * (index % 9), rng)).collect()
}

fn seen(view: &View) -> Observation {
    Observation::new(view, &Pursuits::of(view.position()))
}

#[test]
fn both_kernels_and_both_ways_of_summing_give_the_same_bits() {
    let mut rng = Rng::new(7);
    for shape in [Shape::full(192), Shape { hidden: 64, ..Shape::FIRST }] {
        let network = network(shape, &mut rng);
        let plain = network.plain();
        let (mut scratch, mut accumulator) = (Scratch::default(), Accumulator::default());
        let mut likely = 0;
        for view in views(40, &mut rng) {
            let (seen, actions) = (seen(&view), view.position().actions());
            let said = network.evaluate_actions(&seen, actions.clone(), &mut scratch);
            assert_eq!(said, plain.evaluate_actions(&seen, actions.clone(), &mut scratch));
            assert_eq!(said, network.evaluate_by(&mut accumulator, &seen, actions, &mut scratch));
            let sum: f32 = said.log_probabilities.iter().map(|&value| crate::math::exp(value)).sum();
            assert!((sum - 1.0).abs() < 1e-4 && (said.win + said.draw + said.loss - 1.0).abs() < 1e-4);
            likely += said.log_probabilities.iter().filter(|value| **value > -1.0).count();
        }
        assert!(likely > 10, "the actions differ");
    }
}

#[test]
fn a_network_reads_back_and_damage_is_noticed() {
    let network = network(Shape { hidden: 64, ..Shape::FIRST }, &mut Rng::new(3));
    let bytes = network.to_bytes();
    assert!(Network::read(&bytes).unwrap() == network);
    for broken in [&bytes[..bytes.len() - 1], &bytes[1..], &[]] {
        assert!(Network::read(broken).is_err());
    }
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    assert!(Network::read(&flipped).is_err());
    let coarse = network.coarse();
    let fewer = coarse.to_bytes();
    assert!(Network::read(&fewer).unwrap() == coarse && coarse != network && coarse.coarse() == coarse);
    assert!(fewer.len() * 10 < bytes.len() * 6);
}

/// A position's text with each square moved to another, and colours exchanged if both are.
fn moved(view: &View, square: impl Fn(Square) -> Square, sides: bool) -> View {
    let position = view.position();
    let side = |of: Side| if sides { of.enemy() } else { of };
    let text = Spn { position: position.clone(), viewer: Viewer::Player(view.viewer()) }.to_string();
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let rows = (0..10).rev().map(|row| {
        let (mut cells, mut empty) = (String::new(), 0);
        for file in 0..10 {
            let from = Square::new(file, row).map(|to| Square::all().find(|from| square(*from) == to));
            let Some(from) = from.flatten() else {
                cells += &run(&mut empty);
                cells.push('_');
                continue;
            };
            match position.piece_at(from) {
                None => empty += 1,
                Some(id) => {
                    cells += &run(&mut empty);
                    cells += &letter(position.piece(id), side(id.side()), id.side() == view.viewer());
                }
            }
        }
        cells + &run(&mut empty)
    });
    words[0] = rows.collect::<Vec<_>>().join("/");
    if sides {
        let exchanged = |word: &str| if word == "r" { "b" } else { "r" }.to_owned();
        words[1] = exchanged(&words[1]);
        words[2] = exchanged(&words[2]);
        let reversed = |counts: &str| counts.split(',').rev().collect::<Vec<_>>().join(",");
        words[3] = reversed(&words[3]);
        for word in &mut words {
            if let Some(made) = word.strip_prefix("rescues=") {
                *word = format!("rescues={}", reversed(made));
            }
        }
    }
    let spn = Spn::parse(&words.join(" "), Ruleset::default()).unwrap();
    View::from_spn(&spn, side(view.viewer()))
}

/// So many empty squares in a position's text; none are left.
fn run(empty: &mut usize) -> String {
    match std::mem::take(empty) {
        0 => String::new(),
        count => count.to_string(),
    }
}

/// How a piece is written in a position's text.
fn letter(piece: &Piece, side: Side, own: bool) -> String {
    let mark = if piece.moved { "+" } else { "" };
    let Some(rank) = piece.ranks.single() else { return format!("?{mark}") };
    let red = b"MCDEFGHIJKLB"[rank.index()];
    let letter = char::from(if side == Side::Red { red } else { red + 12 });
    let known = !own || piece.learned.single().is_some();
    format!("{}{mark}", if known { letter.to_ascii_lowercase() } else { letter })
}

fn sorted(mut features: Vec<u16>) -> Vec<u16> {
    features.sort_unstable();
    features
}

/// The features of a view, and those of each of its actions.
fn features(view: &View, order: impl Fn(Action) -> Action) -> (Vec<u16>, Vec<(Action, Vec<u16>)>) {
    let (seen, mut found) = (seen(view), Vec::new());
    position_features(&seen, &mut found);
    let odds = Odds::new(&seen);
    let of_action = |action| {
        let mut features = [0; MOST_ACTION_FEATURES];
        let count = action_features(&seen, &odds, action, &mut features);
        (order(action), sorted(features[..count].to_vec()))
    };
    let mut actions: Vec<_> = view.position().actions().into_iter().map(of_action).collect();
    actions.sort_by_key(|(Action { from, to, rescue }, _)| {
        (*from, *to, rescue.map(|rescue| (rescue.square, rescue.rank)))
    });
    (sorted(found), actions)
}

fn with_squares(action: Action, square: impl Fn(Square) -> Square) -> Action {
    let rescue = action.rescue.map(|rescue| Rescue { square: square(rescue.square), ..rescue });
    Action { from: square(action.from), to: square(action.to), rescue }
}

#[test]
fn both_sides_see_the_same_of_a_board_that_is_turned() {
    let turn = |square: Square| Square::from_index(99 - square.index() as u8).unwrap();
    for view in views(36, &mut Rng::new(11)) {
        let plain = features(&moved(&view, |square| square, false), |action| action);
        let turned = features(&moved(&view, turn, true), |action| with_squares(action, turn));
        assert_eq!(plain, turned);
    }
}

#[test]
fn a_mirrored_board_has_mirrored_features() {
    let mirror = |square: Square| Square::new(9 - square.file(), square.row()).unwrap();
    for view in views(36, &mut Rng::new(12)) {
        let (position, actions) = features(&moved(&view, |square| square, false), |action| action);
        let position = sorted(position.into_iter().map(mirrored).collect());
        let of_action = |(action, features): (Action, Vec<u16>)| {
            (action, sorted(features.into_iter().map(mirrored_action).collect()))
        };
        let actions: Vec<_> = actions.into_iter().map(of_action).collect();
        let found = features(&moved(&view, mirror, false), |action| with_squares(action, mirror));
        assert_eq!((position, actions), found);
    }
}

#[test]
fn every_feature_has_its_own_mirror_image() {
    let mut images: Vec<u16> = (0..POSITION_FEATURES as u16).map(mirrored).collect();
    images.sort_unstable();
    assert!(images.into_iter().eq(0..POSITION_FEATURES as u16));
    let mut images: Vec<u16> = (0..ACTION_FEATURES as u16).map(mirrored_action).collect();
    images.sort_unstable();
    assert!(images.into_iter().eq(0..ACTION_FEATURES as u16));
}

/// What a player cannot know changes nothing: the ranks of hidden pieces, in the position of whoever holds both armies.
#[test]
fn hidden_ranks_are_no_features() {
    let mut rng = Rng::new(13);
    for plies in [0, 40, 90] {
        let view = after_random_plies(Ruleset::default(), plies, &mut rng);
        let truth: Position = view.position().clone();
        let masked = truth.masked(view.viewer());
        let spn = Spn { position: masked, viewer: Viewer::Player(view.viewer()) };
        let again = View::from_spn(&spn, view.viewer());
        assert_eq!(features(&view, |action| action), features(&again, |action| action));
    }
}

/// Whoever goes beside a known piece, or away from it, is remembered for it, from whichever end the plies are looked at.
#[test]
fn pursuits_are_those_of_the_plies() {
    let (mut position, mut pursuits) = (Position::new(Ruleset::default()), Pursuits::default());
    for side in Side::BOTH {
        position.deploy(side, &"B3FB3262452B3B6B5S7325B48269474M62225873".parse().unwrap());
    }
    let mut rng = Rng::new(14);
    for _ in 0..300 {
        let actions = position.actions();
        position.play(actions[rng.below(actions.len())].into()).unwrap();
        pursuits.note_latest(&position);
        if position.ending().is_some() {
            break;
        }
    }
    let all = |of: &Pursuits| format!("{of:?}");
    assert!(all(&pursuits) == all(&Pursuits::of(&position)));
    for strength in ["chased: Weak", "chased: Strong", "evaded: None"] {
        let count = all(&pursuits).matches(strength).count();
        assert!((1..PieceId::SLOTS).contains(&count), "{count} {strength}");
    }
}
