//! Sums over pieces, kept lane by lane: columns of weights are added and taken out as pieces come and go.
//!
//! Both versions are the same loops; one is compiled for AVX2 and used where the machine has it.

/// Lanes of every column.
pub const LANES: usize = 32;

/// The weights of one thing that may be on the board, in 1/1024.
pub type Column = [i16; LANES];

/// Sums of columns, in 1/1024.
pub type Lanes = [i32; LANES];

/// Adds `sign` times the average of the columns, weighed by `chances` in 1/256, rounded lane by lane: what is added
/// with sign 1 is what is taken out with sign -1.
pub fn add_average<const N: usize>(sums: &mut Lanes, columns: [&Column; N], chances: &[i16; N], sign: i32) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: this machine has AVX2, all that the function asks for.
        #[allow(unsafe_code)]
        unsafe {
            avx2::add_average(sums, columns, chances, sign);
        }
        return;
    }
    add_average_plainly(sums, columns, chances, sign);
}

/// Like [`add_average`], on any machine.
#[inline(always)]
#[allow(clippy::inline_always, reason = "compiled once more for AVX2")]
pub fn add_average_plainly<const N: usize>(
    sums: &mut Lanes,
    columns: [&Column; N],
    chances: &[i16; N],
    sign: i32,
) {
    let mut average: Lanes = [0; LANES];
    for (column, &chance) in columns.iter().zip(chances).filter(|(_, chance)| **chance != 0) {
        for (sum, &weight) in average.iter_mut().zip(column.iter()) {
            *sum += i32::from(weight) * i32::from(chance);
        }
    }
    for (sum, average) in sums.iter_mut().zip(average) {
        *sum += sign * ((average + 128) >> 8);
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Column, Lanes};

    /// See [`super::add_average`].
    #[target_feature(enable = "avx2")]
    pub(super) fn add_average<const N: usize>(
        sums: &mut Lanes,
        columns: [&Column; N],
        chances: &[i16; N],
        sign: i32,
    ) {
        super::add_average_plainly(sums, columns, chances, sign);
    }
}
