//! What a match consists of: which game has which number, who plays it and from which setups.
//!
//! A game follows from the plan and its number alone, so that a match can be broken off, taken up again and shared
//! out over machines.

use crate::contender::Contender;
use crate::game::{Fixture, House};
use crate::rules::Rules;
use crate::shard::Shard;
use anyhow::{Context, ensure};
use outflank::deployment::choose_from;
use outflank::rng::Rng;
use outflank::rules::{Army, BySide, Ruleset, Setup};
use outflank_record::Record;
use outflank_record::bounds::MOST_GAMES;

/// Who meets whom.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Tournament {
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
    pub tournament: Tournament,
    /// How often each two meet.
    pub rounds: u64,
    /// Whether each meeting is a pair of games with the same setups and swapped colours.
    pub paired: bool,
    /// The rule systems.
    pub rules: Rules,
    /// Where setups come from.
    pub setups: Setups,
    /// The share that is played here.
    pub shard: Shard,
    /// How games are judged.
    pub house: House,
}

/// Streams of the match's seed: for the setups and the rules of a round, for the players of a game, and for the order
/// of a book.
#[derive(Copy, Clone)]
enum Stream {
    Setups(u64),
    Rules(u64),
    Players(u64),
    Order,
}

impl Stream {
    fn rng(self, seed: u64) -> Rng {
        let number = match self {
            Stream::Setups(round) => round << 2,
            Stream::Players(game) => game << 2 | 1,
            Stream::Order => 2,
            Stream::Rules(round) => round << 2 | 3,
        };
        Rng::stream(seed, number)
    }
}

impl Plan {
    /// A plain match: everybody meets everybody so often, no games are paired, setups are drawn, and nobody is late.
    pub const fn plain(contenders: Vec<Contender>, rounds: u64, rules: Rules, seed: u64) -> Plan {
        Plan {
            contenders,
            tournament: Tournament::RoundRobin,
            rounds,
            paired: false,
            rules,
            setups: Setups::Drawn,
            shard: Shard::WHOLE,
            house: House::patient(seed),
        }
    }

    /// Who meets whom in one round, by number.
    fn meetings(&self) -> Vec<[usize; 2]> {
        let count = self.contenders.len();
        let firsts = match self.tournament {
            Tournament::RoundRobin => count,
            Tournament::Gauntlet => 1,
        };
        (0..firsts).flat_map(|first| (first + 1..count).map(move |second| [first, second])).collect()
    }

    const fn games_a_meeting(&self) -> u64 {
        if self.paired { 2 } else { 1 }
    }

