//! A run on disk: weights, averages, the optimiser, and the games in progress.
//!
//! Little-endian. `OUTFLEARN1`; position features, action features, width, each u32; plies, iterations, steps of Adam, each
//! u64. Then the weights in single precision, and in the upper half of it (8 bits of precision) how far the magnet and the
//! average are from them, Adam's means and mean squares. What was rounded goes on rounded, so that a run that is
//! interrupted is the same as one that is not, from where it was kept. Last come the games in progress, as text.

use crate::adam::Adam;
use crate::examples::{Example, Examples};
use crate::game::{Game, Start};
use crate::games::{Role, Seat};
use crate::parameters::Layout;
use anyhow::{Context, ensure};
use outflank::rules::{BySide, Played, Setup, Side};
use outflank::sparse::Shape;
use outflank_record::parse_rules;
use std::fmt::Write as _;

const MAGIC: &[u8] = b"OUTFLEARN1";

/// What a run has learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The weights that learn.
    pub weights: Vec<f32>,
    /// Their slow average, to which they are pulled.
    pub magnet: Vec<f32>,
    /// Their average over the last plies, which plays best.
    pub average: Vec<f32>,
    /// The optimiser.
    pub adam: Adam,
    /// Plies learned from.
    pub plies: u64,
    /// Iterations made.
    pub iterations: u64,
}

/// A run as it is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// How large its network is.
    pub layout: Layout,
    /// What it has learned.
    pub learned: Learned,
    /// Its games in progress, as [`games_to_text`] writes them.
    pub games: String,
}

impl Learned {
    /// A run that begins with these weights.
    pub fn new(weights: Vec<f32>, plies: u64) -> Learned {
        let adam = Adam::new(weights.len());
        Learned { magnet: weights.clone(), average: weights.clone(), weights, adam, plies, iterations: 0 }
    }

    /// The bytes that are kept, with the text of the games in progress. What they round is rounded in `self`, too.
    pub fn to_bytes(&mut self, shape: Shape, games: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for size in [shape.position_features, shape.action_features, shape.hidden] {
            bytes.extend((size as u32).to_le_bytes());
        }
        for count in [self.plies, self.iterations, self.adam.steps] {
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        for average in [&mut self.magnet, &mut self.average] {
            for (value, weight) in average.iter_mut().zip(&self.weights) {
                let kept = upper_half(*value - weight);
                bytes.extend(kept.to_le_bytes());
                *value = weight + whole(kept);
            }
        }
        for value in self.adam.mean.iter_mut().chain(&mut self.adam.square) {
            let kept = upper_half(*value);
            bytes.extend(kept.to_le_bytes());
            *value = whole(kept);
        }
        bytes.extend(games.as_bytes());
        bytes
    }

    /// What [`Learned::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are not those of a run that was kept whole.
    pub fn read(bytes: &[u8]) -> anyhow::Result<Kept> {
        let mut rest = Rest(bytes.strip_prefix(MAGIC).context("no run of this program")?);
        let mut sizes = [0; 3];
        for size in &mut sizes {
            *size = u32::from_le_bytes(rest.take()?) as usize;
        }
        let [position_features, action_features, hidden] = sizes;
        let shape = Shape { position_features, action_features, hidden };
        ensure!(shape.is_sound(), "its network has no known shape");
        let layout = Layout::new(shape);
        let mut counts = [0; 3];
        for count in &mut counts {
            *count = u64::from_le_bytes(rest.take()?);
        }
        let [plies, iterations, steps] = counts;
        ensure!(rest.0.len() >= layout.len * 12, "it is torn");
        let weights: Vec<f32> =
            (0..layout.len).map(|_| Ok(f32::from_le_bytes(rest.take()?))).collect::<anyhow::Result<_>>()?;
        let mut halves = || {
            (0..layout.len)
                .map(|_| Ok(whole(u16::from_le_bytes(rest.take()?))))
                .collect::<anyhow::Result<Vec<f32>>>()
        };
        let [mut magnet, mut average, mean, square] = [halves()?, halves()?, halves()?, halves()?];
        for values in [&mut magnet, &mut average] {
            values.iter_mut().zip(&weights).for_each(|(value, weight)| *value += weight);
        }
        let adam = Adam { mean, square, steps };
        let games = std::str::from_utf8(rest.0).context("its games are no text")?.to_owned();
        let learned = Learned { weights, magnet, average, adam, plies, iterations };
        Ok(Kept { layout, learned, games })
    }
}

/// Bytes that are read from the front.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> anyhow::Result<[u8; N]> {
        let (front, rest) = self.0.split_first_chunk().context("it ends early")?;
        self.0 = rest;
        Ok(*front)
    }
}

/// The upper half of a number in single precision, rounded to even.
const fn upper_half(value: f32) -> u16 {
    let bits = value.to_bits();
    (bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) >> 16) as u16
}

const fn whole(half: u16) -> f32 {
    f32::from_bits((half as u32) << 16)
}

/// The games in progress, a line each: rules, armies, who plays, plies, between semicolons. `-` are games of the network against
/// itself; otherwise a side that an earlier network plays, or the number of an example.
pub fn games_to_text<'a>(seats: impl Iterator<Item = &'a Seat>) -> String {
    let mut text = String::new();
    for Seat { game, role, .. } in seats {
        let Start { rules, setups } = game.start();
        let role = match role {
            Role::Alone => "-".to_owned(),
            Role::Past(side) => side.to_string(),
            Role::Example(number) => number.to_string(),
        };
        let plies: Vec<String> = game.plies().iter().map(|action| action.text(false)).collect();
        let [red, blue] = Side::BOTH.map(|side| setups[side].to_string());
        let _ = writeln!(text, "{rules};{red};{blue};{role};{}", plies.join(" "));
    }
    text
}

/// The games of [`games_to_text`]. Examples that are none of these any more are left out.
///
/// # Errors
/// If a line is no game in progress.
pub fn games_from_text(text: &str, examples: &Examples) -> anyhow::Result<Vec<Seat>> {
    let read = |line| game_from_line(line, examples).with_context(|| format!("game {line:?}")).transpose();
    text.lines().filter_map(read).collect()
}

fn game_from_line(line: &str, examples: &Examples) -> anyhow::Result<Option<Seat>> {
    let fields: Vec<&str> = line.split(';').collect();
    let [rules, red, blue, role, plies] = fields[..] else { anyhow::bail!("it has not five fields") };
    let setups = BySide::new([red.parse::<Setup>()?, blue.parse::<Setup>()?]);
    let words = plies.split(' ').filter(|word| !word.is_empty());
    let plies = words.map(|word| Ok(word.parse::<Played>().map_err(|_| anyhow::anyhow!("{word}"))?.action));
    let plies: Vec<_> = plies.collect::<anyhow::Result<_>>()?;
    let start = Start { rules: parse_rules(rules)?, setups };
    let side = |name: &str| Side::BOTH.into_iter().find(|side| side.to_string() == name);
    let role = match side(role) {
        Some(side) => Role::Past(side),
        None if role == "-" => Role::Alone,
        None => {
            let number: usize = role.parse().with_context(|| role.to_owned())?;
            let fits = |example: &&Example| example.start == start && example.plies.starts_with(&plies);
            let Some(_) = examples.get(number).filter(fits) else { return Ok(None) };
            Role::Example(number)
        }
    };
    Ok(Some(Seat::new(Game::replayed(start, &plies)?, role)))
}
