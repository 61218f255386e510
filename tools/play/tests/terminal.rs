//! The program at a terminal of the test's own: Ctrl-C, requests to end, a terminal that is closed.

use outflank_record::{Record, open, verify};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// Long enough for anything but a program that hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// The engine thinks for an hour if nobody stops it.
const SLOW: &str = "3600000";
const SETUP: &str = "B3FB3262452B3B6B5S7325B48269474M62225873";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

/// A terminal with the program in it, in a folder of its own.
struct Terminal {
    side: Option<File>,
    child: Child,
    folder: PathBuf,
    /// What it has shown and nobody has waited for.
    shown: String,
    /// All that it has shown.
    all: String,
}

impl Terminal {
    /// Starts a game as red.
    fn start(name: &str, movetime: &str) -> Terminal {
        let game =
            ["--rules", "isf", "--side", "red", "--level", "20", "--setup", SETUP, "--movetime", movetime];
        Terminal::start_with(name, &game)
    }

    fn start_with(name: &str, arguments: &[&str]) -> Terminal {
        Terminal::start_in(name, arguments, 80)
    }

    /// Starts it in a window that is so wide.
    fn start_in(name: &str, arguments: &[&str], columns: u16) -> Terminal {
        let folder = std::env::temp_dir().join(format!("outflank-play-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let side = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&side).unwrap();
        unlockpt(&side).unwrap();
        let path = ptsname(&side, Vec::new()).unwrap().into_string().unwrap();
        let window = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&side, window).unwrap();
        let other = || OpenOptions::new().read(true).write(true).open(&path).unwrap();
        // In a session of its own, with this as its terminal.
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(env!("CARGO_BIN_EXE_outflank-play")).args(arguments);
        command.current_dir(&folder).env("TERM", "xterm").stdin(other()).stdout(other()).stderr(other());
        let child = command.spawn().unwrap();
        Terminal { side: Some(File::from(side)), child, folder, shown: String::new(), all: String::new() }
    }

    fn type_in(&mut self, keys: &str) {
        self.side.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until it shows this.
    fn wait_for(&mut self, text: &str) {
        let start = Instant::now();
        while !self.shown.contains(text) {
            assert!(start.elapsed() < PATIENCE && self.read_on(), "{text:?} does not come:\n{}", self.shown);
        }
        let (_, rest) = self.shown.split_once(text).unwrap();
        self.shown = rest.to_owned();
    }

    /// Reads what there is within a second; false if nothing can come any more.
    fn read_on(&mut self) -> bool {
        let side = self.side.as_mut().unwrap();
        let second = Timespec { tv_sec: 1, tv_nsec: 0 };
        if poll(&mut [PollFd::new(side, PollFlags::IN)], Some(&second)).unwrap() == 0 {
            return true;
        }
        let mut bytes = [0; 4096];
        // An error says that nobody has the other side open.
        let read = side.read(&mut bytes).unwrap_or(0);
        let text = String::from_utf8_lossy(&bytes[..read]);
        self.shown += &text;
        self.all += &text;
        read > 0
    }

    /// Moves, and waits until the engine is to think.
    fn a4a5(&mut self) {
        self.wait_for("red> ");
        self.type_in("a4a5\r");
        self.wait_for("You move a4");
    }

    /// With one ply of ours on the board, at the prompt, or while the engine thinks if that takes it long.
    fn under_way(name: &str, movetime: &str) -> Terminal {
        let mut terminal = Terminal::start(name, movetime);
        terminal.a4a5();
        if movetime != SLOW {
            terminal.wait_for("red> ");
        }
        terminal
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Nobody reads or writes any more.
    fn close(&mut self) {
        self.side = None;
    }

    /// Waits for the end of the program.
    fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it does not end:\n{}", self.shown);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The only saved game.
    fn saved(&self) -> Record {
        let files: Vec<_> = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files, [self.folder.join("outflank-game.jsonl")]);
        let record = open(&files[0]).unwrap().next().unwrap().unwrap();
        verify(&record).unwrap();
        assert_eq!(record.moves[0], "a4a5");
        record
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn boards_fit_into_eighty_columns() {
    let mut terminal = Terminal::under_way("narrow", "50");
    terminal.type_in("map general\r");
    terminal.wait_for("red> ");
    terminal.type_in("board\r");
    terminal.wait_for("[?] theirs");
    terminal.wait_for("red> ");
    let shown = console::strip_ansi_codes(&terminal.all).into_owned();
    let rows: Vec<&str> = shown.lines().filter(|line| line.contains(" | ")).collect();
    assert!(rows.len() >= 40, "{shown}");
    for row in rows {
        assert!(row.trim_end().len() <= 80, "{row:?}");
    }
    assert!(shown.contains("6! seen by the enemy"), "what stood beside the board is below it");
}

#[test]
fn everything_fits_into_sixty_columns() {
    let arguments = ["--level", "1", "--setup", SETUP, "--movetime", "50"];
    let mut terminal = Terminal::start_in("sixty", &arguments, 60);
    terminal.wait_for("barrage=on small armies");
    terminal.wait_for("[isf] ");
    terminal.type_in("\r");
    terminal.wait_for("[red] ");
    terminal.type_in("\r");
    terminal.a4a5();
    for line in ["moves", "losses", "help", "rules", "map general", "why a7", "belief", "legal", "board"] {
        terminal.wait_for("red> ");
        terminal.type_in(&format!("{line}\r"));
    }
    terminal.wait_for("[?] theirs");
    terminal.wait_for("red> ");
    let shown = console::strip_ansi_codes(&terminal.all).into_owned();
    // What is typed, and what stands still while the engine thinks, is drawn over.
    let lines = shown.lines().map(|line| line.rsplit('\r').next().unwrap());
    let long: Vec<&str> = lines.filter(|line| line.trim_end().chars().count() > 60).collect();
    assert_eq!(long, Vec::<&str>::new());
    // The engine may have struck, so the answer to `losses` has one of two forms.
    let lost = shown.contains("red has lost nothing") || shown.contains("red has lost 1: 1 ");
    assert!(shown.contains("   1. a4a5") && lost, "{shown}");
}

#[test]
fn ctrl_c_stops_the_engine_and_quit_saves_the_game() {
    let mut terminal = Terminal::under_way("stop", SLOW);
    terminal.type_in(CTRL_C);
    terminal.wait_for("It ");
    terminal.wait_for("red> ");
    terminal.type_in("hint\r");
    // The line is back on the screen before the engine thinks.
    terminal.wait_for("hint");
    terminal.wait_for("thinking");
    terminal.type_in(CTRL_C);
    terminal.wait_for("you would win");
    terminal.wait_for("red> ");
    terminal.type_in("quit\r");
    terminal.wait_for("The game is saved: go on with --load outflank-game.jsonl");
    assert!(terminal.end().success());
    assert_eq!(terminal.saved().moves.len(), 2);
}

#[test]
fn ctrl_c_gives_up_a_line_and_twice_without_one_leaves_with_the_game_saved() {
    let mut terminal = Terminal::under_way("twice", "1");
    for _ in 0..3 {
        terminal.type_in("xyz");
        terminal.wait_for("xyz");
        terminal.type_in(CTRL_C);
        terminal.wait_for("red> ");
    }
    terminal.type_in(CTRL_C);
    terminal.wait_for("Ctrl-C once more leaves");
    terminal.wait_for("red> ");
    terminal.type_in("rules\r");
    terminal.wait_for("preset=isf");
    terminal.wait_for("red> ");
    terminal.type_in(CTRL_C);
    terminal.wait_for("Ctrl-C once more leaves");
    terminal.wait_for("red> ");
    terminal.type_in(CTRL_C);
    terminal.wait_for("The game is saved");
    assert!(terminal.end().success());
    assert_eq!(terminal.saved().moves.len(), 2);
}

#[test]
fn ctrl_c_once_more_after_the_engine_was_stopped_leaves_with_the_game_saved() {
    let mut terminal = Terminal::under_way("hasty", SLOW);
    terminal.type_in(CTRL_C);
    terminal.wait_for("It ");
    // Before the prompt or at it.
    terminal.type_in(CTRL_C);
    terminal.wait_for("The game is saved");
    terminal.end();
    assert_eq!(terminal.saved().moves.len(), 2);
}

#[test]
fn the_end_of_the_input_saves_the_game_that_can_be_gone_on_with() {
    let mut terminal = Terminal::under_way("eof", "1");
    terminal.type_in(CTRL_D);
    terminal.wait_for("The game is saved");
    assert!(terminal.end().success());
    let path = terminal.folder.join("outflank-game.jsonl");
    let mut next = Terminal::start_with("eof-next", &["--load", path.to_str().unwrap()]);
    next.wait_for("ply 2, your move");
    next.type_in("quit\r");
    assert!(next.end().success());
    assert!(fs::read_dir(&next.folder).unwrap().next().is_none(), "nothing was played: nothing to save");
}

#[test]
fn a_request_to_end_saves_the_game_and_puts_the_terminal_right() {
    for (name, movetime) in [("term-prompt", "1"), ("term-thinking", SLOW)] {
        let mut terminal = Terminal::under_way(name, movetime);
        terminal.signal(Signal::TERM);
        terminal.wait_for("The game is saved");
        let modes = tcgetattr(terminal.side.as_ref().unwrap()).unwrap().local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO), "{name}: {modes:?}");
        assert_eq!(terminal.end().code(), Some(128 + 15), "{name}");
        assert!(!terminal.saved().moves.is_empty(), "{name}");
    }
}

#[test]
fn a_terminal_that_is_closed_saves_the_game() {
    for (name, movetime) in [("closed-prompt", "1"), ("closed-thinking", SLOW)] {
        let mut terminal = Terminal::under_way(name, movetime);
        terminal.close();
        assert!(!terminal.end().success(), "{name}");
        assert!(!terminal.saved().moves.is_empty(), "{name}");
    }
}

#[test]
fn before_a_game_there_is_nothing_to_save() {
    let mut terminal = Terminal::start_with("before", &[]);
    terminal.wait_for("[isf] ");
    terminal.type_in(CTRL_C);
    terminal.wait_for("once more leaves");
    // Between two prompts the editor does not listen.
    terminal.wait_for("[isf] ");
    terminal.type_in(CTRL_C);
    assert!(terminal.end().success());
    assert!(fs::read_dir(&terminal.folder).unwrap().next().is_none());
}
