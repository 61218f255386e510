//! The network in single precision: what it says, and how its weights would have to change.
//!
//! `H` is the width of the first layer. See [`outflank::sparse::Network`] for what is computed.

use crate::lanes::{add, add_scaled, dot, fetch, row, row_mut, sum_rows};
use crate::parameters::Layout;
use outflank::sparse::{CONTEXT_VALUES as CONTEXT, READ_VALUES as READ, SECOND_LAYER as SECOND};

/// A position and its actions as features: where they lie in a pool, and how many.
#[derive(Copy, Clone, Debug, Default)]
pub struct Inputs<'a> {
    /// Features of the position.
    pub position: &'a [u16],
    /// Of each action: how many features it has, and then these.
    pub actions: &'a [u16],
}

impl<'a> Inputs<'a> {
    /// The features of each action.
    pub fn each_action(&self) -> impl Iterator<Item = &'a [u16]> + use<'a> {
        let mut rest = self.actions;
        std::iter::from_fn(move || {
            let (&count, after) = rest.split_first()?;
            let (features, after) = after.split_at(usize::from(count));
            rest = after;
            Some(features)
        })
    }
}

/// Values of a position's layers.
#[derive(Clone, Debug)]
pub struct Body<const H: usize> {
    first: [f32; H],
    second: [f32; SECOND],
    context: [f32; CONTEXT],
    /// The chances of a win, a draw and a loss.
    pub outcome: [f32; 3],
}

impl<const H: usize> Default for Body<H> {
    fn default() -> Body<H> {
        Body { first: [0.0; H], second: [0.0; SECOND], context: [0.0; CONTEXT], outcome: [0.0; 3] }
    }
}

impl<const H: usize> Body<H> {
    /// What the position is worth: chance of a win less that of a loss.
    pub fn value(&self) -> f32 {
        self.outcome[0] - self.outcome[2]
    }
}

/// The sums of an action's rows, with the context in the first of them: what its score is made of.
pub type ActionSums = [f32; CONTEXT];

/// Computes with a vector of weights.
#[derive(Copy, Clone, Debug)]
pub struct Forward<'a, const H: usize> {
    /// Where its parts lie.
    pub layout: &'a Layout,
    /// The weights.
    pub weights: &'a [f32],
}

