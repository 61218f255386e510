//! What pieces of each rank tend to do, and how much an opponent is like the players it was learned from.
//!
//! A piece gives signs. For each style of play, one to a type of opponents, a table tells how much each sign speaks for
//! each rank. Which style an opponent has is judged by the pieces whose ranks have been told: each style is believed in
//! proportion to how likely it held those ranks to be just before, against what is believed without habits and against
//! blind counts.
//! So habits learned from players unlike this one soon count for nothing.

mod signs;
pub mod types;

use super::{Chances, prior};
use crate::math;
use crate::rules::{Army, Piece, PieceId, Rank, RankSet, Side};
use crate::view::View;
use crate::view::conduct::Portrait;
pub use signs::{SIGNS, name, signs};
use types::TABLES;

/// For each sign and [`Rank::index`], how much it speaks for the rank, in 1/100 nat.
pub type Habits = [[i16; Rank::COUNT]; SIGNS];

/// Styles of play and what is thought of them before anything is known.
#[derive(Copy, Clone, Debug)]
pub struct Styles<'a> {
    /// The habits of each.
    pub tables: &'a [Habits],
    /// The chance (0 to 1) that a player has none of these styles and places its pieces blindly.
    pub blind: f32,
    /// The chance that it has none of these styles, but places and first moves its pieces as most do; the rest is for the styles, the
    /// same for each.
    pub plain: f32,
    /// How much each told rank counts as evidence of the style: 1 if the ranks told were drawn as those hidden are.
    pub trust: f32,
    /// Share of what is believed without habits that no style takes away: anyone may bluff.
    pub doubt: f32,
    /// The power to which chances are raised in the end: mixing leaves them flatter than they come true.
    pub sharper: f32,
}

/// The styles that the engine reckons with. The first four numbers were chosen on games of players left out of the fit, the last on games of players in it, so what
/// `docs/experiments.md` says of those is somewhat too good.
pub const STYLES: Styles<'static> =
    Styles { tables: &TABLES, blind: 0.1, plain: 0.65, trust: 0.5, doubt: 0.03, sharper: 1.1 };

/// No style: habits change nothing.
pub const NO_STYLES: Styles<'static> =
    Styles { tables: &[], blind: 0.0, plain: 1.0, trust: 0.0, doubt: 1.0, sharper: 1.0 };

/// What one way of reckoning holds a piece to be.
struct Ways<'a> {
    styles: &'a Styles<'a>,
    army: Army,
    found: Vec<u16>,
}

impl Ways<'_> {
    const BLIND: usize = 0;
    const PLAIN: usize = 1;
    /// A style believed less than this is not worked out: it could not show.
    const LEAST: f32 = 1e-3;

    fn count(&self) -> usize {
        self.styles.tables.len() + 2
    }

    /// What each way holds a piece to be that is one of `ranks` and whose ranks are weighed by `weights` without
    /// habits; nothing for styles that are hardly `believed`.
    fn chances(
        &mut self,
        portrait: &Portrait,
        ranks: RankSet,
        weights: &Chances,
        believed: Option<&[f32]>,
    ) -> Vec<Chances> {
        let among = |rank: usize| {
            if ranks.contains(Rank::ALL[rank]) { f32::from(self.army.counts()[rank]) } else { 0.0 }
        };
        let blind: Chances = std::array::from_fn(among);
        let plain: Chances = std::array::from_fn(|rank| blind[rank] * weights[rank]);
        let mut ways = vec![whole(blind), whole(plain)];
        self.found.clear();
        signs(portrait, &mut self.found);
        for (style, table) in self.styles.tables.iter().enumerate() {
            let counts = believed.is_none_or(|believed| believed[style + 2] >= Self::LEAST);
            ways.push(if counts { by_habits(table, &self.found, &plain) } else { [0.0; Rank::COUNT] });
        }
        ways
    }

    /// How much each way is believed, by the ranks of `side` that have been told; `None` before one has been, when
    /// only what most players do is to be expected.
    fn believed(&mut self, view: &View, side: Side) -> Option<Vec<f32>> {
        let styles = self.styles;
        let share = (1.0 - styles.blind - styles.plain) / styles.tables.len().max(1) as f32;
        let mut logs = vec![math::ln(share.max(f32::MIN_POSITIVE)); self.count()];
        logs[Self::BLIND] = math::ln(styles.blind.max(f32::MIN_POSITIVE));
        logs[Self::PLAIN] = math::ln(styles.plain.max(f32::MIN_POSITIVE));
        let mut shown = view.conduct().shown(view.position(), side).peekable();
        shown.peek()?;
        for (portrait, rank) in shown {
            let Portrait { id, piece, ply, .. } = portrait;
            let weights = prior(*id, piece, *ply);
            let ways = self.chances(portrait, piece.ranks.or(RankSet::only(rank)), &weights, None);
            for (log, way) in logs.iter_mut().zip(&ways) {
                let chance =
                    (1.0 - styles.doubt) * way[rank.index()] + styles.doubt * ways[Self::PLAIN][rank.index()];
                *log += styles.trust * math::ln(chance.max(1e-4));
            }
        }
        let most = logs.iter().copied().fold(f32::MIN, f32::max);
        let shares: Vec<f32> = logs.iter().map(|log| math::exp(log - most)).collect();
        let sum: f32 = shares.iter().sum();
        Some(shares.into_iter().map(|share| share / sum).collect())
    }
}

/// Scaled to sum to one.
fn whole(chances: Chances) -> Chances {
    let sum: f32 = chances.iter().sum();
    if sum > 0.0 { chances.map(|chance| chance / sum) } else { chances }
}

