//! The state of a conversation: options, game, and what a search is for.

use super::ask;
use super::board::Board;
use super::command::{Command, Go, Keyword, RuleWord};
use super::draw::{self, Style};
use super::errand::{self, Errand};
use super::error::{AskError, CommandError, GameError};
use super::game::{Game, Warning, changed};
use super::help;
use super::job::{Done, Job, Search};
use super::options::Options;
use super::parse::Misread;
use super::reply::{Best, Reply, Status};
use super::score;
use super::suspect;
use super::why::Why;
use crate::dice::Dice;
use crate::rules::{Action, Played, Position, Ruleset, Setup, Side};
use crate::search::{Choice, Limits};
use crate::view::View;

/// Uses of the seed that do not depend on each other.
#[derive(Copy, Clone)]
enum Stream {
    Search = 1,
    Setup = 2,
    Worlds = 3,
    Why = 4,
}

/// From this share of expected losses on, in permille, a position counts as hopeless.
const HOPELESS: u16 = 990;
/// So many hopeless searches running make us resign.
const HOPELESS_RUN: u32 = 3;

/// A conversation with one host.
#[derive(Debug)]
pub(super) struct Session {
    game: Game,
    rules: Ruleset,
    options: Options,
    /// The seed while the host has set none.
    own_seed: u64,
    /// Setups chosen since the seed was set.
    setups: u64,
    previous_setup: Option<Setup>,
    /// Samples drawn since the seed was set.
    samples: u64,
    /// Hopeless searches running, and the ply of the last.
    hopeless: (u32, Option<u32>),
    errand: Option<Errand>,
    style: Style,
}

impl Session {
    /// A fresh session; `own_seed` serves until the host sets one.
    pub(super) fn new(own_seed: u64, style: Style) -> Session {
        let rules = Ruleset::default();
        Session {
            game: Game::new(rules, None),
            rules,
            options: Options::default(),
            own_seed,
            setups: 0,
            previous_setup: None,
            samples: 0,
            hopeless: (0, None),
            errand: None,
            style,
        }
    }

    /// Answers a line that cannot be read.
    pub(super) fn misread(&mut self, misread: &Misread, replies: &mut Vec<Reply>) {
        replies.push(Reply::Error(misread.error.clone().into()));
        self.fail(misread.keyword, replies);
    }

    /// What a failed line means beyond its error: a `go` still gets its answer, the game may be another than ours.
    pub(super) fn fail(&mut self, keyword: Option<Keyword>, replies: &mut Vec<Reply>) {
        match keyword {
            Some(Keyword::Go) => replies.push(Reply::BestMove(Best::None)),
            Some(Keyword::Play | Keyword::Position) => self.game.desync(),
            _ => {}
        }
    }

    /// Carries a command out; returns work to start, if it takes time.
    pub(super) fn execute(&mut self, command: Command, replies: &mut Vec<Reply>) -> Option<Job> {
        let keyword = match command {
            Command::Go(_) => Some(Keyword::Go),
            Command::Play(_) => Some(Keyword::Play),
            Command::Position { .. } => Some(Keyword::Position),
            _ => None,
        };
        self.try_execute(command, replies).unwrap_or_else(|error| {
            replies.push(Reply::Error(error));
            self.fail(keyword, replies);
            None
        })
    }

