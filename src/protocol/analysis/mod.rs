//! What the engine thinks, laid out for people: beliefs, explanations, counts.

pub(crate) mod belief_score;
pub(crate) mod context;
pub(crate) mod explain_move;
pub(crate) mod explain_piece;
pub(crate) mod perft;
pub(crate) mod queries;
