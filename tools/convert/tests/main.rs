//! All tests of the converter in one program.

mod common;
mod program;
mod refusals;
mod round_trips;
mod xml;
