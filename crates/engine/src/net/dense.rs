//! A dense layer.

use super::file::{Error, Reader};
use crate::simd::{BytePairs, Kernel, LANES, LaneSums};

/// Most values that a layer may take or give: more is no net of this engine.
const MOST: usize = 1 << 16;

/// A dense layer: `clamp((bias + weights · input) * multiplier >> shift, low, high)` for each of its outputs, rounded
/// to nearest. Weights are i8, what goes in and comes out is i16, sums are i32 and cannot overflow.
///
/// Its bytes, little-endian: inputs u32, outputs u32, low i32, high i32, shift u32 (below 48); a bias i32 for each
/// output, a multiplier i32 for each output, the weights i8 output by output.
#[derive(Clone, Debug)]
pub struct Dense {
    inputs: usize,
    bias: Vec<i32>,
    multiplier: Vec<i32>,
    /// By [`LANES`] outputs and pair of inputs, padded with zeros.
    weights: Vec<BytePairs>,
    shift: u32,
    low: i16,
    high: i16,
}

impl Dense {
    /// Reads a layer from its bytes.
    ///
    /// # Errors
    /// If they are not those of a layer, or if its sums could overflow.
    pub fn read(bytes: &[u8]) -> Result<Dense, Error> {
        let mut rest = Reader(bytes);
        let (inputs, outputs) = (rest.number()? as usize, rest.number()? as usize);
        let (low, high) = (rest.signed()?, rest.signed()?);
        let shift = rest.number()?;
        if inputs == 0 || outputs == 0 || inputs > MOST || outputs > MOST {
            return Err(Error::Layer("its dimensions"));
        }
        let (Ok(low), Ok(high)) = (i16::try_from(low), i16::try_from(high)) else {
            return Err(Error::Layer("its bounds"));
        };
        if low > high || !(1..48).contains(&shift) {
            return Err(Error::Layer("its bounds"));
        }
        let bias = rest.signed_many(outputs)?;
        let multiplier = rest.signed_many(outputs)?;
        let stride = inputs.div_ceil(2);
        let mut weights = vec![BytePairs::default(); stride * outputs.div_ceil(LANES)];
        for (output, &bias) in bias.iter().enumerate() {
            let row = rest.take(inputs)?;
            for (input, &byte) in row.iter().enumerate() {
                let BytePairs(pairs) = &mut weights[output / LANES * stride + input / 2];
                pairs[output % LANES][input % 2] = byte as i8;
            }
            let most: i64 = row.iter().map(|&byte| i64::from((byte as i8).unsigned_abs())).sum();
            if most * (1 << 15) + i64::from(bias).abs() > i64::from(i32::MAX) {
                return Err(Error::Layer("its weights are too large"));
            }
        }
        rest.end()?;
        Ok(Dense { inputs, bias, multiplier, weights, shift, low, high })
    }

    /// How many values it takes.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many values it gives.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Bytes that it holds.
    pub fn memory(&self) -> usize {
        size_of_val(self.weights.as_slice()) + 4 * (self.bias.len() + self.multiplier.len())
    }

    /// Fills `output` with what it makes of `input`; values that `input` lacks are 0, those beyond [`Dense::inputs`]
    /// do not count. `input` is left padded with zeros.
    pub fn apply(&self, input: &mut Vec<i16>, output: &mut Vec<i16>) {
        self.apply_by(Kernel::best(), input, output);
    }

    /// Like [`Dense::apply`], by the plain loop that every machine can run: for checking the quick one.
    pub fn apply_plainly(&self, input: &mut Vec<i16>, output: &mut Vec<i16>) {
        self.apply_by(Kernel::PORTABLE, input, output);
    }

    /// Like [`Dense::apply`], by these loops.
    pub(super) fn apply_by(&self, kernel: Kernel, input: &mut Vec<i16>, output: &mut Vec<i16>) {
        input.truncate(self.inputs);
        input.resize(self.inputs.next_multiple_of(2), 0);
        let mut found: Vec<LaneSums> = Vec::with_capacity(self.outputs().div_ceil(LANES));
        kernel.dense(&self.weights, input.as_chunks().0, &mut found);
        let half = 1i64 << (self.shift - 1);
        output.clear();
        output.extend(found.as_flattened().iter().zip(&self.bias).zip(&self.multiplier).map(
            |((sum, bias), &multiplier)| {
                let scaled = (i64::from(sum + bias) * i64::from(multiplier) + half) >> self.shift;
                scaled.clamp(i64::from(self.low), i64::from(self.high)) as i16
            },
        ));
    }
}
