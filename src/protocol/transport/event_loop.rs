//! The event loop: it owns the session, takes lines and reports from one queue, and starts the thinker.
//!
//! There are four threads: a reader, a writer, the thinker once there was work for it, and this one. What they hold is
//! bounded. Waiting lines take up to [`HELD_BYTES`](crate::protocol::HELD_BYTES), then the reader reads no further.
//! Unread answers take up to [`BACKLOG_BYTES`](crate::protocol::BACKLOG_BYTES), then nothing new is answered, and in
//! the end the host waits for itself. Reports of a search are left out long before.

use crate::protocol::analysis::context::Report;
use crate::protocol::grammar::command::Command;
use crate::protocol::grammar::error::CommandError;
use crate::protocol::grammar::keyword::Keyword;
use crate::protocol::grammar::parse::{self, Misread};
use crate::protocol::grammar::reply::Reply;
use crate::protocol::session::Session;
use crate::protocol::session::settings::ConversationSettings;
use crate::protocol::session::task::{Done, Task};
use crate::protocol::transport::channel::{Channel, Collected, Event};
use crate::protocol::transport::input::{Input, Line, read_all};
use crate::protocol::transport::output::Output;
use crate::protocol::transport::thinker::{Order, Thinker, Work};
use outflank_engine::search::Info;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Speaks the protocol until the host ends it or its input ends; then answers what is left to answer. Blocks
/// meanwhile.
///
/// # Errors
/// If the threads that read and write cannot be started, or if an answer cannot be written: to a full disk, say. A closed
/// output is no error.
pub fn converse(
    input: Box<dyn BufRead + Send>,
    output: Box<dyn Write + Send>,
    settings: ConversationSettings,
) -> io::Result<()> {
    let (sender, events) = channel();
    let to_loop = sender.clone();
    let output = Output::start(output, move || {
        // On an error nobody listens any more: the process is about to end.
        let _ = to_loop.send(Event::OutputGone);
    })?;
    let to_loop = sender.clone();
    Builder::new().name("reader".to_owned()).spawn(move || {
        read_all(input, &|input| to_loop.send(Event::Input(input)).is_ok());
    })?;
    let mut event_loop = EventLoop {
        session: Session::new(settings),
        output,
        sender,
        thinker: None,
        thinking: None,
        held: VecDeque::new(),
        hold: None,
        restart_clock: false,
        quitting: false,
        ended: false,
    };
    event_loop.run(&events);
    event_loop.output.finish()
}

/// How long the thinker collects reports at first. The first depths are searched in no time; waking this thread, the
/// writer and the host for each of them would cost more than the depth itself.
const COLLECTING: Duration = Duration::from_millis(4);

/// A task in progress.
#[derive(Debug)]
struct Thinking {
    stop: Arc<AtomicBool>,
    infinite: bool,
    /// Pondering: nobody waits for it, and nothing is printed.
    ponder: bool,
    collected: Collected,
    /// When the collecting ends; `None` once it has.
    until: Option<Instant>,
    /// Reports on their way.
    reports: Arc<AtomicUsize>,
    /// An infinite search that ended by itself keeps its answer until it is stopped.
    kept: Option<Done>,
}

/// Why lines are held while thinking.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Hold {
    /// The host said `wait`: the clock of a held `go` starts when it is let go.
    Wait,
    /// The host asked for something that is done in a moment: as with `Wait`.
    Brief,
    /// A line has ended the thinking and waits for its answer.
    Stopping,
}

struct EventLoop {
    session: Session,
    output: Output,
    sender: Sender<Event>,
    /// Where work goes; none before the first.
    thinker: Option<Thinker>,
    thinking: Option<Thinking>,
    /// Lines that came behind `wait`, or behind one that ends the thinking.
    held: VecDeque<Line>,
    /// Set only while thinking. Lines from the queue are dealt with directly only if none is held.
    hold: Option<Hold>,
    /// Whether the held lines were held by `wait`.
    restart_clock: bool,
    quitting: bool,
    ended: bool,
}

