//! What decided recorded games: material lost and how, the fate of the top pieces, leads and what became of them.
//!
//! [`game`] replays a record and keeps its [`strike`]s and what became of each piece; [`army`] is one side's share of
//! it, [`report`] adds armies up player by player, for people or as JSON. [`points`] is what pieces are worth here.

pub mod army;
pub mod game;
pub mod points;
pub mod report;
mod sections;
pub mod strike;
mod tables;
