//! The arena: matches between engines that are processes of their own, or play inside this one.
//!
//! - [`engine`] starts a process, talks to it in lines, and never waits longer than it is asked to.
//! - [`player`] is what a match asks of whoever plays. [`sei`] implements it for engines that speak SEI 1,
//!   [`strategoevaluator`] for bots of that public arena, [`inside`] for players inside this process; [`mirrored`]
//!   exchanges left and right for any of them.
//! - [`contender`] is who plays, [`start`] starts it, [`game`] plays one game, [`adjudicate`] ends it early.
//! - [`plan`] lists the games of a match, under [`rules`] that may be drawn; [`shard`] shares them out over machines,
//!   [`queue`] over threads; [`room`] says how many go at once, [`contest`] plays them, [`moment`] is where they are,
//!   [`coverage`] tells which are missing.
//! - [`standings`] adds up the results, [`statistics`] says what they mean; [`replay`] and [`summary`] look at the
//!   games themselves, and [`html`] lists pages of them.
//! - [`gauntlet`] adds up one engine's results against many opponents; [`panel`] compares two engines by theirs, with
//!   the luck of their strikes taken out by [`luck`].
//! - [`check`] walks an engine through SEI 1.

pub mod adjudicate;
pub mod check;
pub mod contender;
pub mod contest;
pub mod coverage;
pub mod engine;
pub mod game;
pub mod gauntlet;
pub mod html;
pub mod inside;
mod likelihood;
pub mod luck;
pub mod mirrored;
pub mod moment;
pub mod panel;
pub mod plan;
pub mod player;
pub mod queue;
pub mod replay;
pub mod room;
pub mod rules;
pub mod sei;
pub mod shard;
pub mod standings;
pub mod start;
pub mod statistics;
pub mod strategoevaluator;
pub mod summary;
