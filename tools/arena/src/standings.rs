//! What a match has come to: counted from its records, printed as a table.

use crate::statistics::{Estimate, Sample, Sprt, Verdict};
use outflank::rules::Side;
use outflank_selfplay::record::{FAULT, Record};
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// Everything the table needs. Names stand in the order in which they first appear.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    names: Vec<String>,
    meetings: BTreeMap<[usize; 2], Meeting>,
    faults: BTreeMap<usize, Faults>,
    sprt: Option<Sprt>,
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
        Standings { names: names.into_iter().collect(), sprt, ..Standings::default() }
    }

    /// Counts a game in.
    ///
    /// # Errors
    /// If it names no winner or draw.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        let winner = record.outcome.side()?;
        let [red, blue] = [0, 1].map(|side| self.number(&record.players[side].name));
        let (seats, first) = if red < blue { ([red, blue], Side::Red) } else { ([blue, red], Side::Blue) };
        let points = winner.map_or(1, |winner| if winner == first { 2 } else { 0 });
        let meeting = self.meetings.entry(seats).or_default();
        meeting.games[points] += 1;
        if let Some(pair) = record.pair {
            meeting.pairs.entry(pair).or_default().push(points);
        }
        if let (FAULT, Some(winner)) = (record.outcome.reason.as_str(), winner) {
            let loser = [red, blue][winner.enemy().index()];
            self.blame(loser, record);
        }
        Ok(())
    }

    fn blame(&mut self, loser: usize, record: &Record) {
        let text = record.outcome.fault.as_deref().unwrap_or("unnamed");
        let faults = self.faults.entry(loser).or_default();
        let kind = text.split(':').next().unwrap_or(text);
        *faults.kinds.entry(kind.to_owned()).or_default() += 1;
        // The table must not depend on the order in which games end.
        if record.game >= faults.example.0 {
            faults.example = (record.game, text.to_owned());
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

    /// What the test says so far, and its ratio; `None` without one.
    ///
    /// It looks at the games in the order of their numbers, up to the first that is not over: when games end must not
    /// decide what a test sees. Once it has decided it looks no further.
    pub fn verdict(&self) -> Option<(Verdict, f64)> {
        let sprt = self.sprt?;
        let empty = Meeting::default();
        let meeting = self.meetings.get(&[0, 1]).unwrap_or(&empty);
        if meeting.pairs.is_empty() {
            let ratio = sprt.ratio(&Sample::Games(meeting.games));
            return Some((sprt.judge(ratio), ratio));
        }
        let (mut counts, mut ratio) = ([0; 5], 0.0);
        for (number, (pair, points)) in (0..).zip(&meeting.pairs) {
            if *pair != number || points.len() < 2 {
                break;
            }
            counts[points.iter().sum::<usize>()] += 1;
            ratio = sprt.ratio(&Sample::Pairs(counts));
            let verdict = sprt.judge(ratio);
            if verdict != Verdict::Open {
                return Some((verdict, ratio));
            }
        }
        Some((Verdict::Open, ratio))
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
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        writeln!(
            text,
            "{:width$} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6}",
            "engine", "games", "won", "drawn", "lost", "score", "faults"
        )?;
        for (number, total) in rows {
            let ([lost, drawn, won], score) = (total, share(total) * 100.0);
            let faults: u64 = self.faults.get(&number).map_or(0, |faults| faults.kinds.values().sum());
            let (name, games) = (&self.names[number], lost + drawn + won);
            writeln!(
                text,
                "{name:width$} {games:>6} {won:>6} {drawn:>6} {lost:>6} {score:>6.1}% {faults:>6}"
            )?;
        }
        Ok(())
    }

    fn write_meeting(&self, text: &mut String, seats: [usize; 2], meeting: &Meeting) -> fmt::Result {
        let [first, second] = seats.map(|number| &self.names[number]);
        let ([lost, drawn, won], sample) = (meeting.games, meeting.sample());
        writeln!(text, "\n{first} against {second}: won {won}, drawn {drawn}, lost {lost}")?;
        let (Some(elo), Some(score)) = (sample.elo(), sample.score()) else { return Ok(()) };
        write!(text, "  score {:.1}%, Elo {}", score.value * 100.0, estimate(elo))?;
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
        let (Some(sprt), Some((verdict, ratio))) = (self.sprt, self.verdict()) else { return Ok(()) };
        let ((low, high), model) = (sprt.bounds(), sprt.model.name());
        let says = match verdict {
            Verdict::Open => "open",
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
        };
        let (elo0, elo1) = (sprt.elo0, sprt.elo1);
        writeln!(
            text,
            "  SPRT elo0 {elo0} elo1 {elo1} {model}: LLR {ratio:.2} of {low:.2}..{high:.2}: {says}"
        )
    }

    fn write_faults(&self, text: &mut String) -> fmt::Result {
        for (number, faults) in &self.faults {
            let kinds: Vec<String> =
                faults.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            let (game, example) = &faults.example;
            writeln!(
                text,
                "\nfaults of {}: {}; game {game}: {example}",
                self.names[*number],
                kinds.join(", ")
            )?;
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