impl EventLoop {
    fn run(&mut self, events: &Receiver<Event>) {
        while !self.output.is_gone() {
            self.release_held();
            if self.ended && self.thinking.as_ref().is_some_and(|thinking| thinking.infinite) {
                self.stop();
                // It may have had its answer ready: then what was held behind it is due now.
                continue;
            }
            if self.thinking.is_none() && (self.quitting || self.ended) {
                return;
            }
            match self.next(events) {
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => self.say_collected(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        self.stop();
    }

    fn next(&self, events: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
        match self.thinking.as_ref().and_then(|thinking| thinking.until) {
            Some(until) => events.recv_timeout(until.saturating_duration_since(Instant::now())),
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Ends the collecting of reports.
    fn say_collected(&mut self) {
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.until.is_some()) else {
            return;
        };
        thinking.until = None;
        let collected = thinking.collected.lock().unwrap_or_else(PoisonError::into_inner).take();
        for info in collected.into_iter().flatten() {
            self.say_info(info);
        }
    }

    fn say_info(&self, info: Box<Info>) {
        self.output.say_if_room(&Reply::Info(info, self.session.reports_several()));
    }

    /// Deals with held lines, up to the next one that has to be held.
    fn release_held(&mut self) {
        while self.hold.is_none() && !self.quitting {
            let Some(mut line) = self.held.pop_front() else {
                self.restart_clock = false;
                return;
            };
            if self.restart_clock {
                line.at = Instant::now();
            }
            self.take_line(line);
            if self.hold == Some(Hold::Wait) {
                self.let_urgent_pass();
            }
        }
    }

    /// Of the lines behind a `wait` that was held itself, deals with those that it does not hold.
    fn let_urgent_pass(&mut self) {
        let mut behind = std::mem::take(&mut self.held);
        while self.hold == Some(Hold::Wait) && !self.quitting {
            let Some(line) = behind.pop_front() else { return };
            self.take_line(line);
        }
        self.held.append(&mut behind);
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Input(Input::Line(_)) if self.quitting => {}
            Event::Input(Input::Line(line)) => self.take_line(line),
            Event::Input(Input::Full) => {
                if self.hold == Some(Hold::Wait)
                    && self.thinking.as_ref().is_some_and(|thinking| thinking.infinite)
                {
                    self.stop();
                }
            }
            Event::Input(Input::End) => self.ended = true,
            Event::Report(report) => {
                self.say_collected();
                self.handle_report(report);
            }
            Event::Done(done) => {
                self.say_collected();
                self.finish(done);
            }
            Event::OutputGone => {}
        }
    }

    fn handle_report(&mut self, report: Report) {
        match report {
            Report::Info(info) => {
                if let Some(thinking) = &self.thinking {
                    thinking.reports.fetch_sub(1, Ordering::Relaxed);
                }
                self.say_info(info);
            }
            Report::Say(reply) => self.output.say(&reply),
        }
    }

    /// Deals with a line now, or holds it until the thinking has ended.
    fn take_line(&mut self, line: Line) {
        let keyword = match &line.text {
            Ok(text) => parse::keyword(text),
            Err(misread) => misread.keyword,
        };
        // What ends in a moment, because it is brief or is being stopped, lets what comes behind keep its turn, so
        // that a script ending in `quit` is answered whole, and a `stop` is for the last `go` before it.
        let urgent = match self.hold {
            None | Some(Hold::Wait) => keyword.is_some_and(Keyword::is_urgent),
            Some(Hold::Brief) => match keyword {
                Some(Keyword::IsReady) => true,
                Some(Keyword::Stop) => self.held.is_empty(),
                _ => false,
            },
            Some(Hold::Stopping) => false,
        };
        if self.thinking.is_some() && !urgent {
            if self.hold.is_none() && keyword.is_some_and(Keyword::interrupts) {
                self.hold = Some(Hold::Stopping);
                self.held.push_front(line);
                self.stop();
                return;
            }
            if self.hold.is_some() {
                self.held.push_back(line);
                return;
            }
        }
        let Line { text, at, room } = line;
        let read = text.and_then(|text| {
            log::debug!("> {text}");
            parse::parse(&text)
        });
        self.answer(read, at);
        drop(room);
    }

    fn answer(&mut self, read: Result<Option<Command>, Misread>, at: Instant) {
        let mut replies = Vec::new();
        match read {
            Ok(None) => {}
            Err(misread) => self.session.misread(&misread, &mut replies),
            Ok(Some(Command::Stop)) => self.stop(),
            Ok(Some(Command::Wait)) if self.is_thinking_for_host() => self.hold = Some(Hold::Wait),
            Ok(Some(Command::Quit)) => {
                self.quitting = true;
                self.stop();
            }
            Ok(Some(Command::Status)) => {
                replies.push(Reply::Status(self.session.status(self.is_thinking_for_host())));
            }
            Ok(Some(Command::Bench(size))) => {
                self.session.expect_lines("benchmarking");
                self.start(Work::Bench(size, self.session.searcher()), at, &mut replies);
            }
            Ok(Some(command)) => {
                if let Some(task) = self.execute(command, &mut replies) {
                    self.start(Work::Task(task), at, &mut replies);
                }
            }
        }
        self.say(&replies);
    }

    /// A fault in answering one line must not end the conversation.
    fn execute(&mut self, command: Command, replies: &mut Vec<Reply>) -> Option<Task> {
        let keyword = Some(command.keyword());
        let session = &mut self.session;
        catch_unwind(AssertUnwindSafe(|| session.execute(command, replies))).unwrap_or_else(|_| {
            replies.clear();
            replies.push(Reply::Error(CommandError::Internal("answering")));
            self.session.fail(keyword, replies);
            None
        })
    }

    fn start(&mut self, work: Work, at: Instant, replies: &mut Vec<Reply>) {
        let stop = Arc::new(AtomicBool::new(false));
        let (infinite, brief, ponder) = (work.is_infinite(), work.is_brief(), work.is_ponder());
        let reports = Arc::new(AtomicUsize::new(0));
        let events = self.sender.clone();
        let collected = Collected::new(Mutex::new(Some(Vec::new())));
        let channel = Channel {
            stop: Arc::clone(&stop),
            reports: Arc::clone(&reports),
            events,
            collected: Arc::clone(&collected),
        };
        match self.give(Order { work, at, channel }) {
            Ok(()) => {
                let until = Some(Instant::now() + COLLECTING);
                self.thinking =
                    Some(Thinking { stop, infinite, ponder, collected, until, reports, kept: None });
                self.hold = brief.then_some(Hold::Brief);
            }
            Err(error) => {
                log::error!("no thread to think on: {error}");
                self.session.finish(Done::Panicked, replies);
            }
        }
    }

    /// Gives the thinker something to do, and starts it if it does not run.
    fn give(&mut self, order: Order) -> io::Result<()> {
        let order = match &self.thinker {
            Some(thinker) => match thinker.take(order) {
                Ok(()) => return Ok(()),
                Err(order) => order,
            },
            None => order,
        };
        self.thinker = Some(Thinker::start(order)?);
        Ok(())
    }

    /// Whether it thinks about what the host asked for.
    fn is_thinking_for_host(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| !thinking.ponder)
    }

    fn stop(&mut self) {
        let Some(thinking) = self.thinking.as_mut() else { return };
        thinking.stop.store(true, Ordering::Relaxed);
        thinking.infinite = false;
        if let Some(done) = thinking.kept.take() {
            self.finish(done);
        }
    }

    fn finish(&mut self, done: Done) {
        if let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.infinite) {
            thinking.kept = Some(done);
            return;
        }
        let mut replies = Vec::new();
        self.session.finish(done, &mut replies);
        self.thinking = None;
        self.restart_clock |= matches!(self.hold, Some(Hold::Wait | Hold::Brief));
        self.hold = None;
        self.say(&replies);
    }

    fn say(&self, replies: &[Reply]) {
        for reply in replies {
            self.output.say(reply);
        }
    }
}
