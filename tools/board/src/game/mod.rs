//! One game: seats, setups, plies, clocks and its end. No I/O, and no time but what it is given.
//!
//! [`Match`] holds the truth. [`Seen`] is all that a page gets of it: what one player's view knows, and nothing else
//! until the game is over. [`Saved`] is what a file holds.

mod course;
mod draw;
mod draw_talk;
mod options;
mod refused;
mod saved;
mod seen;
mod study;
#[cfg(test)]
mod tests;

pub use options::{BadOptions, Clock, EngineSeat, Options, Seat};
pub use refused::Refused;
pub use saved::Saved;
pub use seen::{Seen, SeenPiece};

use course::Course;
use draw_talk::DrawTalk;
use outflank::event::Event;
use outflank::rules::{Action, BySide, Played, Ruleset, Setup, Side, Spn};
use outflank_record::{Decision, Outcome, PlayerRecord, Record};
use std::time::Duration;

/// What one ply took.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
struct Spent {
    nodes: u64,
    time: Duration,
}

/// What somebody has to do before the game goes on.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Due {
    /// Choose an army.
    Setup(Side),
    /// Act.
    Action(Side),
}

impl Due {
    /// Who has to do it.
    pub const fn side(self) -> Side {
        match self {
            Due::Setup(side) | Due::Action(side) => side,
        }
    }
}

/// Whose eyes a page has that asks.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Eyes {
    /// The game's own page: the one person's, or of whoever of two persons sits before it.
    Own,
    /// Those of a person at a device of his own.
    Device(Side),
    /// Those of one side or of both, of somebody who watches two engines. In other games it is the game's own page.
    Watching(Option<Side>),
}

impl Eyes {
    /// The page of the same person after the colours are changed.
    #[must_use]
    pub const fn across(self) -> Eyes {
        match self {
            Eyes::Device(side) => Eyes::Device(side.enemy()),
            Eyes::Own | Eyes::Watching(_) => self,
        }
    }
}

/// A game between two seats.
#[derive(Clone)]
pub struct Match {
    options: Options,
    setups: BySide<Option<Setup>>,
    /// Where it began, if not with setups: all ranks are known there.
    start: Option<Box<Spn>>,
    course: Option<Course>,
    outcome: Option<Outcome>,
    /// Who sits before the page; `None` while two persons hand it over, and before the one from which they go to
    /// devices of their own.
    eyes: Option<Side>,
    /// Whether the page that asks sees both armies.
    sees_both: bool,
    /// Which persons sit at devices of their own.
    seated: BySide<bool>,
    left: BySide<Option<Duration>>,
    spent: Vec<Spent>,
    /// How often something was taken back: what was thought before that counts no more.
    taken_back: u32,
    draw: DrawTalk,
    /// The record that the game was loaded from.
    source: Option<Box<Record>>,
}

impl Match {
    /// A game that begins with the setups.
    pub fn new(options: Options) -> Match {
        let eyes = match options.person() {
            Some(side) => side,
            None if options.is_shared() => Side::Red,
            None => options.eyes,
        };
        let eyes = (!options.devices).then_some(eyes);
        let left = BySide::filled(options.clock.map(|clock| clock.base));
        Match {
            options,
            setups: BySide::filled(None),
            start: None,
            course: None,
            outcome: None,
            eyes,
            sees_both: false,
            seated: BySide::filled(false),
            left,
            spent: Vec::new(),
            taken_back: 0,
            draw: DrawTalk::default(),
            source: None,
        }
    }

    /// What it is played by.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// How it ended, if it has.
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Whose eyes the page has.
    pub const fn eyes(&self) -> Option<Side> {
        self.eyes
    }

    /// Whoever asks now has these eyes: what follows is about them. Each request says so first. Where persons share the
    /// page, or one plays an engine, there is only the game's own.
    pub fn turn_to(&mut self, eyes: Eyes) {
        if self.options.devices {
            self.eyes = match eyes {
                Eyes::Device(side) => Some(side),
                Eyes::Own | Eyes::Watching(_) => None,
            };
            if let Some(side) = self.eyes {
                self.seated[side] = true;
            }
        } else if self.options.is_watched() {
            let side = match eyes {
                Eyes::Watching(side) => side,
                Eyes::Own | Eyes::Device(_) => Some(self.options.eyes),
            };
            (self.eyes, self.sees_both) = (side, side.is_none());
        }
    }

