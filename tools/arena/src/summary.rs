//! What a file of games tells besides who is stronger: lengths, strikes, how games end, and times.

use crate::luck::{LuckModel, points};
use crate::panel::Mean;
use outflank::rules::Side;
use outflank_record::console::printable;
use outflank_record::{EndReason, Record, Winner};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Games summed up.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    lengths: Vec<u32>,
    strikes: u64,
    /// Won, drawn and lost by Red.
    colours: [u64; 3],
    /// Hashes of the games' setups and actions: as many as there are different games.
    different: HashSet<u64>,
    /// Games by the colour that won and the reason.
    ends: BTreeMap<(Winner, EndReason), u64>,
    /// Won games by the winner's name and the reason.
    wins: BTreeMap<String, BTreeMap<EndReason, u64>>,
    efforts: BTreeMap<String, Effort>,
    /// Points by player and opponent, as they are and with the luck of its strikes taken out, where it reported scores.
    luck: BTreeMap<(String, String), [Vec<f64>; 2]>,
    model: Option<LuckModel>,
}

/// What one player's actions took.
#[derive(Copy, Clone, Debug, Default)]
struct Effort {
    actions: u64,
    nodes: f64,
    timed: u64,
    time: f64,
    longest: f64,
}

impl Summary {
    /// Counts a game in, unless it has no result.
    ///
    /// # Errors
    /// If it names no winner or draw.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        let outcome = &record.outcome;
        if outcome.is_unfinished() {
            return Ok(());
        }
        self.lengths.push(record.plies);
        self.strikes += u64::from(record.strikes);
        *self.ends.entry((outcome.winner, outcome.reason)).or_default() += 1;
        let winner = outcome.side()?;
        self.colours[winner.map_or(1, |winner| if winner == Side::Red { 0 } else { 2 })] += 1;
        if let Some(side) = winner {
            let winner = record.players[side].name.clone();
            *self.wins.entry(winner).or_default().entry(outcome.reason).or_default() += 1;
        }
        let mut hasher = DefaultHasher::new();
        (&record.setups, &record.moves).hash(&mut hasher);
        self.different.insert(hasher.finish());
        self.add_luck(record)?;
        for (ply, &nodes) in record.nodes.iter().enumerate() {
            let effort = self.efforts.entry(record.players[Side::BOTH[ply % 2]].name.clone()).or_default();
            effort.actions += 1;
            effort.nodes += nodes as f64;
            if let Some(&time) = record.clocks.get(ply) {
                effort.timed += 1;
                effort.time += time;
                effort.longest = effort.longest.max(time);
            }
        }
        Ok(())
    }
}

impl Summary {
    fn add_luck(&mut self, record: &Record) -> anyhow::Result<()> {
        let model = match &mut self.model {
            Some(model) => model,
            none => none.insert(LuckModel::frozen()?),
        };
        for (side, player) in record.players.iter() {
            let Some((own, adjusted)) = points(record, side).zip(model.adjusted(record, side)?) else {
                continue;
            };
            let names = (player.name.clone(), record.players[side.enemy()].name.clone());
            let [as_they_are, fair] = self.luck.entry(names).or_default();
            as_they_are.push(own);
            fair.push(adjusted);
        }
        Ok(())
    }
}

fn list(counts: impl Iterator<Item = (impl fmt::Display, u64)>) -> String {
    counts.map(|(end, count)| format!("{end} {count}")).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lengths.is_empty() {
            return writeln!(f, "no games");
        }
        self.write_games(f)?;
        self.write_wins(f)?;
        self.write_luck(f)?;
        self.write_efforts(f)
    }
}

impl Summary {
    fn write_games(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let [won, drawn, lost] = self.colours;
        let (count, different) = (lengths.len(), self.different.len());
        writeln!(
            f,
            "games: {count}, {different} of them different; red won {won}, drawn {drawn}, lost {lost}"
        )?;
        let (games, plies) = (count as f64, lengths.iter().copied().map(u64::from).sum::<u64>() as f64);
        let (shortest, median, longest) = (lengths[0], lengths[count / 2], lengths[count - 1]);
        writeln!(f, "plies a game: {:.1} on average, median {median}, {shortest}..{longest}", plies / games)?;
        let strikes = self.strikes as f64 * 100.0 / plies.max(1.0);
        writeln!(f, "drawn {:.1}%, {strikes:.2} strikes in 100 plies", drawn as f64 * 100.0 / games)?;
        let ends = self.ends.iter().map(|((winner, reason), count)| (format!("{winner} {reason}"), *count));
        writeln!(f, "ends: {}", list(ends))
    }

    fn write_wins(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, reasons) in &self.wins {
            let reasons = list(reasons.iter().map(|(reason, count)| (*reason, *count)));
            writeln!(f, "{} won by: {reasons}", printable(name))?;
        }
        Ok(())
    }

    fn write_luck(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((name, opponent), [own, adjusted]) in &self.luck {
            let Some((own, adjusted)) = Mean::of(own).zip(Mean::of(adjusted)) else { continue };
            let (name, opponent) = (printable(name), printable(opponent));
            writeln!(
                f,
                "{name} against {opponent}: {adjusted}% without the luck of its strikes, {own}% with it"
            )?;
        }
        Ok(())
    }

    fn write_efforts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, effort) in &self.efforts {
            // Who reported no nodes reported none, and did not visit none.
            let nodes = (effort.nodes > 0.0)
                .then(|| format!("{:.0} nodes an action", effort.nodes / effort.actions as f64));
            let time = (effort.timed > 0).then(|| {
                format!("{:.2} ms, {:.2} at most", effort.time / effort.timed as f64, effort.longest)
            });
            let figures: Vec<String> = nodes.into_iter().chain(time).collect();
            if !figures.is_empty() {
                writeln!(f, "{}: {}", printable(name), figures.join(", "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::Reason;
    use outflank_record::Outcome;

    #[test]
    fn games_are_counted_by_colour_and_as_often_as_they_differ() {
        let mut summary = Summary::default();
        for (winner, plies) in [(Winner::Red, 8), (Winner::Blue, 8), (Winner::Red, 9), (Winner::Draw, 8)] {
            let moves = vec!["a4a5".to_owned(); plies as usize];
            let outcome = Outcome::new(winner, EndReason::Rule(Reason::Flag));
            summary.add(&Record { moves, outcome, plies, ..Record::default() }).unwrap();
        }
        summary.add(&Record { outcome: Outcome::unfinished(), ..Record::default() }).unwrap();
        let text = summary.to_string();
        assert!(text.starts_with("games: 4, 2 of them different; red won 2, drawn 1, lost 1\n"), "{text}");
        assert!(text.contains("plies a game: 8.2 on average, median 8, 8..9\n"), "{text}");
    }
}
