//! Laws of positions and texts: what is listed is accepted, what is undone is as before, what is printed reads
//! back, and hashes kept up ply by ply equal hashes made anew.

use outflank::rng::Rng;
use outflank::rules::{
    Action, Cell, Outcome, Piece, PlayError, Played, Position, Preset, Rank, RankSet, Reason, Rescue,
    Ruleset, Setup, Side, Spn, Square, Stuck, Verdict, Viewer,
};
use outflank_tests::{Policy, deal, random_setup, rule_systems, sparse_setup};
use proptest::prelude::*;
use std::collections::HashMap;

/// Plays random games under every rule system and shows each position on the way to `look`.
fn walk(seed: u64, most: usize, mut look: impl FnMut(&mut Position, &mut Rng)) {
    let mut rng = Rng::new(seed);
    for (round, rules) in rule_systems().into_iter().enumerate() {
        let setups = [(); 2].map(|()| match round % 3 {
            0 => sparse_setup(&rules, 2 + rng.below(8), &mut rng),
            _ => random_setup(&rules, &mut rng),
        });
        let policy = Policy::by_turns(round, &rules);
        let mut position = deal(rules, &setups[0], &setups[1]);
        for _ in 0..most {
            look(&mut position, &mut rng);
            let actions = position.actions();
            if actions.is_empty() {
                break;
            }
            let action = policy.choose(&position, &actions, &mut rng);
            position.play(action.into()).unwrap();
        }
        look(&mut position, &mut rng);
    }
}

fn pairs() -> impl Iterator<Item = Action> {
    Square::all().flat_map(|from| Square::all().map(move |to| Action::new(from, to)))
}

#[test]
fn listed_actions_are_the_accepted_ones() {
    let (mut listed, mut broken) = (0, 0);
    walk(11, 60, |position, rng| {
        if rng.below(8) > 0 && position.ending().is_none() {
            return;
        }
        let actions = position.actions();
        let before = format!("{position:?}");
        for action in pairs() {
            let legal = actions.contains(&action);
            assert_eq!(position.is_legal(action), legal, "{action:?}");
            let breaks = position.ending().is_none() && position.repetition(action).is_some();
            let played = position.play(action.into());
            match played {
                Ok(()) => assert!(legal || breaks, "{action:?} is played but not listed"),
                Err(_) => assert!(!legal, "{action:?} is listed but not played"),
            }
            if played.is_ok() {
                (listed, broken) = (listed + usize::from(legal), broken + usize::from(breaks));
                assert!(position.undo());
            }
        }
        assert_eq!(format!("{position:?}"), before);
    });
    assert!(listed > 2000 && broken > 20, "{listed} {broken}");
}

#[test]
fn undone_plies_leave_no_trace() {
    walk(12, 120, |position, rng| {
        let before = format!("{position:?}");
        let mut made = 0;
        for _ in 0..rng.below(12) {
            let actions = position.actions();
            if actions.is_empty() {
                break;
            }
            position.play(actions[rng.below(actions.len())].into()).unwrap();
            made += 1;
        }
        for _ in 0..made {
            assert!(position.undo());
        }
        assert_eq!(format!("{position:?}"), before);
    });
}

#[test]
fn a_position_at_its_start_has_nothing_to_undo() {
    let mut position = Position::new(Ruleset::default());
    assert!(!position.undo());
}

#[test]
fn kept_hashes_equal_hashes_made_anew() {
    let mut boards: HashMap<u64, String> = HashMap::new();
    walk(13, 200, |position, _| {
        assert_eq!(position.hash(), position.hash_from_scratch());
        let text = text_of(position, Viewer::Both);
        let board: Vec<&str> = text.split(' ').take(2).collect();
        let board = format!("{} {}", board.join(" "), position.rules());
        // The rules are no part of the hash: leave them out of the key, not out of the comparison.
        if let Some(other) = boards.insert(position.hash() ^ rules_key(position.rules()), board.clone()) {
            assert_eq!(other, board);
        }
    });
    assert!(boards.len() > 2000);
}

