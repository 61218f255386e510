//! What recorded games show, once both armies are known.
//!
//! [`belief`] measures what players may believe of each other's armies against the truth, [`report`] adds up what
//! decided games, and [`agree`] compares players' decisions to strike with the engine's. [`changed`] asks two engines in
//! the same positions. [`reasons`] fits the words for what the policy likes by a [`softmax`]. Each is a subcommand with a
//! `command` of its own.
//!
//! They share how games are read ([`reading`], [`options`]), what a [`strike`] is, the bins of [`calibration`], intervals
//! by [`sample`], and how [`figures`] are written.

pub mod agree;
pub mod belief;
pub mod calibration;
pub mod changed;
pub mod figures;
pub mod options;
pub mod reading;
pub mod reasons;
pub mod report;
pub mod sample;
pub mod softmax;
pub mod strike;
