//! A room: one game that is played here, who drives its engines, and what its page is sent.

mod snapshot;
#[cfg(test)]
mod tests;

pub use snapshot::Snapshot;

use crate::engine::{Answer, Chair, Question};
use crate::game::{Due, Eyes, Match, Refused};
use crate::outlook::Outlook;
use crate::resources::Resources;
use crate::token::Tokens;
use anyhow::Context;
use indicatif::ProgressBar;
use outflank::rules::{Action, BySide, Played, Setup, Side};
use outflank_arena::engine::{Fault, Flaw};
use outflank_record::console::complain;
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Faults in a row after which an engine is not started again until somebody asks for it.
const FAULTS: u32 = 3;
/// How long after a failure to save it is tried again.
const AGAIN: Duration = Duration::from_secs(1);
/// The longest that two engines that are watched wait between plies.
const SLOWEST: Duration = Duration::from_secs(10);

/// A game that is played here.
pub struct Room {
    /// Where it is reached.
    pub tokens: Tokens,
    /// The number of its file.
    pub number: u64,
    state: Mutex<State>,
    version: watch::Sender<u64>,
    chairs: Mutex<BySide<Chair>>,
}

#[expect(clippy::struct_excessive_bools, reason = "each is independent of the others")]
pub(crate) struct State {
    pub(crate) game: Match,
    /// When the turn began.
    since: Instant,
    driven: bool,
    paused: bool,
    faults: u32,
    restarts: u32,
    trouble: Option<&'static str>,
    pub(crate) hint: Hint,
    pub(crate) replay: Replay,
    /// Whether its record is kept, or there is none to keep.
    kept: bool,
    /// Since when it could not be saved.
    unsaved: Option<Instant>,
    /// Whether the house has let go of it: its file stays away.
    gone: bool,
    used: Instant,
    next: Option<Tokens>,
    pace: Option<Duration>,
    /// Whether engines that are paused make one ply.
    steps: bool,
    expected: Vec<Expected>,
}

/// The chances to win, draw and lose, in permille, that an engine gave with an action.
struct Expected {
    ply: usize,
    side: Side,
    chances: [u32; 3],
}

/// A moment of a game. After something was taken back, other plies may lead to the same number of them.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Moment {
    ply: usize,
    taken_back: u32,
}

/// A hint, for the moment at which it was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) enum Hint {
    #[default]
    None,
    Thinking(Moment),
    Given(Moment, Advice),
}

/// What a hint says.
#[derive(Clone, Debug, Serialize)]
pub struct Advice {
    /// The action.
    pub action: String,
    /// Chances to win, draw and lose in permille, by the person's own knowledge.
    pub chances: Option<[u32; 3]>,
    /// Other actions that are as good as far as the engine can tell, the best first.
    pub others: Vec<String>,
    /// What the action is about that the learned policy likes, in words, the weightiest first.
    pub reasons: Vec<String>,
    /// What the action may meet.
    #[serde(flatten)]
    pub outlook: Outlook,
}

/// The page of the finished game.
#[derive(Clone, Default)]
pub(crate) enum Replay {
    #[default]
    None,
    Making(ProgressBar),
    Made(Arc<str>),
    Failed(String),
}

impl Room {
    /// A game that is over and whose record is not `kept` is saved again as soon as somebody looks after it.
    pub(crate) fn new(tokens: Tokens, number: u64, game: Match, kept: bool) -> Room {
        let now = Instant::now();
        let unsaved = (game.outcome().is_some() && !kept).then_some(now);
        let state = State {
            game,
            since: now,
            driven: false,
            paused: false,
            faults: 0,
            restarts: 0,
            trouble: None,
            hint: Hint::None,
            replay: Replay::None,
            kept,
            unsaved,
            gone: false,
            used: now,
            next: None,
            pace: None,
            steps: false,
            expected: Vec::new(),
        };
        let chairs = Mutex::new(BySide::from_fn(|_| Chair::default()));
        Room { tokens, number, state: Mutex::new(state), version: watch::Sender::new(1), chairs }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state for somebody who has these eyes.
    pub(crate) fn lock_for(&self, eyes: Eyes) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        state.game.turn_to(eyes);
        state
    }

