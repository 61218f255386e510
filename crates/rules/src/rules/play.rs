//! Making and unmaking plies.

use super::action::{Action, Played, Rescue, Verdict};
use super::battle::{Fighters, Outcome, StrikeRules, battle, certain, defenders, narrow};
use super::history::{Earlier, Past};
use super::piece::{Piece, PieceId, RESCUERS};
use super::position::Position;
use super::rank::{Rank, RankSet};
use super::rescue::NoRescue;
use super::square::Square;
use std::fmt;

/// Why a ply cannot be made.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum PlayError {
    /// The game is over.
    GameOver,
    /// Nothing stands on the square the action starts from.
    NoPiece(Square),
    /// The piece there is the other side's.
    NotYours(Square),
    /// The piece cannot move.
    Immobile(Square),
    /// The target is not in the piece's reach.
    Reach,
    /// The target holds a piece of the same side.
    OwnPiece(Square),
    /// The result contradicts what is known.
    Result,
    /// The action has a result and strikes nothing.
    NoStrike(Square),
    /// A piece is reported with this rank, and is known to be of one of the others.
    OtherRank(Square, Rank, RankSet),
    /// The reported ranks have another outcome: the striker's, the defender's, and theirs.
    OtherOutcome(Rank, Rank, Outcome),
    /// The strike's outcome does not follow from what is known.
    ResultNeeded,
    /// Which square a defender that wins stands on does not follow: under `advance` a bomb stays, any other winner moves.
    WinnerNeeded,
    /// There can be no such rescue.
    Rescue(NoRescue),
}

impl PlayError {
    /// The protocol's error code.
    pub const fn code(self) -> &'static str {
        match self {
            PlayError::GameOver => "game-over",
            PlayError::Result
            | PlayError::NoStrike(_)
            | PlayError::OtherRank(..)
            | PlayError::OtherOutcome(..) => "result",
            PlayError::ResultNeeded | PlayError::WinnerNeeded => "result-needed",
            PlayError::NoPiece(_)
            | PlayError::NotYours(_)
            | PlayError::Immobile(_)
            | PlayError::Reach
            | PlayError::OwnPiece(_)
            | PlayError::Rescue(_) => "illegal",
        }
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::GameOver => f.write_str("the game is over"),
            PlayError::NoPiece(square) => write!(f, "nothing stands on {square}"),
            PlayError::NotYours(square) => write!(f, "the piece on {square} is the other side's"),
            PlayError::Immobile(square) => write!(f, "the piece on {square} cannot move"),
            PlayError::Reach => f.write_str("the target is out of the piece's reach"),
            PlayError::OwnPiece(square) => write!(f, "{square} holds a piece of the same side"),
            PlayError::Result => f.write_str("the result contradicts what is known"),
            PlayError::NoStrike(square) => write!(f, "nothing stands on {square} to strike at"),
            PlayError::OtherRank(square, reported, known) => {
                let one_of = if known.single().is_some() { "" } else { "one of " };
                write!(f, "the piece on {square} is {one_of}{known}, not {reported}")
            }
            PlayError::OtherOutcome(striker, defender, outcome) => {
                let ends = match outcome {
                    Outcome::Win => "wins",
                    Outcome::Loss => "loses",
                    Outcome::Tie => "ties",
                };
                write!(f, "{striker} against {defender} {ends}")
            }
            PlayError::ResultNeeded => {
                f.write_str("the strike's result does not follow; add it, as in e4xe5=W95")
            }
            PlayError::WinnerNeeded => f.write_str(
                "a defender that wins needs its rank here, as in e4xe5=L5B: a bomb stays, another moves",
            ),
            PlayError::Rescue(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

impl From<NoRescue> for PlayError {
    fn from(error: NoRescue) -> PlayError {
        PlayError::Rescue(error)
    }
}

/// A ply that can be made, with everything it changes.
struct Resolved {
    mover: (PieceId, Piece),
    victim: Option<(PieceId, Piece)>,
    verdict: Option<Verdict>,
    flag: bool,
    /// The rescue, unless there is none or it is void.
    rescue: Option<Rescue>,
}

/// Who says that a defender won.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Winner {
    /// A host, which names its rank where the rules show it.
    Reported,
    /// A tree, which does not.
    Supposed,
}

impl Position {
    /// Makes a ply of the side to move. Repetition rules are not asked: see [`Position::repetition`].
    ///
    /// A strike whose outcome the holder can work out needs no verdict; one that is given is checked and learned
    /// from. The rescue of a strike that does not win, or takes the flag, is void and not noted. On an error nothing
    /// has changed.
    pub fn play(&mut self, played: Played) -> Result<(), PlayError> {
        let resolved = self.resolve(played, Winner::Reported)?;
        self.make(played.action, &resolved);
        Ok(())
    }

