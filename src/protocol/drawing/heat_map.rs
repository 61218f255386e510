//! A map of where a rank may be: `d 9`, and for the enemy among ours: `d 9 ours`.

use crate::protocol::drawing::picture::{Style, bottom, picture};
use crate::protocol::game::board::Board;
use crate::protocol::grammar::reply::Reply;
use outflank_engine::belief::Belief;
use outflank_rules::rules::{PieceId, Rank, Side, Square};
use outflank_rules::view::View;

/// How many squares are named beside the map.
const NAMED: usize = 6;

/// Where an enemy piece of `rank` may stand, in percent, as the player of the board's view believes; or where one of
/// `ours` may, as the enemy may believe.
pub(crate) fn draw(board: &Board, rank: Rank, ours: bool, style: Style, replies: &mut Vec<Reply>) {
    let lines = lines(board, rank, ours, style);
    replies.extend(lines.into_iter().map(Reply::Drawn));
    replies.push(Reply::Spn(Box::new(board.spn())));
}

/// The lines of a heat map, without the position's text.
pub(crate) fn lines(board: &Board, rank: Rank, ours: bool, style: Style) -> Vec<String> {
    let view = board.view();
    let belief = if ours { Belief::of_ours(view) } else { Belief::of_enemies(board.known()) };
    let side = if ours { view.viewer() } else { view.viewer().enemy() };
    let chance = |id: PieceId| belief.probabilities(id).map_or(0.0, |probabilities| probabilities[rank]);
    let cell = |square: Square| match view.position().piece_at(square) {
        None => style.paint(" . ", "2"),
        Some(id) if id.side() == side => shade(chance(id), style),
        Some(_) => style.paint(" o ", "2"),
    };
    picture(&cell, bottom(board), &panel(view, side, rank, &chance))
}

/// Percent in three characters; what is possible never prints as nothing.
fn percent(chance: f32) -> String {
    let whole = (chance * 100.0).round() as u32;
    match whole {
        0 if chance > 0.0 => " <1".to_owned(),
        0 => "  -".to_owned(),
        _ => format!("{whole:3}"),
    }
}

/// From dim to glowing: the six reds of the 256-colour cube as backgrounds.
fn shade(chance: f32, style: Style) -> String {
    const REDS: [&str; 6] = ["2", "48;5;52", "48;5;88", "48;5;124", "48;5;160", "1;48;5;196"];
    let step = [0.0, 0.02, 0.05, 0.1, 0.2, 0.4].iter().rposition(|&from| chance >= from).unwrap_or(0);
    style.paint(&percent(chance), REDS[step])
}

fn panel(view: &View, side: Side, rank: Rank, chance: &dyn Fn(PieceId) -> f32) -> Vec<String> {
    let mut living: Vec<(Square, f32)> = Vec::new();
    let mut dead = 0.0;
    for (id, piece) in view.position().pieces(side) {
        match piece.square {
            Some(square) => living.push((square, chance(id))),
            None => dead += chance(id),
        }
    }
    living.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let all: f32 = living.iter().map(|(_, chance)| chance).sum();
    let for_whom =
        if side == view.viewer() { format!(", for all {} knows", side.enemy()) } else { String::new() };
    let mut lines = vec![
        format!("Where {side}'s {} may be, in percent{for_whom}", counted(view, rank)),
        format!("alive {}, dead {}", tenths(all), tenths(dead)),
        String::new(),
    ];
    let likely = living.iter().take(NAMED).filter(|(_, chance)| *chance > 0.0);
    lines.extend(likely.map(|(square, chance)| format!("{square:<3} {}", percent(*chance).trim())));
    lines
}

/// The rank with the army's number of it: `general`, `3 majors`.
fn counted(view: &View, rank: Rank) -> String {
    match (view.position().rules().army().count(rank), rank.name()) {
        (0 | 1, name) => name.to_owned(),
        (count, name) => format!("{count} {name}s"),
    }
}

/// A number of pieces with one decimal.
fn tenths(pieces: f32) -> String {
    let tenths = (pieces * 10.0).round() as u32;
    format!("{}.{}", tenths / 10, tenths % 10)
}
