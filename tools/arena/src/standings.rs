//! What a match has come to: counted from its records, printed as a table.

use crate::statistics::{Estimate, Sample, Sprt, Verdict};
use anyhow::ensure;
use outflank::rules::Side;
use outflank_record::console::printable;
use outflank_record::{EndReason, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

/// Everything the table needs. Names stand in the order in which they first appear.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    names: Vec<String>,
    meetings: BTreeMap<[usize; 2], Meeting>,
    faults: BTreeMap<usize, Faults>,
    /// Games without a result, and why.
    unfinished: BTreeMap<u64, String>,
    trial: Option<Trial>,
}

/// A test of the first two names.
///
/// It looks at pairs (or games) in the order of their numbers, up to the first that is not over: when games end must
/// not decide what a test sees. Once it has decided, later games change the ratio and nothing else.
#[derive(Clone, Debug)]
struct Trial {
    sprt: Sprt,
    /// The games of each pair (or the game) that were not looked at yet.
    waiting: BTreeMap<u64, Vec<Scored>>,
    /// Pairs (or games) with a game that has no result: they are passed over.
    void: BTreeSet<u64>,
    next: u64,
    /// Pairs or single games, as the first game was.
    sample: Option<Sample>,
    /// What it has decided, and when.
    decided: Option<Crossing>,
    /// The ratio after each pair (or game).
    ratios: Vec<f64>,
}

/// A game that is over.
#[derive(Copy, Clone, Debug)]
struct Scored {
    game: u64,
    /// The half points of the first name.
    points: usize,
}

/// Where a test's ratio first crossed a bound.
#[derive(Copy, Clone, Debug)]
struct Crossing {
    verdict: Verdict,
    /// The game with which it did.
    game: u64,
    ratio: f64,
}

impl Trial {
    fn new(sprt: Sprt) -> Trial {
        Trial {
            sprt,
            waiting: BTreeMap::new(),
            void: BTreeSet::new(),
            next: 0,
            sample: None,
            decided: None,
            ratios: Vec::new(),
        }
    }

    fn verdict(&self) -> Verdict {
        self.decided.map_or(Verdict::Open, |crossing| crossing.verdict)
    }

    /// Counts a game in; `None` is one without a result.
    ///
    /// # Errors
    /// If it is one of a pair and others are not: then their numbers count different things.
    fn hear(&mut self, pair: Option<u64>, game: u64, points: Option<usize>) -> anyhow::Result<()> {
        let fresh = if pair.is_some() { Sample::Pairs([0; 5]) } else { Sample::Games([0; 3]) };
        let sample = self.sample.get_or_insert(fresh);
        let paired = matches!(sample, Sample::Pairs(_));
        ensure!(
            paired == pair.is_some(),
            "game {game}: a test needs games in pairs or single ones, not both"
        );
        let number = pair.unwrap_or(game);
        match points {
            // The other game of a pair may have been seen before it, or come after.
            None if number >= self.next => _ = self.void.insert(number),
            Some(points) if number >= self.next => {
                self.waiting.entry(number).or_default().push(Scored { game, points });
            }
            None | Some(_) => {}
        }
        let whole = if paired { 2 } else { 1 };
        loop {
            if self.void.remove(&self.next) {
                self.waiting.remove(&self.next);
                self.next += 1;
                continue;
            }
            let ready = self.waiting.get(&self.next).filter(|games| games.len() == whole);
            let Some(games) = ready else { return Ok(()) };
            let points = games.iter().map(|game| game.points).sum::<usize>();
            match sample {
                Sample::Games(counts) => counts[points] += 1,
                Sample::Pairs(counts) => counts[points] += 1,
            }
            let ratio = self.sprt.ratio(sample);
            self.ratios.push(ratio);
            if self.decided.is_none() {
                let (verdict, game) = (self.sprt.judge(ratio), games.iter().map(|game| game.game).max());
                self.decided =
                    game.filter(|_| verdict != Verdict::Open).map(|game| Crossing { verdict, game, ratio });
            }
            self.waiting.remove(&self.next);
            self.next += 1;
        }
    }
}