    /// Makes a ply of a tree, which supposes how a strike ends. It differs from [`Position::play`] under `advance` alone:
    /// a defender that wins and whose rank the verdict leaves open is one that moves, no bomb.
    pub fn suppose(&mut self, played: Played) -> Result<(), PlayError> {
        let resolved = self.resolve(played, Winner::Supposed)?;
        self.make(played.action, &resolved);
        Ok(())
    }

    fn make(&mut self, action: Action, resolved: &Resolved) {
        let (mover, stands) = (resolved.mover.0, resolved.mover.1.is_alive());
        let strike = resolved.victim.is_some();
        let reported =
            Played { action: Action { rescue: resolved.rescue, ..action }, verdict: resolved.verdict };
        self.advance(reported, &resolved.mover, resolved.victim.as_ref());
        for (id, _) in std::iter::once(&resolved.mover).chain(&resolved.victim) {
            if id.came_back() {
                self.narrow_graves(*id);
            }
        }
        if let Some(rescue) = resolved.rescue {
            self.raise(mover.side(), rescue);
        }
        self.note_trails(mover, stands, action, strike);
        self.quiet = if strike { 0 } else { self.quiet + 1 };
        self.ply += 1;
        self.to_move = self.to_move.enemy();
        self.ending = self.find_ending(resolved.flag, strike);
    }

    /// Takes the last ply back; false if none was made here.
    pub fn undo(&mut self) -> bool {
        if self.retreat().is_none() {
            return false;
        }
        self.ply -= 1;
        self.to_move = self.to_move.enemy();
        self.ending = None;
        true
    }

    /// What would be reported of `action` if it were played: `None` for a plain move.
    pub fn verdict(&self, action: Action) -> Result<Option<Verdict>, PlayError> {
        Ok(self.resolve(action.into(), Winner::Reported)?.verdict)
    }

    /// Who may go where, repetition aside: geometry, reach, and whose turn it is.
    pub(super) fn check_path(&self, action: Action) -> Result<PieceId, PlayError> {
        let id = self.piece_at(action.from).ok_or(PlayError::NoPiece(action.from))?;
        let piece = self.piece(id);
        if id.side() != self.to_move {
            return Err(PlayError::NotYours(action.from));
        }
        if !piece.may_move() {
            return Err(PlayError::Immobile(action.from));
        }
        let target = self.piece_at(action.to);
        if target.is_some_and(|other| other.side() == id.side()) && action.from != action.to {
            return Err(PlayError::OwnPiece(action.to));
        }
        let slides = piece.ranks.contains(Rank::Scout) && (self.rules.scout || target.is_none());
        let in_reach = action.from.is_next_to(action.to) || slides && self.is_open_line(action);
        if in_reach { Ok(id) } else { Err(PlayError::Reach) }
    }

    fn resolve(&self, played: Played, winner: Winner) -> Result<Resolved, PlayError> {
        if self.ending.is_some() {
            return Err(PlayError::GameOver);
        }
        let action = played.action;
        let id = self.check_path(action)?;
        if let Some(rescue) = action.rescue {
            self.check_rescue(id, action, rescue)?;
        }
        let step = action.from.is_next_to(action.to);
        let shown = if step { RankSet::MOBILE } else { RankSet::only(Rank::Scout) };
        let before = *self.piece(id);
        let mut mover = Piece {
            ranks: before.ranks.and(shown),
            learned: before.learned.and(shown),
            moved: true,
            first_move: before.first_move.or(if before.moved { None } else { Some(self.ply) }),
            square: Some(action.to),
            ..before
        };
        match (self.piece_at(action.to), played.verdict) {
            (None, None) => {
                if action.rescue.is_some() {
                    note_rescuer(&mut mover);
                }
                let rescue = action.rescue;
                Ok(Resolved { mover: (id, mover), victim: None, verdict: None, flag: false, rescue })
            }
            (None, Some(_)) => Err(PlayError::NoStrike(action.to)),
            (Some(victim), reported) => {
                let mut defender = *self.piece(victim);
                let open = |verdict: Verdict| verdict.outcome == Outcome::Loss && verdict.defender.is_none();
                if reported.is_some_and(open) {
                    defender.ranks = self.without_hidden_bomb(defender.ranks, winner);
                }
                self.resolve_strike(action, (id, mover), (victim, defender), reported)
            }
        }
    }

