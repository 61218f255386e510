//! Numbers that can be meant. More is a slip of the hand, or another unit than the one that is asked for; it is refused
//! where it is read, before anything adds to it.

use outflank::number::whole_number;

/// The most nodes that an action can have: 10^15, more than a machine visits in a year.
pub const MOST_NODES: u64 = 1_000_000_000_000_000;
/// The longest time that can be given, in milliseconds: a year.
pub const MOST_MILLISECONDS: u64 = 365 * 24 * 3600 * 1000;
/// The deepest search that can be asked for, in plies.
pub const MOST_DEPTH: u64 = 10_000;
/// The most games of a match: more than anybody plays.
pub const MOST_GAMES: u64 = 1_000_000_000_000;
/// The most games or threads at once.
pub const MOST_AT_ONCE: u64 = 4096;

/// Reads a limit of nodes.
///
/// # Errors
/// If it is none from 1 to [`MOST_NODES`].
pub fn nodes(text: &str) -> Result<u64, String> {
    within(text, 1, MOST_NODES)
}

/// Reads nodes, of which 0 are none.
///
/// # Errors
/// If it is none from 0 to [`MOST_NODES`].
pub fn nodes_or_none(text: &str) -> Result<u64, String> {
    within(text, 0, MOST_NODES)
}

/// Reads a limit of depth.
///
/// # Errors
/// If it is none from 1 to [`MOST_DEPTH`].
pub fn depth(text: &str) -> Result<u64, String> {
    within(text, 1, MOST_DEPTH)
}

/// Reads a time to think, in milliseconds.
///
/// # Errors
/// If it is none from 1 to [`MOST_MILLISECONDS`].
pub fn movetime(text: &str) -> Result<u64, String> {
    within(text, 1, MOST_MILLISECONDS)
}

/// Reads a time to wait, in milliseconds.
///
/// # Errors
/// If it is none from 0 to [`MOST_MILLISECONDS`].
pub fn milliseconds(text: &str) -> Result<u64, String> {
    within(text, 0, MOST_MILLISECONDS)
}

/// Reads how many games or threads there are at once.
///
/// # Errors
/// If it is none from 1 to [`MOST_AT_ONCE`].
pub fn at_once(text: &str) -> Result<usize, String> {
    within(text, 1, MOST_AT_ONCE).map(|count| count as usize)
}

/// Reads a share of a whole.
///
/// # Errors
/// If it is none from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("it takes a share from 0 to 1, not {text:?}"))
}

/// Reads a share of a whole, in single precision.
///
/// # Errors
/// As [`share`].
pub fn share32(text: &str) -> Result<f32, String> {
    share(text).map(|share| share as f32)
}

/// Reads a whole number between two bounds, both included.
///
/// # Errors
/// If it is none, or outside them.
pub fn within(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = whole_number::<u64>(text).filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it takes a whole number from {least} to {most}, not {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_cannot_be_meant_are_refused() {
        assert_eq!((nodes("1"), nodes_or_none("0"), milliseconds("0")), (Ok(1), Ok(0), Ok(0)));
        assert_eq!((depth("10000"), at_once("4096")), (Ok(10_000), Ok(4096)));
        for wrong in ["0", "-1", "+1", "", "x", "1.5", "18446744073709551616", "18446744073709551615"] {
            assert!(nodes(wrong).is_err() && depth(wrong).is_err(), "{wrong}");
            assert!(movetime(wrong).is_err() && at_once(wrong).is_err(), "{wrong}");
        }
        assert_eq!((share("0"), share("1"), share32("0.5")), (Ok(0.0), Ok(1.0), Ok(0.5)));
        for wrong in ["-0.1", "1.01", "nan", "inf", "1e999", ""] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        let error = within("11", 1, 10).unwrap_err();
        assert_eq!(error, "it takes a whole number from 1 to 10, not \"11\"");
    }
}
