//! Luck with strikes, taken out of results.
//!
//! How a player's own strikes end is mostly luck, and it moves results more than strength does. A player that tells
//! what it expects tells its luck, too: a strike's *jump* is the score that it tells in its next turn, or the game's
//! result where there is none, less the score that it reported when it struck. From a game's points a share of these
//! jumps is taken away, less the mean jump of strikes of the same kind:
//!
//! adjusted = points − share × Σ (jump − mean of its kind − drift against this opponent)
//!
//! The drift is what strikes gain or lose on average beyond the means of their kinds against one opponent: whoever is
//! worse than expected gives a little with each.
//!
//! This is a control variate (as in AIVAT, Burch et al. 2018, which reduces variance by known chance events): whatever
//! the share and the means are, equal players have equal expectations. They are fitted once on many games and then left
//! alone, so that no match chooses its own. Strikes by the enemy stay out, since it chooses them by what we cannot see.
//! What it is not for: a change of the belief or of the scores that are reported changes the jumps themselves.

use anyhow::{Context, ensure};
use outflank::rules::{Position, Rank, Side};
use outflank_record::{EndReason, MOST_SCORE, Record, Visibility};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a strike was aimed at, and by what: `moved 7-8`. Strikes of one kind have much the same mean jump, whoever
/// makes them.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub struct StrikeKind {
    target: Visibility,
    striker: Striker,
}

/// Ranks that strike alike.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
enum Striker {
    Spy,
    Scout,
    Miner,
    Low,
    High,
    Top,
}

impl StrikeKind {
    /// Its name in the file of means.
    pub fn name(self) -> String {
        let striker = match self.striker {
            Striker::Spy => "S",
            Striker::Scout => "2",
            Striker::Miner => "3",
            Striker::Low => "4-6",
            Striker::High => "7-8",
            Striker::Top => "9-M",
        };
        format!("{} {striker}", self.target)
    }
}

impl Striker {
    /// Of a rank that can strike; bombs and flags count with the low ones, as they never do.
    const fn of(rank: Rank) -> Striker {
        match rank {
            Rank::Spy => Striker::Spy,
            Rank::Scout => Striker::Scout,
            Rank::Miner => Striker::Miner,
            Rank::Sergeant | Rank::Lieutenant | Rank::Captain | Rank::Flag | Rank::Bomb => Striker::Low,
            Rank::Major | Rank::Colonel => Striker::High,
            Rank::General | Rank::Marshal => Striker::Top,
        }
    }
}

/// The jumps of a side's own strikes in one game, each with its kind; none for a strike after which no score was reported.
///
/// # Errors
/// If the record cannot be replayed.
pub fn jumps(record: &Record, side: Side) -> anyhow::Result<Vec<(StrikeKind, f64)>> {
    let armies = record.armies()?;
    let mut position = Position::new(record.ruleset()?);
    for side in Side::BOTH {
        position.deploy(side, &armies[side]);
    }
    let mut jumps = Vec::new();
    for (ply, played) in record.actions()?.into_iter().enumerate() {
        let piece = |square| position.piece_at(square).map(|id| position.piece(id));
        let pieces = piece(played.action.from).zip(piece(played.action.to));
        if let Some((striker, victim)) = pieces.filter(|_| position.to_move() == side) {
            let target = Visibility::of(victim.learned, victim.moved);
            let rank = striker.ranks.single().context("a piece of unknown rank strikes")?;
            if let Some((before, after)) = said(record, ply).zip(next(record, ply, side)) {
                jumps.push((StrikeKind { target, striker: Striker::of(rank) }, after - before));
            }
        }
        position.play(played).with_context(|| format!("ply {}: {played}", ply + 1))?;
    }
    Ok(jumps)
}

/// The points (0 to 1) that the player of a ply said it expected.
fn said(record: &Record, ply: usize) -> Option<f64> {
    record.expected(ply).map(|score| f64::from(score) / f64::from(MOST_SCORE))
}

/// What it said in its next turn; where the game ended before, what it got.
fn next(record: &Record, ply: usize, side: Side) -> Option<f64> {
    if ply + 2 < record.moves.len() {
        return said(record, ply + 2);
    }
    let decided = record.outcome.reason != EndReason::Fault && !record.outcome.is_unfinished();
    points(record, side).filter(|_| decided)
}

