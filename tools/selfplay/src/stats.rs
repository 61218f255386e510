//! Records summed up.

use outflank::rules::Side;
use outflank_record::console::printable;
use outflank_record::interval::{DEVIATIONS, wilson};
use outflank_record::{EndReason, Record};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a contest came to. The first player is the one that was Red in game 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// The players' names.
    pub names: [String; 2],
    /// Games counted.
    pub games: u64,
    /// Won, drawn and lost by the first player.
    pub results: [u64; 3],
    /// Won, drawn and lost by Red.
    pub colours: [u64; 3],
    /// Games by the reason of their end.
    pub reasons: BTreeMap<EndReason, u64>,
    /// Hashes of the games' setups and actions: as many as there are different games.
    distinct: HashSet<u64>,
    /// Actions in all.
    pub plies: u64,
    /// Strikes in all.
    pub strikes: u64,
    /// Per player: nodes, actions, and milliseconds of actions with a clock, and how many those are.
    pub effort: [Effort; 2],
    /// The first player's points by pair (by game where there are no pairs), in half points, and the games there.
    points: BTreeMap<(bool, u64), (u64, u64)>,
}

/// What one player's actions took.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Effort {
    /// Actions made.
    pub actions: u64,
    /// Nodes visited.
    pub nodes: u64,
    /// Milliseconds, over timed actions.
    pub time: f64,
    /// The longest action, in milliseconds.
    pub longest: f64,
    /// Actions with a clock.
    pub timed: u64,
}

