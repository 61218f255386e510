//! Stepping through a recorded game, from either side's view or with the truth.

use anyhow::Context;
use outflank::event::Event;
use outflank::protocol::{ConversationSettings, Style, converse};
use outflank::rules::{BySide, Side};
use outflank_record::Record;
use outflank_record::console::{STANDARD_OUTPUT, printable};
use outflank_referee::Referee;
use std::fmt::Write as _;
use std::io::{self, BufRead, Cursor, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Whose knowledge is shown.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Eyes {
    /// One player's.
    Player(Side),
    /// What the referee knows: both armies.
    Truth,
}

impl Eyes {
    /// The next in turn: truth, red, blue.
    const fn next(self) -> Eyes {
        match self {
            Eyes::Truth => Eyes::Player(Side::Red),
            Eyes::Player(Side::Red) => Eyes::Player(Side::Blue),
            Eyes::Player(Side::Blue) => Eyes::Truth,
        }
    }
}

/// A game that can be looked at after any ply.
#[derive(Clone, Debug)]
pub struct Replay {
    record: Record,
    /// What each player saw: lines of the protocol for its opening and each ply.
    seen: BySide<(Vec<String>, Vec<String>)>,
    style: Style,
}

/// Where a walk through a game stands.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Place {
    /// Plies made.
    pub ply: usize,
    /// Whose knowledge is shown.
    pub eyes: Eyes,
}

const HELP: &str = "Enter or n: on, p: back, a number: to that ply, b: begin, e: end, s: other side, q: quit";

impl Replay {
    /// Judges the game once more and keeps what each player saw.
    ///
    /// # Errors
    /// If the referee finds another game than the record tells.
    pub fn of(record: Record, style: Style) -> anyhow::Result<Replay> {
        let setups = record.armies().context("the game has no setups to begin from")?;
        let mut referee = Referee::new(record.ruleset()?, &setups[Side::Red], &setups[Side::Blue])?;
        let mut seen: BySide<(Vec<String>, Vec<String>)> = BySide::default();
        for events in referee.opening() {
            for (side, event) in events.iter() {
                seen[side].0.push(line(event));
            }
        }
        for (ply, played) in record.actions()?.into_iter().enumerate() {
            let events = referee.play(played.action).with_context(|| format!("ply {}: {played}", ply + 1))?;
            for (side, event) in events.iter() {
                seen[side].1.push(line(event));
            }
        }
        Ok(Replay { record, seen, style })
    }

    /// Plies of the game.
    pub fn plies(&self) -> usize {
        self.record.moves.len()
    }

    /// The board at a place, as the engine draws it, with what was done last.
    ///
    /// # Errors
    /// If the conversation with the engine breaks.
    pub fn picture(&self, place: Place) -> anyhow::Result<String> {
        let ply = place.ply.min(self.plies());
        let mut talk = match place.eyes {
            Eyes::Player(side) => {
                let (opening, plies) = &self.seen[side];
                format!(
                    "newgame {side} rules {}\n{}\n{}\n",
                    self.record.rules,
                    opening.join("\n"),
                    plies[..ply].join("\n")
                )
            }
            Eyes::Truth => {
                let [red, blue] = self.record.setups.as_array();
                let plies: Vec<String> =
                    self.record.moves[..ply].iter().map(|played| format!("play {played}")).collect();
                let rules = &self.record.rules;
                format!("newgame rules {rules}\nsetup red {red}\nsetup blue {blue}\n{}\n", plies.join("\n"))
            }
        };
        talk.push_str("d\n");
        Ok(format!("{}{}", self.caption(ply), answers(talk, self.style)?))
    }

    fn caption(&self, ply: usize) -> String {
        let record = &self.record;
        let [red, blue] = record.names().map(printable);
        let mut text = format!("game {}, {red} (red) against {blue} (blue)", record.game);
        let _ = write!(text, ", ply {ply} of {}", self.plies());
        if let Some(index) = ply.checked_sub(1) {
            let _ = write!(text, ": {}", record.moves[index]);
            if let Some(time) = record.clocks.get(index) {
                let _ = write!(text, ", {time:.0} ms");
            }
            if let Some(nodes) = record.nodes.get(index).filter(|nodes| **nodes > 0) {
                let _ = write!(text, ", {nodes} nodes");
            }
        }
        if ply == self.plies() {
            let outcome = &record.outcome;
            let _ = write!(text, "\n{}: {}", outcome.winner, outcome.reason);
            if let Some(fault) = &outcome.fault {
                let _ = write!(text, " ({})", printable(fault));
            }
        }
        text + "\n"
    }

    /// Walks through the game as the lines of `input` say, until they end.
    ///
    /// # Errors
    /// If a picture cannot be drawn, or input or output break.
    pub fn walk(&self, mut place: Place, input: impl BufRead, mut output: impl Write) -> anyhow::Result<()> {
        let mut show = |text: String| writeln!(output, "{text}").context(STANDARD_OUTPUT);
        show(self.picture(place)? + HELP)?;
        for line in input.lines() {
            match self.step(place, line?.trim()) {
                Step::To(next) => {
                    place = next;
                    show(self.picture(place)?)?;
                }
                Step::Unknown => show(HELP.to_owned())?,
                Step::Quit => break,
            }
        }
        Ok(())
    }

    fn step(&self, place: Place, word: &str) -> Step {
        let to = |ply: usize| Step::To(Place { ply: ply.min(self.plies()), ..place });
        match word {
            "" | "n" => to(place.ply + 1),
            "p" => to(place.ply.saturating_sub(1)),
            "b" => to(0),
            "e" => to(self.plies()),
            "s" => Step::To(Place { eyes: place.eyes.next(), ..place }),
            "q" => Step::Quit,
            number => number.parse().map_or(Step::Unknown, to),
        }
    }
}

enum Step {
    To(Place),
    Unknown,
    Quit,
}

fn line(event: &Event) -> String {
    match event {
        Event::Deployed(side, setup) => format!("setup {side} {setup}"),
        Event::Played(played) => format!("play {played}"),
    }
}

/// What the engine answers to a conversation.
fn answers(talk: String, style: Style) -> io::Result<String> {
    let page = Page::default();
    let settings = ConversationSettings { style, ..ConversationSettings::default() };
    converse(Box::new(Cursor::new(talk)), Box::new(page.clone()), settings)?;
    let bytes = page.0.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Output that can be read afterwards.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
