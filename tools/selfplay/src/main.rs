//! Self-play.
fn main() {}
