//! Rows of weights in a byte each: a row has a shift of its own, so that its largest weight just fits.

use crate::net::Error;

/// The largest shift: with it every number of two bytes fits.
const MOST_SHIFT: u32 = 8;

/// Rows of this width in bytes: of each its shift, then its weights. Nothing if a row would lose something.
pub(super) fn packed(numbers: &[i16], width: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(numbers.len() + numbers.len() / width);
    for row in numbers.chunks_exact(width) {
        let shift = shift_of(row);
        if row.iter().any(|number| number >> shift << shift != *number) {
            return None;
        }
        bytes.push(shift as u8);
        bytes.extend(row.iter().map(|number| (number >> shift) as u8));
    }
    Some(bytes)
}

/// The rows of [`packed`].
///
/// # Errors
/// If the bytes are no such rows.
pub(super) fn unpacked(bytes: &[u8], width: usize) -> Result<Vec<i16>, Error> {
    let rows = bytes.chunks_exact(width + 1);
    if !rows.remainder().is_empty() || rows.clone().any(|row| u32::from(row[0]) > MOST_SHIFT) {
        return Err(Error::Layer("rows in bytes that are none"));
    }
    Ok(rows.flat_map(|row| row[1..].iter().map(|&byte| i16::from(byte.cast_signed()) << row[0])).collect())
}

/// Rounds rows of this width so that nothing is lost when they are packed.
pub(super) fn coarsen(numbers: &mut [i16], width: usize) {
    for row in numbers.chunks_exact_mut(width) {
        let shift = shift_of(row);
        for number in row {
            *number = rounded(*number, shift) << shift;
        }
    }
}

/// The smallest shift with which every number of a row fits into a byte.
fn shift_of(row: &[i16]) -> u32 {
    let fits = |shift: &u32| row.iter().all(|&number| i8::try_from(rounded(number, *shift)).is_ok());
    (0..MOST_SHIFT).find(fits).unwrap_or(MOST_SHIFT)
}

/// A number by `shift` binary digits shorter, to the nearest; the largest of all to the one below, which fits.
fn rounded(number: i16, shift: u32) -> i16 {
    let half = if shift == 0 { 0 } else { 1 << (shift - 1) };
    let nearest = (i32::from(number) + half) >> shift;
    if shift == MOST_SHIFT { nearest.min(i8::MAX.into()) as i16 } else { nearest as i16 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn coarse_rows_are_near_and_lose_nothing_more() {
        let mut rng = Rng::new(3);
        let rows: Vec<i16> = (0..960_u32).map(|index| (rng.bits() as i16) >> (index / 48 % 14)).collect();
        let mut coarse = rows.clone();
        coarsen(&mut coarse, 48);
        for (row, coarse) in rows.chunks(48).zip(coarse.chunks(48)) {
            let most = row.iter().map(|number| i32::from(*number).abs()).max().unwrap();
            let near =
                |(one, other): (&i16, &i16)| (i32::from(*one) - i32::from(*other)).abs() <= most / 127 + 1;
            assert!(row.iter().zip(coarse).all(near), "{row:?} {coarse:?}");
        }
        assert_eq!(unpacked(&packed(&coarse, 48).unwrap(), 48).unwrap(), coarse);
        assert!(packed(&rows, 48).is_none());
        let mut again = coarse.clone();
        coarsen(&mut again, 48);
        assert_eq!(again, coarse);
    }

    #[test]
    fn what_is_no_row_is_refused() {
        assert!(unpacked(&[0, 1, 2, 3], 3).is_ok());
        assert!(unpacked(&[9, 1, 2, 3], 3).is_err() && unpacked(&[0, 1, 2], 3).is_err());
    }
}
