//! The arena: matches between engines that are processes of their own.
//!
//! [`engine`] starts such a process, talks to it in lines and never waits for it longer than it says. [`player`] is what
//! a match asks of whoever plays, [`sei`] answers for engines that speak SEI 1,
//! [`evaluator`] for bots of the public arena, and [`policy`] is a network that plays in this process. [`contender`] is who plays, [`game`] one
//! game, [`adjudicate`] ends it early. [`plan`] says what games a match has, [`contest`] plays them, [`standings`] are
//! what they come to and [`statistics`] what that means; [`coverage`] tells which games are missing; [`replay`] and [`summary`] look at the games themselves. [`check`]
//! walks an engine through SEI 1.

pub mod adjudicate;
pub mod check;
pub mod contender;
pub mod contest;
pub mod coverage;
pub mod engine;
pub mod evaluator;
pub mod game;
pub mod plan;
pub mod player;
pub mod policy;
pub mod replay;
pub mod sei;
pub mod standings;
pub mod statistics;
pub mod summary;
