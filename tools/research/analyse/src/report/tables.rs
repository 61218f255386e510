//! The report as tables for people.

use super::{
    ByGames, ChangeReport, ConversionReport, ExpectationReport, FateReport, LeadReport, LossReport, Lost,
    PlayerReport, Report, RevealReport, Taken, TakerReport, WINNING,
};
use crate::figures::{Spread, number, percent};
use outflank_record::console::printable;
use outflank_record::points::POINTS;
use std::fmt;

/// `mean 512.3, median 480 (37)`.
fn spread(spread: &Spread) -> String {
    let Spread { count, mean, median } = spread;
    format!("mean {}, median {} ({count})", number(*mean, 1), number(*median, 1))
}

/// A median with its count.
fn median(spread: &Spread) -> String {
    format!("{} ({})", number(spread.median, 0), spread.count)
}

/// The figures of the columns of [`PlayerReport::columns`].
fn chosen<T>(games: &ByGames<T>, drawn: bool) -> impl Iterator<Item = &T> {
    [Some(&games.all), Some(&games.won), drawn.then_some(&games.drawn), Some(&games.lost)]
        .into_iter()
        .flatten()
}

impl PlayerReport {
    fn write_games(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = &self.games;
        let (won, drawn, lost) = (games.won, games.drawn, games.lost);
        writeln!(
            f,
            "\n== {}: {} games, won {won}, drawn {drawn}, lost {lost}",
            printable(&self.name),
            games.games
        )?;
        let endings =
            games.endings.iter().map(|end| format!("{} by {} {}", end.score, end.reason, end.games));
        writeln!(f, "{}", endings.collect::<Vec<_>>().join(", "))?;
        let a_strike = number(games.plies_a_strike, 1);
        writeln!(f, "plies: {}; {a_strike} a strike ({} strikes)", spread(&games.plies), games.strikes)
    }

    /// The columns of the losses: their titles, with the games.
    fn columns(&self) -> Vec<String> {
        let games = &self.games;
        let all = ByGames {
            all: ("all", games.games),
            won: ("won", games.won),
            drawn: ("drawn", games.drawn),
            lost: ("lost", games.lost),
        };
        chosen(&all, games.drawn > 0).map(|(title, games)| format!("{title} ({games})")).collect()
    }

    fn write_losses(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nMaterial lost: pieces; points a game; points a game that the enemy paid for them")?;
        write!(f, "{:34}", "games")?;
        self.columns().iter().try_for_each(|title| write!(f, " {title:>19}"))?;
        write!(f, "\n{:34}", "")?;
        self.columns().iter().try_for_each(|_| write!(f, " {:>5} {:>6} {:>6}", "n", "lost", "paid"))?;
        writeln!(f)?;
        self.losses.iter().try_for_each(|loss| self.write_loss(f, loss))?;
        let column =
            |Taken { count, a_game, .. }: &Taken| format!(" {count:>5} {:>6} {:>6}", number(*a_game, 1), "");
        let columns: String = chosen(&self.taken, self.games.drawn > 0).map(column).collect();
        writeln!(f, "{:34}{}", "taken from the enemy", columns.trim_end())
    }

    fn write_loss(&self, f: &mut fmt::Formatter<'_>, loss: &LossReport) -> fmt::Result {
        write!(f, "{:34}", loss.kind)?;
        for Lost { count, a_game, paid_a_game, .. } in chosen(&loss.games, self.games.drawn > 0) {
            write!(f, " {count:>5} {:>6} {:>6}", number(*a_game, 1), number(*paid_a_game, 1))?;
        }
        writeln!(f)
    }

    fn write_fates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nTop pieces: % that lived; median plies of fall and reveal; points a piece taken up to its reveal, and \
             later;\nwhat they fell to (h: it was hidden, x: by our own strike)"
        )?;
        let titles = ["pieces", "lived", "fell", "revealed", "until", "later"];
        let [pieces, lived, fell, revealed, until, later] = titles;
        write!(f, "   {pieces:>6} {lived:>6} {fell:>10} {revealed:>10} {until:>6} {later:>6}")?;
        writeln!(f, "  fell to")?;
        self.fates.iter().try_for_each(|fate| write_fate(f, fate))
    }

    fn write_reveals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nFirst reveals: median ply; how many took something by it; points a piece: taken by it, taken later, \
             lost with the piece"
        )?;
        writeln!(
            f,
            "   {:24} {:>5} {:>8} {:>5} {:>6} {:>7} {:>7} {:>7} {:>7}",
            "revealed as it", "n", "share, %", "ply", "takers", "by it", "later", "lost", "net"
        )?;
        self.reveals.iter().try_for_each(|reveal| write_reveal(f, reveal))
    }

    fn write_leads(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nFirst leads in percent of the starting material: median ply; plies from there to the win; own miners \
             then\n{:>5} {:>6} {:>5} {:>6} {:>5} {:>6} {:>14} {:>16} {:>8} {:>14}",
            "lead",
            "games",
            "won",
            "drawn",
            "lost",
            "began",
            "to win: mean",
            "to win: median",
            "miners",
            "never moved on"
        )?;
        self.leads.iter().try_for_each(|lead| write_lead(f, lead))
    }
}

