//! The features of an action: who goes from where to where, what stands around there, and what a strike may come to.
//!
//! As those of a [position](super::features): blocks are only ever added at the end.

use super::features::quiet_step;
use super::observation::{Cell, Counts, KINDS, Observation, Own, PastPly};
use super::squares::{BESIDE, TWO_STEPS};
use crate::rules::{Action, Outcome, Rank, SQUARES, StrikeRules, battle};

/// A block of inputs: where it begins. *Mover* is the rank of what moves and what the enemy knows of it, 30 in all.
struct Blocks;

impl Blocks {
    /// Mover and where it goes.
    const TO: usize = 0;
    /// Mover and where it comes from.
    const FROM: usize = Blocks::TO + 30 * SQUARES;
    /// Mover and the kind of enemy that it strikes, or none.
    const TARGET: usize = Blocks::FROM + 30 * SQUARES;
    /// Mover and the kind of an enemy beside it afterwards.
    const ENEMY_BESIDE_TO: usize = Blocks::TARGET + 30 * (KINDS + 1);
    /// Mover and the kind of an enemy beside it before.
    const ENEMY_BESIDE_FROM: usize = Blocks::ENEMY_BESIDE_TO + 30 * KINDS;
    /// Ranks of the mover and of a piece of ours beside it afterwards.
    const OWN_BESIDE_TO: usize = Blocks::ENEMY_BESIDE_FROM + 30 * KINDS;
    /// Ranks of the mover and of a piece of ours that it leaves.
    const OWN_BESIDE_FROM: usize = Blocks::OWN_BESIDE_TO + 120;
    /// Mover and the kind of an enemy that moved or is known, two steps off afterwards.
    const TWO_STEPS: usize = Blocks::OWN_BESIDE_FROM + 120;
    /// Direction and length.
    const LENGTH: usize = Blocks::TWO_STEPS + 30 * KINDS;
    /// How it goes on from our latest plies: back and forth, by another piece.
    const AGAIN: usize = Blocks::LENGTH + 36;
    /// Mover that strikes the piece that moved last.
    const STRIKES_LATEST: usize = Blocks::AGAIN + 8;
    /// Mover and the kind of the piece that moved last, which it leaves.
    const LEAVES_LATEST: usize = Blocks::STRIKES_LATEST + 30;
    /// Mover and the kind of the piece that moved last, which it goes up to.
    const MEETS_LATEST: usize = Blocks::LEAVES_LATEST + 30 * KINDS;
    /// Plies without a strike, and whether this is one, goes forward or back.
    const QUIET: usize = Blocks::MEETS_LATEST + 30 * KINDS;
    /// The odds of a strike at a hidden piece by what is left of the enemy, in eighths.
    const ODDS: usize = Blocks::QUIET + 40;
    /// Rank and square of a strike at what never moved.
    const STILL_TARGET: usize = Blocks::ODDS + 32;
    /// How many hidden enemies are stronger, and whether this is a strike, goes beside an enemy, or neither.
    const STRONGER: usize = Blocks::STILL_TARGET + 10 * SQUARES;
    /// Mover and direction.
    const FORWARD: usize = Blocks::STRONGER + 45;
    /// A rescue: which rank comes back, by square; last, none where one could be made.
    const RESCUE: usize = Blocks::FORWARD + 120;
    /// All inputs.
    const END: usize = Blocks::RESCUE + Rank::COUNT * 40 + 1;
}

/// Inputs of an action.
pub const ACTION_FEATURES: usize = Blocks::END;
/// Those of the prototype's network.
pub const FIRST_ACTION_FEATURES: usize = Blocks::RESCUE;
/// More than an action ever has.
pub const MOST_ACTION_FEATURES: usize = 40;

/// What the actions of a position have in common: the odds of strikes, by counts alone.
#[derive(Clone, Debug)]
pub struct Odds {
    /// By rank of the striker: the steps of winning and losing, against pieces that never moved and that have.
    steps: [[[u8; 2]; 2]; Rank::COUNT],
    /// By rank: how many hidden enemies are stronger, in five steps.
    stronger: [u8; Rank::COUNT],
}

impl Odds {
    /// The odds of all strikes in a position.
    pub fn new(seen: &Observation) -> Odds {
        let hidden = &seen.theirs.hidden;
        let unmoved = f32::from(seen.unmoved).max(1.0);
        let share = |rank: Rank| (f32::from(hidden[rank.index()]) / unmoved).min(1.0);
        let (bomb, flag) = (share(Rank::Bomb), share(Rank::Flag));
        let mobile = (1.0 - bomb - flag).max(0.0);
        let mut odds = Odds { steps: [[[0; 2]; 2]; Rank::COUNT], stronger: [0; Rank::COUNT] };
        for striker in Rank::ALL.into_iter().filter(|rank| rank.is_mobile()) {
            let [win, loss] = against_movers(striker, hidden, seen.rules.strike_rules());
            let (miner, index) = (striker == Rank::Miner, striker.index());
            let still = [
                win * mobile + flag + if miner { bomb } else { 0.0 },
                loss * mobile + if miner { 0.0 } else { bomb },
            ];
            odds.steps[index] = [still.map(eighths), [win, loss].map(eighths)];
            let stronger = &hidden[index + 1..=Rank::Marshal.index()];
            odds.stronger[index] = match stronger.iter().sum() {
                few @ 0..=2 => few,
                3..=4 => 3,
                _ => 4,
            };
        }
        odds
    }
}

