//! What views keep of each piece's behaviour.

use super::*;
use crate::rules::{Rank, Setup, Square};

const RED: &str = "4532B2BF5BBB37S6362339M7224875466B852224";

fn opening() -> View {
    let mut view = View::new(Side::Red, Ruleset::default());
    view.observe(&Event::Deployed(Side::Red, RED.parse().unwrap())).unwrap();
    view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
    view
}

fn play(view: &mut View, texts: &[&str]) {
    for text in texts {
        view.observe(&Event::Played(text.parse().unwrap())).unwrap();
    }
}

fn on(view: &View, square: &str) -> behaviour::Snapshot {
    let square: Square = square.parse().unwrap();
    let id = view.position().piece_at(square).unwrap();
    view.behaviours().snapshot(view.position(), id, view.position().piece(id))
}

#[test]
fn moves_are_counted_by_where_they_lead() {
    let mut view = opening();
    play(&mut view, &["a4a5", "b7b6", "a5b5", "i7i6", "b5a5", "i6i5", "a5a4"]);
    let behaviour = on(&view, "a4").behaviour;
    assert_eq!(
        (behaviour.moves, behaviour.forward, behaviour.sideways, behaviour.back, behaviour.reversals),
        (4, 1, 2, 1, 1)
    );
    assert_eq!(behaviour.order, 1);
    assert_eq!(on(&view, "i5").behaviour.forward, 2);
    assert_eq!(on(&view, "c4").behaviour, behaviour::Behaviour::default());
}

#[test]
fn who_meets_whom_is_counted_and_what_is_known_is_portrayed() {
    let mut view = opening();
    // Blue's piece comes beside a5's, which leaves it there; then it is struck.
    play(&mut view, &["a4a5", "a7a6", "e4e5", "b7b6"]);
    let moved = move_features::Kind::Moved as usize;
    let blue = on(&view, "a6").behaviour;
    assert_eq!((blue.met[moved], blue.towards[moved], blue.fled[moved]), (1, 1, 0));
    let red = on(&view, "a5").behaviour;
    assert_eq!((red.stood[moved], red.beside[moved]), (1, 1));
    assert_eq!(view.behaviours().shown(view.position(), Side::Blue).count(), 0);
    play(&mut view, &["a5xa6=W43"]);
    let shown: Vec<_> = view.behaviours().shown(view.position(), Side::Blue).collect();
    assert_eq!(shown.len(), 1);
    assert_eq!((shown[0].1, shown[0].0.behaviour.met[moved]), (Rank::Miner, 1));
}

#[test]
fn only_the_last_move_tells_what_a_piece_is_about() {
    let mut view = opening();
    // Blue's a7 comes beside a5, then b7 beside a6.
    play(&mut view, &["a4a5", "a7a6", "e4e5", "b7b6", "e5f5"]);
    let about = |view: &View, square: &str| on(view, square).behaviour.last_move;
    let kind = move_features::Kind::Moved;
    let moved = move_features::KindSet::only(kind);
    let (met, guards) = (about(&view, "a6"), about(&view, "b6"));
    assert_eq!((met.met, met.guarded), (moved, move_features::KindSet::EMPTY));
    assert_eq!((guards.guarded, guards.met), (moved, move_features::KindSet::EMPTY));
    assert!(guards.towards.contains(kind));
    // It goes beside a5 itself, and back; then it strikes.
    play(&mut view, &["b6b5", "f5e5"]);
    let last_move = about(&view, "b5");
    assert_eq!((last_move.guarded.contains(kind), last_move.met.contains(kind)), (false, true));
    play(&mut view, &["b5b6", "e5f5"]);
    assert!(about(&view, "b6").fled.contains(kind));
    play(&mut view, &["b6b5", "f5e5", "b5xa5=L34"]);
    let shown: Vec<_> = view.behaviours().shown(view.position(), Side::Blue).collect();
    assert!(shown[0].0.behaviour.last_move.met.contains(kind));
}

