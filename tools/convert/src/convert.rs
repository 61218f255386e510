//! Putting what one text holds into another.

use crate::archive;
use crate::board::Board;
use crate::format::Format;
use crate::game::{Game, HUMAN, IMPORTED, rules_of};
use crate::source::Source;
use anyhow::{Context, bail, ensure};
use outflank::rules::{Ruleset, Side, Spn, Viewer};
use outflank::view::View;
use outflank_record::{PlayerRecord, Record, verify};
use std::str::FromStr;

/// Which positions of a game to write.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum At {
    /// The one after so many plies; 0 is the start.
    Ply(usize),
    /// The last one.
    End,
    /// Every one.
    All,
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<At, String> {
        match text {
            "start" => Ok(At::Ply(0)),
            "end" => Ok(At::End),
            "all" => Ok(At::All),
            number => {
                number.parse().map(At::Ply).map_err(|_| "neither start, end, all nor a number".to_owned())
            }
        }
    }
}

/// What to write, and what to take for granted where a text does not tell it.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to write.
    pub to: Format,
    /// The rules of the archive's classic games.
    pub rules: Ruleset,
    /// Whose knowledge position texts hold; untold, both armies' of a game, and that of the text of a position.
    pub viewer: Option<Viewer>,
    /// Which positions of a game to write.
    pub at: At,
    /// Whose turn it is on a board.
    pub turn: Side,
}

/// What was left out or taken for granted, in words, with how many games or positions it was.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Notes(Vec<(String, u64)>);

impl Notes {
    fn add(&mut self, text: &str) {
        match self.0.iter_mut().find(|(known, _)| known == text) {
            Some((_, count)) => *count += 1,
            None => self.0.push((text.to_owned(), 1)),
        }
    }

    /// The notes and how often each was made, in the order in which they came up.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(text, count)| (text.as_str(), *count))
    }
}

/// The texts of what `source` holds, each with its end of line. `number` is a new record's.
///
/// # Errors
/// If the target cannot say it, or a game does not replay. Nothing is noted then.
pub fn convert(
    source: &Source,
    options: &Options,
    number: u64,
    notes: &mut Notes,
) -> anyhow::Result<Vec<String>> {
    let mut made = notes.clone();
    let lines = match options.to {
        Format::Record => vec![record(source, options, number, &mut made)?],
        Format::Xml => vec![element(source, options, &mut made)?],
        Format::Board | Format::Spn => positions(source, options, &mut made)?,
    };
    *notes = made;
    Ok(lines)
}

fn record(source: &Source, options: &Options, number: u64, notes: &mut Notes) -> anyhow::Result<String> {
    match source {
        Source::Record(record) => {
            verify(record)?;
            record.line()
        }
        Source::Archive(archived) => {
            note_unknown(archived, notes);
            Game::of_archive(archived, &options.rules)?.record(number)?.line()
        }
        Source::Board(_) | Source::Position(_) => {
            bail!("a position is no game: a record has to tell the moves and how the game ended")
        }
    }
}

fn element(source: &Source, options: &Options, notes: &mut Notes) -> anyhow::Result<String> {
    let game = match source {
        Source::Record(record) => {
            note_record(record, notes);
            Game::of_record(record)?
        }
        Source::Archive(archived) => {
            note_unknown(archived, notes);
            Game::of_archive(archived, &options.rules)?
        }
        Source::Board(board) => {
            let rules = rules_of_board(board, options);
            ensure!(
                board.is_start(&rules),
                "only a board with both armies whole in their rows begins a game"
            );
            Game::of_position(&board.position(options.turn, rules)?)?
        }
        Source::Position(spn) => Game::of_position(spn)?,
    };
    let (archived, back) = game.archive(&options.rules)?;
    if back.rules != game.rules {
        notes.add("left out, as XML cannot say it: the rules, other than those of the game type");
    }
    if back.outcome != game.outcome {
        notes.add("left out, as XML cannot say it: whether the loser was out of pieces or out of moves");
    }
    archive::element(&archived)
}

/// What only a record tells.
fn note_record(record: &Record, notes: &mut Notes) {
    let bare = |player: &PlayerRecord| PlayerRecord {
        name: player.name.clone(),
        player: player.player.clone(),
        ..PlayerRecord::default()
    };
    let limits = record.players.values().any(|player| *player != bare(player));
    let lost = [
        ("the pair", record.pair.is_some()),
        ("the shard", record.shard.is_some()),
        ("the version", record.version != IMPORTED),
        ("the seed", record.seed != 0),
        ("nodes", record.nodes.iter().any(|&nodes| nodes > 0)),
        ("clocks", !record.clocks.is_empty()),
        ("the players' limits", limits),
        ("that the players are no humans", record.players.values().any(|player| player.player != HUMAN)),
    ];
    let lost: Vec<&str> = lost.into_iter().filter(|(_, lost)| *lost).map(|(name, _)| name).collect();
    if !lost.is_empty() {
        notes.add(&format!("left out, as XML cannot say it: {}", lost.join(", ")));
    }
}

