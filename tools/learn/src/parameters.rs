//! The weights of a network in single precision, in one vector.

use outflank::net::Error;
use outflank::rng::Rng;
use outflank::sparse::{self, CONTEXT_VALUES, READ_VALUES, SECOND_LAYER, Shape, Weights};
use std::ops::Range;

/// Where the weights of each part lie in the vector: the fields of [`Weights`].
#[derive(Clone, Debug)]
pub struct Layout {
    /// How large the network is.
    pub shape: Shape,
    /// By feature of the position, then value of the first layer.
    pub rows: Range<usize>,
    /// Of the first layer.
    pub bias: Range<usize>,
    /// By value of the first layer, then of the second.
    pub second: Range<usize>,
    /// Of the second layer.
    pub second_bias: Range<usize>,
    /// By value of both layers, then of the context.
    pub context: Range<usize>,
    /// Of the context.
    pub context_bias: Range<usize>,
    /// Win, draw, loss: each by value of both layers.
    pub value: [Range<usize>; 3],
    /// Of win, draw and loss.
    pub value_bias: Range<usize>,
    /// By feature of an action, then value of the context.
    pub actions: Range<usize>,
    /// Of the context's first values.
    pub readout: Range<usize>,
    /// How many there are in all.
    pub len: usize,
}

impl Layout {
    /// That of a network of this shape. Each part begins at a multiple of 16.
    pub fn new(shape: Shape) -> Layout {
        let mut len = 0_usize;
        let mut part = |count: usize| {
            let start = len.next_multiple_of(16);
            len = start + count;
            start..len
        };
        let both = shape.both();
        let mut layout = Layout {
            shape,
            rows: part(shape.position_features * shape.hidden),
            bias: part(shape.hidden),
            second: part(shape.hidden * SECOND_LAYER),
            second_bias: part(SECOND_LAYER),
            context: part(both * CONTEXT_VALUES),
            context_bias: part(CONTEXT_VALUES),
            value: [part(both), part(both), part(both)],
            value_bias: part(3),
            actions: part(shape.action_features * CONTEXT_VALUES),
            readout: part(READ_VALUES),
            len: 0,
        };
        layout.len = len.next_multiple_of(16);
        layout
    }

    /// Weights to begin with.
    pub fn first_weights(&self, rng: &mut Rng) -> Vec<f32> {
        let mut weights = vec![0.0; self.len];
        let mut fill = |range: &Range<usize>, spread: f32| {
            for weight in &mut weights[range.clone()] {
                *weight = spread * normal(rng);
            }
        };
        fill(&self.rows, 0.04);
        fill(&self.second, 0.1);
        fill(&self.context, 0.06);
        fill(&self.readout, 0.1);
        fill(&self.actions, 0.06);
        for row in weights[self.actions.clone()].as_chunks_mut::<CONTEXT_VALUES>().0 {
            row[READ_VALUES..].fill(0.0);
        }
        weights[self.bias.clone()].fill(0.05);
        weights[self.context_bias.start..][..READ_VALUES].fill(0.1);
        weights
    }

    /// The network of these weights in integers.
    ///
    /// # Errors
    /// If there are more or fewer of them than the layout says.
    pub fn rounded(&self, weights: &[f32]) -> Result<sparse::Network, Error> {
        let part = |range: &Range<usize>| &weights[range.clone()];
        let [win, draw, loss] = self.value.each_ref().map(part);
        let value: Vec<f32> =
            win.iter().zip(draw).zip(loss).flat_map(|((win, draw), loss)| [*win, *draw, *loss]).collect();
        sparse::Network::rounded(
            self.shape,
            &Weights {
                rows: part(&self.rows),
                bias: part(&self.bias),
                second: part(&self.second),
                second_bias: part(&self.second_bias),
                context: part(&self.context),
                context_bias: part(&self.context_bias),
                value: &value,
                value_bias: part(&self.value_bias),
                actions: part(&self.actions),
                readout: part(&self.readout),
            },
        )
    }

    /// The weights of a smaller network, its features the first of this one's, taken over into `weights`: what it has no weights
    /// for keeps those that stand there, but for rows of features that it does not know, which become 0.
    pub fn take_over(&self, weights: &mut [f32], smaller: &Layout, from: &[f32]) {
        weights[self.rows.clone()].fill(0.0);
        weights[self.actions.clone()].fill(0.0);
        let parts = |layout: &Layout| {
            let Layout { rows, bias, second, second_bias, context, context_bias, .. } = layout.clone();
            let Layout { value: [win, draw, loss], value_bias, actions, readout, .. } = layout.clone();
            [
                rows,
                bias,
                second,
                second_bias,
                context,
                context_bias,
                win,
                draw,
                loss,
                value_bias,
                actions,
                readout,
            ]
        };
        for (to, part) in parts(self).into_iter().zip(parts(smaller)) {
            weights[to.start..][..part.len()].copy_from_slice(&from[part]);
        }
    }
}

/// Nearly normal, with a spread of 1.
fn normal(rng: &mut Rng) -> f32 {
    ((0..4).map(|_| rng.unit()).sum::<f32>() - 2.0) * 3.0_f32.sqrt()
}
