//! One game between two players, through the referee.

use crate::adjudicate::{Adjudication, Agreement};
use crate::contender::{Contender, Control};
use crate::engine::{Fault, Flaw, ending};
use crate::moment::Going;
use crate::player::{Choice, Offer, Player, Seat, Turn};
use crate::start::Starts;
use outflank::rules::{Action, BySide, Ruleset, Setup, Side};
use outflank_record::bounds::MOST_MILLISECONDS;
use outflank_record::{Decision, MOST_SCORE, Outcome, Record, ShardRecord, truth};
use outflank_referee::{Events, Referee};
use std::time::Duration;

/// How games are judged, whoever plays.
#[derive(Copy, Clone, Debug)]
pub struct House {
    /// The match's seed, for the record.
    pub seed: u64,
    /// How much longer than its limit an action may take.
    pub margin: Duration,
    /// Bounds every wait that no clock bounds.
    pub patience: Duration,
    /// When both players' scores end a game.
    pub adjudication: Option<Adjudication>,
    /// Whether the record tells how long each action took.
    pub clocks: bool,
}

impl House {
    /// A house in which nobody is late: for players inside this process.
    pub const fn patient(seed: u64) -> House {
        let patience = Duration::from_millis(MOST_MILLISECONDS);
        House { seed, margin: patience, patience, adjudication: None, clocks: false }
    }
}

/// Everything that is one game's own.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fixture {
    /// Its number in the match.
    pub number: u64,
    /// The pair it belongs to, if any.
    pub pair: Option<u64>,
    /// The share of the match that it is played with, if that is not the whole.
    pub shard: Option<ShardRecord>,
    /// The rule system.
    pub rules: Ruleset,
    /// The contenders, by their numbers.
    pub seats: BySide<usize>,
    /// The setups; `None` if the players choose.
    pub setups: Option<BySide<Setup>>,
    /// Each player's seed.
    pub seeds: BySide<u64>,
}

/// A contender's place at the board: its process, as long as that lives.
#[derive(Default)]
pub struct Chair {
    player: Option<Box<dyn Player>>,
}

impl Chair {
    /// The player that sits there; a fault if none does.
    fn seated(&mut self) -> Result<&mut dyn Player, Fault> {
        match &mut self.player {
            Some(player) => Ok(&mut **player),
            None => Err(Fault::new(Flaw::Closed, "it is not running")),
        }
    }

    fn about(&self) -> &str {
        self.player.as_ref().map_or("", |player| player.about())
    }
}

/// A side's fault, which loses it the game; unless it was silent where it had no clock.
type Blame = (Side, Fault);

/// A game being played.
struct Table<'a> {
    house: &'a House,
    rules: Ruleset,
    contenders: BySide<&'a Contender>,
    chairs: &'a mut BySide<Chair>,
    left: BySide<Option<Duration>>,
    agreement: Agreement,
    /// Whether the record has the candidates that players were asked to say, and no others.
    told_candidates: bool,
    /// Who has begun this game, and hears how it ends.
    begun: BySide<bool>,
    record: Record,
}

