//! The weights of a network in single precision, in one vector.

use outflank::net::Error;
use outflank::rng::Rng;
use outflank::sparse::{self, CONTEXT_VALUES, READ_VALUES, SECOND_LAYER, Shape, Weights};
use std::ops::Range;

/// A unit whose slopes have a mean square of this share of the largest is dead.
const DEAD: f32 = 1e-6;

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
        fill(&self.actions, 0.06);
        for row in weights[self.actions.clone()].as_chunks_mut::<CONTEXT_VALUES>().0 {
            row[READ_VALUES..].fill(0.0);
        }
        for (unit, weight) in weights[self.readout.clone()].iter_mut().enumerate() {
            *weight = if unit % 2 == 0 { 0.25 } else { -0.25 };
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

    /// The weights of a network of this shape.
    pub fn unrounded(&self, network: &sparse::Network) -> Vec<f32> {
        let Layout { rows, bias, second, second_bias, context, context_bias, .. } = self;
        let [win, draw, loss] = &self.value;
        let mut weights = vec![0.0; self.len];
        let parts = network.unrounded();
        for (place, by_outcome) in parts[6].as_chunks::<3>().0.iter().enumerate() {
            for (part, weight) in [win, draw, loss].into_iter().zip(by_outcome) {
                weights[part.start + place] = *weight;
            }
        }
        let value = &(0..0);
        let own = [rows, bias, second, second_bias, context, context_bias, value];
        let own = own.into_iter().chain([&self.value_bias, &self.actions, &self.readout]);
        for (range, part) in own.zip(&parts).filter(|(range, _)| !range.is_empty()) {
            weights[range.clone()].copy_from_slice(part);
        }
        weights
    }

    /// The weights of a network that is no larger, its features the first of this one's, taken over into `weights`: it plays as
    /// that one does. Features that it does not know begin at 0, and so does what its further values of the first layer add.
    pub fn take_over(&self, weights: &mut [f32], smaller: &Layout, from: &[f32]) {
        let (hidden, before) = (self.shape.hidden, smaller.shape.hidden);
        for row in weights[self.rows.clone()].chunks_exact_mut(hidden) {
            row[..before].fill(0.0);
        }
        let rows = from[smaller.rows.clone()].chunks_exact(before);
        for (to, row) in weights[self.rows.clone()].chunks_exact_mut(hidden).zip(rows) {
            to[..before].copy_from_slice(row);
        }
        weights[self.actions.clone()].fill(0.0);
        let Layout { bias, second, second_bias, context, context_bias, value, .. } = smaller.clone();
        for (to, part) in [
            (&self.bias, bias),
            (&self.second_bias, second_bias),
            (&self.context_bias, context_bias),
            (&self.value_bias, smaller.value_bias.clone()),
            (&self.actions, smaller.actions.clone()),
            (&self.readout, smaller.readout.clone()),
        ] {
            weights[to.start..][..part.len()].copy_from_slice(&from[part]);
        }
        // What reads the first layer, and of it both layers.
        let mut reader = |to: &Range<usize>, part: Range<usize>, width: usize| {
            weights[to.clone()].fill(0.0);
            let (first, second) = from[part].split_at(before * width);
            weights[to.start..][..first.len()].copy_from_slice(first);
            weights[to.start + hidden * width..][..second.len()].copy_from_slice(second);
        };
        reader(&self.second, second, SECOND_LAYER);
        reader(&self.context, context, CONTEXT_VALUES);
        for (to, part) in self.value.iter().zip(value) {
            reader(to, part, 1);
        }
    }
}

impl Layout {
    /// Begins again with dead units: below 0 whatever they are shown, they learn no more. `square` are Adam's mean
    /// squares. Looks at the second layer and at what reads the actions; what the network says stays as it is. Returns how many
    /// there were of each.
    pub fn revive(&self, weights: &mut [f32], square: &[f32], rng: &mut Rng) -> [usize; 2] {
        let hidden = self.shape.hidden;
        let second = dead(&square[self.second_bias.clone()]);
        for &value in &second {
            columns::<SECOND_LAYER>(&mut weights[self.second.clone()], value, 0.1, rng);
            weights[self.second_bias.start + value] = 0.0;
            let row = self.context.start + (hidden + value) * CONTEXT_VALUES;
            weights[row..row + CONTEXT_VALUES].fill(0.0);
            for part in &self.value {
                weights[part.start + hidden + value] = 0.0;
            }
        }
        let read = dead(&square[self.readout.clone()]);
        for &value in &read {
            columns::<CONTEXT_VALUES>(&mut weights[self.context.clone()], value, 0.06, rng);
            columns::<CONTEXT_VALUES>(&mut weights[self.actions.clone()], value, 0.06, rng);
            weights[self.context_bias.start + value] = 0.0;
            weights[self.readout.start + value] = 0.0;
        }
        [second.len(), read.len()]
    }
}

