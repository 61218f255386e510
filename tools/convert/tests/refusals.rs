//! What cannot be said is refused with its reason, and no text whatever is more than an error.

use crate::common::{SAMPLE, converted, gravon, lossless, random_game, to};
use outflank::rng::Rng;
use outflank::rules::{BySide, Setup, Side, Stuck, Viewer};
use outflank_convert::board::Board;
use outflank_convert::convert::{At, Options};
use outflank_convert::format::Format;
use outflank_record::{Decision, Outcome, Record, Winner, parse_rules};
use proptest::prelude::*;

/// Why a text is refused.
fn refusal(text: &str, from: Format, to_format: Format) -> String {
    converted(text, from, &to(to_format)).unwrap_err()
}

/// Why the sample is refused with one change.
fn changed(from: &str, to: &str) -> String {
    assert!(SAMPLE.contains(from), "{from}");
    refusal(&SAMPLE.replacen(from, to, 1), Format::Xml, Format::Record)
}

#[test]
fn an_illegal_move_is_named_by_its_number_and_line() {
    let refused = changed("source=\"A4\" target=\"A6\"", "source=\"A4\" target=\"C4\"");
    assert_eq!(refused, "line 4: move 5, line 11: a4c4: c4 holds a piece of the same side");
    assert!(changed("source=\"K7\"", "source=\"K6\"").contains("move 2, line 8: j6j6"));
    let over = changed("  <player", "  <move source=\"K8\" target=\"K9\"/>\n  <player");
    assert!(over.contains("move 12, line 18: j8j9: the game is over"), "{over}");
}

#[test]
fn what_the_xml_lacks_is_named() {
    for (from, to, reason) in [
        ("target=\"K5\"", "target=\"L5\"", "move 1, line 7: \"L5\" is no square"),
        ("target=\"K5\"", "", "move 1, line 7: the move has no target"),
        ("type = \"classic\"", "type = \"chess\"", "no game type is called \"chess\""),
        ("type = \"classic\"", "", "the game has no type"),
        ("type = \"classic\"", "type = \"duell\"", "\"duell\" have armies and rules that are not played"),
        ("content=\"M", "content=\"MM", "line 6: a board has 100 letters, this one 101"),
        ("content=\"M", "content=\"Z", "letter 1 of the board is 'Z'"),
        ("content=\"M", "content=\"_", "letter 1 of the board: the lakes"),
        ("content=\"M", "content=\"L", "red's setup is not the whole army"),
        ("  <field content", "  <other content", "no field"),
        ("result type=\"1\"", "result type=\"7\"", "line 20: no result has type 7"),
        ("winner=\"1\"", "winner=\"0\"", "no winner is numbered 0"),
        ("winner=\"1\"", "winner=\"one\"", "winner \"one\" is no number"),
        ("winner=\"1\"", "winner=\"2\"", "the result blue flag is given, but the game ended red flag"),
        ("result type=\"1\"", "result type=\"3\"", "red resigned is given, but the game ended red flag"),
        ("</game>", "</gam>", "line 21: not well-formed XML"),
        ("  <player id", "  <player/><player id", "one player too many"),
        ("  <player id =\"2\"", "  <player id =\"1\"", "number 1 is there already"),
        ("  <player id =\"2\"", "  <player id =\"3\"", "no player is numbered \"3\": 1 is Red, 2 Blue"),
    ] {
        let refused = changed(from, to);
        assert!(refused.contains(reason), "{refused:?} does not say {reason:?}");
    }
    assert!(refusal("<stratego/>", Format::Xml, Format::Record).contains("holds no game"));
}

#[test]
fn an_element_with_countless_attributes_is_refused_at_once() {
    let with = |count: usize| {
        let more: Vec<String> = (0..count).map(|number| format!(" a{number}='>\"<'")).collect();
        SAMPLE.replacen(
            "<field ",
            &format!("<!-- '{} -->\n<field{} ", "x='' ".repeat(500), more.concat().replace('<', "&lt;")),
            1,
        )
    };
    lossless(&with(90), Format::Xml, Format::Record);
    for count in [101, 40_000] {
        let refused = refusal(&with(count), Format::Xml, Format::Record);
        assert_eq!(refused, "line 7: an element has more than 100 attributes");
    }
}