impl PlayerReport {
    fn write_expectations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(conversion) = &self.conversion else { return Ok(()) };
        writeln!(f, "\nExpected scores, and what the games brought")?;
        let [plies, games, expected, scored] = ["plies", "games", "expected, %", "scored, %"];
        writeln!(f, "{:>10} {plies:>7} {games:>6} {expected:>12} {scored:>10}", "between, %")?;
        self.expectations.iter().try_for_each(|bin| write_expectation(f, bin))?;
        let ConversionReport { games, won, drawn, lost, began, to_win } = conversion;
        let winning = WINNING / 10;
        writeln!(f, "once at {winning}% or more: {games} games, won {won}, drawn {drawn}, lost {lost}")?;
        writeln!(f, "from there: began in ply {}; plies to the win: {}", median(began), spread(to_win))
    }
}

impl PlayerReport {
    fn write_changes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changes.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\nHow the expected score changed from a turn to the next, in percent, by what was done"
        )?;
        let [turns, a_game, change, error, sum] = ["turns", "a game", "change", "+-", "sum a game"];
        writeln!(f, "{:34} {turns:>7} {a_game:>7} {change:>7} {error:>6} {sum:>11}", "")?;
        self.changes.iter().try_for_each(|change| write_change(f, change))
    }
}

fn write_change(f: &mut fmt::Formatter<'_>, report: &ChangeReport) -> fmt::Result {
    let ChangeReport { kind, turns, turns_a_game, change, error, a_game } = report;
    write!(f, "{kind:34} {turns:>7} {:>7}", number(*turns_a_game, 1))?;
    writeln!(f, " {:>7} {:>6} {:>11}", percent(*change, 2), percent(*error, 2), percent(*a_game, 1))
}

fn write_expectation(f: &mut fmt::Formatter<'_>, bin: &ExpectationReport) -> fmt::Result {
    let ExpectationReport { percent: (from, to), plies, games, expected, scored } = bin;
    let (expected, scored) = (percent(*expected, 1), percent(*scored, 1));
    writeln!(f, "{:>10} {plies:>7} {games:>6} {expected:>12} {scored:>10}", format!("{from}-{to}"))
}

fn write_fate(f: &mut fmt::Formatter<'_>, fate: &FateReport) -> fmt::Result {
    let takers: Vec<String> = fate.takers.iter().map(taker).collect();
    let (until, after) = (number(fate.took_until, 0), number(fate.took_after, 0));
    write!(f, "{:2} {:>6} {:>6}", fate.rank, fate.pieces, percent(fate.lived_share, 1))?;
    write!(f, " {:>10} {:>10} {until:>6} {after:>6}", median(&fate.fell), median(&fate.revealed))?;
    writeln!(f, "  {}", takers.join(", "))
}

/// `xMh 3`: three by their own strike on a hidden Marshal.
fn taker(taker: &TakerReport) -> String {
    let (own, hidden) = (if taker.own { "x" } else { "" }, if taker.known { "" } else { "h" });
    format!("{own}{}{hidden} {}", taker.rank, taker.count)
}

fn write_reveal(f: &mut fmt::Formatter<'_>, reveal: &RevealReport) -> fmt::Result {
    let (share, ply) = (percent(reveal.share, 1), number(reveal.plies.median, 0));
    write!(f, "{:2} {:24} {:>5} {share:>8} {ply:>5}", reveal.rank, reveal.way, reveal.count)?;
    write!(f, " {:>6} {:>7} {:>7}", reveal.earning, number(reveal.earned, 0), number(reveal.after, 0))?;
    writeln!(f, " {:>7} {:>7}", number(reveal.lost, 0), number(reveal.net, 0))
}

fn write_lead(f: &mut fmt::Formatter<'_>, lead: &LeadReport) -> fmt::Result {
    write!(f, "{:>5} {:>6} {:>5} {:>6} {:>5}", lead.percent, lead.games, lead.won, lead.drawn, lead.lost)?;
    let (mean, median) = (number(lead.to_win.mean, 1), number(lead.to_win.median, 1));
    write!(f, " {:>6} {mean:>14} {median:>16}", number(lead.began.median, 0))?;
    writeln!(f, " {:>8} {:>14}", number(lead.miners, 2), number(lead.idle, 2))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = &self.question.about;
        let about = if about.is_empty() { String::new() } else { format!(", about {}", about.join(", ")) };
        writeln!(f, "{} games{about}", self.question.games)?;
        let points = POINTS.iter().rev().map(|(rank, points)| format!("{rank} {points}"));
        let points: Vec<String> = points.collect();
        writeln!(f, "points: {}", points.join(", "))?;
        for player in &self.players {
            player.write_games(f)?;
            player.write_losses(f)?;
            player.write_fates(f)?;
            player.write_reveals(f)?;
            player.write_leads(f)?;
            player.write_expectations(f)?;
            player.write_changes(f)?;
        }
        Ok(())
    }
}