/// The shares of the hidden enemies that can move against which `striker` wins and loses.
fn against_movers(striker: Rank, hidden: &Counts, strike_rules: StrikeRules) -> [f32; 2] {
    let (mut won, mut lost, mut all) = (0.0, 0.0, 0.0_f32);
    for defender in Rank::ALL.into_iter().filter(|rank| rank.is_mobile()) {
        let count = f32::from(hidden[defender.index()]);
        all += count;
        match battle(striker, defender, strike_rules) {
            Outcome::Win => won += count,
            Outcome::Loss => lost += count,
            Outcome::Tie => {}
        }
    }
    [won, lost].map(|share| share / all.max(1.0))
}

fn eighths(share: f32) -> u8 {
    ((share * 8.0) as u8).min(7)
}

/// Writes the features of `action`, one of the player's, over `features`, and says how many they are.
pub fn action_features(
    seen: &Observation,
    odds: &Odds,
    action: Action,
    features: &mut [u16; MOST_ACTION_FEATURES],
) -> usize {
    let [from, to] = [action.from, action.to].map(|square| seen.seen(square));
    let Cell::Own(own) = seen.cells[from] else { return 0 };
    let mut on = On { features, count: 0, seen, from, to, own };
    on.squares();
    let beside = on.neighbours();
    on.direction();
    on.again();
    on.latest();
    on.strike(odds, beside);
    on.rescue(action);
    on.count
}

/// The inputs that are on for one action.
struct On<'a> {
    features: &'a mut [u16; MOST_ACTION_FEATURES],
    count: usize,
    seen: &'a Observation,
    from: usize,
    to: usize,
    own: Own,
}

