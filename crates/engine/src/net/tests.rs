//! Nets read back as they were written, and quick sums are the plain ones.

use super::*;
use crate::simd::Kernel;
use proptest::prelude::*;

/// The bytes of a file of these sections, with a right checksum.
pub(crate) fn written(sections: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = (sections.len() as u32).to_le_bytes().to_vec();
    for (name, data) in sections {
        body.push(name.len() as u8);
        body.extend(name.as_bytes());
        body.extend((data.len() as u32).to_le_bytes());
        body.extend(*data);
    }
    let (mut one, mut two) = (1u64, 0u64);
    for byte in &body {
        one = (one + u64::from(*byte)) % 65_521;
        two = (two + one) % 65_521;
    }
    let mut bytes = b"OUTFLNET".to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(((two << 16 | one) as u32).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// The bytes of a layer with these weights, `inputs` to a row, and as many biases as rows.
fn layer(inputs: usize, weights: &[i8], bias: &[i32], multiplier: i32, (low, high): (i32, i32)) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in [inputs as i32, bias.len() as i32, low, high, 8] {
        bytes.extend(number.to_le_bytes());
    }
    for number in bias.iter().copied().chain(bias.iter().map(|_| multiplier)) {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(weights.iter().map(|&weight| weight as u8));
    bytes
}

fn applied(layer: &Dense, input: &[i16]) -> Vec<i16> {
    let mut output = Vec::new();
    layer.apply(&mut input.to_vec(), &mut output);
    output
}

#[test]
fn a_layer_comes_out_as_by_hand() {
    let layer = Dense::read(&layer(3, &[1, -2, 3, 100, 0, -100], &[5, -7], 128, (-40, 50))).unwrap();
    assert_eq!((layer.inputs(), layer.outputs()), (3, 2));
    // 5 + 10 - 40 + 90 = 65 and -7 + 1000 - 3000 = -2007, halved, rounded up, then held in bounds.
    assert_eq!(applied(&layer, &[10, 20, 30]), [33, -40]);
    assert_eq!(applied(&layer, &[10, 0, 0]), [8, 50]);
    // What lacks is zero, what is too much does not count.
    assert_eq!(applied(&layer, &[10]), applied(&layer, &[10, 0, 0, 99]));
}

#[test]
fn sections_are_found_by_name() {
    let bytes = written(&[("one", b"abc"), ("empty", b"")]);
    let file = File::read(&bytes).unwrap();
    assert_eq!(file.section("one"), Ok(&b"abc"[..]));
    assert_eq!(file.section("empty"), Ok(&b""[..]));
    assert_eq!(file.section("two"), Err(Error::Missing("two".to_owned())));
}

#[test]
fn what_is_no_net_is_refused() {
    let bytes = written(&[("one", b"abc"), ("two", &[7; 300])]);
    assert!(File::read(&bytes).is_ok());
    assert_eq!(File::read(b"").unwrap_err(), Error::NoNet);
    assert_eq!(File::read(&bytes[1..]).unwrap_err(), Error::NoNet);
    let mut later = bytes.clone();
    later[8] = 2;
    assert_eq!(File::read(&later).unwrap_err(), Error::Version(2));
    for end in 8..bytes.len() {
        assert!(File::read(&bytes[..end]).is_err(), "{end}");
    }
    for place in 12..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[place] ^= 0x10;
        assert_eq!(File::read(&wrong).unwrap_err(), Error::Checksum, "{place}");
    }
    // Sections that end beyond the file, under a right checksum.
    let mut inside = written(&[("one", b"abc")])[16..].to_vec();
    inside[8] = 200;
    let (mut one, mut two) = (1u32, 0u32);
    for byte in &inside {
        one += u32::from(*byte);
        two = (two + one) % 65_521;
    }
    let mut bytes = b"OUTFLNET\x01\0\0\0".to_vec();
    bytes.extend((two << 16 | one).to_le_bytes());
    bytes.extend(inside);
    assert_eq!(File::read(&bytes).unwrap_err(), Error::Length);
}

#[test]
fn what_is_no_layer_is_refused() {
    let good = layer(2, &[1, 2], &[3], 128, (0, 100));
    assert!(Dense::read(&good).is_ok());
    for end in 0..good.len() {
        assert!(Dense::read(&good[..end]).is_err(), "{end}");
    }
    assert_eq!(Dense::read(&[&good[..], &[0]].concat()).unwrap_err(), Error::Length);
    for (bounds, why) in [((1, 0), "low above high"), ((0, 40_000), "no i16")] {
        assert_eq!(
            Dense::read(&layer(2, &[1, 2], &[3], 128, bounds)).unwrap_err(),
            Error::Layer("its bounds"),
            "{why}"
        );
    }
    assert_eq!(Dense::read(&layer(0, &[], &[3], 128, (0, 1))).unwrap_err(), Error::Layer("its dimensions"));
    let large = layer(600, &[127; 600], &[0], 128, (0, 1));
    assert_eq!(Dense::read(&large).unwrap_err(), Error::Layer("its weights are too large"));
}

proptest! {
    #[test]
    fn quick_sums_are_the_plain_ones(
        inputs in 1usize..70,
        outputs in 1usize..150,
        seed in prop::collection::vec(any::<i8>(), 70 * 150),
        bias in prop::collection::vec(-1_000_000..1_000_000i32, 150),
        multiplier in any::<i32>(),
        input in prop::collection::vec(any::<i16>(), 70),
    ) {
        let bytes = layer(inputs, &seed[..inputs * outputs], &bias[..outputs], multiplier, (-30_000, 30_000));
        let layer = Dense::read(&bytes).unwrap();
        let (mut quick, mut plain) = (Vec::new(), Vec::new());
        layer.apply_plainly(&mut input.clone(), &mut plain);
        prop_assert_eq!(plain.len(), outputs);
        for kernel in Kernel::all() {
            layer.apply_by(kernel, &mut input.clone(), &mut quick);
            prop_assert_eq!(&quick, &plain);
        }
    }
}
