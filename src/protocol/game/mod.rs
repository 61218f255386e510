//! One game: rules, setups, board, and whether it is still the host's.

pub(crate) mod board;

use crate::protocol::game::board::Board;
use crate::protocol::grammar::command::{GameResult, ReportedPly, RuleWord};
use crate::protocol::grammar::error::{AskError, GameError, MissingSetup};
use crate::protocol::grammar::reply::Warning;
use outflank_engine::belief::Evidence;
use outflank_rules::rules::{
    Action, BySide, NoRescue, PlayError, Played, Repetition, Ruleset, Setup, Side, Spn, Viewer,
};

/// So many plies of a game, and less than twice as many, are kept to be taken back and listed.
pub const KEPT_PLIES: usize = 10_000;

/// The game that the host reported.
#[derive(Clone, Debug, Default)]
pub(crate) struct Game {
    rules: Ruleset,
    ours: Option<Side>,
    setups: BySide<Option<Setup>>,
    board: Option<Board>,
    /// Whether the board comes from a position text.
    placed: bool,
    desynced: bool,
    /// How the host said that the game ended.
    reported: Option<GameResult>,
}

impl Game {
    /// A cleared game.
    pub(crate) fn new(rules: Ruleset, ours: Option<Side>) -> Game {
        Game { rules, ours, ..Game::default() }
    }

    /// The rules in force.
    pub(crate) fn rules(&self) -> &Ruleset {
        self.board.as_ref().map_or(&self.rules, |board| board.position().rules())
    }

    /// The board, once our setup is known.
    pub(crate) fn board(&self) -> Result<&Board, AskError> {
        self.board.as_ref().ok_or_else(|| AskError::NoSetup(self.missing_setup()))
    }

    /// What keeps the board from being built.
    fn missing_setup(&self) -> MissingSetup {
        let ours = Side::BOTH.into_iter().find(|side| {
            self.ours.is_none_or(|ours| ours == *side)
                && self.setups[*side].is_some_and(|setup| setup.shows_every_rank())
        });
        match ours {
            Some(side) if self.setups[side.enemy()].is_none() => MissingSetup::Squares,
            None if self.reported_without_ranks() => MissingSetup::Ranks,
            Some(_) | None => MissingSetup::Ours,
        }
    }

    /// Whether whatever may be our setup was reported, and without its ranks.
    fn reported_without_ranks(&self) -> bool {
        let reported = |side: Side| self.setups[side].is_some();
        self.ours.map_or_else(|| Side::BOTH.into_iter().all(reported), reported)
    }

    /// Which side we play: `None` is both, in a study, or not known yet.
    pub(crate) fn ours(&self) -> Option<Side> {
        match self.board.as_ref().map(Board::viewer) {
            Some(Viewer::Player(side)) => Some(side),
            Some(Viewer::Both) | None => self.ours,
        }
    }

    /// The side that `newgame` gave us.
    pub(crate) const fn side_given(&self) -> Option<Side> {
        self.ours
    }

    /// Whether an earlier line failed, so that the game may not be the host's.
    pub(crate) const fn desynced(&self) -> bool {
        self.desynced
    }

    /// Notes that a line which tells the game has failed.
    pub(crate) const fn desync(&mut self) {
        self.desynced = true;
    }

    /// Whether the host said that the game is over.
    pub(crate) const fn closed(&self) -> bool {
        self.reported.is_some()
    }

    /// Checks that the host has not reported another result before.
    pub(crate) fn check_result(&self, result: GameResult) -> Result<(), AskError> {
        match self.reported {
            Some(before) if before != result => Err(AskError::OtherResult(before)),
            Some(_) | None => Ok(()),
        }
    }

    /// Checks that the host has not said that the game is over.
    pub(crate) const fn check_open(&self) -> Result<(), AskError> {
        if self.closed() { Err(AskError::Closed) } else { Ok(()) }
    }

    /// Notes how the game ended.
    pub(crate) const fn close(&mut self, result: GameResult) {
        self.reported = Some(result);
    }

