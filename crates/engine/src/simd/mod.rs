//! The inner loops of all networks: by AVX-512 VNNI or AVX2 where the machine has it, and by portable loops ([`plain`])
//! that compute the same, bit for bit: integers wrap and saturate in the same places.
//!
//! The only unsafe code of the engine is the call of what an instruction set must be there for. Other machines than those
//! of x86-64 run the portable loops.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod plain;
#[cfg(target_arch = "x86_64")]
mod vnni;

/// Outputs whose sums are worked out together.
pub(crate) const LANES: usize = 16;
/// The weights of [`LANES`] outputs for two inputs, of a byte each.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct BytePairs(pub(crate) [[i8; 2]; LANES]);

/// The sums of [`LANES`] outputs.
pub(crate) type LaneSums = [i32; LANES];

/// Values that an action's row of the sparse network has: [`READ`] go with the context through a `ReLU`, the others are
/// multiplied with it.
pub(crate) const CONTEXT: usize = 48;
/// Values of the context that go through the `ReLU`.
pub(crate) const READ: usize = 32;
/// Binary digits after the point: of activations and of the rows that are summed.
pub(crate) const POINT: u32 = 10;
/// Of the weights that activations are multiplied with.
pub(crate) const WEIGHT_POINT: u32 = 12;
/// Of sums of their products.
pub(crate) const PRODUCT_POINT: u32 = POINT + WEIGHT_POINT;
/// Of scores and values.
pub(crate) const SCORE_POINT: u32 = 16;
/// What a product of an activation and a weight is shifted by to be part of a score.
const READ_SHIFT: u32 = PRODUCT_POINT - SCORE_POINT;
/// What a product of two activations is shifted by to be part of a score.
const PRODUCT_SHIFT: u32 = 2 * POINT - SCORE_POINT;

/// The row of an action's feature in the sparse network.
pub(crate) type ActionRow = [i16; CONTEXT];

/// Which loops are used. Those of an instruction set can only be had where the machine has it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Kernel(Kind);

#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2, and for integers the products and sums of AVX-512 VNNI.
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

/// Runs a loop of this name.
macro_rules! run {
    ($kernel:expr, $name:ident($($argument:expr),*)) => {
        match $kernel.0 {
            Kind::Portable => plain::$name($($argument),*),
            // SAFETY: `Kernel::all` alone makes these kernels, where it has seen that the machine has AVX2, all that the loops
            // ask for.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Kind::Avx2 => unsafe { avx2::$name($($argument),*) },
            // SAFETY: so too with AVX-512 F, BW and VNNI.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Kind::Vnni => unsafe { vnni::$name($($argument),*) },
        }
    };
}

impl Kernel {
    /// The loops that run on every machine.
    pub(crate) const PORTABLE: Kernel = Kernel(Kind::Portable);

    /// All loops that this machine can run, the fastest first.
    pub(crate) fn all() -> impl Iterator<Item = Kernel> {
        #[cfg(target_arch = "x86_64")]
        let fast = {
            let avx2 = std::arch::is_x86_feature_detected!("avx2");
            let wide = std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw")
                && std::arch::is_x86_feature_detected!("avx512vnni");
            [(avx2 && wide).then_some(Kernel(Kind::Vnni)), avx2.then_some(Kernel(Kind::Avx2))]
        };
        #[cfg(not(target_arch = "x86_64"))]
        let fast: [Option<Kernel>; 0] = [];
        fast.into_iter().flatten().chain([Kernel::PORTABLE])
    }

    /// The fastest loops that this machine can run.
    pub(crate) fn best() -> Kernel {
        Kernel::all().next().unwrap_or(Kernel::PORTABLE)
    }

    /// Fills `sums` with the products of weights and input: the weights of the first [`LANES`] outputs by pair of inputs,
    /// then those of the next; there are as many sums as that makes.
    pub(crate) fn dense(self, weights: &[BytePairs], input: &[[i16; 2]], sums: &mut Vec<LaneSums>) {
        sums.clear();
        run!(self, dense(weights, input, sums));
    }

    /// Adds a row to sums.
    pub(crate) fn add_row(self, sums: &mut [i32], row: &[i16]) {
        run!(self, add_row(sums, row));
    }

    /// Takes a row from sums.
    pub(crate) fn subtract_row(self, sums: &mut [i32], row: &[i16]) {
        run!(self, subtract_row(sums, row));
    }

    /// Adds to sums the products of pairs of inputs and their weights: those of the first pair for each sum, then those of
    /// the second. It passes over pairs of zeros.
    pub(crate) fn add_pairs<const N: usize>(
        self,
        sums: &mut [i32; N],
        input: &[[i16; 2]],
        weights: &[[[i16; 2]; N]],
    ) {
        run!(self, add_pairs(sums, input, weights));
    }

    /// The score of an action whose features have these rows.
    pub(crate) fn score<'a>(
        self,
        rows: impl Iterator<Item = &'a ActionRow>,
        context: &[i16; CONTEXT],
        readout: &[i16; READ],
    ) -> i32 {
        run!(self, score(rows, context, readout))
    }
}
