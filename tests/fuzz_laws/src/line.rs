//! Lines of SEI: whatever is said, the conversation goes on, and a line that is refused leaves the game as it was.

use outflank::engine::Searcher;
use outflank::protocol::{ConversationSettings, converse};
use outflank::search::{Choice, SearchTask};
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

/// A game under way, reported before the line.
const BEFORE: &str = "newgame red rules isf\n\
                      setup red B3FB3262452B3B6B5S7325B48269474M62225873\n\
                      setup blue ?\n\
                      play e4xe7=L25 e7e6 a4a5 a7a6\n\
                      undo\n\
                      status\n\
                      history\n";
/// Asked after it.
const AFTER: &str = "\nwait\nstatus\nhistory\nisready\n";
/// Words of lines that take long or end the conversation: others say what is to be said of them.
const LEFT_OUT: [&[u8]; 3] = [b"perft", b"bench", b"quit"];

/// The bytes are the line, up to its end.
///
/// # Panics
/// If nobody answers any more, or a line that is refused changes the game.
pub fn hold(bytes: &[u8]) {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let lower = line.to_ascii_lowercase();
    if LEFT_OUT.iter().any(|word| lower.windows(word.len()).any(|part| part == *word)) {
        return;
    }
    let answers = answers([BEFORE.as_bytes(), line, AFTER.as_bytes()].concat());
    assert!(answers.iter().filter(|answer| *answer == "readyok").count() >= 1, "{answers:?}");
    let reported = |answer: &&String| ["status ", "history "].iter().any(|word| answer.starts_with(word));
    // That the host and the engine may disagree now is what a refusal says.
    let states: Vec<String> =
        answers.iter().filter(reported).map(|answer| answer.replace(" desync on ", " desync off ")).collect();
    let refused = answers.iter().filter(|answer| answer.starts_with("error ")).count();
    if refused > 0 && states.len() == 4 {
        assert_eq!(states[..2], states[2..], "{}", String::from_utf8_lossy(line));
    }
}

/// What is answered to all of this.
fn answers(input: Vec<u8>) -> Vec<String> {
    let sink = Sink::default();
    let settings = ConversationSettings { searcher: FIRST, ..ConversationSettings::default() };
    converse(Box::new(Cursor::new(input)), Box::new(sink.clone()), settings).expect("memory takes all");
    let bytes = sink.0.lock().expect("nobody else writes").clone();
    let text = String::from_utf8(bytes).expect("answers are text");
    assert!(text.is_ascii(), "{text}");
    text.lines().map(str::to_owned).collect()
}

/// Takes the first action at once.
const FIRST: Searcher =
    |task: &SearchTask<'_>, _| Choice::unsearched(task.view.position().actions().first().copied());

/// Everything that was answered.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody else writes").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
