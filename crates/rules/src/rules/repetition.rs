//! The two repetition rules: *two squares* and *more squares*.
//!
//! Both look at squares and at which piece stands where, never at ranks, so that both players can tell.

use super::action::Action;
use super::piece::PieceId;
use super::square::Square;

/// A repetition rule that an action would break.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Repetition {
    /// A border crossed too often running.
    TwoSquares,
    /// An endless chase.
    MoreSquares,
}

impl Repetition {
    /// The rule's key in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Repetition::TwoSquares => "twosquares",
            Repetition::MoreSquares => "moresquares",
        }
    }
}

/// Longest run that can matter: the largest `twosquares` limit.
const LONGEST: usize = super::ruleset::Ruleset::MOST_CROSSINGS as usize;

/// What one side did last, as far as the repetition rules ask.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Default)]
pub(crate) struct Trail {
    /// The piece that acted in each of this side's last turns, while it stayed on one line.
    pub(super) runner: Option<PieceId>,
    /// That line: 0..10 a file, 10..20 a row.
    line: u8,
    /// `crossed[k]`: borders crossed by every one of the last `k + 1` actions (bit `i`: between lines i and i+1).
    crossed: [u16; LONGEST],
    /// This side's running chase.
    pub(super) chase: u16,
    /// This side's last action. Where a striker fell it still counts as the square gone to: the rule asks of the
    /// moved piece whether it stands only for its own side's chase.
    pub(super) last: Option<(Square, Square)>,
}

/// The borders between two squares of one line, and which line that is: 0..10 a file, 10..20 a row.
const fn borders(from: Square, to: Square) -> (u8, u16) {
    let vertical = from.file() == to.file();
    let (line, a, b) = if vertical {
        (from.file(), from.row(), to.row())
    } else {
        (10 + from.row(), from.file(), to.file())
    };
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (line, (1 << high) - (1 << low))
}

impl Trail {
    /// Whether `action` by `piece` would cross a border more than `limit` times running.
    pub(super) fn breaks_two_squares(&self, piece: PieceId, action: Action, limit: u8) -> bool {
        if limit == 0 || self.runner != Some(piece) {
            return false;
        }
        let (line, mask) = borders(action.from, action.to);
        line == self.line && self.crossed[limit as usize - 1] & mask != 0
    }

    /// The piece that has crossed some border as often running as `limit` allows.
    pub(super) fn limited(&self, limit: u8) -> Option<PieceId> {
        self.runner.filter(|_| limit > 0 && self.crossed[limit as usize - 1] != 0)
    }

    /// Notes an action of this side.
    pub(super) fn extend(&mut self, piece: PieceId, action: Action) {
        let (line, mask) = borders(action.from, action.to);
        if self.runner == Some(piece) && self.line == line {
            for k in (1..LONGEST).rev() {
                self.crossed[k] = self.crossed[k - 1] & mask;
            }
        } else {
            self.crossed = [0; LONGEST];
        }
        self.crossed[0] = mask;
        self.runner = Some(piece);
        self.line = line;
        self.last = Some((action.from, action.to));
    }

    /// Forgets the run: the striker fell.
    pub(super) fn clear_run(&mut self) {
        self.runner = None;
    }

    /// Whether `action` goes exactly back on this side's last one.
    pub(super) fn reverses(&self, action: Action) -> bool {
        self.last == Some((action.to, action.from))
    }

    /// A number that differs between trails that allow different actions, for hashing.
    pub(crate) fn key(&self, limit: u8) -> u64 {
        let run = if limit == 0 { 0 } else { self.crossed[limit as usize - 1] as u64 };
        let runner = self.runner.map_or(0, |piece| piece.index() as u64 + 1);
        if run == 0 { 0 } else { run | runner << 16 | u64::from(self.line) << 24 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaks(limit: u8, actions: &[&str]) -> bool {
        let mut trail = Trail::default();
        let piece = PieceId::new(super::super::Side::Red, 0);
        let actions: Vec<Action> =
            actions.iter().map(|text| text.parse::<super::super::Played>().unwrap().action).collect();
        let (&last, before) = actions.split_last().unwrap();
        for &action in before {
            assert!(!trail.breaks_two_squares(piece, action, limit));
            trail.extend(piece, action);
        }
        trail.breaks_two_squares(piece, last, limit)
    }

    #[test]
    fn the_fourth_crossing_breaks_a_limit_of_three() {
        assert!(breaks(3, &["a1a2", "a2a1", "a1a2", "a2a1"]));
        assert!(!breaks(3, &["a1a2", "a2a1", "a1a2", "a2a3"]));
        assert!(breaks(2, &["a1a2", "a2a1", "a1a2"]));
        assert!(!breaks(5, &["a1a2", "a2a1", "a1a2", "a2a1", "a1a2"]));
        assert!(breaks(5, &["a1a2", "a2a1", "a1a2", "a2a1", "a1a2", "a2a1"]));
        assert!(!breaks(0, &["a1a2", "a2a1", "a1a2", "a2a1", "a1a2", "a2a1"]));
    }

    #[test]
    fn scouts_cross_every_border_on_their_way() {
        assert!(breaks(3, &["a1a5", "a5a3", "a3a8", "a8a2"]));
        assert!(!breaks(3, &["a1a5", "a5a3", "a3a8", "a8a5"]));
        assert!(!breaks(3, &["a1a5", "a5a3", "a3b3", "b3a3", "a3a5"]));
    }
}
