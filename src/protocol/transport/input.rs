//! Reading lines without ever holding more than a bound.

use crate::protocol::grammar::error::ReadError;
use crate::protocol::grammar::parse::{self, Misread};
use std::io::{self, BufRead};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Longest line in bytes, without its LF.
pub const LINE_LIMIT: usize = 1 << 20;
/// Room for lines that are read and not yet dealt with, in bytes.
pub const HELD_BYTES: usize = 8 << 20;

/// What the reader has to say.
#[derive(Debug)]
pub(crate) enum Input {
    /// The host said something.
    Line(Line),
    /// No room for more lines.
    Full,
    /// The host will say no more.
    End,
}

/// A line as it came in.
#[derive(Debug)]
pub(crate) struct Line {
    /// The line's text without the LF. A line that is no text still has its first word, as a host waits for what that asks.
    pub text: Result<String, Misread>,
    /// When it was read.
    pub at: Instant,
    /// Its share of the room for lines; given back when the line is dropped.
    pub room: Room,
}

/// Counts the bytes of lines that are read and not yet dealt with.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    held: Mutex<usize>,
    freed: Condvar,
}

/// Bytes held of a [`Gate`].
#[derive(Debug)]
pub(crate) struct Room {
    gate: Arc<Gate>,
    bytes: usize,
}

/// What a line costs beside its text.
const LINE_COST: usize = 128;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gate {
    /// Takes room for a line of `length` bytes; calls `full` once if it has to wait for it.
    pub(crate) fn enter(self: &Arc<Gate>, length: usize, full: impl FnOnce()) -> Room {
        let bytes = length + LINE_COST;
        let mut held = lock(&self.held);
        if *held > 0 && *held + bytes > HELD_BYTES {
            drop(held);
            full();
            held = lock(&self.held);
            while *held > 0 && *held + bytes > HELD_BYTES {
                held = self.freed.wait(held).unwrap_or_else(PoisonError::into_inner);
            }
        }
        *held += bytes;
        Room { gate: Arc::clone(self), bytes }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        *lock(&self.gate.held) -= self.bytes;
        self.gate.freed.notify_all();
    }
}

/// Reads to the end of the input, or until nobody takes what was read.
pub(crate) fn read_all(mut input: Box<dyn BufRead + Send>, send: &dyn Fn(Input) -> bool) {
    let gate = Arc::new(Gate::default());
    loop {
        let text = match read_line(&mut *input) {
            Ok(Some(text)) => text,
            Ok(None) => break,
            Err(error) => {
                log::error!("reading: {error}");
                break;
            }
        };
        let at = Instant::now();
        let length = text.as_ref().map_or(0, String::len);
        let room = gate.enter(length, || {
            send(Input::Full);
        });
        if !send(Input::Line(Line { text, at, room })) {
            return;
        }
    }
    send(Input::End);
}

/// Reads up to the next LF; `None` at the end of input. A line over the limit is skipped to its LF, but for the
/// beginning that has its first word.
pub(crate) fn read_line(input: &mut dyn BufRead) -> io::Result<Option<Result<String, Misread>>> {
    let (mut line, mut length, mut ended) = (Vec::new(), 0usize, false);
    while !ended {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            if length == 0 {
                return Ok(None);
            }
            break;
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let text = &chunk[..end.unwrap_or(chunk.len())];
        length += text.len();
        line.extend_from_slice(&text[..text.len().min(LINE_LIMIT - line.len())]);
        ended = end.is_some();
        let used = text.len() + usize::from(ended);
        input.consume(used);
    }
    if length > LINE_LIMIT {
        return Ok(Some(Err(misread(&line, ReadError::TooLong))));
    }
    Ok(Some(String::from_utf8(line).map_err(|error| misread(error.as_bytes(), ReadError::Encoding))))
}

/// What is left of a line that cannot be read: its first word, if that is a command.
fn misread(line: &[u8], error: ReadError) -> Misread {
    Misread { keyword: parse::keyword(&String::from_utf8_lossy(line)), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::grammar::keyword::Keyword;
    use std::io::BufReader;

    fn lines_of(bytes: &[u8]) -> Vec<Result<String, Misread>> {
        let mut input = BufReader::with_capacity(7, bytes);
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_at_lf_and_at_the_end_of_input() {
        let read = lines_of(b"sei\n\nisready\r\nquit");
        assert_eq!(read, ["sei", "", "isready\r", "quit"].map(|text| Ok(text.to_owned())));
    }

    #[test]
    fn long_and_undecodable_lines_cost_one_error_each() {
        let mut bytes = vec![b'a'; LINE_LIMIT];
        bytes.extend_from_slice(b"\n");
        bytes.extend(vec![b'b'; LINE_LIMIT + 1]);
        bytes.extend_from_slice(b"\n\xff\xfe\nsei\n");
        let read = lines_of(&bytes);
        assert_eq!(read[0].as_ref().map(String::len), Ok(LINE_LIMIT));
        let unread = |error| Err(Misread { keyword: None, error });
        assert_eq!(
            read[1..],
            [unread(ReadError::TooLong), unread(ReadError::Encoding), Ok("sei".to_owned())]
        );
    }

    #[test]
    fn the_first_word_of_an_unreadable_line_is_known() {
        let long = |start: &str| format!("{start}{}\n", "x".repeat(LINE_LIMIT)).into_bytes();
        let lines = [
            b"\xef\xbb\xbf go\t\xff\n".to_vec(),
            b"play a4a5 \xff\n".to_vec(),
            long("position "),
            long("go"),
        ];
        let words = lines.map(|line| lines_of(&line).pop().unwrap().unwrap_err().keyword);
        assert_eq!(words, [Some(Keyword::Go), Some(Keyword::Play), Some(Keyword::Position), None]);
    }

    #[test]
    fn room_is_given_back() {
        let gate = Arc::new(Gate::default());
        let mut waited = false;
        let first = gate.enter(HELD_BYTES, || ());
        let other = Arc::clone(&gate);
        let thread = std::thread::spawn(move || drop(other.enter(1, || waited = true)));
        drop(first);
        thread.join().unwrap();
        assert_eq!(*lock(&gate.held), 0);
    }
}