/// The points (0, 1/2, 1) of a side; `None` of an unfinished game.
pub fn points(record: &Record, side: Side) -> Option<f64> {
    let winner = record.outcome.side().ok()?;
    Some(winner.map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 }))
}

/// The share and the means that are taken out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LuckModel {
    /// Which games they were fitted on.
    pub source: String,
    /// Which share of the jumps is luck that decided the game.
    pub share: f64,
    /// The mean jump of each kind of strike; of a kind that is not named, 0.
    pub means: BTreeMap<String, f64>,
    /// By how much strikes against an opponent go better on average; against one that is not named, 0.
    #[serde(default)]
    pub drifts: BTreeMap<String, f64>,
}

/// The model in use.
const FROZEN: &str = include_str!("luck.toml");

impl LuckModel {
    /// The model in use.
    ///
    /// # Errors
    /// If the program was built with a broken one.
    pub fn frozen() -> anyhow::Result<LuckModel> {
        LuckModel::read(FROZEN)
    }

    /// Reads a model as [`LuckModel::write`] prints it.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> anyhow::Result<LuckModel> {
        Ok(toml::from_str(text)?)
    }

    /// Prints a model.
    ///
    /// # Errors
    /// If a number cannot be written.
    pub fn write(&self) -> anyhow::Result<String> {
        Ok(toml::to_string(self)?)
    }

    /// By how much a side's own strikes went better than strikes of their kinds do, in points; `None` if it never reported
    /// what it expected.
    ///
    /// # Errors
    /// If the record cannot be replayed.
    pub fn luck(&self, record: &Record, side: Side) -> anyhow::Result<Option<f64>> {
        let tells =
            (0..record.moves.len()).skip(side.index()).step_by(2).any(|ply| said(record, ply).is_some());
        if !tells {
            return Ok(None);
        }
        Ok(Some(self.sum(&jumps(record, side)?, &record.players[side.enemy()].name)))
    }

    /// The luck of some strikes against an opponent.
    fn sum(&self, jumps: &[(StrikeKind, f64)], opponent: &str) -> f64 {
        let drift = self.drifts.get(opponent).copied().unwrap_or(0.0);
        let mean = |kind: StrikeKind| self.means.get(&kind.name()).copied().unwrap_or(0.0);
        jumps.iter().map(|&(kind, jump)| jump - mean(kind) - drift).sum()
    }

    /// The points of a side with its luck taken out; they may lie outside 0 to 1. `None` if it never reported what it
    /// expected, or the game is unfinished.
    ///
    /// # Errors
    /// If the record cannot be replayed.
    pub fn adjusted(&self, record: &Record, side: Side) -> anyhow::Result<Option<f64>> {
        let Some(points) = points(record, side) else { return Ok(None) };
        Ok(self.luck(record, side)?.map(|luck| points - self.share * luck))
    }
}

/// One game for the fit: against whom, how many points, and its jumps.
#[derive(Clone, Debug)]
pub struct FitGame {
    /// Games are compared only among those against the same opponent.
    pub opponent: String,
    /// The points.
    pub points: f64,
    /// The jumps of the strikes.
    pub jumps: Vec<(StrikeKind, f64)>,
}

/// Fits means and drifts, and the share that leaves the least variance within the games against each opponent.
///
/// # Errors
/// If no strike moved a score.
pub fn fit(games: &[FitGame], source: String) -> anyhow::Result<(LuckModel, FitReport)> {
    let model = fitted(games.iter(), source)?;
    let halves = [0, 1].map(|half| games.iter().enumerate().filter(move |(index, _)| index % 2 == half));
    let [even, odd] = halves.map(|half| half.map(|(_, game)| game).collect::<Vec<_>>());
    let mut held_out = Vec::new();
    for (learned, judged) in [(&even, &odd), (&odd, &even)] {
        let model = fitted(learned.iter().copied(), String::new())?;
        held_out
            .extend(judged.iter().map(|game| (*game, model.share * model.sum(&game.jumps, &game.opponent))));
    }
    Ok((model, FitReport::of(&held_out)))
}

