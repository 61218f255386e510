//! The network: its weights, and what it says of a position and its actions.

use super::action_features::{
    ACTION_FEATURES, FIRST_ACTION_FEATURES, MOST_ACTION_FEATURES, Odds, action_features,
};
use super::evaluation::{Evaluation, log_softmax};
use super::features::{FIRST_POSITION_FEATURES, POSITION_FEATURES, position_features};
use super::observation::Observation;
use super::packing;
use crate::math;
use crate::net::{Error, File, Writer};
use crate::rules::Action;
use crate::simd::{ActionRow, CONTEXT, Kernel, POINT, PRODUCT_POINT, READ, SCORE_POINT, WEIGHT_POINT};
use std::fmt;

/// A network in integers.
///
/// The rows of the position's features are summed into the first layer, which has a second one on top. Both together give the
/// value (win, draw, loss) and a context. Each action has a small network of its own: the rows of its features are summed;
/// [`READ_VALUES`] of the sums go with the context through a `ReLU`, the others are multiplied with it.
#[derive(Clone, PartialEq)]
pub struct Network {
    shape: Shape,
    /// A row of [`Shape::hidden`] for each feature of the position.
    rows: Vec<i16>,
    bias: Vec<i32>,
    /// By pair of the first layer's values.
    second: Vec<[[i16; 2]; SECOND_LAYER]>,
    second_bias: [i32; SECOND_LAYER],
    /// By pair of the values of both layers.
    context: Vec<[[i16; 2]; CONTEXT]>,
    context_bias: [i32; CONTEXT],
    /// For a win, a draw and a loss, a weight for each value of both layers.
    value: [Vec<i16>; 3],
    value_bias: [i32; 3],
    /// A row for each feature of an action.
    actions: Vec<ActionRow>,
    readout: [i16; READ],
    kernel: Kernel,
}

/// How large a network is.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Shape {
    /// Features of the position that it knows.
    pub position_features: usize,
    /// Features of actions that it knows.
    pub action_features: usize,
    /// Values of the first layer, a multiple of 16.
    pub hidden: usize,
}

impl Shape {
    /// The largest [`Shape::hidden`].
    const MOST_HIDDEN: usize = 1024;

    /// Knows all features.
    pub const fn full(hidden: usize) -> Shape {
        Shape { position_features: POSITION_FEATURES, action_features: ACTION_FEATURES, hidden }
    }

    /// That of the prototype's network.
    pub const FIRST: Shape = Shape {
        position_features: FIRST_POSITION_FEATURES,
        action_features: FIRST_ACTION_FEATURES,
        hidden: 192,
    };

    /// Values of both layers.
    pub const fn both(self) -> usize {
        self.hidden + SECOND_LAYER
    }

    /// Whether there can be a network of this shape.
    pub const fn is_sound(self) -> bool {
        self.position_features <= POSITION_FEATURES
            && self.action_features <= ACTION_FEATURES
            && self.hidden > 0
            && self.hidden.is_multiple_of(16)
            && self.hidden <= Shape::MOST_HIDDEN
    }
}

/// The weights of a network as it is trained: single precision, each layer by input and then by output.
#[derive(Copy, Clone, Debug)]
pub struct Weights<'a> {
    /// By feature of the position: [`Shape::hidden`] values.
    pub rows: &'a [f32],
    /// Of the first layer.
    pub bias: &'a [f32],
    /// By value of the first layer: [`SECOND_LAYER`] weights.
    pub second: &'a [f32],
    /// Of the second layer.
    pub second_bias: &'a [f32],
    /// By value of both layers: [`CONTEXT_VALUES`] weights.
    pub context: &'a [f32],
    /// Of the context. Its last value is always 1, whatever stands there.
    pub context_bias: &'a [f32],
    /// By value of both layers: win, draw, loss.
    pub value: &'a [f32],
    /// Of win, draw and loss.
    pub value_bias: &'a [f32],
    /// By feature of an action: [`CONTEXT_VALUES`] values.
    pub actions: &'a [f32],
    /// [`READ_VALUES`] weights.
    pub readout: &'a [f32],
}

