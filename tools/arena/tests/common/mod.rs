//! What tests of the arena's program share.

use outflank_arena::contender::Contender;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The arena's program.
pub(crate) const ARENA: &str = env!("CARGO_BIN_EXE_outflank-arena");

/// The program of the mock engine.
pub(crate) static MOCK: LazyLock<&str> =
    LazyLock::new(|| made(&["--example", "outflank-mock"], "outflank-mock").leak());

/// The mock engine, as a match is given it.
pub(crate) static HONEST: LazyLock<&str> = LazyLock::new(|| format!("cmd={}", *MOCK).leak());

/// The bot that is an example of the library's.
pub(crate) fn bot() -> String {
    made(&["--example", "bot"], "bot")
}

/// The engine's program. An example is asked for too: then cargo gives all libraries the features that tests name, and
/// finds them built.
pub(crate) fn engine() -> String {
    made(&["--bin", "outflank", "--example", "belief"], "outflank")
}

/// A program as it is now; cargo names it, and makes it if nobody has.
fn made(words: &[&str], name: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--message-format", "json"]).args(words).current_dir(root);
    let made = cargo.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let messages = String::from_utf8(made.stdout).unwrap();
    let program = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        (message["target"]["name"] == name).then_some(())?;
        Some(message.get("executable")?.as_str()?.to_owned())
    };
    messages.lines().find_map(program).unwrap()
}

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

/// A player inside the arena, described by words between blanks.
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
