//! Pages of recorded games (`outflank-pages`) and of a file of them: [`index`] lists its games, with filters and what a game
//! says of who was ahead. [`live`] is the page of a match that runs. [`command`] is `outflank-arena html`.

mod chart;
pub mod command;
mod filter;
pub mod index;
mod lead;
pub mod live;
