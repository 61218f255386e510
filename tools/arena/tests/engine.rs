//! Processes that misbehave, and what the arena sees of them.

use outflank_arena::engine::{Engine, Fault, Flaw};
use std::time::{Duration, Instant};

/// Long enough for a busy machine; only what hangs waits for it.
const PATIENCE: Duration = Duration::from_secs(20);

fn shell(script: &str) -> Engine {
    Engine::start("sh", &["-c".to_owned(), script.to_owned()]).unwrap()
}

fn hear(engine: &mut Engine) -> Result<Option<String>, Fault> {
    Ok(engine.hear(Instant::now() + PATIENCE)?.map(|said| said.text))
}

#[test]
fn what_is_said_is_answered() {
    let mut engine = shell("while read line; do echo \"heard $line\"; done");
    engine.say("one").unwrap();
    engine.say("two").unwrap();
    assert_eq!(hear(&mut engine).unwrap().unwrap(), "heard one");
    assert_eq!(hear(&mut engine).unwrap().unwrap(), "heard two");
    assert_eq!(engine.heard().unwrap(), None);
    assert!(engine.close(PATIENCE));
}

#[test]
fn a_crash_tells_its_status_and_last_words() {
    let mut engine = shell("echo out of luck >&2; sleep 0.1; exit 3");
    let fault = hear(&mut engine).unwrap_err();
    assert_eq!(fault.flaw, Flaw::Crashed);
    assert!(fault.detail.contains('3') && fault.detail.contains("out of luck"), "{fault}");
}

#[test]
fn closed_pipes_are_distinguished_from_crashes() {
    let mut engine = shell("exec >&-; sleep 60");
    assert_eq!(hear(&mut engine).unwrap_err().flaw, Flaw::Closed);
    let mut engine = shell("exec <&-; echo closed; sleep 60");
    assert_eq!(hear(&mut engine).unwrap().unwrap(), "closed");
    // The first line finds out, a later one is refused.
    let deadline = Instant::now() + PATIENCE;
    let fault = loop {
        match engine.say("anybody?") {
            Err(fault) => break fault,
            Ok(()) => assert!(Instant::now() < deadline),
        }
    };
    assert!(matches!(fault.flaw, Flaw::Closed | Flaw::Hung), "{fault}");
}

#[test]
fn who_does_not_read_is_hung() {
    let mut engine = shell("sleep 60");
    let line = "x".repeat(1 << 12);
    let fault = (0..1000).find_map(|_| engine.say(&line).err()).unwrap();
    assert_eq!(fault.flaw, Flaw::Hung);
}

#[test]
fn a_line_without_end_is_a_flood() {
    let mut engine = shell("head -c 10000000 /dev/zero | tr '\\0' x; sleep 60");
    assert_eq!(hear(&mut engine).unwrap_err().flaw, Flaw::Flooded);
}

#[test]
fn silence_is_heard_as_nothing() {
    let mut engine = shell("sleep 60");
    assert_eq!(engine.hear(Instant::now() + Duration::from_millis(20)).unwrap(), None);
}

#[test]
fn a_program_that_is_not_there_cannot_be_started() {
    assert_eq!(Engine::start("./no such program", &[]).unwrap_err().flaw, Flaw::Unstartable);
}

#[test]
fn the_page_names_every_fault() {
    let page = include_str!("../../../docs/measuring.md");
    let missing: Vec<&str> =
        Flaw::ALL.map(Flaw::name).into_iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn dropping_ends_what_it_started_too() {
    let mut engine = shell("sleep 600 & echo $!; wait");
    let child = hear(&mut engine).unwrap().unwrap();
    drop(engine);
    let deadline = Instant::now() + PATIENCE;
    let alive =
        || std::fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(|stat| !stat.contains(" Z "));
    while alive() {
        assert!(Instant::now() < deadline, "process {child} is alive");
        std::thread::sleep(Duration::from_millis(5));
    }
}
