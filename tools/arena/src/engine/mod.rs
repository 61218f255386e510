//! An engine as a process: lines out, lines in with deadlines, and a sure end.
//!
//! Three threads serve a process, so that nothing it does or leaves undone can hold the arena up: one reads its
//! answers, one writes to it, one keeps the end of what it says on stderr. All queues between them are bounded: an
//! engine that says too much waits, as does one that nobody reads.

mod fault;
mod group;
mod lines;
mod pulse;
mod tail;
mod wait;

pub use fault::{Fault, Flaw};
pub use group::{end_all, ending, stopped};
pub use lines::{LINE_LIMIT, Said};
pub use pulse::stood_still;
pub use wait::Wait;

use group::Group;
use lines::Line;
use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tail::Tail;

/// Batches of lines read ahead of whoever waits for them. A batch is what one buffer holds and one line more: with
/// [`LINE_LIMIT`] this bounds the memory one engine can take.
const READ_AHEAD: usize = 16;
/// Lines that wait to be written.
const WRITE_AHEAD: usize = 256;
/// Files that stay open as long as an engine runs: its three pipes, and the one of its group.
pub const FILES: u64 = 4;
/// More files than a start takes for a moment, as only one engine is started at a time.
pub const FILES_OF_A_START: u64 = 16;
/// How long an engine may take to end when asked to.
pub(crate) const FAREWELL: Duration = Duration::from_millis(500);
/// How long a process that has closed its output may take to end before that counts as a closed pipe, not an end.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A running engine. Dropping it ends it and all it started, at once; so does the end of this process, whatever it
/// ends by.
#[derive(Debug)]
pub struct Engine {
    child: Child,
    group: Group,
    input: Option<SyncSender<Vec<u8>>>,
    output: Receiver<Vec<Line>>,
    /// Lines that came with those heard already.
    unheard: VecDeque<Line>,
    errors: Tail,
    ended: Option<ExitStatus>,
}

impl Engine {
    /// Starts a program with its arguments, in a process group of its own.
    ///
    /// # Errors
    /// [`Flaw::Unstartable`] if the system cannot run it, [`Flaw::Host`] if it could run no program now.
    pub fn start(program: &str, arguments: &[String]) -> Result<Engine, Fault> {
        let mut command = Command::new(program);
        command.args(arguments);
        Engine::run(command)
    }

    /// Starts what a command says, as [`Engine::start`] does.
    ///
    /// # Errors
    /// Those of [`Engine::start`].
    pub fn run(mut command: Command) -> Result<Engine, Fault> {
        let program = command.get_program().to_string_lossy().into_owned();
        let (child, group) = Engine::spawn(&mut command, &program)?;
        let (sender, output) = sync_channel(READ_AHEAD);
        let (unheard, errors) = (VecDeque::new(), Tail::default());
        let mut engine = Engine { child, group, input: None, output, unheard, errors, ended: None };
        engine.serve(sender).map_err(|error| Fault::of_host(&format!("{program}: its threads"), &error))?;
        Ok(engine)
    }

    fn spawn(command: &mut Command, program: &str) -> Result<(Child, Group), Fault> {
        // One at a time: a start has more files open than a running engine.
        static STARTING: Mutex<()> = Mutex::new(());
        let _alone = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let group =
            Group::start().map_err(|error| Fault::of_host(&format!("{program}: its guard"), &error))?;
        group.take_in(command);
        let child = command.spawn().map_err(|error| Fault::of_start(program, &error))?;
        Ok((child, group))
    }

    /// Starts the threads.
    fn serve(&mut self, sender: SyncSender<Vec<Line>>) -> io::Result<()> {
        if let Some(stdout) = self.child.stdout.take() {
            thread::Builder::new().spawn(move || lines::forward(BufReader::new(stdout), &sender))?;
        }
        if let Some(stderr) = self.child.stderr.take() {
            self.errors = Tail::of(stderr)?;
        }
        self.input = self.child.stdin.take().map(write_lines).transpose()?;
        Ok(())
    }

