//! What a match consists of: which game has which number, who plays it and from which setups.
//!
//! A game follows from the plan and its number alone, so that a match can be broken off, taken up again and shared
//! out over machines.

use crate::contender::Contender;
use crate::game::{Fixture, House};
use anyhow::{Context, ensure};
use outflank::deployment;
use outflank::rng::Rng;
use outflank::rules::{Army, BySide, Setup};
use outflank_record::Record;

pub use outflank_selfplay::shard::Shard;

/// More games than anybody plays; a number above it was not meant.
pub const MOST_GAMES: u64 = 1_000_000_000_000;

/// Who meets whom.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Pairing {
    /// Everybody meets everybody else.
    RoundRobin,
    /// The first meets everybody else.
    Gauntlet,
}

/// Where setups come from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Setups {
    /// Drawn by the arena from the seed.
    Drawn,
    /// From a book, in an order drawn from the seed; around again at its end.
    Book(Vec<Setup>),
    /// Each player chooses its own.
    Own,
}

/// A whole match.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who takes part.
    pub contenders: Vec<Contender>,
    /// Who meets whom.
    pub pairing: Pairing,
    /// How often each two meet.
    pub rounds: u64,
    /// Whether each meeting is a pair of games with the same setups and swapped colours.
    pub paired: bool,
    /// Where setups come from.
    pub setups: Setups,
    /// The share that is played here.
    pub shard: Shard,
    /// How games are judged.
    pub house: House,
}

/// Streams of the match's seed: for the setups of a round, for the players of a game, and for the order of a book.
#[derive(Copy, Clone)]
enum Stream {
    Setups(u64),
    Players(u64),
    Order,
}

impl Stream {
    fn rng(self, seed: u64) -> Rng {
        let number = match self {
            Stream::Setups(round) => round << 2,
            Stream::Players(game) => game << 2 | 1,
            Stream::Order => 2,
        };
        Rng::stream(seed, number)
    }
}

impl Plan {
    /// Who meets whom in one round, by number.
    fn meetings(&self) -> Vec<[usize; 2]> {
        let count = self.contenders.len();
        let firsts = match self.pairing {
            Pairing::RoundRobin => count,
            Pairing::Gauntlet => 1,
        };
        (0..firsts).flat_map(|first| (first + 1..count).map(move |second| [first, second])).collect()
    }

    const fn games_a_meeting(&self) -> u64 {
        if self.paired { 2 } else { 1 }
    }

    const fn games_a_round(&self) -> u64 {
        let count = self.contenders.len() as u64;
        let meetings = match self.pairing {
            Pairing::RoundRobin => count * count.saturating_sub(1) / 2,
            Pairing::Gauntlet => count.saturating_sub(1),
        };
        meetings * self.games_a_meeting()
    }

    /// Games in the whole match.
    pub const fn games(&self) -> u64 {
        self.games_a_round().saturating_mul(self.rounds)
    }

    /// # Errors
    /// If the match has no games, or more than anybody means.
    pub fn check_size(&self) -> anyhow::Result<()> {
        ensure!(self.games() > 0, "a match needs games");
        ensure!(self.games() <= MOST_GAMES, "a match has at most {MOST_GAMES} games");
        Ok(())
    }

    /// The numbers of the games that are played here, in order.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + Send + use<> {
        let games = self.games_a_round();
        self.shard.rounds(self.rounds).flat_map(move |round| round * games..(round + 1) * games)
    }

    /// How many games are played here.
    pub fn count(&self) -> u64 {
        self.shard.size(self.rounds) * self.games_a_round()
    }

    /// One game.
    pub fn fixture(&self, number: u64) -> Fixture {
        let meetings = self.meetings();
        let meeting = number / self.games_a_meeting();
        let (round, index) = (meeting / meetings.len() as u64, meeting % meetings.len() as u64);
        let seats = BySide::new(meetings[index as usize]);
        let swapped = if self.paired { number % 2 } else { round % 2 };
        let seats = if swapped == 1 { seats.swapped() } else { seats };
        let mut rng = Stream::Players(number).rng(self.house.seed);
        let seeds = BySide::from_fn(|_| rng.bits());
        let pair = self.paired.then_some(meeting);
        Fixture {
            number,
            pair,
            shard: self.shard.record(self.games()),
            seats,
            setups: self.setups(round),
            seeds,
        }
    }

    /// The setups of a round.
    fn setups(&self, round: u64) -> Option<BySide<Setup>> {
        let seed = self.house.seed;
        match &self.setups {
            Setups::Own => None,
            Setups::Drawn => {
                let mut rng = Stream::Setups(round).rng(seed);
                Some(BySide::from_fn(|_| deployment::choose(&self.house.rules, None, &mut rng)))
            }
            Setups::Book(book) => {
                let mut order: Vec<usize> = (0..book.len()).collect();
                Stream::Order.rng(seed).shuffle(&mut order);
                let at = |place: u64| book[order[(place % book.len() as u64) as usize]];
                Some(BySide::new([at(2 * round), at(2 * round + 1)]))
            }
        }
    }

    /// Whether a record is of this match: what it says of its game is what the plan says.
    ///
    /// # Errors
    /// What differs.
    pub fn check_own(&self, record: &Record) -> anyhow::Result<()> {
        ensure!(record.game < self.games(), "the match has {} games", self.games());
        let fixture = self.fixture(record.game);
        ensure!(record.seed == self.house.seed, "it has seed {}", record.seed);
        ensure!(record.rules == self.house.rules.to_string(), "its rules are {}", record.rules);
        ensure!(record.pair == fixture.pair, "it belongs to pair {:?}", record.pair);
        if let (Some(told), Some(own)) = (record.shard, fixture.shard) {
            let same = (told.index, told.count) == (own.index, own.count);
            ensure!(same, "it is of shard {}/{}", told.index, told.count);
        }
        for (side, player) in record.players.iter() {
            let told =
                self.contenders[fixture.seats[side]].record(player.engine.as_deref().unwrap_or_default());
            ensure!(
                told == *player,
                "{} was told otherwise: {}",
                player.name,
                player.told.as_deref().unwrap_or("-")
            );
        }
        let setups = fixture.setups.map(|setups| setups.map(|setup| setup.to_string()));
        ensure!(setups.is_none_or(|setups| setups == record.setups), "it began from other setups");
        Ok(())
    }
}

