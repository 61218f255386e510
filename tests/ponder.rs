//! Thinking on the enemy's time: silent, never in the way, and of use when the enemy answers as expected.

use crate::host::inside::answers_to;
use crate::host::{Host, RED};
use outflank::search::{Budget, Choice, Conditions, Control, Info, SearchTask, Step, search};
use std::io::{Cursor, Read};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

fn position_of(lines: &[String], word: &str) -> Option<usize> {
    lines.iter().position(|line| line.split(' ').next() == Some(word))
}

/// The nodes of each search to the same depth that the stand-in below was asked for, with the ply.
static SEARCHES: Mutex<Vec<(u32, bool, u64)>> = Mutex::new(Vec::new());
const DEPTH: u32 = 4;

/// Searches to a fixed depth, waits for the stop where nothing else ends it, and always expects j7j6.
fn shallow(task: &SearchTask<'_>, _: &mut dyn FnMut(&Info)) -> Choice {
    let budget = Budget { depth: Some(DEPTH), ..Budget::default() };
    // A stop must not cut the search short: what it leaves is measured.
    let unstopped = std::sync::atomic::AtomicBool::new(false);
    let control = Control { stop: &unstopped, ..task.conditions.control };
    let conditions = Conditions { budget, control, ..task.conditions };
    let mut choice = search(&SearchTask { conditions, ..*task }, &mut |_| {});
    let unlimited = task.conditions.budget.is_unlimited();
    SEARCHES.lock().unwrap().push((task.view.position().ply(), unlimited, choice.nodes));
    while unlimited && !task.conditions.control.is_stopped() {
        std::thread::yield_now();
    }
    let answer = "j7j6".parse::<outflank::rules::Played>().unwrap().action;
    choice.answer = Some(Step { action: answer, strike: false });
    choice
}

/// Nothing to read until something has come about; a search on the enemy's time may be broken off before it has begun.
struct Until(fn() -> bool);

impl Read for Until {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        while !(self.0)() {
            std::thread::yield_now();
        }
        Ok(0)
    }
}

/// The nodes for the second action of a game in which the enemy answers with `answer`.
fn second(ponder: bool, answer: &str, go: &str) -> Vec<(u32, bool, u64)> {
    SEARCHES.lock().unwrap().clear();
    let first = format!(
        "setoption name Seed value 1\nsetoption name Ponder value {ponder}\nsetup red {RED}\n\
         go movetime 50 searchmoves a4a5\nwait\nplay a4a5\n"
    );
    let then = format!("legal\nplay {answer}\n{go}\nwait\nhistory\n");
    let pondered = || SEARCHES.lock().unwrap().iter().any(|search| search.1);
    let input =
        Cursor::new(first).chain(Until(if ponder { pondered } else { || true })).chain(Cursor::new(then));
    let answers = answers_to(input, shallow);
    assert_eq!(answers.iter().filter(|line| line.starts_with("bestmove ")).count(), 2, "{answers:?}");
    assert!(!answers.iter().any(|line| line.starts_with("info ") || line.starts_with("error internal")));
    SEARCHES.lock().unwrap().clone()
}

#[test]
fn what_was_pondered_serves_the_next_search_if_the_enemy_answers_so() {
    let cold = second(false, "j7j6", "go movetime 60000");
    assert_eq!(cold.iter().map(|search| (search.0, search.1)).collect::<Vec<_>>(), [(0, false), (2, false)]);
    let hit = second(true, "j7j6", "go movetime 60000");
    assert_eq!(
        hit.iter().map(|search| (search.0, search.1)).collect::<Vec<_>>(),
        [(0, false), (2, true), (2, false)]
    );
    assert_eq!(hit[1].2, cold[1].2);
    assert!(hit[2].2 < cold[1].2 / 2, "{hit:?} {cold:?}");
    // Another answer, or a limit that promises equal answers: as if nothing had been.
    let elsewhere = second(false, "a7a6", "go movetime 60000");
    assert_eq!(second(true, "a7a6", "go movetime 60000")[2].2, elsewhere[1].2);
    assert_eq!(second(true, "j7j6", "go nodes 300000")[2].2, second(false, "j7j6", "go nodes 300000")[1].2);
}

static PONDERED: AtomicU64 = AtomicU64::new(0);

/// Breaks whenever it ponders.
fn fragile(task: &SearchTask<'_>, report: &mut dyn FnMut(&Info)) -> Choice {
    if task.conditions.budget.is_unlimited() {
        PONDERED.fetch_add(1, Ordering::Relaxed);
        panic!("on purpose");
    }
    shallow_answer(task, report)
}

fn shallow_answer(task: &SearchTask<'_>, report: &mut dyn FnMut(&Info)) -> Choice {
    let mut choice = search(task, report);
    let answer = "j7j6".parse::<outflank::rules::Played>().unwrap().action;
    choice.answer = Some(Step { action: answer, strike: false });
    choice
}

#[test]
fn pondering_that_breaks_is_nobodys_business() {
    let first = format!(
        "setoption name Ponder value true\nsetup red {RED}\ngo nodes 50 searchmoves a4a5\nwait\nplay a4a5\nisready\n"
    );
    let then = "play j7j6\ngo nodes 50\nwait\nhistory\n";
    let pondered = Until(|| PONDERED.load(Ordering::Relaxed) > 0);
    let answers = answers_to(Cursor::new(first).chain(pondered).chain(Cursor::new(then)), fragile);
    assert_eq!(PONDERED.load(Ordering::Relaxed), 1);
    assert!(position_of(&answers, "error").is_none(), "{answers:?}");
    assert_eq!(answers.iter().filter(|line| line.starts_with("bestmove ")).count(), 2);
}

/// A game against the real search, with every way for a line to come in while it ponders.
#[test]
fn a_game_with_pondering_has_one_bestmove_for_each_go() {
    let mut host = Host::start();
    host.say(&format!("setoption name Ponder value true\nsetoption name Seed value 3\nsetup red {RED}"));
    let enemies = ["j7j6", "a7a6", "e7e6", "j6j7", "a6a7", "e6e7"];
    for (turn, enemy) in enemies.iter().enumerate() {
        // With a depth alone even the only action is looked at, so that an answer is expected. Pieces at the sides go
        // to and fro, out of the enemies' way.
        let own = ["b4b5", "b5b4", "i4i5", "i5i4", "b4b5", "b5b4"][turn];
        host.say(&format!("go depth 3 searchmoves {own}"));
        assert_eq!(host.until("bestmove").last().unwrap(), &format!("bestmove {own}"));
        assert_eq!(host.ask(&format!("play {own}")), Vec::<String>::new());
        let between = ["stop", "wait", "belief a10", "frobnicate", "isready", "status"][turn];
        let answers = host.ask(between);
        assert!(position_of(&answers, "bestmove").is_none(), "{between}: {answers:?}");
        assert_eq!(host.ask(&format!("play {enemy}")), Vec::<String>::new());
    }
    host.say("go depth 3 searchmoves b4b5");
    host.until("bestmove");
    host.say("play b4b5\nquit");
    assert_eq!(host.rest(), Vec::<String>::new());
    assert!(host.end().success());
}

#[test]
fn the_end_of_input_ends_pondering() {
    let mut host = Host::start();
    host.say(&format!("setoption name Ponder value true\nsetup red {RED}\ngo depth 3 searchmoves a4a5"));
    host.until("bestmove");
    host.say("play a4a5");
    host.close();
    assert_eq!(host.rest(), Vec::<String>::new());
    assert!(host.end().success());
}
