//! Outflank is a Stratego engine: it plays by any of seven published rule systems, keeps a probability for the rank of
//! each hidden enemy piece, and searches. The program `outflank` speaks a line protocol (`protocol.md`); this library
//! is the same engine for programs in Rust.
//!
//! A player is an [`engine::Engine`]. It is given [`event::Event`]s, which say only what its side may see, and is asked
//! for actions. It cannot look at hidden ranks: only a `Referee` (crate `outflank-referee`) holds both armies, and it gives none away.
//!
//! # A game between two engines
//!
//! The referee deals out events. Each engine gets its own.
//!
//! ```
//! use outflank::engine::{Control, Engine, Settings, Stopwatch, choose_setup};
//! use outflank::rng::Rng;
//! use outflank::rules::{BySide, Ruleset};
//! use outflank::search::Budget;
//! use outflank_referee::Referee;
//! use std::sync::atomic::AtomicBool;
//!
//! let rules = Ruleset::default();
//! let [red, blue] = [1, 2].map(|stream| choose_setup(&rules, None, &mut Rng::stream(7, stream)));
//! let mut referee = Referee::new(rules, &red, &blue)?;
//! let mut players = BySide::from_fn(|side| Engine::new(side, rules, Settings::default()));
//! for events in referee.opening() {
//!     for (side, event) in events.iter() {
//!         players[side].observe(event)?;
//!     }
//! }
//!
//! let budget = Budget { nodes: Some(100), ..Budget::default() };
//! let stop = AtomicBool::new(false);
//! while referee.ending().is_none() && referee.ply() < 10 {
//!     let clock = Stopwatch::start();
//!     let control = Control::new(&clock, &stop);
//!     let choice = players[referee.to_move()].think(&budget.into(), control, &mut |_| ());
//!     let action = choice.action.expect("there is one while the game lasts");
//!     for (side, event) in referee.play(action)?.iter() {
//!         players[side].observe(event)?;
//!     }
//! }
//! assert_eq!(referee.ply(), 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a hidden piece may be
//!
//! Events can also come from elsewhere: here from the texts of moves, as a host with its own board has them.
//!
//! ```
//! use outflank::engine::{Engine, Settings};
//! use outflank::event::Event;
//! use outflank::rules::{Rank, Ruleset, Setup, Side};
//!
//! let mut engine = Engine::new(Side::Red, Ruleset::default(), Settings::default());
//! let ours: Setup = "B3FB3262452B3B6B5S7325B48269474M62225873".parse()?;
//! engine.observe(&Event::Deployed(Side::Red, ours))?;
//! engine.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN))?;
//! for ply in ["a4a5", "a7a6"] {
//!     engine.observe(&Event::Played(ply.parse()?))?;
//! }
//!
//! let piece = engine.view().position().piece_at("a6".parse()?).expect("it has just moved there");
//! let belief = engine.belief();
//! let probabilities = belief.probabilities(piece).expect("it is an enemy piece");
//! assert_eq!(probabilities[Rank::Bomb], 0.0);
//! assert!((probabilities.values().sum::<f32>() - 1.0).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A position analysed
//!
//! A position text (SPN, see `protocol.md`) holds what one player knows. The sink gets a report after each depth.
//!
//! ```
//! use outflank::engine::{Control, Engine, Stopwatch};
//! use outflank::rules::{Ruleset, Side, Spn};
//! use outflank::search::Budget;
//! use outflank::view::View;
//! use std::sync::atomic::AtomicBool;
//!
//! let text = "?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r r 22,6? 12 200";
//! let spn = Spn::parse(text, Ruleset::default())?;
//! let mut engine = Engine::from(View::from_spn(&spn, Side::Red));
//!
//! let budget = Budget { depth: Some(3), ..Budget::default() };
//! let (clock, stop) = (Stopwatch::start(), AtomicBool::new(false));
//! let mut depths = Vec::new();
//! let choice = engine.think(&budget.into(), Control::new(&clock, &stop), &mut |info| depths.push(info.depth));
//! let score = choice.score.expect("a search has looked at it");
//! let action = choice.action.expect("there is one while the game lasts");
//! let is_strike = engine.view().position().is_strike(action);
//! println!("{} wins {} times in 1000", action.text(is_strike), score.win);
//! assert_eq!(depths, [1, 2, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The parts, lowest first
//!
//! Each uses only those above it. The first two rows are the crate `outflank-rules`, which needs nothing else and serves any
//! program about Stratego; the next five are the crate `outflank-engine`.
//!
//! | part | what it is |
//! |---|---|
//! | [`rules`] | the game: squares, ranks, rule systems, positions and their texts |
//! | [`event`], [`view`] | what a player sees happen, and what it knows by that |
//! | [`belief`] | rank probabilities of hidden pieces |
//! | [`policy`] | learned play |
//! | [`deployment`] | choosing a setup |
//! | [`sparse`] | a network that evaluates a position and its actions in microseconds |
//! | [`search`] | choosing an action |
//! | [`engine`] | a player put together |
//! | [`protocol`], [`arena_bot`] | the engine behind a line protocol |
//!
//! [`rng`] is the only source of randomness.

pub mod arena_bot;
pub mod protocol;

#[doc(inline)]
pub use outflank_engine::{belief, deployment, engine, policy, search, sparse};
#[doc(inline)]
pub use outflank_rules::{event, rng, rules, view};
// Of use to the tools only.
#[doc(hidden)]
pub use outflank_engine::{eval, net, params};
#[doc(hidden)]
pub use outflank_rules::{fnv, math, named_enum, number};
