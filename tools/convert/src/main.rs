//! Converts games and positions from one text to another.

use anyhow::{Context, anyhow, ensure};
use clap::{Parser, ValueEnum};
use outflank::rules::{Ruleset, Side, Viewer};
use outflank_convert::archive::{FOOT, HEAD};
use outflank_convert::convert::{At, Notes, Options, convert};
use outflank_convert::encoding::decode;
use outflank_convert::format::Format;
use outflank_convert::source::{Source, entries};
use outflank_record::console::{STANDARD_OUTPUT, closed, complain};
use outflank_record::{parse_rules, without_mark};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  outflank-convert --to record classic-*.xml > games.jsonl     games of the archive, strikes filled in
  outflank-convert --to xml games.jsonl > games.xml            and back
  outflank-convert --to spn --at end game.xml                  who stands where at the end
  outflank-convert --to spn --at all --viewer blue game.xml    what Blue knew before and after each ply
  outflank-convert --to board game.xml                         the hundred letters of both setups
  outflank-convert --from board --to spn -                     boards from standard input

What the target cannot say is named on stderr: as a warning where it is left out, as an error where leaving it out
would make another game or position of it. A game or position that cannot be converted ends the program unless
--keep-going tells it to leave that one out; either way the exit status is 1.";

/// Converts Stratego games and positions: XML of Gravon's archive, boards of a hundred letters, position texts (SPN)
/// and records of games.
#[derive(Parser)]
#[command(name = "outflank-convert", version, after_help = EXAMPLES)]
struct Arguments {
    /// What the files hold; by default recognised from how each begins
    #[arg(long, value_enum)]
    from: Option<Format>,
    /// What to write
    #[arg(long, value_enum)]
    to: Format,
    /// Rules of the archive's classic games, of boards, and of positions without rules of their own, as in "gravon
    /// moresquares=off"
    #[arg(long, default_value = "gravon", value_parser = parse_rules)]
    rules: Ruleset,
    /// Which positions of a game to write: start, end, all, or after how many plies
    #[arg(long, default_value = "start")]
    at: At,
    /// Whose knowledge position texts hold; by default that of both players, or of the viewer in the position text
    #[arg(long, value_enum)]
    viewer: Option<Who>,
    /// Whose turn it is on a board
    #[arg(long, value_enum, default_value = "red")]
    turn: Turn,
    /// Leave out what cannot be converted and go on
    #[arg(long)]
    keep_going: bool,
    /// Files, one after the other; - is standard input
    #[arg(default_value = "-")]
    files: Vec<PathBuf>,
}

#[derive(Copy, Clone, ValueEnum)]
enum Who {
    Red,
    Blue,
    Both,
}

#[derive(Copy, Clone, ValueEnum)]
enum Turn {
    Red,
    Blue,
}

/// What has been done so far.
struct Work<W: Write> {
    options: Options,
    keep_going: bool,
    out: W,
    notes: Notes,
    written: u64,
    left_out: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) if closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Converts all files; how many games or positions were left out.
fn run(arguments: &Arguments) -> anyhow::Result<u64> {
    let out = BufWriter::new(io::stdout().lock());
    let (options, keep_going) = (arguments.options(), arguments.keep_going);
    let mut work = Work { options, keep_going, out, notes: Notes::default(), written: 0, left_out: 0 };
    let xml = arguments.to == Format::Xml;
    if xml {
        work.write(HEAD)?;
    }
    let done = arguments.files.iter().try_for_each(|path| work.file(path, arguments.from));
    if xml {
        work.write(FOOT)?;
    }
    work.out.flush().context(STANDARD_OUTPUT)?;
    for (note, count) in work.notes.iter() {
        let times = if count == 1 { String::new() } else { format!(" ({count} times)") };
        complain(format_args!("warning: {note}{times}"));
    }
    done?;
    Ok(work.left_out)
}

impl Arguments {
    fn options(&self) -> Options {
        let viewer = self.viewer.map(|who| match who {
            Who::Red => Viewer::Player(Side::Red),
            Who::Blue => Viewer::Player(Side::Blue),
            Who::Both => Viewer::Both,
        });
        let turn = match self.turn {
            Turn::Red => Side::Red,
            Turn::Blue => Side::Blue,
        };
        Options { to: self.to, rules: self.rules, viewer, at: self.at, turn }
    }
}

impl<W: Write> Work<W> {
    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        self.out.write_all(text.as_bytes()).context(STANDARD_OUTPUT)
    }

    fn file(&mut self, path: &Path, from: Option<Format>) -> anyhow::Result<()> {
        let name =
            if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
        let text = read(path).with_context(|| name.clone());
        let unknown = || anyhow!("{name}: this is none of the four texts; --from says which is meant");
        let read = text.and_then(|text| {
            let format = from.or_else(|| Format::detect(&text)).ok_or_else(unknown)?;
            Ok((text, format))
        });
        let (text, format) = match read {
            Ok(read) => read,
            Err(error) => return self.leave_out(error),
        };
        // Games are numbered as in records, from 0.
        for (number, (line, source)) in (0..).zip(entries(&text, format, self.options.rules)) {
            let number = match &source {
                Ok(Source::Record(record)) => record.game,
                Ok(Source::Archive(_) | Source::Board(_) | Source::Position(_)) | Err(_) => number,
            };
            let lines =
                source.and_then(|source| convert(&source, &self.options, self.written, &mut self.notes));
            let what = if matches!(format, Format::Xml | Format::Record) { "game" } else { "position" };
            match lines.with_context(|| format!("{name}: {what} {number}, line {line}")) {
                Ok(lines) => {
                    lines.iter().try_for_each(|line| self.write(line))?;
                    self.written += 1;
                }
                Err(error) => self.leave_out(error)?,
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, error: anyhow::Error) -> anyhow::Result<()> {
        if !self.keep_going {
            return Err(error);
        }
        complain(format_args!("left out: {error:#}"));
        self.left_out += 1;
        Ok(())
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(path)?;
    }
    let text = decode(bytes)?;
    let text = without_mark(&text).to_owned();
    ensure!(!text.trim().is_empty(), "there is nothing in it");
    Ok(text)
}