    /// Says a line, without its end. Never blocks; what cannot be written shows when the answer is waited for.
    ///
    /// # Errors
    /// [`Flaw::Closed`] or [`Flaw::Crashed`] if it no longer listens, [`Flaw::Hung`] if it has not read for so long
    /// that lines pile up.
    pub fn say(&mut self, line: &str) -> Result<(), Fault> {
        self.say_bytes(format!("{line}\n").into_bytes())
    }

    /// Says bytes as they are: no line end is added.
    ///
    /// # Errors
    /// As [`Engine::say`].
    pub fn say_bytes(&mut self, bytes: Vec<u8>) -> Result<(), Fault> {
        let Some(input) = &self.input else { return Err(self.gone("its input is closed")) };
        match input.try_send(bytes) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Fault::new(Flaw::Hung, "it does not read what it is told")),
            Err(TrySendError::Disconnected(_)) => Err(self.gone("it closed its input")),
        }
    }

    /// The next line that is said before `deadline`; `None` if none is.
    ///
    /// # Errors
    /// [`Flaw::Crashed`] if the process ended, [`Flaw::Closed`] if only its output did, [`Flaw::Flooded`] for a line
    /// without an end.
    pub fn hear(&mut self, deadline: Instant) -> Result<Option<Said>, Fault> {
        while self.unheard.is_empty() {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(lines) => self.unheard.extend(lines),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone("it closed its output")),
            }
        }
        match self.unheard.pop_front() {
            Some(Line::Said(said)) => Ok(Some(said)),
            Some(Line::TooLong) => Err(Fault::new(Flaw::Flooded, format!("a line over {LINE_LIMIT} bytes"))),
            None => Ok(None),
        }
    }

    /// A line that has been said already, if any.
    ///
    /// # Errors
    /// As [`Engine::hear`].
    pub fn heard(&mut self) -> Result<Option<Said>, Fault> {
        self.hear(Instant::now())
    }

    /// The last of what it said on stderr.
    pub fn last_errors(&self) -> String {
        self.errors.text()
    }

    /// Closes its input, once what was said has been written. What it still says can be heard.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// How it ended, if it does so before `deadline`. What it says is not read meanwhile.
    pub fn ended(&mut self, deadline: Instant) -> Option<ExitStatus> {
        self.wait(deadline)
    }

    /// Closes its input and waits for its end for so long; then ends it. True if it ended by itself.
    pub fn close(&mut self, patience: Duration) -> bool {
        self.input = None;
        let deadline = Instant::now() + patience;
        // Whoever still speaks must not be stopped by a full queue.
        while let Ok(Some(_)) = self.hear(deadline) {}
        self.wait(deadline).is_some()
    }

    /// Why nothing can be said or heard any more: the process has ended, or only this pipe.
    fn gone(&mut self, otherwise: &str) -> Fault {
        let deadline = Instant::now() + LAST_WORDS;
        match self.wait(deadline) {
            // What it said last may still be on its way.
            Some(status) => {
                Fault::new(Flaw::Crashed, status.to_string()).with_errors(&self.errors.last(deadline))
            }
            None => Fault::new(Flaw::Closed, otherwise).with_errors(&self.last_errors()),
        }
    }

    fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        while self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
            if self.ended.is_some() || Instant::now() >= deadline {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.ended
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.group.end();
        let _ = self.child.kill();
        // The process is dead or dying: this reaps it. An error means that there is nothing to reap.
        let _ = self.child.wait();
    }
}

/// Writes lines as they come, until the engine or whoever speaks is gone.
fn write_lines(mut input: ChildStdin) -> io::Result<SyncSender<Vec<u8>>> {
    let (sender, lines) = sync_channel::<Vec<u8>>(WRITE_AHEAD);
    thread::Builder::new().spawn(move || {
        for line in lines {
            if input.write_all(&line).is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}
