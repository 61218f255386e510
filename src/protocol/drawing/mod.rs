//! Boards as text.

pub(crate) mod diagram;
pub(crate) mod heat_map;
pub(crate) mod picture;
