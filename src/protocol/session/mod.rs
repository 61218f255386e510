//! The state of a conversation: options, game, and what a search is for.

pub(crate) mod pending;
mod pondering;
pub(crate) mod settings;
pub(crate) mod task;
mod thinking;

use crate::protocol::analysis::{belief_score, explain_piece, queries};
use crate::protocol::drawing::{diagram, heat_map};
use crate::protocol::game::board::Board;
use crate::protocol::game::{Game, changed};
use crate::protocol::grammar::command::{Command, GameResult, Pieces, ReportedPly, RuleWord};
use crate::protocol::grammar::error::{AskError, CommandError, GameError, OptionError};
use crate::protocol::grammar::help;
use crate::protocol::grammar::keyword::Keyword;
use crate::protocol::grammar::option_name::OptionName;
use crate::protocol::grammar::options::Options;
use crate::protocol::grammar::parse::Misread;
use crate::protocol::grammar::reply::{Best, Reply, Status, Warning};
use crate::protocol::session::pending::Pending;
use crate::protocol::session::task::Task;
use outflank_engine::engine::Searcher;
use outflank_engine::search::TranspositionTable;
use outflank_rules::rng::Rng;
use outflank_rules::rules::{Played, Position, Ruleset, Setup, Side, Viewer};
use pondering::Pondering;
use settings::ConversationSettings;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

/// Uses of the seed that do not depend on each other.
#[derive(Copy, Clone)]
enum Stream {
    Search = 1,
    Setup = 2,
    Worlds = 3,
    Why = 4,
}

/// A conversation with one host.
#[derive(Debug)]
pub(crate) struct Session {
    settings: ConversationSettings,
    game: Game,
    rules: Ruleset,
    options: Options,
    /// Setups chosen since the seed was set.
    setups: u64,
    previous_setup: Option<Setup>,
    /// Samples drawn since the seed was set.
    samples: u64,
    /// Hopeless searches in a row, and the ply of the last.
    hopeless: (u32, Option<u32>),
    pending: Option<Pending>,
    /// The transposition table, once it is needed.
    table: Option<Arc<TranspositionTable>>,
    /// Threads that the machine runs at once: with more of them, limits would not hold.
    cores: usize,
    pondering: Pondering,
}

impl Session {
    /// A fresh session.
    pub(crate) fn new(settings: ConversationSettings) -> Session {
        let rules = Ruleset::default();
        Session {
            settings,
            game: Game::new(rules, None),
            rules,
            options: Options::default(),
            setups: 0,
            previous_setup: None,
            samples: 0,
            hopeless: (0, None),
            pending: None,
            table: None,
            cores: thread::available_parallelism().map_or(1, NonZero::get),
            pondering: Pondering::default(),
        }
    }

    /// What chooses actions.
    pub(crate) const fn searcher(&self) -> Searcher {
        self.settings.searcher
    }

    /// Answers a line that cannot be read.
    pub(crate) fn misread(&mut self, misread: &Misread, replies: &mut Vec<Reply>) {
        replies.push(Reply::Error(misread.error.clone().into()));
        self.fail(misread.keyword, replies);
    }

    /// What a failed line means beyond its error: a `go` still gets its answer, the game may be another than ours.
    pub(crate) fn fail(&mut self, keyword: Option<Keyword>, replies: &mut Vec<Reply>) {
        match keyword {
            Some(Keyword::Go) => replies.push(Reply::BestMove(Best::None)),
            Some(Keyword::Play | Keyword::Position) => self.game.desync(),
            None
            | Some(
                Keyword::Sei
                | Keyword::IsReady
                | Keyword::SetOption
                | Keyword::Rules
                | Keyword::NewGame
                | Keyword::Setup
                | Keyword::Undo
                | Keyword::History
                | Keyword::Status
                | Keyword::Stop
                | Keyword::Wait
                | Keyword::Quit
                | Keyword::GameOver
                | Keyword::Belief
                | Keyword::Legal
                | Keyword::Draw
                | Keyword::Eval
                | Keyword::Why
                | Keyword::Perft
                | Keyword::Bench
                | Keyword::Help,
            ) => {}
        }
    }

    /// Carries a command out; returns work to start, if it takes time.
    pub(crate) fn execute(&mut self, command: Command, replies: &mut Vec<Reply>) -> Option<Task> {
        let keyword = command.keyword();
        self.try_execute(command, replies).unwrap_or_else(|error| {
            replies.push(Reply::Error(error));
            self.fail(Some(keyword), replies);
            None
        })
    }