/// Those whose slopes are next to nothing.
fn dead(squares: &[f32]) -> Vec<usize> {
    let most = squares.iter().copied().fold(0.0, f32::max);
    (0..squares.len()).filter(|&value| squares[value] <= DEAD * most).collect()
}

/// Draws a column of a table of rows.
fn columns<const N: usize>(table: &mut [f32], column: usize, spread: f32, rng: &mut Rng) {
    for row in table.as_chunks_mut::<N>().0 {
        row[column] = spread * normal(rng);
    }
}

/// Nearly normal, with a spread of 1.
fn normal(rng: &mut Rng) -> f32 {
    ((0..4).map(|_| rng.unit()).sum::<f32>() - 2.0) * 3.0_f32.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Body, Forward, Inputs};

    /// In integers and back it is the same network, bit for bit.
    #[test]
    fn a_network_in_integers_is_read_back() {
        let layout = Layout::new(Shape { position_features: 50, action_features: 30, hidden: 192 });
        let mut weights = layout.first_weights(&mut Rng::new(4));
        for part in &layout.value {
            weights[part.clone()].fill(0.25);
        }
        weights[layout.value[1].start + 7] = -0.5;
        let network = layout.rounded(&weights).unwrap();
        let back = layout.unrounded(&network);
        assert!(layout.rounded(&back).unwrap() == network);
        assert!(weights.iter().zip(&back).all(|(one, other)| (one - other).abs() < 1e-3));
    }

    /// Wider, and with further features, it says the same.
    #[test]
    fn what_takes_a_network_over_says_what_it_said() {
        let small = Layout::new(Shape { position_features: 50, action_features: 30, hidden: 192 });
        let large = Layout::new(Shape { position_features: 70, action_features: 40, hidden: 384 });
        let mut rng = Rng::new(4);
        let weights = small.first_weights(&mut rng);
        let mut wider = large.first_weights(&mut rng);
        large.take_over(&mut wider, &small, &weights);
        let inputs = Inputs { position: &[3, 17, 44], actions: &[2, 5, 9, 3, 1, 2, 29] };
        let mut said = (Body::<192>::default(), Vec::new(), Vec::new());
        Forward { layout: &small, weights: &weights }.scores(inputs, &mut said.0, &mut said.1, &mut said.2);
        let mut again = (Body::<384>::default(), Vec::new(), Vec::new());
        Forward { layout: &large, weights: &wider }.scores(inputs, &mut again.0, &mut again.1, &mut again.2);
        let apart =
            |one: &[f32], other: &[f32]| one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-5);
        assert!(apart(&said.2, &again.2) && apart(&said.0.outcome, &again.0.outcome));
        assert!((said.2[0] - said.2[1]).abs() > 1e-3);
    }

    /// Where nothing was read of the dead values, nothing changes; and they are dead no more.
    #[test]
    fn what_has_died_begins_again() {
        let layout = Layout::new(Shape { position_features: 50, action_features: 30, hidden: 192 });
        let mut rng = Rng::new(4);
        let mut weights = layout.first_weights(&mut rng);
        let mut square = vec![1.0; layout.len];
        square[layout.readout.start + 3] = 0.0;
        square[layout.second_bias.start + 5] = 1e-9;
        weights[layout.context_bias.start + 3] = -100.0;
        weights[layout.second_bias.start + 5] = -100.0;
        let inputs = Inputs { position: &[3, 17, 44], actions: &[2, 5, 9, 3, 1, 2, 29] };
        let scores = |weights: &[f32]| {
            let mut said = (Body::<192>::default(), Vec::new(), Vec::new());
            Forward { layout: &layout, weights }.scores(inputs, &mut said.0, &mut said.1, &mut said.2);
            said.2
        };
        let before = scores(&weights);
        assert_eq!(layout.revive(&mut weights, &square, &mut rng), [1, 1]);
        for (one, other) in before.iter().zip(scores(&weights)) {
            assert!((one - other).abs() < 1e-5);
        }
        weights[layout.readout.start + 3] = 1.0;
        assert_ne!(scores(&weights), before);
    }
}
