//! What the engine behind says, as the host hears it.

use super::fault::Fault;
use super::say::FOR_EVER;
use super::state::State;
use std::io::{self, Stdout, Write};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How late a late answer is.
const LATE: Duration = Duration::from_millis(2500);

/// Takes the engine's lines and hands on what the fault makes of them.
pub(crate) struct Filter {
    host: Stdout,
    state: Arc<State>,
    begun: Vec<u8>,
}

impl Filter {
    pub(crate) fn new(host: Stdout, state: Arc<State>) -> Filter {
        Filter { host, state, begun: Vec::new() }
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        let word = line.split(' ').next().unwrap_or_default();
        if self.own(word, line) {
            return Ok(());
        }
        if self.state.shows(Fault::Closes) && self.state.lock().open > 0 {
            close(&mut self.host)?;
        }
        match word {
            "bestmove" => self.bestmove(line),
            "bestsetup" => {
                self.answered();
                let known = "bestsetup FB3B24845223286562B2B7B432SB53669M534772";
                self.put(if self.state.has(Fault::SameSetup) { known } else { line })
            }
            "protocol" if self.state.has(Fault::OtherProtocol) => self.put("protocol 2"),
            "option" if self.state.has(Fault::FixedSeed) && line.contains(" Seed ") => Ok(()),
            "error" if self.state.has(Fault::TakesAnyValue) && line.starts_with("error value") => Ok(()),
            "error" if self.state.has(Fault::WrongCode) => self.put(&line.replace("not-our-turn", "illegal")),
            "legal" if self.state.has(Fault::ShortLegal) => {
                self.put(line.rsplit_once(' ').map_or(line, |cut| cut.0))
            }
            "option" if self.state.has(Fault::BadOption) => self.put(&line.replace(" type ", " ")),
            "error" if self.state.has(Fault::TwoErrors) && line.contains("uci") => {
                self.put(line)?;
                self.put(line)
            }
            "belief" if self.state.has(Fault::BadShares) => self.put(&line.replace(" B ", " B 1")),
            _ => self.put(line),
        }
    }

    /// Whether this answers a question that the mock asked by itself.
    fn own(&self, word: &str, line: &str) -> bool {
        let mut inner = self.state.lock();
        let Some(&due) = inner.own.first() else { return false };
        if word != due && word != "error" {
            return false;
        }
        inner.own.remove(0);
        if due == "legal" {
            inner.legal = line.split(' ').skip(1).map(str::to_owned).collect();
        }
        true
    }

    fn bestmove(&mut self, line: &str) -> io::Result<()> {
        let state = Arc::clone(&self.state);
        let timed = state.lock().timed;
        if state.shows(Fault::NoBestmove) {
            return Ok(());
        }
        if state.shows(Fault::Late) && timed {
            sleep(LATE);
        }
        let none = line == "bestmove none";
        if none {
            self.put(line)?;
        } else {
            self.put(&self.chosen(line))?;
        }
        if state.shows(Fault::TwoBestmoves) {
            self.put(line)?;
        }
        self.answered();
        Ok(())
    }

    /// The choice, as the fault has it.
    fn chosen(&self, line: &str) -> String {
        let state = &self.state;
        let inner = state.lock();
        let (legal, secret) = (inner.legal.clone(), inner.secret);
        drop(inner);
        let pick = |number: u64| match legal.len() as u64 {
            0 => line.to_owned(),
            count => format!("bestmove {}", legal[(number % count) as usize]),
        };
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
        if state.shows(Fault::Illegal) {
            let text = legal.first().map_or("a1a2", String::as_str).replace('x', "");
            let (from, to) = text.split_at(text.len() / 2);
            return format!("bestmove {to}{from}");
        }
        if state.shows(Fault::Unreadable) {
            return "bestmove pass".to_owned();
        }
        if state.shows(Fault::Resigns) {
            return "bestmove resign".to_owned();
        }
        if state.shows(Fault::LeavesXOut) {
            return line.replace('x', "");
        }
        if state.shows(Fault::NotDeterministic) {
            return pick(u64::from(clock() / 1000));
        }
        if secret != 0 && (state.shows(Fault::Peeks) || state.shows(Fault::Remembers)) {
            return pick(secret);
        }
        line.to_owned()
    }

    fn answered(&self) {
        let mut inner = self.state.lock();
        inner.open = inner.open.saturating_sub(1);
        inner.infinite = false;
        drop(inner);
        self.state.tell();
    }

    fn put(&mut self, line: &str) -> io::Result<()> {
        let end = if self.state.has(Fault::Crlf) {
            "\r\n"
        } else if self.state.has(Fault::TrailingBlanks) {
            "  \n"
        } else {
            "\n"
        };
        write!(self.host, "{line}{end}")?;
        self.host.flush()
    }
}

/// Closes the output and lives on.
fn close(host: &mut Stdout) -> io::Result<()> {
    host.flush()?;
    #[cfg(unix)]
    rustix::stdio::dup2_stdout(std::fs::File::open("/dev/null")?)?;
    sleep(FOR_EVER);
    Ok(())
}

impl Write for Filter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        while let Some(end) = self.begun.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.begun.drain(..=end).collect();
            self.line(String::from_utf8_lossy(&line).trim_end_matches('\n'))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.host.flush()
    }
}
