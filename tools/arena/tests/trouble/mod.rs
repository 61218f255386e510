//! What becomes of files, pipes and engines when something goes wrong around the arena.

mod ends;
mod files;
mod host;
mod pipes;

use crate::common::{ARENA, HONEST, arena, file, mock};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A match of two engines that costs little.
fn small_match(words: &[&str], out: &Path) -> Command {
    let mut command = arena(&["match", "--no-clocks", "--max-plies", "40", "--margin", "20000"]);
    command.args(["--engine", *HONEST, "name=a", "nodes=2", "--engine", *HONEST, "name=b", "nodes=1"]);
    command.args(words).arg("--out").arg(out);
    command
}

/// A process that ends with its test, whatever that comes to.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether it succeeded, and what it said on standard output and error.
fn output(command: &mut Command) -> (bool, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.success(), text(stdout), text(stderr))
}

fn succeed(command: &mut Command) -> String {
    let (success, stdout, stderr) = output(command);
    assert!(success, "{stderr}");
    stdout
}

fn fail(command: &mut Command) -> String {
    let (success, stdout, stderr) = output(command);
    assert!(!success, "{stdout}");
    stderr
}

/// With the limits that the shell's `ulimit` knows.
fn limited(limits: &str, command: &Command) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", &format!("trap '' XFSZ; {limits}; exec \"$0\" \"$@\""), ARENA])
        .args(command.get_args());
    shell.stdin(Stdio::null()).process_group(0);
    shell
}