impl Stats {
    /// Counts a game in, unless it has no result.
    ///
    /// # Errors
    /// If it names no winner or draw.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        if record.outcome.is_unfinished() {
            return Ok(());
        }
        let first = if record.game.is_multiple_of(2) { Side::Red } else { Side::Blue };
        let winner = record.outcome.side()?;
        let result = |side: Side| match winner {
            Some(winner) if winner == side => 0,
            None => 1,
            Some(_) => 2,
        };
        self.names = [first, first.enemy()].map(|side| record.players[side].name.clone());
        self.games += 1;
        self.results[result(first)] += 1;
        self.colours[result(Side::Red)] += 1;
        *self.reasons.entry(record.outcome.reason).or_default() += 1;
        let mut hasher = DefaultHasher::new();
        (&record.setups, &record.moves).hash(&mut hasher);
        self.distinct.insert(hasher.finish());
        self.plies += u64::from(record.plies);
        self.strikes += u64::from(record.strikes);
        let unit = record.pair.map_or((false, record.game), |pair| (true, pair));
        let points = self.points.entry(unit).or_default();
        *points = (points.0 + 2 - result(first) as u64, points.1 + 1);
        self.add_effort(record, first);
        Ok(())
    }

    fn add_effort(&mut self, record: &Record, first: Side) {
        for (ply, &nodes) in record.nodes.iter().enumerate() {
            let mover = Side::BOTH[ply % 2];
            let effort = &mut self.effort[usize::from(mover != first)];
            effort.actions += 1;
            effort.nodes = effort.nodes.saturating_add(nodes);
            if let Some(&time) = record.clocks.get(ply) {
                effort.time += time;
                effort.longest = effort.longest.max(time);
                effort.timed += 1;
            }
        }
    }

    /// The first player's share of the points, 0..1; a half where no game was played.
    pub fn score(&self) -> f64 {
        let [won, drawn, _] = self.results.map(|count| count as f64);
        if self.games == 0 { 0.5 } else { (won + drawn / 2.0) / self.games as f64 }
    }

    /// The 95% interval of [`Stats::score`].
    ///
    /// Pairs are the sample where games are paired, as games with the same setups depend on each other. Where the
    /// sample shows no spread, or is a single one, Wilson's interval for as many wins or losses.
    pub fn interval(&self) -> (f64, f64) {
        let shares: Vec<f64> =
            self.points.values().map(|&(points, games)| points as f64 / (2 * games) as f64).collect();
        let count = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / count.max(1.0);
        let squares: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
        if squares > 0.0 {
            let reach = DEVIATIONS * (squares / (count - 1.0) / count).sqrt();
            let score = self.score();
            return ((score - reach).max(0.0), (score + reach).min(1.0));
        }
        wilson(self.score(), count)
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names.each_ref().map(|name| printable(name));
        let [first, second] = &names;
        let ([won, drawn, lost], (low, high)) = (self.results, self.interval());
        writeln!(f, "{first} against {second}: {} games, {} distinct", self.games, self.distinct.len())?;
        writeln!(f, "won {won}, drawn {drawn}, lost {lost}")?;
        let score = self.score();
        writeln!(f, "score {:.1}%, 95% {:.1}..{:.1}", score * 100.0, low * 100.0, high * 100.0)?;
        let [won, drawn, lost] = self.colours;
        writeln!(f, "red won {won}, drawn {drawn}, lost {lost}")?;
        let reasons: Vec<String> =
            self.reasons.iter().map(|(name, count)| format!("{name} {count}")).collect();
        writeln!(f, "ends: {}", reasons.join(", "))?;
        let (games, plies) = (self.games.max(1) as f64, self.plies.max(1) as f64);
        writeln!(f, "{:.1} plies a game", self.plies as f64 / games)?;
        writeln!(f, "{:.2} strikes in 100 plies", self.strikes as f64 * 100.0 / plies)?;
        for (name, effort) in names.iter().zip(&self.effort) {
            writeln!(f, "{name}: {effort}")?;
        }
        if let Some(faults) = self.reasons.get(&EndReason::Fault) {
            writeln!(f, "FAULTS: {faults}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} nodes an action", self.nodes as f64 / self.actions.max(1) as f64)?;
        if self.timed > 0 {
            let mean = self.time / self.timed as f64;
            write!(f, ", {mean:.2} ms, {:.2} at most", self.longest)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::{BySide, Reason};
    use outflank_record::{Outcome, PlayerRecord, Winner};

    fn record(game: u64, pair: Option<u64>, winner: Winner) -> Record {
        let player = |name: &str| PlayerRecord {
            name: name.to_owned(),
            player: "random".to_owned(),
            ..PlayerRecord::default()
        };
        let players = BySide::new(["a", "b"].map(player));
        Record {
            game,
            pair,
            players: if game.is_multiple_of(2) { players } else { players.swapped() },
            moves: vec!["a4a5".to_owned(), game.to_string()],
            nodes: vec![10, 30],
            clocks: vec![1.5, 2.5],
            outcome: Outcome::new(winner, EndReason::Rule(Reason::Flag)),
            plies: 2,
            strikes: 1,
            ..Record::default()
        }
    }

    fn of(winners: &[Winner], pairs: bool) -> Stats {
        let mut stats = Stats::default();
        for (game, winner) in (0..).zip(winners) {
            stats.add(&record(game, pairs.then_some(game / 2), *winner)).unwrap();
        }
        stats
    }

    #[test]
    fn results_are_the_first_players() {
        let stats =
            of(&[Winner::Red, Winner::Red, Winner::Blue, Winner::Draw, Winner::Draw, Winner::Blue], false);
        assert_eq!((stats.names.clone(), stats.results), (["a".into(), "b".into()], [2, 2, 2]));
        assert_eq!((stats.colours, stats.plies, stats.strikes), ([2, 2, 2], 12, 6));
        assert_eq!((stats.distinct.len(), stats.games), (6, 6));
        assert_eq!(stats.effort.map(|effort| effort.nodes), [120, 120]);
        assert!((stats.score() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn pairs_are_the_sample() {
        // Red wins whatever happens: each pair is a half, so only the games alone look uncertain.
        let winners = [Winner::Red; 40];
        let (low, high) = of(&winners, true).interval();
        let (paired_low, paired_high) = wilson(0.5, 20.0);
        assert!((low - paired_low).abs() < 1e-9 && (high - paired_high).abs() < 1e-9);
        // Four pairs of a whole point, none, and two halves: mean 1/2, variance 1/6.
        let winners = [
            Winner::Red,
            Winner::Blue,
            Winner::Blue,
            Winner::Red,
            Winner::Red,
            Winner::Red,
            Winner::Draw,
            Winner::Draw,
        ];
        let reach = of(&winners, true).interval().1 - 0.5;
        assert!((reach - DEVIATIONS * (1.0_f64 / 6.0 / 4.0).sqrt()).abs() < 1e-9, "{reach}");
    }

    #[test]
    fn extreme_scores_keep_an_interval() {
        let (low, high) = of(&[Winner::Red, Winner::Blue, Winner::Red, Winner::Blue], false).interval();
        assert!(low > 0.3 && low < 0.6 && (high - 1.0).abs() < 1e-9, "{low} {high}");
        assert!(of(&[], false).interval().0 >= 0.0);
    }

    #[test]
    fn the_summary_tells_every_figure() {
        let text = of(&[Winner::Red, Winner::Red, Winner::Blue, Winner::Draw], true).to_string();
        for part in
            ["4 games, 4 distinct", "won 1, drawn 1, lost 2", "2.0 plies", "50.00 strikes", "20 nodes"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
