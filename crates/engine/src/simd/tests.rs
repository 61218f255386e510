use super::*;
use crate::rng::Rng;

fn floats(count: usize, rng: &mut Rng) -> Vec<f32> {
    (0..count).map(|_| rng.unit() - 0.5).collect()
}

/// What each of this machine's loops makes of `before`, all of it alike.
fn same<T: Clone + PartialEq + std::fmt::Debug>(before: &[T], run: impl Fn(Kernel, &mut Vec<T>)) -> Vec<T> {
    let by = |kernel| {
        let mut output = before.to_vec();
        run(kernel, &mut output);
        output
    };
    let plain = by(Kernel::PORTABLE);
    for kernel in Kernel::all() {
        assert_eq!(by(kernel), plain, "{}", kernel.name());
    }
    plain
}

#[test]
fn tiles_come_out_alike() {
    let mut rng = Rng::new(1);
    for (channels, most) in [(16, 32_767), (32, 9_000), (64, 300)] {
        let mut weight = || rng.below(255) as i16 - 127;
        let mut pairs = || Pairs(std::array::from_fn(|_| [weight(), weight()]));
        let weights: Vec<Pairs> = (0..9 * channels / 2).map(|_| pairs()).collect();
        let values: Vec<[i16; 2]> =
            (0..72 * channels).map(|_| [(); 2].map(|()| rng.below(most) as i16)).collect();
        let units = std::array::from_fn(|_| rng.unit() / 50.0);
        let bias = std::array::from_fn(|_| 4000.0 * rng.unit() - 2000.0);
        let before: Vec<i16> = (0..5 * 32).map(|index| 37 * index).collect();
        for (first, adds) in [(0, false), (5, true), (12, true), (113, false)] {
            let channels = channels / 2;
            let source = Source { weights: &weights, values: &values, channels, runs: &[0, 12, 24], first };
            let scale = Scale { units: &units, bias: &bias, adds };
            let output = same(&before, |kernel, output| kernel.convolve(source, scale, output, 32));
            let computed = || output.chunks(32).flat_map(|square| &square[..LANES]);
            assert!(computed().any(|&value| value == 0) && computed().any(|&value| value > 0));
            assert!((0..5 * 32).filter(|index| index % 32 >= LANES).all(|at| output[at] == before[at]));
        }
    }
}

#[test]
fn the_largest_sums_are_exact() {
    // 32 channels of the largest features and weights: 1.2e9.
    let weights = vec![Pairs([[127; 2]; LANES]); 9 * 16];
    let values = vec![[i16::MAX; 2]; 144 * 16];
    let source = Source { weights: &weights, values: &values, channels: 16, runs: &[0, 12, 24], first: 0 };
    let scale = Scale { units: &[1e-6; LANES], bias: &[0.0; LANES], adds: false };
    let output = same(&[0; 5 * 32], |kernel, output| kernel.convolve(source, scale, output, 32));
    assert_eq!(output[0], 1198, "288 * 127 * 32767 / 10^6");
}

#[test]
fn bytes_count_alike() {
    let mut rng = Rng::new(3);
    let weights: Vec<Weights> =
        (0..54 * 9).map(|_| Weights(std::array::from_fn(|_| rng.unit() / 255.0))).collect();
    let nonzero: Vec<(u8, u8)> = (0..54).step_by(3).map(|plane| (plane, 5 * plane)).collect();
    let bytes = Bytes { nonzero: &nonzero, weights: &weights[3..], stride: 9 };
    let sums = same(&[1.0; 6 * LANES], |kernel, sums| kernel.add_bytes(bytes, sums));
    let weight = |plane: usize| 5.0 * plane as f32 * weights[9 * plane + 3].0[0];
    assert!((sums[0] - 1.0 - (0..54).step_by(3).map(weight).sum::<f32>()).abs() < 1e-4);
}

#[test]
fn scaled_weights_are_added_alike() {
    let mut rng = Rng::new(2);
    let (weights, before) = (floats(100, &mut rng), floats(99, &mut rng));
    let sums = same(&before, |kernel, sums| kernel.add_scaled(&weights, 3.0, sums));
    assert!((sums[98] - before[98] - 3.0 * weights[98]).abs() < 1e-5);
}
