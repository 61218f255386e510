//! The inverse of a matrix, for least squares.

/// A pivot below this is none: a row follows from others.
const LEAST_PIVOT: f64 = 1e-12;

/// The inverse of a square matrix, row by row; `None` if it has none. Gauss and Jordan, with the largest pivot.
pub fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (row, values) in matrix.iter_mut().enumerate() {
        values.extend((0..size).map(|column| if column == row { 1.0 } else { 0.0 }));
    }
    for column in 0..size {
        let best =
            (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, best);
        let pivot = matrix[column][column];
        if pivot.abs() <= LEAST_PIVOT {
            return None;
        }
        let scaled: Vec<f64> = matrix[column].iter().map(|value| value / pivot).collect();
        for (row, values) in matrix.iter_mut().enumerate() {
            // Rows of features that seldom meet are mostly zeros.
            if row == column || values[column] == 0.0 {
                continue;
            }
            let factor = values[column];
            for (value, scaled) in values.iter_mut().zip(&scaled) {
                *value -= factor * scaled;
            }
        }
        matrix[column] = scaled;
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_unit() {
        // The largest pivots stand below the diagonal, so that rows have to be swapped.
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, -1.0, 0.5], vec![4.0, 3.0, -2.0]];
        let inverse = inverted(matrix.clone()).unwrap();
        for (row, values) in matrix.iter().enumerate() {
            for column in 0..3 {
                let product: f64 =
                    values.iter().zip(&inverse).map(|(value, other)| value * other[column]).sum();
                assert!(
                    (product - f64::from(u8::from(row == column))).abs() < 1e-12,
                    "{row} {column} {product}"
                );
            }
        }
    }

    #[test]
    fn rows_that_follow_from_others_have_no_inverse() {
        assert_eq!(inverted(vec![vec![1.0, 2.0], vec![2.0, 4.0]]), None);
        assert_eq!(inverted(Vec::new()), Some(Vec::new()));
    }
}
