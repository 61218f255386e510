//! The conversation with a person: questions before a game, commands in it, the truth at its end.

use crate::believed::{believed, is_open};
use crate::command::{Command, HELP, LEVELS, Misread, RULES, WORDS, square};
use crate::course;
use crate::game::{End, Game, Terms};
use crate::input::Input;
use crate::interrupt::Interrupts;
use crate::keeper::Keeper;
use crate::progress::with_progress;
use crate::saved;
use crate::sentence::{result, sentence};
use crate::width::{fit, wrapped};
use outflank::engine::{Engine, Settings, choose_setup};
use outflank::event::Event;
use outflank::protocol::{Style, for_people};
use outflank::rng::Rng;
use outflank::rules::{Action, Preset, Ruleset, Setup, Side, Square};
use outflank::search::{Budget, Level};
use outflank_record::parse_rules;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is settled before the conversation begins; the rest is asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The rule system.
    pub rules: Option<Ruleset>,
    /// The person's side.
    pub side: Option<Side>,
    /// The engine's level.
    pub level: Option<Level>,
    /// The person's setup, in the first game.
    pub setup: Option<FirstSetup>,
    /// How long the engine thinks.
    pub budget: Budget,
    /// Seeds all chance.
    pub seed: u64,
    /// A saved game to go on with.
    pub load: Option<PathBuf>,
}

/// A setup for the first game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum FirstSetup {
    /// The engine chooses it.
    Auto,
    /// These letters, back row first.
    Typed(String),
}

/// A conversation.
pub struct Session<'a> {
    input: &'a mut dyn Input,
    output: &'a mut dyn Write,
    style: Style,
    options: Options,
    /// The file that was last saved to or loaded from.
    file: Option<PathBuf>,
    /// Setups chosen for the person so far.
    drawn: u64,
    interrupts: Arc<Interrupts>,
    keeper: Arc<Keeper>,
    /// Tells how many columns there are; it may change at any time.
    columns: fn() -> Option<usize>,
}

/// What comes after a game.
enum Next {
    /// It is over.
    Over,
    /// Another one was loaded.
    Loaded(Box<Game>),
    /// The person has left.
    Left,
}

/// What a command leads to.
enum After {
    Turn,
    Acted,
    Next(Next),
}

const LEVEL: u64 = 5;

impl<'a> Session<'a> {
    /// A conversation that has not begun.
    pub fn new(input: &'a mut dyn Input, output: &'a mut dyn Write, style: Style, options: Options) -> Self {
        let (interrupts, keeper) = (Arc::default(), Arc::default());
        let (file, drawn, columns) = (None, 0, || None);
        Session { input, output, style, options, file, drawn, interrupts, keeper, columns }
    }

    /// The session at a terminal that is so wide; `None` is any width.
    pub fn as_wide_as(self, columns: fn() -> Option<usize>) -> Self {
        Session { columns, ..self }
    }

    /// The session with what signals act on.
    pub fn with(self, interrupts: Arc<Interrupts>, keeper: Arc<Keeper>) -> Self {
        Session { interrupts, keeper, ..self }
    }

    /// Plays games until the person has had enough. What is not saved by then is saved now.
    ///
    /// # Errors
    /// If input or output fail, or by a fault of the program.
    pub fn run(&mut self) -> anyhow::Result<()> {
        let played = self.play_games();
        let kept = self.keep();
        played.and(kept)
    }

    fn play_games(&mut self) -> anyhow::Result<()> {
        self.say("Stratego against Outflank. help tells what can be typed; an empty line takes what is in brackets.")?;
        let loaded = self.options.load.clone();
        let mut game = match loaded {
            Some(path) => Some(self.open(&path)?),
            None => self.begin()?,
        };
        while let Some(mut current) = game {
            game = match self.play(&mut current)? {
                Next::Left => None,
                Next::Loaded(other) => Some(*other),
                Next::Over => self.rematch(&current)?,
            };
        }
        Ok(())
    }

    /// Saves what would be lost otherwise.
    fn keep(&mut self) -> anyhow::Result<()> {
        self.keeper.keep().map_or(Ok(()), |kept| self.say(&kept))
    }

    /// This is what would be lost if the program ended.
    fn hold(&self, game: &Game) -> anyhow::Result<()> {
        self.keeper.hold(saved::record(game).line()?);
        Ok(())
    }

