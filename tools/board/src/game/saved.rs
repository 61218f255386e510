//! A game as a file holds it. What is read is played again by the referee, so that nothing impossible comes in.

use super::course::Course;
use super::draw_talk::DrawTalk;
use super::options::{LEVELS, MOVETIMES, side};
use super::{EngineSeat, Match, Options, Seat, Spent};
use anyhow::{Context, ensure};
use outflank::rules::{BySide, Played, Ruleset, Setup, Side, Spn, Viewer};
use outflank_convert::game::IMPORTED;
use outflank_record::{Outcome, PlayerRecord, Record, by_side, verify};
use serde::{Deserialize, Serialize};
use std::iter;
use std::time::Duration;

/// Most plies of a record that is loaded.
const LONGEST: usize = 20_000;

/// A game as a file holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Saved {
    options: Options,
    #[serde(with = "by_side")]
    setups: BySide<Option<String>>,
    /// The position from which it began, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: Vec<String>,
    /// Nodes and milliseconds of each ply.
    spent: Vec<(u64, u64)>,
    outcome: Option<Outcome>,
    eyes: Option<String>,
    /// Milliseconds left.
    #[serde(with = "by_side")]
    left: BySide<Option<u64>>,
    taken_back: u32,
    /// Whether Red and Blue have come to devices of their own.
    #[serde(default)]
    seated: [bool; 2],
    /// Files of earlier versions do not have it.
    #[serde(default)]
    draw: DrawTalk,
    source: Option<Box<Record>>,
}

impl From<&Match> for Saved {
    fn from(game: &Match) -> Saved {
        let millis = |time: Duration| time.as_millis() as u64;
        let moves = game.course.as_ref().map_or(&[][..], Course::whole);
        Saved {
            options: game.options.clone(),
            setups: game.setups.map(|setup| setup.map(|setup| setup.to_string())),
            start: game.start.as_ref().map(ToString::to_string),
            moves: moves.iter().map(ToString::to_string).collect(),
            spent: game.spent.iter().map(|spent| (spent.nodes, millis(spent.time))).collect(),
            outcome: game.outcome.clone(),
            eyes: game.eyes.map(|side| side.to_string()),
            left: game.left.map(|left| left.map(millis)),
            taken_back: game.taken_back,
            seated: *game.seated.as_array(),
            draw: game.draw,
            source: game.source.clone(),
        }
    }
}

impl TryFrom<Saved> for Match {
    type Error = anyhow::Error;

    fn try_from(saved: Saved) -> anyhow::Result<Match> {
        if let Some(source) = saved.source {
            return Match::from_record(*source);
        }
        let mut game = Match::new(saved.options);
        for (owner, text) in saved.setups.iter() {
            if let Some(text) = text {
                game.deploy(owner, &text.parse::<Setup>()?)?;
            }
        }
        if let Some(start) = saved.start {
            let start = Spn::parse(&start, Ruleset::default())?;
            ensure!(start.viewer == Viewer::Both, "a game begins where both armies are known");
            game.course = Some(Course::from_position(&start));
            game.start = Some(Box::new(start));
        }
        let moves = read(&saved.moves)?;
        ensure!(saved.spent.len() == moves.len(), "plies and their times differ in number");
        ensure!(moves.is_empty() || game.course.is_some(), "there are plies before the setups");
        game.course = game.course.take().map(|course| course.replay(&moves)).transpose()?;
        let millis = Duration::from_millis;
        game.spent = saved.spent.iter().map(|&(nodes, time)| Spent { nodes, time: millis(time) }).collect();
        let ending = game.course.as_ref().and_then(|course| course.referee().ending()).map(Outcome::of);
        ensure!(ending.is_none() || ending == saved.outcome, "it did not end like that");
        game.outcome = saved.outcome;
        let eyes = saved.eyes.map(|name| side(&name).with_context(|| format!("no side is called {name:?}")));
        // Only two persons turn the page over; else the options tell whose eyes it has.
        if game.options.is_shared() {
            game.eyes = eyes.transpose()?;
        }
        if game.options.clock.is_some() {
            game.left = saved.left.map(|left| Some(millis(left.unwrap_or(0))));
        }
        (game.taken_back, game.draw) = (saved.taken_back, saved.draw);
        game.seated = BySide::new(saved.seated);
        if game.outcome.is_some() && game.start.is_none() {
            verify(&game.record().context("a game without setups cannot be over")?)?;
        }
        Ok(game)
    }
}

