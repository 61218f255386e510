//! A host for tests: starts the engine, says lines, reads answers.

#![allow(dead_code)] // each test file uses its own part

pub(crate) mod inside;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Long enough for a loaded machine; no test asserts how fast anything is.
const PATIENCE: Duration = Duration::from_secs(120);

/// The engine's program as it is now; cargo names it, and makes it if nobody has.
pub(crate) static PROGRAM: LazyLock<String> = LazyLock::new(|| made(&[]));

/// The engine built for tuning, in a folder of its own beside the other builds.
pub(crate) static TUNED: LazyLock<String> = LazyLock::new(|| {
    let builds = Path::new(&*PROGRAM).ancestors().nth(2).unwrap().join("tune");
    made(&["--package", "outflank", "--features", "tune", "--target-dir", builds.to_str().unwrap()])
});

/// What cargo makes of the engine's program with these arguments.
///
/// An example is asked for too: for examples, as for tests, cargo gives all libraries the features that tests name, so
/// it finds them built. For a program alone it would build them once more without.
fn made(arguments: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--bin", "outflank", "--example", "belief", "--message-format", "json"]);
    cargo.args(arguments);
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap());
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let made = cargo.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let messages = String::from_utf8(made.stdout).unwrap();
    let key = "\"executable\":\"";
    let mut programs = messages.lines().filter(|line| line.contains("\"kind\":[\"bin\"]"));
    let program = programs.find_map(|line| line.split_once(key)?.1.split('"').next());
    program.expect("cargo names what it made").to_owned()
}

/// A running engine.
pub(crate) struct Host {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Host {
    /// Starts the engine.
    pub(crate) fn start() -> Host {
        Host::run(Command::new(&*PROGRAM))
    }

    /// Starts the engine with so many KiB of address space.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_within(kibibytes: u32) -> Host {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("ulimit -v {kibibytes} && exec \"$0\"")).arg(&*PROGRAM);
        Host::run(shell)
    }

    fn run(mut program: Command) -> Host {
        let mut child =
            program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Host { child, input, lines }
    }

    /// Says a line.
    pub(crate) fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    /// Says raw bytes; an engine that has quit does not hear them.
    pub(crate) fn say_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = self.input.as_mut() {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Ends the input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// The next answer; `None` at the end of the output.
    pub(crate) fn next(&self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("no answer"),
        }
    }

    /// The answers up to one that begins with `word`, which is the last of them.
    pub(crate) fn until(&self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.next().unwrap_or_else(|| panic!("the engine ended before {word:?}: {lines:?}"));
            let found = line.split(' ').next() == Some(word);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Every answer to the end of the output.
    pub(crate) fn rest(&self) -> Vec<String> {
        std::iter::from_fn(|| self.next()).collect()
    }

    /// Says a line and returns its answers; for lines that are answered at once.
    pub(crate) fn ask(&mut self, line: &str) -> Vec<String> {
        self.say(line);
        self.say("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// How the engine ended.
    pub(crate) fn end(mut self) -> ExitStatus {
        self.close();
        self.child.wait().unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A whole Red army for tests.
pub(crate) const RED: &str = "B3FB3262452B3B6B5S7325B48269474M62225873";
/// A whole Blue army for tests, as Blue sees it.
pub(crate) const BLUE: &str = "FB22B34B53B5S63B2742B368274296275M254683";
