//! Questions about the game that change nothing.

use crate::protocol::game::board::Board;
use crate::protocol::grammar::command::Pieces;
use crate::protocol::grammar::error::AskError;
use crate::protocol::grammar::reply::{Believed, Place, Reply};
use outflank_engine::belief::Belief;
use outflank_engine::eval::Terms;
use outflank_rules::rng::Rng;
use outflank_rules::rules::{Piece, PieceId, Position, Rank};
use outflank_rules::view::HiddenArmy;

/// The unnamed dead among `pieces`, numbered from 1.
fn unknown_dead(pieces: &HiddenArmy) -> impl Iterator<Item = (PieceId, Piece, Place)> {
    let dead = pieces.iter().filter(|(_, piece)| !piece.is_alive() && piece.ranks.single().is_none());
    dead.enumerate().map(|(index, (id, piece))| (*id, *piece, Place::Dead(index + 1)))
}

/// The living of unknown rank, row 1 first.
fn unknown_living(pieces: &HiddenArmy) -> Vec<(PieceId, Piece, Place)> {
    let mut living: Vec<_> = pieces
        .iter()
        .filter(|(_, piece)| piece.ranks.single().is_none())
        .filter_map(|(id, piece)| piece.square.map(|square| (square, *id, *piece)))
        .collect();
    living.sort_by_key(|(square, ..)| *square);
    living.into_iter().map(|(square, id, piece)| (id, piece, Place::On(square))).collect()
}

fn all_unknown(pieces: &HiddenArmy) -> Vec<(PieceId, Piece, Place)> {
    let mut all = unknown_living(pieces);
    all.extend(unknown_dead(pieces));
    all
}

/// What `pieces` may be, as the player of `board`'s view sees it.
pub(crate) fn belief(board: &Board, pieces: Pieces) -> Result<Vec<Believed>, AskError> {
    let view = board.view();
    let (belief, asked) = match pieces {
        Pieces::On(square) => {
            let id = view.position().piece_at(square).ok_or(AskError::Empty(square))?;
            let piece = *view.position().piece(id);
            let ours = id.side() == view.viewer();
            let belief = if ours { Belief::of_ours(view) } else { Belief::of_enemies(board.known()) };
            (belief, vec![(id, piece, Place::On(square))])
        }
        Pieces::All => (Belief::of_enemies(board.known()), all_unknown(&view.hidden_army())),
        Pieces::Dead => (Belief::of_enemies(board.known()), unknown_dead(&view.hidden_army()).collect()),
        Pieces::Ours => (Belief::of_ours(view), all_unknown(&view.our_hidden_army())),
    };
    Ok(asked.into_iter().filter_map(|(id, piece, place)| believed(&belief, id, &piece, place)).collect())
}

fn believed(belief: &Belief, id: PieceId, piece: &Piece, place: Place) -> Option<Believed> {
    let probabilities = *belief.probabilities(id)?;
    Some(Believed { place, moved: piece.moved, probabilities })
}

/// Consistent worlds: the rank of every unknown enemy piece.
pub(crate) fn worlds(board: &Board, count: usize, rng: &mut Rng) -> Result<Vec<Reply>, AskError> {
    let view = board.view();
    let asked = all_unknown(&view.hidden_army());
    let worlds = Belief::of_enemies(board.known()).sample(count, rng);
    if worlds.is_empty() {
        return Err(AskError::World);
    }
    let line = |ranks: &[(PieceId, Rank)]| {
        let rank_of = |wanted| ranks.iter().find(|(id, _)| *id == wanted).map(|(_, rank)| *rank);
        Reply::World(asked.iter().filter_map(|(id, _, place)| Some((*place, rank_of(*id)?))).collect())
    };
    Ok(worlds.iter().map(|world| line(world.ranks())).collect())
}

/// The legal moves on one line.
pub(crate) fn legal(board: &Board) -> Result<Reply, AskError> {
    if !board.knows_mover() {
        return Err(AskError::HiddenMover(board.position().to_move()));
    }
    let moves = board.position().actions();
    Ok(Reply::Legal(moves.into_iter().map(|action| board.text(action)).collect()))
}

/// The evaluation, part by part and in all.
pub(crate) fn evaluation(board: &Board) -> Vec<Reply> {
    let view = board.view();
    let terms = Terms::of_view(view, &Belief::of_enemies(board.known()));
    let named = terms.named().map(|(name, points)| Reply::Eval(name, points.round() as i32));
    let mut lines: Vec<Reply> = named.collect();
    lines.push(Reply::Eval("total", terms.in_points()));
    lines
}

/// Whether every rank is known, as `perft` needs.
pub(crate) fn full_position(board: &Board) -> Result<&Position, AskError> {
    match board {
        Board::Study(_) => Ok(board.position()),
        Board::Player(_) => Err(AskError::Hidden),
    }
}
