//! `why <square>`: where the belief about one piece comes from, likelihood by likelihood.

use crate::protocol::analysis::explain_move::{known, likeliest};
use crate::protocol::game::board::Board;
use crate::protocol::grammar::error::AskError;
use crate::protocol::grammar::reply::Reply;
use outflank_engine::belief::{Belief, Likelihood, NamedExponent, RankProbabilities, Stage, Trust, Weighing};
use outflank_rules::rules::{ByRank, Piece, PieceId, Rank, RankSet, Square};

/// Chances that differ by less are the same to a reader.
const SAME: f32 = 0.000_5;
/// Width of the table's first column.
const LABEL: usize = 22;

/// Everything that makes the piece on `square` what it is believed to be, line by line; a piece of our own as the
/// enemy may see it.
pub(crate) fn explain(board: &Board, square: Square) -> Result<Vec<Reply>, AskError> {
    let (facts, unknown) = subject(board, square).ok_or(AskError::Empty(square))?;
    let mut lines: Vec<Reply> = facts.into_iter().map(Reply::Why).collect();
    if let Some(id) = unknown {
        lines.extend(grounds(&belief_about(board, id), id, square));
    }
    Ok(lines)
}

/// An explanation in short, for people: what is known of the piece, and the table of chances; `None` where nothing stands.
pub(crate) fn summary(board: &Board, square: Square) -> Option<Vec<String>> {
    let (mut lines, unknown) = subject(board, square)?;
    if let Some(id) = unknown {
        lines.extend(table(&belief_about(board, id).stages(id)));
    }
    Some(lines)
}

/// The certain facts about what stands on `square`, and which piece it is unless these tell its rank.
fn subject(board: &Board, square: Square) -> Option<(Vec<String>, Option<PieceId>)> {
    let (viewer, position) = (board.view().viewer(), board.view().position());
    let id = position.piece_at(square)?;
    let mut piece = *position.piece(id);
    let mut seen = String::new();
    if id.side() == viewer {
        piece.ranks = piece.learned;
        seen = format!(", as {} may see it", viewer.enemy());
    }
    let facts = vec![
        format!("piece {square} is {}'s{seen}; {}", id.side(), past(id, &piece)),
        format!("piece {square} {}", known(&piece, position.rules().army().ranks())),
    ];
    Some((facts, piece.ranks.single().is_none().then_some(id)))
}

/// The belief that holds this piece: about the enemy's pieces, or the enemy's about ours.
fn belief_about(board: &Board, id: PieceId) -> Belief {
    let view = board.view();
    if id.side() == view.viewer() { Belief::of_ours(view) } else { Belief::of_enemies(board.known()) }
}

/// Where the piece comes from.
fn past(id: PieceId, piece: &Piece) -> String {
    let from = match (id.came_back(), piece.start) {
        (true, _) => "it came back by a rescue".to_owned(),
        (false, Some(start)) => format!("it began on {start}"),
        (false, None) => "nobody told where it began".to_owned(),
    };
    match piece.first_move {
        Some(ply) => format!("{from} and first moved in ply {}", ply + 1),
        None => from,
    }
}

fn grounds(belief: &Belief, id: PieceId, square: Square) -> Vec<Reply> {
    let stages = belief.stages(id);
    let Some(Stage { probabilities: last, .. }) = stages.last() else { return Vec::new() };
    let possible = possible(last);
    let mut lines = Vec::new();
    for Weighing { likelihood, factors } in belief.explanation(id) {
        if differs(&factors, possible) {
            lines.push(Reply::Why(format!(
                "{} {square} {}",
                likelihood.name(),
                permille(&factors, possible)
            )));
        }
    }
    lines.extend(belief.trust().into_iter().flat_map(trust));
    lines.extend(table(&stages).into_iter().map(Reply::Drawn));
    lines.push(Reply::Why(format!("believed {square} {}", likeliest(last))));
    lines
}

/// How far each expert is trusted, in thousandths.
fn trust(trust: &Trust) -> Vec<Reply> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for NamedExponent { expert: name, kind, exponent } in trust.all() {
        let kind = kind.map_or_else(String::new, |kind| format!(" {}", kind.name()));
        let words = format!("{kind} {}", (1000.0 * exponent).round() as u64);
        match lines.last_mut().filter(|(last, _)| *last == name) {
            Some((_, line)) => line.push_str(&words),
            None => lines.push((name, words)),
        }
    }
    lines.into_iter().map(|(name, words)| Reply::Why(format!("trust {name}{words}"))).collect()
}

