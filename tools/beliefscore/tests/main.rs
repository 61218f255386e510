//! All tests of the measuring of the belief in one program.

mod gameover;
mod scores;
