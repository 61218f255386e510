//! The features of a position: which of the network's inputs are on.
//!
//! Blocks of inputs are only ever added at the end, so that a network with fewer of them still fits: it leaves out what it
//! does not know. The first ten are those of the network that learned 89 million plies in the prototype.

use super::observation::{Cell, Counts, KINDS, Observation, Own, PLIES, PastPly, classic};
use super::pursuit::Strength;
use super::squares::{BESIDE, TWO_STEPS};
use crate::rules::{Rank, RankSet, Ruleset, SQUARES, Stuck};

/// A block of inputs: where it begins. Each begins where the one before it ends.
struct Blocks;

impl Blocks {
    /// Our piece: square, rank, what the enemy knows of it.
    const OWN: usize = 0;
    /// An enemy piece: square, kind.
    const ENEMY: usize = Blocks::OWN + SQUARES * 36;
    /// Four counts by rank, of those that are not whole: ours alive, ours hidden, theirs alive, theirs hidden.
    const COUNTS: usize = Blocks::ENEMY + SQUARES * KINDS;
    /// Hidden enemy pieces that never moved.
    const UNMOVED: usize = Blocks::COUNTS + 4 * 12 * 9;
    /// Hidden enemy pieces that moved.
    const MOVED: usize = Blocks::UNMOVED + 41;
    /// From where and to where the latest two plies of each side went.
    const LATEST: usize = Blocks::MOVED + 41;
    /// Plies without a strike, in ten steps.
    const QUIET: usize = Blocks::LATEST + 8 * SQUARES;
    /// Plies, in ten steps.
    const PLIES: usize = Blocks::QUIET + 10;
    /// An enemy of this kind beside a piece of ours of this rank and state.
    const BESIDE: usize = Blocks::PLIES + 10;
    /// An enemy of this kind that moved, two steps from a piece of ours of this rank and state.
    const TWO_STEPS: usize = Blocks::BESIDE + 36 * KINDS;
    /// The rules; plies left to their limits.
    const RULES: usize = Blocks::TWO_STEPS + 36 * KINDS;
    /// Hidden enemy pieces of which a strike said that they are weak, strong, or no bomb, by square.
    const HINTS: usize = Blocks::RULES + 64;
    /// What our hidden pieces were seen to chase and to evade, and what theirs evaded, by square.
    const PURSUITS: usize = Blocks::HINTS + 3 * SQUARES;
    /// From where and to where the six plies before those went, of each side.
    const EARLIER: usize = Blocks::PURSUITS + 9 * SQUARES;
    /// All inputs.
    const END: usize = Blocks::EARLIER + 2 * (PLIES - 2) * 2 * SQUARES;
}

/// Inputs of a position.
pub const POSITION_FEATURES: usize = Blocks::END;
/// Those of the prototype's network.
pub const FIRST_POSITION_FEATURES: usize = Blocks::RULES;

/// Writes the features of a position over `features`: the numbers of the inputs that are on, those of later blocks later.
pub fn position_features(seen: &Observation, features: &mut Vec<u16>) {
    let mut on = On(features);
    on.0.clear();
    on.own(seen);
    for square in seen.enemy.iter() {
        if let Cell::Enemy(kind) = seen.cells[square] {
            on.push(Blocks::ENEMY + square * KINDS + usize::from(kind));
        }
    }
    for (place, counts) in
        [seen.ours.alive, seen.ours.hidden, seen.theirs.alive, seen.theirs.hidden].iter().enumerate()
    {
        on.counts(place, counts);
    }
    on.push(Blocks::UNMOVED + usize::from(seen.unmoved));
    on.push(Blocks::MOVED + usize::from(seen.moved));
    for (side, past) in seen.past.iter().enumerate() {
        for (age, ply) in past[..2].iter().enumerate() {
            on.ply(Blocks::LATEST + (side * 2 + age) * 2 * SQUARES, *ply);
        }
    }
    on.push(Blocks::QUIET + quiet_step(seen.quiet));
    on.push(Blocks::PLIES + step_of(seen.ply, &[40, 80, 150, 250, 400, 600, 800, 1100, 1500]));
    on.later_blocks(seen);
}

/// In which of ten steps a count of quiet plies lies.
pub(super) fn quiet_step(quiet: u32) -> usize {
    step_of(quiet, &[10, 20, 40, 60, 80, 100, 125, 150, 175])
}

/// How many of the bounds a count has reached.
fn step_of(count: u32, bounds: &[u32]) -> usize {
    bounds.iter().filter(|&&bound| count >= bound).count()
}

/// The inputs that are on.
struct On<'a>(&'a mut Vec<u16>);