#[test]
fn players_are_distinguished_by_their_numbers() {
    let names = |text: &str| {
        let record: Record = lossless(text, Format::Xml, Format::Record).parse().unwrap();
        record.players.into_array().map(|player| player.name)
    };
    let of_players = |red: &str, blue: &str| {
        let start = SAMPLE.find("  <player").unwrap();
        let end = SAMPLE.rfind("  <result").unwrap();
        names(&format!("{}{red}{blue}{}", &SAMPLE[..start], &SAMPLE[end..]))
    };
    let expected = ["Ann".to_owned(), "Ben".to_owned()];
    assert_eq!(of_players("<player id='1'>Ann</player>", "<player id='2'>Ben</player>"), expected);
    assert_eq!(of_players("<player id='2'>Ben</player>", "<player id='1'>Ann</player>"), expected);
    assert_eq!(of_players("<player>Ann</player>", "<player>Ben</player>"), expected);
    assert_eq!(of_players("<player id=' 2 '>Ben</player>", "<player>Ann</player>"), expected);
}

#[test]
fn a_name_with_blanks_of_any_kind_reads_back() {
    let mut named = record("gravon", 30, 1);
    named.players[Side::Red].name = "tab\tline\nreturn\r\u{85}end".to_owned();
    let xml = lossless(&named.line().unwrap(), Format::Record, Format::Xml);
    let back: Record =
        converted(&format!("<a>{xml}</a>"), Format::Xml, &to(Format::Record)).unwrap().0.parse().unwrap();
    assert_eq!(back.players[Side::Red].name, named.players[Side::Red].name);
}

#[test]
fn an_ending_that_is_not_given_is_found_if_it_follows_from_the_rules() {
    let result = "  <result type=\"1\" winner=\"1\"/>\n";
    let untold = SAMPLE.replace(result, "");
    assert_eq!(lossless(&untold, Format::Xml, Format::Record), lossless(SAMPLE, Format::Xml, Format::Record));
    let open = untold.replace("  <move id=\"11\" source=\"E4\" target=\"E7\"/>\n", "");
    assert!(refusal(&open, Format::Xml, Format::Record).contains("does not say how the game ended"));
    assert!(!lossless(&open, Format::Xml, Format::Xml).contains("<result"));
}

#[test]
fn files_and_rows_are_read_in_every_way_they_are_written() {
    for (from, to) in [("K:", "k10"), ("K:", "J:"), ("E4", "e4")] {
        let other = SAMPLE.replace(from, to);
        assert_eq!(
            lossless(&other, Format::Xml, Format::Record),
            lossless(SAMPLE, Format::Xml, Format::Record)
        );
    }
}

#[test]
fn elements_that_mean_nothing_are_named() {
    let more = SAMPLE.replace("  <result", "  <chat>hello</chat>\n  <result");
    let (_, notes) = converted(&more, Format::Xml, &to(Format::Record)).unwrap();
    assert_eq!(notes, ["left out, as it is not known what it means: the element \"chat\""]);
}

#[test]
fn games_with_armies_of_their_own_give_their_start_only() {
    let duel = SAMPLE.replace("\"classic\"", "\"duell\"");
    let (board, notes) = converted(&duel, Format::Xml, &to(Format::Board)).unwrap();
    assert_eq!(board, converted(SAMPLE, Format::Xml, &to(Format::Board)).unwrap().0);
    assert!(notes[0].contains("all of the game but its start"), "{notes:?}");
    let end = Options { at: At::End, ..to(Format::Board) };
    assert!(converted(&duel, Format::Xml, &end).unwrap_err().contains("only its start"));
}