    fn resolve_strike(
        &self,
        action: Action,
        (id, mut striker): (PieceId, Piece),
        (victim, mut defender): (PieceId, Piece),
        reported: Option<Verdict>,
    ) -> Result<Resolved, PlayError> {
        let reported = match reported {
            Some(reported) => reported,
            None => Verdict {
                outcome: certain(striker.ranks, defender.ranks, self.rules.strike_rules())
                    .ok_or(PlayError::ResultNeeded)?,
                striker: None,
                defender: None,
            },
        };
        let outcome = reported.outcome;
        let flag = RankSet::only(Rank::Flag);
        let over = defender.ranks.and(set_of(reported.defender)) == flag;
        let rescue = action.rescue.filter(|_| outcome == Outcome::Win && !over);
        if rescue.is_some() {
            note_rescuer(&mut striker);
        }
        let ranks = Fighters { striker: striker.ranks, defender: defender.ranks };
        Fighters { striker: striker.ranks, defender: defender.ranks } =
            self.narrowed(action, ranks, reported)?;
        self.learn(&mut striker, &mut defender, outcome);
        let advances = self.settle_squares(action, &mut striker, &mut defender, outcome)?;
        defender.moved |= advances;
        let verdict = Verdict { outcome, striker: striker.ranks.single(), defender: defender.ranks.single() };
        let flag = outcome == Outcome::Win && defender.ranks == flag;
        let (mover, victim) = ((id, striker), Some((victim, defender)));
        Ok(Resolved { mover, victim, verdict: Some(verdict), flag, rescue })
    }

    /// What is left of the ranks of both pieces of a strike by what was reported of it.
    fn narrowed(&self, action: Action, ranks: Fighters, reported: Verdict) -> Result<Fighters, PlayError> {
        let strike_rules = self.rules.strike_rules();
        let striker = ranks.striker.and(set_of(reported.striker));
        let defender = without_hidden_flag(ranks.defender.and(set_of(reported.defender)), reported);
        let left = narrow(striker, defender, reported.outcome, strike_rules);
        if left.striker.is_empty() {
            return Err(contradiction(action, [ranks.striker, ranks.defender], reported, strike_rules));
        }
        Ok(left)
    }

    /// What each side learns of the other's piece by the rules: both ranks, or under `silent` an inequality.
    fn learn(&self, striker: &mut Piece, defender: &mut Piece, outcome: Outcome) {
        let strike_rules = self.rules.strike_rules();
        striker.learned = striker.ranks;
        let shown = !self.rules.silent || striker.ranks == RankSet::only(Rank::Scout);
        let over = defender.ranks == RankSet::only(Rank::Flag) && outcome == Outcome::Win;
        if shown || over {
            defender.learned = defender.ranks;
        } else {
            let losers = striker
                .ranks
                .iter()
                .fold(RankSet::EMPTY, |set, rank| set.or(defenders(rank, outcome, strike_rules)));
            let reported = Verdict { outcome, striker: None, defender: None };
            let left = without_hidden_flag(defender.learned.and(losers), reported);
            let bomb = RankSet::only(Rank::Bomb);
            defender.learned = match outcome {
                Outcome::Loss if self.rules.advance && defender.ranks == bomb => bomb,
                Outcome::Loss => self.without_hidden_bomb(left, Winner::Reported),
                Outcome::Win | Outcome::Tie => left,
            };
        }
    }

    /// Under `advance` a bomb that wins is seen to stay, so it is shown even under `silent`; a winner that is not shown is none.
    fn without_hidden_bomb(&self, defending: RankSet, winner: Winner) -> RankSet {
        let bomb = RankSet::only(Rank::Bomb);
        let shown = self.rules.silent || winner == Winner::Supposed;
        if self.rules.advance && shown && defending != bomb { defending.without(bomb) } else { defending }
    }

