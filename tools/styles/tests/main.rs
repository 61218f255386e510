//! Tests of the styles: whole games, themes, setups, and the protocol.

mod common;
mod games;
mod protocol;
mod setups;
mod themes;