impl<const H: usize> Forward<'_, H> {
    fn part(&self, range: &std::ops::Range<usize>) -> &[f32] {
        &self.weights[range.clone()]
    }

    /// The layers of a position, and what its game may come to.
    pub fn body(&self, position: &[u16], body: &mut Body<H>) {
        let layout = self.layout;
        let rows = self.part(&layout.rows);
        body.first = *row::<H>(self.part(&layout.bias), 0);
        sum_rows(&mut body.first, rows, position);
        rectify(&mut body.first);
        let mut second = *row::<SECOND>(self.part(&layout.second_bias), 0);
        let table = self.part(&layout.second).as_chunks::<SECOND>().0;
        for (&value, row) in body.first.iter().zip(table).filter(|(value, _)| **value > 0.0) {
            add_scaled(&mut second, value, row);
        }
        rectify(&mut second);
        body.second = second;
        let bias = self.part(&layout.value_bias);
        let logits = std::array::from_fn(|outcome| {
            let (first, second) = self.part(&layout.value[outcome]).split_at(H);
            dot(&body.first, first) + dot(&body.second, second) + bias[outcome]
        });
        body.outcome = softmax3(logits);
    }

    /// What the position adds to the scores of its actions.
    pub fn context(&self, body: &mut Body<H>) {
        let layout = self.layout;
        let mut context = *row::<CONTEXT>(self.part(&layout.context_bias), 0);
        let (first, second) = self.part(&layout.context).as_chunks::<CONTEXT>().0.split_at(H);
        for (values, table) in [(&body.first[..], first), (&body.second[..], second)] {
            for (&value, row) in values.iter().zip(table).filter(|(value, _)| **value > 0.0) {
                add_scaled(&mut context, value, row);
            }
        }
        context[CONTEXT - 1] = 1.0;
        body.context = context;
    }

    /// The score of an action with these features; `sums` is what its gradient will need.
    pub fn score(&self, body: &Body<H>, features: &[u16], sums: &mut ActionSums) -> f32 {
        let table = self.part(&self.layout.actions);
        let mut own = body.context;
        own[READ..].fill(0.0);
        for &feature in features {
            add(&mut own, row::<CONTEXT>(table, usize::from(feature)));
        }
        *sums = own;
        let (read, multiplied) = own.split_at(READ);
        let rectified: [f32; READ] = std::array::from_fn(|index| read[index].max(0.0));
        dot(&rectified, self.part(&self.layout.readout)) + dot(multiplied, &body.context[READ..])
    }

    /// Body, context and the scores of all actions.
    pub fn scores(
        &self,
        inputs: Inputs<'_>,
        body: &mut Body<H>,
        sums: &mut Vec<ActionSums>,
        scores: &mut Vec<f32>,
    ) {
        self.body(inputs.position, body);
        self.context(body);
        sums.clear();
        scores.clear();
        let table = self.part(&self.layout.actions);
        let mut later = inputs.each_action().skip(2);
        for features in inputs.each_action() {
            later.next().into_iter().flatten().for_each(|&feature| {
                fetch(row::<CONTEXT>(table, usize::from(feature)));
            });
            let mut own = [0.0; CONTEXT];
            scores.push(self.score(body, features, &mut own));
            sums.push(own);
        }
    }

    /// Adds to `gradient` that of a loss which grows by `slope` with the score of an action; to `context`, that of the context.
    pub fn score_gradient(
        &self,
        gradient: &mut [f32],
        context: &mut [f32; CONTEXT],
        body: &Body<H>,
        (features, sums): (&[u16], &ActionSums),
        slope: f32,
    ) {
        let layout = self.layout;
        let readout = row::<READ>(self.part(&layout.readout), 0);
        let mut of_row = [0.0; CONTEXT];
        let of_readout = row_mut::<READ>(&mut gradient[layout.readout.clone()], 0);
        for index in 0..READ {
            of_readout[index] += slope * sums[index].max(0.0);
            of_row[index] = if sums[index] > 0.0 { slope * readout[index] } else { 0.0 };
            context[index] += of_row[index];
        }
        for index in READ..CONTEXT {
            of_row[index] = slope * body.context[index];
            context[index] += slope * sums[index];
        }
        let table = &mut gradient[layout.actions.clone()];
        for &feature in features {
            add(row_mut::<CONTEXT>(table, usize::from(feature)), &of_row);
        }
    }

    /// Adds to `gradient` that of a loss which grows by `outcome` with the logits of a win, a draw and a loss, and by `context`
    /// with the context.
    pub fn body_gradient(
        &self,
        gradient: &mut [f32],
        body: &Body<H>,
        position: &[u16],
        outcome: [f32; 3],
        context: Option<[f32; CONTEXT]>,
    ) {
        let (mut first, mut second) = ([0.0; H], [0.0; SECOND]);
        self.value_gradient(gradient, body, outcome, (&mut first, &mut second));
        if let Some(mut context) = context {
            context[CONTEXT - 1] = 0.0;
            self.context_gradient(gradient, body, &context, (&mut first, &mut second));
        }
        for (slope, value) in second.iter_mut().zip(&body.second) {
            *slope = if *value > 0.0 { *slope } else { 0.0 };
        }
        let layout = self.layout;
        add(row_mut::<SECOND>(&mut gradient[layout.second_bias.clone()], 0), &second);
        let weights = self.part(&layout.second);
        let of_second = &mut gradient[layout.second.clone()];
        for (index, slope) in first.iter_mut().enumerate() {
            if body.first[index] > 0.0 {
                *slope += dot(&second, row::<SECOND>(weights, index));
                add_scaled(row_mut::<SECOND>(of_second, index), body.first[index], &second);
            } else {
                *slope = 0.0;
            }
        }
        add(row_mut::<H>(&mut gradient[layout.bias.clone()], 0), &first);
        let table = &mut gradient[layout.rows.clone()];
        for (index, &feature) in position.iter().enumerate() {
            if let Some(&later) = position.get(index + 4) {
                fetch(row::<H>(table, usize::from(later)));
            }
            add(row_mut::<H>(table, usize::from(feature)), &first);
        }
    }

    fn value_gradient(
        &self,
        gradient: &mut [f32],
        body: &Body<H>,
        outcome: [f32; 3],
        (first, second): (&mut [f32; H], &mut [f32; SECOND]),
    ) {
        let layout = self.layout;
        for (place, slope) in outcome.into_iter().enumerate() {
            gradient[layout.value_bias.start + place] += slope;
            let (own_first, own_second) = gradient[layout.value[place].clone()].split_at_mut(H);
            add_scaled(row_mut::<H>(own_first, 0), slope, &body.first);
            add_scaled(row_mut::<SECOND>(own_second, 0), slope, &body.second);
            let (weights_first, weights_second) = self.part(&layout.value[place]).split_at(H);
            add_scaled(first, slope, row::<H>(weights_first, 0));
            add_scaled(second, slope, row::<SECOND>(weights_second, 0));
        }
    }

    fn context_gradient(
        &self,
        gradient: &mut [f32],
        body: &Body<H>,
        context: &[f32; CONTEXT],
        (first, second): (&mut [f32; H], &mut [f32; SECOND]),
    ) {
        let layout = self.layout;
        add(row_mut::<CONTEXT>(&mut gradient[layout.context_bias.clone()], 0), context);
        let weights = self.part(&layout.context);
        let table = &mut gradient[layout.context.clone()];
        let values = body.first.iter().chain(&body.second);
        let slopes = first.iter_mut().chain(second);
        for (index, (&value, slope)) in values.zip(slopes).enumerate() {
            if value > 0.0 {
                *slope += dot(context, row::<CONTEXT>(weights, index));
                add_scaled(row_mut::<CONTEXT>(table, index), value, context);
            }
        }
    }
}

