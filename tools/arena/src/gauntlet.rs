//! How one engine has fared against each of many opponents: counted from records, printed as a table.

use outflank_record::console::printable;
use outflank_record::interval::wilson;
use outflank_record::{EndReason, Record};
use std::fmt;

/// Every style of `outflank-style`, in its order, which a test there compares. The last is no theme's, and plays where
/// it is named.
pub const STYLES: [&str; 8] =
    ["chaser", "baiter", "raider", "turtle", "rusher", "eccentric", "coward", "ordinary"];

/// The styles of a gauntlet that is given none, in the order of its table.
pub fn usual_styles() -> &'static [&'static str] {
    &STYLES[..STYLES.len() - 1]
}

/// All games of one engine, by opponent, in the order in which they were named.
#[derive(Clone, Debug)]
pub struct GauntletTable {
    name: String,
    rows: Vec<Row>,
}

/// All games against one opponent.
#[derive(Clone, Debug, Default)]
struct Row {
    opponent: String,
    /// Lost, drawn and won by the engine.
    games: [u64; 3],
    plies: u64,
    /// Games that the opponent lost by a fault, and those that the engine lost so.
    faults: [u64; 2],
}

impl GauntletTable {
    /// No games yet; the first name is the engine's, the others its opponents'.
    pub fn new(names: impl IntoIterator<Item = String>) -> GauntletTable {
        let mut names = names.into_iter();
        let name = names.next().unwrap_or_default();
        let rows = names.map(|opponent| Row { opponent, ..Row::default() }).collect();
        GauntletTable { name, rows }
    }

    /// Counts a game in, unless it has no result, or the engine or the opponent is not of the gauntlet.
    ///
    /// # Errors
    /// If it names no winner or draw.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        if record.outcome.is_unfinished() {
            return Ok(());
        }
        let winner = record.outcome.side()?;
        let Some((side, _)) = record.players.iter().find(|(_, player)| player.name == self.name) else {
            return Ok(());
        };
        let opponent = &record.players[side.enemy()].name;
        let Some(row) = self.rows.iter_mut().find(|row| row.opponent == *opponent) else { return Ok(()) };
        row.games[winner.map_or(1, |winner| if winner == side { 2 } else { 0 })] += 1;
        row.plies += u64::from(record.plies);
        if record.outcome.reason == EndReason::Fault {
            row.faults[usize::from(winner != Some(side))] += 1;
        }
        Ok(())
    }

    fn total(&self) -> Row {
        let mut total = Row { opponent: "all".to_owned(), ..Row::default() };
        for row in &self.rows {
            (0..3).for_each(|points| total.games[points] += row.games[points]);
            (0..2).for_each(|whose| total.faults[whose] += row.faults[whose]);
            total.plies += row.plies;
        }
        total
    }
}

impl fmt::Display for GauntletTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            self.rows.iter().map(|row| printable(&row.opponent).chars().count()).max().unwrap_or(0).max(8);
        writeln!(f, "{} against", printable(&self.name))?;
        writeln!(
            f,
            "{:width$} {:>6} {:>6} {:>6} {:>6} {:>7} {:>13} {:>7} {:>7} {:>7}",
            "opponent", "games", "won", "drawn", "lost", "points", "95%", "plies", "faults", "own"
        )?;
        self.rows.iter().chain([&self.total()]).try_for_each(|row| row.write(f, width))
    }
}

impl Row {
    fn write(&self, f: &mut fmt::Formatter<'_>, width: usize) -> fmt::Result {
        let Row { opponent, games: [lost, drawn, won], plies, faults: [faults, own] } = self;
        let games = lost + drawn + won;
        let opponent = printable(opponent);
        write!(f, "{opponent:width$} {games:>6} {won:>6} {drawn:>6} {lost:>6} ")?;
        if games == 0 {
            return writeln!(f, "{:>7} {:>13} {:>7} {faults:>7} {own:>7}", "-", "-", "-");
        }
        let points = *won as f64 + *drawn as f64 / 2.0;
        let (low, high) = wilson(points / games as f64, games as f64);
        let interval = format!("{:.1}..{:.1}", low * 100.0, high * 100.0);
        let (share, mean) = (points / games as f64 * 100.0, *plies as f64 / games as f64);
        writeln!(f, "{share:>6.1}% {interval:>13} {mean:>7.0} {faults:>7} {own:>7}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::{BySide, Reason, Side};
    use outflank_record::{Outcome, PlayerRecord, Winner};

    fn record(names: [&str; 2], outcome: Outcome, plies: u32) -> Record {
        let players = BySide::new(names);
        let players = players.map(|name| PlayerRecord { name: name.to_owned(), ..PlayerRecord::default() });
        Record { players, outcome, plies, ..Record::default() }
    }

    fn won(winner: Winner) -> Outcome {
        Outcome::new(winner, EndReason::Rule(Reason::Flag))
    }

    #[test]
    fn games_are_counted_by_opponent() {
        let mut table = GauntletTable::new(["x", "one", "two", "three"].map(str::to_owned));
        for record in [
            record(["x", "one"], won(Winner::Red), 100),
            record(["one", "x"], won(Winner::Blue), 300),
            record(["two", "x"], won(Winner::Red), 50),
            record(["x", "two"], won(Winner::Draw), 150),
            record(["x", "two"], Outcome::of_fault(Side::Blue, "late: 5".to_owned()), 10),
            record(["two", "x"], Outcome::of_fault(Side::Blue, "hung: 5".to_owned()), 30),
            record(["one", "two"], won(Winner::Red), 9),
        ] {
            table.add(&record).unwrap();
        }
        let text = table.to_string();
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[2], ["one", "2", "2", "0", "0", "100.0%", "34.2..100.0", "200", "0", "0"]);
        assert_eq!(lines[3], ["two", "4", "1", "1", "2", "37.5%", "9.2..78.1", "60", "1", "1"], "{text}");
        assert_eq!(lines[4], ["three", "0", "0", "0", "0", "-", "-", "-", "0", "0"]);
        assert_eq!(lines[5][..5], ["all", "6", "3", "1", "2"]);
    }
}