#[test]
fn a_position_is_no_game_and_a_hidden_rank_stays_hidden() {
    let (board, _) = converted(SAMPLE, Format::Xml, &to(Format::Board)).unwrap();
    assert!(refusal(&board, Format::Board, Format::Record).contains("a position is no game"));
    let seen = Options { viewer: Some(Viewer::Player(Side::Red)), ..to(Format::Spn) };
    let (spn, _) = converted(SAMPLE, Format::Xml, &seen).unwrap();
    assert!(refusal(&spn, Format::Spn, Format::Board).contains("the rank of the piece on a7 is hidden"));
    assert!(refusal(&spn, Format::Spn, Format::Xml).contains("is hidden"));
    let blues = Options { viewer: Some(Viewer::Player(Side::Blue)), ..to(Format::Spn) };
    assert!(converted(&spn, Format::Spn, &blues).unwrap_err().contains("what one player knows"));
    for at in [At::Ply(1), At::End] {
        let later = Options { at, ..to(Format::Spn) };
        let (spn, _) = converted(SAMPLE, Format::Xml, &later).unwrap();
        assert!(refusal(&spn, Format::Spn, Format::Xml).contains("a game") || at == At::End);
        assert!(converted(&spn, Format::Spn, &to(Format::Xml)).is_err());
    }
    let late = Options { at: At::Ply(12), ..to(Format::Spn) };
    assert!(converted(SAMPLE, Format::Xml, &late).unwrap_err().contains("has 11 plies, not 12"));
}

/// A record under `rules` of at most `most` random plies.
fn record(rules: &str, most: u32, seed: u64) -> Record {
    let rules = parse_rules(rules).unwrap();
    random_game(rules, most, Default::default(), &mut Rng::new(seed)).record(0).unwrap()
}

#[test]
fn what_xml_cannot_say_of_a_record_is_refused() {
    let refused = |record: &Record| refusal(&record.line().unwrap(), Format::Record, Format::Xml);
    assert!(refused(&record("gravon plies=20", 30, 1)).contains("ended by \"plies\""));
    let mut wrong = record("gravon", 30, 1);
    wrong.moves[4] = "a1a2".to_owned();
    assert!(refused(&wrong).contains("ply 5: a1a2"));
    let mut odd = record("gravon", 30, 1);
    odd.players[Side::Red].name = "bell\u{7}".to_owned();
    assert!(refused(&odd).contains("XML cannot say"));
    let aggressive = (0..50).map(|seed| record("gravon aggressor=on", 400, seed));
    let tied = |record: &Record| {
        let equal = |text: &String| text.split_once("=W").is_some_and(|(_, ranks)| ranks[..1] == ranks[1..]);
        record.moves.iter().any(equal)
    };
    let found: Vec<Record> = aggressive.filter(tied).collect();
    assert!(!found.is_empty());
    assert!(found.iter().all(|record| refused(record).contains("does not hold under the rules")));
}

#[test]
fn a_rescue_is_not_written_as_xml() {
    let rules = gravon();
    let mut game = random_game(rules, 30, Default::default(), &mut Rng::new(1));
    game.moves[6] = "b9b10+5@c2".parse().unwrap();
    assert!(game.archive(&rules).unwrap_err().to_string().contains("ply 7: XML has no word for a rescue"));
    game.moves.truncate(6);
    assert!(game.archive(&rules).is_ok());
}

