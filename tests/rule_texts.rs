//! Every checkable sentence of the five rule texts that no other test covers; `docs/rules.md` tells where each is
//! checked.

use outflank::event::{Event, mask_played};
use outflank::rng::Rng;
use outflank::rules::{BySide, Cell, PieceId, Preset, Rank, RankSet, Ruleset, Setup, Side, Square, Stuck};
use outflank::view::View;
use outflank_referee::{Events, Referee};
use outflank_tests::{Policy, action, deal, legal, random_setup, study};

/// What the presets say, key by key.
const PRESETS: [&str; 7] = [
    "1961 scout=off twosquares=2 moresquares=off advance=on stuck=loses",
    "vassal scout=on twosquares=5 moresquares=off advance=off stuck=attrition",
    "gameboard scout=on twosquares=2 moresquares=off advance=off stuck=loses",
    "wiki scout=on twosquares=2 moresquares=on advance=off stuck=loses",
    "isf scout=on twosquares=3 moresquares=on advance=off stuck=draw-if-both",
    "gravon scout=on twosquares=5 moresquares=on advance=off stuck=loses",
    "evaluator scout=on twosquares=0 moresquares=off advance=off stuck=attrition",
];

#[test]
fn the_presets_are_what_their_texts_say() {
    for (preset, keys) in Preset::ALL.into_iter().zip(PRESETS) {
        let options = "aggressor=off silent=off rescue=off quiet=0 plies=0 barrage=off";
        assert_eq!(Ruleset::of(preset).to_string(), format!("preset={keys} {options}"));
    }
}

#[test]
fn an_army_is_forty_pieces_of_twelve_ranks() {
    let counts = [
        ('F', 1),
        ('M', 1),
        ('9', 1),
        ('8', 2),
        ('7', 3),
        ('6', 4),
        ('5', 4),
        ('4', 4),
        ('3', 5),
        ('2', 8),
        ('S', 1),
        ('B', 6),
    ];
    for preset in Preset::ALL {
        let army = Ruleset::of(preset).army();
        for (letter, count) in counts {
            assert_eq!(army.count(Rank::from_letter(letter).unwrap()), count, "{letter} {preset:?}");
        }
        assert_eq!(army.size(), 40);
    }
    let barrage = Ruleset { barrage: true, ..Ruleset::default() }.army();
    let letters: String = Rank::ALL
        .into_iter()
        .flat_map(|rank| vec![rank.letter(); usize::from(barrage.count(rank))])
        .collect();
    assert_eq!(letters, "FS2239MB");
}

/// The texts speak of whole armies; whoever studies a position may tell fewer pieces, and never more.
#[test]
fn an_army_given_in_part_is_a_study_and_no_game() {
    let army = Ruleset::default().army();
    let setup = |text: &str| format!("{text:.<40}").parse::<Setup>().unwrap();
    let (part, whole) = (setup("FB2"), random_setup(&Ruleset::default(), &mut Rng::new(1)));
    assert!(part.check(&army).is_ok() && !part.is_complete(&army) && whole.is_complete(&army));
    assert!(setup("FF").check(&army).is_err());
    assert!(Referee::new(Ruleset::default(), &part, &whole).is_err());
    let studied = study(Ruleset::default(), Side::Red, "r2a1 rFd1 bFg10 b5h10");
    assert!(!legal(&studied.position).is_empty());
}

#[test]
fn armies_fill_their_four_rows_and_leave_the_middle_open() {
    let mut rng = Rng::new(1);
    for preset in Preset::ALL {
        let rules = Ruleset::of(preset);
        let setups = BySide::from_fn(|_| random_setup(&rules, &mut rng));
        let position = deal(rules, &setups[Side::Red], &setups[Side::Blue]);
        for square in Square::all() {
            let side = position.piece_at(square).map(PieceId::side);
            let expected = match square.row() {
                0..4 => Some(Side::Red),
                4..6 => None,
                _ => Some(Side::Blue),
            };
            assert_eq!(side, expected, "{square}");
        }
        // One place short, or one rank wrong, is no army to begin with.
        let mut short = setups[Side::Red];
        short.0[17] = Cell::Empty;
        assert!(Referee::new(rules, &short, &setups[Side::Blue]).is_err());
        let mut wrong = setups[Side::Red];
        let miner = wrong.0.iter().position(|&cell| cell == Cell::Known(Rank::Miner)).unwrap();
        wrong.0[miner] = Cell::Known(Rank::Scout);
        assert!(Referee::new(rules, &wrong, &setups[Side::Blue]).is_err());
    }
}

