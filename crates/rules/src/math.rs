//! Exponentials, logarithms and powers that have the same digits on every machine and in every build.
//!
//! What the standard library calls for these is the platform's own library while a program runs, and the compiler's
//! where it knows the arguments, so that an optimised build may differ from another in the last digit. These are plain
//! Rust. `clippy.toml` forbids the others for single precision. Sums, products, quotients and square roots are exact
//! to the last digit everywhere and need no such care.

/// `e` to the power of `x`.
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// The natural logarithm of `x`.
pub fn ln(x: f32) -> f32 {
    libm::logf(x)
}

/// `base` to the power of any `exponent`.
pub fn pow(base: f32, exponent: f32) -> f32 {
    libm::powf(base, exponent)
}

/// `base` to the power of a whole `exponent`, by one multiplication for each.
pub fn powi(base: f32, exponent: i32) -> f32 {
    let power = (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * base);
    if exponent < 0 { 1.0 / power } else { power }
}

/// The square root of `x² + y²`; the squares cannot overflow.
pub fn hypot(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    (x * x + y * y).sqrt() as f32
}

/// The nearest whole number, halves away from zero, or the nearest that there is.
///
/// What [`f32::round`] says, without a call: many processors that this is built for lack an instruction for it.
pub fn rounded(x: f32) -> i16 {
    let x = x.clamp(f32::from(i16::MIN), f32::from(i16::MAX));
    let whole = x as i16;
    let rest = x - f32::from(whole);
    whole + i16::from(rest >= 0.5) - i16::from(rest <= -0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_as_the_standard_library_rounds() {
        let standard = |x: f32| x.round().clamp(-32_768.0, 32_767.0) as i16;
        let near = |x: f32| [x.next_down().next_down(), x.next_down(), x, x.next_up(), x.next_up().next_up()];
        let halves = (-65_540..65_540).map(|twice| twice as f32 / 2.0);
        for x in halves.chain([1e10, -1e10, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]).flat_map(near) {
            assert_eq!(rounded(x), standard(x), "{x:?}");
        }
    }

    /// The last digits, not the values, are what may change unseen.
    #[test]
    fn the_digits_are_fixed() {
        let digits = |values: [f32; 5]| values.map(f32::to_bits);
        let found = digits([exp(0.3), ln(0.3), pow(0.3, 0.7), powi(0.88, 11), hypot(0.3, 250.0)]);
        assert_eq!(found, DIGITS, "{found:#x?}");
    }

    const DIGITS: [u32; 5] = [0x3fac_c82c, 0xbf9a_1bc8, 0x3edc_6c06, 0x3e7a_f67c, 0x437a_000c];

    #[test]
    fn powers_of_nothing_and_below_nothing() {
        let powers = [powi(0.5, 0), powi(0.5, 3), powi(0.5, -1)];
        assert_eq!(powers.map(f32::to_bits), [1.0_f32, 0.125, 2.0].map(f32::to_bits));
    }

    #[test]
    fn great_numbers_have_a_hypotenuse() {
        assert!((hypot(-3e30, 4e30) / 5e30 - 1.0).abs() < 1e-6);
    }
}
