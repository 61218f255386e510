//! Reads the networks of the prototype in C++, from which the first run was led on.
//!
//! Little-endian: `FSTN`, width of the first and of the second layer, number of weights, each u32; then the weights in single
//! precision. It has one number for the value, the logit of a win against a loss.

use crate::parameters::Layout;
use anyhow::{Context, ensure};
use outflank::sparse::{CONTEXT_VALUES, SECOND_LAYER, Shape};

/// First bytes of its files.
const MAGIC: &[u8] = b"FSTN";
/// The logit that a draw begins with beside a win's: 4 games in 100 of its last hour were drawn.
const DRAW: f32 = -3.0;

/// The weights in a layout of [`Shape::FIRST`].
///
/// # Errors
/// If the bytes are not those of such a network.
pub fn read(bytes: &[u8]) -> anyhow::Result<(Layout, Vec<f32>)> {
    let numbers = bytes.strip_prefix(MAGIC).context("no network of the prototype")?;
    let (sizes, weights) = numbers.split_at_checked(12).context("it ends early")?;
    let hidden = u32::from_le_bytes(sizes[..4].try_into()?) as usize;
    let shape = Shape { hidden, ..Shape::FIRST };
    let layout = Layout::new(shape);
    let weights: Vec<f32> =
        weights.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let mut rest = weights.as_slice();
    let mut found = vec![0.0; layout.len];
    let mut take = |count: usize| -> anyhow::Result<&[f32]> {
        let (part, after) = rest.split_at_checked(count).context("it has too few weights")?;
        rest = after;
        Ok(part)
    };
    let both = hidden + SECOND_LAYER;
    for range in [
        &layout.rows,
        &layout.bias,
        &layout.second,
        &layout.second_bias,
        &layout.context,
        &layout.context_bias,
    ] {
        found[range.clone()].copy_from_slice(take(range.len())?);
    }
    let (value, value_bias) = (take(both)?, take(8)?[0]);
    for (place, factor) in [(0, 0.5), (2, -0.5)] {
        for (weight, value) in found[layout.value[place].clone()].iter_mut().zip(value) {
            *weight = factor * value;
        }
        found[layout.value_bias.start + place] = factor * value_bias;
    }
    found[layout.value_bias.start + 1] = DRAW;
    for range in [&layout.actions, &layout.readout] {
        found[range.clone()].copy_from_slice(take(range.len())?);
    }
    ensure!(
        rest.is_empty() && layout.actions.len().is_multiple_of(CONTEXT_VALUES),
        "it has too many weights"
    );
    Ok((layout, found))
}
