//! What has to hold for any bytes: each `hold` panics where it does not.
//!
//! The fuzz targets call them with bytes that a fuzzer makes up, the test `corpus` with those that are kept.

pub mod archive;
pub mod game;
pub mod line;
pub mod position;
pub mod record;