#[test]
fn what_is_undone_leaves_nothing() {
    let mut view = opening();
    let before = format!("{view:?}");
    let plies = ["a4a5", "a7a6", "e4e5", "b7b6", "a5xa6=W43", "b6xa6=W54"];
    for count in 0..=plies.len() {
        play(&mut view, &plies[..count]);
        while view.undo() {}
        assert_eq!(format!("{view:?}"), before);
    }
    let illegal = Event::Played("a4a9".parse().unwrap());
    assert!(view.observe(&illegal).is_err());
    assert_eq!(format!("{view:?}"), before);
}

#[test]
fn equal_lines_have_equal_keys() {
    let key = |view: &View| view.line_key(view.position().ply()).unwrap();
    let mut view = opening();
    let start = key(&view);
    play(&mut view, &["a4a5", "b7b6"]);
    let (before, after) = (view.line_key(1).unwrap(), key(&view));
    assert!(start != before && before != after && view.line_key(0) == Some(start));
    assert_eq!((view.line_key(3), view.line_key(u32::MAX)), (None, None));
    view.undo();
    assert_eq!(key(&view), before);
    play(&mut view, &["j7j6"]);
    assert_ne!(key(&view), after);
    view.undo();
    play(&mut view, &["b7b6"]);
    assert_eq!(key(&view), after);
    play(&mut view, &["a5a6"]);
    view.keep_latest(1);
    assert_eq!([view.line_key(1), view.line_key(2)], [None, Some(after)]);
}

#[test]
fn the_other_side_knows_its_ranks_and_what_it_was_shown() {
    let mut view = opening();
    play(&mut view, &["a4a5", "a7a6", "a5xa6=W43", "b7b6"]);
    let ranks: Vec<_> =
        view.enemies().map(|(id, piece)| (id, piece.ranks.single().unwrap_or(Rank::Scout))).collect();
    let other = view.enemy_view(&ranks);
    assert_eq!((other.viewer(), other.position().to_move()), (Side::Blue, view.position().to_move()));
    let at = |view: &View, square: &str| {
        *view.position().piece(view.position().piece_at(square.parse().unwrap()).unwrap())
    };
    assert_eq!(at(&other, "a6").ranks, RankSet::only(Rank::Sergeant));
    assert_eq!(at(&other, "b4").ranks, RankSet::ALL, "it has not been shown");
    assert_eq!(at(&other, "b6").ranks, RankSet::only(Rank::Scout));
    assert_eq!(at(&other, "b6").learned, RankSet::MOBILE);
    assert_eq!(other.position().hash(), other.position().hash_from_scratch());
}

#[test]
fn what_known_strong_pieces_make_of_hidden_ones_is_counted() {
    let mut view = opening();
    let counted = |view: &View| {
        let strikes = view.behaviours().blind_strikes(Side::Red);
        [strikes.unmoved, strikes.moved].map(|share| (share.chances, share.taken))
    };
    // The Colonel shows itself, lets what never moved stand, and later does not.
    play(&mut view, &["e4e5", "a7a6", "e5e6", "a6a5", "e6xe7=W82", "j7j6"]);
    assert_eq!(counted(&view), [(0, 0), (0, 0)]);
    play(&mut view, &["j4j5", "i7i6"]);
    assert_eq!(counted(&view), [(1, 0), (0, 0)]);
    // A standoff counts once.
    play(&mut view, &["i4i5", "a5a6"]);
    assert_eq!(counted(&view), [(1, 0), (0, 0)]);
    play(&mut view, &["e7xe8=W85", "f7e7"]);
    assert_eq!(counted(&view), [(2, 1), (0, 0)]);
    play(&mut view, &["e8xe7=W86"]);
    assert_eq!(counted(&view), [(3, 1), (1, 1)]);
    assert_eq!(view.behaviours().blind_strikes(Side::Blue), blind_strikes::BlindStrikes::default());
    for _ in 0..2 {
        view.undo();
    }
    assert_eq!(counted(&view), [(2, 1), (0, 0)]);
}