/// Values of the second layer.
pub const SECOND_LAYER: usize = 64;
/// Values of the context and of an action's row.
pub const CONTEXT_VALUES: usize = CONTEXT;
/// Those of them that go through the `ReLU`.
pub const READ_VALUES: usize = READ;

/// Memory for evaluations, kept from one to the next. It fits every network.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    features: Vec<u16>,
    sums: Vec<i32>,
    values: Vec<[i16; 2]>,
}

/// The sums of a network's first layer, which follow the features from one position to the next.
#[derive(Clone, Debug, Default)]
pub struct Accumulator {
    features: Vec<u16>,
    sums: Vec<i32>,
    /// Of each feature, by how much more often it is wanted than it is there; all 0 between calls.
    wanted: Vec<i8>,
}

impl Network {
    /// Reads a network from the bytes of its file.
    ///
    /// # Errors
    /// If they are not those of a network of a known shape.
    pub fn read(bytes: &[u8]) -> Result<Network, Error> {
        let file = File::read(bytes)?;
        let shape = Shape::from_bytes(file.section("shape")?)?;
        let mut sections = Sections { file: &file };
        let both = shape.both();
        Ok(Network {
            shape,
            rows: sections.rows("rows", shape.position_features, shape.hidden)?,
            bias: sections.words("bias", shape.hidden)?,
            second: pairs(&sections.halves("second", shape.hidden * SECOND_LAYER)?),
            second_bias: fixed(&sections.words("second_bias", SECOND_LAYER)?)?,
            context: pairs(&sections.halves("context", both * CONTEXT)?),
            context_bias: fixed(&sections.words("context_bias", CONTEXT)?)?,
            value: [
                sections.halves("win", both)?,
                sections.halves("draw", both)?,
                sections.halves("loss", both)?,
            ],
            value_bias: fixed(&sections.words("value_bias", 3)?)?,
            actions: rows(&sections.rows("actions", shape.action_features, CONTEXT)?),
            readout: fixed(&sections.halves("readout", READ)?)?,
            kernel: Kernel::best(),
        })
    }