    fn try_execute(
        &mut self,
        command: Command,
        replies: &mut Vec<Reply>,
    ) -> Result<Option<Job>, CommandError> {
        match command {
            Command::Sei => introduce(replies),
            Command::IsReady => replies.push(Reply::ReadyOk),
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::Rules(words) => self.change_rules(&words, replies)?,
            Command::NewGame { side, rules } => self.new_game(side, &rules)?,
            Command::Setup(side, setup) => self.game.set_up(side, &setup)?,
            Command::Position { spn, moves } => self.place(&spn, &moves, replies)?,
            Command::Play(moves) => self.play(&moves, replies)?,
            Command::Undo(plies) => self.undo(plies, replies)?,
            Command::History => replies.push(Reply::History(self.history())),
            Command::Status => replies.push(Reply::Status(self.status(false))),
            Command::Go(go) => return self.go(go).map(Some),
            // The driver has dealt with these; idle, there is nothing to stop or to wait for.
            Command::Stop | Command::Wait | Command::Quit => {}
            Command::GameOver { winner: _, reveal } => self.game_over(reveal.as_deref(), replies)?,
            Command::Belief { pieces, json } => {
                let pieces = ask::belief(self.game.board()?, pieces)?;
                if json {
                    replies.push(Reply::BeliefJson(pieces));
                } else {
                    replies.extend(pieces.into_iter().map(Reply::Belief));
                }
            }
            Command::Sample(count) => self.sample(count, replies)?,
            Command::Legal => replies.push(ask::legal(self.game.board()?)?),
            Command::Draw => draw::draw(&self.game, self.style, replies)?,
            Command::Map { rank, ours } => draw::map(&self.game, rank, ours, self.style, replies)?,
            Command::Eval => replies.extend(ask::evaluation(self.game.board()?)),
            Command::Why(action) => return self.why(action).map(Some),
            Command::Suspect(square) => replies.extend(suspect::explain(self.game.board()?, square)?),
            Command::Perft(depth) => return self.perft(depth).map(Some),
            Command::Bench(nodes) => {
                self.errand = Some(Errand::Lines("benchmarking"));
                return Ok(Some(Job::Bench(nodes)));
            }
            Command::Help(keyword) => replies.extend(help::lines(keyword).map(Reply::Drawn)),
        }
        Ok(None)
    }

    fn seed(&self) -> u64 {
        self.options.seed.unwrap_or(self.own_seed)
    }

    /// A seed for one use, `count`-th of its kind.
    fn seed_for(&self, stream: Stream, count: u64) -> u64 {
        Dice::stream(self.seed(), (stream as u64) << 56 | count).bits()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), CommandError> {
        let before = self.seed();
        self.options.set(name, value)?;
        if self.seed() != before || name.eq_ignore_ascii_case("Seed") {
            (self.setups, self.samples) = (0, 0);
        }
        Ok(())
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
        self.hopeless = (0, None);
        Ok(())
    }

    fn place(&mut self, spn: &str, moves: &[Played], replies: &mut Vec<Reply>) -> Result<(), GameError> {
        let base = Game::new(self.rules, self.game.ours_told());
        let (game, warnings) = base.place(spn, moves)?;
        self.game = game;
        self.hopeless = (0, None);
        warn(warnings, replies);
        Ok(())
    }

    fn play(&mut self, moves: &[Played], replies: &mut Vec<Reply>) -> Result<(), GameError> {
        warn(self.game.play(moves)?, replies);
        Ok(())
    }

    fn undo(&mut self, plies: u32, replies: &mut Vec<Reply>) -> Result<(), GameError> {
        self.game.undo(plies)?;
        self.hopeless = (0, None);
        let status = self.status(false);
        replies.push(Reply::Undone(plies, status.ply, status.turn));
        Ok(())
    }

    fn history(&self) -> Vec<Played> {
        self.game.board().map(|board| board.position().history().copied().collect()).unwrap_or_default()
    }