    fn chairs(&self) -> MutexGuard<'_, BySide<Chair>> {
        self.chairs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something has changed.
    pub(crate) fn bump(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// Waits until the room has changed since `version`, or until `patience` is over.
    pub async fn changed(&self, version: u64, patience: Duration) {
        let mut changes = self.version.subscribe();
        // An error would mean that the room is gone; then there is nothing to wait for.
        let _ = tokio::time::timeout(patience, changes.wait_for(|now| *now != version)).await;
    }

    /// Changes the game, saves it, and lets its engine go on.
    pub(crate) fn change<T>(
        self: &Arc<Room>,
        resources: &Arc<Resources>,
        eyes: Eyes,
        change: impl FnOnce(&mut State) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let changed = {
            let mut state = self.lock_for(eyes);
            let before = (state.moment(), state.game.due());
            let changed = change(&mut state);
            if before != (state.moment(), state.game.due()) {
                state.since = Instant::now();
            }
            state.used = Instant::now();
            self.save(resources, &mut state);
            changed
        };
        self.bump();
        self.drive(resources);
        changed
    }

    /// Saves under the lock, so that no older game is written over a newer one.
    fn save(&self, resources: &Resources, state: &mut State) {
        if state.gone {
            return;
        }
        match self.try_save(resources, state) {
            Ok(()) => state.unsaved = None,
            Err(error) => {
                // It is tried again and again, and reported once.
                if state.unsaved.is_none() {
                    complain(format_args!("game {} cannot be saved: {error:#}", self.number));
                }
                state.unsaved = Some(Instant::now());
            }
        }
    }

    /// The file first, so that a game whose record is owed is known to be over; then the record, which counts as kept
    /// once it is written.
    fn try_save(&self, resources: &Resources, state: &mut State) -> anyhow::Result<()> {
        let filed = resources.store.save(self.number, &self.tokens, &state.game, state.kept);
        if state.game.outcome().is_none() || state.kept {
            return filed;
        }
        if let Some(record) = state.game.record() {
            resources.store.keep(self.number, record).context("its record")?;
        }
        state.kept = true;
        resources.store.save(self.number, &self.tokens, &state.game, true)
    }

    /// Saves what could not be saved, once in a while.
    pub(crate) fn save_again(&self, resources: &Resources) {
        let saved = {
            let mut state = self.lock();
            let due = state.unsaved.is_some_and(|since| since.elapsed() >= AGAIN);
            if due {
                self.save(resources, &mut state);
            }
            due && state.unsaved.is_none()
        };
        if saved {
            self.bump();
        }
    }

    /// A person's army.
    pub(crate) fn deploy(
        self: &Arc<Room>,
        resources: &Arc<Resources>,
        eyes: Eyes,
        setup: &Setup,
    ) -> Result<(), Refused> {
        self.change(resources, eyes, |state| match state.game.person_setup() {
            Some(side) => state.game.deploy(side, setup),
            None => Err(Refused::Stage),
        })
    }

    /// A person's action.
    pub(crate) fn play(
        self: &Arc<Room>,
        resources: &Arc<Resources>,
        eyes: Eyes,
        (action, ply): (Action, usize),
    ) -> Result<Played, Refused> {
        self.change(resources, eyes, |state| {
            let taken = state.since.elapsed();
            state.game.play_person(action, ply, taken)
        })
    }

    /// Stops engines, or lets them go on.
    pub(crate) fn pause(self: &Arc<Room>, resources: &Arc<Resources>, paused: bool) {
        let _ = self.change(resources, Eyes::Own, |state| {
            state.paused = paused;
            Ok(())
        });
    }

    /// Lets paused engines make one ply.
    pub(crate) fn step_on(self: &Arc<Room>, resources: &Arc<Resources>) {
        let _ = self.change(resources, Eyes::Own, |state| {
            state.steps = state.paused;
            Ok(())
        });
    }

    /// How long two engines that are watched wait between plies.
    pub(crate) fn set_pace(&self, pace: Duration) {
        self.lock().pace = Some(pace.min(SLOWEST));
    }

    /// Starts an engine once more that failed too often.
    pub(crate) fn retry(self: &Arc<Room>, resources: &Arc<Resources>) {
        let _ = self.change(resources, Eyes::Own, |state| {
            (state.trouble, state.faults) = (None, 0);
            Ok(())
        });
    }

    /// The rematch, if it has been asked for before; else the game that it is to be.
    pub(crate) fn rematch(&self) -> Result<Result<Tokens, Box<Match>>, Refused> {
        let state = self.lock();
        match &state.next {
            Some(next) => Ok(Ok(next.clone())),
            None => state.game.rematch().map(|game| Err(Box::new(game))),
        }
    }

    /// Where the rematch is played, unless somebody else was first.
    pub(crate) fn goes_on_at(&self, tokens: Tokens) {
        self.lock().next.get_or_insert(tokens);
        self.bump();
    }

    /// Ends a game on time.
    pub(crate) fn check_clock(self: &Arc<Room>, resources: &Arc<Resources>) {
        let fallen = {
            let mut state = self.lock();
            let taken = state.since.elapsed();
            state.game.options().clock.is_some() && state.game.check_clock(taken)
        };
        if fallen {
            let _ = self.change(resources, Eyes::Own, |_| Ok(()));
        }
    }

    /// How long nobody has looked, and whether the game is over.
    fn idle(&self) -> (Duration, bool) {
        let state = self.lock();
        (state.used.elapsed(), state.game.outcome().is_some())
    }

    /// How long nobody has looked at a game that can be let go of: one that has not begun, or that is over and whose
    /// record is kept.
    pub(crate) fn spare(&self) -> Option<Duration> {
        let state = self.lock();
        let over = state.game.outcome().is_some();
        let spare = if over { state.kept } else { state.game.ply() == 0 };
        spare.then(|| state.used.elapsed())
    }

    /// The house lets go of it, and of its file.
    pub(crate) fn leave(&self, resources: &Resources) {
        let mut state = self.lock();
        state.gone = true;
        resources.store.forget(self.number);
        drop(state);
        self.clear(resources);
    }

    /// Ends engines that nobody has needed for long.
    pub(crate) fn close_idle(&self, resources: &Resources) {
        let (idle, over) = self.idle();
        if idle > resources.limits.idle || over {
            self.clear(resources);
        }
    }

    /// How long it waits before its next engine answers: nobody waits for a person's enemy.
    fn pace(&self, pace: Duration) -> Duration {
        let state = self.lock();
        if state.game.options().is_watched() { state.pace.unwrap_or(pace) } else { Duration::ZERO }
    }

    fn clear(&self, resources: &Resources) {
        // A chair that is at work is in use.
        if let Ok(mut chairs) = self.chairs.try_lock() {
            for chair in chairs.values_mut().filter(|chair| chair.is_taken()) {
                chair.clear();
                resources.engine_ended();
            }
        }
    }

    /// Lets the engine go on, if it is one's turn and none is at work.
    pub(crate) fn drive(self: &Arc<Room>, resources: &Arc<Resources>) {
        {
            let mut state = self.lock();
            if state.driven || !state.is_engines_turn(resources.limits.unwatched) {
                return;
            }
            state.driven = true;
        }
        self.bump();
        let (room, resources) = (self.clone(), resources.clone());
        tokio::spawn(async move {
            loop {
                let Ok(permit) = resources.thinking.acquire().await else { return };
                let (one, place) = (room.clone(), resources.clone());
                let goes_on = tokio::task::spawn_blocking(move || one.step(&place)).await;
                drop(permit);
                room.bump();
                match goes_on {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(_) => {
                        room.lock().trouble = Some("a fault of this server");
                        break;
                    }
                }
                tokio::time::sleep(room.pace(resources.limits.pace)).await;
            }
            room.lock().driven = false;
            room.bump();
            room.drive_again(&resources);
        });
    }

    /// What changed while the driver ended would else wait for the next change.
    fn drive_again(self: &Arc<Room>, resources: &Arc<Resources>) {
        let due = self.lock().is_engines_turn(resources.limits.unwatched);
        if due {
            self.drive(resources);
        }
    }

    /// One answer of an engine; whether another is due.
    fn step(self: &Arc<Room>, resources: &Arc<Resources>) -> bool {
        let question = {
            let state = self.lock();
            if state.is_engines_turn(resources.limits.unwatched) { Question::of(&state.game) } else { None }
        };
        let Some(question) = question else { return false };
        let answer = self.ask(resources, &question);
        let mut state = self.lock();
        let asked = (question.due, question.taken_back);
        if state.game.due() == Some(asked.0) && state.game.taken_back() == asked.1 {
            let taken = state.since.elapsed();
            match answer.and_then(|answer| state.take(question.due, answer, taken)) {
                Ok(()) => state.faults = 0,
                Err(fault) => {
                    complain(format_args!("game {}: the engine of {}: {fault}", self.number, asked.0.side()));
                    state.note_fault(fault.flaw);
                }
            }
            if state.game.due() != Some(asked.0) {
                state.since = Instant::now();
                state.steps = false;
            }
            self.save(resources, &mut state);
        }
        let goes_on = state.is_engines_turn(resources.limits.unwatched);
        let over = state.gone || state.game.outcome().is_some();
        drop(state);
        if over {
            self.clear(resources);
        }
        goes_on
    }

    /// Asks the engine of the side that has to do something; it is kept for the next time if there is room.
    fn ask(&self, resources: &Resources, question: &Question) -> Result<Answer, Fault> {
        let mut chairs = self.chairs();
        let chair = &mut chairs[question.due.side()];
        if !chair.is_taken() {
            resources.engine_started();
        }
        let answer = chair.ask(resources.launcher.as_ref(), question);
        if answer.is_err() {
            resources.engine_ended();
        } else if !resources.may_keep() {
            chair.clear();
            resources.engine_ended();
        }
        answer
    }
}

impl State {
    /// Whether an engine has to do something. Two engines play on only while somebody looks.
    fn is_engines_turn(&self, unwatched: Duration) -> bool {
        let stopped = self.gone || (self.paused && !self.steps) || self.trouble.is_some();
        let looked_at = !self.game.options().is_watched() || self.used.elapsed() <= unwatched;
        !stopped && looked_at && self.game.engine_due().is_some()
    }

