//! The inner loops by tile instructions, which stable Rust has as assembly alone.

use super::convolution::{Convolution, Finish};
use super::features::{COMPUTED, DEPTH, FIRST, Features, GUARD, SIDE, TILE};
use std::arch::asm;
use std::arch::x86_64::{__cpuid_count, __get_cpuid_max};

/// `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`: Linux gives tiles only to who asks for them.
const ARCH_PRCTL: i64 = 158;
const REQUEST: u64 = 0x1023;
const TILE_DATA: u64 = 18;
/// Bits of `cpuid` leaf 7: half-precision tiles, tiles.
const TILES: u32 = 1 << 22 | 1 << 24;

pub(super) fn are_there() -> bool {
    // Those that `run` is compiled for.
    let wide = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma");
    if !wide || !processor_has_tiles() {
        return false;
    }
    let answer: i64;
    // SAFETY: the call only asks for a permission; it changes no memory of this program.
    unsafe {
        asm!("syscall", inlateout("rax") ARCH_PRCTL => answer, in("rdi") REQUEST, in("rsi") TILE_DATA,
             out("rcx") _, out("r11") _, options(nostack));
    }
    answer == 0
}

#[allow(
    unused_unsafe,
    reason = "later compilers than the oldest that is promised hold these calls to be safe"
)]
fn processor_has_tiles() -> bool {
    // SAFETY: every processor that runs 64-bit x86 programs has `cpuid`.
    unsafe { __get_cpuid_max(0).0 >= 7 && __cpuid_count(7, 0).edx & TILES == TILES }
}

/// Assembly that says that it changes the tiles. Their contents last from one piece to the next, as compilers use tiles
/// for nothing of their own.
macro_rules! tiles {
    ($($part:tt)*) => {
        asm!($($part)*,
             out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
             out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _)
    };
}

/// Eight tiles of sixteen rows of 64 bytes.
#[repr(C, align(64))]
struct Configuration([u8; 64]);

const fn configuration() -> Configuration {
    let mut bytes = [0; 64];
    bytes[0] = 1;
    let mut tile = 0;
    while tile < 8 {
        bytes[16 + 2 * tile] = 64;
        bytes[48 + tile] = TILE as u8;
        tile += 1;
    }
    Configuration(bytes)
}

static CONFIGURATION: Configuration = configuration();

/// Two tiles of rows by two tiles of outputs.
#[repr(C, align(64))]
struct Sums([[[f32; TILE]; TILE]; 4]);

/// Runs a layer with tiles.
///
/// # Safety
/// [`are_there`] has said yes, and the features have the channels of the layer.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,fma")]
pub(super) unsafe fn run(layer: &Convolution, input: &Features, output: &mut Features, finish: &Finish<'_>) {
    let mut sums = Sums([[[0.0; TILE]; TILE]; 4]);
    // SAFETY: a configuration of 64 bytes; no other code of this program uses tiles in between.
    unsafe { tiles!("ldtilecfg [{}]", in(reg) CONFIGURATION.0.as_ptr(), options(nostack, readonly)) };
    for first in (0..layer.outputs).step_by(2 * TILE) {
        for block in (0..COMPUTED).step_by(2 * TILE) {
            let row = GUARD + FIRST + block;
            // SAFETY: as of this function; the rows stay within the guards.
            unsafe { multiply(layer, input, row, first, &mut sums) };
            for (part, sums) in sums.0.iter().enumerate() {
                let first = first + part % 2 * TILE;
                for (line, sums) in sums.iter().enumerate() {
                    let row = row + part / 2 * TILE + line;
                    let place = row - GUARD;
                    if (1..=10).contains(&(place % SIDE)) && place / SIDE <= 10 {
                        finish.write(sums, first, output, row);
                    }
                }
            }
        }
    }
    // SAFETY: gives the tiles back.
    unsafe { tiles!("tilerelease", options(nomem, nostack)) };
}

/// The sums of 32 rows from `row` on, for 32 outputs from `first` on.
///
/// # Safety
/// As of [`run`]; tiles are configured, and all rows that the taps reach are within the features.
#[inline(always)]
#[allow(clippy::inline_always)] // between its callers' tile instructions
unsafe fn multiply(layer: &Convolution, input: &Features, row: usize, first: usize, sums: &mut Sums) {
    let stride = input.channels * 2;
    // SAFETY: tile registers are used by nothing else; the loads read what the caller vouches for.
    unsafe {
        tiles!("tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3", options(nomem, nostack));
        for (tap, &shift) in layer.shifts.iter().enumerate() {
            for deep in 0..layer.inputs / DEPTH {
                let start = row.wrapping_add_signed(shift) * input.channels + deep * DEPTH;
                let values = input.values.get().as_ptr().add(start);
                let below = values.add(TILE * input.channels);
                let weights = layer.tile(tap, deep, first / TILE).as_ptr();
                tiles!(
                    "tileloadd tmm4, [{values} + {stride}*1]",
                    "tileloadd tmm5, [{below} + {stride}*1]",
                    "tileloadd tmm6, [{weights} + {line}*1]",
                    "tileloadd tmm7, [{weights} + {line}*1 + 1024]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "tdpbf16ps tmm2, tmm5, tmm6",
                    "tdpbf16ps tmm3, tmm5, tmm7",
                    values = in(reg) values, below = in(reg) below, weights = in(reg) weights,
                    stride = in(reg) stride, line = in(reg) 64_usize, options(nostack, readonly)
                );
            }
        }
        tiles!(
            "tilestored [{sums} + {line}*1], tmm0",
            "tilestored [{sums} + {line}*1 + 1024], tmm1",
            "tilestored [{sums} + {line}*1 + 2048], tmm2",
            "tilestored [{sums} + {line}*1 + 3072], tmm3",
            sums = in(reg) sums.0.as_mut_ptr(), line = in(reg) 64_usize, options(nostack)
        );
    }
}