fn rules_key(rules: &Ruleset) -> u64 {
    rules.to_string().bytes().fold(0, |key, byte| key.wrapping_mul(0x100_0000_01b3) ^ u64::from(byte))
}

#[test]
fn hashes_do_not_depend_on_the_order_of_plies() {
    let rules = Ruleset { twosquares: 0, ..Ruleset::default() };
    let mut rng = Rng::new(14);
    let setups = [random_setup(&rules, &mut rng), random_setup(&rules, &mut rng)];
    let start = deal(rules, &setups[0], &setups[1]);
    let hash_after = |texts: [&Action; 4]| {
        let mut position = start.clone();
        texts.into_iter().all(|action| position.play((*action).into()).is_ok()).then(|| position.hash())
    };
    let mut met = 0;
    let red: Vec<Action> = start.actions();
    let mut other = start.clone();
    other.play(red[0].into()).unwrap();
    let blue: Vec<Action> = other.actions();
    for (a, b) in red.iter().flat_map(|a| red.iter().map(move |b| (a, b))) {
        if a.from == b.from {
            continue;
        }
        let one = hash_after([a, &blue[0], b, &blue[blue.len() - 1]]);
        let two = hash_after([b, &blue[blue.len() - 1], a, &blue[0]]);
        if let (Some(one), Some(two)) = (one, two) {
            assert_eq!(one, two);
            met += 1;
        }
    }
    assert!(met > 0);
}

fn text_of(position: &Position, viewer: Viewer) -> String {
    Spn { position: position.clone(), viewer }.to_string()
}

/// The pieces of a side by what its holder can say of them, for comparing positions that number them differently.
fn described(position: &Position, side: Side) -> Vec<String> {
    let describe = |piece: &Piece| {
        let marks = (piece.is_alive() && piece.moved, piece.is_alive() && piece.rescuer);
        format!("{:?} {:?} {:?} {marks:?}", piece.square, piece.ranks, piece.learned)
    };
    let mut pieces: Vec<String> = position.pieces(side).map(|(_, piece)| describe(piece)).collect();
    pieces.sort();
    pieces
}

#[test]
fn position_texts_read_back() {
    let (mut hidden, mut ended, mut rescues) = (0, 0, 0);
    walk(15, 120, |position, rng| {
        if rng.below(4) > 0 && position.ending().is_none() {
            return;
        }
        for viewer in [Viewer::Both, Viewer::Player(Side::Red), Viewer::Player(Side::Blue)] {
            let known = match viewer {
                Viewer::Both => position.clone(),
                Viewer::Player(side) => position.masked(side),
            };
            let text = text_of(&known, viewer);
            let read = Spn::parse(&text, Ruleset::of(Preset::Original1961)).expect(&text);
            assert_eq!(read.to_string(), text);
            assert_eq!(read.viewer, viewer);
            let again = &read.position;
            assert_eq!(again.rules(), known.rules());
            assert_eq!(
                (again.to_move(), again.ply(), again.quiet()),
                (known.to_move(), known.ply(), known.quiet())
            );
            for side in Side::BOTH {
                assert_eq!(described(again, side), described(&known, side), "{text}");
                assert_eq!(again.rescues(side), known.rescues(side), "{text}");
                rescues += usize::from(known.rescues(side));
            }
            // Who is stuck may depend on the history, and a masked position may not tell.
            let tells = known.ending().is_none_or(|ending| ending.reason != Reason::Stuck);
            if tells && viewer == Viewer::Both {
                assert_eq!(again.ending(), known.ending(), "{text}");
                ended += usize::from(known.ending().is_some());
            }
            hidden += usize::from(text.contains('?'));
        }
    });
    assert!(hidden > 100 && ended > 5 && rescues > 20, "{hidden} {ended} {rescues}");
}