    pub(crate) fn moment(&self) -> Moment {
        Moment { ply: self.game.ply(), taken_back: self.game.taken_back() }
    }

    /// The person offers a draw. An engine that has not said what it expects refuses.
    pub(crate) fn offer_draw(&mut self) -> Result<(), Refused> {
        let engine = self.game.resigning().map(Side::enemy);
        let expectation = self.expected.iter().rev().find(|expectation| Some(expectation.side) == engine);
        self.game.offer_draw(expectation.map(|expectation| expectation.chances))
    }

    /// The person takes back. What engines expected at plies that are gone is gone with them.
    pub(crate) fn take_back(&mut self) -> Result<(), Refused> {
        self.game.take_back()?;
        self.expected.retain(|expectation| expectation.ply < self.game.ply());
        Ok(())
    }

    /// What an engine answered; an answer against the rules is a fault.
    fn take(&mut self, due: Due, answer: Answer, turn: Duration) -> Result<(), Fault> {
        let taken = match (due, answer) {
            (Due::Setup(side), Answer::Setup(setup)) => self.game.deploy(side, &setup),
            (Due::Action(side), Answer::Act(action, effort)) => {
                let ply = self.game.ply();
                // Its own time: it does not pay for a process that had to be started, or for its turn in the queue.
                let played = self.game.play(action, effort.nodes, effort.taken.min(turn));
                // What it expected of an action that was not made says nothing.
                played.map(|_| {
                    self.expected.extend(effort.chances.map(|chances| Expected { ply, side, chances }));
                })
            }
            (Due::Action(side), Answer::Resign) => self.game.resign(side),
            (Due::Setup(_), Answer::Act(..) | Answer::Resign) | (Due::Action(_), Answer::Setup(_)) => {
                return Err(Fault::new(Flaw::Garbage, "it answered another question"));
            }
        };
        match taken {
            // Its time may be over.
            Err(refused) if self.game.outcome().is_none() => {
                Err(Fault::new(Flaw::Illegal, refused.to_string()))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Only the kind of a fault goes to the page: the engine's own words may name its pieces.
    fn note_fault(&mut self, flaw: Flaw) {
        self.faults += 1;
        self.restarts += 1;
        if self.faults >= FAULTS {
            self.trouble = Some(flaw.name());
        }
    }
}
