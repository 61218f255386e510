//! `gameover … reveal`: what was believed in the game, scored against the truth.

use crate::protocol::game::board::Board;
use crate::protocol::grammar::error::AskError;
use crate::protocol::grammar::reply::Reply;
use outflank_engine::belief::Belief;
use outflank_engine::belief::score::{Marks, PHASES, phase, phase_name};
use outflank_engine::engine::Engine;
use outflank_rules::rules::{ByPiece, PieceId, Position, Rank, RankSet, Ruleset, Side, Spn, Square};

/// Plies from one position that is scored to the next.
const EVERY: u32 = 10;
/// The most positions that are scored: longer games are looked at more seldom.
const MOST: u32 = 100;

/// The true ranks, as far as they are known.
type Truth = ByPiece<Option<Rank>>;

/// Scores what was believed in each phase and at the end, once for each player whose knowledge was reported. Without a
/// truth there is nothing to say.
pub(crate) fn score(board: &Board, reveal: Option<&str>) -> Result<Vec<Reply>, AskError> {
    let revealed = match (reveal, board) {
        (Some(text), _) => revealed(text)?,
        (None, Board::Study(_)) => board.position().clone(),
        (None, Board::Player(_)) => return Ok(Vec::new()),
    };
    let mut replies = Vec::new();
    for player in board.players() {
        let view = player.view();
        let truth = truth(board.position(), view.position(), &revealed)?;
        replies.extend(by_phase(player, &truth));
        replies.push(at_the_end(player, &truth));
    }
    Ok(replies)
}

fn revealed(text: &str) -> Result<Position, AskError> {
    let text = format!("{text} r - -,- 0 0");
    Spn::parse(&text, Ruleset::default()).map(|spn| spn.position).map_err(AskError::Board)
}

/// The living as the revealed board shows them, the dead as far as `game` knows them.
fn truth(game: &Position, known: &Position, revealed: &Position) -> Result<Truth, AskError> {
    let mut truth = ByPiece::filled(None);
    for square in Square::all() {
        if let Some((id, rank)) = agreed(known, revealed, square)? {
            truth[id] = Some(rank);
        }
    }
    for side in Side::BOTH {
        for (id, piece) in game.pieces(side).filter(|(_, piece)| !piece.is_alive()) {
            truth[id] = piece.ranks.single();
        }
        check_counts(game, &truth, side)?;
    }
    Ok(truth)
}

/// Checks that the ranks of a side are those of an army, and those of its dead that are unknown among the ones left. Where
/// pieces come back from the dead, a rank may be there twice.
fn check_counts(game: &Position, truth: &Truth, side: Side) -> Result<(), AskError> {
    if game.rules().rescue {
        return Ok(());
    }
    let mut left = *game.rules().army().counts();
    let mut unknown = Vec::new();
    for (id, piece) in game.pieces(side) {
        match truth[id] {
            Some(rank) => left[rank] = left[rank].checked_sub(1).ok_or(AskError::RevealCounts(side))?,
            None => unknown.push(piece.ranks),
        }
    }
    let open = left.iter().filter(|(_, count)| **count > 0).map(|(rank, _)| RankSet::only(rank));
    let open = open.fold(RankSet::EMPTY, RankSet::or);
    let fits = unknown.into_iter().all(|ranks| ranks.meets(open));
    if fits { Ok(()) } else { Err(AskError::RevealCounts(side)) }
}

/// The revealed rank on a square, if the game has a piece there that may be it.
fn agreed(known: &Position, truth: &Position, square: Square) -> Result<Option<(PieceId, Rank)>, AskError> {
    match (known.piece_at(square), truth.piece_at(square)) {
        (None, None) => Ok(None),
        (Some(id), Some(shown)) => {
            let rank = truth.piece(shown).ranks.single().filter(|&rank| known.piece(id).ranks.contains(rank));
            rank.filter(|_| id.side() == shown.side())
                .map(|rank| Some((id, rank)))
                .ok_or(AskError::Reveal(square))
        }
        (Some(_), None) | (None, Some(_)) => Err(AskError::Reveal(square)),
    }
}

/// Marks of the belief, and of facts and counts alone, over the positions of one phase.
#[derive(Copy, Clone, Default)]
struct Looks {
    count: u32,
    belief: Marks,
    counts: Marks,
}

fn by_phase(player: &Engine, truth: &Truth) -> Vec<Reply> {
    let mut player = player.clone();
    let made = player.view().position().history().len() as u32;
    let step = EVERY * made.div_ceil(EVERY * MOST).max(1);
    let mut phases = [Looks::default(); PHASES.len()];
    loop {
        let position = player.view().position();
        let ply = position.ply();
        if ply.is_multiple_of(step) && position.ending().is_none() {
            phases[phase(ply)].add(&player, truth);
        }
        if !player.undo() {
            break;
        }
    }
    let side = player.view().viewer().enemy();
    let seen = phases.iter().enumerate().filter(|(_, looks)| looks.belief.pieces > 0);
    seen.map(|(phase, looks)| {
        Reply::Remark(format!("belief of {side} plies {} {}", phase_name(phase), looks.text()))
    })
    .collect()
}

impl Looks {
    fn add(&mut self, player: &Engine, truth: &Truth) {
        let view = player.view();
        // A piece that a rescue took from the dead may be another than it was taken for.
        let rank = |id: PieceId| truth[id].filter(|&rank| view.position().piece(id).ranks.contains(rank));
        self.count += 1;
        self.belief.look(view.position(), &player.belief(), rank);
        self.counts.look(view.position(), &Belief::of_enemies_weighing(view, &[]), rank);
    }

    fn text(&self) -> String {
        let Looks { count, belief, counts } = self;
        let text = format!(
            "looks {count} hidden {} millinats {} counts {} right {} brier {}",
            belief.pieces,
            thousandths(belief.nats, belief.pieces),
            thousandths(counts.nats, counts.pieces),
            belief.hits.round() as u64,
            thousandths(belief.brier, belief.pieces),
        );
        if belief.flags == 0 {
            return text;
        }
        let (flags, nats) = (belief.flags, thousandths(belief.flag_nats, belief.flags));
        let (counts, right) = (thousandths(counts.flag_nats, flags), belief.flag_hits.round() as u64);
        format!("{text} flags {flags} millinats {nats} counts {counts} right {right}")
    }
}

/// The mean of a sum over `count`, in thousandths.
fn thousandths(sum: f64, count: u64) -> u64 {
    if count > 0 { (1000.0 * sum / count as f64).round() as u64 } else { 0 }
}

/// What is believed now of the living.
fn at_the_end(player: &Engine, truth: &Truth) -> Reply {
    let view = player.view();
    let mut marks = Marks::default();
    let alive = |id: &PieceId| view.position().piece(*id).is_alive();
    let living = |id: PieceId| truth[id].filter(|_| alive(&id));
    marks.look(view.position(), &player.belief(), living);
    let (hidden, right) = (marks.pieces, marks.hits.round() as u64);
    let (side, millinats) = (view.viewer().enemy(), thousandths(marks.nats, hidden));
    Reply::Remark(format!("belief of {side} hidden {hidden} millinats {millinats} right {right}"))
}
