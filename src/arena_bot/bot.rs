//! One game in the arena: a fold over its lines.

use super::grammar::{self, Message, Row};
use super::options::BotOptions;
use super::resync::{self, Board};
use outflank_engine::engine::{Control, Engine, Settings, Stopwatch, choose_setup};
use outflank_rules::event::Event;
use outflank_rules::rng::Rng;
use outflank_rules::rules::{Action, Played, Preset, Ruleset, Setup, Side};
#[cfg(test)]
use outflank_rules::view::View;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What the arena is answered after a line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Answer {
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

/// The player of one game.
#[derive(Debug)]
pub(super) struct Bot {
    options: BotOptions,
    /// Set once the arena has given us a side.
    engine: Option<Engine>,
    rows: Vec<Row>,
    /// A line did not fit the view: trust the board alone.
    desynced: bool,
}

impl Bot {
    /// Before the first line.
    pub(super) fn new(options: BotOptions) -> Bot {
        Bot { options, engine: None, rows: Vec::with_capacity(10), desynced: false }
    }

    /// What we know, once our side is known.
    #[cfg(test)]
    pub(super) fn view(&self) -> Option<&View> {
        self.engine.as_ref().map(Engine::view)
    }

    /// Takes one line; the clock of a search starts here, as we are stopped while the other side thinks.
    pub(super) fn receive(&mut self, line: &str) -> Answer {
        log::debug!("<- {}", line.trim_end());
        let message = grammar::parse(line);
        let Some(engine) = &mut self.engine else { return self.begin(message, line) };
        match message {
            Message::Quit => return Answer::Leave,
            Message::Start => {}
            Message::Played(played) => self.desynced |= !follow(engine, played),
            Message::Row(row) => {
                self.rows.push(row);
                if let Ok(board) = Board::try_from(self.rows.as_slice()) {
                    self.rows.clear();
                    return self.act(&board, Instant::now());
                }
                return Answer::Silence;
            }
            Message::Side(_) | Message::Unknown => {
                log::error!("not understood: {:?}", line.trim_end());
                self.desynced = true;
            }
        }
        self.rows.clear();
        Answer::Silence
    }

    fn begin(&mut self, message: Message, line: &str) -> Answer {
        match message {
            Message::Side(side) => {
                let rules = Ruleset::of(Preset::Evaluator);
                let setup = choose_setup(&rules, None, &mut Rng::stream(self.options.seed, SETUP_STREAM));
                self.engine = Some(opening(side, rules, setup, self.options.seed));
                Answer::Say(grammar::setup_lines(side, &setup))
            }
            Message::Quit => Answer::Leave,
            Message::Start | Message::Played(_) | Message::Row(_) | Message::Unknown => {
                log::error!("waiting for RED or BLUE, got {:?}", line.trim_end());
                Answer::Silence
            }
        }
    }

    /// Our action on the board shown.
    fn act(&mut self, board: &Board, since: Instant) -> Answer {
        let Some(engine) = &mut self.engine else { return Answer::Silence };
        if self.desynced || !resync::agrees(engine.view(), board) {
            log::error!("the arena's board is not ours; going on from {board:?}");
            if let Some(fresh) = resync::rebuild(engine.view(), board) {
                *engine = configured(fresh.into(), self.options.seed);
            }
            self.desynced = false;
        }
        let action = choose(engine, &self.options, since);
        let line = action.map_or_else(|| RESIGNATION.to_owned(), grammar::action_line);
        log::debug!("-> {} after {:?}", line.trim_end(), since.elapsed());
        Answer::Say(line)
    }
}

/// A player as it thinks in the arena.
fn configured(mut engine: Engine, seed: u64) -> Engine {
    engine.configure(Settings { seed, ..Settings::default() });
    engine
}

/// Our army is known, the enemy's hidden.
fn opening(side: Side, rules: Ruleset, setup: Setup, seed: u64) -> Engine {
    let mut engine = Engine::new(side, rules, Settings { seed, ..Settings::default() });
    for event in [Event::Deployed(side, setup), Event::Deployed(side.enemy(), Setup::HIDDEN)] {
        if let Err(error) = engine.observe(&event) {
            log::error!("{error}");
        }
    }
    engine
}

/// Takes an action of either side in; false if it does not fit.
fn follow(engine: &mut Engine, played: Played) -> bool {
    let fits = engine.observe(&Event::Played(played));
    if let Err(error) = fits {
        log::error!("{played} does not fit: {error}");
    }
    fits.is_ok()
}

/// The search's choice; any legal action should it have none.
fn choose(engine: &mut Engine, options: &BotOptions, since: Instant) -> Option<Action> {
    let position = engine.view().position();
    let (legal, ply) = (position.actions(), position.ply());
    if legal.is_empty() {
        return None;
    }
    let (clock, stop) = (&Stopwatch(since), &AtomicBool::new(false));
    let budget = options.budget(engine.view().viewer(), ply);
    let choice = engine.think(&budget.into(), Control::new(clock, stop), &mut |_| {}).action;
    choice.filter(|action| legal.contains(action)).or_else(|| {
        log::error!("the search chose {choice:?}, which is not legal");
        legal.first().copied()
    })
}
