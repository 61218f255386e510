//! What tests of the arena's program share.

use outflank_arena::contender::Contender;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The arena's program.
pub(crate) const ARENA: &str = env!("CARGO_BIN_EXE_outflank-arena");

/// A file of this test run's own.
pub(crate) fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

/// The arena's program with these arguments, and nothing to read.
pub(crate) fn arena(words: &[&str]) -> Command {
    let mut command = Command::new(ARENA);
    command.args(words).stdin(Stdio::null());
    command
}

/// A player inside the arena, told by words between blanks.
pub(crate) fn inside(words: &str, name: &str) -> Contender {
    let words = words.split_whitespace().map(str::to_owned);
    let words: Vec<String> = words.chain([format!("name={name}")]).collect();
    Contender::read(&words).unwrap()
}

/// A program that speaks SEI until it is asked for an action.
pub(crate) fn mock(path: &Path, on_go: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in\n\
         sei) echo 'id name Mock'; echo 'protocol 1'; echo seiok;;\n\
         isready) echo readyok;;\n\
         go*) {on_go};;\n\
         quit) exit 0;;\n\
         esac; done\n"
    );
    std::fs::write(path, script).unwrap();
    format!("args={}", path.display())
}