fn fitted<'a>(games: impl Iterator<Item = &'a FitGame> + Clone, source: String) -> anyhow::Result<LuckModel> {
    let rounded = |number: f64| (number * 1e4).round() / 1e4;
    let mut sums: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (kind, jump) in games.clone().flat_map(|game| &game.jumps) {
        add(sums.entry(kind.name()).or_default(), *jump, 1.0);
    }
    let mean = |[sum, count]: [f64; 2]| rounded(sum / f64::max(count, 1.0));
    let means = sums.into_iter().map(|(kind, sum)| (kind, mean(sum))).collect();
    let mut model = LuckModel { source, share: 0.0, means, drifts: BTreeMap::new() };
    let mut sums: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for FitGame { opponent, jumps, .. } in games.clone() {
        add(sums.entry(opponent.clone()).or_default(), model.sum(jumps, opponent), jumps.len() as f64);
    }
    model.drifts = sums.into_iter().map(|(opponent, sum)| (opponent, mean(sum))).collect();
    let pairs: Vec<_> = games
        .map(|game| (game.opponent.as_str(), game.points, model.sum(&game.jumps, &game.opponent)))
        .collect();
    let [_, both, luck] = products(&pairs);
    ensure!(luck > 0.0, "nothing to fit: no strike moved a score");
    model.share = rounded(both / luck);
    Ok(model)
}

fn add(sum: &mut [f64; 2], value: f64, count: f64) {
    *sum = [sum[0] + value, sum[1] + count];
}

/// Of points and luck around their means against each opponent: the sums of squares and of products.
fn products(games: &[(&str, f64, f64)]) -> [f64; 3] {
    let mut means: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    for &(opponent, points, luck) in games {
        let [sum, lucky, count] = means.entry(opponent).or_default();
        (*sum, *lucky, *count) = (*sum + points, *lucky + luck, *count + 1.0);
    }
    games.iter().fold([0.0; 3], |[points, both, luck], (opponent, own, lucky)| {
        let [sum, all, count] = means[opponent];
        let (own, lucky) = (own - sum / count, lucky - all / count);
        [points + own * own, both + own * lucky, luck + lucky * lucky]
    })
}

/// What a fit came to, on games that it was not fitted on: each half of the games is judged by the other.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct FitReport {
    /// How many games.
    pub games: usize,
    /// Share of the variance of points that is left, within the games against each opponent.
    pub left: f64,
    /// By how much adjusting changed the mean of points, and one standard error of that.
    pub gap: (f64, f64),
}

