//! The arena's side of its conversation: what a host says to a player, and what it makes of the answers.

use super::grammar::{self, Message, Seen};
use outflank_rules::rules::{Action, Cell, Outcome, Played, Setup, Side, Square, Verdict};
use outflank_rules::view::View;

/// The line before Red's first board.
pub const START: &str = "START";
/// The line after the game.
pub const QUIT: &str = "QUIT";
/// What a player answers to give up.
pub const SURRENDER: &str = "SURRENDER";

/// The first line: which side the player is, and against whom. A setup of four lines is its answer.
pub fn opening(side: Side, opponent: &str) -> String {
    let side = match side {
        Side::Red => "RED",
        Side::Blue => "BLUE",
    };
    format!("{side} {opponent} 10 10")
}

/// The setup that four lines tell; `None` if they tell none.
pub fn setup(side: Side, lines: &[String]) -> Option<Setup> {
    let top = match side {
        Side::Red => 0,
        Side::Blue => 6,
    };
    let mut cells = [Cell::Empty; 40];
    for (y, line) in (top..).zip(lines) {
        let Message::Row(row) = grammar::parse(line) else { return None };
        for (x, shown) in (0..).zip(row) {
            let Seen::Ours(rank) = shown else { return None };
            cells[grammar::square(x, y)?.setup_place(side)?] = Cell::Known(rank);
        }
    }
    Some(Setup(cells))
}

/// The ten lines of the board that a player is shown before its action.
pub fn board(view: &View) -> Vec<String> {
    (0..10)
        .map(|y| (0..10).map(|x| grammar::square(x, y).map_or('+', |square| shown(view, square))).collect())
        .collect()
}

fn shown(view: &View, square: Square) -> char {
    let position = view.position();
    let Some(id) = position.piece_at(square) else { return '.' };
    let own = Some(id.side()).filter(|side| *side == view.viewer());
    own.and_then(|_| position.piece(id).ranks.single()).map_or('#', grammar::rank_letter)
}

/// The action that a player's line tells, whether it can be made or not; `None` if it tells none.
pub fn action(line: &str) -> Option<Action> {
    let steps = line.split_whitespace().nth(3);
    if steps.is_some_and(|steps| steps.parse::<i32>().is_err()) {
        return None;
    }
    match grammar::parse(&format!("{} OK", line.trim_end())) {
        Message::Played(played) => Some(played.action),
        Message::Side(_) | Message::Start | Message::Row(_) | Message::Quit | Message::Unknown => None,
    }
}

/// The line that tells both players of an action with its whole result; `text` is how its author wrote the action.
pub fn result_line(text: &str, verdict: Option<Verdict>) -> String {
    let text = text.trim_end();
    let ranks = |verdict: Verdict| Some((verdict.striker?, verdict.defender?));
    let result = verdict.and_then(|verdict| Some((verdict.outcome, ranks(verdict)?)));
    match result {
        None => format!("{text} OK"),
        Some((outcome, (striker, defender))) => {
            let word = match outcome {
                Outcome::Win => "KILLS",
                Outcome::Loss => "DIES",
                Outcome::Tie => "BOTHDIE",
            };
            format!("{text} {word} {} {}", grammar::rank_letter(striker), grammar::rank_letter(defender))
        }
    }
}

/// The line for an action of a player that writes otherwise.
pub fn played(played: &Played) -> String {
    result_line(&grammar::action_line(played.action), played.verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_rules::event::Event;
    use outflank_rules::rules::{Preset, Ruleset};

    #[test]
    fn what_a_player_says_is_understood() {
        for side in Side::BOTH {
            let army: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
            let lines: Vec<String> = grammar::setup_lines(side, &army).lines().map(str::to_owned).collect();
            assert_eq!(setup(side, &lines), Some(army));
            assert_eq!(grammar::parse(&opening(side, "x")), Message::Side(side));
        }
        let rows = ["B6FB9B9867", "89585s48BB", "6437994128", "799963B55."].map(str::to_owned);
        assert_eq!(setup(Side::Red, &rows), None);
        let text = |line: &str| action(line).map(|action| action.text(false));
        assert_eq!(text("0 3 DOWN").as_deref(), Some("j4j5"));
        assert_eq!(text("9 6 UP 3\r").as_deref(), Some("a7a4"));
        for line in ["", "SURRENDER", "0 3 DOWN 0", "0 3 DOWN x", "0 3", "START", "NO_MOVE"] {
            assert_eq!(action(line), None, "{line:?}");
        }
    }

    #[test]
    fn what_a_player_hears_reads_back() {
        for text in ["a4a5", "a7xa4=T22", "i6xj6=W83", "i4xj4=L2B", "f5xe5=WSM"] {
            let line = played(&text.parse().unwrap());
            let Message::Played(heard) = grammar::parse(&line) else { panic!("{line}") };
            assert_eq!(heard.to_string(), text);
        }
        assert_eq!(result_line("0 3 DOWN 1 \n", None), "0 3 DOWN 1 OK");
    }

    #[test]
    fn a_player_is_shown_its_own_ranks_alone() {
        let army: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
        let mut view = View::new(Side::Red, Ruleset::of(Preset::Evaluator));
        view.observe(&Event::Deployed(Side::Red, army)).unwrap();
        view.observe(&Event::Deployed(Side::Blue, army.hidden())).unwrap();
        let board = board(&view);
        assert_eq!(board[..4].join("\n") + "\n", grammar::setup_lines(Side::Red, &army));
        assert_eq!(board[4..6], ["..++..++..", "..++..++.."]);
        assert!(board[6..].iter().all(|row| row == "##########"));
    }
}