    /// Puts striker and defender where the strike leaves them; true if a winning defender advanced.
    fn settle_squares(
        &self,
        action: Action,
        striker: &mut Piece,
        defender: &mut Piece,
        outcome: Outcome,
    ) -> Result<bool, PlayError> {
        match outcome {
            Outcome::Win => defender.square = None,
            Outcome::Tie => (striker.square, defender.square) = (None, None),
            Outcome::Loss => {
                striker.square = None;
                let bomb = RankSet::only(Rank::Bomb);
                if self.rules.advance && defender.ranks != bomb {
                    if defender.ranks.meets(bomb) {
                        return Err(PlayError::WinnerNeeded);
                    }
                    defender.square = Some(action.from);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn note_trails(&mut self, mover: PieceId, stands: bool, action: Action, strike: bool) {
        let (own, other) = (mover.side(), mover.side().enemy());
        let chased = self.trails[other].last.is_some_and(|(_, to)| to.is_next_to(action.from));
        let goes_on = |chase: u16| chase.saturating_add(1);
        self.trails[other].chase = if chased && !strike { goes_on(self.trails[other].chase) } else { 0 };
        let threatens = stands && self.is_next_to_side(action.to, mover.side().enemy());
        let running = if strike { 0 } else { self.trails[own].chase };
        self.trails[own].chase = if threatens { goes_on(running) } else { 0 };
        self.trails[own].extend(mover, action);
        if !stands {
            self.trails[own].clear_run();
        }
    }
}

impl Position {
    /// The plies made here, oldest first, with what was reported of their strikes.
    pub fn history(&self) -> impl ExactSizeIterator<Item = &Played> + DoubleEndedIterator {
        self.past.iter().map(|past| &past.played)
    }

    /// The plies made here, newest first, each with the piece that made it.
    pub fn latest_plies(&self) -> impl Iterator<Item = (PieceId, &Played)> {
        let movers = self.earlier.iter().rev().map(|earlier| earlier.mover);
        movers.zip(self.past.iter().rev().map(|past| &past.played))
    }

    /// Forgets all but the latest `count` plies made here: the others cannot be taken back, nor what stood before
    /// them repeated.
    pub fn keep_latest(&mut self, count: usize) {
        let dropped = self.past.len().saturating_sub(count);
        let first = self.past.get(dropped).map_or(self.changed.len() as u32, |past| past.changed);
        self.past.drain(..dropped);
        self.changed.drain(..first as usize);
        self.past.iter_mut().for_each(|past| past.changed -= first);
        self.earlier.drain(..self.earlier.len().saturating_sub(count));
        self.past.shrink_to_fit();
        self.changed.shrink_to_fit();
        self.earlier.shrink_to_fit();
    }

    /// The last `count` plies made here, newest last.
    pub(super) fn earlier(&self, count: usize) -> &[Earlier] {
        &self.earlier[self.earlier.len().saturating_sub(count)..]
    }

    /// Moves and changes the pieces of a ply, but for its rescue, and notes how to take the whole ply back.
    pub(super) fn advance(
        &mut self,
        played: Played,
        mover: &(PieceId, Piece),
        victim: Option<&(PieceId, Piece)>,
    ) {
        let (id, side) = (mover.0, mover.0.side());
        self.earlier.push(Earlier { layout: self.layout, mover: id });
        self.past.push(Past {
            played,
            changed: self.changed.len() as u32,
            quiet: self.quiet,
            trail: self.trails[side],
            chase: self.trails[side.enemy()].chase,
        });
        for (id, _) in std::iter::once(mover).chain(victim) {
            self.changed.push((*id, *self.piece(*id)));
        }
        self.replace(mover, victim);
    }

    /// Takes back what the last ply made here changed, its rescue too; `None` if there is none.
    pub(super) fn retreat(&mut self) -> Option<()> {
        let (past, earlier) = (self.past.pop()?, self.earlier.pop()?);
        let mut changed = std::mem::take(&mut self.changed);
        let first = past.changed as usize;
        let raised = first + 1 + usize::from(past.is_strike());
        for (id, piece) in changed.drain(raised..).rev() {
            self.set_piece(id, piece);
        }
        self.replace(&changed[first], changed[first + 1..].first());
        changed.truncate(first);
        self.changed = changed;
        let side = earlier.mover.side();
        if past.played.action.rescue.is_some() {
            self.rescues[side] -= 1;
            self.exchanges.pop();
        }
        self.trails[side] = past.trail;
        self.trails[side.enemy()].chase = past.chase;
        self.quiet = past.quiet;
        Some(())
    }

    /// What the last ply made here changed beside its mover and the victim of its strike.
    pub(super) fn last_raised(&self) -> &[(PieceId, Piece)] {
        let first = |past: &Past| past.changed as usize + 1 + usize::from(past.is_strike());
        self.past.last().map_or(&[], |past| &self.changed[first(past)..])
    }

    /// Sets both pieces of a ply; the first leaves its square before the second arrives.
    fn replace(&mut self, (mover, piece): &(PieceId, Piece), victim: Option<&(PieceId, Piece)>) {
        self.rehash(*mover, piece);
        self.lift(*mover);
        if let Some((id, victim)) = victim {
            self.set_piece(*id, *victim);
        }
        self.put(*mover, *piece);
    }
}

/// What is wrong with a result, where the ranks of striker and defender are among these.
fn contradiction(
    action: Action,
    [striker, defender]: [RankSet; 2],
    reported: Verdict,
    strike_rules: StrikeRules,
) -> PlayError {
    let sides = [(action.from, reported.striker, striker), (action.to, reported.defender, defender)];
    for (square, reported, known) in sides {
        if let Some(rank) = reported.filter(|&rank| !known.contains(rank)) {
            return PlayError::OtherRank(square, rank, known);
        }
    }
    match reported.striker.or(striker.single()).zip(reported.defender.or(defender.single())) {
        Some((striker, defender)) if striker.is_mobile() => {
            PlayError::OtherOutcome(striker, defender, battle(striker, defender, strike_rules))
        }
        _ => PlayError::Result,
    }
}

/// Whoever makes a rescue is seen to do it, and to be no scout.
const fn note_rescuer(piece: &mut Piece) {
    piece.rescuer = true;
    piece.ranks = piece.ranks.and(RESCUERS);
    piece.learned = piece.learned.and(RESCUERS);
}

fn set_of(reported: Option<Rank>) -> RankSet {
    reported.map_or(RankSet::ALL, RankSet::only)
}

/// A flag that falls is always shown, as the game ends; a win without a rank took something else.
fn without_hidden_flag(defending: RankSet, reported: Verdict) -> RankSet {
    let flag = RankSet::only(Rank::Flag);
    if reported.outcome == Outcome::Win && reported.defender.is_none() && defending != flag {
        defending.without(flag)
    } else {
        defending
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank::RankSet;
    use super::super::ruleset::Ruleset;
    use super::super::side::Side;
    use super::*;

    #[test]
    fn what_is_revealed_after_a_ply_leaves_the_hash_right_when_the_ply_is_undone() {
        let mut position = Position::new(Ruleset::default());
        let [red, blue] = ["F........2", "F...5....."].map(|row| format!("{row:.<40}").parse().unwrap());
        position.deploy(Side::Red, &red);
        position.deploy(Side::Blue, &blue);
        let mut position = position.masked(Side::Blue);
        let scout = PieceId::new(Side::Red, 9);
        position.play("j1j2".parse().unwrap()).unwrap();
        assert!(
            position.tell(scout, RankSet::MOBILE)
                && position.tell(PieceId::new(Side::Red, 0), RankSet::IMMOBILE)
        );
        assert!(position.undo());
        assert_eq!(position.hash(), position.hash_from_scratch());
        assert_eq!(position.piece(scout).ranks, RankSet::ALL);
    }

    #[test]
    fn the_latest_plies_are_kept_and_can_be_taken_back() {
        let mut position = Position::new(Ruleset { twosquares: 0, moresquares: false, ..Ruleset::default() });
        position.deploy(Side::Red, &format!("{:.<40}", "F........3").parse().unwrap());
        position.deploy(Side::Blue, &format!("{:.<40}", "3........F").parse().unwrap());
        for text in ["j1j2", "j10j9", "j2j1", "j9j10", "j1j2", "j10j9"] {
            position.play(text.parse().unwrap()).unwrap();
        }
        position.keep_latest(4);
        assert_eq!((position.history().len(), position.ply()), (4, 6));
        (0..4).for_each(|_| assert!(position.undo()));
        assert_eq!((position.ply(), position.hash()), (2, position.hash_from_scratch()));
        assert!(!position.undo());
    }

    #[test]
    fn a_restarted_position_is_a_new_one() {
        let rules = Ruleset { rescue: true, ..Ruleset::default() };
        let mut position = Position::new(rules);
        position.deploy(Side::Red, &format!("{:.<40}", "F........2").parse().unwrap());
        position.play("j1j3".parse().unwrap()).unwrap();
        position.restart();
        assert_eq!(format!("{position:?}"), format!("{:?}", Position::new(rules)));
    }
}