    fn try_execute(
        &mut self,
        command: Command,
        replies: &mut Vec<Reply>,
    ) -> Result<Option<Task>, CommandError> {
        match command {
            Command::Sei => self.introduce(replies),
            Command::IsReady => replies.push(Reply::ReadyOk),
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::Rules(words) => self.change_rules(&words, replies)?,
            Command::NewGame { side, rules } => self.new_game(side, &rules)?,
            Command::Setup(side, setup) => self.game.set_up(side, &setup)?,
            Command::SetupAuto(side) => {
                self.game.check_unbegun()?;
                return Ok(Some(self.choose_setup(Some(side))));
            }
            Command::Position { spn, moves } => self.place(&spn, &moves, replies)?,
            Command::Play(moves) => {
                self.play(&moves, replies)?;
                return Ok(self.ponder().map(Task::Ponder));
            }
            Command::Undo(plies) => self.undo(plies, replies)?,
            Command::History => replies.push(Reply::History(self.history())),
            Command::Status => replies.push(Reply::Status(self.status(false))),
            Command::Go(go) => return self.go(go, replies).map(Some),
            // The event loop has dealt with these; idle, there is nothing to stop or to wait for.
            Command::Stop | Command::Wait | Command::Quit | Command::Bench(_) => {}
            Command::GameOver { result, reveal } => self.game_over(result, reveal.as_deref(), replies)?,
            Command::Belief { pieces, json } => self.believed(pieces, json, replies)?,
            Command::Sample(count) => self.sample(count, replies)?,
            Command::Legal => replies.push(self.legal()?),
            Command::Draw => diagram::draw(&self.game, self.settings.style, replies)?,
            Command::HeatMap { rank, ours } => {
                heat_map::draw(self.game.board()?, rank, ours, self.settings.style, replies);
            }
            Command::Eval => replies.extend(queries::evaluation(self.game.board()?)),
            Command::ExplainMove(action) => return self.explain_move(action).map(Some),
            Command::ExplainPiece(square) => {
                replies.extend(explain_piece::explain(self.game.board()?, square)?);
            }
            Command::Perft(depth) => return self.perft(depth).map(Some),
            Command::Help(keyword) => replies.extend(help::lines(keyword).map(Reply::Drawn)),
        }
        Ok(None)
    }

    fn believed(&self, pieces: Pieces, json: bool, replies: &mut Vec<Reply>) -> Result<(), CommandError> {
        let pieces = queries::belief(self.game.board()?, pieces)?;
        if json {
            replies.push(Reply::BeliefJson(pieces));
        } else {
            replies.extend(pieces.into_iter().map(Reply::Belief));
        }
        Ok(())
    }

    /// A stand-in offers no option of the search.
    fn introduce(&self, replies: &mut Vec<Reply>) {
        replies.push(Reply::Identity(self.settings.stand_in.map_or("Outflank", |player| player.name)));
        let options = OptionName::ALL.into_iter();
        let serves = |option: &OptionName| self.settings.stand_in.is_none() || *option == OptionName::Seed;
        replies.extend(options.filter(serves).map(Reply::Option));
        replies.push(Reply::SeiOk);
    }

    /// Notes that a task was started which answers by nothing but the lines it prints; `what` it does.
    pub(crate) fn expect_lines(&mut self, what: &'static str) {
        self.pending = Some(Pending::Lines(what));
    }

    fn seed(&self) -> u64 {
        self.options.seed.unwrap_or(self.settings.seed)
    }

    /// A seed for one use, `count`-th of its kind.
    fn seed_for(&self, stream: Stream, count: u64) -> u64 {
        Rng::stream(self.seed(), (stream as u64) << 56 | count).bits()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), CommandError> {
        let (before, hash, evaluator) = (self.seed(), self.options.hash, self.options.evaluator);
        let option = self.options.set(name, value)?;
        if option == OptionName::Hash {
            self.take_memory(hash)?;
        }
        if self.options.evaluator != evaluator {
            // What was pondered has other values.
            self.pondering = Pondering::default();
        }
        if self.seed() != before || option == OptionName::Seed {
            (self.setups, self.samples) = (0, 0);
        }
        Ok(())
    }

