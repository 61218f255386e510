//! Small nets with integer weights: their files, and the layers they are made of.
//!
//! All arithmetic is in integers, so a net says the same on every machine. What a net is about is its user's affair.

mod dense;
mod file;
mod stack;
#[cfg(test)]
mod tests;

pub use dense::Dense;
pub use file::{Error, File, VERSION, Writer};
pub use stack::Stack;