fn note_unknown(game: &archive::Game, notes: &mut Notes) {
    for name in &game.unknown {
        notes.add(&format!("left out, as it is not known what it means: the element {name:?}"));
    }
}

/// The rules under which a board is a position: barrage where these two armies stand.
fn rules_of_board(board: &Board, options: &Options) -> Ruleset {
    match rules_of(archive::Kind::Barrage, &options.rules) {
        Ok(barrage) if board.is_start(&barrage) => barrage,
        Ok(_) | Err(_) => options.rules,
    }
}

fn positions(source: &Source, options: &Options, notes: &mut Notes) -> anyhow::Result<Vec<String>> {
    match source {
        Source::Record(record) => of_game(&Game::of_record(record)?, options, notes),
        Source::Archive(archived) => match rules_of(archived.kind, &options.rules) {
            Ok(_) => {
                note_unknown(archived, notes);
                of_game(&Game::of_archive(archived, &options.rules)?, options, notes)
            }
            Err(reason) => Ok(vec![of_field(archived, options, notes).context(reason)?]),
        },
        Source::Board(board) => {
            let rules = rules_of_board(board, options);
            if options.to == Format::Spn && !board.is_start(&rules) {
                notes.add(TAKEN);
            }
            Ok(vec![one(&board.position(options.turn, rules)?, options, notes)?])
        }
        Source::Position(spn) => Ok(vec![one(spn, options, notes)?]),
    }
}

const TAKEN: &str = "taken for granted, as a board does not tell it: whose turn it is (see --turn), that nobody is \
                     captured, and that pieces in their own rows have not moved";

fn of_game(game: &Game, options: &Options, notes: &mut Notes) -> anyhow::Result<Vec<String>> {
    notes.add("left out, as a position cannot say it: the moves, the players and how the game ended");
    let last = game.moves.len();
    let at = |ply: usize| match options.at {
        At::All => true,
        At::End => ply == last,
        At::Ply(wanted) => ply == wanted,
    };
    if let At::Ply(ply) = options.at {
        ensure!(ply <= last, "the game has {last} plies, not {ply}");
    }
    let viewer = if options.to == Format::Spn { options.viewer } else { None };
    let mut lines = Vec::new();
    game.positions(viewer.unwrap_or(Viewer::Both), &at, &mut |spn| {
        lines.push(one(spn, options, notes)?);
        Ok(())
    })?;
    Ok(lines)
}

/// The start of a game that cannot be replayed.
fn of_field(game: &archive::Game, options: &Options, notes: &mut Notes) -> anyhow::Result<String> {
    ensure!(options.at == At::Ply(0), "only its start can be written");
    let field = game.field.as_ref().context("the game ended before both sides had set up: no field")?;
    notes.add("left out, as its rules are not played here: all of the game but its start");
    one(&field.position(Side::Red, options.rules)?, options, notes)
}

/// One position in the text that is asked for.
fn one(spn: &Spn, options: &Options, notes: &mut Notes) -> anyhow::Result<String> {
    if options.to == Format::Board {
        board(spn, notes)
    } else {
        Ok(format!("{}\n", seen(spn, options.viewer)?))
    }
}

/// A position as `viewer` knows it.
fn seen(spn: &Spn, viewer: Option<Viewer>) -> anyhow::Result<Spn> {
    match (viewer, spn.viewer) {
        (None, _) | (Some(Viewer::Both), Viewer::Both) => Ok(spn.clone()),
        (Some(Viewer::Player(side)), Viewer::Both) => {
            Ok(Spn { position: View::from_spn(spn, side).position().clone(), viewer: Viewer::Player(side) })
        }
        (Some(wanted), found) => {
            ensure!(
                wanted == found,
                "the position tells what one player knows, which is not what is asked for"
            );
            Ok(spn.clone())
        }
    }
}

fn board(spn: &Spn, notes: &mut Notes) -> anyhow::Result<String> {
    let board = Board::of_position(&spn.position)?;
    let rules = *spn.position.rules();
    let back = board.position(Side::Red, rules)?;
    let plain = Spn { position: spn.position.clone(), viewer: Viewer::Both };
    if back.to_string() != plain.to_string() {
        notes.add(
            "left out, as a board cannot say it: whose turn it is, who has moved, what is known, who is captured, \
             the count of plies",
        );
    }
    Ok(format!("{board}\n"))
}
