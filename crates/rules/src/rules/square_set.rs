//! Sets of squares, as bits of one integer: moves of a whole army are worked out by a few shifts.

use super::arrays::BySquare;
use super::square::{Direction, LAKES, SQUARES, Square};
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub, SubAssign};

/// Every square, as bits.
const BOARD: u128 = GRID & !LAKES;
/// The board with its lakes.
const GRID: u128 = (1 << SQUARES) - 1;
/// The squares of row 1.
const FIRST_ROW: u128 = (1 << 10) - 1;
/// The squares of file a.
const FIRST_FILE: u128 = 0x401_0040_1004_0100_4010_0401;

/// A set of squares. Never holds a lake.
///
/// `a & b` are the squares in both, `a | b` those in either, `a - b` those of `a` that are not in `b`, `!a` all
/// others of the board.
///
/// ```
/// use outflank_rules::rules::{Square, SquareSet};
///
/// let e4: Square = "e4".parse()?;
/// let reached = SquareSet::only(e4).within_steps(2) - SquareSet::row(3);
/// assert_eq!(SquareSet::only(e4).neighbours().len(), 4);
/// assert!(reached.contains("e6".parse()?) && !reached.contains(e4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Default)]
pub struct SquareSet(u128);

impl SquareSet {
    /// No square.
    pub const EMPTY: SquareSet = SquareSet(0);
    /// All 92 squares.
    pub const ALL: SquareSet = SquareSet(BOARD);

    /// The set of one square.
    pub const fn only(square: Square) -> SquareSet {
        SquareSet(1 << square.index())
    }

    /// The squares of a row (0 for row 1 .. 9 for row 10); none beyond.
    pub const fn row(row: u8) -> SquareSet {
        if row < 10 { SquareSet(FIRST_ROW << (10 * row) & BOARD) } else { SquareSet::EMPTY }
    }

