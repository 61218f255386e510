//! How pieces were lost, and what was paid for them.

use crate::strike::{Fighter, Strike};
use outflank::named_enum::named_enum;
use outflank::rules::{Outcome, Rank, Side};
use outflank_record::Visibility;
use outflank_record::points::points;

named_enum! {
    /// How a side lost a piece. Every strike is of exactly one kind for each side that lost a piece in it: of the first
    /// that fits, from the end of this list.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Kind {
        /// It struck a piece that it knew to be stronger.
        OnKnown = "own strike on known stronger",
        /// It struck a bomb, which had never moved and was unknown.
        OnBomb = "own strike on hidden unmoved bomb",
        /// It struck another unknown piece that had never moved.
        OnUnmoved = "own strike on hidden unmoved other",
        /// It struck an unknown piece that had moved.
        OnMoved = "own strike on hidden moved",
        /// A known piece struck it, while it was unknown and had moved.
        KnownOnMoved = "known enemy on our hidden moved",
        /// A known piece struck it, while it was unknown and had never moved.
        KnownOnUnmoved = "known enemy on our hidden unmoved",
        /// A known piece struck it, while it was known.
        KnownOnKnown = "known enemy on our known",
        /// An unknown piece struck it, while it was known: it was chased or ambushed.
        HiddenOnKnown = "hidden enemy on our known",
        /// An unknown piece struck it, while it was unknown.
        HiddenOnHidden = "hidden enemy on our hidden",
        /// It had just taken something, and was struck in the very next ply.
        Retaken = "retaken",
        /// It fell with an equal one.
        Equal = "equal exchange",
    }
}

impl Kind {
    /// How `loser` lost a piece in a strike, with the strike before it in the game; `None` if it lost none.
    pub fn of(strike: &Strike, before: Option<&Strike>, loser: Side) -> Option<Kind> {
        if !strike.fell(loser) {
            return None;
        }
        Some(match strike.outcome {
            Outcome::Tie => Kind::Equal,
            Outcome::Loss => Kind::of_own(strike.victim),
            Outcome::Win if before.is_some_and(|before| strike.retakes(before)) => Kind::Retaken,
            Outcome::Win => Kind::of_struck(strike.striker, strike.victim),
        })
    }

    const fn of_own(victim: Fighter) -> Kind {
        match (victim.seen, victim.rank) {
            (Visibility::Known, _) => Kind::OnKnown,
            (Visibility::Moved, _) => Kind::OnMoved,
            (Visibility::Unmoved, Rank::Bomb) => Kind::OnBomb,
            (Visibility::Unmoved, _) => Kind::OnUnmoved,
        }
    }

    const fn of_struck(striker: Fighter, ours: Fighter) -> Kind {
        match (striker.seen, ours.seen) {
            (Visibility::Known, Visibility::Known) => Kind::KnownOnKnown,
            (Visibility::Known, Visibility::Moved) => Kind::KnownOnMoved,
            (Visibility::Known, Visibility::Unmoved) => Kind::KnownOnUnmoved,
            (Visibility::Moved | Visibility::Unmoved, Visibility::Known) => Kind::HiddenOnKnown,
            (Visibility::Moved | Visibility::Unmoved, Visibility::Moved | Visibility::Unmoved) => {
                Kind::HiddenOnHidden
            }
        }
    }
}

/// A piece that a side lost.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Loss {
    /// How.
    pub kind: Kind,
    /// Its points.
    pub points: u32,
    /// Points that the enemy lost in the same exchange: the equal piece; what a retaken piece had just taken; or else
    /// the taker, where it falls in our next turn to a piece that is not retaken itself. What the enemy lost is paid
    /// for one loss at most.
    pub paid: u32,
}