/// All games between two.
#[derive(Clone, Debug, Default)]
struct Meeting {
    /// Lost, drawn and won by the first.
    games: [u64; 3],
    /// Half points of the first by pair, once for each game of it that is over.
    pairs: BTreeMap<u64, Vec<usize>>,
}

#[derive(Clone, Debug, Default)]
struct Faults {
    kinds: BTreeMap<String, u64>,
    /// The latest one: its game, and what was seen.
    example: (u64, String),
}

impl Meeting {
    /// Pairs that are whole, by half points.
    fn ended_pairs(&self) -> [u64; 5] {
        let mut counts = [0; 5];
        for points in self.pairs.values().filter(|points| points.len() == 2) {
            counts[points.iter().sum::<usize>()] += 1;
        }
        counts
    }

    /// The better sample there is.
    fn sample(&self) -> Sample {
        if self.pairs.is_empty() { Sample::Games(self.games) } else { Sample::Pairs(self.ended_pairs()) }
    }
}

impl Standings {
    /// No games yet; with a test, if there is to be one, of the first two names.
    pub fn new(names: impl IntoIterator<Item = String>, sprt: Option<Sprt>) -> Standings {
        let trial = sprt.map(Trial::new);
        Standings { names: names.into_iter().collect(), trial, ..Standings::default() }
    }

