//! One game in the arena: a fold over its lines.

use super::options::Options;
use super::picture::{self, Board};
use super::wire::{self, Message, Row};
use crate::belief::Belief;
use crate::deploy;
use crate::dice::Dice;
use crate::event::Event;
use crate::rules::{Action, Played, Preset, Ruleset, Setup, Side};
use crate::search::{Clock, Inquiry, Level, Task, reflect, search};
use crate::view::View;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What the arena is to hear after a line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Reply {
    /// Nothing yet.
    Silence,
    /// These bytes at once: only the first has to come in time, but a part of a line would hang the arena.
    Say(String),
    /// The game is over; leave.
    Leave,
}

/// What the arena wants when we cannot act; anything else loses too, later and less clearly.
const RESIGNATION: &str = "SURRENDER\n";
/// The stream of the seed that setups are drawn from; searches use the number of the ply.
const SETUP_STREAM: u64 = u64::MAX;

/// A game in progress.
#[derive(Debug)]
pub(super) struct Session {
    options: Options,
    /// Set once the arena has told our side.
    view: Option<View>,
    rows: Vec<Row>,
    /// Something heard did not fit the view: trust the board alone.
    adrift: bool,
}

impl Session {
    /// Before the first line.
    pub(super) fn new(options: Options) -> Session {
        Session { options, view: None, rows: Vec::with_capacity(10), adrift: false }
    }

    /// What we know, once our side is told.
    #[cfg(test)]
    pub(super) const fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    /// Takes one line; the clock of a search starts here, as we are stopped while the other side thinks.
    pub(super) fn hear(&mut self, line: &str) -> Reply {
        log::debug!("<- {}", line.trim_end());
        let message = wire::parse(line);
        let Some(view) = &mut self.view else { return self.begin(message, line) };
        match message {
            Message::Quit => return Reply::Leave,
            Message::Start => {}
            Message::Played(played) => self.adrift |= !follow(view, played),
            Message::Row(row) => {
                self.rows.push(row);
                if let Ok(board) = Board::try_from(self.rows.as_slice()) {
                    self.rows.clear();
                    return self.answer(&board, Instant::now());
                }
                return Reply::Silence;
            }
            Message::Side(_) | Message::Unknown => {
                log::error!("not understood: {:?}", line.trim_end());
                self.adrift = true;
            }
        }
        self.rows.clear();
        Reply::Silence
    }

    fn begin(&mut self, message: Message, line: &str) -> Reply {
        match message {
            Message::Side(side) => {
                let rules = Ruleset::of(Preset::Evaluator);
                let setup = deploy::choose(&rules, None, &mut Dice::stream(self.options.seed, SETUP_STREAM));
                self.view = Some(opening(side, rules, setup));
                Reply::Say(wire::setup_lines(side, &setup))
            }
            Message::Quit => Reply::Leave,
            Message::Start | Message::Played(_) | Message::Row(_) | Message::Unknown => {
                log::error!("waiting for RED or BLUE, heard {:?}", line.trim_end());
                Reply::Silence
            }
        }
    }

    /// Our action on the board shown.
    fn answer(&mut self, board: &Board, since: Instant) -> Reply {
        let Some(view) = &mut self.view else { return Reply::Silence };
        if self.adrift || !picture::agrees(view, board) {
            log::error!("the arena's board is not ours; going on from {board:?}");
            if let Some(fresh) = picture::rebuild(view, board) {
                *view = fresh;
            }
            self.adrift = false;
        }
        let action = choose(view, &self.options, since);
        let line = action.map_or_else(|| RESIGNATION.to_owned(), wire::action_line);
        log::debug!("-> {} after {:?}", line.trim_end(), since.elapsed());
        Reply::Say(line)
    }
}

/// Our army is told, the enemy's hidden.
fn opening(side: Side, rules: Ruleset, setup: Setup) -> View {
    let mut view = View::new(side, rules);
    for event in [Event::Deployed(side, setup), Event::Deployed(side.enemy(), Setup::HIDDEN)] {
        if let Err(error) = view.observe(&event) {
            log::error!("{error}");
        }
    }
    view
}

/// Folds an action of either side in; false if it does not fit.
fn follow(view: &mut View, played: Played) -> bool {
    let fits = view.observe(&Event::Played(played));
    if let Err(error) = fits {
        log::error!("{played} does not fit: {error}");
    }
    fits.is_ok()
}

/// Time since the last line of the turn was read.
struct Stopwatch(Instant);

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The search's choice; any legal action should it have none.
fn choose(view: &mut View, options: &Options, since: Instant) -> Option<Action> {
    let legal = view.position().actions();
    if legal.is_empty() {
        return None;
    }
    let (seed, clock, stop) = (options.seed, &Stopwatch(since), &AtomicBool::new(false));
    let budget = options.budget(view.viewer(), view.position().ply());
    let budget = reflect(view, &Inquiry { budget, level: Level::FULL, seed, clock, stop });
    let task = Task {
        view,
        belief: &Belief::of_enemies(view),
        budget,
        only: &[],
        seed,
        lines: 1,
        level: Level::FULL,
        threads: 1,
        table: None,
        clock,
        stop,
    };
    let choice = search(&task, &mut |_| {}).action;
    choice.filter(|action| legal.contains(action)).or_else(|| {
        log::error!("the search chose {choice:?}, which is not legal");
        legal.first().copied()
    })
}
