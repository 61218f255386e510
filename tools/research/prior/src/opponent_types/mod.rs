//! Fitting what pieces of each rank tend to do, from recorded games.

pub mod cases;
pub mod command;
pub mod fit;

use outflank::belief::opponent_types::file::TypesFile;
use outflank::belief::opponent_types::{FeatureName, TypeTable, name};
use std::fmt::Write as _;

/// What a file of opponent types holds, for people to read: in 1/100 nat, by type, feature and rank in the order
/// F, S, 2, 3, 4, 5, 6, 7, 8, 9, M, B, counting types and the features of a family from 1.
pub fn listing(types: TypesFile) -> String {
    let mut text = String::new();
    for (table, number) in (0..).map_while(|number| types.table(number)).zip(1..) {
        let _ = writeln!(text, "type {number}");
        list(&table, &mut text);
    }
    text
}

fn list(table: &TypeTable, text: &mut String) {
    for (feature, row) in table.iter().enumerate() {
        let FeatureName { family, number } = name(feature);
        let _ = writeln!(text, "{family} {}: {row:?}", number + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::belief::opponent_types::FEATURES;
    use outflank::belief::opponent_types::file::packed;

    #[test]
    fn every_sign_of_every_type_is_listed() {
        let bytes = packed(&[7, -8].map(|weight| [[weight; 12]; FEATURES])).unwrap();
        let text = listing(TypesFile::read(&bytes).unwrap());
        assert!(text.starts_with("type 1\nstart square 1: [7, 7, ") && text.ends_with("-8, -8]\n"), "{text}");
        assert_eq!((text.matches(": [7, ").count(), text.matches(": [-8, ").count()), (FEATURES, FEATURES));
    }
}
