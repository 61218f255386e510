//! Setups that people played, one a line.

use anyhow::{Context, bail, ensure};
use outflank::fnv::fnv1a;
use outflank::rules::{Army, Cell, Rank, Setup};
use std::collections::BTreeMap;
use std::io::BufRead;

/// Places of a setup.
pub const PLACES: usize = 40;
/// Parts that the setups are split into for measuring on what was not fitted.
pub const FOLDS: u64 = 5;

/// Each place's [`Rank::index`], in the order of a setup string.
pub type Ranks = [u8; PLACES];

/// A setup together with its mirror image.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The smaller of the two.
    pub ranks: Ranks,
    /// How many lines held either.
    pub lines: u32,
}

impl Group {
    /// How much the group counts in a fit: less than its lines, as what one player repeats says little of others.
    pub fn weight(&self) -> f64 {
        f64::from(self.lines).sqrt()
    }

    /// The part the group belongs to, below [`FOLDS`]: a matter of its ranks alone, the same for its mirror image.
    pub fn fold(&self) -> u64 {
        let hash = fnv1a(&self.ranks);
        let hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (hash >> 33) % FOLDS
    }
}

/// Reads setups, back row first, and groups them up to mirror image; in the order of their ranks.
///
/// # Errors
/// A line that is no whole classic army, with its number; or no line at all.
pub fn read(input: impl BufRead) -> anyhow::Result<Vec<Group>> {
    let mut groups: BTreeMap<Ranks, u32> = BTreeMap::new();
    for (number, line) in input.lines().enumerate() {
        let ranks = line.map_err(anyhow::Error::from).and_then(|line| ranks(line.trim()));
        let ranks = ranks.with_context(|| format!("line {}", number + 1))?;
        *groups.entry(ranks.min(mirrored(&ranks))).or_default() += 1;
    }
    ensure!(!groups.is_empty(), "no setups");
    Ok(groups.into_iter().map(|(ranks, lines)| Group { ranks, lines }).collect())
}

fn ranks(text: &str) -> anyhow::Result<Ranks> {
    let setup: Setup = text.parse()?;
    ensure!(setup.is_complete(&Army::CLASSIC), "not the whole army");
    let mut ranks = [0; PLACES];
    for (rank, cell) in ranks.iter_mut().zip(setup.0) {
        match cell {
            Cell::Known(known) => *rank = known.index() as u8,
            Cell::Hidden | Cell::Empty => bail!("a rank is missing"),
        }
    }
    Ok(ranks)
}

fn mirrored(ranks: &Ranks) -> Ranks {
    std::array::from_fn(|place| ranks[place / 10 * 10 + 9 - place % 10])
}

/// Share of each rank in the army, in the order of [`Rank::ALL`].
pub fn shares() -> [f64; Rank::COUNT] {
    Rank::ALL.map(|rank| f64::from(Army::CLASSIC.count(rank)) / PLACES as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "32B637F353B4534268622BBS5226B4528972M74B";

    #[test]
    fn mirror_images_are_one_group() {
        let mirror = ONE.parse::<Setup>().unwrap().mirrored().to_string();
        let other: String = ONE.chars().rev().collect();
        let groups = read(format!("{ONE}\n{mirror}\r\n{other}\n{ONE}\n").as_bytes()).unwrap();
        let mut lines: Vec<u32> = groups.iter().map(|group| group.lines).collect();
        lines.sort_unstable();
        assert_eq!(lines, [1, 3]);
        let alone = read(mirror.as_bytes()).unwrap();
        assert!(groups.iter().any(|group| group.ranks == alone[0].ranks && group.fold() == alone[0].fold()));
    }

    #[test]
    fn a_line_that_is_no_army_is_named_by_its_number() {
        for wrong in ["", "FSM", &ONE.replace('F', "2"), &ONE.replace('F', "?")] {
            let error = read(format!("{ONE}\n{wrong}\n").as_bytes()).unwrap_err();
            assert!(format!("{error:#}").starts_with("line 2: "), "{error:#}");
        }
        assert!(read(&b""[..]).is_err());
    }
}
