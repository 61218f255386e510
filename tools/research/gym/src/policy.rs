//! A policy network on all rows of a batch.

use anyhow::ensure;
use outflank::policy::encoding::{CODES, Encoded, GLOBALS, PLANE_BYTES};
use outflank::policy::{Network, Scratch};
use rayon::prelude::*;

/// Rows that a thread takes at a time.
const ROWS: usize = 16;

/// A network, read from a file's bytes.
#[derive(Clone, Debug)]
pub struct Policy {
    network: Network,
}

/// What a network is to evaluate: see [`Batch`](crate::Batch).
#[derive(Copy, Clone, Debug)]
pub struct Rows<'a> {
    /// Planes, row after row.
    pub planes: &'a [u8],
    /// Bytes about the whole game, row after row.
    pub globals: &'a [u8],
    /// Codes of the legal actions, row after row.
    pub legal: &'a [u16],
    /// Where each row's begin, and the end.
    pub starts: &'a [u32],
}

impl Policy {
    /// Reads a network.
    ///
    /// # Errors
    /// If these are not the bytes of one.
    pub fn read(bytes: &[u8]) -> anyhow::Result<Policy> {
        Ok(Policy { network: Network::read(bytes)? })
    }

    /// The logit of each legal action, and those of win, draw and loss of each row.
    ///
    /// # Errors
    /// If the arrays do not fit each other.
    pub fn evaluate(&self, rows: Rows<'_>) -> anyhow::Result<(Vec<f32>, Vec<f32>)> {
        let Rows { planes, globals, legal, starts } = rows;
        let count = starts.len().saturating_sub(1);
        ensure!(planes.len() == count * PLANE_BYTES && globals.len() == count * GLOBALS, "arrays do not fit");
        let rising = starts.is_sorted() && starts.first() == Some(&0);
        ensure!(rising && starts.last().is_some_and(|&end| end as usize == legal.len()), "starts do not fit");
        ensure!(legal.iter().all(|&code| usize::from(code) < CODES), "a code is no action");
        let (mut logits, mut values) = (vec![0.0; legal.len()], vec![0.0; 3 * count]);
        let mut rest = logits.as_mut_slice();
        let mut jobs = Vec::with_capacity(count.div_ceil(ROWS));
        for (job, values) in values.chunks_mut(3 * ROWS).enumerate() {
            let (first, last) = (job * ROWS, job * ROWS + values.len() / 3);
            let (own, others) = rest.split_at_mut((starts[last] - starts[first]) as usize);
            rest = others;
            jobs.push((first, own, values));
        }
        jobs.into_par_iter().for_each_init(Scratch::default, |scratch, (first, mut logits, values)| {
            for (offset, value) in values.chunks_mut(3).enumerate() {
                let row = first + offset;
                let (own, others) = logits.split_at_mut((starts[row + 1] - starts[row]) as usize);
                logits = others;
                let planes = &planes[row * PLANE_BYTES..][..PLANE_BYTES];
                let globals = &globals[row * GLOBALS..][..GLOBALS];
                let legal = &legal[starts[row] as usize..starts[row + 1] as usize];
                let encoded = Encoded { planes, globals };
                value.copy_from_slice(&self.network.evaluate_encoded(encoded, legal, own, scratch));
            }
        });
        Ok((logits, values))
    }
}