fn rectify(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}

fn softmax3(logits: [f32; 3]) -> [f32; 3] {
    let most = logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let shares = logits.map(|logit| crate::lanes::exp(logit - most));
    let sum: f32 = shares.iter().sum();
    shares.map(|share| share / sum)
}

/// Makes probabilities of scores, and returns the logarithm of the sum of their exponentials.
pub fn softmax(scores: &[f32], probabilities: &mut Vec<f32>) -> f32 {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    probabilities.clear();
    probabilities.extend(scores.iter().map(|score| crate::lanes::exp(score - most)));
    let sum: f32 = probabilities.iter().sum();
    for share in probabilities {
        *share /= sum;
    }
    most + outflank::math::ln(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rng::Rng;
    use outflank::sparse::Shape;

    const H: usize = 192;

    /// A loss that looks at everything: the surprise at an action, and what the outcomes are worth.
    fn loss(layout: &Layout, weights: &[f32], inputs: Inputs<'_>) -> f64 {
        let (mut body, mut sums, mut scores, mut shares) =
            (Body::<H>::default(), Vec::new(), Vec::new(), Vec::new());
        Forward::<H> { layout, weights }.scores(inputs, &mut body, &mut sums, &mut scores);
        let norm = softmax(&scores, &mut shares);
        f64::from(norm - scores[0]) - f64::from(body.outcome[0]).ln()
    }

    fn gradient(layout: &Layout, weights: &[f32], inputs: Inputs<'_>) -> Vec<f32> {
        let (mut body, mut sums, mut scores, mut shares) =
            (Body::<H>::default(), Vec::new(), Vec::new(), Vec::new());
        let forward = Forward::<H> { layout, weights };
        forward.scores(inputs, &mut body, &mut sums, &mut scores);
        softmax(&scores, &mut shares);
        let (mut gradient, mut context) = (vec![0.0; layout.len], [0.0; CONTEXT]);
        for (index, features) in inputs.each_action().enumerate() {
            let slope = shares[index] - f32::from(u8::from(index == 0));
            forward.score_gradient(&mut gradient, &mut context, &body, (features, &sums[index]), slope);
        }
        let [win, draw, loss] = body.outcome;
        forward.body_gradient(&mut gradient, &body, inputs.position, [win - 1.0, draw, loss], Some(context));
        gradient
    }

    /// Of each part of the weights: the gradient is what small steps change.
    #[test]
    fn gradients_are_those_of_small_steps() {
        let shape = Shape { position_features: 200, action_features: 90, hidden: H };
        let layout = Layout::new(shape);
        let mut rng = Rng::new(5);
        let mut weights = layout.first_weights(&mut rng);
        for weight in &mut weights {
            *weight += 0.1 * (rng.unit() - 0.5);
        }
        let position: Vec<u16> = (0..60).map(|index| index * 3).collect();
        let actions: Vec<u16> = (0..8_u16)
            .flat_map(|action| std::iter::once(6).chain((0..6).map(move |index| action * 11 + index)))
            .collect();
        let inputs = Inputs { position: &position, actions: &actions };
        let found = gradient(&layout, &weights, inputs);
        let Layout { rows, bias, second, second_bias, context, context_bias, .. } = layout.clone();
        let Layout { value: [win, draw, _], value_bias, actions, readout, .. } = layout.clone();
        for part in
            [rows, bias, second, second_bias, context, context_bias, win, draw, value_bias, actions, readout]
        {
            let (mut wrong, mut all, mut tried) = (0.0, 0.0, 0);
            while tried < 30 {
                let index = part.start + rng.below(part.len());
                if found[index] == 0.0 && tried > 2 && part.len() > 3 {
                    continue;
                }
                let (kept, step) = (weights[index], 1e-3);
                let mut at = |value: f32| {
                    weights[index] = value;
                    loss(&layout, &weights, inputs)
                };
                let slope = (at(kept + step) - at(kept - step)) / f64::from(2.0 * step);
                weights[index] = kept;
                wrong += (slope - f64::from(found[index])).powi(2);
                all += f64::from(found[index]).powi(2);
                tried += 1;
            }
            // The context's last value is no weight: nothing depends on it.
            assert!(all > 0.0 && wrong <= 4e-3 * all, "{part:?}: {wrong} of {all}");
        }
    }
}
