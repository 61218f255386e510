//! What `d`, `d <rank>` and `why <square>` show, as lines for programs in Rust that talk to people themselves; and what
//! people may have meant.
//!
//! Everything comes from one player, who knows no hidden rank.

use crate::protocol::analysis::explain_piece;
use crate::protocol::drawing::picture::Style;
use crate::protocol::drawing::{diagram, heat_map};
use crate::protocol::game::board::Board;
use crate::protocol::grammar::suggestion;
use outflank_engine::engine::Engine;
use outflank_rules::rules::{Rank, Square};

/// The board as the player sees it, its own side below; the texts say whose turn it is and who plays.
///
/// ```
/// use outflank::engine::{Engine, Settings};
/// use outflank::event::Event;
/// use outflank::protocol::{Style, for_people};
/// use outflank::rules::{Ruleset, Side};
///
/// let mut player = Engine::new(Side::Red, Ruleset::default(), Settings::default());
/// player.observe(&Event::Deployed(Side::Red, "B3FB3262452B3B6B5S7325B48269474M62225873".parse()?))?;
/// let lines = for_people::board(&player, "your move", "you play red", Style::default());
/// assert_eq!(lines[11], " 1 |  B   3   F   B   3   2   6   2   4   5  | 1  [?] theirs     <?> has moved");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn board(player: &Engine, turn: &str, who: &str, style: Style) -> Vec<String> {
    diagram::lines(&of(player), turn, who, style)
}

/// The one of these words, in small letters, that a mistyped one may have meant; `None` if it is like none.
pub fn nearest<'a>(mistyped: &str, words: &[&'a str]) -> Option<&'a str> {
    suggestion::nearest(mistyped, words)
}

/// A map of where the enemy's pieces of this rank may be, in percent.
pub fn heat_map(player: &Engine, rank: Rank, style: Style) -> Vec<String> {
    heat_map::lines(&of(player), rank, false, style)
}

/// What is known and believed of the piece on a square, step by step; `None` where nothing stands. A piece of the
/// player's own as the enemy may see it.
pub fn explain_piece(player: &Engine, square: Square) -> Option<Vec<String>> {
    explain_piece::summary(&of(player), square)
}

fn of(player: &Engine) -> Board {
    Board::Player(Box::new(player.clone()))
}