    /// A line of the person's.
    fn line(&mut self, prompt: &str, words: Vec<String>) -> anyhow::Result<Option<String>> {
        self.interrupts.wait();
        let line = self.input.line(prompt, words);
        self.interrupts.go_on();
        line
    }

    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        writeln!(self.output, "{}", wrapped(text, (self.columns)()))?;
        Ok(self.output.flush()?)
    }

    /// Shows a board, with what stands beside it where there is room.
    fn draw(&mut self, lines: Vec<String>) -> anyhow::Result<()> {
        self.say_all(&fit(lines, (self.columns)()))
    }

    fn say_all(&mut self, lines: &[String]) -> anyhow::Result<()> {
        self.say(&lines.join("\n"))
    }

    /// Asks until the answer can be read; `None` when the person leaves.
    fn ask<T>(
        &mut self,
        question: &str,
        default: &str,
        words: &[&str],
        read: impl Fn(&str) -> Result<T, String>,
    ) -> anyhow::Result<Option<T>> {
        self.say(question)?;
        loop {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            let Some(line) = self.line(&format!("[{default}] "), words)? else { return Ok(None) };
            let answer = match line.trim() {
                "quit" | "exit" => return Ok(None),
                "help" | "?" => {
                    self.say(question)?;
                    continue;
                }
                "" => default,
                answer => answer,
            };
            match read(answer) {
                Ok(value) => return Ok(Some(value)),
                Err(error) => self.say(&error)?,
            }
        }
    }

    /// Asks for what the options do not tell, and begins a game.
    fn begin(&mut self) -> anyhow::Result<Option<Game>> {
        let rules = match self.options.rules {
            Some(rules) => Some(rules),
            None => self.ask_rules()?,
        };
        let Some(rules) = rules else { return Ok(None) };
        let side = match self.options.side {
            Some(side) => Some(side),
            None => self.ask("Your colour, red or blue? Red begins.", "red", &["red", "blue"], read_side)?,
        };
        let Some(side) = side else { return Ok(None) };
        let level = match self.options.level {
            Some(level) => Some(level),
            None => self.ask(LEVELS, &LEVEL.to_string(), &[], read_level)?,
        };
        let Some(level) = level else { return Ok(None) };
        (self.options.rules, self.options.side, self.options.level) = (Some(rules), Some(side), Some(level));
        let terms =
            Terms { rules, person: side, level, budget: self.options.budget, seed: self.options.seed };
        self.set_up(terms)
    }

    fn ask_rules(&mut self) -> anyhow::Result<Option<Ruleset>> {
        let presets: Vec<&str> = Preset::ALL.into_iter().map(Preset::name).chain(["barrage=on"]).collect();
        self.ask(RULES, Preset::Isf.name(), &presets, |answer| {
            parse_rules(answer).map_err(|error| format!("{error:#}."))
        })
    }

    /// Lets the person choose a setup, and begins the game.
    fn set_up(&mut self, terms: Terms) -> anyhow::Result<Option<Game>> {
        let setup = match self.options.setup.take() {
            Some(FirstSetup::Typed(letters)) => match typed(&letters, &terms.rules) {
                Ok(setup) => Some(setup),
                // The rules were asked for, and are others than the letters were meant for.
                Err(error) => {
                    self.say("The letters of --setup do not fit these rules:")?;
                    self.say(&error)?;
                    self.choose_setup(&terms)?
                }
            },
            Some(FirstSetup::Auto) => Some(self.draw_setup(&terms, None)),
            None => self.choose_setup(&terms)?,
        };
        setup.map(|setup| Game::new(terms, &setup)).transpose()
    }

    /// A setup of the engine's choice for the person.
    fn draw_setup(&mut self, terms: &Terms, previous: Option<&Setup>) -> Setup {
        self.drawn += 1;
        choose_setup(&terms.rules, previous, &mut Rng::stream(terms.seed, self.drawn))
    }

    fn choose_setup(&mut self, terms: &Terms) -> anyhow::Result<Option<Setup>> {
        let mut setup = self.draw_setup(terms, None);
        self.say(
            "Your setup: ok, auto (another one), mirror, swap a1 b2, or its 40 letters, back row first.",
        )?;
        self.show_setup(terms, &setup)?;
        loop {
            let words = ["ok", "auto", "mirror", "swap", "quit"].map(str::to_owned).to_vec();
            let Some(line) = self.line("[ok] ", words)? else { return Ok(None) };
            match line.trim() {
                "" | "ok" => return Ok(Some(setup)),
                "quit" | "exit" => return Ok(None),
                "auto" => setup = self.draw_setup(terms, Some(&setup)),
                other => match changed(&setup, other, terms) {
                    Ok(changed) => setup = changed,
                    Err(Misread(error)) => {
                        self.say(&error)?;
                        continue;
                    }
                },
            }
            self.show_setup(terms, &setup)?;
        }
    }

    fn show_setup(&mut self, terms: &Terms, setup: &Setup) -> anyhow::Result<()> {
        let mut player = Engine::new(terms.person, terms.rules, Settings::default());
        player.observe(&Event::Deployed(terms.person, *setup))?;
        let who = format!("you play {}", terms.person);
        self.draw(for_people::board(&player, "your setup", &who, self.style))?;
        self.say(&setup.to_string())
    }

    /// Plays a game to its end, or until the person leaves it.
    fn play(&mut self, game: &mut Game) -> anyhow::Result<Next> {
        if game.is_persons_turn() && game.end().is_none() {
            self.show(game)?;
        }
        loop {
            if let Some(end) = game.end() {
                self.reveal(game, end)?;
                return Ok(Next::Over);
            }
            if !game.is_persons_turn() {
                let seen = self.think(|stop| game.answer(stop))??;
                self.hold(game)?;
                let Terms { person, .. } = *game.terms();
                self.say(&sentence(&seen, person.enemy(), person))?;
                if game.end().is_none() {
                    self.show(game)?;
                }
                continue;
            }
            if let After::Next(next) = self.take_turn(game)? {
                return Ok(next);
            }
        }
    }

    fn show(&mut self, game: &Game) -> anyhow::Result<()> {
        let turn = if game.is_persons_turn() { "your move" } else { "the engine's move" };
        self.draw(for_people::board(game.adviser(), turn, &who(game), self.style))
    }

    /// Takes lines until one of them acts or ends the game.
    fn take_turn(&mut self, game: &mut Game) -> anyhow::Result<After> {
        loop {
            let prompt = format!("{}> ", game.terms().person);
            let Some(line) = self.line(&prompt, words(game))? else {
                return Ok(After::Next(Next::Left));
            };
            let after = match line.parse() {
                Ok(command) => self.obey(game, command)?,
                Err(Misread(error)) => {
                    self.say(&error)?;
                    After::Turn
                }
            };
            match after {
                After::Turn => {}
                After::Acted | After::Next(_) => return Ok(after),
            }
        }
    }

    fn obey(&mut self, game: &mut Game, command: Command) -> anyhow::Result<After> {
        match command {
            Command::Move(action) => return self.make(game, action),
            Command::Board => self.show(game)?,
            Command::Hint => self.hint(game)?,
            Command::Why(square) => match for_people::explain_piece(game.adviser(), square) {
                Some(lines) => self.say_all(&lines)?,
                None => self.say(&format!("Nothing stands on {square}."))?,
            },
            Command::Belief(at) => self.tell_belief(game, at)?,
            Command::Map(rank) => self.draw(for_people::heat_map(game.adviser(), rank, self.style))?,
            Command::Legal(from) => self.tell_legal(game, from)?,
            Command::Moves => self.say_all(&course::moves(game))?,
            Command::Losses => self.say_all(&course::losses(game))?,
            Command::Undo if game.undo()? => {
                self.hold(game)?;
                self.show(game)?;
            }
            Command::Undo => self.say("There is nothing to take back.")?,
            Command::Save(path) => self.save(game, &path)?,
            Command::Load(path) => match self.open(&path) {
                Ok(other) => {
                    self.keep()?;
                    return Ok(After::Next(Next::Loaded(Box::new(other))));
                }
                Err(error) => self.say(&format!("{error:#}."))?,
            },
            Command::Resign => {
                game.resign();
                self.hold(game)?;
                return Ok(After::Acted);
            }
            Command::Rules => self.say(&game.terms().rules.to_string())?,
            Command::Help => self.say(HELP)?,
            Command::Quit => return Ok(After::Next(Next::Left)),
        }
        Ok(After::Turn)
    }

    fn make(&mut self, game: &mut Game, action: Action) -> anyhow::Result<After> {
        match game.play(action)? {
            Ok(seen) => {
                self.hold(game)?;
                let Terms { person, .. } = *game.terms();
                self.say(&sentence(&seen, person, person))?;
                Ok(After::Acted)
            }
            Err(refusal) => {
                self.say(&format!("{} is not possible: {refusal}.", action.text(false)))?;
                Ok(After::Turn)
            }
        }
    }

    /// Lets an engine think until it is done or Ctrl-C comes.
    fn think<T>(&mut self, thought: impl FnOnce(&AtomicBool) -> T) -> anyhow::Result<T> {
        let stop = self.interrupts.stop();
        let thought = with_progress("thinking ... (Ctrl-C: enough)", || thought(stop));
        if stop.load(Ordering::Relaxed) {
            // The terminal has written ^C.
            self.say("")?;
        }
        Ok(thought)
    }

    fn hint(&mut self, game: &mut Game) -> anyhow::Result<()> {
        let choice = self.think(|stop| game.hint(stop))?;
        let hint = match (choice.action, choice.score) {
            (Some(action), Some(score)) => format!(
                "{}: you would win {}, draw {} and lose {} of 1000 games.",
                text(game, action),
                score.win,
                score.draw,
                score.loss
            ),
            (Some(action), None) => format!("{}.", text(game, action)),
            (None, _) => "There is no move.".to_owned(),
        };
        self.say(&hint)
    }

    fn tell_belief(&mut self, game: &Game, at: Option<Square>) -> anyhow::Result<()> {
        let position = game.adviser().view().position();
        let asked: Vec<Square> = match at {
            Some(square) => vec![square],
            None => position
                .occupied(game.terms().person.enemy())
                .into_iter()
                .filter(|&at| is_open(game, at))
                .collect(),
        };
        let lines: Vec<String> = asked.into_iter().map(|square| believed(game, square)).collect();
        if lines.is_empty() {
            return self.say("No hidden piece of the engine's has moved; belief a7 asks about any piece.");
        }
        self.say_all(&lines)
    }

    fn tell_legal(&mut self, game: &Game, from: Option<Square>) -> anyhow::Result<()> {
        let legal = game.legal().into_iter().filter(|action| from.is_none_or(|from| action.from == from));
        let texts: Vec<String> = legal.map(|action| text(game, action)).collect();
        let text = if texts.is_empty() { "No legal move from there.".to_owned() } else { texts.join(" ") };
        self.say(&text)
    }

    fn save(&mut self, game: &Game, path: &Path) -> anyhow::Result<()> {
        let over = self.file.as_deref() == Some(path);
        match saved::save(game, path, over) {
            Ok(()) => {
                self.file = Some(path.to_owned());
                self.keeper.forget();
                self.say(&format!("Saved: go on with load {}.", path.display()))
            }
            Err(error) => self.say(&format!("{error:#}.")),
        }
    }

    fn open(&mut self, path: &Path) -> anyhow::Result<Game> {
        let (game, alone) = with_progress("loading ...", || saved::load(path, self.options.budget))?;
        // A file with other games in it is not written over.
        self.file = alone.then(|| path.to_owned());
        let Terms { rules, person, level, .. } = *game.terms();
        (self.options.rules, self.options.side, self.options.level) =
            (Some(rules), Some(person), Some(level));
        Ok(game)
    }

    /// Shows every rank and says how the game ended.
    fn reveal(&mut self, game: &Game, end: End) -> anyhow::Result<()> {
        let lines = for_people::board(&game.revealed()?, "the end, with every rank", &who(game), self.style);
        self.draw(lines)?;
        self.say(&result(end, game.terms().person))
    }

    /// Offers another game with the colours exchanged.
    fn rematch(&mut self, game: &Game) -> anyhow::Result<Option<Game>> {
        let answer = |text: &str| match text.split_once(' ').unwrap_or((text, "")) {
            ("yes" | "y", "") => Ok(Rematch::Yes),
            ("no" | "n", "") => Ok(Rematch::No),
            ("save", file) if !file.trim().is_empty() => Ok(Rematch::Save(file.trim().into())),
            _ => Err("yes, no or save FILE.".to_owned()),
        };
        loop {
            let question = "Another game with the colours exchanged: yes, no, or first save FILE?";
            match self.ask(question, "no", &["yes", "no", "save"], answer)? {
                None => return Ok(None),
                Some(Rematch::No) => {
                    self.keeper.forget();
                    return Ok(None);
                }
                Some(Rematch::Save(path)) => self.save(game, &path)?,
                Some(Rematch::Yes) => {
                    self.keeper.forget();
                    self.file = None;
                    self.options.side = Some(game.terms().person.enemy());
                    self.options.seed = self.options.seed.wrapping_add(1);
                    return self.begin();
                }
            }
        }
    }
}

