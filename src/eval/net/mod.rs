//! The learned part of the evaluation, where it is asked for: a small net over what the player knows.
//!
//! Sums over pieces (`Sums`) are kept up to date ply by ply; two dense layers make of them, of the hand-made parts
//! and of the clocks a correction to the hand-made evaluation. `tools/train/evaluation.py` trains it and documents
//! the inputs, docs/training.md tells how.

mod file;
mod sums;

pub(crate) use file::{CLOCKS, HIDDEN, PARTS, current};
pub use file::{EvalNet, take};
pub(crate) use sums::{Look, Sums, Tables, quantised};

use super::gauge::Parts;
use crate::net::LANES;
use crate::rules::{Position, Side};

/// One in the units of what the dense layers take.
const ONE: f32 = 256.0;
/// Values that the dense layers take, padded.
const INPUTS: usize = (LANES - 1 + PARTS + CLOCKS).next_multiple_of(16);
/// Points of evaluation that are one to the net.
const PART: f32 = 300.0;
/// What one of the net is worth in points of evaluation: half of the 2700 that make a lead seven tenths of the way to a won
/// game where nets are trained (`STEEP` in `tools/train/evaluation.py`).
const WORTH: f32 = 1350.0;

/// The net's correction in points of evaluation, from what was summed up, the hand-made parts and the clocks.
pub(crate) fn correction(
    net: &EvalNet,
    sums: &Sums,
    parts: &[f32; PARTS],
    position: &Position,
    us: Side,
) -> f32 {
    let mut input = [0; INPUTS];
    let (lanes, rest) = input.split_at_mut(LANES - 1);
    for (input, &sum) in lanes.iter_mut().zip(sums.lanes()) {
        *input = (sum >> 2).clamp(0, 256) as i16;
    }
    let (hand, clock) = rest.split_at_mut(PARTS);
    for (input, part) in hand.iter_mut().zip(parts) {
        *input = (part / PART * ONE).clamp(-4.0 * ONE, 4.0 * ONE) as i16;
    }
    clock[..CLOCKS].copy_from_slice(&clocks(position, us));
    let hidden: [i16; HIDDEN] = net.hidden.apply_small(&input);
    let [out] = net.out.apply_small(&hidden);
    let out = i32::from(out);
    (out + sums.lanes()[LANES - 1]) as f32 / 1024.0 * WORTH
}

/// Turn, plies without a strike and plies made, in steps, as the net was trained on them.
fn clocks(position: &Position, us: Side) -> [i16; CLOCKS] {
    let share = |count: u32, whole: u32| (count.min(whole) * 256 / whole) as i16;
    let (quiet, ply) = (position.quiet(), position.ply());
    let turn = if position.to_move() as usize == us as usize { 256 } else { 0 };
    [turn, share(quiet, 64), share(quiet, 256), share(ply, 64), share(ply, 256), share(ply, 1024), 0, 0]
}

/// The hand-made parts as the net takes them.
pub(crate) fn inputs_of(parts: &Parts, rescue: f32) -> [f32; PARTS] {
    [parts.material, -parts.exposure, parts.knowledge, parts.attack, -parts.danger, rescue]
}
