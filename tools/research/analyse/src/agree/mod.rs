//! How far the engine agrees with recorded players on when to strike.
//!
//! [`decisions`] finds the turns in which a player could strike or not and asks the engine what it expects of either;
//! [`agreement`] tells how well these scores foretell what the players did.

pub mod agreement;
pub mod command;
pub mod decisions;