    const fn games_a_round(&self) -> u64 {
        let count = self.contenders.len() as u64;
        let meetings = match self.tournament {
            Tournament::RoundRobin => count * count.saturating_sub(1) / 2,
            Tournament::Gauntlet => count.saturating_sub(1),
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
        let pair = number / self.games_a_meeting();
        let (round, index) = (pair / meetings.len() as u64, pair % meetings.len() as u64);
        let meeting = meetings[index as usize];
        let swapped = if self.paired { number % 2 } else { round % 2 } == 1;
        let seats = BySide::new(meeting);
        let mut rng = Stream::Players(number).rng(self.house.seed);
        let seeds = BySide::from_fn(|_| rng.bits());
        let rules = self.rules.of(&mut Stream::Rules(round).rng(self.house.seed));
        Fixture {
            number,
            pair: self.paired.then_some(pair),
            shard: self.shard.record(self.games()),
            rules,
            seats: if swapped { seats.swapped() } else { seats },
            setups: self.setups(round, &rules, meeting, swapped),
            seeds,
        }
    }

    /// The setups of a game between two. Both games of a pair have the same, but those that are drawn for a contender
    /// of its own go with it.
    fn setups(
        &self,
        round: u64,
        rules: &Ruleset,
        meeting: [usize; 2],
        swapped: bool,
    ) -> Option<BySide<Setup>> {
        let seed = self.house.seed;
        match &self.setups {
            Setups::Own => None,
            Setups::Drawn => {
                let sources = meeting.map(|number| self.contenders[number].setups);
                let mut rng = Stream::Setups(round).rng(seed);
                let drawn =
                    sources.map(|source| choose_from(source.unwrap_or_default(), rules, None, &mut rng));
                let drawn = BySide::new(drawn);
                let own = sources.iter().any(Option::is_some);
                Some(if own && swapped { drawn.swapped() } else { drawn })
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
        ensure!(record.rules == fixture.rules.to_string(), "its rules are {}", record.rules);
        ensure!(record.pair == fixture.pair, "it belongs to pair {:?}", record.pair);
        if let (Some(recorded), Some(own)) = (record.shard, fixture.shard) {
            let same = (recorded.index, recorded.count) == (own.index, own.count);
            ensure!(same, "it is of shard {}/{}", recorded.index, recorded.count);
        }
        for (side, player) in record.players.iter() {
            let expected =
                self.contenders[fixture.seats[side]].record(player.engine.as_deref().unwrap_or_default());
            ensure!(
                expected == *player,
                "the settings of {} differ: there they are {}",
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
    use outflank::deployment::Source;
    use std::collections::HashSet;

    fn plan(count: usize, tournament: Tournament, rounds: u64, paired: bool) -> Plan {
        let contender = |index| Contender::read(&["cmd=x".to_owned(), format!("name={index}")]).unwrap();
        let contenders = (0..count).map(contender).collect();
        let rules = Rules::Same(Ruleset::default());
        Plan { tournament, paired, ..Plan::plain(contenders, rounds, rules, 5) }
    }

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let plan = plan(4, Tournament::RoundRobin, 3, true);
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
    fn setups_of_a_contenders_own_go_with_it() {
        let plain = plan(2, Tournament::RoundRobin, 4, true);
        let mut own = plain.clone();
        own.contenders[1].setups = Some(Source::Drawn);
        let setups = |plan: &Plan, number| plan.fixture(number).setups.unwrap();
        for pair in 0..4 {
            assert_eq!(setups(&plain, 2 * pair), setups(&plain, 2 * pair + 1));
            assert_eq!(setups(&own, 2 * pair).swapped(), setups(&own, 2 * pair + 1));
            assert_ne!(setups(&own, 2 * pair), setups(&own, 2 * pair + 1));
        }
        assert!((0..4).any(|pair| setups(&own, 2 * pair) != setups(&plain, 2 * pair)));
    }

    #[test]
    fn drawn_rules_are_a_rounds() {
        let plan = Plan { rules: Rules::Drawn(90), ..plan(3, Tournament::RoundRobin, 30, true) };
        let rules: Vec<String> =
            plan.numbers().map(|number| plan.fixture(number).rules.to_string()).collect();
        assert!(rules.chunks(6).all(|round| round.iter().all(|own| *own == round[0])));
        assert!(rules.iter().collect::<HashSet<_>>().len() > 20);
        for number in plan.numbers() {
            let Fixture { rules, setups, .. } = plan.fixture(number);
            assert!(setups.unwrap().values().all(|setup| setup.is_complete(&rules.army())));
        }
    }

    #[test]
    fn a_gauntlet_is_the_firsts_alone() {
        let plan = plan(3, Tournament::Gauntlet, 2, false);
        let seats: Vec<[usize; 2]> =
            plan.numbers().map(|number| plan.fixture(number).seats.into_array()).collect();
        assert_eq!(seats, [[0, 1], [0, 2], [1, 0], [2, 0]]);
        assert_eq!(plan.fixture(0).pair, None);
    }

    #[test]
    fn shards_share_the_match_out() {
        let whole = plan(3, Tournament::RoundRobin, 7, true);
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
            |rounds| plan(3, Tournament::RoundRobin, rounds, true).check_size().map_err(|e| e.to_string());
        assert_eq!(sized(0), Err("a match needs games".to_owned()));
        assert_eq!(sized(MOST_GAMES / 6), Ok(()));
        for rounds in [MOST_GAMES / 6 + 1, u64::MAX / 2, u64::MAX] {
            assert_eq!(sized(rounds), Err(format!("a match has at most {MOST_GAMES} games")));
        }
        let last = plan(3, Tournament::RoundRobin, MOST_GAMES / 6, true);
        assert_eq!(last.numbers().nth(100_000), Some(100_000));
    }

    #[test]
    fn books_are_read_and_gone_through() {
        let lines = "B3FB3262452B3B6B5S7325B48269474M62225873 # one\n\n# none\nFB22B34B53B5S63B2742B368274296275M254683\n";
        let book = read_book(lines, &Army::CLASSIC).unwrap();
        assert_eq!(book.len(), 2);
        let plan = Plan { setups: Setups::Book(book.clone()), ..plan(2, Tournament::Gauntlet, 3, true) };
        let setups = plan.fixture(0).setups.unwrap();
        let [red, blue] = setups.into_array();
        assert!(red != blue && book.contains(&red) && book.contains(&blue));
        assert_eq!(plan.fixture(4).setups, Some(setups));
        for wrong in ["", "FB", "????????????????????????????????????????"] {
            assert!(read_book(wrong, &Army::CLASSIC).is_err(), "{wrong}");
        }
    }
}
