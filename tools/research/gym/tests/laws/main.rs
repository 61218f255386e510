//! The laws of the environment: what a player is shown, which actions it is offered, and how games go on and end.

mod actions;
mod details;
mod games;
mod no_peek;
mod orientation;
mod support;
mod surroundings;