    /// The bytes of its file: rows take a byte a weight where that loses nothing, as in [`Network::coarse`] ones, else two.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut file = Writer::default();
        let Shape { position_features, action_features, hidden } = self.shape;
        file.words("shape", &[position_features, action_features, hidden].map(|size| size as i32));
        write_rows(&mut file, "rows", &self.rows, hidden);
        file.words("bias", &self.bias);
        file.halves("second", &unpaired(&self.second));
        file.words("second_bias", &self.second_bias);
        file.halves("context", &unpaired(&self.context));
        file.words("context_bias", &self.context_bias);
        for (name, weights) in ["win", "draw", "loss"].into_iter().zip(&self.value) {
            file.halves(name, weights);
        }
        file.words("value_bias", &self.value_bias);
        write_rows(&mut file, "actions", self.actions.as_flattened(), CONTEXT);
        file.halves("readout", &self.readout);
        file.finish()
    }

    /// The network of these weights, rounded.
    ///
    /// # Errors
    /// If there are more or fewer of them than the shape says.
    pub fn rounded(shape: Shape, weights: &Weights<'_>) -> Result<Network, Error> {
        let Weights { rows: position, bias, second, second_bias, context, context_bias, .. } = *weights;
        let Weights { value, value_bias, actions, readout, .. } = *weights;
        let both = shape.both();
        let of_outcome = |outcome: usize| {
            let weights: Vec<f32> = value.iter().skip(outcome).step_by(3).copied().collect();
            counted(halves(&weights, WEIGHT_POINT), both)
        };
        Ok(Network {
            shape,
            rows: counted(halves(position, POINT), shape.position_features * shape.hidden)?,
            bias: counted(words(bias, POINT), shape.hidden)?,
            second: pairs(&counted(halves(second, WEIGHT_POINT), shape.hidden * SECOND_LAYER)?),
            second_bias: fixed(&words(second_bias, PRODUCT_POINT))?,
            context: pairs(&counted(halves(context, WEIGHT_POINT), both * CONTEXT)?),
            context_bias: fixed(&words(context_bias, PRODUCT_POINT))?,
            value: [of_outcome(0)?, of_outcome(1)?, of_outcome(2)?],
            value_bias: fixed(&words(value_bias, SCORE_POINT))?,
            actions: rows(&counted(halves(actions, POINT), shape.action_features * CONTEXT)?),
            readout: fixed(&halves(readout, WEIGHT_POINT))?,
            kernel: Kernel::best(),
        })
    }

    /// The weights in single precision: the parts of [`Weights`], in its order. Rounded again, they are this network.
    pub fn unrounded(&self) -> [Vec<f32>; 10] {
        let [win, draw, loss] = &self.value;
        let value = win.iter().zip(draw).zip(loss).flat_map(|((win, draw), loss)| [*win, *draw, *loss]);
        [
            of_halves(&self.rows, POINT),
            of_words(&self.bias, POINT),
            of_halves(&unpaired(&self.second), WEIGHT_POINT),
            of_words(&self.second_bias, PRODUCT_POINT),
            of_halves(&unpaired(&self.context), WEIGHT_POINT),
            of_words(&self.context_bias, PRODUCT_POINT),
            of_halves(&value.collect::<Vec<_>>(), WEIGHT_POINT),
            of_words(&self.value_bias, SCORE_POINT),
            of_halves(self.actions.as_flattened(), POINT),
            of_halves(&self.readout, WEIGHT_POINT),
        ]
    }

    /// This network with the weights of each row rounded to a byte: its file is half as large.
    #[must_use]
    pub fn coarse(&self) -> Network {
        let mut coarse = self.clone();
        packing::coarsen(&mut coarse.rows, self.shape.hidden);
        packing::coarsen(coarse.actions.as_flattened_mut(), CONTEXT);
        coarse
    }

    /// This network, evaluated by the loops that every machine can run: for checking the fast ones.
    #[must_use]
    pub fn plain(&self) -> Network {
        Network { kernel: Kernel::PORTABLE, ..self.clone() }
    }

    /// How large it is.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// What it says of a position and these actions.
    pub fn evaluate_actions(
        &self,
        seen: &Observation,
        actions: Vec<Action>,
        scratch: &mut Scratch,
    ) -> Evaluation {
        position_features(seen, &mut scratch.features);
        scratch.sums.clear();
        scratch.sums.extend_from_slice(&self.bias);
        for &feature in scratch.features.iter().filter(|&&feature| self.knows(feature)) {
            self.kernel.add_row(&mut scratch.sums, self.row(feature));
        }
        self.evaluate_sums(seen, actions, &scratch.sums, &mut scratch.values)
    }

    /// What it says of a position and these actions, from the sums of an accumulator, which is brought to this position.
    pub fn evaluate_by(
        &self,
        accumulator: &mut Accumulator,
        seen: &Observation,
        actions: Vec<Action>,
        scratch: &mut Scratch,
    ) -> Evaluation {
        position_features(seen, &mut scratch.features);
        self.bring(accumulator, &mut scratch.features);
        self.evaluate_sums(seen, actions, &accumulator.sums, &mut scratch.values)
    }

    /// The chances of a win, a draw and a loss alone, from the sums of an accumulator, which is brought to this position.
    pub fn outcome_by(
        &self,
        accumulator: &mut Accumulator,
        seen: &Observation,
        scratch: &mut Scratch,
    ) -> [f32; 3] {
        position_features(seen, &mut scratch.features);
        self.bring(accumulator, &mut scratch.features);
        self.layers(&accumulator.sums, &mut scratch.values);
        self.outcomes(&scratch.values)
    }

    /// Brings an accumulator to these features, which it takes for its own: adds the rows of new ones and takes those of others
    /// away.
    fn bring(&self, accumulator: &mut Accumulator, features: &mut Vec<u16>) {
        features.retain(|&feature| self.knows(feature));
        let Accumulator { features: old, sums, wanted } = accumulator;
        if sums.len() != self.shape.hidden || wanted.len() != self.shape.position_features {
            old.clear();
            sums.clear();
            sums.extend_from_slice(&self.bias);
            wanted.clear();
            wanted.resize(self.shape.position_features, 0);
        }
        for &feature in &*features {
            wanted[usize::from(feature)] += 1;
        }
        for &feature in &*old {
            wanted[usize::from(feature)] -= 1;
        }
        for &feature in features.iter().chain(&*old) {
            let wanted = &mut wanted[usize::from(feature)];
            while *wanted > 0 {
                self.kernel.add_row(sums, self.row(feature));
                *wanted -= 1;
            }
            while *wanted < 0 {
                self.kernel.subtract_row(sums, self.row(feature));
                *wanted += 1;
            }
        }
        std::mem::swap(old, features);
    }

    fn knows(&self, feature: u16) -> bool {
        usize::from(feature) < self.shape.position_features
    }

    fn row(&self, feature: u16) -> &[i16] {
        let hidden = self.shape.hidden;
        &self.rows[usize::from(feature) * hidden..][..hidden]
    }

    fn evaluate_sums(
        &self,
        seen: &Observation,
        actions: Vec<Action>,
        sums: &[i32],
        values: &mut Vec<[i16; 2]>,
    ) -> Evaluation {
        self.layers(sums, values);
        let [win, draw, loss] = self.outcomes(values);
        let context = self.context(values);
        let odds = Odds::new(seen);
        let mut features = [0; MOST_ACTION_FEATURES];
        let mut score = |&action: &Action| {
            let count = action_features(seen, &odds, action, &mut features);
            let known =
                features[..count].iter().filter_map(|&feature| self.actions.get(usize::from(feature)));
            self.kernel.score(known, &context, &self.readout) as f32 / (1 << SCORE_POINT) as f32
        };
        let mut log_probabilities: Vec<f32> = actions.iter().map(&mut score).collect();
        log_softmax(&mut log_probabilities);
        Evaluation { actions, log_probabilities, win, draw, loss }
    }

    /// The values of both layers, by pairs.
    fn layers(&self, sums: &[i32], values: &mut Vec<[i16; 2]>) {
        values.clear();
        values.extend(sums.as_chunks::<2>().0.iter().map(|pair| pair.map(activation)));
        let mut second = self.second_bias;
        self.kernel.add_pairs(&mut second, values, &self.second);
        let second = second.map(|sum| activation(sum >> WEIGHT_POINT));
        values.extend_from_slice(second.as_chunks::<2>().0);
    }

    fn context(&self, values: &[[i16; 2]]) -> [i16; CONTEXT] {
        let mut sums = self.context_bias;
        self.kernel.add_pairs(&mut sums, values, &self.context);
        let mut context = sums.map(|sum| narrow(sum >> WEIGHT_POINT));
        context[CONTEXT - 1] = 1 << POINT;
        context
    }

    /// The chances of a win, a draw and a loss.
    fn outcomes(&self, values: &[[i16; 2]]) -> [f32; 3] {
        let mut logits = [0.0; 3];
        for ((logit, weights), &bias) in logits.iter_mut().zip(&self.value).zip(&self.value_bias) {
            let pairs = values.iter().zip(weights.as_chunks::<2>().0);
            let products = pairs.map(|(values, weights)| {
                let product = |place: usize| i32::from(values[place]) * i32::from(weights[place]);
                product(0).wrapping_add(product(1)) >> (PRODUCT_POINT - SCORE_POINT)
            });
            *logit = products.fold(bias, i32::wrapping_add) as f32 / (1 << SCORE_POINT) as f32;
        }
        log_softmax(&mut logits);
        logits.map(math::exp)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl fmt::Display for Network {
    /// `sparse network, 192 hidden, 11522 and 11122 features`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { position_features, action_features, hidden } = self.shape;
        write!(f, "sparse network, {hidden} hidden, {position_features} and {action_features} features")
    }
}