impl On<'_> {
    fn push(&mut self, feature: usize) {
        self.0.push(feature as u16);
    }

    fn own(&mut self, seen: &Observation) {
        for square in seen.own.iter() {
            let Cell::Own(own) = seen.cells[square] else { continue };
            self.push(Blocks::OWN + square * 36 + own.code());
            self.enemies_near(seen, square, own);
        }
    }

    fn enemies_near(&mut self, seen: &Observation, square: usize, own: Own) {
        for next in BESIDE[square].iter() {
            if let Cell::Enemy(kind) = seen.cells[next] {
                self.push(Blocks::BESIDE + own.code() * KINDS + usize::from(kind));
            }
        }
        if !own.is_mobile() || own.state == 0 {
            return;
        }
        for far in TWO_STEPS[square].iter() {
            if let Cell::Enemy(kind) = seen.cells[far]
                && seen.moved_enemies[far]
            {
                self.push(Blocks::TWO_STEPS + own.code() * KINDS + usize::from(kind));
            }
        }
    }

    fn counts(&mut self, place: usize, counts: &Counts) {
        for (rank, whole) in classic().iter() {
            let count = counts[rank.index()];
            if count < *whole {
                self.push(Blocks::COUNTS + place * 108 + rank.index() * 9 + usize::from(count));
            }
        }
    }

    fn ply(&mut self, block: usize, ply: Option<PastPly>) {
        if let Some(ply) = ply {
            self.push(block + usize::from(ply.from));
            self.push(block + SQUARES + usize::from(ply.to));
        }
    }

    /// What the prototype's network does not know.
    fn later_blocks(&mut self, seen: &Observation) {
        self.rules(&seen.rules, seen);
        for square in seen.enemy.iter().filter(|&square| !seen.hints[square].is_empty()) {
            self.hint(square, seen.hints[square]);
        }
        let pursuit = |square: usize| seen.pursuits[square];
        for square in seen.own.iter().filter(|&square| seen.is_hidden(square)) {
            self.strength(0, square, pursuit(square).chased);
            self.strength(3, square, pursuit(square).evaded);
        }
        for square in seen.enemy.iter().filter(|&square| seen.is_hidden(square)) {
            self.strength(6, square, pursuit(square).evaded);
        }
        for (side, past) in seen.past.iter().enumerate() {
            for (age, ply) in past[2..].iter().enumerate() {
                self.ply(Blocks::EARLIER + (side * (PLIES - 2) + age) * 2 * SQUARES, *ply);
            }
        }
    }

    fn strength(&mut self, plane: usize, square: usize, strength: Strength) {
        if strength != Strength::None {
            self.push(Blocks::PURSUITS + (plane + strength as usize - 1) * SQUARES + square);
        }
    }

    fn hint(&mut self, square: usize, ranks: RankSet) {
        let [weakest, strongest] = [ranks.iter().next(), ranks.iter().last()];
        let hints = [
            strongest.is_some_and(|rank| rank <= Rank::Lieutenant),
            weakest.is_some_and(|rank| rank >= Rank::Captain),
            !ranks.contains(Rank::Bomb),
        ];
        for plane in (0..3).filter(|&plane| hints[plane]) {
            self.push(Blocks::HINTS + plane * SQUARES + square);
        }
    }

    /// The rules that differ from those that most games are played by, and what is left to their limits of plies.
    fn rules(&mut self, rules: &Ruleset, seen: &Observation) {
        let Ruleset {
            preset: _,
            scout,
            twosquares,
            moresquares,
            advance,
            stuck,
            aggressor,
            silent,
            rescue,
            quiet,
            plies,
            barrage,
        } = *rules;
        let flags = [!scout, moresquares, advance, aggressor, silent, rescue, barrage];
        for flag in (0..flags.len()).filter(|&flag| flags[flag]) {
            self.push(Blocks::RULES + flag);
        }
        self.push(Blocks::RULES + 8 + usize::from(twosquares.min(Ruleset::MOST_CROSSINGS)));
        let stuck = match stuck {
            Stuck::Loses => 0,
            Stuck::Attrition => 1,
            Stuck::DrawIfBoth => 2,
        };
        self.push(Blocks::RULES + 17 + stuck);
        for (place, limit, made) in [(20, quiet, seen.quiet), (32, plies, seen.ply)] {
            if limit > 0 {
                let left = step_of(limit.saturating_sub(made), &[2, 5, 10, 20, 40, 80, 120, 160, 200, 400]);
                self.push(Blocks::RULES + place + left);
            }
        }
        for (place, made) in seen.rescues.into_iter().enumerate().filter(|_| rescue) {
            self.push(Blocks::RULES + 44 + place * 3 + usize::from(made.min(2)));
        }
    }
}

impl Observation {
    /// Whether the piece on a square is hidden from the other side.
    fn is_hidden(&self, square: usize) -> bool {
        match self.cells[square] {
            Cell::Empty => false,
            Cell::Own(own) => own.state < 2,
            Cell::Enemy(kind) => kind < 5,
        }
    }
}

/// The feature that a position has with left and right exchanged, where it has this one.
#[cfg(test)]
pub(super) fn mirrored(feature: u16) -> u16 {
    use super::squares::mirrored_square;
    let feature = usize::from(feature);
    // Of each block: its end, and how many inputs it has for a square that comes first, or 0 without squares, or 1 where the
    // square comes last.
    let blocks = [
        (Blocks::ENEMY, 36),
        (Blocks::COUNTS, KINDS),
        (Blocks::LATEST, 0),
        (Blocks::QUIET, 1),
        (Blocks::HINTS, 0),
        (Blocks::END, 1),
    ];
    let mut start = 0;
    for (end, each) in blocks {
        if feature < end {
            let inside = feature - start;
            let image = match each {
                0 => inside,
                each => mirrored_square(inside / each) * each + inside % each,
            };
            return (start + image) as u16;
        }
        start = end;
    }
    feature as u16
}
