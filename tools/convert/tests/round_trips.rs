//! What both texts can say comes back as it was.

use crate::common::{SAMPLE, converted, gravon, lossless, random_game, to};
use outflank::rng::Rng;
use outflank::rules::{Ruleset, Side, Spn, Viewer};
use outflank_convert::archive::{self, FOOT, HEAD};
use outflank_convert::board::Board;
use outflank_convert::convert::{At, Options};
use outflank_convert::format::Format;
use outflank_record::{Decision, Record, parse_rules};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    "[^\\p{C}]{0,12}"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_record_goes_to_xml_and_back(seed: u64, most in 0u32..2500, red in name(), blue in name()) {
        let game = random_game(gravon(), most, [red, blue], &mut Rng::new(seed));
        let record = game.record(0).unwrap();
        let xml = lossless(&record.line().unwrap(), Format::Record, Format::Xml);
        let back: Record = lossless(&xml, Format::Xml, Format::Record).trim_end().parse().unwrap();
        prop_assert_eq!(back, record);
        prop_assert_eq!(lossless(&xml, Format::Xml, Format::Xml), xml);
    }

    #[test]
    fn a_start_goes_to_a_board_to_xml_and_back(seed: u64) {
        let game = random_game(gravon(), 0, Default::default(), &mut Rng::new(seed));
        let spn = game_positions(&game.record(0).unwrap(), At::Ply(0), None);
        let board = lossless(&spn, Format::Spn, Format::Board);
        prop_assert_eq!(lossless(&board, Format::Board, Format::Spn), spn.clone());
        let xml = lossless(&board, Format::Board, Format::Xml);
        prop_assert_eq!(lossless(&spn, Format::Spn, Format::Xml), xml.clone());
        let (back, _) = converted(&xml, Format::Xml, &to(Format::Board)).unwrap();
        prop_assert_eq!(back, board);
    }

    #[test]
    fn a_position_keeps_its_text_and_its_board(seed: u64, most in 1u32..300) {
        let game = random_game(gravon(), most, Default::default(), &mut Rng::new(seed));
        let record = game.record(0).unwrap();
        for viewer in [Viewer::Both, Viewer::Player(Side::Red), Viewer::Player(Side::Blue)] {
            let spns = game_positions(&record, At::All, Some(viewer));
            prop_assert_eq!(spns.lines().count(), record.moves.len() + 1);
            prop_assert_eq!(lossless(&spns, Format::Spn, Format::Spn), spns);
        }
        let spn = game_positions(&record, At::End, None);
        let (board, notes) = converted(&spn, Format::Spn, &to(Format::Board)).unwrap();
        prop_assert!(notes[0].contains("whose turn it is"), "{:?}", notes);
        let (taken, notes) = converted(&board, Format::Board, &to(Format::Spn)).unwrap();
        prop_assert!(notes[0].starts_with("taken for granted"), "{:?}", notes);
        let (again, _) = converted(&taken, Format::Spn, &to(Format::Board)).unwrap();
        prop_assert_eq!(again, board);
    }

    /// What a viewer's text leaves open it leaves open; what it tells is true.
    #[test]
    fn a_viewers_text_of_a_position_is_that_of_the_game(seed: u64, most in 1u32..200) {
        let game = random_game(gravon(), most, Default::default(), &mut Rng::new(seed));
        let record = game.record(0).unwrap();
        let truths = game_positions(&record, At::All, Some(Viewer::Both));
        for side in Side::BOTH {
            let viewer = Some(Viewer::Player(side));
            let seen = converted(&truths, Format::Spn, &Options { viewer, ..to(Format::Spn) }).unwrap();
            for (masked, truth) in seen.0.lines().zip(truths.lines()) {
                let [masked, truth] = [masked, truth].map(|text| Spn::parse(text, gravon()).unwrap());
                for square in outflank::rules::Square::all() {
                    let rank = |spn: &Spn| {
                        spn.position.piece_at(square).map(|id| spn.position.piece(id).ranks)
                    };
                    match (rank(&masked), rank(&truth)) {
                        (Some(masked), Some(truth)) => prop_assert!(truth.is_within(masked)),
                        (masked, truth) => prop_assert_eq!(masked, truth),
                    }
                }
            }
        }
    }
}

