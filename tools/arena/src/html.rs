//! Pages of recorded games (`outflank-pages`) and of a file of them: [`index`] lists its games, with filters and what a game
//! says of who was ahead. [`command`] is `outflank-arena html`.

pub mod command;
mod filter;
pub mod index;
mod lead;
