//! Rescues, sentence by sentence of the two texts that have them; `docs/rules.md` tells which test checks which.

use outflank::rules::{NoRescue, PlayError, Position, Preset, Rank, RankSet, Ruleset, Side};
use outflank_tests::{action, legal, study};

fn rules() -> Ruleset {
    Ruleset { rescue: true, ..Ruleset::of(Preset::Gameboard) }
}

/// Red to move among these pieces and dead, as in `r5e9 b2e10 rM-`.
fn position(rules: Ruleset, pieces: &str) -> Position {
    study(rules, Side::Red, pieces).position
}

fn play(position: &mut Position, texts: &str) {
    for text in texts.split(' ') {
        position.play(action(text).into()).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

fn refused(position: &Position, text: &str) -> NoRescue {
    let mut position = position.clone();
    assert!(!position.is_legal(action(text)), "{text}");
    match position.play(action(text).into()) {
        Err(PlayError::Rescue(why)) => why,
        other => panic!("{text}: {other:?}"),
    }
}

fn rescues(position: &Position) -> Vec<String> {
    legal(position).into_iter().filter(|text| text.contains('+')).collect()
}

fn rank_on(position: &Position, square: &str) -> Option<(Side, Rank)> {
    let id = position.piece_at(square.parse().unwrap())?;
    Some((id.side(), position.piece(id).ranks.single().unwrap()))
}

#[test]
fn a_step_onto_the_enemys_back_row_may_rescue() {
    let pieces = "rFa1 r5e9 r6h9 r7a10 b3h10 b2a7 bFj8 rM-";
    let mut start = position(rules(), pieces);
    let listed = rescues(&start);
    // 39 open squares at home, by a move and by a strike; not along the back row, nor anywhere else.
    assert_eq!(listed.len(), 2 * 39, "{listed:?}");
    assert!(listed.iter().all(|text| text.starts_with("e9e10+M@") || text.starts_with("h9h10+M@")));
    assert_eq!(refused(&start, "a10b10+M@c3"), NoRescue::Row);
    assert_eq!(refused(&start, "e9e8+M@c3"), NoRescue::Row);
    // "You have the option": it may be left out.
    assert!(start.is_legal(action("e9e10")) && start.is_legal(action("h9h10")));
    play(&mut start, "h9h10+M@c3");
    assert_eq!(rank_on(&start, "c3"), Some((Side::Red, Rank::Marshal)));
    let off = position(Ruleset { rescue: false, ..rules() }, pieces);
    assert!(rescues(&off).is_empty());
    assert_eq!(refused(&off, "e9e10+M@c3"), NoRescue::Rules);
}

#[test]
fn only_a_strike_that_wins_rescues() {
    for (pieces, rescued) in [("b3h10", true), ("b6h10", false), ("b7h10", false), ("bBh10", false)] {
        let mut game = position(rules(), &format!("rFa1 r6h9 r4a4 {pieces} b2a7 bFj8 rM-"));
        play(&mut game, "h9h10+M@c3");
        assert_eq!(rank_on(&game, "c3").is_some(), rescued, "{pieces}");
        assert_eq!(game.rescues(Side::Red), u8::from(rescued));
        assert_eq!(game.history().last().unwrap().action.rescue.is_some(), rescued);
    }
    let mut game = position(rules(), "rFa1 r6h9 bFh10 b2a7 rM-");
    play(&mut game, "h9h10+M@c3");
    assert!(game.ending().is_some() && rank_on(&game, "c3").is_none());
}

#[test]
fn a_rescue_hands_back_a_captured_piece_at_once() {
    let mut game = position(rules(), "rFa1 r5e9 b2a7 bFj8 rM- r4- bS-");
    let dead = |game: &Position| game.pieces(Side::Red).filter(|(_, piece)| !piece.is_alive()).count();
    assert_eq!(game.rescuable(Side::Red).to_string(), "4M");
    assert_eq!(refused(&game, "e9e10+S@c3"), NoRescue::Rank);
    let before = format!("{game:?}");
    play(&mut game, "e9e10+4@c3");
    assert_eq!((rank_on(&game, "c3"), dead(&game)), (Some((Side::Red, Rank::Sergeant)), 1));
    // It is a new piece that has moved, and everybody has seen which it is.
    let id = game.piece_at("c3".parse().unwrap()).unwrap();
    let piece = game.piece(id);
    assert!(id.came_back() && piece.moved && piece.start.is_none() && !piece.rescuer);
    assert_eq!(piece.learned, RankSet::only(Rank::Sergeant));
    play(&mut game, "a7a6 c3c4");
    for _ in 0..3 {
        assert!(game.undo());
    }
    assert_eq!(format!("{game:?}"), before);
}

#[test]
fn a_rescued_piece_stands_in_its_own_four_rows() {
    let mut game = position(rules(), "rFa1 r5e9 r2c2 b2c3 bFj8 rM-");
    for square in ["a5", "e7", "c2", "c3", "a1", "e9", "e10"] {
        assert_eq!(refused(&game, &format!("e9e10+M@{square}")), NoRescue::Square(square.parse().unwrap()));
    }
    // "And your turn is over."
    play(&mut game, "e9e10+M@j4");
    assert_eq!(game.to_move(), Side::Blue);
    let mut blue = study(rules(), Side::Blue, "rFa1 r2a4 b6d2 bFj8 b9-").position;
    assert_eq!(refused(&blue, "d2d1+9@d4"), NoRescue::Square("d4".parse().unwrap()));
    play(&mut blue, "d2d1+9@a7");
    assert_eq!(rank_on(&blue, "a7"), Some((Side::Blue, Rank::General)));
}

#[test]
fn scouts_rescue_nobody() {
    let game = position(rules(), "rFa1 r2e9 r2b5 r3h9 b2a7 bFj8 rM-");
    assert!(rescues(&game).iter().all(|text| text.starts_with("h9h10")));
    assert_eq!(refused(&game, "e9e10+M@c3"), NoRescue::Scout);
    assert_eq!(refused(&game, "b5b10+M@c3"), NoRescue::Scout);
    // So whoever rescues is none.
    let mut masked = position(rules(), "rFa1 r3h9 b2a7 bFj8 rM-").masked(Side::Blue);
    play(&mut masked, "h9h10+M@c3");
    let id = masked.piece_at("h10".parse().unwrap()).unwrap();
    assert_eq!(masked.piece(id).ranks.to_string(), "S3456789M");
}

#[test]
fn bombs_are_not_rescued() {
    let game = position(rules(), "rFa1 r5e9 b2a7 bFj8 rB- rB-");
    assert!(rescues(&game).is_empty());
    assert_eq!(refused(&game, "e9e10+B@c3"), NoRescue::Rank);
    assert_eq!(refused(&game, "e9e10+F@c3"), NoRescue::Rank);
}

#[test]
fn a_player_rescues_twice_at_most() {
    let mut game = position(rules(), "rFa1 r5e9 r6f9 r7h9 b2a7 bFj8 rM- r9- r8-");
    play(&mut game, "e9e10+M@a4 a7a6 f9f10+9@b4 a6a7");
    assert_eq!(game.rescues(Side::Red), 2);
    assert!(rescues(&game).is_empty());
    assert_eq!(refused(&game, "h9h10+8@c4"), NoRescue::Spent);
    // The other side has its own two.
    assert_eq!(game.rescues(Side::Blue), 0);
}

#[test]
fn a_piece_rescues_once() {
    let mut game = position(rules(), "rFa1 r5e9 r6f9 b2a7 bFj8 rM- r9-");
    play(&mut game, "e9e10+M@a4 a7b7 e10e9 b7b6");
    assert_eq!(refused(&game, "e9e10+9@b4"), NoRescue::Again);
    assert!(!rescues(&game).is_empty() && rescues(&game).iter().all(|text| text.starts_with("f9f10")));
}

/// What comes back is a new piece: the position has not been before, though the same ranks stand on the same squares.
#[test]
fn a_rescue_repeats_no_position() {
    let rules = Ruleset { moresquares: true, twosquares: 0, ..rules() };
    let mut game = position(rules, "rFa1 r5e9 b2a7 bFj8 rM-");
    play(&mut game, "e9e10+M@c3");
    let first = game.hash();
    assert!(game.undo());
    play(&mut game, "e9e10");
    assert_ne!(game.hash(), first);
    assert_eq!(game.hash(), game.hash_from_scratch());
}

#[test]
fn under_silent_a_rescue_tells_only_what_the_dead_may_be() {
    let rules = Ruleset { silent: true, ..rules() };
    // Blue strikes a 4 that it never sees, and the 4 comes back.
    let start = study(rules, Side::Blue, "rFa1 r4a4 r5e9 b6a5 bFj8").position;
    let mut truth = start.clone();
    let mut blue = start.masked(Side::Blue);
    play(&mut truth, "a5a4 e9d9 a4a3");
    blue.play("a5xa4=W6?".parse().unwrap()).unwrap();
    play(&mut blue, "e9d9 a4a3");
    play(&mut truth, "d9d10+4@h2");
    blue.play("d9d10+?@h2".parse().unwrap()).unwrap();
    let on = |position: &Position| *position.piece(position.piece_at("h2".parse().unwrap()).unwrap());
    assert_eq!(on(&truth).ranks, RankSet::only(Rank::Sergeant));
    assert_eq!(on(&blue).ranks.to_string(), "S2345");
    assert_eq!(on(&truth).learned, on(&blue).ranks);
}

/// Who lies there is known again once the piece that came back shows its rank.
#[test]
fn a_rescued_piece_that_shows_its_rank_tells_who_is_left_among_the_dead() {
    let rules = Ruleset { silent: true, ..rules() };
    let start = study(rules, Side::Blue, "rFa1 r8a4 r5j4 b4a2 bFj10 b8- b5-").position;
    let mut red = start.masked(Side::Red);
    for dead in [Rank::Colonel, Rank::Lieutenant] {
        let (id, _) =
            red.pieces(Side::Blue).find(|(id, _)| start.piece(*id).ranks == RankSet::only(dead)).unwrap();
        assert!(red.tell(id, RankSet::only(dead)));
    }
    let dead = |position: &Position| -> Vec<String> {
        let dead = position.pieces(Side::Blue).filter(|(_, piece)| !piece.is_alive());
        dead.map(|(_, piece)| piece.ranks.to_string()).collect()
    };
    let mut plies = ["a2b2", "j4j5", "b2b1+?@j7", "j5j6"].into_iter();
    plies
        .by_ref()
        .for_each(|ply| red.play(ply.parse().unwrap()).unwrap_or_else(|error| panic!("{ply}: {error}")));
    assert_eq!(dead(&red), ["58"]);
    for (ply, left) in [("j7xj6=T5?", &["8", "5"][..]), ("j7xj6=W85", &["5"]), ("j7i7", &["58"])] {
        let before = format!("{red:?}");
        red.play(ply.parse().unwrap()).unwrap_or_else(|error| panic!("{ply}: {error}"));
        assert_eq!(dead(&red), left, "{ply}");
        assert_eq!(red.hash(), red.hash_from_scratch());
        assert!(red.last_rescue().is_empty() && red.undo());
        assert_eq!(format!("{red:?}"), before, "{ply}");
    }
}
