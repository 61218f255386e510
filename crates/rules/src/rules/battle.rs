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
    /// Both are removed.
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

/// How `striker` (a mobile rank) fares against `defender`. With `aggressor`, equal ranks are a win.
///
/// The flag falls to anything, a bomb to miners only, the Marshal to a spy that strikes; otherwise the higher
/// rank wins (1961 text, "Rules for Strike" 6 to 10).
pub const fn battle(striker: Rank, defender: Rank, aggressor: bool) -> Outcome {
    match (striker, defender) {
        (_, Rank::Flag) | (Rank::Miner, Rank::Bomb) | (Rank::Spy, Rank::Marshal) => Outcome::Win,
        (_, Rank::Bomb) => Outcome::Loss,
        _ if striker as u8 > defender as u8 => Outcome::Win,
        _ if striker as u8 == defender as u8 && aggressor => Outcome::Win,
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
                let outcome = battle(Rank::ALL[striker], Rank::ALL[defender], aggressor == 1);
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
pub const fn defenders(striker: Rank, outcome: Outcome, aggressor: bool) -> RankSet {
    RankSet::from_bits(TABLE.of(striker)[aggressor as usize][outcome as usize])
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
pub(super) fn narrow(strikers: RankSet, defending: RankSet, outcome: Outcome, aggressor: bool) -> Fighters {
    let mut left = Fighters { striker: RankSet::EMPTY, defender: RankSet::EMPTY };
    for striker in strikers.iter() {
        let losers = defenders(striker, outcome, aggressor).and(defending);
        if !losers.is_empty() {
            left.striker = left.striker.or(RankSet::only(striker));
            left.defender = left.defender.or(losers);
        }
    }
    left
}

/// The outcome, if the sets allow only one.
pub fn certain(strikers: RankSet, defending: RankSet, aggressor: bool) -> Option<Outcome> {
    let possible =
        |outcome: &Outcome| strikers.iter().any(|s| defenders(s, *outcome, aggressor).meets(defending));
    let mut outcomes = Outcome::ALL.into_iter().filter(possible);
    let first = outcomes.next()?;
    if outcomes.next().is_some() { None } else { Some(first) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                assert_eq!(battle(*striker, defender, false).letter(), wanted, "{striker} x {defender}");
                let aggressive = if wanted == 'T' { 'W' } else { wanted };
                assert_eq!(battle(*striker, defender, true).letter(), aggressive);
            }
        }
    }

    #[test]
    fn an_outcome_narrows_both_sides() {
        let only = RankSet::only;
        let Fighters { striker, defender } = narrow(only(Rank::Captain), RankSet::ALL, Outcome::Loss, false);
        assert_eq!((striker.to_string(), defender.to_string()), ("6".into(), "789MB".into()));
        let Fighters { striker, .. } = narrow(RankSet::MOBILE, only(Rank::Bomb), Outcome::Win, false);
        assert_eq!(striker.to_string(), "3");
        assert_eq!(certain(RankSet::MOBILE, only(Rank::Flag), false), Some(Outcome::Win));
        assert_eq!(certain(RankSet::MOBILE, only(Rank::Bomb), false), None);
    }
}
