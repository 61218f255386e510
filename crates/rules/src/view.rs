//! What one player may know: a fold over its events.

// Of use to the engine's belief only, as are the other hidden parts.
#[doc(hidden)]
pub mod behaviour;
#[doc(hidden)]
pub mod blind_strikes;
mod hidden_army;
mod line;
#[doc(hidden)]
pub mod move_features;
mod visibility;

use crate::event::Event;
use crate::rules::{
    NoRescue, Piece, PieceId, PlayError, Played, Position, Rank, RankSet, Ruleset, Side, Spn, Viewer,
};
use behaviour::Behaviours;
pub use hidden_army::HiddenArmy;
use line::Line;
pub use line::LineKey;
use std::hash::Hash;
pub use visibility::Visibility;

/// A player's knowledge of the game: own ranks, a set of possible ranks per enemy piece, the public history, and
/// what the enemy has learned of our pieces.
///
/// The only ways to make one are to fold events, to read a position text of that player's knowledge, neither of which
/// carries a rank the player does not know, and to suppose the ranks of another view's enemy.
///
/// A strike that is lost leaves an inequality where the rules do not name the winner:
///
/// ```
/// use outflank_rules::event::Event;
/// use outflank_rules::rules::{Ruleset, Setup, Side};
/// use outflank_rules::view::View;
///
/// let mut rules = Ruleset::default();
/// rules.set("silent", "on")?;
/// let mut view = View::new(Side::Red, rules);
/// let ours: Setup = "B3FB3262452B3B6B5S7325B48269474M62225873".parse()?;
/// view.observe(&Event::Deployed(Side::Red, ours))?;
/// view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN))?;
/// for ply in ["a4a5", "j7j6", "a5a6", "j6j5", "a6xa7=L4?"] {
///     view.observe(&Event::Played(ply.parse()?))?;
/// }
/// let winner = view.position().piece_at("a7".parse()?).expect("it stays");
/// assert_eq!(view.position().piece(winner).ranks.to_string(), "56789MB");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct View {
    viewer: Side,
    position: Position,
    behaviours: Behaviours,
    line: Line,
}

impl View {
    /// An empty board seen by `viewer`.
    pub fn new(viewer: Side, rules: Ruleset) -> View {
        View {
            viewer,
            position: Position::new(rules),
            behaviours: Behaviours::default(),
            line: Line::new(&(viewer, rules)),
        }
    }

    /// An empty board seen by `viewer`, who will not count what pieces are seen to do: for training, where a belief by
    /// facts and counts is all that is asked for, and every ply of thousands of games is folded in.
    pub fn without_behaviour(viewer: Side, rules: Ruleset) -> View {
        View { behaviours: Behaviours::none(), ..View::new(viewer, rules) }
    }

    /// The knowledge a position text holds; of a text that knows both armies, `viewer`'s share.
    pub fn from_spn(spn: &Spn, viewer: Side) -> View {
        let (viewer, position) = match spn.viewer {
            Viewer::Player(side) => (side, spn.position.clone()),
            Viewer::Both => (viewer, spn.position.masked(viewer)),
        };
        let line = Line::new(&start(viewer, &position));
        View { viewer, position, behaviours: Behaviours::default(), line }
    }

    /// Folds one event of this player's in. On an error, which says why the event cannot follow what was shown so far,
    /// nothing has changed. Repetition rules are not asked.
    pub fn observe(&mut self, event: &Event) -> Result<(), PlayError> {
        match event {
            Event::Deployed(side, setup) => {
                self.position.deploy(*side, setup);
                self.line.begin(&(side, setup));
            }
            Event::Played(played) => {
                let untold = played.action.rescue.is_some_and(|rescue| rescue.rank.is_none());
                if untold && self.position.to_move() == self.viewer {
                    return Err(PlayError::Rescue(NoRescue::Untold));
                }
                self.play(*played)?;
            }
        }
        Ok(())
    }

