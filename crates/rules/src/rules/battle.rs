//! Who wins a strike.

use super::arrays::ByRank;
use super::rank::{Rank, RankSet};

/// How a strike ended for the striker.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Outcome {
    /// The defender is removed; the striker moves in.
    Win,
    /// The striker is removed.
    Loss,
    /// Both pieces are removed.
    Tie,
}

impl Outcome {
    /// All three.
    pub const ALL: [Outcome; 3] = [Outcome::Win, Outcome::Loss, Outcome::Tie];

    /// `W`, `L` or `T`.
    pub const fn letter(self) -> char {
        match self {
            Outcome::Win => 'W',
            Outcome::Loss => 'L',
            Outcome::Tie => 'T',
        }
    }
}

/// The keys of a rule system that decide strikes.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Hash)]
pub struct StrikeRules {
    /// Of two equal ranks the striker wins.
    pub aggressor: bool,
}

impl StrikeRules {
    /// As in every preset: equal ranks fall together.
    pub const USUAL: StrikeRules = StrikeRules { aggressor: false };
}

/// How `striker` (a mobile rank) fares against `defender`.
///
/// The flag falls to anything, a bomb to miners only, the Marshal to a spy that strikes; otherwise the higher
/// rank wins (1961 text, "Rules for Strike" 6 to 10).
pub const fn battle(striker: Rank, defender: Rank, rules: StrikeRules) -> Outcome {
    match (striker, defender) {
        (_, Rank::Flag) | (Rank::Miner, Rank::Bomb) | (Rank::Spy, Rank::Marshal) => Outcome::Win,
        (_, Rank::Bomb) => Outcome::Loss,
        _ if striker as u8 > defender as u8 => Outcome::Win,
        _ if striker as u8 == defender as u8 && rules.aggressor => Outcome::Win,
        _ if striker as u8 == defender as u8 => Outcome::Tie,
        _ => Outcome::Loss,
    }
}

/// `TABLE[striker][aggressor][outcome]`: the defenders against which `striker` has that outcome.
static TABLE: ByRank<[[u16; 3]; 2]> = ByRank::new(table());

const fn table() -> [[[u16; 3]; 2]; Rank::COUNT] {
    let mut table = [[[0; 3]; 2]; Rank::COUNT];
    let mut aggressor = 0;
    while aggressor < 2 {
        let mut striker = 0;
        while striker < Rank::COUNT {
            let mut defender = 0;
            while Rank::ALL[striker].is_mobile() && defender < Rank::COUNT {
                let outcome = battle(
                    Rank::ALL[striker],
                    Rank::ALL[defender],
                    StrikeRules { aggressor: aggressor == 1 },
                );
                table[striker][aggressor][outcome as usize] |= 1 << defender;
                defender += 1;
            }
            striker += 1;
        }
        aggressor += 1;
    }
    table
}

/// The defenders against which `striker` has `outcome`; none if `striker` cannot move.
pub const fn defenders(striker: Rank, outcome: Outcome, rules: StrikeRules) -> RankSet {
    RankSet::from_bits(TABLE.of(striker)[rules.aggressor as usize][outcome as usize])
}

/// What the two pieces of a strike may be.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Fighters {
    /// The ranks that the striker may have.
    pub(super) striker: RankSet,
    /// The ranks that the defender may have.
    pub(super) defender: RankSet,
}

/// What is left of both sets once the strike had `outcome`; both empty if it cannot have.
pub(super) fn narrow(
    strikers: RankSet,
    defending: RankSet,
    outcome: Outcome,
    rules: StrikeRules,
) -> Fighters {
    let mut left = Fighters { striker: RankSet::EMPTY, defender: RankSet::EMPTY };
    for striker in strikers.iter() {
        let losers = defenders(striker, outcome, rules).and(defending);
        if !losers.is_empty() {
            left.striker = left.striker.or(RankSet::only(striker));
            left.defender = left.defender.or(losers);
        }
    }
    left
}

/// The outcome, if the sets allow only one.
pub fn certain(strikers: RankSet, defending: RankSet, rules: StrikeRules) -> Option<Outcome> {
    let possible =
        |outcome: &Outcome| strikers.iter().any(|s| defenders(s, *outcome, rules).meets(defending));
    let mut outcomes = Outcome::ALL.into_iter().filter(possible);
    let first = outcomes.next()?;
    if outcomes.next().is_some() { None } else { Some(first) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: StrikeRules = StrikeRules::USUAL;

    /// Rows: striker S 2 .. M; columns: defender F S 2 .. M B. Written out by hand from the rule texts.
    const MATRIX: [&str; 10] = [
        "WTLLLLLLLLWL", // spy
        "WWTLLLLLLLLL", // scout
        "WWWTLLLLLLLW", // miner
        "WWWWTLLLLLLL",
        "WWWWWTLLLLLL",
        "WWWWWWTLLLLL",
        "WWWWWWWTLLLL",
        "WWWWWWWWTLLL",
        "WWWWWWWWWTLL",
        "WWWWWWWWWWTL", // marshal
    ];

    #[test]
    fn the_battle_matrix_is_the_rule_texts() {
        for (striker, row) in Rank::ALL[1..11].iter().zip(MATRIX) {
            for (&defender, wanted) in Rank::ALL.iter().zip(row.chars()) {
                assert_eq!(battle(*striker, defender, USUAL).letter(), wanted, "{striker} x {defender}");
                let aggressive = if wanted == 'T' { 'W' } else { wanted };
                assert_eq!(battle(*striker, defender, StrikeRules { aggressor: true }).letter(), aggressive);
            }
        }
    }

    #[test]
    fn an_outcome_narrows_both_sides() {
        let only = RankSet::only;
        let Fighters { striker, defender } = narrow(only(Rank::Captain), RankSet::ALL, Outcome::Loss, USUAL);
        assert_eq!((striker.to_string(), defender.to_string()), ("6".into(), "789MB".into()));
        let Fighters { striker, .. } = narrow(RankSet::MOBILE, only(Rank::Bomb), Outcome::Win, USUAL);
        assert_eq!(striker.to_string(), "3");
        assert_eq!(certain(RankSet::MOBILE, only(Rank::Flag), USUAL), Some(Outcome::Win));
        assert_eq!(certain(RankSet::MOBILE, only(Rank::Bomb), USUAL), None);
    }
}
