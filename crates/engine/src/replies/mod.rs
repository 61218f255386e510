//! How likely the enemy answers with each of its actions, as far as our side can tell and by nothing but what the enemy
//! knows: a small softmax over its actions.
//!
//! The tree's enemy would otherwise choose by our true ranks, which it does not know. [`features`] says what an action
//! is about; [`Replies`] adds up the same features from tables made once a search. Which weight each has was fitted by
//! `outflank-analyse replies`: docs/log/search.md, "An enemy that knows what it can know".

mod features;
mod scene;
mod tables;
mod weights;

pub use features::{Feature, features};
pub use tables::Replies;
pub use weights::Weights;
