//! The rules of Stratego as a library: seven published rule systems, and what each player may see.
//!
//! It is the lowest part of the engine [Outflank](https://docs.rs/outflank), and of use to any program about Stratego:
//! a server, a page, a bot of another kind. Who hosts games takes `outflank-referee` beside it.
//!
//! - [`rules`]: squares, ranks, rule systems, positions, legal actions, strikes, repetition, and their texts.
//! - [`event`] and [`view`]: what one player sees happen, and what it knows by that. A view is made of one player's
//!   events, never of the truth.
//! - [`rng`]: chance, the same on every machine.
//!
//! Parts that only the engine and its tools need are public and left out of these pages.
//!
//! ```
//! use outflank_rules::rules::{Position, Ruleset, Setup, Side};
//!
//! let mut position = Position::new(Ruleset::default());
//! for (side, setup) in [
//!     (Side::Red, "B3FB3262452B3B6B5S7325B48269474M62225873"),
//!     (Side::Blue, "3BFB22S5B32B63B475B46342826597M542862723"),
//! ] {
//!     position.deploy(side, &setup.parse::<Setup>()?);
//! }
//! assert!(position.actions().iter().any(|action| action.text(false) == "a4a5"));
//! position.play("a4a5".parse()?)?;
//! assert_eq!(position.to_move(), Side::Blue);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod event;
pub mod rng;
pub mod rules;
pub mod view;
// Of use to the engine and its tools only.
#[doc(hidden)]
pub mod fnv;
#[doc(hidden)]
pub mod math;
#[doc(hidden)]
pub mod named_enum;
#[doc(hidden)]
pub mod number;
