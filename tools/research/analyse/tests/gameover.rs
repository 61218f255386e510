//! What `gameover` says of one game is what the tool says of it.

use crate::records;
use outflank::belief::score::{Marks, PHASES, phase_name};
use outflank::protocol::{ConversationSettings, converse};
use outflank::rules::Side;
use outflank_analyse::belief::Guess;
use outflank_analyse::belief::bands::Band;
use outflank_analyse::belief::game::{Plan, Scored};
use outflank_record::Record;
use std::io::{self, BufReader, Cursor, Write};
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The engine's answers to these lines.
fn answers(lines: &[String]) -> Vec<String> {
    let sink = Sink::default();
    let input = Box::new(BufReader::new(Cursor::new(lines.join("\n") + "\n")));
    converse(input, Box::new(sink.clone()), ConversationSettings::default()).unwrap();
    let bytes = sink.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

fn game(rules: &str) -> Record {
    records(rules, 1, false).remove(0)
}

/// The lines that tell a game, with Blue's setup or without.
fn conversation(record: &Record, blue: &str) -> Vec<String> {
    let mut lines = vec![
        format!("rules {}", record.rules),
        format!("setup red {}", record.setups[Side::Red]),
        format!("setup blue {blue}"),
    ];
    lines.push(format!("play {}", record.moves.join(" ")));
    lines
}

fn thousandths(sum: f64, count: u64) -> u64 {
    (1000.0 * sum / count as f64).round() as u64
}

/// The lines about one army as they follow from the tool's sums.
fn expected(side: Side, army: &Scored) -> Vec<String> {
    let marks = |guess: Guess, phase: usize| Band::Phase(phase).marks(&army.guesses[guess as usize].cells);
    let line = |phase: usize| {
        let (belief, counts): (Marks, Marks) = (marks(Guess::Belief, phase), marks(Guess::Counts, phase));
        (belief.pieces > 0).then(|| {
            format!(
                "info string belief of {side} plies {} hidden {} millinats {} counts {} right {} brier {} \
                 flags {} millinats {} counts {} right {}",
                phase_name(phase),
                belief.pieces,
                thousandths(belief.nats, belief.pieces),
                thousandths(counts.nats, belief.pieces),
                belief.hits.round() as u64,
                thousandths(belief.brier, belief.pieces),
                belief.flags,
                thousandths(belief.flag_nats, belief.flags),
                thousandths(counts.flag_nats, belief.flags),
                belief.flag_hits.round() as u64,
            )
        })
    };
    (0..PHASES.len()).filter_map(line).collect()
}

/// The answers about phases of one side, without the number of looks.
fn answered(answers: &[String], side: Side) -> Vec<String> {
    let begin = format!("info string belief of {side} plies ");
    let about = answers.iter().filter(|line| line.starts_with(&begin));
    about
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let looks = words.iter().position(|&word| word == "looks").unwrap();
            [&words[..looks], &words[looks + 2..]].concat().join(" ")
        })
        .collect()
}

#[test]
fn a_game_is_scored_alike_by_the_engine_and_the_tool() {
    for rules in ["isf plies=260", "gravon silent=on plies=260"] {
        let record = game(rules);
        let armies = Scored::of(&record, &Plan::every(10)).unwrap();
        let mut lines = conversation(&record, &record.setups[Side::Blue]);
        lines.push("gameover draw".to_owned());
        let answers = answers(&lines);
        for (side, army) in armies.iter() {
            let expected = expected(side, army.as_ref().unwrap());
            assert!(expected.len() >= 4, "{expected:?}");
            assert_eq!(answered(&answers, side), expected, "{rules}");
        }
    }
}

/// Who plays and is shown the board at the end hears the same as who knew both armies.
#[test]
fn a_revealed_board_says_as_much_as_both_armies() {
    let record = game("isf plies=260");
    let mut study = conversation(&record, &record.setups[Side::Blue]);
    study.extend(["d".to_owned(), "gameover draw".to_owned()]);
    let study = answers(&study);
    let board = study.iter().find_map(|line| line.strip_prefix("spn ")).unwrap().split(' ').next().unwrap();
    let mut game = conversation(&record, "?");
    game.push(format!("gameover draw reveal {board}"));
    let game = answers(&game);
    let phases = answered(&game, Side::Blue);
    assert!(!phases.is_empty(), "{game:?}");
    assert_eq!(phases, answered(&study, Side::Blue));
    assert_eq!(answered(&game, Side::Red), Vec::<String>::new());
}