/// What `side` lost in the strikes of a game, in their order.
pub fn losses(strikes: &[Strike], side: Side) -> Vec<Loss> {
    let before = |index: usize| index.checked_sub(1).map(|index| &strikes[index]);
    let loss = |index: usize| {
        let strike = &strikes[index];
        let kind = Kind::of(strike, before(index), side)?;
        let paid = match kind {
            Kind::Equal => strike.taken(side),
            Kind::Retaken => before(index).map_or(0, |before| before.taken(side)),
            Kind::OnKnown
            | Kind::OnBomb
            | Kind::OnUnmoved
            | Kind::OnMoved
            | Kind::KnownOnMoved
            | Kind::KnownOnUnmoved
            | Kind::KnownOnKnown
            | Kind::HiddenOnKnown
            | Kind::HiddenOnHidden => avenged(strike, &strikes[index + 1..], side),
        };
        Some(Loss { kind, points: points(strike.fighter(side).rank), paid })
    };
    (0..strikes.len()).filter_map(loss).collect()
}

/// Points of the piece that took one of `side`'s, if it falls in that side's next turn.
fn avenged(strike: &Strike, later: &[Strike], side: Side) -> u32 {
    let taker = strike.fighter(side.enemy()).id;
    let turn = strike.ply + if strike.mover() == side { 2 } else { 1 };
    let Some(at) = later.iter().position(|next| next.ply == turn && next.victim.id == taker) else {
        return 0;
    };
    // What the taker took in between is what it is the price of.
    let took_again = later[..at].iter().any(|next| next.striker.id == taker);
    let retaken = later.get(at + 1).is_some_and(|next| next.retakes(&later[at]));
    if took_again || retaken || later[at].outcome != Outcome::Win { 0 } else { later[at].taken(side) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::PieceId;

    /// A piece that may be known (`k`) and may have moved (`m`), as in `k9m`.
    fn fighter(side: Side, text: &str) -> Fighter {
        let rank = Rank::from_letter(text.trim_matches(['k', 'm']).chars().next().unwrap()).unwrap();
        let seen = match (text.starts_with('k'), text.ends_with('m')) {
            (true, _) => Visibility::Known,
            (false, true) => Visibility::Moved,
            (false, false) => Visibility::Unmoved,
        };
        Fighter { id: PieceId::new(side, rank.index()), rank, seen }
    }

    /// A strike of Red's, or Blue's if it is made in an even ply.
    fn strike(ply: u32, square: &str, striker: &str, outcome: Outcome, victim: &str) -> Strike {
        let side = if ply.is_multiple_of(2) { Side::Blue } else { Side::Red };
        let (striker, victim) = (fighter(side, striker), fighter(side.enemy(), victim));
        Strike { ply, square: square.parse().unwrap(), striker, victim, outcome }
    }

    #[test]
    fn a_strike_that_fails_counts_by_what_was_known_of_the_victim() {
        let cases = [
            ("k9m", Kind::OnKnown),
            ("k9", Kind::OnKnown),
            ("kB", Kind::OnKnown),
            ("B", Kind::OnBomb),
            ("9", Kind::OnUnmoved),
            ("9m", Kind::OnMoved),
        ];
        for (victim, kind) in cases {
            let strike = strike(1, "e5", "5m", Outcome::Loss, victim);
            assert_eq!(Kind::of(&strike, None, Side::Red), Some(kind), "{victim}");
            assert_eq!(Kind::of(&strike, None, Side::Blue), None, "{victim}");
        }
    }

    #[test]
    fn who_is_struck_counts_by_what_was_known_of_both() {
        let cases = [
            ("k9m", "5m", Kind::KnownOnMoved),
            ("k9m", "5", Kind::KnownOnUnmoved),
            ("k9m", "k5m", Kind::KnownOnKnown),
            ("k9m", "k5", Kind::KnownOnKnown),
            ("9m", "k5m", Kind::HiddenOnKnown),
            ("9", "5m", Kind::HiddenOnHidden),
            ("9m", "5", Kind::HiddenOnHidden),
        ];
        for (striker, victim, kind) in cases {
            let strike = strike(2, "e5", striker, Outcome::Win, victim);
            assert_eq!(Kind::of(&strike, None, Side::Red), Some(kind), "{striker} {victim}");
            assert_eq!(Kind::of(&strike, None, Side::Blue), None, "{striker} {victim}");
        }
    }

    #[test]
    fn a_piece_is_retaken_at_once_on_the_square_where_it_took() {
        let took = strike(1, "e5", "5m", Outcome::Win, "4");
        let retakes = strike(2, "e5", "9m", Outcome::Win, "k5m");
        assert_eq!(Kind::of(&retakes, Some(&took), Side::Red), Some(Kind::Retaken));
        let lost = strike(1, "e5", "5m", Outcome::Loss, "8");
        for (before, strike) in [
            (took, strike(4, "e5", "9m", Outcome::Win, "k5m")),
            (took, strike(2, "a5", "9m", Outcome::Win, "k5m")),
            (lost, strike(2, "e5", "9m", Outcome::Win, "k5m")),
        ] {
            assert_eq!(Kind::of(&strike, Some(&before), Side::Red), Some(Kind::HiddenOnKnown));
        }
    }

    #[test]
    fn equal_pieces_are_an_exchange_for_both() {
        let took = strike(1, "e5", "5m", Outcome::Win, "4");
        let tie = strike(2, "e5", "k5m", Outcome::Tie, "k5m");
        for side in Side::BOTH {
            assert_eq!(Kind::of(&tie, Some(&took), side), Some(Kind::Equal));
        }
    }

    fn summed(strikes: &[Strike], side: Side) -> Vec<(Kind, u32, u32)> {
        losses(strikes, side).iter().map(|loss| (loss.kind, loss.points, loss.paid)).collect()
    }

    #[test]
    fn the_taker_pays_if_it_falls_in_our_next_turn() {
        let took = strike(1, "e5", "5m", Outcome::Win, "4");
        let first = strike(2, "e5", "6", Outcome::Win, "k5m");
        let second = strike(3, "e5", "7", Outcome::Win, "k6m");
        assert_eq!(summed(&[took, first], Side::Blue), [(Kind::HiddenOnHidden, 60, 65)]);
        assert_eq!(summed(&[took, first], Side::Red), [(Kind::Retaken, 65, 60)]);
        // Of three, the last pays for the second only once.
        let three = [took, first, second];
        assert_eq!(summed(&three, Side::Blue), [(Kind::HiddenOnHidden, 60, 0), (Kind::Retaken, 80, 65)]);
        assert_eq!(summed(&three, Side::Red), [(Kind::Retaken, 65, 60)]);
        let tie = strike(2, "e5", "5", Outcome::Tie, "k5m");
        assert_eq!(summed(&[took, tie], Side::Blue), [(Kind::HiddenOnHidden, 60, 0), (Kind::Equal, 65, 65)]);
        let late = strike(4, "e5", "6", Outcome::Win, "k5m");
        assert_eq!(summed(&[took, late], Side::Blue), [(Kind::HiddenOnHidden, 60, 0)]);
    }

    /// Red strikes in vain, Blue's piece goes on to take another one, and falls in Red's next turn.
    #[test]
    fn a_taker_pays_for_the_last_that_it_took() {
        let vain = strike(1, "e5", "5m", Outcome::Loss, "6m");
        let falls = strike(3, "e5", "7m", Outcome::Win, "k6m");
        assert_eq!(summed(&[vain, falls], Side::Red), [(Kind::OnMoved, 65, 80)]);
        let on = strike(2, "e4", "k6m", Outcome::Win, "4");
        let falls = strike(3, "e4", "7m", Outcome::Win, "k6m");
        assert_eq!(
            summed(&[vain, on, falls], Side::Red),
            [(Kind::OnMoved, 65, 0), (Kind::KnownOnUnmoved, 60, 80)]
        );
    }
}
