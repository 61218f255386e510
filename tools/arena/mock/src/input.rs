//! What the host says, as the engine behind hears it.

use super::fault::Fault;
use super::say::{FOR_EVER, say};
use super::state::State;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read, Stdin};
use std::process::exit;
use std::sync::Arc;
use std::thread::sleep;

/// Commands that the engine behind knows.
const COMMANDS: [&str; 27] = [
    "",
    "#",
    "sei",
    "isready",
    "setoption",
    "rules",
    "newgame",
    "setup",
    "position",
    "play",
    "undo",
    "history",
    "status",
    "go",
    "stop",
    "wait",
    "quit",
    "gameover",
    "belief",
    "legal",
    "d",
    "eval",
    "why",
    "perft",
    "bench",
    "help",
    "\u{feff}history",
];
const LONG: usize = 1 << 20;

/// Reads the host's lines and hands on what the fault leaves of them.
pub(crate) struct Filter {
    host: BufReader<Stdin>,
    state: Arc<State>,
    ready: Vec<u8>,
}

impl Filter {
    pub(crate) fn new(host: Stdin, state: Arc<State>) -> Filter {
        Filter { host: BufReader::new(host), state, ready: Vec::new() }
    }

    /// The next line as the engine is to hear it; nothing at the end.
    fn next(&mut self) -> io::Result<Vec<u8>> {
        loop {
            let mut line = Vec::new();
            if self.host.read_until(b'\n', &mut line)? == 0 {
                return Ok(line);
            }
            let heard = self.spoil(line);
            if !heard.is_empty() {
                return Ok(heard);
            }
        }
    }

    fn spoil(&mut self, line: Vec<u8>) -> Vec<u8> {
        let text = String::from_utf8_lossy(&line).into_owned();
        let text = text.trim_matches([' ', '\t', '\r', '\n']);
        let word = text.split([' ', '\t', '#', '\r']).next().unwrap_or_default();
        let known = COMMANDS.contains(&word);
        let shows = |fault| self.state.shows(fault);
        let has = |fault| self.state.has(fault);
        match word {
            "go" if line.len() <= LONG + 1 => return self.go(text, line),
            "stop" if shows(Fault::IgnoresStop) && self.state.lock().open > 0 => return Vec::new(),
            "wait" if has(Fault::IgnoresWait) => return Vec::new(),
            "isready" if has(Fault::Unfenced) => return [line.as_slice(), b"isready\n"].concat(),
            "isready" if shows(Fault::IgnoresIsready) && self.state.lock().infinite => {
                self.state.wait_until_idle();
            }
            "rules" if has(Fault::ForgetsRules) => return b"rules\n".to_vec(),
            "play" | "undo" | "rules" if has(Fault::AnswersFirst) && self.state.lock().open > 0 => {
                say("undo 0 ply 0 turn red");
            }
            "setup" | "position" => {
                self.peek(text);
                if let (true, Some((spn, _))) = (has(Fault::ForgetsMoves), text.split_once(" moves ")) {
                    return format!("{spn}\n").into_bytes();
                }
            }
            "undo" if has(Fault::WrongUndo) && text == "undo 3" => return b"undo\n".to_vec(),
            "uci" if has(Fault::ForgetsGame) => return b"newgame\nuci\n".to_vec(),
            "quit" if has(Fault::QuitsAtOnce) && self.state.lock().open > 0 => exit(0),
            "gameover" if has(Fault::Remembers) => self.state.lock().secret = number(text),
            _ => {}
        }
        if has(Fault::DiesOnGarbage) && !known && text.len() > 20 {
            exit(101);
        }
        if has(Fault::SilentOnGarbage) && word == "uci" {
            return Vec::new();
        }
        if has(Fault::DiesOnLongLine) && line.len() > LONG + 1 {
            exit(101);
        }
        if has(Fault::NeedsLf) && line.ends_with(b"\r\n") {
            return b"no-such-command\n".to_vec();
        }
        line
    }

    fn go(&mut self, text: &str, line: Vec<u8>) -> Vec<u8> {
        {
            let mut inner = self.state.lock();
            inner.gos += 1;
            inner.open += 1;
            inner.timed = text.contains("time");
            inner.infinite = text == "go infinite";
        }
        if self.state.shows(Fault::Crash) {
            eprintln!("mock: a deliberate crash");
            exit(101);
        }
        if self.state.shows(Fault::Hang) {
            sleep(FOR_EVER);
        }
        let mut heard = Vec::new();
        if self.state.has(Fault::ForgetsDesync) {
            self.state.lock().own.push("undo");
            heard.extend_from_slice(b"undo 0\n");
        }
        let chooses = [Fault::Illegal, Fault::Peeks, Fault::Remembers, Fault::NotDeterministic];
        self.state.lock().legal.clear();
        if !text.contains("searchmoves") && chooses.into_iter().any(|fault| self.state.has(fault)) {
            self.state.lock().own.push("legal");
            heard.extend_from_slice(b"legal\n");
        }
        heard.extend(line);
        heard
    }

    /// Keeps what a study tells: the ranks of the last army but `?`, or of a position for both.
    fn peek(&self, text: &str) {
        let setup = text.split(' ').next_back().unwrap_or_default();
        if self.state.has(Fault::Peeks) && (text.starts_with("position") || !setup.contains('?')) {
            let mut inner = self.state.lock();
            inner.secret = inner.secret.rotate_left(1) ^ number(text);
        }
    }
}

/// A number made of a text.
fn number(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

impl Read for Filter {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() {
            self.ready = self.next()?;
        }
        let count = self.ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.ready[..count]);
        self.ready.drain(..count);
        Ok(count)
    }
}