/// An answer to the offer of another game.
enum Rematch {
    Yes,
    No,
    Save(PathBuf),
}

/// Reads a colour.
///
/// # Errors
/// What to tell the person.
pub fn read_side(text: &str) -> Result<Side, String> {
    let side = Side::BOTH.into_iter().find(|side| side.to_string() == text.to_ascii_lowercase());
    side.ok_or_else(|| "red or blue.".to_owned())
}

/// Reads a level.
///
/// # Errors
/// What to tell the person.
pub fn read_level(text: &str) -> Result<Level, String> {
    text.parse().ok().and_then(Level::new).ok_or_else(|| "A number from 1, the weakest, to 20.".to_owned())
}

/// The setup after a change that the person typed.
fn changed(setup: &Setup, line: &str, terms: &Terms) -> Result<Setup, Misread> {
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["mirror"] => Ok(setup.mirrored()),
        ["swap", first, second] => {
            let mut swapped = *setup;
            swapped.0.swap(place(first, terms.person)?, place(second, terms.person)?);
            Ok(swapped)
        }
        [letters] if letters.len() > 6 => typed(letters, &terms.rules).map_err(Misread),
        _ => Err(Misread("ok, auto, mirror, swap a1 b2, 40 letters, or quit.".to_owned())),
    }
}