    /// The persons who play at devices of their own and have not come yet.
    pub fn awaited(&self) -> Vec<Side> {
        let awaits = |side: &Side| self.options.devices && !self.seated[*side];
        Side::BOTH.into_iter().filter(awaits).collect()
    }

    /// Ends a game of two engines without a result.
    ///
    /// # Errors
    /// If a person plays, or it does not run.
    pub fn break_off(&mut self) -> Result<(), Refused> {
        if !self.is_running() || !self.options.is_watched() {
            return Err(Refused::Stage);
        }
        self.outcome = Some(Outcome::unfinished());
        Ok(())
    }

    /// How often something was taken back.
    pub const fn taken_back(&self) -> u32 {
        self.taken_back
    }

    /// Plies made.
    pub fn ply(&self) -> usize {
        self.course.as_ref().map_or(0, |course| course.whole().len())
    }

    /// Whether the plies have begun and not ended.
    pub const fn is_running(&self) -> bool {
        self.course.is_some() && self.outcome.is_none()
    }

    /// Whether it was loaded from a record.
    pub const fn is_loaded(&self) -> bool {
        self.source.is_some()
    }

    /// What is to be done next; an engine's setup comes before a person's, so that nobody waits for it.
    pub fn due(&self) -> Option<Due> {
        if self.outcome.is_some() {
            return None;
        }
        if let Some(course) = &self.course {
            return Some(Due::Action(course.referee().to_move()));
        }
        let missing = |person| {
            let of =
                |side: &Side| self.setups[*side].is_none() && self.options.seats[*side].is_person() == person;
            Side::BOTH.into_iter().find(of)
        };
        missing(false).or_else(|| missing(true)).map(Due::Setup)
    }

    /// The engine that has to do something.
    pub fn engine_due(&self) -> Option<(Due, EngineSeat)> {
        let due = self.due()?;
        match self.options.seats[due.side()] {
            Seat::Person => None,
            Seat::Engine(engine) => Some((due, engine)),
        }
    }

    /// The person before the page who has to do something.
    pub fn person_due(&self) -> Option<Due> {
        self.due().filter(|due| self.options.seats[due.side()].is_person() && self.eyes == Some(due.side()))
    }

    /// The side whose army the person before the page may choose now. An engine that has not chosen yet keeps no
    /// person waiting.
    pub fn person_setup(&self) -> Option<Side> {
        let open = |side: &Side| {
            let missing = self.setups[*side].is_none() && self.outcome.is_none();
            missing && self.options.seats[*side].is_person()
        };
        self.eyes.filter(open)
    }

    /// Takes a side's army.
    ///
    /// # Errors
    /// If it has one, or this is not a whole one.
    pub fn deploy(&mut self, side: Side, setup: &Setup) -> Result<(), Refused> {
        if self.setups[side].is_some() || self.outcome.is_some() {
            return Err(Refused::Stage);
        }
        let army = self.options.rules.army();
        setup.check(&army).map_err(Refused::Setup)?;
        if !setup.is_complete(&army) {
            return Err(Refused::Incomplete);
        }
        self.setups[side] = Some(*setup);
        if self.options.is_shared() {
            self.eyes = None;
        }
        self.begin()
    }

    /// Begins to play once both armies are there.
    fn begin(&mut self) -> Result<(), Refused> {
        let [Some(red), Some(blue)] = *self.setups.as_array() else { return Ok(()) };
        let course = Course::new(self.options.rules, &BySide::new([red, blue]))?;
        self.outcome = course.referee().ending().map(Outcome::of);
        self.course = Some(course);
        Ok(())
    }

    /// What an engine of `side` is shown: everything that its player was shown.
    pub fn events(&self, side: Side) -> Vec<Event> {
        self.course.as_ref().map_or_else(Vec::new, |course| course.shown(side).copied().collect())
    }

    /// The plies as they truly were, once the game is over.
    pub fn plies(&self) -> Vec<String> {
        let whole = self.course.as_ref().filter(|_| self.outcome.is_some()).map(Course::whole);
        whole.into_iter().flatten().map(ToString::to_string).collect()
    }