    fn play(&mut self, played: Played) -> Result<(), PlayError> {
        let (action, position) = (played.action, &self.position);
        let (mover, strike) = (position.piece_at(action.from), position.piece_at(action.to).is_some());
        let first = mover.is_some_and(|id| !position.piece(id).moved);
        self.behaviours.consider(position, action);
        if let Err(error) = self.position.play(played) {
            self.behaviours.forget();
            return Err(error);
        }
        self.line.push(&played);
        if let Some(mover) = mover {
            self.behaviours.note(&self.position, action, mover, first, strike);
        }
        Ok(())
    }

    /// Takes the last ply back; false if none was folded in.
    pub fn undo(&mut self) -> bool {
        let undone = self.position.undo();
        if undone {
            self.behaviours.undo();
            self.line.pop();
        }
        undone
    }

    /// Forgets all but the latest `count` plies: the others cannot be taken back any more.
    pub fn keep_latest(&mut self, count: usize) {
        self.position.keep_latest(count);
        self.behaviours.keep_latest(count);
        self.line.keep_latest(count);
    }

    /// The view, of which only the latest `count` plies can be taken back: what a search needs, without all
    /// that a long game would have to be taken back with.
    #[must_use]
    pub fn latest(&self, count: usize) -> View {
        View {
            viewer: self.viewer,
            position: self.position.latest(count),
            behaviours: self.behaviours.latest(count),
            line: self.line.clone(),
        }
    }

    /// What stands for everything that this player was shown up to and with a ply of the kept history, or before the
    /// first of them; `None` for any other ply.
    #[doc(hidden)]
    pub fn line_key(&self, ply: u32) -> Option<LineKey> {
        let back = self.position.ply().checked_sub(ply)?;
        self.line.key(back as usize)
    }

    /// What the enemy knows, were these the ranks of its pieces. Nothing is left of the plies that led here.
    pub fn enemy_view(&self, ranks: &[(PieceId, Rank)]) -> View {
        let (viewer, position) = (self.viewer.enemy(), self.position.enemy_view(self.viewer, ranks));
        View { viewer, position, behaviours: Behaviours::default(), line: Line::default() }
    }

    /// What the pieces of both sides have been seen to do since this view began.
    #[doc(hidden)]
    pub const fn behaviours(&self) -> &Behaviours {
        &self.behaviours
    }

    /// Whose knowledge this is.
    pub const fn viewer(&self) -> Side {
        self.viewer
    }

    /// The position, with sets of ranks for what is hidden.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The enemy's pieces, living and dead: what each may be.
    pub fn enemies(&self) -> impl Iterator<Item = (PieceId, &Piece)> {
        self.position.pieces(self.viewer.enemy())
    }

    /// Our pieces, living and dead, with our ranks replaced by what the enemy can tell of them.
    pub fn ours_as_learned(&self) -> impl Iterator<Item = (PieceId, Piece)> {
        self.position.pieces(self.viewer).map(|(id, piece)| (id, Piece { ranks: piece.learned, ..*piece }))
    }

    /// The view, thought about as if other rules held from now on.
    pub fn supposing(&self, rules: Ruleset) -> View {
        let mut view = self.clone();
        view.position.set_rules(rules);
        view
    }

    /// The view without what silent strikes said of ranks that they did not show: that a piece is above or
    /// below another one. For measuring what that is worth.
    pub fn forgetting_hints(&self) -> View {
        let mut view = self.clone();
        view.position.forget_hints();
        view
    }

    /// Adds a fact that the host reports beyond the rules: a piece of either side is one of `ranks` for this player. False,
    /// and nothing changed, if that contradicts what is known.
    pub fn tell(&mut self, id: PieceId, ranks: RankSet) -> bool {
        self.position.tell(id, ranks)
    }
}

/// What tells one beginning of a game from another.
fn start(viewer: Side, position: &Position) -> impl Hash + use<> {
    let pieces =
        Side::BOTH.map(|side| position.pieces(side).map(|(id, piece)| (id, *piece)).collect::<Vec<_>>());
    (viewer, *position.rules(), position.ply(), position.to_move(), pieces)
}

#[cfg(test)]
mod tests;