fn place(text: &str, side: Side) -> Result<usize, Misread> {
    let at = square(text)?;
    at.setup_place(side).ok_or_else(|| Misread(format!("{at} is not in your four rows.")))
}

/// Reads a whole setup.
///
/// # Errors
/// What to tell the person.
pub fn typed(letters: &str, rules: &Ruleset) -> Result<Setup, String> {
    let setup: Setup = letters.parse().map_err(|error| format!("{error}."))?;
    setup.check(&rules.army()).map_err(|error| format!("{error}."))?;
    if setup.is_complete(&rules.army()) { Ok(setup) } else { Err("It is not the whole army.".to_owned()) }
}

/// What completes at a turn.
fn words(game: &Game) -> Vec<String> {
    let moves = game.legal().into_iter().map(|action| action.text(false));
    WORDS.into_iter().map(str::to_owned).chain(moves).collect()
}

fn who(game: &Game) -> String {
    format!("you play {} against level {}", game.terms().person, game.terms().level.number())
}

fn text(game: &Game, action: Action) -> String {
    action.text(game.adviser().view().position().is_strike(action))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::{Cell, Rank};

    #[test]
    fn setups_are_changed_as_typed_or_not_at_all() {
        let setup: Setup = "B3FB3262452B3B6B5S7325B48269474M62225873".parse().unwrap();
        let terms = |person| Terms {
            rules: Ruleset::default(),
            person,
            level: Level::FULL,
            budget: Budget::default(),
            seed: 0,
        };
        let red = |line: &str| changed(&setup, line, &terms(Side::Red));
        assert_eq!(red("swap a1 c1").unwrap().to_string(), "F3BB3262452B3B6B5S7325B48269474M62225873");
        assert_eq!(changed(&setup, "swap j10 h10", &terms(Side::Blue)), red("swap a1 c1"));
        assert_eq!(red("mirror").unwrap(), setup.mirrored());
        assert_eq!(red(&setup.mirrored().to_string()).unwrap().0[9], Cell::Known(Rank::Bomb));
        for wrong in
            ["swap a1", "swap a1 a5", "swap a1 c5", "mirror mirror", "what", "????????????", "BBBBBBB"]
        {
            let Err(Misread(error)) = red(wrong) else { panic!("{wrong}") };
            assert!(!error.contains('\n') && error.ends_with('.'), "{error}");
        }
        assert!(red(&setup.to_string().replace('M', ".")).is_err());
    }
}
