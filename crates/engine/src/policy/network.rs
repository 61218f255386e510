//! A policy network: read from a file, and evaluated on the CPU.
//!
//! The file is that of [`net::File`](crate::net::File). Its section `policy` has six u32: version of the encoding,
//! planes, globals, channels, blocks, and the dimensions of the vectors that score a move. All other sections are
//! weights, f32, under their names in the training program.

use super::encoding::{self, GLOBALS, PLANE_BYTES, seen_from};
use super::error::ReadError;
use super::features::Features;
use super::layers::{Dense, Width};
use super::shape::{HEAD, Shape, read_shape};
use super::trunk::{Trunk, TrunkScratch};
use crate::math;
use crate::net::File;
use crate::rules::{Action, SQUARES};
use crate::simd::Kernel;
use crate::view::View;
use std::fmt;

/// Values between the two layers of the value head.
const VALUE: usize = 64;
/// Values of a square that score the actions from it, and to it.
const ENDS: usize = 2 * HEAD;

/// A policy network: given what the player to move knows, it says how likely it would choose each action, and how the game
/// may end.
#[derive(Clone, PartialEq)]
pub struct Network {
    shape: Shape,
    trunk: Trunk,
    ends: Dense,
    value_in: Dense,
    value_out: Dense,
    kernel: Kernel,
}

/// What a network says of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The legal actions, by rising square that they come from and then go to, as the player sees the board.
    pub actions: Vec<Action>,
    /// The natural logarithm of the probability that the network chooses each.
    pub log_probabilities: Vec<f32>,
    /// The probability that the player to move wins.
    pub win: f32,
    /// The probability of a draw.
    pub draw: f32,
    /// The probability that the player to move loses.
    pub loss: f32,
}

impl Evaluation {
    /// The natural logarithm of the probability of an action; `None` if it is not among the actions.
    pub fn logarithm(&self, action: Action) -> Option<f32> {
        let said = self.actions.iter().zip(&self.log_probabilities);
        said.into_iter().find_map(|(&said, &logarithm)| (said == action).then_some(logarithm))
    }

    /// What two networks say together of the same position: how likely each action is, is the geometric mean of both,
    /// scaled to sum to 1. Of the ending it is what `self` says.
    pub(super) fn pooled_with(mut self, other: &Evaluation) -> Evaluation {
        for (one, other) in self.log_probabilities.iter_mut().zip(&other.log_probabilities) {
            *one = 0.5 * (*one + other);
        }
        log_softmax(&mut self.log_probabilities);
        self
    }
}

/// Memory for evaluations, kept from one to the next. It fits every network.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    planes: Vec<u8>,
    globals: Vec<u8>,
    features: Features,
    trunk: TrunkScratch,
    ends: Vec<f32>,
}

impl Scratch {
    /// The largest feature of the position that was evaluated last.
    #[cfg(test)]
    pub(super) fn largest_feature(&self) -> f32 {
        self.features.values().iter().copied().fold(0.0, f32::max)
    }

    fn fit(&mut self, Shape { channels, .. }: Shape) {
        let features = Features::new(channels);
        if self.features.channels() != features.channels() {
            let (planes, globals) = (vec![0; PLANE_BYTES], vec![0; GLOBALS]);
            let (trunk, ends) = (TrunkScratch::new(channels), vec![0.0; SQUARES * ENDS]);
            *self = Scratch { planes, globals, features, trunk, ends };
        }
    }
}

impl Network {
    /// Reads a network from the bytes of its file. Its residual blocks compute with integers: weights are rounded to one
    /// byte each, features to two.
    ///
    /// # Errors
    /// If they are not those of a network for this version of the encoding.
    pub fn read(bytes: &[u8]) -> Result<Network, ReadError> {
        let file = &File::read(bytes)?;
        let shape = read_shape(file)?;
        let channels = shape.channels;
        let dense = |name, inputs, outputs| Dense::read(file, name, Width { inputs, outputs });
        Ok(Network {
            shape,
            trunk: Trunk::read(file, shape)?,
            ends: dense("ends", channels, ENDS)?,
            value_in: dense("value_in", 2 * channels, VALUE)?,
            value_out: dense("value_out", VALUE, 3)?,
            kernel: Kernel::best(),
        })
    }

    /// The network, evaluated by the loops that every machine can run: for checking the fast ones.
    pub fn portable(self) -> Network {
        Network { kernel: Kernel::PORTABLE, ..self }
    }

    /// The name of the loops it is evaluated by.
    pub const fn kernel(&self) -> &'static str {
        self.kernel.name()
    }

    /// Evaluates what the player to move knows. `view` is that player's; without a legal action there are no
    /// probabilities.
    pub fn evaluate(&self, view: &View, scratch: &mut Scratch) -> Evaluation {
        let mut actions = Vec::new();
        encoding::legal_into(view, &mut actions);
        scratch.fit(self.shape);
        encoding::encode(view, &mut scratch.planes, &mut scratch.globals);
        let Scratch { planes, globals, features, trunk, ends } = scratch;
        self.trunk.apply(self.kernel, (planes, globals), features, trunk);
        let seen = |square| seen_from(view.viewer(), square);
        self.score_ends(actions.iter().flat_map(|action| [action.from, action.to]).map(seen), features, ends);
        let logit = |action: &Action| pair_logit(ends, seen(action.from), seen(action.to));
        let mut log_probabilities: Vec<f32> = actions.iter().map(logit).collect();
        log_softmax(&mut log_probabilities);
        let mut outcome = self.outcome_logits(features);
        log_softmax(&mut outcome);
        let [win, draw, loss] = outcome.map(math::exp);
        Evaluation { actions, log_probabilities, win, draw, loss }
    }

    /// Works out the vectors by whose inner products pairs of these squares are scored; those of others are void.
    fn score_ends(&self, squares: impl Iterator<Item = usize>, features: &Features, ends: &mut [f32]) {
        let mut done = [false; SQUARES];
        for square in squares {
            if !std::mem::replace(&mut done[square], true) {
                self.ends.write(self.kernel, features.square(square), &mut ends[square * ENDS..][..ENDS]);
            }
        }
    }

    /// The logits of a win, a draw and a loss.
    fn outcome_logits(&self, features: &Features) -> [f32; 3] {
        let mut hidden = self.value_in.apply(self.kernel, &features.pooled(self.shape.channels));
        for value in &mut hidden {
            *value = value.max(0.0);
        }
        let mut logits = [0.0; 3];
        logits.copy_from_slice(&self.value_out.apply(self.kernel, &hidden)[..3]);
        logits
    }
}

/// The score of an action from one square to another.
fn pair_logit(ends: &[f32], from: usize, to: usize) -> f32 {
    let (from, to) = (&ends[from * ENDS..][..HEAD], &ends[to * ENDS + HEAD..][..HEAD]);
    from.iter().zip(to).map(|(a, b)| a * b).sum::<f32>() / (HEAD as f32).sqrt()
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "policy network, {} channels, {} blocks", self.shape.channels, self.shape.blocks)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("shape", &self.shape).finish_non_exhaustive()
    }
}

/// Logits to logarithms of probabilities.
fn log_softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| math::exp(logit - most)).sum();
    let shift = most + math::ln(sum);
    for logit in logits {
        *logit -= shift;
    }
}