#[test]
fn a_hidden_piece_may_do_what_one_of_its_ranks_may() {
    walk(16, 60, |position, rng| {
        let mover = position.to_move();
        if rng.below(6) > 0 {
            return;
        }
        let mut masked = position.masked(mover.enemy());
        let listed = masked.actions();
        if position.ending().is_none() && masked.ending().is_none() {
            assert!(position.actions().iter().all(|action| listed.contains(action)));
        }
        for action in pairs() {
            let broken = masked.ending().is_none() && masked.repetition(action).is_some();
            match masked.play(action.into()) {
                Ok(()) => {
                    assert!(masked.undo());
                    assert!(broken || listed.contains(&action), "{action:?}");
                }
                Err(PlayError::ResultNeeded) => assert!(broken || listed.contains(&action), "{action:?}"),
                Err(_) => assert!(!listed.contains(&action), "{action:?}"),
            }
        }
    });
}

fn any_square() -> impl Strategy<Value = Square> {
    let squares: Vec<Square> = Square::all().collect();
    prop::sample::select(squares)
}

fn any_rank() -> impl Strategy<Value = Rank> {
    prop::sample::select(Rank::ALL.to_vec())
}

fn any_played() -> impl Strategy<Value = Played> {
    let rescue =
        (prop::option::of(any_rank()), any_square()).prop_map(|(rank, square)| Rescue { rank, square });
    let outcome = prop::sample::select(Outcome::ALL.to_vec());
    let verdict = (outcome, prop::option::of(any_rank()), prop::option::of(any_rank()))
        .prop_map(|(outcome, striker, defender)| Verdict { outcome, striker, defender });
    (any_square(), any_square(), prop::option::of(rescue), prop::option::of(verdict))
        .prop_map(|(from, to, rescue, verdict)| Played { action: Action { from, to, rescue }, verdict })
}

fn any_rules() -> impl Strategy<Value = Ruleset> {
    let preset = prop::sample::select(Preset::ALL.to_vec());
    let stuck = prop::sample::select(vec![Stuck::Loses, Stuck::Attrition, Stuck::DrawIfBoth]);
    let switches = prop::array::uniform8(any::<bool>());
    (preset, stuck, switches, 0..=Ruleset::MOST_CROSSINGS, any::<u32>(), any::<u32>()).prop_map(
        |(preset, stuck, switches, twosquares, quiet, plies)| {
            let [scout, moresquares, advance, aggressor, silent, rescue, barrage, _] = switches;
            Ruleset {
                preset,
                scout,
                twosquares,
                moresquares,
                advance,
                stuck,
                aggressor,
                silent,
                rescue,
                quiet,
                plies,
                barrage,
            }
        },
    )
}

/// Reads a rule set as the protocol does: a preset word resets all keys.
fn read_rules(text: &str) -> Ruleset {
    let mut rules = Ruleset::of(Preset::Evaluator);
    for word in text.split(' ') {
        match word.split_once('=').unwrap() {
            ("preset", name) => rules = Ruleset::of(Preset::from_name(name).unwrap()),
            (key, value) => rules.set(key, value).unwrap(),
        }
    }
    rules
}

