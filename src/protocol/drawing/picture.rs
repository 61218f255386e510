//! A board drawn for people: coordinates around it, texts beside it.

use crate::protocol::game::board::Board;
use outflank_rules::rules::{Rank, Side, Square};
use std::io::{IsTerminal, stdout};

/// How drawings look.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Style {
    /// Whether the terminal shows colours.
    pub colour: bool,
}

impl Style {
    /// The style of standard output: in colour at a terminal, unless the environment variable `NO_COLOR` is set.
    pub fn of_stdout() -> Style {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
        Style { colour: stdout().is_terminal() && !refused }
    }

    /// The text in a colour (the numbers of an SGR sequence), where there are colours.
    pub fn paint(self, text: &str, codes: &str) -> String {
        if self.colour && !codes.is_empty() { format!("\x1b[{codes}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Whose back row is drawn below: ours, or Red's in a study.
pub(crate) fn bottom(board: &Board) -> Side {
    match board {
        Board::Player(player) => player.view().viewer(),
        Board::Study(_) => Side::Red,
    }
}

/// The board with coordinates; `cell` gives three characters for each square, `panel` the texts beside the rows.
pub(crate) fn picture(cell: &dyn Fn(Square) -> String, bottom: Side, panel: &[String]) -> Vec<String> {
    let turn = |index: u8| if bottom == Side::Red { index } else { 9 - index };
    let files: Vec<String> = (0..10).map(|file| char::from(b'a' + turn(file)).to_string()).collect();
    let files = files.join("   ");
    let edge = format!("   +{}+", "-".repeat(41));
    let mut lines = vec![format!("      {files}"), edge.clone()];
    for line in 0..10u8 {
        let row = turn(9 - line);
        let cells: String = (0..10)
            .map(|file| Square::new(turn(file), row).map_or_else(|| "~~~".to_owned(), cell) + " ")
            .collect();
        let beside = panel.get(line as usize).map_or("", String::as_str);
        let text = format!("{:2} | {cells}| {:<2} {beside}", row + 1, row + 1);
        lines.push(text.trim_end().to_owned());
    }
    lines.push(edge);
    lines.push(format!("      {files}"));
    lines
}

/// The rank's name.
pub const fn rank_name(rank: Rank) -> &'static str {
    match rank {
        Rank::Flag => "flag",
        Rank::Spy => "spy",
        Rank::Scout => "scout",
        Rank::Miner => "miner",
        Rank::Sergeant => "sergeant",
        Rank::Lieutenant => "lieutenant",
        Rank::Captain => "captain",
        Rank::Major => "major",
        Rank::Colonel => "colonel",
        Rank::General => "general",
        Rank::Marshal => "marshal",
        Rank::Bomb => "bomb",
    }
}
