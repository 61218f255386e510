//! Intervals of shares, as every table of results has them.

/// 97.5% of a normal distribution lie below so many standard deviations: between them and their negatives lie 95%.
pub const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// Wilson's 95% interval for a share of `count` samples: sound even where every sample is alike.
pub fn wilson(share: f64, count: f64) -> (f64, f64) {
    let spread = DEVIATIONS * DEVIATIONS;
    let middle = share * count + spread / 2.0;
    let reach = DEVIATIONS * (share * (1.0 - share) * count + spread / 4.0).sqrt();
    ((middle - reach) / (count + spread), (middle + reach) / (count + spread))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wilson's interval for seven of seven ends at 0.6457, as tables of it say.
    #[test]
    fn intervals_are_those_of_tables() {
        let (low, high) = wilson(1.0, 7.0);
        assert!((low - 0.6457).abs() < 1e-4 && (high - 1.0).abs() < 1e-12, "{low} {high}");
        let (low, high) = wilson(0.5, 100.0);
        assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4, "{low} {high}");
    }
}
