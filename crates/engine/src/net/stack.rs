//! Dense layers one after another.

use super::dense::Dense;
use super::file::{Error, File};

/// The layers `dense0`, `dense1`, … of a net's file.
#[derive(Clone, Debug)]
pub struct Stack(Vec<Dense>);

impl Stack {
    /// Reads the layers of a net that takes and gives so many values.
    ///
    /// # Errors
    /// If the bytes are no net, or one of other dimensions.
    pub fn read(bytes: &[u8], inputs: usize, outputs: usize) -> Result<Stack, Error> {
        let file = File::read(bytes)?;
        let mut layers: Vec<Dense> = Vec::new();
        while let Ok(section) = file.section(&format!("dense{}", layers.len())) {
            let layer = Dense::read(section)?;
            check(layer.inputs(), layers.last().map_or(inputs, Dense::outputs))?;
            layers.push(layer);
        }
        let last = layers.last().map(Dense::outputs);
        check(last.ok_or_else(|| Error::Missing("dense0".to_owned()))?, outputs)?;
        Ok(Stack(layers))
    }

    /// What it makes of `values`.
    pub fn apply(&self, mut values: Vec<i16>) -> Vec<i16> {
        let mut output = Vec::new();
        for layer in &self.0 {
            layer.apply(&mut values, &mut output);
            std::mem::swap(&mut values, &mut output);
        }
        values
    }

    /// Bytes that it holds.
    pub fn memory(&self) -> usize {
        self.0.iter().map(Dense::memory).sum()
    }
}

fn check(found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Dimension { found, expected }) }
}