impl On<'_> {
    fn push(&mut self, feature: usize) {
        self.features[self.count] = feature as u16;
        self.count += 1;
    }

    fn mover(&self) -> usize {
        self.own.mover()
    }

    /// The rank of the mover among those that move, 0 to 9.
    fn rank(&self) -> usize {
        usize::from(self.own.rank) - 1
    }

    fn squares(&mut self) {
        self.push(Blocks::TO + self.mover() * SQUARES + self.to);
        self.push(Blocks::FROM + self.mover() * SQUARES + self.from);
        let target = match self.seen.cells[self.to] {
            Cell::Enemy(kind) => usize::from(kind),
            Cell::Empty | Cell::Own(_) => KINDS,
        };
        self.push(Blocks::TARGET + self.mover() * (KINDS + 1) + target);
    }

    /// What stands around; says whether an enemy stands beside the mover afterwards.
    fn neighbours(&mut self) -> bool {
        let (from, to, mut beside) = (self.from, self.to, false);
        for next in BESIDE[to].iter().filter(|&next| next != from) {
            match self.seen.cells[next] {
                Cell::Empty => {}
                Cell::Own(own) => self.push(Blocks::OWN_BESIDE_TO + self.rank() * 12 + usize::from(own.rank)),
                Cell::Enemy(kind) => {
                    self.push(Blocks::ENEMY_BESIDE_TO + self.mover() * KINDS + usize::from(kind));
                    beside = true;
                }
            }
        }
        for next in BESIDE[from].iter().filter(|&next| next != to) {
            match self.seen.cells[next] {
                Cell::Empty => {}
                Cell::Own(own) => {
                    self.push(Blocks::OWN_BESIDE_FROM + self.rank() * 12 + usize::from(own.rank));
                }
                Cell::Enemy(kind) => {
                    self.push(Blocks::ENEMY_BESIDE_FROM + self.mover() * KINDS + usize::from(kind));
                }
            }
        }
        for far in TWO_STEPS[self.to].iter() {
            if let Cell::Enemy(kind) = self.seen.cells[far]
                && (self.seen.moved_enemies[far] || kind >= 5)
            {
                self.push(Blocks::TWO_STEPS + self.mover() * KINDS + usize::from(kind));
            }
        }
        beside
    }

    /// 0 forward, 1 to the right, 2 back, 3 to the left.
    fn heading(&self) -> usize {
        match (self.to / 10).cmp(&(self.from / 10)) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal if self.to > self.from => 1,
            std::cmp::Ordering::Equal => 3,
        }
    }

    fn direction(&mut self) {
        let length = (self.to / 10).abs_diff(self.from / 10) + (self.to % 10).abs_diff(self.from % 10);
        let heading = self.heading();
        self.push(Blocks::LENGTH + heading * 9 + length - 1);
        self.push(Blocks::FORWARD + self.mover() * 4 + heading);
    }

    /// How the action goes on from our latest plies.
    fn again(&mut self) {
        let [first, second, third, ..] = self.seen.past[0];
        let Some(last) = first else { return };
        let mover = self.seen.own_pieces[self.from];
        let own = |ply: Option<PastPly>| ply.filter(|ply| Some(ply.piece) == mover);
        if let Some(last) = own(Some(last)) {
            let back = usize::from(last.from) == self.to;
            let twice = own(second)
                .is_some_and(|ply| (usize::from(ply.from), usize::from(ply.to)) == (self.from, self.to));
            self.push(Blocks::AGAIN);
            if back {
                self.push(Blocks::AGAIN + 1);
            }
            if back && twice {
                self.push(Blocks::AGAIN + 2);
            }
        } else {
            self.push(Blocks::AGAIN + 3);
            if own(second).is_some() {
                self.push(Blocks::AGAIN + 4);
            }
        }
        let returns = |ply| own(ply).is_some_and(|ply| usize::from(ply.from) == self.to);
        if returns(second) || returns(third) {
            self.push(Blocks::AGAIN + 5);
        }
    }

    /// What the action has to do with the piece that the enemy moved last.
    fn latest(&mut self) {
        let Some(last) = self.seen.past[1][0] else { return };
        let standing = usize::from(last.to);
        let Cell::Enemy(kind) = self.seen.cells[standing] else { return };
        if standing == self.to {
            self.push(Blocks::STRIKES_LATEST + self.mover());
            return;
        }
        let pair = self.mover() * KINDS + usize::from(kind);
        if BESIDE[standing].iter().any(|next| next == self.from) {
            self.push(Blocks::LEAVES_LATEST + pair);
        }
        if BESIDE[standing].iter().any(|next| next == self.to) {
            self.push(Blocks::MEETS_LATEST + pair);
        }
    }

    fn strike(&mut self, odds: &Odds, beside: bool) {
        let target = match self.seen.cells[self.to] {
            Cell::Enemy(kind) => Some(kind),
            Cell::Empty | Cell::Own(_) => None,
        };
        let about = match (target, self.heading()) {
            (Some(_), _) => 0,
            (None, 0) => 1,
            (None, 2) => 2,
            (None, _) => 3,
        };
        self.push(Blocks::QUIET + quiet_step(self.seen.quiet) * 4 + about);
        let rank = usize::from(self.own.rank);
        if let Some(kind) = target.filter(|&kind| kind < 5) {
            let moved = usize::from(kind > 0);
            let [win, loss] = odds.steps[rank][moved];
            self.push(Blocks::ODDS + moved * 16 + usize::from(win));
            self.push(Blocks::ODDS + moved * 16 + 8 + usize::from(loss));
            if moved == 0 {
                self.push(Blocks::STILL_TARGET + self.rank() * SQUARES + self.to);
            }
        }
        let risk = if target.is_some() { 2 } else { usize::from(beside) };
        let state = usize::from(self.own.state);
        self.push(Blocks::STRONGER + (usize::from(odds.stronger[rank]) * 3 + state) * 3 + risk);
    }

    fn rescue(&mut self, action: Action) {
        if !self.seen.rules.rescue {
            return;
        }
        if let Some(rescue) = action.rescue {
            let rank = rescue.rank.map_or(0, Rank::index);
            self.push(Blocks::RESCUE + rank * 40 + self.seen.seen(rescue.square).min(39));
        } else if self.to >= 90 && self.from < 90 && self.seen.rescues[0] < 2 {
            self.push(Blocks::RESCUE + Rank::COUNT * 40);
        }
    }
}

/// The feature that an action has with left and right exchanged, where it has this one.
#[cfg(test)]
pub(super) fn mirrored(feature: u16) -> u16 {
    use super::squares::mirrored_square;
    let feature = usize::from(feature);
    let squares = |start: usize| start + mirrored_square(feature - start);
    // Right and left are directions 1 and 3 of four.
    let directions = |start: usize, each: usize| {
        let (rest, direction) = ((feature - start) % each, (feature - start) / each % 4);
        let other = [0, 3, 2, 1][direction];
        start + (feature - start) / (4 * each) * 4 * each + other * each + rest
    };
    let image = match feature {
        0..Blocks::TARGET => squares(0),
        Blocks::LENGTH..Blocks::AGAIN => directions(Blocks::LENGTH, 9),
        Blocks::STILL_TARGET..Blocks::STRONGER => squares(Blocks::STILL_TARGET),
        Blocks::FORWARD..Blocks::RESCUE => directions(Blocks::FORWARD, 1),
        Blocks::RESCUE.. if feature + 1 < Blocks::END => squares(Blocks::RESCUE),
        _ => feature,
    };
    image as u16
}
