//! Stands for the kernel on machines that cannot have tiles.

use super::convolution::{Convolution, Finish};
use super::features::Features;

pub(super) fn are_there() -> bool {
    false
}

pub(super) unsafe fn run(layer: &Convolution, input: &Features, output: &mut Features, finish: &Finish<'_>) {
    layer.run_plainly(input, output, finish);
}
