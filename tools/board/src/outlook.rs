//! What an action may meet, by what its player believes: the piece that it strikes, and the one that may strike back.

use outflank::belief::Belief;
use outflank::rules::{Action, Outcome, PieceId, Position, Rank, RankSet, battle, defenders};
use serde::Serialize;

/// From which chance on a danger is named, and how many ranks of a struck piece.
const FEARED: f32 = 0.25;
const RANKS: usize = 2;

/// What an action may meet.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Outlook {
    /// The piece that is struck, where its rank is hidden from the player.
    pub struck: Option<Struck>,
    /// The piece that is most to be feared where the action ends.
    pub danger: Option<Danger>,
}

/// A hidden piece that is struck; chances are in permille.
#[derive(Clone, Debug, Serialize)]
pub struct Struck {
    /// Its likeliest ranks, the likeliest first, each with its chance.
    pub likeliest: Vec<(char, u16)>,
    /// The chance that the strike wins.
    pub win: u16,
    /// The chance that it loses.
    pub loss: u16,
}

/// An enemy's piece beside the square where an action ends.
#[derive(Clone, Debug, Serialize)]
pub struct Danger {
    /// Its square.
    pub at: String,
    /// The chance in permille that it beats the piece that moved, should it strike.
    pub chance: u16,
}

impl Outlook {
    /// What the action of the player to move may meet, by the player's own view of the position and its belief.
    pub fn of(position: &Position, belief: &Belief, action: Action) -> Outlook {
        let mover = position.piece_at(action.from);
        let Some(rank) = mover.and_then(|id| position.piece(id).ranks.single()) else {
            return Outlook::default();
        };
        let struck = position.piece_at(action.to).and_then(|id| struck(position, belief, rank, id));
        Outlook { struck, danger: danger(position, belief, rank, action) }
    }
}

fn struck(position: &Position, belief: &Belief, rank: Rank, id: PieceId) -> Option<Struck> {
    let probabilities = belief.probabilities(id).filter(|_| position.piece(id).ranks.single().is_none())?;
    let rules = position.rules().strike_rules();
    let chance = |outcome| permille(share(position, belief, id, defenders(rank, outcome, rules)));
    let mut likeliest: Vec<Rank> = Rank::ALL.into_iter().filter(|&rank| probabilities[rank] > 0.0).collect();
    likeliest.sort_by(|&one, &other| probabilities[other].total_cmp(&probabilities[one]));
    let likeliest = likeliest.into_iter().take(RANKS);
    let likeliest = likeliest.map(|rank| (rank.letter(), permille(probabilities[rank]))).collect();
    Some(Struck { likeliest, win: chance(Outcome::Win), loss: chance(Outcome::Loss) })
}

/// The piece beside the target that likeliest beats the rank.
fn danger(position: &Position, belief: &Belief, rank: Rank, action: Action) -> Option<Danger> {
    let rules = position.rules().strike_rules();
    let strikes = |other: &Rank| other.is_mobile() && battle(*other, rank, rules) == Outcome::Win;
    let feared: RankSet = Rank::ALL.into_iter().filter(strikes).collect();
    let side = position.to_move();
    let near = action.to.neighbours().filter_map(|square| Some((square, position.piece_at(square)?)));
    let enemies = near.filter(|(_, id)| id.side() != side);
    let chances = enemies.map(|(square, id)| (square, share(position, belief, id, feared)));
    let worst = chances.max_by(|(_, one), (_, other)| one.total_cmp(other));
    let (square, chance) = worst.filter(|(_, chance)| *chance >= FEARED)?;
    Some(Danger { at: square.to_string(), chance: permille(chance) })
}

/// The chance that a piece has one of these ranks.
fn share(position: &Position, belief: &Belief, id: PieceId, ranks: RankSet) -> f32 {
    if let Some(known) = position.piece(id).ranks.single() {
        return if ranks.contains(known) { 1.0 } else { 0.0 };
    }
    belief.probabilities(id).map_or(0.0, |of| ranks.iter().map(|rank| of[rank]).sum())
}

fn permille(chance: f32) -> u16 {
    (chance * 1000.0).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::{Ruleset, Side, Spn};
    use outflank::view::View;

    #[test]
    fn a_strike_has_chances_and_a_step_beside_a_piece_its_danger() {
        // Red's scout on a3 below a hidden piece, a miner on b3.
        let spn = "9?/9?/10/10/2__2__2/2__2__2/?9/DE8/10/MB8 r r -,- 40 100 preset=isf";
        let view = View::from_spn(&Spn::parse(spn, Ruleset::default()).unwrap(), Side::Red);
        let belief = Belief::of_enemies(&view);
        let position = view.position();
        for action in position.actions() {
            let outlook = Outlook::of(position, &belief, action);
            assert_eq!(outlook.struck.is_some(), position.is_strike(action), "{action:?}");
            if let Some(struck) = outlook.struck {
                assert!(struck.win + struck.loss <= 1001 && struck.likeliest[0].1 >= struck.likeliest[1].1);
            }
        }
        let of = |text: &str| {
            let action = position.actions().into_iter().find(|action| action.text(false) == text);
            Outlook::of(position, &belief, action.unwrap())
        };
        assert!(of("b3c3").danger.is_none(), "nobody stands beside c3");
        let danger = of("b3b4").danger.unwrap();
        assert!(danger.at == "a4" && danger.chance >= 250, "{danger:?}");
    }
}