proptest! {
    #[test]
    fn played_texts_read_back(played in any_played()) {
        let text = played.to_string();
        prop_assert_eq!(text.parse::<Played>(), Ok(played));
        prop_assert_eq!(text.to_ascii_uppercase().parse::<Played>(), Ok(played));
        prop_assert_eq!(text.replace('x', "").parse::<Played>(), Ok(played));
        let bare = Played { verdict: None, ..played };
        prop_assert_eq!(played.action.text(false).parse::<Played>(), Ok(bare));
        prop_assert_eq!(played.action.text(true).parse::<Played>(), Ok(bare));
    }

    #[test]
    fn a_usual_text_that_reads_as_a_ply_prints_alike(
        squares in "[a-j]([1-9]|10)x?[a-j]([1-9]|10)",
        rescue in "(\\+[FS2-9MB?]@[a-j]([1-9]|10))?",
        verdict in "(=[WLT][FS2-9MB?]{2})?",
    ) {
        let text = format!("{squares}{rescue}{verdict}");
        if let Ok(played) = text.parse::<Played>() {
            // A strike is printed with its x where its result is; the text alone does not tell otherwise.
            let strike = text.contains('x') || played.verdict.is_some();
            let verdict = played.verdict.map_or(String::new(), |verdict| verdict.to_string());
            prop_assert_eq!(played.action.text(text.contains('x')) + &verdict, text.clone());
            if strike == played.verdict.is_some() && strike == text.contains('x') {
                prop_assert_eq!(played.to_string(), text);
            }
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC{0,60}") {
        let _ = text.parse::<Played>();
        let _ = text.parse::<Setup>();
        let _ = text.parse::<Square>();
        let _ = Spn::parse(&text, Ruleset::default());
    }

    #[test]
    fn a_damaged_position_text_is_refused_or_reads_back(place in 0usize..200, letter in "[ -~]", cut in 0usize..3) {
        let mut rng = Rng::new(place as u64);
        let rules = Ruleset { silent: true, ..Ruleset::default() };
        let setups = [random_setup(&rules, &mut rng), random_setup(&rules, &mut rng)];
        let position = deal(rules, &setups[0], &setups[1]).masked(Side::Red);
        let mut text = text_of(&position, Viewer::Player(Side::Red));
        let place = place % text.len();
        text.replace_range(place..(place + cut).min(text.len()), &letter);
        if let Ok(read) = Spn::parse(&text, Ruleset::default()) {
            let printed = read.to_string();
            let again = Spn::parse(&printed, Ruleset::default());
            prop_assert_eq!(again.expect(&printed).to_string(), printed);
        }
    }

    #[test]
    fn rule_sets_read_back(rules in any_rules()) {
        prop_assert_eq!(read_rules(&rules.to_string()), rules);
    }

    #[test]
    fn setups_read_back(cells in prop::collection::vec(prop::option::of(prop::option::of(any_rank())), 40)) {
        let setup = Setup(std::array::from_fn(|place| match cells[place] {
            None => Cell::Empty,
            Some(None) => Cell::Hidden,
            Some(Some(rank)) => Cell::Known(rank),
        }));
        let text = setup.to_string();
        prop_assert_eq!(text.parse::<Setup>(), Ok(setup));
        prop_assert_eq!(text.to_ascii_lowercase().parse::<Setup>(), Ok(setup));
    }

    #[test]
    fn rank_sets_are_sets(left in 0u16..0x1000, right in 0u16..0x1000) {
        let (left, right) = (RankSet::from_bits(left), RankSet::from_bits(right));
        prop_assert_eq!(left.iter().collect::<RankSet>(), left);
        prop_assert_eq!(left.iter().count(), left.len());
        for rank in Rank::ALL {
            prop_assert_eq!(left.and(right).contains(rank), left.contains(rank) && right.contains(rank));
            prop_assert_eq!(left.or(right).contains(rank), left.contains(rank) || right.contains(rank));
            prop_assert_eq!(left.without(right).contains(rank), left.contains(rank) && !right.contains(rank));
        }
        prop_assert_eq!(left.meets(right), !left.and(right).is_empty());
        prop_assert_eq!(left.is_within(right), left.without(right).is_empty());
    }
}

#[test]
fn squares_and_ranks_read_back() {
    for square in Square::all() {
        let text = square.to_string();
        assert_eq!(text.parse(), Ok(square));
        assert_eq!(text.to_ascii_uppercase().parse(), Ok(square));
        assert_eq!(Square::from_index(square.index() as u8), Some(square));
        assert_eq!(Square::new(square.file(), square.row()), Some(square));
    }
    for rank in Rank::ALL {
        assert_eq!(Rank::from_letter(rank.letter()), Some(rank));
        assert_eq!(RankSet::only(rank).single(), Some(rank));
    }
}