    /// The state in one line.
    pub(super) fn status(&self, thinking: bool) -> Status {
        let position = self.game.board().ok().map(Board::position);
        let ours = match (self.game.ours(), position) {
            (Some(Side::Red), _) => "red",
            (Some(Side::Blue), _) => "blue",
            (None, Some(_)) => "both",
            (None, None) => "none",
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

    fn go(&mut self, go: Go) -> Result<Job, CommandError> {
        match go {
            Go::Setup => {
                let rules = *self.game.rules();
                self.setups += 1;
                self.errand = Some(Errand::Setup(rules));
                let seed = self.seed_for(Stream::Setup, 0);
                Ok(Job::Setup(rules, self.previous_setup, seed, self.setups))
            }
            Go::Action(limits, only) => self.search(&limits, only).map(Job::Search),
        }
    }

    fn search(&mut self, limits: &Limits, only: Vec<Action>) -> Result<Box<Search>, CommandError> {
        let board = self.game.check_turn()?;
        Game::check_legal(board, &only)?;
        let view = board.view().clone();
        let (side, ply) = (view.viewer(), view.position().ply());
        self.errand = Some(Errand::Action { view: Box::new(view.clone()), only: only.clone() });
        Ok(Box::new(Search {
            view,
            only,
            budget: limits.budget(side, self.options.overhead),
            seed: self.seed_for(Stream::Search, ply.into()),
            lines: self.options.lines,
            infinite: limits.infinite && limits.nodes.is_none() && limits.depth.is_none(),
        }))
    }

    fn why(&mut self, action: Action) -> Result<Job, CommandError> {
        let board = self.game.board()?;
        if !board.knows_mover() {
            return Err(AskError::Hidden.into());
        }
        Game::check_legal(board, &[action])?;
        let view = board.view().clone();
        let seed = self.seed_for(Stream::Why, view.position().ply().into());
        self.errand = Some(Errand::Lines("explaining"));
        Ok(Job::Why(Box::new(Why { view, action, seed })))
    }

    fn perft(&mut self, depth: u32) -> Result<Job, CommandError> {
        let position = ask::full_position(self.game.board()?)?.clone();
        self.errand = Some(Errand::Lines("counting"));
        Ok(Job::Perft(Box::new(position), depth))
    }

    fn sample(&mut self, count: usize, replies: &mut Vec<Reply>) -> Result<(), AskError> {
        let mut dice = Dice::new(self.seed_for(Stream::Worlds, self.samples));
        replies.extend(ask::worlds(self.game.board()?, count, &mut dice)?);
        self.samples += 1;
        Ok(())
    }

    fn game_over(&mut self, reveal: Option<&str>, replies: &mut Vec<Reply>) -> Result<(), AskError> {
        match (self.game.board(), reveal) {
            (Ok(board), _) => replies.extend(score::score(board, reveal)?),
            (Err(error), Some(_)) => return Err(error),
            (Err(_), None) => {}
        }
        self.game.close();
        Ok(())
    }

    /// Whether the host asked for several lines of a search.
    pub(super) const fn reports_several(&self) -> bool {
        self.options.lines > 1
    }

    /// Answers what a job was started for.
    pub(super) fn finish(&mut self, done: Done, replies: &mut Vec<Reply>) {
        let Some(errand) = self.errand.take() else { return };
        if matches!(done, Done::Panicked) {
            replies.push(Reply::Error(CommandError::Internal(errand.name())));
        }
        match errand {
            Errand::Action { view, only } => {
                let choice = if let Done::Choice(choice) = done { Some(choice) } else { None };
                let hopeless = choice.as_ref().is_some_and(|choice| self.is_hopeless(&view, choice));
                let answer =
                    if hopeless { Best::Resign } else { errand::answer(&view, &only, choice.as_ref()) };
                replies.push(Reply::BestMove(answer));
            }
            Errand::Setup(rules) => {
                let setup = if let Done::Setup(setup) = done { setup } else { errand::plain_setup(&rules) };
                self.previous_setup = Some(setup);
                replies.push(Reply::BestSetup(setup));
            }
            Errand::Lines(_) => {}
        }
    }

    fn is_hopeless(&mut self, view: &View, choice: &Choice) -> bool {
        let ply = view.position().ply();
        let lost = choice.score.is_some_and(|score| score.loss >= HOPELESS);
        let (before, last_ply) = self.hopeless;
        let running = match (lost, last_ply == Some(ply)) {
            (false, _) => 0,
            (true, true) => before,
            (true, false) => before + 1,
        };
        self.hopeless = (running, Some(ply));
        self.options.resign && running >= HOPELESS_RUN
    }
}

fn introduce(replies: &mut Vec<Reply>) {
    replies.push(Reply::Identity);
    replies.extend(Options::OFFERS.map(Reply::Offer));
    replies.push(Reply::SeiOk);
}

fn warn(warnings: Vec<Warning>, replies: &mut Vec<Reply>) {
    replies.extend(warnings.into_iter().map(Reply::Warning));
}
