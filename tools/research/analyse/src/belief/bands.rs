//! The parts of a game that are looked at separately: by plies made, and by how much of the enemy's army is revealed.

use outflank::belief::score::{Marks, PHASES, phase_name};

/// Percent of an army at which the bands of revealed armies begin.
const SHOWN: [usize; 5] = [0, 10, 25, 50, 75];
/// How many sums are kept: one for each phase, then one for each band of revealed armies.
pub const CELLS: usize = PHASES.len() + SHOWN.len();

/// The index of the sums for an army of which so many pieces' ranks are known, living or dead.
pub fn cell_of_shown(known: usize, army: usize) -> usize {
    let percent = 100 * known / army.max(1);
    PHASES.len() + SHOWN.partition_point(|&begin| begin <= percent) - 1
}

/// A line of the report.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Band {
    /// One phase, by its index.
    Phase(usize),
    /// All phases from this one on.
    From(usize),
    /// A band of revealed armies, by its index.
    Shown(usize),
}

impl Band {
    /// The lines of the report, in order.
    pub fn all() -> impl Iterator<Item = Band> {
        let phases = (0..PHASES.len()).map(Band::Phase);
        let sums = [0, 1, 2].into_iter().map(Band::From);
        phases.chain(sums).chain((0..SHOWN.len()).map(Band::Shown))
    }

    /// What it is a part of: `plies`, or `shown`: percent of the enemy's army.
    pub const fn of(self) -> &'static str {
        match self {
            Band::Phase(_) | Band::From(_) => "plies",
            Band::Shown(_) => "shown",
        }
    }

    /// Which part: `50-99`, `all`, `from 50`, `10-25%`.
    pub fn name(self) -> String {
        match self {
            Band::Phase(phase) => phase_name(phase),
            Band::From(0) => "all".to_owned(),
            Band::From(phase) => format!("from {}", PHASES[phase]),
            Band::Shown(index) => format!("{}-{}%", SHOWN[index], SHOWN.get(index + 1).unwrap_or(&100)),
        }
    }

    /// The marks of this part, from those of the cells.
    pub fn marks(self, cells: &[Marks; CELLS]) -> Marks {
        let range = match self {
            Band::Phase(phase) => phase..phase + 1,
            Band::From(phase) => phase..PHASES.len(),
            Band::Shown(index) => PHASES.len() + index..PHASES.len() + index + 1,
        };
        let mut sum = Marks::default();
        cells[range].iter().for_each(|marks| sum.merge(marks));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armies_are_distinguished_by_what_is_shown() {
        let cells = [0, 3, 4, 9, 10, 19, 20, 29, 30, 40].map(|known| cell_of_shown(known, 40));
        assert_eq!(cells.map(|cell| cell - PHASES.len()), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!(Band::Shown(1).name(), "10-25%");
        assert_eq!(Band::Shown(4).name(), "75-100%");
    }

    #[test]
    fn lines_add_up_their_cells() {
        let mut cells = [Marks::default(); CELLS];
        for (index, marks) in cells.iter_mut().enumerate() {
            marks.pieces = 1 << index;
        }
        let pieces: Vec<u64> = Band::all().map(|band| band.marks(&cells).pieces).collect();
        assert_eq!(pieces, [1, 2, 4, 8, 16, 31, 30, 28, 32, 64, 128, 256, 512]);
        let names: Vec<String> = Band::all().map(Band::name).take(8).collect();
        assert_eq!(names, ["0-49", "50-99", "100-199", "200-399", "400+", "all", "from 50", "from 100"]);
    }
}
