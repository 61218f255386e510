//! Games and positions from one text to another.
//!
//! [`archive`] reads and writes the XML of Gravon's archive, [`board`] its boards of a hundred letters; position texts
//! are the engine's own and records those of [`outflank_record`]. [`game`] is what the texts of games have in common,
//! replayed through the referee; [`source`] finds out what a text holds and [`convert`] puts it into another.

pub mod archive;
pub mod board;
pub mod convert;
pub mod encoding;
pub mod format;
pub mod game;
pub mod source;
