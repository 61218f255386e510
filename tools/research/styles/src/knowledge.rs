//! What a player knows: its view, with odds for hidden ranks by plain counts.

use outflank::rules::{ByPiece, ByRank, BySquare, Piece, PieceId, Rank, RankKind, Side, Square};
use outflank::view::View;
use std::collections::VecDeque;

/// A living piece of ours.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ours {
    /// Which it is.
    pub id: PieceId,
    /// Where it stands.
    pub square: Square,
    /// Its rank.
    pub rank: Rank,
    /// Whether the enemy can tell its rank.
    pub exposed: bool,
    /// Whether it has moved.
    pub moved: bool,
}

/// A living piece of the enemy's.
#[derive(Clone, Debug)]
pub struct Theirs {
    /// Which it is.
    pub id: PieceId,
    /// Where it stands.
    pub square: Square,
    /// Its rank, once known.
    pub known: Option<Rank>,
    /// The chances of each rank, by counts.
    pub odds: ByRank<f32>,
    /// Whether it has moved.
    pub moved: bool,
    /// Steps from each square to it, through our mobile pieces but not through anything else.
    pub steps: BySquare<u8>,
}

impl Theirs {
    /// Whether its rank is known, and it can move.
    pub fn known_mobile(&self) -> Option<Rank> {
        self.known.filter(|rank| rank.is_mobile())
    }
}

/// A place that cannot be reached.
pub const FAR: u8 = 60;

/// What the viewer knows on its turn.
#[derive(Debug)]
pub struct Knowledge<'a> {
    /// The view it comes from.
    pub view: &'a View,
    /// Our living pieces.
    pub ours: Vec<Ours>,
    /// The enemy's living pieces.
    pub theirs: Vec<Theirs>,
    index: BySquare<Option<u8>>,
}

