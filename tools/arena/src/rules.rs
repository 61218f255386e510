//! The rule system of a round: one for all, or drawn.

use outflank::rng::Rng;
use outflank::rules::{Preset, Ruleset, Stuck};
use outflank_record::parse_rules;
use std::str::FromStr;

/// The rule systems of a match.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Rules {
    /// One rule set for every game.
    Same(Ruleset),
    /// Drawn for each round, from all presets and options; a draw after so many plies, unless 0.
    Drawn(u32),
}

/// The word for [`Rules::Drawn`].
const RANDOM: &str = "random";
/// Plies without a strike that end a game, where that is drawn.
const QUIET: [u32; 3] = [60, 200, 400];

impl FromStr for Rules {
    type Err = anyhow::Error;

    /// As [`Rules::parse`], without a limit of plies but the rules' own.
    fn from_str(text: &str) -> anyhow::Result<Rules> {
        Rules::parse(text, 0)
    }
}

impl Rules {
    /// Reads `random`, or a preset and keys as [`parse_rules`] does. `most_plies` ends games under rules that tell no
    /// number of their own.
    ///
    /// # Errors
    /// If a word is neither a preset nor a key with a value.
    pub fn parse(text: &str, most_plies: u32) -> anyhow::Result<Rules> {
        if text.trim() == RANDOM {
            return Ok(Rules::Drawn(most_plies));
        }
        let mut rules = parse_rules(text)?;
        if rules.plies == 0 {
            rules.plies = most_plies;
        }
        Ok(Rules::Same(rules))
    }

    /// The rules of a round whose rules are drawn from `rng`.
    pub fn of(self, rng: &mut Rng) -> Ruleset {
        match self {
            Rules::Same(rules) => rules,
            Rules::Drawn(plies) => Ruleset { plies, ..drawn(rng) },
        }
    }

    /// The one rule system of all games; `None` if they are drawn.
    pub const fn same(&self) -> Option<&Ruleset> {
        match self {
            Rules::Same(rules) => Some(rules),
            Rules::Drawn(_) => None,
        }
    }
}

/// Any preset; every key stays as it is there, or is set to anything, one time in three.
fn drawn(rng: &mut Rng) -> Ruleset {
    let mut rules = Ruleset::of(Preset::ALL[rng.below(Preset::ALL.len())]);
    let change = |rng: &mut Rng, key: &mut bool| *key ^= rng.below(3) == 0;
    change(rng, &mut rules.scout);
    change(rng, &mut rules.moresquares);
    change(rng, &mut rules.advance);
    change(rng, &mut rules.aggressor);
    change(rng, &mut rules.silent);
    change(rng, &mut rules.rescue);
    change(rng, &mut rules.barrage);
    if rng.below(3) == 0 {
        rules.twosquares = rng.below(usize::from(Ruleset::MOST_CROSSINGS) + 1) as u8;
    }
    if rng.below(3) == 0 {
        rules.stuck = [Stuck::Loses, Stuck::Attrition, Stuck::DrawIfBoth][rng.below(3)];
    }
    if rng.below(3) == 0 {
        rules.quiet = QUIET[rng.below(QUIET.len())];
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn one_text_is_one_rule_system_and_random_is_many() {
        let same = Rules::parse("gravon twosquares=3", 500).unwrap();
        let of = |rules: Rules, round| rules.of(&mut Rng::stream(1, round));
        let rules = of(same, 2);
        assert_eq!((rules.preset, rules.twosquares, rules.plies), (Preset::Gravon, 3, 500));
        assert!(same.same() == Some(&rules) && Rules::parse("random rescue=on", 0).is_err());
        let drawn = Rules::parse(" random", 700).unwrap();
        assert_eq!(drawn.same(), None);
        let all: Vec<Ruleset> = (0..300).map(|round| of(drawn, round)).collect();
        let texts: HashSet<String> = all.iter().map(Ruleset::to_string).collect();
        assert!(texts.len() > 280 && all.iter().all(|rules| rules.plies == 700));
        assert!(all.iter().any(|rules| rules.rescue && rules.silent && rules.barrage));
    }
}