    /// What the clocks show; that of the side to move without what its turn has taken so far.
    pub const fn left(&self) -> &BySide<Option<Duration>> {
        &self.left
    }

    /// A person's action, as the page gives it: `ply` is how many plies the page knew of.
    ///
    /// # Errors
    /// If it cannot be made. The reason is what the person's own view tells.
    pub fn play_person(&mut self, action: Action, ply: usize, time: Duration) -> Result<Played, Refused> {
        let Some(course) = self.course.as_ref().filter(|_| self.outcome.is_none()) else {
            return Err(Refused::Stage);
        };
        if ply != course.whole().len() {
            return Err(Refused::Stale);
        }
        let side = course.referee().to_move();
        if self.person_due() != Some(Due::Action(side)) {
            return Err(Refused::Turn);
        }
        let position = course.view(side).position();
        let text = action.text(false);
        if let Some(rule) = position.repetition(action) {
            let why = format!("{text} breaks the rule {} against going to and fro", rule.name());
            return Err(Refused::Illegal(why));
        }
        if !position.actions().contains(&action) {
            return Err(Refused::Illegal(format!("{text} is no legal move")));
        }
        self.play(action, 0, time)
    }

    /// Makes an action of the side to move.
    ///
    /// # Errors
    /// If the referee refuses it.
    pub fn play(&mut self, action: Action, nodes: u64, time: Duration) -> Result<Played, Refused> {
        let Some(course) = self.course.as_mut().filter(|_| self.outcome.is_none()) else {
            return Err(Refused::Stage);
        };
        let mover = course.referee().to_move();
        if self.left[mover].is_some_and(|left| time > left) {
            self.fall(mover);
            return Err(Refused::Stage);
        }
        let played = course.play(action)?;
        self.outcome = course.referee().ending().map(Outcome::of);
        let made = course.whole().len();
        self.draw.moved(mover, made);
        self.spent.push(Spent { nodes, time });
        if let (Some(left), Some(clock)) = (self.left[mover], self.options.clock) {
            self.left[mover] = Some(left.saturating_sub(time) + clock.increment);
        }
        Ok(played)
    }

    /// The clock of the person to move has run out after so long; false if it has not. An engine is judged when it
    /// answers, as its turn may have had to wait for other games.
    pub fn check_clock(&mut self, time: Duration) -> bool {
        let Some(Due::Action(side)) = self.due() else { return false };
        let fallen = self.options.seats[side].is_person() && self.left[side].is_some_and(|left| time > left);
        if fallen {
            self.fall(side);
        }
        fallen
    }

    fn fall(&mut self, side: Side) {
        self.left[side] = Some(Duration::ZERO);
        self.outcome = Some(Outcome::of_decision(Some(side.enemy()), Decision::Time));
    }

    /// A side gives up.
    ///
    /// # Errors
    /// If the plies have not begun, or have ended.
    pub fn resign(&mut self, side: Side) -> Result<(), Refused> {
        if !self.is_running() {
            return Err(Refused::Stage);
        }
        self.outcome = Some(Outcome::of_decision(Some(side.enemy()), Decision::Resigned));
        Ok(())
    }

    /// The side that the person before the page gives up for: its own.
    pub fn resigning(&self) -> Option<Side> {
        self.eyes.filter(|side| self.options.seats[*side].is_person() && self.is_running())
    }

    /// How many plies the person before the page would take back: as far as its own last turn.
    fn to_take_back(&self) -> Result<usize, Refused> {
        if !self.options.friendly {
            return Err(Refused::Serious);
        }
        let (Some(side), Some(course)) = (self.eyes.filter(|_| self.is_running()), &self.course) else {
            return Err(Refused::Stage);
        };
        if !self.options.seats[side].is_person() {
            return Err(Refused::Stage);
        }
        let made = course.whole().len();
        // An engine that thinks is not taken back with what it answers.
        let count = if course.referee().to_move() == side { 2 } else { 1 };
        if made < count { Err(Refused::Nothing) } else { Ok(count) }
    }

    /// Whether something can be taken back.
    pub fn can_take_back(&self) -> bool {
        self.to_take_back().is_ok()
    }