    /// Counts a game in. One without a result is named below the table, and counts nowhere.
    ///
    /// # Errors
    /// If it names no winner or draw, or a test meets games in pairs and single ones.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        let players = record.players.each_ref().map(|player| self.number(&player.name));
        let [red, blue] = players.into_array();
        if record.outcome.is_unfinished() {
            let why = record.outcome.fault.as_deref().unwrap_or("it goes on");
            self.unfinished.insert(record.game, why.to_owned());
            if let Some(trial) = self.trial.as_mut().filter(|_| red.min(blue) == 0 && red.max(blue) == 1) {
                trial.hear(record.pair, record.game, None)?;
            }
            return Ok(());
        }
        let winner = record.outcome.side()?;
        let (seats, first) = if red < blue { ([red, blue], Side::Red) } else { ([blue, red], Side::Blue) };
        let points = winner.map_or(1, |winner| if winner == first { 2 } else { 0 });
        let meeting = self.meetings.entry(seats).or_default();
        meeting.games[points] += 1;
        if let Some(pair) = record.pair {
            meeting.pairs.entry(pair).or_default().push(points);
        }
        if let Some(trial) = self.trial.as_mut().filter(|_| seats == [0, 1]) {
            trial.hear(record.pair, record.game, Some(points))?;
        }
        if let (EndReason::Fault, Some(winner)) = (record.outcome.reason, winner) {
            self.blame(players[winner.enemy()], record);
        }
        Ok(())
    }

    fn blame(&mut self, loser: usize, record: &Record) {
        let text = record.outcome.fault.as_deref().unwrap_or("unnamed");
        let faults = self.faults.entry(loser).or_default();
        let kind = text.split(':').next().unwrap_or(text);
        *faults.kinds.entry(printable(kind)).or_default() += 1;
        // The table must not depend on the order in which games end.
        if record.game >= faults.example.0 {
            faults.example = (record.game, printable(text));
        }
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.names.iter().position(|other| other == name) {
            return number;
        }
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.meetings.values().flat_map(|meeting| meeting.games).sum()
    }

    /// Engines that took part.
    pub fn engines(&self) -> usize {
        self.names.len()
    }

    /// What the test says so far; `None` without one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.trial.as_ref().map(Trial::verdict)
    }

    /// Lost, drawn and won games of one.
    fn total(&self, number: usize) -> [u64; 3] {
        let mut total = [0; 3];
        for ([first, second], meeting) in &self.meetings {
            for (points, count) in meeting.games.iter().enumerate() {
                if *first == number {
                    total[points] += count;
                } else if *second == number {
                    total[2 - points] += count;
                }
            }
        }
        total
    }

    fn write_table(&self, text: &mut String) -> fmt::Result {
        let mut rows: Vec<(usize, [u64; 3])> =
            (0..self.names.len()).map(|number| (number, self.total(number))).collect();
        let share = |[lost, drawn, won]: [u64; 3]| {
            (2 * won + drawn) as f64 / (2 * (lost + drawn + won)).max(1) as f64
        };
        rows.sort_by(|(_, a), (_, b)| share(*b).total_cmp(&share(*a)));
        let names: Vec<String> = self.names.iter().map(|name| printable(name)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        writeln!(
            text,
            "{:width$} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6}",
            "engine", "games", "won", "drawn", "lost", "score", "faults"
        )?;
        for (number, total) in rows {
            let ([lost, drawn, won], score) = (total, share(total) * 100.0);
            let faults: u64 = self.faults.get(&number).map_or(0, |faults| faults.kinds.values().sum());
            let (name, games) = (&names[number], lost + drawn + won);
            writeln!(
                text,
                "{name:width$} {games:>6} {won:>6} {drawn:>6} {lost:>6} {score:>6.1}% {faults:>6}"
            )?;
        }
        Ok(())
    }

    /// The ratio of the test after each pair (or game), and its bounds; `None` without a test.
    pub fn ratios(&self) -> Option<(&[f64], (f64, f64))> {
        self.trial.as_ref().map(|trial| (&trial.ratios[..], trial.sprt.bounds()))
    }

    /// Each meeting of two names with the share of the points of the first, in percent, and where it may lie with 95%
    /// certainty; without the share before a pair is over, where games are in pairs.
    pub fn meetings(&self) -> impl Iterator<Item = ([&str; 2], Option<Estimate>)> {
        let percent = |share: Estimate| Estimate {
            value: share.value * 100.0,
            low: (share.low * 100.0).max(0.0),
            high: (share.high * 100.0).min(100.0),
        };
        let meetings = self.meetings.iter().filter(|([first, second], _)| first != second);
        meetings.map(move |(seats, meeting)| {
            (seats.map(|number| &*self.names[number]), meeting.sample().score().map(percent))
        })
    }

    /// What came of each meeting of two names, a line each: who against whom, won, drawn and lost games, and the points.
    pub fn scores(&self) -> Vec<String> {
        let line = |(seats, meeting): (&[usize; 2], &Meeting)| {
            let [lost, drawn, won] = meeting.games;
            let points = won as f64 + drawn as f64 / 2.0;
            let (games, result) = (lost + drawn + won, self.result(*seats, meeting));
            format!("{result}; points {points} of {games} ({:.1}%)", points / games as f64 * 100.0)
        };
        self.meetings.iter().filter(|([first, second], _)| first != second).map(line).collect()
    }

    fn result(&self, seats: [usize; 2], meeting: &Meeting) -> String {
        let ([first, second], [lost, drawn, won]) =
            (seats.map(|number| printable(&self.names[number])), meeting.games);
        format!("{first} against {second}: won {won}, drawn {drawn}, lost {lost}")
    }

    fn write_meeting(&self, text: &mut String, seats: [usize; 2], meeting: &Meeting) -> fmt::Result {
        let sample = meeting.sample();
        writeln!(text, "\n{}", self.result(seats, meeting))?;
        let (Some(elo), Some(score)) = (sample.elo(), sample.score()) else { return Ok(()) };
        let [value, low, high] = [score.value, score.low, score.high].map(|share| share * 100.0);
        write!(
            text,
            "  score {value:.1}% ({:.1}..{:.1}), Elo {}",
            low.max(0.0),
            high.min(100.0),
            estimate(elo)
        )?;
        if let (Some(normal), Some(superiority)) = (sample.normal_elo(), sample.superiority()) {
            write!(text, ", nElo {}, LOS {:.1}%", estimate(normal), superiority * 100.0)?;
        }
        writeln!(text)?;
        match sample {
            Sample::Pairs(counts) => writeln!(text, "  pairs with 0, 1/2, 1, 3/2, 2 points: {counts:?}"),
            Sample::Games(_) => Ok(()),
        }
    }

    fn write_test(&self, text: &mut String) -> fmt::Result {
        let Some(Trial { sprt, sample, decided, .. }) = &self.trial else { return Ok(()) };
        let ratio = sample.map_or(0.0, |sample| sprt.ratio(&sample));
        let ((low, high), model) = (sprt.bounds(), sprt.model.name());
        let (elo0, elo1) = (sprt.elo0, sprt.elo1);
        write!(text, "  SPRT elo0 {elo0} elo1 {elo1} {model}: ")?;
        let Some(Crossing { verdict, game, ratio: first }) = decided else {
            return writeln!(text, "LLR {ratio:.2} of {low:.2}..{high:.2}: open");
        };
        let bounds = format!("of {low:.2}..{high:.2}");
        let accepted = match verdict {
            Verdict::H0 => "H0",
            Verdict::H1 => "H1",
            Verdict::Open => "nothing",
        };
        writeln!(
            text,
            "{accepted} accepted at game {game} with LLR {first:.2} {bounds}; LLR {ratio:.2} of all games"
        )
    }

    /// What went wrong with whom; empty if nothing did.
    pub fn faults(&self) -> String {
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _ = self.write_faults(&mut text);
        text
    }

    fn write_faults(&self, text: &mut String) -> fmt::Result {
        for (number, faults) in &self.faults {
            let kinds: Vec<String> =
                faults.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            let (game, example) = &faults.example;
            writeln!(
                text,
                "\nfaults of {}: {}; game {game}: {example}",
                printable(&self.names[*number]),
                kinds.join(", ")
            )?;
        }
        let count = self.unfinished.len();
        if let Some((game, why)) = self.unfinished.last_key_value() {
            writeln!(text, "\nleft out: {count} without a result; game {game}: {}", printable(why))?;
        }
        Ok(())
    }
}

