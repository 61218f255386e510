//! The game itself: board, ranks, rule systems, strikes, actions, repetition, positions and their texts.
//!
//! Nothing here knows of players' knowledge beyond sets of ranks; masking is [`crate::event`]'s.

mod action;
mod adjudication;
mod army;
mod arrays;
mod battle;
mod ending;
mod exchange;
mod history;
mod moves;
mod piece;
mod piece_set;
mod play;
mod position;
mod rank;
mod repetition;
mod rescue;
mod ruleset;
mod side;
mod spn;
mod square;
mod square_set;

pub use action::{Action, NoAction, Played, Rescue, Verdict};
pub use army::{Army, Cell, Setup, SetupError};
pub use arrays::{ByNumber, ByPiece, ByRank, BySide, BySquare};
pub use battle::{Outcome, StrikeRules, battle, certain, defenders};
pub use ending::{Ending, Reason};
pub use piece::{Piece, PieceId, PieceNumber};
pub use piece_set::PieceSet;
pub use play::PlayError;
pub use position::Position;
pub use rank::{Rank, RankKind, RankSet};
pub use repetition::Repetition;
pub use rescue::{NoRescue, WayOfRescue};
pub use ruleset::{Preset, RuleKey, RulesError, Ruleset, Stuck};
pub use side::Side;
pub use spn::{PieceFault, RowError, Spn, SpnError, Viewer, board_letter, from_board_letter};
pub use square::{Direction, NoSquare, SQUARES, Square};
pub use square_set::{SquareSet, Squares};