fn game_positions(record: &Record, at: At, viewer: Option<Viewer>) -> String {
    let options = Options { at, viewer, ..to(Format::Spn) };
    converted(&record.line().unwrap(), Format::Record, &options).unwrap().0
}

#[test]
fn the_sample_is_read_move_by_move() {
    let record: Record = lossless(SAMPLE, Format::Xml, Format::Record).trim_end().parse().unwrap();
    assert_eq!(record.names(), ["Ann & Co", "Bob"]);
    assert_eq!(record.setups[Side::Red], "FB3B543B32B246576B52B48637564S237M229822");
    assert_eq!(record.setups[Side::Blue], "43B52B34322B56B645373B826S8B7425692FM722");
    assert_eq!(
        record.moves.join(" "),
        "j4j5 j7j6 j5xj6=T22 j8j7 a4a6 j9j8 a6xa7=T22 j10j9 b4b5 j9j10 e4xe7=W2F"
    );
    assert_eq!((record.outcome.winner.name(), record.outcome.reason.name()), ("red", "flag"));
    assert_eq!((record.plies, record.strikes), (11, 3));
}

#[test]
fn games_are_read_from_one_document_and_from_several() {
    let element = &SAMPLE[SAMPLE.find(" <game").unwrap()..SAMPLE.find("</stratego>").unwrap()];
    let one = format!("<stratego>{element}{element}</stratego>");
    let several = format!("\u{feff}{SAMPLE}\n{SAMPLE}").trim_start_matches('\u{feff}').to_owned();
    for text in [one, several] {
        let records = lossless(&text, Format::Xml, Format::Record);
        let records: Vec<Record> = records.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(records.len(), 2);
        assert_eq!((records[0].game, records[1].game), (0, 1));
        assert_eq!(records[0].moves, records[1].moves);
    }
}

/// Barrage goes through all texts where its rules are played, and is refused by their name where they are not.
#[test]
fn barrage_is_converted_as_far_as_it_is_played() {
    let rules = Ruleset { barrage: true, ..gravon() };
    let game = random_game(rules, 60, Default::default(), &mut Rng::new(5));
    let mut archived = archive::Game::new(archive::Kind::Barrage);
    archived.field = Some(Board::of_setups(&game.setups).unwrap());
    archived.moves =
        game.moves.iter().map(|played| archive::Move { line: 0, action: played.action }).collect();
    let winner = Some(Side::Blue);
    archived.result = Some(archive::Result { end: archive::End::Decided(Decision::Resigned), winner });
    let xml = format!("{HEAD}{}{FOOT}", archive::element(&archived).unwrap());
    let (board, _) = converted(&xml, Format::Xml, &to(Format::Board)).unwrap();
    assert_eq!(board.trim_end().parse(), Ok(archived.field.unwrap()));
    let (spn, _) = converted(&board, Format::Board, &to(Format::Spn)).unwrap();
    assert_eq!(lossless(&spn, Format::Spn, Format::Board), board);
    let (line, _) = converted(&xml, Format::Xml, &to(Format::Record)).unwrap();
    let record: Record = line.trim_end().parse().unwrap();
    assert_eq!(record.actions().unwrap(), game.moves);
    assert_eq!(lossless(&line, Format::Record, Format::Xml), &xml[HEAD.len()..xml.len() - FOOT.len()]);
}

/// Games of other rules that hold under Gravon's go there and come back with the same plies and winner.
#[test]
fn games_of_other_rules_are_distinguished() {
    let rules = parse_rules("evaluator plies=3000").unwrap();
    let mut worn_out = 0;
    for seed in 0..20 {
        let game = random_game(rules, 5000, Default::default(), &mut Rng::new(seed));
        let record = game.record(seed).unwrap();
        let line = record.line().unwrap();
        let Ok((xml, notes)) = converted(&line, Format::Record, &to(Format::Xml)) else { continue };
        assert!(notes.iter().any(|note| note.contains("the rules")), "{notes:?}");
        let back: Record = lossless(&xml, Format::Xml, Format::Record).trim_end().parse().unwrap();
        assert_eq!((&back.moves, &back.setups), (&record.moves, &record.setups));
        assert_eq!(back.outcome.winner, record.outcome.winner);
        worn_out += u32::from(record.outcome.reason.name() == "attrition");
    }
    assert!(worn_out > 0, "no game was won by attrition: the rule for it was not tried");
}
