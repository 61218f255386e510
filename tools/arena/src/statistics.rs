//! What results say about strength: pure functions of counts.
//!
//! Scores are shares of the points, 0..1. A sample is a game (loss, draw, win) or, where games come in pairs with the
//! same setups and swapped colours, a pair (0, 1/2, 1, 3/2, 2 points): games of a pair depend on each other, so that
//! pairs give the right variance. Elo differences are logistic. Normalized Elo (nElo) is the difference that the same
//! significance a game would mean where nothing is ever drawn; `800 / ln 10` turns standard deviations into it.

use crate::likelihood::{moments, with_mean, with_normal};
use outflank::named_enum::named_enum;
use outflank_record::interval::{DEVIATIONS, wilson};

/// Normalized Elo of one standard deviation of a game's score.
pub const NORMAL: f64 = 347.435_585_522_601_46;

/// The Elo difference of a score; infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score of an Elo difference.
pub fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// How often each score occurred, in even steps from 0 to 1: three counts of games or five of pairs.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Sample {
    /// Lost, drawn, won games.
    Games([u64; 3]),
    /// Pairs of games by the half points won.
    Pairs([u64; 5]),
}

/// A value with its 95% interval.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: the number behind ±.
    pub fn reach(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl Sample {
    fn counts(&self) -> &[u64] {
        match self {
            Sample::Games(counts) => counts,
            Sample::Pairs(counts) => counts,
        }
    }

    /// Games in one element.
    const fn games(&self) -> f64 {
        match self {
            Sample::Games(_) => 1.0,
            Sample::Pairs(_) => 2.0,
        }
    }

    /// How many elements.
    pub fn size(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Every possible score with its share.
    fn shares(&self) -> Vec<(f64, f64)> {
        let counts = self.counts();
        let (steps, size) = (counts.len() as f64 - 1.0, self.size() as f64);
        counts.iter().enumerate().map(|(step, &count)| (step as f64 / steps, count as f64 / size)).collect()
    }

    /// Mean and variance of an element's score; `None` of an empty sample.
    pub fn moments(&self) -> Option<(f64, f64)> {
        (self.size() > 0).then(|| moments(&self.shares()))
    }

    /// The score with its interval: as wide as the variance says; where the sample shows none, Wilson's interval for
    /// as many wins or losses.
    pub fn score(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments()?;
        if variance <= 0.0 {
            let (low, high) = wilson(mean, self.size() as f64);
            return Some(Estimate { value: mean, low: low.max(0.0), high: high.min(1.0) });
        }
        let reach = DEVIATIONS * (variance / self.size() as f64).sqrt();
        Some(Estimate { value: mean, low: mean - reach, high: mean + reach })
    }

    /// The Elo difference. Its ends are those of the score, infinite where that reaches 0 or 1.
    pub fn elo(&self) -> Option<Estimate> {
        let score = self.score()?;
        let bounded = |end: f64| elo(end.clamp(0.0, 1.0));
        Some(Estimate { value: elo(score.value), low: bounded(score.low), high: bounded(score.high) })
    }

    /// Normalized Elo; `None` where the sample shows no spread.
    pub fn normal_elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments()?;
        if variance <= 0.0 {
            return None;
        }
        let value = (mean - 0.5) / (variance * self.games()).sqrt() * NORMAL;
        let reach = DEVIATIONS * NORMAL / (self.size() as f64 * self.games()).sqrt();
        Some(Estimate { value, low: value - reach, high: value + reach })
    }

    /// The likelihood of superiority: how sure it is that the true score is above a half. `None` without spread.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, variance) = self.moments()?;
        let deviation = (variance / self.size() as f64).sqrt();
        (deviation > 0.0).then(|| below((mean - 0.5) / deviation))
    }
}

/// The standard normal distribution function, by Simpson's rule over its density.
pub fn below(deviations: f64) -> f64 {
    const STEPS: u32 = 2000;
    let far = deviations.clamp(-9.0, 9.0);
    let density = |x: f64| (-x * x / 2.0).exp();
    let step = far / f64::from(STEPS);
    let weight = |index: u32| match index {
        0 | STEPS => 1.0,
        odd if odd % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let sum: f64 = (0..=STEPS).map(|index| weight(index) * density(step * f64::from(index))).sum();
    0.5 + sum * step / 3.0 / std::f64::consts::TAU.sqrt()
}

named_enum! {
    /// Which Elo an SPRT's bounds are given in.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Model {
        /// Logistic Elo: the bounds are scores.
        Logistic = "logistic",
        /// Normalized Elo: the bounds are scores in standard deviations, so that draws cost no time.
        Normalized = "normalized",
    }
}

/// The largest difference that a test can be about, in either Elo: at it, who is weaker wins once in 10^10 games.
pub const MOST_ELO: f64 = 4000.0;

/// A sequential probability ratio test of two Elo differences.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1, above it.
    pub elo1: f64,
    /// The chance to accept H1 though H0 is true.
    pub alpha: f64,
    /// The chance to accept H0 though H1 is true.
    pub beta: f64,
    /// Which Elo the differences are given in.
    pub model: Model,
}

/// What a test says so far.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// Too early to tell.
    Open,
    /// The difference is not above `elo0`.
    H0,
    /// The difference is not below `elo1`.
    H1,
}

impl Sprt {
    /// The ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What a ratio means.
    pub fn judge(&self, ratio: f64) -> Verdict {
        let (low, high) = self.bounds();
        if ratio >= high {
            Verdict::H1
        } else if ratio <= low {
            Verdict::H0
        } else {
            Verdict::Open
        }
    }

    /// The logarithm of how much likelier the sample is under H1 than under H0, each taken as the likeliest
    /// distribution that has its Elo difference. Zero of an empty sample. Differences beyond [`MOST_ELO`] count as
    /// that.
    pub fn ratio(&self, sample: &Sample) -> f64 {
        if sample.size() == 0 {
            return 0.0;
        }
        let shares = regular(sample);
        let of = |elo: f64| {
            let elo = elo.clamp(-MOST_ELO, MOST_ELO);
            match self.model {
                Model::Logistic => with_mean(&shares, score(elo)),
                Model::Normalized => with_normal(&shares, elo / NORMAL * sample.games().sqrt()),
            }
        };
        sample.size() as f64 * (of(self.elo1) - of(self.elo0))
    }
}

/// Shares in which nothing is impossible, so that every hypothesis can be true.
fn regular(sample: &Sample) -> Vec<(f64, f64)> {
    let shares: Vec<(f64, f64)> = sample
        .shares()
        .into_iter()
        .map(|(score, share)| (score, share.max(1e-3 / sample.size() as f64)))
        .collect();
    let sum: f64 = shares.iter().map(|(_, share)| share).sum();
    shares.into_iter().map(|(score, share)| (score, share / sum)).collect()
}