/// The kind of a player who is a person.
const HUMAN: &str = "human";
/// What an engine of full strength has for a move where its record does not say.
const MOVETIME: u64 = 1000;

impl Match {
    /// A game from its record: a finished or imported one, to be looked at, or an unfinished one of a person, to be
    /// resumed.
    ///
    /// # Errors
    /// If the record does not hold what the referee finds.
    pub fn from_record(record: Record) -> anyhow::Result<Match> {
        ensure!(record.moves.len() <= LONGEST, "it has more than {LONGEST} plies");
        verify(&record)?;
        ensure!(record.setups.values().all(|setup| !setup.is_empty()), "it ended before there were setups");
        let is_human = |player: &PlayerRecord| player.player == HUMAN;
        let begun_here = record.outcome.is_unfinished() && record.version != IMPORTED;
        if begun_here && record.players.values().any(is_human) {
            return Match::going_on(&record);
        }
        let options = Options {
            rules: record.ruleset()?,
            seats: BySide::filled(Seat::Person),
            eyes: Side::Red,
            friendly: false,
            clock: None,
            devices: false,
        };
        let (mut game, setups) = (Match::new(options), record.armies()?);
        let course = Course::new(game.options.rules, &setups)?.replay(&record.actions()?)?;
        game.setups = setups.map(Some);
        game.course = Some(course);
        game.outcome = Some(record.outcome.clone());
        game.eyes = Some(Side::Red);
        game.source = Some(Box::new(record));
        Ok(game)
    }

    /// An unfinished game of a person, as a friendly one that goes on.
    fn going_on(record: &Record) -> anyhow::Result<Match> {
        let seats = record.players.each_ref().map(seat);
        let options = Options {
            rules: record.ruleset()?,
            seats,
            eyes: Side::Red,
            friendly: true,
            clock: None,
            devices: false,
        };
        let mut game = Match::new(options);
        for (owner, setup) in record.armies()?.iter() {
            game.deploy(owner, setup)?;
        }
        let actions = record.actions()?;
        game.course = game.course.take().map(|course| course.replay(&actions)).transpose()?;
        let times =
            record.clocks.iter().map(|time| Duration::try_from_secs_f64(time / 1000.0).unwrap_or_default());
        let spent = record
            .nodes
            .iter()
            .copied()
            .chain(iter::repeat(0))
            .zip(times.chain(iter::repeat(Duration::ZERO)));
        game.spent = spent.take(record.moves.len()).map(|(nodes, time)| Spent { nodes, time }).collect();
        Ok(game)
    }
}

/// Who continues a recorded game. Whatever played against the person, the board's engine does now.
fn seat(player: &PlayerRecord) -> Seat {
    if player.player == HUMAN {
        return Seat::Person;
    }
    let level = player.level.filter(|level| LEVELS.contains(level)).unwrap_or(*LEVELS.end());
    let movetime = u32::try_from(player.movetime.unwrap_or(MOVETIME)).unwrap_or(u32::MAX);
    Seat::Engine(EngineSeat { level, movetime: movetime.clamp(*MOVETIMES.start(), *MOVETIMES.end()) })
}

fn read(moves: &[String]) -> anyhow::Result<Vec<Played>> {
    let read = |text: &String| text.parse::<Played>().ok().with_context(|| format!("{text:?} is no ply"));
    moves.iter().map(read).collect()
}
