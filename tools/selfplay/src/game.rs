//! One game between two players, through the referee.

use crate::player::{Config, Player};
use anyhow::Context;
use outflank::deployment;
use outflank::referee::{Events, Referee};
use outflank::rng::Rng;
use outflank::rules::{Action, BySide, Ruleset, Setup, Side};
use outflank_record::{Outcome, Record, truth};
use std::time::Instant;

/// Everything one game depends on.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its number in the contest.
    pub number: u64,
    /// The pair it belongs to, if any: games of a pair share their setups.
    pub pair: Option<u64>,
    /// The rule system.
    pub rules: Ruleset,
    /// The contest's seed.
    pub seed: u64,
    /// The players.
    pub players: BySide<Config>,
    /// Whether the record tells how long each action took.
    pub clocks: bool,
}

/// Streams of a contest's seed: setups come from the even ones, what players roll from the odd ones.
const fn stream(number: u64, players: bool) -> u64 {
    number << 1 | players as u64
}

impl Game {
    /// The setups; the same for both games of a pair. Players with setups of their own keep them when
    /// they change colours.
    pub fn setups(&self) -> BySide<Setup> {
        let mut rng = Rng::stream(self.seed, stream(self.pair.unwrap_or(self.number), false));
        if self.players.values().all(|player| player.setups.is_none()) {
            return BySide::from_fn(|_| deployment::choose(&self.rules, None, &mut rng));
        }
        // Red of the pair's first game draws first.
        let turned = self.pair.is_some() && !self.number.is_multiple_of(2);
        let order = BySide::new(Side::BOTH);
        let order = if turned { order.swapped() } else { order };
        let drawn = order.map(|side| {
            let source = self.players[side].setups.unwrap_or_default();
            deployment::choose_from(source, &self.rules, None, &mut rng)
        });
        if turned { drawn.swapped() } else { drawn }
    }

    /// Plays the game out.
    ///
    /// # Errors
    /// If a setup is not the whole army, or a player cannot follow the events: faults of the engine's.
    pub fn play(&self) -> anyhow::Result<Record> {
        self.play_from(&self.setups())
    }

    /// As [`play`](Game::play), from these setups.
    ///
    /// # Errors
    /// As [`play`](Game::play).
    pub fn play_from(&self, setups: &BySide<Setup>) -> anyhow::Result<Record> {
        let mut referee = Referee::new(self.rules, &setups[Side::Red], &setups[Side::Blue])?;
        let mut players = self.seat();
        for events in referee.opening() {
            tell(&mut players, &events)?;
        }
        let mut record = self.blank(setups);
        let outcome = loop {
            if let Some(ending) = referee.ending() {
                break Outcome::of(ending);
            }
            if let Some(fault) = self.step(&mut referee, &mut players, &mut record)? {
                break Outcome::of_fault(referee.to_move(), fault);
            }
        };
        record.outcome = outcome;
        record.plies = referee.ply();
        Ok(record)
    }

    /// One action; the fault if its player has none that the referee takes.
    fn step(
        &self,
        referee: &mut Referee,
        players: &mut BySide<Player>,
        record: &mut Record,
    ) -> anyhow::Result<Option<String>> {
        let mover = referee.to_move();
        let since = Instant::now();
        let offer = players[mover].choose();
        let taken = since.elapsed();
        let Some(action) = offer.action else { return Ok(Some("no action offered".to_owned())) };
        let events = match referee.play(action) {
            Ok(events) => events,
            Err(refusal) => return Ok(Some(format!("{}: {refusal}", action.text(false)))),
        };
        let played = truth(&events, mover).context("the referee told no ply")?;
        record.moves.push(played.to_string());
        record.strikes += u32::from(played.verdict.is_some());
        record.nodes.push(offer.nodes);
        if self.players.values().any(|player| player.candidates > 0) {
            record.candidates.push(candidates_text(&offer.candidates));
        }
        if self.clocks {
            record.clocks.push((taken.as_secs_f64() * 1e5).round() / 1e2);
        }
        tell(players, &events)?;
        Ok(None)
    }

    /// Both players at an empty board, each with its own rng.
    fn seat(&self) -> BySide<Player> {
        let mut rng = Rng::stream(self.seed, stream(self.number, true));
        BySide::from_fn(|side| Player::new(&self.players[side], side, self.rules, rng.bits()))
    }

    fn blank(&self, setups: &BySide<Setup>) -> Record {
        Record {
            game: self.number,
            pair: self.pair,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: self.rules.to_string(),
            seed: self.seed,
            players: self.players.each_ref().map(Config::record),
            setups: setups.map(|setup| setup.to_string()),
            ..Record::default()
        }
    }
}

/// As they stand in records.
fn candidates_text(candidates: &[(Action, u16)]) -> String {
    let texts = candidates.iter().map(|(action, points)| format!("{} {points}", action.text(false)));
    texts.collect::<Vec<_>>().join(" ")
}

fn tell(players: &mut BySide<Player>, events: &Events) -> anyhow::Result<()> {
    players.iter_mut().try_for_each(|(side, player)| player.observe(&events[side]))
}