    /// Takes back as far as the last turn of the person before the page. The clocks, too, show what they showed when
    /// that turn began: it is as if what is taken back had not been played.
    ///
    /// # Errors
    /// In a game that is not friendly, and if there is nothing to take back.
    pub fn take_back(&mut self) -> Result<(), Refused> {
        let count = self.to_take_back()?;
        let Some(course) = &self.course else { return Err(Refused::Stage) };
        let kept = course.whole().len() - count;
        let before = self.opening()?.replay(&course.whole()[..kept])?;
        self.course = Some(before);
        self.spent.truncate(kept);
        self.left = self.left_by_plies();
        self.draw.taken_back(kept);
        self.taken_back += 1;
        Ok(())
    }

    /// What the clocks show after the plies that stand.
    fn left_by_plies(&self) -> BySide<Option<Duration>> {
        BySide::from_fn(|side| {
            let clock = self.options.clock?;
            let own = self.spent.iter().skip(usize::from(side != self.first())).step_by(2);
            Some(own.fold(clock.base, |left, spent| left.saturating_sub(spent.time) + clock.increment))
        })
    }

    /// The game before its first ply.
    fn opening(&self) -> Result<Course, Refused> {
        match &self.start {
            Some(start) => Ok(Course::from_position(start)),
            None => Course::new(self.options.rules, &self.whole_setups().ok_or(Refused::Stage)?),
        }
    }

    fn whole_setups(&self) -> Option<BySide<Setup>> {
        match *self.setups.as_array() {
            [Some(red), Some(blue)] => Some(BySide::new([red, blue])),
            _ => None,
        }
    }

    /// Two persons: the one before the page is done, and turns it away.
    ///
    /// # Errors
    /// If it is still this person's turn, or there are not two.
    pub fn hand_over(&mut self) -> Result<(), Refused> {
        let done = self.eyes.is_some() && self.due().is_some_and(|due| self.eyes != Some(due.side()));
        if !self.options.is_shared() || !done {
            return Err(Refused::Stage);
        }
        self.eyes = None;
        Ok(())
    }

    /// Two persons: the one whose turn it is sits down before the page.
    ///
    /// # Errors
    /// If somebody sits there.
    pub fn sit_down(&mut self) -> Result<(), Refused> {
        match self.due() {
            Some(due) if self.eyes.is_none() => {
                self.eyes = Some(due.side());
                Ok(())
            }
            _ => Err(Refused::Stage),
        }
    }

    /// Another game of the same players, with the colours changed.
    ///
    /// # Errors
    /// If the game is not over, or was loaded.
    pub fn rematch(&self) -> Result<Match, Refused> {
        if self.outcome.is_none() || self.source.is_some() {
            return Err(Refused::Stage);
        }
        Ok(Match::new(self.options.swapped()))
    }

    /// The rule system.
    pub const fn rules(&self) -> &Ruleset {
        &self.options.rules
    }

    /// The record of the game once it is over.
    pub fn record(&self) -> Option<Record> {
        if let Some(source) = &self.source {
            return Some(Record::clone(source));
        }
        let (outcome, course) = (self.outcome.clone()?, self.course.as_ref()?);
        let setups = self.whole_setups()?;
        Some(Record {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: self.options.rules.to_string(),
            players: self.options.seats.each_ref().map(|seat| player(*seat)),
            setups: setups.map(|setup| setup.to_string()),
            moves: course.whole().iter().map(ToString::to_string).collect(),
            nodes: self.spent.iter().map(|spent| spent.nodes).collect(),
            clocks: self.spent.iter().map(|spent| spent.time.as_millis() as f64).collect(),
            outcome,
            plies: course.whole().len() as u32,
            strikes: course.whole().iter().filter(|played| played.verdict.is_some()).count() as u32,
            ..Record::default()
        })
    }
}

fn player(seat: Seat) -> PlayerRecord {
    let name = seat.to_string();
    match seat {
        Seat::Person => PlayerRecord { name, player: "human".to_owned(), ..PlayerRecord::default() },
        Seat::Engine(engine) => PlayerRecord {
            name,
            player: "sei".to_owned(),
            level: (engine.level < 20).then_some(engine.level),
            movetime: Some(u64::from(engine.movetime)),
            ..PlayerRecord::default()
        },
    }
}