impl<'a> Knowledge<'a> {
    /// Reads a view.
    pub fn new(view: &'a View) -> Knowledge<'a> {
        let ours: Vec<Ours> = view
            .position()
            .pieces(view.viewer())
            .filter_map(|(id, piece)| {
                let rank = piece.ranks.iter().last()?;
                let exposed = piece.learned.single().is_some();
                Some(Ours { id, square: piece.square?, rank, exposed, moved: piece.moved })
            })
            .collect();
        let odds = odds(view);
        let theirs: Vec<Theirs> = view
            .enemies()
            .filter_map(|(id, piece)| {
                let square = piece.square?;
                let steps = steps_to(view, square);
                Some(Theirs {
                    id,
                    square,
                    known: piece.ranks.single(),
                    odds: odds[id],
                    moved: piece.moved,
                    steps,
                })
            })
            .collect();
        let mut index = BySquare::filled(None);
        let squares = ours.iter().map(|piece| piece.square).enumerate();
        for (number, square) in squares.chain(theirs.iter().map(|piece| piece.square).enumerate()) {
            index[square] = Some(number as u8);
        }
        Knowledge { view, ours, theirs, index }
    }

    /// Whose knowledge it is.
    pub const fn side(&self) -> Side {
        self.view.viewer()
    }

    /// Our piece on a square.
    pub fn ours_at(&self, square: Square) -> Option<&Ours> {
        let piece = self.ours.get(usize::from(self.index[square]?))?;
        (piece.square == square).then_some(piece)
    }

    /// The enemy's piece on a square.
    pub fn theirs_at(&self, square: Square) -> Option<&Theirs> {
        let piece = self.theirs.get(usize::from(self.index[square]?))?;
        (piece.square == square).then_some(piece)
    }

    /// Our flag's square.
    pub fn flag(&self) -> Option<Square> {
        self.ours.iter().find(|piece| piece.rank == Rank::Flag).map(|piece| piece.square)
    }

    /// Plies since the last strike.
    pub fn quiet(&self) -> u32 {
        self.view.position().quiet()
    }

    /// Rows from our back row: 0 to 9.
    pub const fn row(&self, square: Square) -> u8 {
        square.row_from(self.side())
    }

    /// Our strongest living pieces that can move, the strongest first.
    pub fn strongest(&self, count: usize) -> Vec<&Ours> {
        let mut mobile: Vec<&Ours> = self.ours.iter().filter(|piece| piece.rank.is_mobile()).collect();
        mobile.sort_by_key(|piece| (std::cmp::Reverse(piece.rank), piece.id));
        mobile.truncate(count);
        mobile
    }
}

/// How much likelier than elsewhere people put a flag and a bomb on each of their rows, the back row first.
const FLAG_ROWS: [f32; 4] = [4.0, 1.5, 0.4, 0.1];
const BOMB_ROWS: [f32; 4] = [1.5, 1.2, 0.8, 0.6];
/// Rounds of fitting rows and columns to what is left; more change nothing that matters.
const ROUNDS: usize = 12;

/// The chances of each rank for every piece of the enemy's: as many of a rank as the army has left, spread over the
/// pieces that may be of it, and each piece one rank.
fn odds(view: &View) -> ByPiece<ByRank<f32>> {
    let army = view.position().rules().army();
    let mut left = ByRank::from_fn(|rank| f32::from(army.count(rank)));
    let mut odds = ByPiece::from_fn(|_| ByRank::filled(0.0));
    let mut hidden = Vec::new();
    for (id, piece) in view.enemies() {
        match piece.ranks.single() {
            Some(rank) => {
                odds[id][rank] = 1.0;
                left[rank] = (left[rank] - 1.0_f32).max(0.0);
            }
            None if piece.exists() => {
                odds[id] = habits(id, piece);
                hidden.push((id, piece));
            }
            None => {}
        }
    }
    let ids: Vec<PieceId> = hidden.iter().map(|(id, _)| *id).collect();
    fit(&mut odds, &ids, &left);
    for (id, piece) in hidden {
        // A host may have reported what no army fits in our reckoning: then anything goes that it may be.
        if odds[id].values().sum::<f32>() < 0.5 {
            let share = 1.0 / piece.ranks.len() as f32;
            odds[id] = ByRank::from_fn(|rank| if piece.ranks.contains(rank) { share } else { 0.0 });
        }
    }
    odds
}

/// How likely a piece is each rank by where it began, beside what is as likely everywhere.
fn habits(id: PieceId, piece: &Piece) -> ByRank<f32> {
    let row = piece.start.or(piece.square).map_or(0, |square| square.row_from(id.side()).min(3));
    ByRank::from_fn(|rank| match rank.kind() {
        _ if !piece.ranks.contains(rank) => 0.0,
        RankKind::Flag => FLAG_ROWS[usize::from(row)],
        RankKind::Bomb => BOMB_ROWS[usize::from(row)],
        RankKind::Mobile => 1.0,
    })
}

/// Scales chances until each of these pieces has one rank and each rank is there as often as it is left.
fn fit(odds: &mut ByPiece<ByRank<f32>>, ids: &[PieceId], left: &ByRank<f32>) {
    for _ in 0..ROUNDS {
        for (rank, left) in left.iter() {
            let sum: f32 = ids.iter().map(|id| odds[*id][rank]).sum();
            let scale = if sum > 0.0 { left / sum } else { 0.0 };
            for id in ids {
                odds[*id][rank] *= scale;
            }
        }
        for id in ids {
            let sum: f32 = odds[*id].values().sum();
            odds[*id].values_mut().for_each(|chance| *chance /= sum.max(1e-9));
        }
    }
}

/// Steps from everywhere to a square.
fn steps_to(view: &View, goal: Square) -> BySquare<u8> {
    let position = view.position();
    let mut steps = BySquare::filled(FAR);
    steps[goal] = 0;
    let mut queue = VecDeque::from([goal]);
    while let Some(square) = queue.pop_front() {
        for next in square.neighbours().filter(|next| steps[*next] == FAR).collect::<Vec<_>>() {
            let passable = position
                .piece_at(next)
                .is_none_or(|id| id.side() == view.viewer() && position.piece(id).may_move());
            if passable {
                steps[next] = steps[square] + 1;
                queue.push_back(next);
            }
        }
    }
    steps
}