/// `plain` chances, in any unit, after `found` signs.
fn by_habits(table: &Habits, found: &[u16], plain: &Chances) -> Chances {
    let mut sums = [0i32; Rank::COUNT];
    for &sign in found {
        for (sum, &weight) in sums.iter_mut().zip(&table[usize::from(sign)]) {
            *sum += i32::from(weight);
        }
    }
    let possible = (0..Rank::COUNT).filter(|&rank| plain[rank] > 0.0);
    let most = possible.map(|rank| sums[rank]).max().unwrap_or(0);
    whole(std::array::from_fn(|rank| plain[rank] * math::exp((sums[rank] - most).min(0) as f32 / 100.0)))
}

/// Weighs the ranks of `pieces`, all of one side, by what they have been seen to do, on top of what `weights` say.
/// Only the classic army's habits are known.
pub(super) fn weigh(pieces: &[(PieceId, Piece)], weights: &mut [Chances], view: &View, styles: &Styles) {
    let army = view.position().rules().army();
    let Some(side) = pieces.first().map(|(id, _)| id.side()) else { return };
    if army != Army::CLASSIC || styles.doubt >= 1.0 {
        return;
    }
    let mut ways = Ways { styles, army, found: Vec::new() };
    let Some(believed) = ways.believed(view, side) else { return };
    for ((id, piece), weights) in pieces.iter().zip(weights) {
        if piece.ranks.len() < 2 {
            continue;
        }
        let portrait = view.conduct().portrait(view.position(), *id, piece);
        let chances = ways.chances(&portrait, piece.ranks, weights, Some(&believed));
        for rank in piece.ranks.iter() {
            let rank = rank.index();
            let mean: f32 = chances.iter().zip(&believed).map(|(chances, share)| chances[rank] * share).sum();
            let mixed = (1.0 - styles.doubt) * mean + styles.doubt * chances[Ways::PLAIN][rank];
            let count = f32::from(army.counts()[rank]);
            if count > 0.0 {
                weights[rank] = math::pow(mixed, styles.sharper) / count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Belief;
    use crate::belief::tests::opening;
    use crate::event::Event;

    /// Says that whatever has moved is a scout, and whatever has not is none.
    fn runners() -> Habits {
        let mut table = [[0; Rank::COUNT]; SIGNS];
        for (sign, row) in table.iter_mut().enumerate() {
            row[Rank::Scout.index()] = match name(sign) {
                ("moves", 0) => 400,
                ("still among still", _) => -400,
                _ => 0,
            };
        }
        table
    }

    fn play(view: &mut View, texts: &[&str]) {
        for text in texts {
            view.observe(&Event::Played(text.parse().unwrap())).unwrap();
        }
    }

    /// The chance that the piece of Blue's that began on a place is a scout.
    fn scout(view: &View, place: usize, styles: &Styles) -> f32 {
        let belief = Belief::of_enemies_by(view, styles);
        belief.chances(PieceId::new(Side::Blue, place)).unwrap()[Rank::Scout.index()]
    }

    #[test]
    fn a_style_is_believed_the_more_the_more_it_was_right() {
        let tables = [runners()];
        let styles =
            Styles { tables: &tables, blind: 0.1, plain: 0.8, trust: 1.0, doubt: 0.03, sharper: 1.0 };
        let believed = |view: &View| {
            Ways { styles: &styles, army: Army::CLASSIC, found: Vec::new() }.believed(view, Side::Blue)
        };
        // Blue's a7, then b7, walk into Red's a4: scouts, or colonels.
        let told = |rank: char| {
            let mut view = opening();
            play(&mut view, &["e4e5", "a7a6", "e5e4", "a6a5", "e4e5"]);
            assert!(believed(&view).is_none());
            play(&mut view, &[if rank == '2' { "a5xa4=L24" } else { "a5xa4=W84" }, "e5e4", "b7b6"]);
            (believed(&view).unwrap()[2], scout(&view, 38, &styles))
        };
        let (right, wrong) = (told('2'), told('8'));
        assert!(right.0 > 0.15 && wrong.0 < 0.02, "{right:?} {wrong:?}");
        assert!(right.1 > wrong.1 + 0.1, "{right:?} {wrong:?}");
    }

    #[test]
    fn no_behaviour_takes_more_than_the_doubt_leaves() {
        let tables = [runners()];
        let styles =
            Styles { tables: &tables, blind: 0.0, plain: 0.0, trust: 1.0, doubt: 0.05, sharper: 1.0 };
        let mut view = opening();
        play(&mut view, &["e4e5", "a7a6", "e5e4", "a6a5", "e4e5", "a5xa4=L24", "e5e4", "b7b6"]);
        let pieces: Vec<_> = view.enemies().map(|(id, piece)| (id, *piece)).collect();
        let mut weights = vec![[1.0; Rank::COUNT]; pieces.len()];
        weigh(&pieces, &mut weights, &view, &styles);
        for (weights, (_, piece)) in weights.iter().zip(&pieces) {
            let all: u8 = piece.ranks.iter().map(|rank| Army::CLASSIC.count(rank)).sum();
            for rank in piece.ranks.iter() {
                assert!(weights[rank.index()] * f32::from(all) > 0.049, "{weights:?}");
            }
        }
        assert!(weights[38][Rank::Scout.index()] > 2.0 * weights[38][Rank::Marshal.index()]);
    }

    #[test]
    fn without_styles_nothing_changes() {
        let mut view = opening();
        play(&mut view, &["e4e5", "a7a6", "e5e4", "a6a5", "e4e5", "a5xa4=L24"]);
        let none = Styles { tables: &[], blind: 0.0, plain: 1.0, trust: 1.0, doubt: 0.0, sharper: 1.0 };
        for place in 0..40 {
            let gap = scout(&view, place, &none) - scout(&view, place, &NO_STYLES);
            assert!(gap.abs() < 1e-4, "{gap}");
        }
    }
}