    /// Whether `square` is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 == 1
    }

    /// Number of squares in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the sets share a square.
    pub const fn meets(self, other: SquareSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of this set is in the other.
    pub const fn is_within(self, other: SquareSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The squares of the set, row 1 first, left to right.
    pub const fn iter(self) -> Squares {
        Squares(self.0)
    }

    /// The squares one step in `direction` from those of the set.
    pub const fn stepped(self, direction: Direction) -> SquareSet {
        SquareSet(shifted(self.0, direction) & BOARD)
    }

    /// The squares next to some square of the set.
    pub const fn neighbours(self) -> SquareSet {
        SquareSet(around(self.0) & BOARD)
    }

    /// The squares at most `steps` steps from some square of the set, counted straight across lakes.
    pub const fn within_steps(self, steps: u32) -> SquareSet {
        let (mut zone, mut step) = (self.0, 0);
        while step < steps {
            zone |= around(zone) & GRID;
            step += 1;
        }
        SquareSet(zone & BOARD)
    }

    /// Every step in `direction` from a square of this set to one of the other, as both squares, by rising squares.
    pub(super) fn steps(self, direction: Direction, to: SquareSet) -> impl Iterator<Item = (Square, Square)> {
        let ahead = ahead(direction);
        let back = move |to: Square| (Square::trusted((to.index() as u8).wrapping_sub(ahead)), to);
        (self.stepped(direction) & to).iter().map(back)
    }
}

impl Square {
    /// The squares next to this one, as a set.
    pub const fn neighbour_set(self) -> SquareSet {
        *NEIGHBOURS.of(self)
    }

    /// The squares that a slide from here passes or ends on, where it ends on the first one that is `taken`.
    pub(super) const fn slides(self, taken: SquareSet) -> SquareSet {
        let [north, east, south, west] = *RAYS.of(self);
        SquareSet(
            up_to_lowest(north, taken.0)
                | up_to_lowest(east, taken.0)
                | down_to_highest(south, taken.0)
                | down_to_highest(west, taken.0),
        )
    }
}

/// What a step in `direction` adds to [`Square::index`], wrapping.
const fn ahead(direction: Direction) -> u8 {
    match direction {
        Direction::North => 10,
        Direction::East => 1,
        Direction::South => 10u8.wrapping_neg(),
        Direction::West => 1u8.wrapping_neg(),
    }
}

/// Bits one step in `direction`; those that leave row 10 fall off the grid.
const fn shifted(bits: u128, direction: Direction) -> u128 {
    match direction {
        Direction::North => bits << 10,
        Direction::East => (bits << 1) & !FIRST_FILE,
        Direction::South => bits >> 10,
        Direction::West => (bits & !FIRST_FILE) >> 1,
    }
}

/// The bits one step from some bit, off the grid and in lakes as well.
const fn around(bits: u128) -> u128 {
    shifted(bits, Direction::North)
        | shifted(bits, Direction::East)
        | shifted(bits, Direction::South)
        | shifted(bits, Direction::West)
}

/// The squares of a ray that leads to higher squares, up to the first that is taken.
const fn up_to_lowest(ray: u128, taken: u128) -> u128 {
    let taken = ray & taken;
    ray & (taken ^ taken.wrapping_sub(1))
}

/// The squares of a ray that leads to lower squares, down to the first that is taken.
const fn down_to_highest(ray: u128, taken: u128) -> u128 {
    // With square 0 as a stop for a ray on which none is taken: no ray leads past it.
    ray & (u128::MAX << (ray & taken | 1).ilog2())
}

static NEIGHBOURS: BySquare<SquareSet> = {
    let mut table = [SquareSet::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        table[index] = SquareSet(1 << index).neighbours();
        index += 1;
    }
    BySquare::new(table)
};

/// `RAYS[square][direction]`: the squares ahead up to the edge or a lake.
static RAYS: BySquare<[u128; 4]> = {
    let mut table = [[0; 4]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            let mut next = Square::from_index(index as u8);
            while let Some(square) = next {
                next = square.step(Direction::ALL[direction]);
                table[index][direction] |= if let Some(ahead) = next { 1 << ahead.index() } else { 0 };
            }
            direction += 1;
        }
        index += 1;
    }
    BySquare::new(table)
};

/// The squares of a set, row 1 first, left to right.
#[derive(Clone, Debug)]
pub struct Squares(u128);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = (self.0 != 0).then_some(self.0.trailing_zeros() as u8);
        self.0 &= self.0.wrapping_sub(1);
        square.map(Square::trusted)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }

    /// Half by half, each in one register.
    fn fold<B, F: FnMut(B, Square) -> B>(self, start: B, mut add: F) -> B {
        let mut folded = start;
        for (first, half) in [(0, self.0 as u64), (64, (self.0 >> 64) as u64)] {
            let mut left = half;
            while left != 0 {
                folded = add(folded, Square::trusted(first + left.trailing_zeros() as u8));
                left &= left - 1;
            }
        }
        folded
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, |set, square| set | SquareSet::only(square))
    }
}

impl From<Option<Square>> for SquareSet {
    /// The set of the square, if there is one.
    fn from(square: Option<Square>) -> SquareSet {
        square.map_or(SquareSet::EMPTY, SquareSet::only)
    }
}

impl BitAnd for SquareSet {
    type Output = SquareSet;

    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

impl BitOr for SquareSet {
    type Output = SquareSet;

    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl Sub for SquareSet {
    type Output = SquareSet;

    fn sub(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & !other.0)
    }
}

impl Not for SquareSet {
    type Output = SquareSet;

    fn not(self) -> SquareSet {
        SquareSet::ALL - self
    }
}

impl BitAndAssign for SquareSet {
    fn bitand_assign(&mut self, other: SquareSet) {
        *self = *self & other;
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: SquareSet) {
        *self = *self | other;
    }
}

impl SubAssign for SquareSet {
    fn sub_assign(&mut self, other: SquareSet) {
        *self = *self - other;
    }
}

impl fmt::Debug for SquareSet {
    /// The squares, as in `{a1, b1}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sets() -> impl Strategy<Value = SquareSet> {
        any::<u128>().prop_map(|bits| SquareSet(bits & BOARD))
    }

