//! Another player behind the protocol.

use crate::host::RED;
use crate::host::inside::Sink;
use outflank::protocol::{ConversationSettings, StandIn, converse};
use outflank::rules::Setup;
use std::io::{self, BufReader, Cursor, Read};
use std::thread::sleep;
use std::time::Duration;

/// Takes the last action that it may, and always the same setup but for its mirror image.
const LAST: StandIn = StandIn {
    name: "last",
    action: |view, only, _| {
        let actions = if only.is_empty() { view.position().actions() } else { only.to_vec() };
        actions.last().copied()
    },
    setup: |_, previous, _| {
        let setup: Setup = RED.parse().expect("a setup");
        if previous == Some(&setup) { setup.mirrored() } else { setup }
    },
};

/// The end of the input, a while later.
struct Late;

impl Read for Late {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        sleep(Duration::from_millis(200));
        Ok(0)
    }
}

fn answers(input: &str) -> Vec<String> {
    let sink = Sink::default();
    let input = Box::new(BufReader::new(Cursor::new(input.as_bytes().to_vec()).chain(Late)));
    let settings = ConversationSettings { stand_in: Some(LAST), ..ConversationSettings::default() };
    converse(input, Box::new(sink.clone()), settings).unwrap();
    let bytes = sink.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_stand_in_names_itself_and_offers_a_seed_alone() {
    let answers = answers("sei\n");
    assert_eq!(answers[0], "id name last");
    let options: Vec<&String> = answers.iter().filter(|line| line.starts_with("option")).collect();
    assert_eq!(options, ["option name Seed type string default random"]);
}

#[test]
fn a_stand_in_chooses_actions_and_setups() {
    let mirrored = RED.parse::<Setup>().unwrap().mirrored();
    let input =
        format!("go setup\ngo setup\nsetup red {RED}\nlegal\ngo nodes 9999999\ngo searchmoves a4a5\n");
    let answers = answers(&input);
    assert_eq!(answers[..2], [format!("bestsetup {RED}"), format!("bestsetup {mirrored}")]);
    let last = answers[2].split(' ').next_back().unwrap();
    assert_eq!(answers[3..], [format!("bestmove {last}"), "bestmove a4a5".to_owned()]);
}

#[test]
fn what_is_held_behind_an_answer_that_is_ready_is_answered_at_the_end_of_input() {
    let answers = answers(&format!("setup red {RED}\ngo infinite\nwait\nhistory\n"));
    assert!(answers[0].starts_with("bestmove "), "{answers:?}");
    assert_eq!(answers[1..], ["history"]);
}
