//! Numbers in texts.

use std::str::FromStr;

/// The whole number that a text of digits says. `FromStr` alone would take a sign, too.
pub fn whole_number<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_are_a_number() {
        assert_eq!(
            (whole_number("0"), whole_number("007"), whole_number("255")),
            (Some(0_u8), Some(7), Some(255))
        );
        assert_eq!(["", "+1", "-1", "1 ", "1_000", "256", "٣"].map(whole_number::<u8>), [None; 7]);
    }
}
