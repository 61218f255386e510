//! Position texts (SPN): what reads is printed in a form that reads back as the same.

use outflank::belief::Belief;
use outflank::rules::{Preset, Ruleset, Side, Spn};
use outflank::view::View;

/// The first byte chooses the rules, the rest is the text.
///
/// # Panics
/// If a text that reads does not read back, or what either side may think of it has no army.
pub fn hold(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let plain = Ruleset::of(Preset::ALL[usize::from(choice & 15) % Preset::ALL.len()]);
    let rules =
        Ruleset { barrage: choice & 16 != 0, rescue: choice & 32 != 0, silent: choice & 64 != 0, ..plain };
    let Ok(spn) = Spn::parse(text, rules) else { return };
    let printed = spn.to_string();
    let again = Spn::parse(&printed, rules).unwrap_or_else(|error| panic!("{printed:?}: {error}"));
    assert_eq!(again.to_string(), printed);
    for side in Side::BOTH {
        let view = View::from_spn(&spn, side);
        let belief = Belief::of_enemies(&view);
        for (id, piece) in view.enemies() {
            let Some(probabilities) = belief.probabilities(id) else { continue };
            let sum: f32 = probabilities.values().sum();
            assert!((sum - 1.0).abs() < 1e-3, "{printed:?}: {sum} in all for {id:?}, which may be {piece:?}");
        }
    }
}