    fn squares() -> impl Strategy<Value = Square> {
        (0..92usize).prop_map(|place| Square::all().nth(place).unwrap())
    }

    fn listed(set: SquareSet) -> BTreeSet<Square> {
        set.iter().collect()
    }

    proptest! {
        #[test]
        fn operators_are_those_of_sets(a in sets(), b in sets()) {
            let (x, y) = (listed(a), listed(b));
            prop_assert_eq!(listed(a & b), &x & &y);
            prop_assert_eq!(listed(a | b), &x | &y);
            prop_assert_eq!(listed(a - b), &x - &y);
            prop_assert_eq!(listed(!a), &listed(SquareSet::ALL) - &x);
            prop_assert_eq!(a.meets(b), !x.is_disjoint(&y));
            prop_assert_eq!(a.is_within(b), x.is_subset(&y));
            prop_assert_eq!((a.len() as usize, a.is_empty()), (x.len(), x.is_empty()));
            let mut changed = a;
            changed &= b;
            changed |= a - b;
            prop_assert_eq!(changed, a);
            changed -= a;
            prop_assert_eq!(changed, SquareSet::EMPTY);
        }

        #[test]
        fn a_set_is_its_squares_in_order(set in sets()) {
            prop_assert_eq!(set.iter().collect::<SquareSet>(), set);
            prop_assert!(set.iter().is_sorted());
            prop_assert_eq!(set.iter().len(), set.len() as usize);
            prop_assert!(Square::all().all(|square| set.contains(square) == listed(set).contains(&square)));
        }

        #[test]
        fn steps_are_those_of_each_square(set in sets(), to in sets()) {
            for direction in Direction::ALL {
                let all: SquareSet = set.iter().filter_map(|square| square.step(direction)).collect();
                prop_assert_eq!(set.stepped(direction), all);
                prop_assert!(set.steps(direction, to).all(|(a, b)| a.step(direction) == Some(b)));
                prop_assert_eq!(set.steps(direction, to).map(|(_, b)| b).collect::<SquareSet>(), all & to);
            }
            prop_assert_eq!(set.neighbours(), set.iter().flat_map(Square::neighbours).collect());
            prop_assert_eq!(set.within_steps(0), set);
        }

        #[test]
        fn within_steps_is_by_distance(square in squares(), steps in 0..19u32) {
            let near = Square::all().filter(|other| u32::from(square.distance(*other)) <= steps);
            prop_assert_eq!(SquareSet::only(square).within_steps(steps), near.collect());
        }

        #[test]
        fn slides_end_on_the_first_taken_square(square in squares(), taken in sets()) {
            let mut reached = SquareSet::EMPTY;
            for direction in Direction::ALL {
                let mut next = square.step(direction);
                while let Some(here) = next {
                    reached |= SquareSet::only(here);
                    next = here.step(direction).filter(|_| !taken.contains(here));
                }
            }
            prop_assert_eq!(square.slides(taken), reached);
        }
    }

    #[test]
    fn rows_and_neighbours_leave_lakes_out() {
        assert_eq!(SquareSet::row(0).len() + SquareSet::row(4).len(), 16);
        assert_eq!((0..10).map(SquareSet::row).fold(SquareSet::EMPTY, |a, b| a | b), SquareSet::ALL);
        assert_eq!(SquareSet::row(10), SquareSet::EMPTY);
        for square in Square::all() {
            assert_eq!(square.neighbour_set(), square.neighbours().collect());
            assert!(Square::all().all(|b| square.neighbour_set().contains(b) == square.is_next_to(b)));
        }
        let corner = Square::new(0, 0);
        assert_eq!(SquareSet::from(corner).iter().next(), corner);
        assert_eq!(SquareSet::from(None), SquareSet::EMPTY);
    }
}