/// Plays a game out; whatever the players do, there is a record. Chairs of players at fault are empty afterwards.
/// `None` if the arena is asked to end before the game is over.
///
/// # Errors
/// The game is void, and nobody wins by it: the machine lacks something ([`Flaw::Host`]), or a player did not start
/// this time either, and there is no hope that it will.
pub fn play(
    house: &House,
    fixture: &Fixture,
    contenders: BySide<&Contender>,
    chairs: &mut BySide<Chair>,
    starts: &Starts,
) -> Result<Option<Record>, Fault> {
    let left = contenders.map(|contender| contender.limits.control.map(|control| control.base));
    let record = blank(house, fixture, contenders);
    let (rules, agreement) = (fixture.rules, Agreement::default());
    let told_candidates = contenders.values().any(|contender| contender.candidates() > 0);
    let begun = BySide::default();
    let mut table =
        Table { house, rules, contenders, chairs, left, agreement, told_candidates, begun, record };
    let played = table.play(fixture, starts);
    if let Some(moment) = &starts.moment {
        moment.forget(fixture.number);
    }
    if ending() {
        return Ok(None);
    }
    let outcome = played.or_else(|(side, fault)| {
        table.chairs[side].player = None;
        starts.judge(fixture.seats[side], contenders[side], &fault)?;
        let is_silent = fault.flaw == Flaw::Silent;
        let broken_off = is_silent.then(|| Outcome::broken_off(fault.to_string()));
        Ok(broken_off.unwrap_or_else(|| Outcome::of_fault(side, fault.to_string())))
    })?;
    if table.record.candidates.iter().all(String::is_empty) {
        table.record.candidates.clear();
    }
    let winner = outcome.side().ok().flatten();
    for (side, chair) in table.chairs.iter_mut() {
        let begun = table.begun[side];
        // A fault after the end costs nothing but the process. Who played in vain gets no result.
        let end =
            |player: &mut Box<dyn Player>| begun && (outcome.is_unfinished() || player.end(winner).is_err());
        if chair.player.as_mut().is_some_and(end) || contenders[side].restart {
            chair.player = None;
        }
    }
    Ok(Some(Record { outcome, ..table.record }))
}

fn blank(house: &House, fixture: &Fixture, contenders: BySide<&Contender>) -> Record {
    Record {
        game: fixture.number,
        pair: fixture.pair,
        shard: fixture.shard,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rules: fixture.rules.to_string(),
        seed: house.seed,
        players: contenders.map(|contender| contender.record("")),
        setups: fixture.setups.map_or_else(Default::default, |setups| setups.map(|setup| setup.to_string())),
        ..Record::default()
    }
}