#[test]
fn a_setup_is_read_back_row_first_from_its_owners_left() {
    let setup: Setup = "F2..................................B..M".parse().unwrap();
    let rules = Ruleset::default();
    let position = deal(rules, &setup, &setup);
    let rank = |square: &str| {
        let id = position.piece_at(square.parse().unwrap()).unwrap();
        (id.side(), position.piece(id).ranks.single().unwrap())
    };
    let red = [("a1", Rank::Flag), ("b1", Rank::Scout), ("g4", Rank::Bomb), ("j4", Rank::Marshal)];
    let blue = [("j10", Rank::Flag), ("i10", Rank::Scout), ("d7", Rank::Bomb), ("a7", Rank::Marshal)];
    for (square, expected) in red {
        assert_eq!(rank(square), (Side::Red, expected));
    }
    for (square, expected) in blue {
        assert_eq!(rank(square), (Side::Blue, expected));
    }
}

#[test]
fn red_begins_and_turns_alternate() {
    let mut rng = Rng::new(2);
    for preset in Preset::ALL {
        let rules = Ruleset::of(preset);
        let mut position = deal(rules, &random_setup(&rules, &mut rng), &random_setup(&rules, &mut rng));
        for ply in 0..60 {
            if position.ending().is_some() {
                break;
            }
            let expected = if ply % 2 == 0 { Side::Red } else { Side::Blue };
            assert_eq!(position.to_move(), expected);
            let actions = position.actions();
            assert!(actions.iter().all(|action| position.piece_at(action.from).unwrap().side() == expected));
            let action = Policy::Fighter.choose(&position, &actions, &mut rng);
            position.play(action.into()).unwrap();
        }
    }
}

#[test]
fn pieces_go_one_square_ahead_back_or_aside() {
    for preset in Preset::ALL {
        for rank in "S3456789M".chars() {
            let spn = study(Ruleset::of(preset), Side::Red, &format!("r{rank}e3 rFa1 bFa10 b4j10"));
            assert_eq!(legal(&spn.position), ["e3d3", "e3e2", "e3e4", "e3f3"], "{rank} {preset:?}");
            for text in ["e3d2", "e3f4", "e3e5", "e3c3"] {
                assert!(!spn.position.is_legal(action(text)), "{rank} {text}");
            }
        }
    }
}

#[test]
fn nobody_enters_crosses_or_looks_over_a_lake() {
    for preset in Preset::ALL {
        let rules = Ruleset::of(preset);
        for rank in "2M".chars() {
            for (square, lake) in
                [("c4", "c5"), ("d7", "d6"), ("f5", "g5"), ("i6", "h6"), ("b5", "c5"), ("e6", "d6")]
            {
                assert!(lake.parse::<Square>().is_err(), "{lake} is no square");
                let spn = study(rules, Side::Red, &format!("r{rank}{square} rFa1 bFa10 b4j10"));
                let beyond =
                    [("c4", "c7"), ("d7", "d4"), ("f5", "i5"), ("i6", "f6"), ("b5", "e5"), ("e6", "b6")];
                let (_, far) = beyond.iter().find(|(from, _)| *from == square).unwrap();
                assert!(!spn.position.is_legal(action(&format!("{square}{far}"))), "{rank} {square}");
            }
        }
    }
}

#[test]
fn nobody_jumps_and_no_two_pieces_share_a_square() {
    for preset in Preset::ALL {
        let rules = Ruleset::of(preset);
        // Its own pieces stop a scout before them, the enemy's on them.
        let spn = study(rules, Side::Red, "r2b2 rBb4 rBd2 b4b1 bBa3 rFj1 bFa10 b4j10");
        let mut expected = vec!["b2a2", "b2b1", "b2b3", "b2c2"];
        assert_eq!(legal(&spn.position), expected, "{preset:?}");
        let spn = study(rules, Side::Red, "r6b2 rBb3 rBc2 b4b1 rFj1 bFa10 b4j10");
        expected = vec!["b2a2", "b2b1"];
        assert_eq!(legal(&spn.position), expected, "{preset:?}");
    }
}

#[test]
fn flags_and_bombs_never_move() {
    let mut rng = Rng::new(3);
    for preset in Preset::ALL {
        let rules = Ruleset::of(preset);
        let mut position = deal(rules, &random_setup(&rules, &mut rng), &random_setup(&rules, &mut rng));
        while position.ply() < 300 && position.ending().is_none() {
            let actions = position.actions();
            let action = Policy::Fighter.choose(&position, &actions, &mut rng);
            position.play(action.into()).unwrap();
            for side in Side::BOTH {
                for (_, piece) in position.pieces(side) {
                    let still = piece.ranks.is_within(RankSet::IMMOBILE);
                    assert!(
                        !still || piece.square.is_none_or(|_| piece.square == piece.start && !piece.moved)
                    );
                }
            }
        }
    }
}

#[test]
fn scouts_go_any_number_of_open_squares_in_a_line() {
    for preset in Preset::ALL {
        let spn = study(Ruleset::of(preset), Side::Red, "r2e5 rFa1 bFa10 b4j10");
        let expected = ["e5e1", "e5e10", "e5e2", "e5e3", "e5e4", "e5e6", "e5e7", "e5e8", "e5e9", "e5f5"];
        assert_eq!(legal(&spn.position), expected, "{preset:?}");
    }
}

