//! Searches that break, hosts that flood, do not read, or go away.

use crate::host::inside::{Sink, answers_with, settings};
use crate::host::{PROGRAM, RED};
use outflank::protocol::converse;
use outflank::search::{Choice, Info, SearchTask};
use std::io::{self, BufReader, Cursor, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn broken(_: &SearchTask<'_>, _: &mut dyn FnMut(&Info)) -> Choice {
    panic!("on purpose");
}

/// A search that breaks still yields a legal action, and the conversation goes on.
#[test]
fn a_broken_search_is_answered_by_a_legal_action() {
    let script =
        format!("setup red {RED}\nlegal\ngo nodes 1\nwait\ngo nodes 1 searchmoves b4b5\nwait\nhistory\n");
    let answers = answers_with(script.into_bytes(), broken);
    let best: Vec<&str> = answers.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert!(answers[0].split(' ').any(|text| text == best[0]), "{answers:?}");
    assert_eq!(best[1], "b4b5");
    assert_eq!(answers.iter().filter(|line| line.starts_with("error internal ")).count(), 2);
    assert_eq!(answers.last().map(String::as_str), Some("history"));
}

fn hopeless(task: &SearchTask<'_>, _: &mut dyn FnMut(&Info)) -> Choice {
    let score = Some(outflank::search::Score { win: 1, draw: 2, loss: 997 });
    Choice { score, nodes: 1, ..Choice::unsearched(task.view.position().actions().first().copied()) }
}

/// Resigning takes the option and a run of hopeless searches in different positions.
#[test]
fn we_resign_only_when_allowed_and_after_a_while() {
    let play = "go\nwait\nundo 0\nplay a4a5 b7b6\ngo\nwait\nplay a5a4 b6b7\ngo\nwait\ngo\nwait\n";
    let script = |option: &str| format!("{option}setup red {RED}\n{play}").into_bytes();
    assert_eq!(count_resigned(&answers_with(script(""), hopeless)), 0);
    let allowed = answers_with(script("setoption name Resign value true\n"), hopeless);
    assert!(count_resigned(&allowed) <= 2, "{allowed:?}");
    let straight = script("setoption name Resign value true\n");
    let straight = String::from_utf8(straight).unwrap().replace("undo 0\n", "");
    let answers = answers_with(straight.into_bytes(), hopeless);
    let best: Vec<bool> = answers
        .iter()
        .filter(|line| line.starts_with("bestmove"))
        .map(|line| line.ends_with("resign"))
        .collect();
    assert_eq!(best, [false, false, true, true]);
}

fn count_resigned(lines: &[String]) -> usize {
    lines.iter().filter(|line| *line == "bestmove resign").count()
}

/// A search that only a stop ends.
fn patient(task: &SearchTask<'_>, report: &mut dyn FnMut(&Info)) -> Choice {
    let mut nodes = 0;
    while !task.conditions.control.is_stopped() {
        nodes += 1;
        let score = outflank::search::Score { win: 0, draw: 1000, loss: 0 };
        let time = task.conditions.control.elapsed();
        report(&Info { depth: 1, line: 1, time, nodes, score, worlds: None, line_of_play: Vec::new() });
    }
    Choice { nodes, ..Choice::unsearched(None) }
}

/// Gives bytes for ever, and notes how many were taken.
struct Flood {
    start: Vec<u8>,
    given: Arc<Mutex<usize>>,
}

impl Read for Flood {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.start.is_empty() {
            let count = self.start.len().min(buffer.len());
            buffer[..count].copy_from_slice(&self.start[..count]);
            self.start.drain(..count);
            return Ok(count);
        }
        let mut given = self.given.lock().unwrap();
        *given += buffer.len();
        for (index, byte) in buffer.iter_mut().enumerate() {
            *byte = if index % 100 == 99 { b'\n' } else { b'#' };
        }
        if *given > 64 << 20 { Ok(0) } else { Ok(buffer.len()) }
    }
}

/// A host that floods the engine behind `wait` is made to wait; an infinite search then ends by itself.
#[test]
fn a_flood_behind_wait_is_bounded_and_ends_the_search() {
    let given = Arc::new(Mutex::new(0));
    let start = format!("setup red {RED}\ngo infinite\nwait\n").into_bytes();
    let sink = Sink::default();
    let input = BufReader::new(Flood { start, given });
    converse(Box::new(input), Box::new(sink.clone()), settings(patient)).unwrap();
    let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("bestmove ")).count(), 1);
}

/// A reader that takes nothing until it is allowed to.
struct Stuck {
    open: Arc<Mutex<bool>>,
    sink: Sink,
}

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        while !*self.open.lock().unwrap() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Input of which one can see how far it was read.
struct Counted {
    input: Cursor<Vec<u8>>,
    at: Arc<Mutex<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        *self.at.lock().unwrap() = self.input.position();
        Ok(count)
    }
}

/// Lines are read while nobody reads the answers, and in the end every one is answered.
#[test]
fn the_reader_does_not_wait_for_the_writer() {
    let open = Arc::new(Mutex::new(false));
    let at = Arc::new(Mutex::new(0));
    let sink = Sink::default();
    let script = "isready\nhelp\n".repeat(5_000).into_bytes();
    let length = script.len() as u64;
    let output = Stuck { open: Arc::clone(&open), sink: sink.clone() };
    let input = BufReader::new(Counted { input: Cursor::new(script), at: Arc::clone(&at) });
    let talk = std::thread::spawn(move || {
        converse(Box::new(input), Box::new(output), settings(outflank::search::search))
    });
    while *at.lock().unwrap() < length {
        std::thread::sleep(Duration::from_millis(1));
    }
    *open.lock().unwrap() = true;
    talk.join().unwrap().unwrap();
    let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().filter(|line| *line == "readyok").count(), 5_000);
}

/// Fails at the first write, as a closed pipe does.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

/// Input that never ends and never says anything more.
struct Silent(Cursor<Vec<u8>>);

impl Read for Silent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => loop {
                std::thread::park();
            },
            count => Ok(count),
        }
    }
}

#[test]
fn a_closed_output_ends_the_conversation_quietly() {
    for script in ["sei\n".to_owned(), format!("setup red {RED}\ngo infinite\n")] {
        let input = BufReader::new(Silent(Cursor::new(script.into_bytes())));
        converse(Box::new(input), Box::new(Closed), settings(patient)).unwrap();
    }
}

#[test]
fn a_host_that_goes_away_ends_the_process_without_failure() {
    let mut child = std::process::Command::new(&*PROGRAM)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(b"sei\nhelp\n");
    assert!(child.wait().unwrap().success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
    drop(input);
}
