//! What a run tells of itself: a line of a table each few million plies.

use crate::games::Tally;
use crate::update::Lesson;
use std::time::Duration;

/// The names of the columns.
pub const COLUMNS: &str = "plies\tplies_per_second\tgames\tlength\tdraws\tred\tstrikes_per_100\tentropy\tspread\tvalue_error\
    \tclipped\tdivergence\tmagnet\tpast_games\tpast_points\texamples\tsurprise";

/// What was seen since the last line.
#[derive(Clone, Debug, Default)]
pub struct Report {
    tally: Tally,
    lesson: [f64; 6],
    spread: f64,
    iterations: f64,
    spent: Duration,
}

impl Report {
    /// Adds an iteration.
    pub fn add(&mut self, tally: &Tally, lesson: &Lesson, spread: f32, spent: Duration) {
        self.tally.add(tally);
        let Lesson { decisions, clipped, divergence, magnet, values, error } = *lesson;
        for (sum, value) in
            self.lesson.iter_mut().zip([decisions, clipped, divergence, magnet, values, error])
        {
            *sum += value;
        }
        self.spread += f64::from(spread);
        self.iterations += 1.0;
        self.spent += spent;
    }

    /// Plies since the last line.
    pub const fn plies(&self) -> u64 {
        self.tally.plies
    }

    /// Mean entropy of its own decisions, in nats; 0 if there were none.
    pub fn entropy(&self) -> f64 {
        self.tally.entropy / (self.tally.decisions.max(1)) as f64
    }

    /// Whether it has lost the entropy that it should have.
    pub fn has_collapsed(&self, least: f64) -> bool {
        self.tally.decisions > 0 && self.entropy() < least
    }

    /// The line, after so many plies in all.
    pub fn line(&self, plies: u64) -> String {
        let Tally { games, plies_of_games, draws, red, strikes, past, examples, surprise, .. } = self.tally;
        let per_game = |count: u64| count as f64 / games.max(1) as f64;
        let [decisions, clipped, divergence, magnet, values, error] = self.lesson;
        let of = |sum: f64, count: f64| sum / count.max(1.0);
        let columns = [
            format!("{plies}"),
            format!("{:.0}", self.tally.plies as f64 / self.spent.as_secs_f64().max(1e-9)),
            format!("{games}"),
            format!("{:.0}", per_game(plies_of_games)),
            format!("{:.3}", per_game(draws)),
            format!("{:.3}", per_game(red)),
            format!("{:.1}", 100.0 * strikes as f64 / plies_of_games.max(1) as f64),
            format!("{:.3}", self.entropy()),
            format!("{:.3}", of(self.spread, self.iterations)),
            format!("{:.4}", of(error, values)),
            format!("{:.4}", of(clipped, decisions)),
            format!("{:.4}", of(divergence, decisions)),
            format!("{:.4}", of(magnet, decisions)),
            format!("{}", past.0),
            format!("{:.3}", of(past.1, past.0 as f64)),
            format!("{examples}"),
            format!("{:.3}", of(surprise, examples as f64)),
        ];
        columns.join("\t")
    }
}