impl FitReport {
    /// By the games, each with what is taken out of its points.
    fn of(games: &[(&FitGame, f64)]) -> FitReport {
        let as_they_are: Vec<_> =
            games.iter().map(|(game, _)| (game.opponent.as_str(), game.points, 0.0)).collect();
        let adjusted: Vec<_> =
            games.iter().map(|(game, luck)| (game.opponent.as_str(), game.points - luck, 0.0)).collect();
        let count = games.len() as f64;
        let mean = games.iter().map(|(_, luck)| -luck).sum::<f64>() / count;
        let variance = games.iter().map(|(_, luck)| (luck + mean).powi(2)).sum::<f64>() / count;
        let left = products(&adjusted)[0] / products(&as_they_are)[0].max(f64::MIN_POSITIVE);
        FitReport { games: games.len(), left, gap: (mean, (variance / count).sqrt()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rng::Rng;

    /// Red's scout strikes a bomb, then its miner takes another scout that has moved, then the miner takes that bomb.
    fn record() -> Record {
        let army = "B3FB3262452B3B6B5S7325B48269474M62225873";
        let text = |moves: &str, candidates: &str| {
            let list =
                |text: &str| text.split(',').map(|part| format!("{part:?}")).collect::<Vec<_>>().join(",");
            format!(
                r#"{{"game":0,"version":"","rules":"isf","seed":1,"players":[{{"name":"a","player":"sei"}},{{"name":"b","player":"sei"}}],
                "setups":["{army}","{army}"],"moves":[{}],"nodes":[],"candidates":[{}],
                "outcome":{{"winner":"red","reason":"resigned"}},"plies":3,"strikes":1}}"#,
                list(moves),
                list(candidates)
            )
            .replace('\n', "")
        };
        text("a4a5,j7j6,a5a6", "a4a5 500,,a5a6 600").parse().unwrap()
    }

    #[test]
    fn kinds_have_names_of_their_own() {
        let mut names = std::collections::BTreeSet::new();
        for target in Visibility::ALL {
            for rank in Rank::ALL {
                names.insert(StrikeKind { target, striker: Striker::of(rank) }.name());
            }
        }
        assert_eq!(names.len(), 18);
        let frozen = LuckModel::frozen().unwrap();
        assert!(frozen.means.keys().all(|name| names.contains(name)), "{frozen:?}");
        assert!(frozen.share > 0.3 && frozen.share < 1.2 && !frozen.source.is_empty());
        assert_eq!(LuckModel::read(&frozen.write().unwrap()).unwrap(), frozen);
    }

    #[test]
    fn a_game_without_strikes_has_no_luck() {
        let record = record();
        assert_eq!(jumps(&record, Side::Red).unwrap(), []);
        let model = LuckModel::frozen().unwrap();
        assert_eq!(model.adjusted(&record, Side::Red).unwrap(), Some(1.0));
        // Blue reported nothing.
        assert_eq!(model.adjusted(&record, Side::Blue).unwrap(), None);
    }

    /// Games in which both players are equal: a hidden strength of the position is reported truly, and strikes move it.
    fn equal_games(count: usize, strikes: usize, seed: u64) -> Vec<FitGame> {
        let mut rng = Rng::new(seed);
        let kind = StrikeKind { target: Visibility::Moved, striker: Striker::Low };
        let mut game = || {
            let (mut score, mut jumps) = (0.5_f64, Vec::new());
            for _ in 0..strikes {
                let step = 0.12 * f64::from(rng.unit() - 0.5) * 2.0;
                let next = (score + step).clamp(0.02, 0.98);
                jumps.push((kind, next - score));
                score = next;
            }
            let points = f64::from(u8::from(f64::from(rng.unit()) < score));
            FitGame { opponent: "b".to_owned(), points, jumps }
        };
        (0..count).map(|_| game()).collect()
    }

    fn mean_of(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    /// Frozen on some games, the adjustment leaves the mean of others where it is, and takes variance away.
    #[test]
    fn between_equal_players_the_mean_stays_and_the_variance_shrinks() {
        let (model, report) = fit(&equal_games(20_000, 20, 1), "these".to_owned()).unwrap();
        assert!(report.left < 0.85, "{report:?}");
        assert!(report.gap.0.abs() < 3.0 * report.gap.1, "{report:?}");
        let (mut gaps, mut raw, mut adjusted) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 2..202 {
            let games = equal_games(100, 20, seed);
            let of = |game: &FitGame| game.points - model.share * model.sum(&game.jumps, &game.opponent);
            let with: Vec<f64> = games.iter().map(of).collect();
            let without: Vec<f64> = games.iter().map(|game| game.points).collect();
            gaps.push(mean_of(&with) - mean_of(&without));
            raw.push(mean_of(&without));
            adjusted.push(mean_of(&with));
        }
        let deviation = |values: &[f64]| {
            let mean = mean_of(values);
            mean_of(&values.iter().map(|value| (value - mean).powi(2)).collect::<Vec<_>>()).sqrt()
        };
        // The frozen means have an error of their own: of 400,000 jumps of 0.07, twenty times a game.
        let error = (deviation(&gaps) / (gaps.len() as f64).sqrt()).hypot(0.0016);
        assert!(mean_of(&gaps).abs() < 3.0 * error, "{} ± {error}", mean_of(&gaps));
        let gain = deviation(&adjusted) / deviation(&raw);
        assert!((gain * gain - report.left).abs() < 0.2, "{gain} {report:?}");
    }

    #[test]
    fn the_share_is_what_moves_results() {
        // Points that have nothing to do with luck leave nothing to take out.
        let mut games = equal_games(4_000, 5, 7);
        for (index, game) in games.iter_mut().enumerate() {
            game.points = (index % 2) as f64;
        }
        let (model, report) = fit(&games, String::new()).unwrap();
        assert!(model.share.abs() < 0.3 && report.left > 0.98, "{} {report:?}", model.share);
        assert!(fit(&[], String::new()).is_err());
    }
}
