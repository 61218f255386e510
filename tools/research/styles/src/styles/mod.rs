//! The styles.

pub mod baiter;
pub mod chaser;
pub mod coward;
pub mod eccentric;
pub mod ordinary;
pub mod raider;
pub mod rusher;
pub mod turtle;