impl Shape {
    fn from_bytes(bytes: &[u8]) -> Result<Shape, Error> {
        let sizes: Vec<usize> =
            bytes.as_chunks::<4>().0.iter().map(|size| u32::from_le_bytes(*size) as usize).collect();
        let [position_features, action_features, hidden] = sizes[..] else { return Err(Error::Length) };
        let shape = Shape { position_features, action_features, hidden };
        if shape.is_sound() { Ok(shape) } else { Err(Error::Layer("a network of unknown shape")) }
    }
}

/// What the `ReLU` leaves of a sum.
fn activation(sum: i32) -> i16 {
    narrow(sum.max(0))
}

fn narrow(sum: i32) -> i16 {
    sum.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// The sections of a file as numbers.
struct Sections<'a> {
    file: &'a File<'a>,
}

impl Sections<'_> {
    fn halves(&mut self, name: &str, count: usize) -> Result<Vec<i16>, Error> {
        let numbers = self.file.section(name)?.as_chunks::<2>().0;
        counted(numbers.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect(), count)
    }

    /// Rows of this width, in two bytes a weight or in one.
    fn rows(&mut self, name: &str, count: usize, width: usize) -> Result<Vec<i16>, Error> {
        match self.file.section(&format!("{name}8")) {
            Ok(bytes) => counted(packing::unpacked(bytes, width)?, count * width),
            Err(_) => self.halves(name, count * width),
        }
    }

    fn words(&mut self, name: &str, count: usize) -> Result<Vec<i32>, Error> {
        let numbers = self.file.section(name)?.as_chunks::<4>().0;
        counted(numbers.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect(), count)
    }
}