/// `12.3 ±4.5`; the ends where they are not as far away.
fn estimate(estimate: Estimate) -> String {
    let Estimate { value, low, high } = estimate;
    if estimate.reach().is_finite() {
        format!("{value:.1} ±{:.1}", estimate.reach())
    } else {
        format!("{value:.1} ({low:.1}..{high:.1})")
    }
}

impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_table(&mut text)?;
        for (seats, meeting) in &self.meetings {
            self.write_meeting(&mut text, *seats, meeting)?;
        }
        self.write_test(&mut text)?;
        self.write_faults(&mut text)?;
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Model;
    use outflank::rules::{BySide, Reason};
    use outflank_record::{Outcome, PlayerRecord, Winner};

    fn record(game: u64, pair: Option<u64>, names: [&str; 2], outcome: Outcome) -> Record {
        Record {
            game,
            pair,
            players: BySide::new(names)
                .map(|name| PlayerRecord { name: name.to_owned(), ..PlayerRecord::default() }),
            outcome,
            ..Record::default()
        }
    }

    fn won(winner: Winner) -> Outcome {
        Outcome::new(winner, EndReason::Rule(Reason::Flag))
    }

    /// Twenty pairs: `a` wins with Red and draws with Blue; four times it fails with Blue.
    fn games() -> Vec<Record> {
        let pair = |pair: u64| {
            let fault = Outcome::of_fault(Side::Blue, format!("late: {pair}"));
            let second = if pair.is_multiple_of(5) { fault } else { won(Winner::Draw) };
            [
                record(2 * pair, Some(pair), ["a", "b"], won(Winner::Red)),
                record(2 * pair + 1, Some(pair), ["b", "a"], second),
            ]
        };
        (0..20).flat_map(pair).collect()
    }

    const SPRT: Sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };

    #[test]
    fn the_table_does_not_depend_on_the_order_in_which_games_end() {
        let table = |games: &[Record]| {
            let mut standings = Standings::new(["a", "b"].map(str::to_owned), Some(SPRT));
            for record in games {
                standings.add(record).unwrap();
            }
            (standings.games(), standings.verdict(), standings.to_string())
        };
        let (count, verdict, text) = table(&games());
        assert_eq!((count, verdict), (40, Some(Verdict::H1)));
        for part in [
            "a against b: won 20, drawn 16, lost 4",
            "points: [0, 0, 4, 16, 0]",
            "score 70.0%",
            "faults of a: 4 late; game 31: late: 15",
            "H1 accepted at game ",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let mut backwards = games();
        backwards.reverse();
        assert_eq!(table(&backwards).2, text);
    }

    #[test]
    fn a_test_says_at_which_game_it_was_decided_and_where_it_stands() {
        let mut standings = Standings::new(["a", "b"].map(str::to_owned), Some(SPRT));
        for record in games() {
            standings.add(&record).unwrap();
        }
        let text = standings.to_string();
        let decided = "H1 accepted at game 23 with LLR 2.96 of -2.94..2.94; LLR 4.94 of all games";
        assert!(text.contains(decided), "{text}");
        // What was decided stays so, whatever comes later; the ratio tells.
        for game in 40..200 {
            let names = if game % 2 == 0 { ["a", "b"] } else { ["b", "a"] };
            let winner = if game % 2 == 0 { Winner::Blue } else { Winner::Red };
            standings.add(&record(game, Some(game / 2), names, won(winner))).unwrap();
        }
        let text = standings.to_string();
        assert!(text.contains("H1 accepted at game 23 with LLR 2.96") && text.contains("; LLR -"), "{text}");
        assert_eq!(standings.verdict(), Some(Verdict::H1));
    }

    #[test]
    fn a_test_waits_for_the_game_before() {
        let mut standings = Standings::new(["a", "b"].map(str::to_owned), Some(SPRT));
        for record in &games()[1..] {
            standings.add(record).unwrap();
        }
        assert_eq!(standings.verdict(), Some(Verdict::Open));
        standings.add(&games()[0]).unwrap();
        assert_eq!(standings.verdict(), Some(Verdict::H1));
    }

    #[test]
    fn a_game_without_a_result_is_left_out_and_holds_no_test_up() {
        let void = |game: u64| {
            let names = if game.is_multiple_of(2) { ["a", "b"] } else { ["b", "a"] };
            let broken = Outcome::broken_off("silent: b: no bestmove in 600000 ms".to_owned());
            record(game, Some(game / 2), names, broken)
        };
        for place in [0, 1, 2, 7] {
            let mut games = games();
            games[place] = void(place as u64);
            let table = |games: &[Record]| {
                let mut standings = Standings::new(["a", "b"].map(str::to_owned), Some(SPRT));
                for record in games {
                    standings.add(record).unwrap();
                }
                (standings.verdict(), standings.games(), standings.to_string())
            };
            let (verdict, count, text) = table(&games);
            assert_eq!((verdict, count), (Some(Verdict::H1), 39), "{text}");
            let line = format!("left out: 1 without a result; game {place}: silent: b: no bestmove");
            assert!(text.contains(&line) && !text.contains("faults of b"), "{text}");
            games.reverse();
            assert_eq!(table(&games).2, text);
        }
    }

    #[test]
    fn a_test_refuses_games_in_pairs_beside_single_ones() {
        let (single, pairs) = (record(0, None, ["a", "b"], won(Winner::Red)), games());
        let (first, second) = (&pairs[2], &pairs[3]);
        for games in [[&single, first, second], [first, second, &single]] {
            let mut standings = Standings::new(["a", "b"].map(str::to_owned), Some(SPRT));
            let error = games.into_iter().try_for_each(|game| standings.add(game)).unwrap_err().to_string();
            assert!(error.contains("in pairs or single ones"), "{error}");
        }
    }

    #[test]
    fn names_cannot_paint_over_the_table() {
        let mut standings = Standings::default();
        let fault = Outcome::of_fault(Side::Blue, "late: \u{1b}[2J".to_owned());
        standings.add(&record(0, None, ["a\nb", "\u{202e}c"], fault)).unwrap();
        let text = standings.to_string();
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
        assert!(text.contains("a\\nb against \\u{202e}c") && text.contains("late: \\u{1b}[2J"), "{text}");
    }

    #[test]
    fn games_without_pairs_are_tested_too() {
        let mut standings = Standings::new([], Some(SPRT));
        for game in 0..40 {
            standings.add(&record(game, None, ["a", "b"], won(Winner::Red))).unwrap();
        }
        let text = standings.to_string();
        assert_eq!(standings.verdict(), Some(Verdict::H1));
        assert!(
            text.contains("score 100.0% (")
                && text.contains("..100.0), Elo inf (")
                && text.contains("..inf)"),
            "{text}"
        );
    }
}