/// Reads a book: a setup a line, as its owner sees it; empty lines and what follows a `#` are passed over.
///
/// # Errors
/// If a line is no whole army; the message tells its number. If there is none at all.
pub fn read_book(text: &str, army: &Army) -> anyhow::Result<Vec<Setup>> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).enumerate();
    let setups = lines.filter(|(_, line)| !line.is_empty()).map(|(number, line)| {
        let setup = line.parse::<Setup>().with_context(|| format!("line {}", number + 1))?;
        ensure!(setup.is_complete(army), "line {}: {line} is not the whole army", number + 1);
        Ok(setup)
    });
    let setups = setups.collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!setups.is_empty(), "the book has no setup");
    Ok(setups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::Ruleset;
    use std::collections::HashSet;
    use std::time::Duration;

    fn plan(count: usize, pairing: Pairing, rounds: u64, paired: bool) -> Plan {
        let contender = |index| Contender::read(&["cmd=x".to_owned(), format!("name={index}")]).unwrap();
        let house = House {
            rules: Ruleset::default(),
            seed: 5,
            margin: Duration::ZERO,
            patience: Duration::ZERO,
            adjudication: None,
            clocks: false,
        };
        let contenders = (0..count).map(contender).collect();
        Plan { contenders, pairing, rounds, paired, setups: Setups::Drawn, shard: Shard::WHOLE, house }
    }

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let plan = plan(4, Pairing::RoundRobin, 3, true);
        assert_eq!(plan.games(), 36);
        let mut seats: Vec<[usize; 2]> =
            plan.numbers().map(|number| plan.fixture(number).seats.into_array()).collect();
        seats.sort_unstable();
        seats.dedup_by(|a, b| a == b);
        assert_eq!(seats.len(), 12);
        for pair in 0..18 {
            let [one, two] = [plan.fixture(2 * pair), plan.fixture(2 * pair + 1)];
            assert_eq!((one.setups, one.pair), (two.setups, two.pair));
            assert_eq!(one.seats, two.seats.swapped());
            assert_ne!(one.seeds, two.seeds);
        }
        assert_eq!(plan.fixture(0).setups, plan.fixture(11).setups);
        assert_ne!(plan.fixture(0).setups, plan.fixture(12).setups);
    }

    #[test]
    fn a_gauntlet_is_the_firsts_alone() {
        let plan = plan(3, Pairing::Gauntlet, 2, false);
        let seats: Vec<[usize; 2]> =
            plan.numbers().map(|number| plan.fixture(number).seats.into_array()).collect();
        assert_eq!(seats, [[0, 1], [0, 2], [1, 0], [2, 0]]);
        assert_eq!(plan.fixture(0).pair, None);
    }

    #[test]
    fn shards_share_the_match_out() {
        let whole = plan(3, Pairing::RoundRobin, 7, true);
        let mut seen = HashSet::new();
        for index in 0..3 {
            let shard = Plan { shard: Shard { index, count: 3 }, ..whole.clone() };
            assert!(shard.numbers().all(|number| seen.insert(number)));
        }
        assert_eq!(seen.len() as u64, whole.games());
        for (index, count) in (1..=9).flat_map(|count| (0..count).map(move |index| (index, count))) {
            let shard = Plan { shard: Shard { index, count }, ..whole.clone() };
            assert_eq!(shard.count(), shard.numbers().count() as u64, "{index} of {count}");
        }
        assert_eq!("2/5".parse::<Shard>().unwrap(), Shard { index: 1, count: 5 });
        for wrong in ["0/5", "6/5", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_match_has_games_but_no_endless_number() {
        let sized =
            |rounds| plan(3, Pairing::RoundRobin, rounds, true).check_size().map_err(|e| e.to_string());
        assert_eq!(sized(0), Err("a match needs games".to_owned()));
        assert_eq!(sized(MOST_GAMES / 6), Ok(()));
        for rounds in [MOST_GAMES / 6 + 1, u64::MAX / 2, u64::MAX] {
            assert_eq!(sized(rounds), Err(format!("a match has at most {MOST_GAMES} games")));
        }
        let last = plan(3, Pairing::RoundRobin, MOST_GAMES / 6, true);
        assert_eq!(last.numbers().nth(100_000), Some(100_000));
    }

    #[test]
    fn books_are_read_and_gone_through() {
        let lines = "B3FB3262452B3B6B5S7325B48269474M62225873 # one\n\n# none\nFB22B34B53B5S63B2742B368274296275M254683\n";
        let book = read_book(lines, &Army::CLASSIC).unwrap();
        assert_eq!(book.len(), 2);
        let plan = Plan { setups: Setups::Book(book.clone()), ..plan(2, Pairing::Gauntlet, 3, true) };
        let setups = plan.fixture(0).setups.unwrap();
        let [red, blue] = setups.into_array();
        assert!(red != blue && book.contains(&red) && book.contains(&blue));
        assert_eq!(plan.fixture(4).setups, Some(setups));
        for wrong in ["", "FB", "????????????????????????????????????????"] {
            assert!(read_book(wrong, &Army::CLASSIC).is_err(), "{wrong}");
        }
    }
}
