//! Whole games: everything that is printed before the end follows from what the person was shown.

use outflank::engine::{Engine, Settings};
use outflank::event::Event;
use outflank::protocol::{Style, for_people};
use outflank::rng::Rng;
use outflank::rules::{Rank, Side};
use outflank::search::{Budget, Level};
use outflank_play::input::Input;
use outflank_play::sentence::sentence;
use outflank_play::session::{FirstSetup, Options, Session};
use outflank_record::{Record, open, parse_rules, verify};
use outflank_referee::Referee;
use std::path::PathBuf;

/// Plays any legal move, looks at a map now and then, and saves the game when it is over.
struct Anybody {
    rng: Rng,
    file: PathBuf,
    turns: u32,
    looked: bool,
    saved: bool,
}

/// A map is looked at before each of these turns.
const LOOKS: u32 = 5;

impl Input for Anybody {
    fn line(&mut self, prompt: &str, words: Vec<String>) -> anyhow::Result<Option<String>> {
        if prompt == "[no] " {
            let saved = std::mem::replace(&mut self.saved, true);
            return Ok(Some(if saved { "no".to_owned() } else { format!("save {}", self.file.display()) }));
        }
        if self.turns.is_multiple_of(LOOKS) && !self.looked {
            self.looked = true;
            return Ok(Some("map general".to_owned()));
        }
        (self.turns, self.looked) = (self.turns + 1, false);
        let moves: Vec<String> =
            words.into_iter().filter(|word| word.ends_with(|c: char| c.is_ascii_digit())).collect();
        Ok(Some(moves[self.rng.below(moves.len())].clone()))
    }
}

/// A game to its end; what was printed, and its record.
fn played(side: Side, seed: u64) -> (String, Record) {
    let file = std::env::temp_dir().join(format!("outflank-play-{}-{side}-{seed}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let options = Options {
        rules: Some(parse_rules("isf barrage=on plies=300").unwrap()),
        side: Some(side),
        level: Level::new(1),
        setup: Some(FirstSetup::Auto),
        budget: Budget { nodes: Some(30), ..Budget::default() },
        seed,
        load: None,
    };
    let mut input =
        Anybody { rng: Rng::new(seed), file: file.clone(), turns: 0, looked: false, saved: false };
    let mut output = Vec::new();
    Session::new(&mut input, &mut output, Style::default(), options).run().unwrap();
    let record = open(&file).unwrap().next().unwrap().unwrap();
    std::fs::remove_file(&file).unwrap();
    (String::from_utf8(output).unwrap(), record)
}

/// What should have been printed before the end, by the events of the person alone.
fn expected(record: &Record, person: Side) -> String {
    let (rules, setups) = (record.ruleset().unwrap(), record.armies().unwrap());
    let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
    let mut adviser = Engine::new(person, rules, Settings::default());
    for events in referee.opening() {
        adviser.observe(&events[person]).unwrap();
    }
    let mut lines = Vec::new();
    let mut turns = 0;
    let mut turn = |referee: &Referee, adviser: &Engine, lines: &mut Vec<String>| {
        if referee.to_move() == person && referee.ending().is_none() {
            let who = format!("you play {person} against level 1");
            lines.extend(for_people::board(adviser, "your move", &who, Style::default()));
            if u32::is_multiple_of(turns, LOOKS) {
                lines.extend(for_people::heat_map(adviser, Rank::General, Style::default()));
            }
            turns += 1;
        }
    };
    turn(&referee, &adviser, &mut lines);
    for action in record.actions().unwrap().into_iter().map(|played| played.action) {
        let mover = referee.to_move();
        let event = referee.play(action).unwrap()[person];
        adviser.observe(&event).unwrap();
        let Event::Played(seen) = event else { panic!("{event:?}") };
        lines.push(sentence(&seen, mover, person));
        turn(&referee, &adviser, &mut lines);
    }
    lines.join("\n") + "\n"
}

#[test]
fn before_the_end_nothing_is_said_that_the_person_was_not_shown() {
    for (seed, side) in [(1, Side::Red), (2, Side::Blue), (3, Side::Red), (4, Side::Blue)] {
        let (output, record) = played(side, seed);
        verify(&record).unwrap();
        let expected = expected(&record, side);
        let (welcome, rest) = output.split_once('\n').unwrap();
        assert!(welcome.starts_with("Stratego against Outflank."));
        let after = rest
            .strip_prefix(&expected)
            .unwrap_or_else(|| panic!("{side} {seed}:\n{rest}\n--- not\n{expected}"));
        // Only now the truth: nothing but the legend has a question mark.
        assert!(after.contains("the end, with every rank") && !expected.contains("every rank"));
        let (board, _) = after
            .split_once("You win")
            .or(after.split_once("The engine"))
            .or(after.split_once("A draw"))
            .unwrap();
        assert!(!board.replace("[?] theirs     <?> has moved", "").contains('?'), "{board}");
        let winner = match record.outcome.side().unwrap() {
            None => "A draw: ",
            Some(winner) if winner == side => "You win: ",
            Some(_) => "The engine wins: ",
        };
        assert!(after.contains(winner), "{after}");
        assert_eq!(record.players[side].player, "human");
        assert!(record.plies > 10);
    }
}
