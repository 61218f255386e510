//! Learned play at the root: what the networks that the engine is built with say of its actions, and words for it.
//!
//! They are [sparse networks](crate::sparse), and know facts and counts alone.

mod embedded;
// Of use to analysis only.
#[doc(hidden)]
pub mod linear;
pub mod reasons;

pub use embedded::evaluate;