impl Table<'_> {
    fn play(&mut self, fixture: &Fixture, starts: &Starts) -> Result<Outcome, Blame> {
        for (side, &seed) in fixture.seeds.iter() {
            let started = self.start(side, fixture.seats[side], starts);
            started.and_then(|()| self.seat(side, seed)).map_err(|fault| (side, fault))?;
        }
        let setups = match fixture.setups {
            Some(setups) => setups,
            None => BySide::new([self.ask_setup(Side::Red)?, self.ask_setup(Side::Blue)?]),
        };
        self.record.setups = setups.map(|setup| setup.to_string());
        let mut referee = Referee::new(self.rules, &setups[Side::Red], &setups[Side::Blue])
            .map_err(|error| (error.0, Fault::new(Flaw::Illegal, error.to_string())))?;
        for events in referee.opening() {
            self.tell(&events)?;
        }
        loop {
            if let Some(ending) = referee.ending() {
                return Ok(Outcome::of(ending));
            }
            if ending() {
                return Err((referee.to_move(), Fault::new(Flaw::Closed, "the arena is ending")));
            }
            if let Some(outcome) = self.step(&mut referee)? {
                return Ok(outcome);
            }
            if let Some(moment) = &starts.moment {
                moment.note(fixture.number, self.going());
            }
        }
    }

    /// How far the game is.
    fn going(&self) -> Going {
        let players = self.record.players.each_ref().map(|player| player.name.clone());
        let (plies, last) = (self.record.moves.len(), self.record.moves.last().cloned().unwrap_or_default());
        Going { players, plies, last }
    }

    /// Starts the player, if it does not run.
    fn start(&mut self, side: Side, contender: usize, starts: &Starts) -> Result<(), Fault> {
        if self.chairs[side].player.is_none() {
            let started = self.contenders[side].start(self.house.patience);
            starts.note(contender, started.is_ok());
            self.chairs[side].player = Some(started?);
        }
        Ok(())
    }

    fn seat(&mut self, side: Side, seed: u64) -> Result<(), Fault> {
        let chair = &mut self.chairs[side];
        chair.seated()?.begin(&Seat { side, rules: self.rules, seed })?;
        self.begun[side] = true;
        self.record.players[side] = self.contenders[side].record(chair.about());
        Ok(())
    }

    fn ask_setup(&mut self, side: Side) -> Result<Setup, Blame> {
        let asked = self.chairs[side].seated().and_then(Player::choose_setup);
        let setup = asked.map_err(|fault| (side, fault))?;
        if setup.is_complete(&self.rules.army()) {
            return Ok(setup);
        }
        Err((side, Fault::new(Flaw::Illegal, format!("setup {setup} is not the whole army"))))
    }

    fn tell(&mut self, events: &Events) -> Result<(), Blame> {
        for (side, chair) in self.chairs.iter_mut() {
            let observed = chair.seated().and_then(|player| player.observe(&events[side]));
            observed.map_err(|fault| (side, fault))?;
        }
        Ok(())
    }

    /// Tells the ply that ended the game: a fault costs nothing but the process.
    fn tell_last(&mut self, events: &Events) {
        for (side, chair) in self.chairs.iter_mut() {
            if chair.seated().and_then(|player| player.observe(&events[side])).is_err() {
                chair.player = None;
            }
        }
    }

    /// One turn; the outcome if it ends the game in a way that no rule does.
    fn step(&mut self, referee: &mut Referee) -> Result<Option<Outcome>, Blame> {
        let mover = referee.to_move();
        let turn = self.turn(mover);
        let asked = self.chairs[mover].seated().and_then(|player| player.choose(&turn));
        let offer = asked.map_err(|fault| (mover, fault))?;
        self.run_clock(mover, offer.taken);
        let Choice::Act(action) = offer.choice else {
            return Ok(Some(Outcome::of_decision(Some(mover.enemy()), Decision::Resigned)));
        };
        let events = referee.play(action).map_err(|refusal| {
            (mover, Fault::new(Flaw::Illegal, format!("{}: {refusal}", action.text(false))))
        })?;
        self.note(&events, mover, &offer);
        if referee.ending().is_some() {
            self.tell_last(&events);
            return Ok(None);
        }
        self.tell(&events)?;
        let given = self.house.adjudication.and_then(|rule| {
            self.agreement.hear(rule, mover, offer.chances);
            self.agreement.winner(rule)
        });
        Ok(given.map(Outcome::of_adjudication))
    }

    fn control(&self, side: Side) -> Option<Control> {
        self.contenders[side].limits.control
    }

    fn turn(&self, mover: Side) -> Turn {
        let movetime = self.contenders[mover].limits.movetime.map(Duration::from_millis);
        let left = self.left[mover];
        let limit = left.into_iter().chain(movetime).min();
        let increment =
            BySide::from_fn(|side| self.control(side).map_or(Duration::ZERO, |control| control.increment));
        Turn { left: self.left, increment, allowed: limit.map(|limit| limit + self.house.margin) }
    }

    fn run_clock(&mut self, mover: Side, taken: Duration) {
        if let (Some(left), Some(control)) = (self.left[mover], self.control(mover)) {
            self.left[mover] = Some(left.saturating_sub(taken) + control.increment);
        }
    }

    fn note(&mut self, events: &Events, mover: Side, offer: &Offer) {
        // The referee tells a ply of every action it makes.
        let Some(played) = truth(events, mover) else { return };
        self.record.moves.push(played.to_string());
        self.record.plies += 1;
        self.record.strikes += u32::from(played.verdict.is_some());
        self.record.candidates.push(match offer.chances {
            _ if self.told_candidates => candidates_text(&offer.candidates),
            chances => scored(played.action, chances),
        });
        self.record.nodes.push(offer.nodes);
        if self.house.clocks {
            self.record.clocks.push((offer.taken.as_secs_f64() * 1e5).round() / 1e2);
        }
    }
}

/// An action with its expected score in thousandths, as records have it; empty if the player gave no chances.
fn scored(action: Action, chances: Option<[u32; 3]>) -> String {
    let score = |[win, draw, _]: [u32; 3]| (win + draw / 2).min(u32::from(MOST_SCORE));
    chances.map_or_else(String::new, |chances| format!("{} {}", action.text(false), score(chances)))
}

/// Candidates with their points, as records have them.
fn candidates_text(candidates: &[(Action, u16)]) -> String {
    let texts = candidates.iter().map(|(action, points)| format!("{} {points}", action.text(false)));
    texts.collect::<Vec<_>>().join(" ")
}
