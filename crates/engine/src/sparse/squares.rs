//! Squares as the side to move sees them: Blue's board is turned by 180°, so that 0..10 is always one's own back row.

use crate::rules::{Direction, SQUARES, Side, Square};

/// The index of a square as `side` sees it.
pub(super) const fn seen_from(side: Side, square: Square) -> u8 {
    match side {
        Side::Red => square.index() as u8,
        Side::Blue => (SQUARES - 1 - square.index()) as u8,
    }
}

/// Squares of a short list, by index.
#[derive(Copy, Clone)]
pub(super) struct Near {
    squares: [u8; 8],
    count: u8,
}

impl Near {
    const NONE: Near = Near { squares: [0; 8], count: 0 };

    const fn with(mut self, square: u8) -> Near {
        self.squares[self.count as usize] = square;
        self.count += 1;
        self
    }

    const fn has(&self, square: u8) -> bool {
        let mut place = 0;
        while place < self.count as usize {
            if self.squares[place] == square {
                return true;
            }
            place += 1;
        }
        false
    }

    /// The squares. The board looks the same from both sides, so they may be seen from either.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        self.squares.into_iter().take(usize::from(self.count)).map(usize::from)
    }
}

/// The squares beside each.
pub(super) static BESIDE: [Near; SQUARES] = beside();
/// The squares two steps from each.
pub(super) static TWO_STEPS: [Near; SQUARES] = two_steps();

const fn beside() -> [Near; SQUARES] {
    let mut table = [Near::NONE; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        if let Some(square) = Square::from_index(index as u8) {
            let mut direction = 0;
            while direction < Direction::ALL.len() {
                if let Some(next) = square.step(Direction::ALL[direction]) {
                    table[index] = table[index].with(next.index() as u8);
                }
                direction += 1;
            }
        }
        index += 1;
    }
    table
}

const fn two_steps() -> [Near; SQUARES] {
    let beside = beside();
    let mut table = [Near::NONE; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let mut first = 0;
        while first < beside[index].count as usize {
            let next = &beside[beside[index].squares[first] as usize];
            let mut second = 0;
            while second < next.count as usize {
                let far = next.squares[second];
                if far as usize != index && !beside[index].has(far) && !table[index].has(far) {
                    table[index] = table[index].with(far);
                }
                second += 1;
            }
            first += 1;
        }
        index += 1;
    }
    table
}

/// The number of an input whose block holds something for each square, with left and right exchanged.
#[cfg(test)]
pub(super) const fn mirrored_square(index: usize) -> usize {
    index / 10 * 10 + 9 - index % 10
}