fn write_rows(file: &mut Writer, name: &str, rows: &[i16], width: usize) {
    match packing::packed(rows, width) {
        Some(bytes) => file.bytes(&format!("{name}8"), bytes),
        None => file.halves(name, rows),
    }
}

fn counted<T>(numbers: Vec<T>, expected: usize) -> Result<Vec<T>, Error> {
    let found = numbers.len();
    if found == expected { Ok(numbers) } else { Err(Error::Dimension { found, expected }) }
}

fn fixed<T: Copy, const N: usize>(numbers: &[T]) -> Result<[T; N], Error> {
    numbers.try_into().map_err(|_| Error::Dimension { found: numbers.len(), expected: N })
}

fn halves(numbers: &[f32], point: u32) -> Vec<i16> {
    let scale = (1 << point) as f32;
    numbers.iter().map(|number| (number * scale).round_ties_even() as i16).collect()
}

fn words(numbers: &[f32], point: u32) -> Vec<i32> {
    let scale = (1 << point) as f32;
    numbers.iter().map(|number| (number * scale).round_ties_even() as i32).collect()
}

fn of_halves(numbers: &[i16], point: u32) -> Vec<f32> {
    let scale = (1 << point) as f32;
    numbers.iter().map(|&number| f32::from(number) / scale).collect()
}

fn of_words(numbers: &[i32], point: u32) -> Vec<f32> {
    let scale = (1 << point) as f32;
    numbers.iter().map(|&number| number as f32 / scale).collect()
}

/// Weights by input and then output, as weights by pair of inputs and then output.
fn pairs<const N: usize>(weights: &[i16]) -> Vec<[[i16; 2]; N]> {
    let inputs = weights.as_chunks::<N>().0;
    let pair = |[one, other]: &[[i16; N]; 2]| std::array::from_fn(|output| [one[output], other[output]]);
    inputs.as_chunks::<2>().0.iter().map(pair).collect()
}

/// Weights by pair of inputs and then output, as weights by input and then output.
fn unpaired<const N: usize>(weights: &[[[i16; 2]; N]]) -> Vec<i16> {
    let input = |pair: &[[i16; 2]; N], place: usize| pair.map(|weights| weights[place]);
    weights.iter().flat_map(|pair| [input(pair, 0), input(pair, 1)]).flatten().collect()
}

fn rows(weights: &[i16]) -> Vec<ActionRow> {
    weights.as_chunks::<CONTEXT>().0.to_vec()
}
