//! The arena's own end, in every way it may come.

use super::{HONEST, Running, arena, file};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something is so.
pub(super) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "{what} takes too long");
        sleep(Duration::from_millis(5));
    }
}

/// Processes by number, with that of their parents; those that only wait to be reaped are none.
fn processes() -> Vec<(u32, u32)> {
    let numbers =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let parent = |number: &u32| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        let mut words = stat.rsplit_once(')')?.1.split_whitespace();
        (words.next()? != "Z").then_some(words.next()?.parse().ok()?)
    };
    numbers.filter_map(|number| Some((number, parent(&number)?))).collect()
}

/// All that a process has started, directly or not.
fn descendants(of: u32) -> BTreeSet<u32> {
    let all = processes();
    let mut found = BTreeSet::from([of]);
    loop {
        let more: Vec<u32> =
            all.iter().filter(|(_, parent)| found.contains(parent)).map(|(n, _)| *n).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            found.remove(&of);
            return found;
        }
    }
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).unwrap_or_default().matches('\n').count()
}

/// A match of which two games end and the third never does: the second engine hangs, and ignores the end of its input.
fn hanging(out: &Path) -> Running {
    let mut command =
        arena(&["match", "--gauntlet", "--games", "2", "--concurrency", "1", "--max-plies", "10"]);
    command.args(["--patience", "600000", "--margin", "20000", "--engine", *HONEST, "name=a", "nodes=1"]);
    command.args(["--engine", *HONEST, "name=b", "nodes=1"]);
    command.args(["--engine", *HONEST, "name=c", "nodes=1", "args=hang@2", "--out"]).arg(out);
    let started = Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    until("the second game", || lines(out) == 2);
    // Until nobody works any more: the third game hangs.
    let mut before = 0;
    until("silence", || {
        sleep(Duration::from_millis(300));
        let now = ticks(started.0.id());
        std::mem::replace(&mut before, now) == now
    });
    started
}

/// Processor time of the arena and all that it has started.
fn ticks(of: u32) -> u64 {
    let own = |number: u32| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        let words: Vec<u64> = stat.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        words.iter().skip(10).take(2).sum::<u64>()
    };
    descendants(of).into_iter().chain([of]).map(own).sum()
}

pub(super) fn signal(name: &str, process: &Running) {
    assert!(
        Command::new("kill")
            .args([format!("-{name}"), process.0.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
}

fn all_end(engines: &BTreeSet<u32>) {
    let alive = || processes().into_iter().filter(|(number, _)| engines.contains(number)).count();
    until("the engines' end", || alive() == 0);
}

#[test]
fn a_signal_ends_every_engine_and_prints_the_table_so_far() {
    for (name, status) in [("INT", 130), ("TERM", 143)] {
        let out = file(&format!("ended-by-{name}.jsonl"));
        let mut arena = hanging(&out);
        let engines = descendants(arena.0.id());
        assert!(engines.len() >= 2, "two engines: {engines:?}");
        signal(name, &arena);
        let ended = arena.0.wait().unwrap();
        let table = std::io::read_to_string(arena.0.stdout.take().unwrap()).unwrap();
        let errors = std::io::read_to_string(arena.0.stderr.take().unwrap()).unwrap();
        assert_eq!(ended.code(), Some(status), "{errors}");
        assert!(table.contains("a against b: won ") && !table.contains("faults of"), "{table}");
        assert!(errors.contains("before the match was over"), "{errors}");
        assert_eq!(lines(&out), 2, "what was broken off is no game");
        all_end(&engines);
    }
}

/// Players inside the arena stop thinking.
#[test]
fn a_signal_ends_thoughts_inside_the_arena() {
    let out = file("thoughts.jsonl");
    let mut command = arena(&["match", "--games", "2", "--each", "movetime=3600000", "--out"]);
    command.arg(&out).args(["--engine", "player=engine", "name=a", "--engine", "player=engine", "name=b"]);
    let mut arena = Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    until("a long thought", || ticks(arena.0.id()) > 20);
    signal("INT", &arena);
    let ended = arena.0.wait().unwrap();
    let table = std::io::read_to_string(arena.0.stdout.take().unwrap()).unwrap();
    assert_eq!(ended.code(), Some(130));
    assert!(table.starts_with("engine ") && !table.contains("faults of"), "{table}");
    assert_eq!(lines(&out), 0, "what was broken off is no game");
}

#[test]
fn engines_do_not_outlive_an_arena_that_is_killed() {
    // HUP would do as well, were it not ignored under `nohup`.
    for name in ["KILL", "USR1"] {
        let mut arena = hanging(&file(&format!("killed-by-{name}.jsonl")));
        let engines = descendants(arena.0.id());
        assert!(engines.len() >= 2, "two engines: {engines:?}");
        signal(name, &arena);
        arena.0.wait().unwrap();
        all_end(&engines);
    }
}

/// A host that looks at engines one by one is no exception, nor are programs that an engine has started.
#[test]
fn what_engines_start_does_not_outlive_the_arena_either() {
    let script = file("starts-more.sh");
    let started = file("starts-more.sh.started");
    fs::write(&script, "sleep 600 & sleep 600 & : > \"$0.started\"; wait\n").unwrap();
    let mut command = arena(&["check", "--only", "handshake", "sh"]);
    let arena = command.arg(&script).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut arena = Running(arena);
    until("the engine's start", || started.exists());
    let engines = descendants(arena.0.id());
    signal("KILL", &arena);
    arena.0.wait().unwrap();
    all_end(&engines);
}