/// Every ending of the archive, where it fits and where it does not.
#[test]
fn each_decided_ending_is_named_by_its_number() {
    let short = SAMPLE.replace("  <move id=\"11\" source=\"E4\" target=\"E7\"/>\n", "");
    let with = |number, winner| {
        let result = format!("<result type=\"{number}\" winner=\"{winner}\"/>");
        short.replace("<result type=\"1\" winner=\"1\"/>", &result)
    };
    for (number, winner, outcome) in [
        (3, 1, r#"{"winner":"red","reason":"resigned"}"#),
        (4, 3, r#"{"winner":"draw","reason":"agreed"}"#),
        (10, 3, r#"{"winner":"draw","reason":"both-absent"}"#),
        (11, 2, r#"{"winner":"blue","reason":"time"}"#),
        (12, 3, r#"{"winner":"draw","reason":"game-time"}"#),
        (13, 1, r#"{"winner":"red","reason":"time-absent"}"#),
        (14, 2, r#"{"winner":"blue","reason":"absent"}"#),
    ] {
        let record = lossless(&with(number, winner), Format::Xml, Format::Record);
        assert!(record.contains(outcome), "{record}");
        let xml = lossless(&record, Format::Record, Format::Xml);
        assert!(xml.contains(&format!("<result type=\"{number}\" winner=\"{winner}\"/>")));
    }
    for (number, winner) in [(0, 1), (1, 1), (2, 3), (4, 1)] {
        let refused = refusal(&with(number, winner), Format::Xml, Format::Record);
        assert!(refused.contains("has not ended") || refused.contains("nobody wins"), "{refused}");
    }
}

#[test]
fn a_result_that_contradicts_its_winner_is_refused() {
    let short = SAMPLE.replace("  <move id=\"11\" source=\"E4\" target=\"E7\"/>\n", "");
    let with = |number: u32, winner: u32| {
        let result = format!("<result type=\"{number}\" winner=\"{winner}\"/>");
        short.replace("<result type=\"1\" winner=\"1\"/>", &result)
    };
    for number in [3, 11, 13, 14] {
        let refused = refusal(&with(number, 3), Format::Xml, Format::Record);
        assert!(refused.contains(&format!("line 19: result type {number}: somebody loses")), "{refused}");
        lossless(&with(number, 1), Format::Xml, Format::Record);
        lossless(&with(number, 2), Format::Xml, Format::Record);
    }
    for (number, winner) in [(4, 1), (4, 2), (10, 1), (10, 2)] {
        let refused = refusal(&with(number, winner), Format::Xml, Format::Record);
        assert!(refused.contains(&format!("result type {number}: nobody wins")), "{refused}");
    }
    for winner in 1..=3 {
        lossless(&with(12, winner), Format::Xml, Format::Record);
    }
    let drawn = record("gravon", 30, 1);
    let odd = Outcome::of_decision(None, Decision::Resigned);
    let line = Record { outcome: odd, ..drawn }.line().unwrap();
    assert!(refusal(&line, Format::Record, Format::Xml).contains("somebody loses"));
}

#[test]
fn ids_of_moves_rise() {
    for (from, to, reason) in [
        ("move id=\"5\"", "move id=\"4\"", "move 5, line 11: the id 4 is there twice"),
        ("move id=\"5\"", "move id=\"3\"", "move 5, line 11: the id 3 comes after 4"),
        ("move id=\"2\"", "move id=\"12\"", "move 3, line 9: the id 3 comes after 12"),
        ("move id=\"5\"", "move id=\"five\"", "move 5, line 11: the id \"five\" is no number"),
    ] {
        let refused = changed(from, to);
        assert!(refused.contains(reason), "{refused:?} does not say {reason:?}");
    }
    let untold = SAMPLE.replace("move id=\"5\" ", "move ");
    let higher = SAMPLE.replace("move id=\"11\"", "move id=\"12\"");
    for text in [untold, higher] {
        assert_eq!(
            lossless(&text, Format::Xml, Format::Record),
            lossless(SAMPLE, Format::Xml, Format::Record)
        );
    }
}

/// Six bombs stand where there is a way forward, so no piece can move; Blue is walled in likewise, or not at all.
#[test]
fn the_rule_for_a_side_that_cannot_move_is_found_from_the_result() {
    let walled: Setup = "F22222222333334444555566667778BB89BBSMBB".parse().unwrap();
    let free: Setup = "FBBBBBB222333334444555566667778892222SM2".parse().unwrap();
    let read = |blue: &Setup, number: u32, winner: u32| {
        let board = Board::of_setups(&BySide::new([walled, *blue])).unwrap();
        let game = format!("<game type='classic'><field content='{board}'/>");
        let result = format!("<result type='{number}' winner='{winner}'/></game>");
        converted(&(game + &result), Format::Xml, &to(Format::Record))
    };
    let rule = |blue: &Setup, number: u32, winner: u32| {
        let record: Record = read(blue, number, winner).unwrap().0.trim_end().parse().unwrap();
        (record.ruleset().unwrap().stuck, record.outcome.winner)
    };
    assert_eq!(rule(&walled, 0, 2), (Stuck::Loses, Winner::Blue));
    assert_eq!(rule(&walled, 2, 3), (Stuck::DrawIfBoth, Winner::Draw));
    assert_eq!(rule(&free, 0, 2), (Stuck::Loses, Winner::Blue));
    let refused = read(&free, 2, 3).unwrap_err();
    assert!(refused.contains("draw both stuck is given, but the game ended blue stuck"), "{refused}");
    assert!(read(&free, 0, 1).unwrap_err().contains("ended blue stuck"));
}

#[test]
fn what_only_a_record_tells_is_named() {
    let mut detailed = record("gravon", 30, 1);
    (detailed.seed, detailed.nodes[0], detailed.players[Side::Red].player) = (7, 9, "engine".to_owned());
    let (_, notes) = converted(&detailed.line().unwrap(), Format::Record, &to(Format::Xml)).unwrap();
    assert_eq!(notes, ["left out, as XML cannot say it: the seed, nodes, that the players are no humans"]);
    assert_eq!(lossless(&detailed.line().unwrap(), Format::Record, Format::Record), detailed.line().unwrap());
}

/// Every text read in every way.
fn read_in_every_way(text: &str) {
    for from in [Format::Xml, Format::Board, Format::Spn, Format::Record] {
        for target in [Format::Xml, Format::Board, Format::Spn, Format::Record] {
            for at in [At::Ply(3), At::All] {
                let _ = converted(text, from, &Options { at, ..to(target) });
            }
        }
    }
    let _ = Format::detect(text);
}

#[test]
fn deep_and_long_documents_are_no_more_than_errors() {
    let nested = |start: &str, end: &str, depth| start.repeat(depth) + &end.repeat(depth);
    for text in [
        "<a>".repeat(100_000),
        nested("<a>", "</a>", 100_000),
        nested("<game type='classic'>", "</game>", 1_000),
        "A".repeat(100_000),
    ] {
        read_in_every_way(&text);
    }
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]><stratego>&c;</stratego>";
    assert!(refusal(bomb, Format::Xml, Format::Record).contains("not well-formed"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_at_worst_an_error(text in "\\PC{0,300}") {
        read_in_every_way(&text);
    }

    #[test]
    fn a_text_with_something_changed_is_at_worst_an_error(
        which in 0usize..4,
        places in prop::collection::vec((0usize..2000, "[A-Ya-y0-9_/\"<>{}\\[\\]=:+*?., -]{0,3}"), 1..5),
    ) {
        let mut text: Vec<char> = texts()[which].chars().collect();
        for (place, with) in places {
            let at = place % text.len();
            text.splice(at..(at + 1).min(text.len()), with.chars());
            if text.is_empty() {
                break;
            }
        }
        read_in_every_way(&text.into_iter().collect::<String>());
    }
}

/// The sample in all four texts.
fn texts() -> [String; 4] {
    [Format::Xml, Format::Board, Format::Spn, Format::Record].map(|format| {
        let options = Options { at: At::Ply(if format == Format::Spn { 9 } else { 0 }), ..to(format) };
        converted(SAMPLE, Format::Xml, &options).unwrap().0
    })
}

#[test]
fn the_rules_are_gravons_unless_given() {
    let record: Record = lossless(SAMPLE, Format::Xml, Format::Record).trim_end().parse().unwrap();
    assert_eq!(record.ruleset().unwrap(), gravon());
    let rules = parse_rules("gravon moresquares=off").unwrap();
    let (text, _) = converted(SAMPLE, Format::Xml, &Options { rules, ..to(Format::Record) }).unwrap();
    assert_eq!(text.trim_end().parse::<Record>().unwrap().ruleset().unwrap(), rules);
}
