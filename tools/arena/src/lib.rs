//! The arena: matches between engines that are processes of their own.
//!
//! [`engine`] starts such a process, talks to it in lines and never waits for it longer than it says.

pub mod engine;
pub mod statistics;