    /// Changes the rules; only before the first ply.
    pub(crate) fn change_rules(&mut self, words: &[RuleWord]) -> Result<(), GameError> {
        self.check_unbegun()?;
        let rules = changed(self.rules, words)?;
        for side in Side::BOTH {
            if let Some(setup) = &self.setups[side] {
                check_setup(setup, side, &rules)?;
            }
        }
        self.rules = rules;
        self.rebuild();
        Ok(())
    }

    /// Tells a setup; only before the first ply.
    pub(crate) fn set_up(&mut self, side: Side, setup: &Setup) -> Result<(), GameError> {
        self.check_unbegun()?;
        check_setup(setup, side, &self.rules)?;
        if self.ours == Some(side) && !setup.shows_every_rank() {
            return Err(GameError::OwnSetup(side));
        }
        self.setups[side] = Some(*setup);
        self.rebuild();
        Ok(())
    }

    /// Whether armies may still be reported.
    pub(crate) fn check_unbegun(&self) -> Result<(), GameError> {
        let begun = self.board.as_ref().is_some_and(|board| board.position().ply() > 0);
        if begun || self.placed {
            return Err(GameError::Started);
        }
        if self.closed() { Err(GameError::Closed) } else { Ok(()) }
    }

    /// Builds the board from what was reported of both setups, if that is enough.
    fn rebuild(&mut self) {
        let hidden = if self.rules.barrage { None } else { Some(Setup::HIDDEN) };
        let whole = |side: Side| self.setups[side].is_some_and(|setup| setup.shows_every_rank());
        let viewer = match (whole(Side::Red), whole(Side::Blue)) {
            (true, true) => Some(Viewer::Both),
            (true, false) => Some(Viewer::Player(Side::Red)),
            (false, true) => Some(Viewer::Player(Side::Blue)),
            (false, false) => None,
        };
        let [red, blue] = self.setups.map(|setup| setup.or(hidden)).into_array();
        self.board = match (viewer, red, blue) {
            (Some(viewer), Some(red), Some(blue)) => self.build(viewer, &BySide::new([red, blue])),
            _ => None,
        };
    }

    fn build(&self, viewer: Viewer, setups: &BySide<Setup>) -> Option<Board> {
        match viewer {
            Viewer::Both => Some(Board::study(self.rules, setups)),
            Viewer::Player(side) if self.ours.is_none_or(|ours| ours == side) => {
                Some(Board::start(self.rules, side, setups))
            }
            Viewer::Player(_) => None,
        }
    }

    /// The game of a position text and what was played from there.
    pub(crate) fn place(&self, text: &str, moves: &[ReportedPly]) -> Result<(Game, Vec<Warning>), GameError> {
        let spn = Spn::parse(text, self.rules).map_err(GameError::Position)?;
        let board = Board::from_spn(spn);
        if !board.is_possible() {
            return Err(GameError::World);
        }
        let mut game =
            Game { rules: self.rules, ours: self.ours, board: Some(board), placed: true, ..Game::default() };
        let warnings = game.play(moves)?;
        Ok((game, warnings))
    }

    /// Makes all the plies or, on an error, none.
    pub(crate) fn play(&mut self, moves: &[ReportedPly]) -> Result<Vec<Warning>, GameError> {
        if self.closed() {
            return Err(GameError::Closed);
        }
        let missing = self.missing_setup();
        let board = self.board.as_mut().ok_or(GameError::NoSetup(missing))?;
        let mut warnings = Vec::new();
        for (index, &ply) in moves.iter().enumerate() {
            match play_one(board, ply) {
                Ok(warning) => warnings.extend(warning),
                Err(fault) => {
                    (0..index).for_each(|_| {
                        board.undo();
                    });
                    return Err(fault.in_list(index + 1, ply.played));
                }
            }
        }
        // Not before all are made, as one that fails takes the others back.
        board.keep_latest(KEPT_PLIES);
        Ok(warnings)
    }

    /// Takes in what a search found out about the last ply, if the game still stands there.
    pub(crate) fn learn(&mut self, found: &Evidence) {
        if let Some(board) = self.board.as_mut() {
            board.learn(found);
        }
    }

    /// Takes over what was found out about another telling of the same game.
    pub(crate) fn inherit(&mut self, other: &Game) {
        if let (Some(board), Some(other)) = (&mut self.board, &other.board) {
            board.inherit(other);
        }
    }