/// The ranks that are held possible.
fn possible(probabilities: &RankProbabilities) -> RankSet {
    let ranks = Rank::ALL.into_iter().filter(|rank| probabilities[*rank] > 0.0);
    ranks.fold(RankSet::EMPTY, |set, rank| set.or(RankSet::only(rank)))
}

/// Whether a likelihood favours some of the ranks over others.
fn differs(favours: &ByRank<f32>, ranks: RankSet) -> bool {
    let weights = || ranks.iter().map(|rank| favours[rank]);
    let (least, most) = (weights().fold(f32::INFINITY, f32::min), weights().fold(0.0, f32::max));
    most - least > SAME * most
}

/// By how much each rank is favoured, 1000 meaning not at all.
fn permille(favours: &ByRank<f32>, ranks: RankSet) -> String {
    let words = ranks.iter().map(|rank| format!("{rank} {}", (1000.0 * favours[rank]).round() as u64));
    words.collect::<Vec<_>>().join(" ")
}

/// The chances in percent, by counts first and then with each likelihood that changes them.
fn table(stages: &[Stage]) -> Vec<String> {
    let row = |cells: ByRank<String>| cells.map(|cell| format!("{cell:>6}")).as_array().concat();
    let head = row(ByRank::from_fn(|rank| rank.to_string()));
    let mut lines = vec![format!("{:LABEL$}{head}", "chances in percent")];
    let mut before: Option<&RankProbabilities> = None;
    for Stage { after, probabilities } in stages {
        let changed = |before: &RankProbabilities| {
            before.values().zip(probabilities.values()).any(|(a, b)| (a - b).abs() >= SAME)
        };
        if before.is_none_or(changed) {
            let cells = row(probabilities.map(percent));
            lines.push(format!("{:LABEL$}{cells}", label(*after)));
        }
        before = Some(probabilities);
    }
    lines
}

/// Percent with one decimal; what is possible never prints as nothing.
fn percent(chance: f32) -> String {
    match (chance * 1000.0).round() as u32 {
        0 if chance > 0.0 => "<0.1".to_owned(),
        0 => "-".to_owned(),
        tenths => format!("{}.{}", tenths / 10, tenths % 10),
    }
}

const fn label(likelihood: Option<Likelihood>) -> &'static str {
    match likelihood {
        None => "facts and counts",
        Some(Likelihood::Place) => "+ where it began",
        Some(Likelihood::FirstMove) => "+ first move, or none",
        Some(Likelihood::Rescue) => "+ that it came back",
        Some(Likelihood::Neighbours) => "+ what others are",
        Some(Likelihood::Contact) => "+ whom it just met",
        Some(Likelihood::OpponentTypes) => "+ what it has done",
        Some(Likelihood::History) => "+ history",
        Some(Likelihood::MoveEvidence) => "+ what moves are for",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_are_short_and_never_hide_a_chance() {
        let texts = [0.0, 0.000_4, 0.000_6, 0.25, 0.999_7, 1.0].map(percent);
        assert_eq!(texts, ["-", "<0.1", "0.1", "25.0", "100.0", "100.0"]);
    }

    #[test]
    fn a_factor_that_favours_nothing_is_not_listed() {
        let ranks = RankSet::only(Rank::Spy).or(RankSet::only(Rank::Scout));
        let mut favours = ByRank::filled(2.0);
        favours[Rank::Bomb] = 0.1;
        assert!(!differs(&favours, ranks));
        favours[Rank::Scout] = 3.0;
        assert!(differs(&favours, ranks));
        assert_eq!(permille(&favours, ranks), "S 2000 2 3000");
    }

    #[test]
    fn stages_without_news_are_left_out() {
        let even = ByRank::filled(1.0 / 12.0);
        let mut other = even;
        (other[Rank::Flag], other[Rank::Bomb]) = (0.0, 2.0 / 12.0);
        let stages = [(None, even), (Some(Likelihood::Place), even), (Some(Likelihood::FirstMove), other)];
        let stages = stages.map(|(after, probabilities)| Stage { after, probabilities });
        let lines = table(&stages);
        assert_eq!(lines.len(), 3);
        assert!(lines[1].starts_with("facts and counts") && lines[2].starts_with("+ first move, or none"));
        assert!(lines[2].ends_with("16.7") && lines.iter().all(|line| line.len() == LABEL + 72));
    }
}
