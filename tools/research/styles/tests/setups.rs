//! Setups: whole armies, of many kinds, the same for the same seed.

use crate::common::rules;
use outflank::rng::Rng;
use outflank_styles::STYLES;
use std::collections::HashSet;

#[test]
fn setups_are_whole_and_differ_by_seed() {
    for style in STYLES {
        for rules in [rules("isf", &[], 0), rules("isf", &[("barrage", "on")], 0)] {
            let of = |seed| (style.setup)(&rules, None, &mut Rng::stream(seed, 1));
            let seen: HashSet<String> = (0..50).map(|seed| of(seed).to_string()).collect();
            assert!(seen.len() >= 48, "{}: {} of 50", style.name, seen.len());
            for seed in 0..50 {
                let setup = of(seed);
                assert!(setup.is_complete(&rules.army()), "{}: {setup}", style.name);
                assert_eq!(setup, of(seed));
                assert_ne!((style.setup)(&rules, Some(&setup), &mut Rng::stream(seed, 1)), setup);
            }
        }
    }
}

#[test]
fn the_eccentrics_flag_stands_where_others_never_is() {
    let forward = |name: &str| {
        let style = outflank_styles::find(name).unwrap();
        let setups = (0..60)
            .map(|seed| (style.setup)(&rules("isf", &[], 0), None, &mut Rng::stream(seed, 1)).to_string());
        setups.filter(|setup| setup.find('F').is_some_and(|place| place >= 20)).count()
    };
    assert!(forward("eccentric") >= 12, "{}", forward("eccentric"));
    assert_eq!(forward("ordinary"), 0);
}