    /// Takes plies back; `0` says that the host agrees with the game as it is. A game that was reported over goes
    /// on.
    pub(crate) fn undo(&mut self, plies: u32) -> Result<(), GameError> {
        let made = self.board.as_ref().map_or(0, |board| board.position().history().len());
        if plies as usize > made {
            return Err(GameError::Undo(made));
        }
        if let Some(board) = self.board.as_mut() {
            (0..plies).for_each(|_| {
                board.undo();
            });
        }
        self.desynced &= plies > 0;
        self.reported = None;
        Ok(())
    }

    /// Whether we may be asked for an action now.
    pub(crate) fn check_turn(&self) -> Result<&Board, AskError> {
        if self.desynced {
            return Err(AskError::Desynced);
        }
        let board = self.board()?;
        self.check_open()?;
        if let Some(ending) = board.ending() {
            return Err(AskError::GameOver(ending));
        }
        let mover = board.position().to_move();
        if !board.knows_mover() || self.ours().is_some_and(|side| side != mover) {
            return Err(AskError::NotOurTurn(mover));
        }
        Ok(board)
    }

    /// Checks that each action is legal for the side to move.
    pub(crate) fn check_legal(board: &Board, actions: &[Action]) -> Result<(), AskError> {
        if actions.iter().any(|action| action.rescue.is_some_and(|rescue| rescue.rank.is_none())) {
            return Err(AskError::Rescue(NoRescue::Untold));
        }
        match actions.iter().find(|&&action| !board.position().is_legal(action)) {
            Some(&action) => Err(AskError::Illegal(board.text(action))),
            None => Ok(()),
        }
    }
}

/// Why one move of a list fails.
enum Fault {
    Play(PlayError),
    Army,
    Repetition(Repetition),
}

impl Fault {
    fn in_list(self, number: usize, played: Played) -> GameError {
        match self {
            Fault::Play(error) => GameError::Play(number, played.to_string(), error),
            Fault::Army => GameError::Army(number, played.to_string()),
            Fault::Repetition(rule) => GameError::Repetition(number, played.to_string(), rule),
        }
    }
}

/// Makes one ply. One after which no whole army fits contradicts what is known. Breaking only a repetition rule is an
/// error for our side and in a study, else a warning.
fn play_one(board: &mut Board, ply: ReportedPly) -> Result<Option<Warning>, Fault> {
    let (ReportedPly { played, strike }, viewer) = (ply, board.viewer());
    if strike && board.position().piece_at(played.action.to).is_none() {
        return Err(Fault::Play(PlayError::NoStrike(played.action.to)));
    }
    let broken = board.position().repetition(played.action);
    let mover = board.position().to_move();
    let text = broken.map(|_| board.text(played.action)).unwrap_or_default();
    let id = board.position().piece_at(played.action.from);
    let before = id.map(|id| board.position().piece(id).ranks);
    board.play(played).map_err(Fault::Play)?;
    let narrowed = id.map(|id| board.position().piece(id).ranks) != before;
    let last = board.position().history().last();
    let reported = last.is_some_and(|last| last.verdict.is_some() || last.action.rescue.is_some());
    // A move by a piece that is known to move tells nothing of any rank.
    if (narrowed || reported) && !board.is_possible() {
        board.undo();
        return Err(Fault::Army);
    }
    match broken {
        Some(rule) if viewer != Viewer::Player(mover.enemy()) => {
            board.undo();
            Err(Fault::Repetition(rule))
        }
        Some(rule) => Ok(Some(Warning { text, rule })),
        None => Ok(None),
    }
}

fn check_setup(setup: &Setup, side: Side, rules: &Ruleset) -> Result<(), GameError> {
    setup.check(&rules.army()).map_err(|error| GameError::Setup(side, error))
}

/// The rules after the words of a `rules` line.
pub(crate) fn changed(mut rules: Ruleset, words: &[RuleWord]) -> Result<Ruleset, GameError> {
    for word in words {
        match word {
            RuleWord::Preset(preset) => rules = Ruleset::of(*preset),
            RuleWord::Key(key, value) => rules.set(key, value).map_err(GameError::Rules)?,
        }
    }
    Ok(rules)
}