/// What Blue takes Red's piece for after an action on an empty board.
fn shown_by(rules: Ruleset, pieces: &str, text: &str) -> RankSet {
    let spn = study(rules, Side::Red, pieces);
    let mut truth = spn.position.clone();
    let id = truth.piece_at(action(text).from).unwrap();
    truth.play(action(text).into()).unwrap();
    let mut view = View::from_spn(&spn, Side::Blue);
    let played = *truth.history().last().unwrap();
    view.observe(&Event::Played(mask_played(played, Side::Red, Side::Blue, &rules))).unwrap();
    view.position().piece(id).ranks
}

#[test]
fn a_long_move_shows_a_scout_and_a_short_one_hides_it() {
    for preset in Preset::ALL {
        let rules = Ruleset::of(preset);
        let pieces = "r2e2 rFa1 bFa10 b4j10";
        assert_eq!(shown_by(rules, pieces, "e2e4").single(), Some(Rank::Scout), "{preset:?}");
        assert_eq!(shown_by(rules, pieces, "e2e3"), RankSet::MOBILE, "{preset:?}");
        assert_eq!(shown_by(rules, &pieces.replace('2', "9").replace("e9", "e2"), "e2e3"), RankSet::MOBILE);
    }
}

#[test]
fn a_turn_is_one_action_of_one_piece_and_cannot_be_passed() {
    for preset in Preset::ALL {
        let spn = study(Ruleset::of(preset), Side::Red, "r6e4 r2j1 rFa1 b4e5 bFa10 b4j10");
        for text in ["e4e4", "j1j1"] {
            assert!(!spn.position.is_legal(action(text)));
            assert!(spn.position.clone().play(action(text).into()).is_err());
        }
        // After a strike as after a move it is the other's turn, and the striker may not go on.
        for (text, more) in [("e4e5", "e5e6"), ("j1j2", "j2j3")] {
            let mut position = spn.position.clone();
            position.play(action(text).into()).unwrap();
            assert_eq!(position.to_move(), Side::Blue);
            assert!(!position.is_legal(action(more)));
            assert!(position.play(action(more).into()).is_err());
        }
    }
}

#[test]
fn a_miner_removes_a_bomb_and_steps_in_and_the_bomb_else_stays() {
    for preset in Preset::ALL {
        for (rank, stands) in [('3', Some(Side::Red)), ('4', Some(Side::Blue)), ('M', Some(Side::Blue))] {
            let pieces = format!("r{rank}e4 rFa1 bBe5 bFa10 b4j10 r4j1");
            let mut position = study(Ruleset::of(preset), Side::Red, &pieces).position;
            position.play(action("e4e5").into()).unwrap();
            let at = |square: &str| position.piece_at(square.parse().unwrap()).map(PieceId::side);
            assert_eq!((at("e4"), at("e5")), (None, stands), "{rank} {preset:?}");
        }
    }
}

/// Keys exclude none of the others: every mixture is played, the engine's rules agreeing with what a view may see.
#[test]
fn every_mixture_of_keys_is_played_and_prints_back() {
    let mut rng = Rng::new(4);
    let (mut played, mut ended) = (0, 0);
    for mixture in 0..128u32 {
        let on = |bit: u32| mixture >> bit & 1 == 1;
        for stuck in [Stuck::Loses, Stuck::Attrition, Stuck::DrawIfBoth] {
            let preset = Preset::ALL[rng.below(Preset::ALL.len())];
            let rules = Ruleset {
                scout: on(0),
                moresquares: on(1),
                advance: on(2),
                aggressor: on(3),
                silent: on(4),
                barrage: on(5),
                rescue: on(6),
                stuck,
                twosquares: rng.below(9) as u8,
                quiet: 100 * rng.below(2) as u32,
                plies: 200 * rng.below(2) as u32,
                ..Ruleset::of(preset)
            };
            assert_eq!(read(&rules.to_string()), rules);
            let setups = BySide::from_fn(|_| random_setup(&rules, &mut rng));
            let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
            let mut views = BySide::from_fn(|side| View::new(side, rules));
            let mut show = |events: Events| {
                views.iter_mut().for_each(|(side, view)| view.observe(&events[side]).unwrap());
            };
            referee.opening().into_iter().for_each(&mut show);
            while referee.ply() < 200 && referee.ending().is_none() {
                let actions = referee.actions();
                show(referee.play(actions[rng.below(actions.len())]).unwrap());
                played += 1;
            }
            ended += usize::from(referee.ending().is_some());
        }
    }
    assert!(played > 10_000 && ended > 60, "{played} {ended}");
}

fn read(text: &str) -> Ruleset {
    let mut rules = Ruleset::default();
    for word in text.split(' ') {
        match word.split_once('=').unwrap() {
            ("preset", name) => rules = Ruleset::of(Preset::from_name(name).unwrap()),
            (key, value) => rules.set(key, value).unwrap(),
        }
    }
    rules
}