    /// Takes the memory that the option asks for; if it cannot be had, `before` megabytes stay in force.
    fn take_memory(&mut self, before: usize) -> Result<(), OptionError> {
        (self.table, self.pondering) = (None, Pondering::default());
        let table = TranspositionTable::of_megabytes(self.options.hash).map_err(|error| {
            self.options.hash = before;
            OptionError::Memory(OptionName::Hash, error)
        })?;
        self.table = Some(Arc::new(table));
        Ok(())
    }

    /// Forgets what belongs to the plies made so far.
    fn forget_course(&mut self) {
        self.hopeless = (0, None);
        self.pondering = Pondering::default();
    }

    fn change_rules(&mut self, words: &[RuleWord], replies: &mut Vec<Reply>) -> Result<(), GameError> {
        if !words.is_empty() {
            self.game.change_rules(words)?;
            self.rules = *self.game.rules();
        }
        replies.push(Reply::Rules(*self.game.rules()));
        Ok(())
    }

    fn new_game(&mut self, side: Option<Side>, words: &[RuleWord]) -> Result<(), GameError> {
        self.rules = changed(self.rules, words)?;
        self.game = Game::new(self.rules, side);
        self.forget_course();
        Ok(())
    }

    fn place(&mut self, spn: &str, moves: &[ReportedPly], replies: &mut Vec<Reply>) -> Result<(), GameError> {
        let base = Game::new(self.rules, self.game.side_given());
        let (mut game, warnings) = base.place(spn, moves)?;
        game.inherit(&self.game);
        self.game = game;
        self.forget_course();
        warn(warnings, replies);
        Ok(())
    }

    fn play(&mut self, moves: &[ReportedPly], replies: &mut Vec<Reply>) -> Result<(), GameError> {
        warn(self.game.play(moves)?, replies);
        Ok(())
    }

    fn undo(&mut self, plies: u32, replies: &mut Vec<Reply>) -> Result<(), GameError> {
        self.game.undo(plies)?;
        self.forget_course();
        let status = self.status(false);
        replies.push(Reply::Undone(plies, status.ply, status.turn));
        Ok(())
    }

    fn history(&self) -> Vec<Played> {
        self.game.board().map(|board| board.position().history().copied().collect()).unwrap_or_default()
    }

    /// The state in one line.
    pub(crate) fn status(&self, thinking: bool) -> Status {
        let position = self.game.board().ok().map(Board::position);
        let viewer = self.game.board().ok().map(Board::viewer);
        let ours = match (viewer, self.game.ours()) {
            (Some(Viewer::Both), _) => "both",
            (_, Some(Side::Red)) => "red",
            (_, Some(Side::Blue)) => "blue",
            (_, None) => "none",
        };
        Status {
            thinking,
            ply: position.map_or(0, Position::ply),
            turn: position.map_or(Side::Red, Position::to_move),
            ours,
            desynced: self.game.desynced(),
            seed: self.seed(),
            ending: position.and_then(Position::ending),
            closed: self.game.closed(),
        }
    }

    fn sample(&mut self, count: usize, replies: &mut Vec<Reply>) -> Result<(), AskError> {
        let mut rng = Rng::new(self.seed_for(Stream::Worlds, self.samples));
        replies.extend(queries::worlds(self.game.board()?, count, &mut rng)?);
        self.samples += 1;
        Ok(())
    }

    /// The legal moves; none, whoever is to move, once the game is over by the board or by the host's word.
    fn legal(&self) -> Result<Reply, AskError> {
        let board = self.game.board()?;
        let over = self.game.closed() || board.ending().is_some();
        if over { Ok(Reply::Legal(Vec::new())) } else { queries::legal(board) }
    }

    fn game_over(
        &mut self,
        result: GameResult,
        reveal: Option<&str>,
        replies: &mut Vec<Reply>,
    ) -> Result<(), AskError> {
        self.game.check_result(result)?;
        match (self.game.board(), reveal) {
            (Ok(board), _) => replies.extend(belief_score::score(board, reveal)?),
            (Err(error), Some(_)) => return Err(error),
            (Err(_), None) => {}
        }
        self.game.close(result);
        Ok(())
    }

    /// Whether the host asked for several lines of a search.
    pub(crate) const fn reports_several(&self) -> bool {
        self.options.lines > 1
    }
}

fn warn(warnings: Vec<Warning>, replies: &mut Vec<Reply>) {
    replies.extend(warnings.into_iter().map(Reply::Warning));
}
