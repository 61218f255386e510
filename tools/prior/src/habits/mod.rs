//! Fitting what pieces of each rank tend to do, from recorded games.

pub mod cases;
pub mod command;
pub mod fit;
pub mod score;

use outflank::belief::habits::{Habits, name};
use std::fmt::Write as _;

/// The Rust source of one style's table; `source` says what the games are.
pub fn source_text(habits: &Habits, source: &str) -> String {
    let mut text = HEAD.replace("{source}", source);
    for (sign, row) in habits.iter().enumerate() {
        let (family, number) = name(sign);
        if number == 0 {
            let _ = writeln!(text, "    // {family}");
        }
        let _ = writeln!(text, "    {row:?},");
    }
    text + "];\n"
}

const HEAD: &str = "//! Source: {source}; fitted by `outflank-prior habits`.

use super::super::Habits;

/// In 1/100 nat, by sign and rank in the order F, S, 2, 3, 4, 5, 6, 7, 8, 9, M, B.
pub(super) const STYLE: Habits = [
";

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::belief::habits::SIGNS;

    #[test]
    fn the_printed_table_has_a_row_for_each_sign() {
        let text = source_text(&[[7; 12]; SIGNS], "made-up games");
        assert!(text.starts_with("//! Source: made-up games; fitted by") && text.ends_with("7, 7],\n];\n"));
        assert_eq!(text.matches("    [7, ").count(), SIGNS);
    }
}
