//! Tunes the engine's numbers by matches: simultaneous perturbation stochastic approximation (SPSA).
//!
//! All chosen numbers are changed at once, each a step up or down by the toss of a coin. The engine with these plays a
//! few games against the engine with all steps reversed, and every number moves a little towards the side that won.
//! One match of a few games says next to nothing; thousands of them say which way is up.
//!
//! Source: J. C. Spall, *Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation* (1992); the schedule by final step and final rate is the one that chess engines use.

pub mod games;
pub mod log;
pub mod parameter;
pub mod plot;
pub mod schedule;
pub mod table;
