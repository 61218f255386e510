//! Many positions at once through a network's trunk, by matrix tiles (AMX with half-precision factors), for self-play.
//!
//! A board lies in a grid of twelve by twelve squares with a border of zeros, a row of channels per square. A 3x3
//! convolution is then nine products of sixteen consecutive rows with a matrix of weights, all into the same sums:
//! squares of the border are computed, too, and thrown away. Sums are single precision; features are rounded to half
//! precision (bfloat16) after each layer, as the twin in plain Rust does, too.

mod convolution;
mod features;
#[allow(unsafe_code)] // tile instructions; `Convolution::run_plainly` is their twin
#[cfg_attr(not(all(target_arch = "x86_64", target_os = "linux")), path = "tiles/without.rs")]
mod kernel;

pub(crate) use convolution::Convolution;
use convolution::Finish;
pub(crate) use features::Features;
use std::sync::OnceLock;

/// What becomes of a convolution's sums, beside its biases.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Pass<'a> {
    /// What is added to each output.
    pub(crate) extra: Option<&'a [f32]>,
    /// Whether what stands in the output is added.
    pub(crate) adds: bool,
    /// Whether negative results become 0.
    pub(crate) cut: bool,
}

impl Convolution {
    /// Writes what comes of `input` on every square to `output`.
    ///
    /// # Panics
    /// If the features have other channels than the layer.
    pub(crate) fn run(&self, input: &Features, output: &mut Features, pass: Pass<'_>) {
        let Pass { extra, adds, cut } = pass;
        assert_eq!((input.channels, output.channels), (self.inputs, self.outputs), "channels");
        let mut bias = self.bias.clone();
        for (bias, extra) in bias.iter_mut().zip(extra.unwrap_or_default()) {
            *bias += extra;
        }
        let finish = Finish { bias: &bias, adds, cut };
        if tiles_are_there() {
            // SAFETY: tiles and every set of instructions of the kernel are there, and the channels are those of the
            // weights, which all features have rows for.
            #[allow(unsafe_code)]
            unsafe {
                kernel::run(self, input, output, &finish);
            }
        } else {
            self.run_plainly(input, output, &finish);
        }
    }
}

/// Whether this processor has the tiles, and the system lets this process use them.
pub(crate) fn tiles_are_there() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(kernel::are_there)
}

#[cfg(test)]
mod tests {
    use super::features::GUARD;
    use super::*;
    use crate::rng::Rng;

    #[test]
    #[should_panic(expected = "channels")]
    fn features_of_other_channels_are_refused() {
        let layer = Convolution::new(&[1.0; 64 * 32], &[0.0; 64], 1, 1.0);
        layer.run(&Features::new(32), &mut Features::new(32), Pass::default());
    }

    #[test]
    fn tiles_and_their_plain_twin_agree() {
        let mut rng = Rng::new(5);
        for (inputs, outputs, taps) in [(54, 32, 9), (32, 32, 9), (64, 64, 9), (32, 64, 1)] {
            let mut draw = |count: usize| (0..count).map(|_| rng.unit() - 0.5).collect::<Vec<f32>>();
            let (weights, bias, extra) = (draw(outputs * inputs * taps), draw(outputs), draw(outputs));
            let layer = Convolution::new(&weights, &bias, taps, 0.1);
            let mut input = Features::new(inputs);
            let planes: Vec<u8> = (0..inputs * 100).map(|_| (rng.bits() % 9) as u8).collect();
            input.set_planes(&planes);
            let mut one = Features::new(outputs);
            one.set_planes(&planes[..(outputs * 100).min(planes.len())]);
            let mut two = one.clone();
            layer.run(&input, &mut one, Pass { extra: Some(&extra), adds: true, cut: true });
            let sums: Vec<f32> = bias.iter().zip(&extra).map(|(a, b)| a + b).collect();
            layer.run_plainly(&input, &mut two, &Finish { bias: &sums, adds: true, cut: true });
            for square in 0..100 {
                for (a, b) in one.numbers(square).zip(two.numbers(square)) {
                    assert!((a - b).abs() <= 0.01 + b.abs() * 0.01, "{inputs} {outputs} {square}: {a} {b}");
                }
            }
            assert!(one.values.get()[..GUARD * one.channels].iter().all(|&value| value == 0));
        }
    }
}
