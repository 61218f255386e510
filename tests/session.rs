//! What a host may rely on while the engine thinks, and after something went wrong.

use crate::host::{BLUE, Host, RED};

fn playing() -> Host {
    let mut host = Host::start();
    host.say(&format!("setup red {RED}"));
    host
}

fn count(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| line.split(' ').next() == Some(word)).count()
}

fn last(lines: &[String]) -> &str {
    lines.last().map_or("", String::as_str)
}

#[test]
fn a_thinking_engine_is_ready_at_once() {
    let mut host = playing();
    host.say("go infinite");
    for _ in 0..3 {
        host.say("isready");
        let lines = host.until("readyok");
        assert_eq!(count(&lines, "bestmove"), 0);
    }
    host.say("status");
    assert!(last(&host.until("status")).starts_with("status thinking ply 0 turn red"));
    host.say("stop");
    host.until("bestmove");
    host.say("status");
    assert_eq!(count(&host.until("status"), "bestmove"), 0);
}

#[test]
fn every_go_gets_exactly_one_bestmove() {
    let mut host = playing();
    let gos = [
        "go nodes 1",
        "go nodes 0",
        "go depth 0",
        "go depth 1",
        "go movetime 0",
        "go movetime 5",
        "go rtime 0 btime 0",
        "go rtime 100 btime 100 rinc 1 binc 1",
        "go infinite nodes 1",
        "go nodes 18446744073709551615 movetime 1",
        "go movetime 18446744073709551615 nodes 1",
        "go rtime 18446744073709551615 rinc 18446744073709551615 nodes 1",
        "go depth",
        "go searchmoves a1a2",
        "go infinite",
        "go infinite",
    ];
    for go in gos {
        host.say(go);
    }
    host.close();
    assert_eq!(count(&host.rest(), "bestmove"), gos.len());
    assert!(host.end().success());
}

#[test]
fn stop_races_lose_no_bestmove_and_add_none() {
    let mut host = playing();
    for round in 0..100 {
        host.say(if round % 3 == 0 { "go infinite" } else { "go nodes 5" });
        if round % 2 == 0 {
            host.say("stop");
        }
        host.say("stop");
        let mut lines = host.until("bestmove");
        host.say("isready");
        lines.extend(host.until("readyok"));
        assert_eq!(count(&lines, "bestmove"), 1, "{lines:?}");
    }
}

#[test]
fn a_line_that_changes_the_state_stops_the_search_first() {
    for line in ["play a4a5", "undo 0", "setoption name Seed value 1", "newgame", "rules", "go nodes 1"] {
        let mut host = playing();
        host.say("go infinite");
        host.say(line);
        host.say("wait");
        host.say("history");
        let lines = host.until("history");
        assert_eq!(count(&lines, "bestmove"), if line.starts_with("go") { 2 } else { 1 }, "{line}");
        let bestmove = lines.iter().position(|answer| answer.starts_with("bestmove")).unwrap();
        let own =
            lines.iter().position(|answer| !answer.starts_with("info") && !answer.starts_with("bestmove"));
        assert!(own.unwrap() > bestmove, "{line}: {lines:?}");
    }
}

#[test]
fn wait_holds_later_lines_but_not_the_urgent_ones() {
    let mut host = playing();
    for line in ["go infinite", "wait", "history", "frobnicate", "isready", "status", "stop"] {
        host.say(line);
    }
    let lines = host.until("error");
    let order: Vec<&str> =
        lines.iter().filter_map(|line| line.split(' ').next()).filter(|word| *word != "info").collect();
    assert_eq!(order, ["readyok", "status", "bestmove", "history", "error"]);
}

/// What becomes of lines that are said all at once.
fn said_at_once(lines: &[&str], last: &str) -> Vec<String> {
    let mut host = playing();
    host.say(&lines.join("\n"));
    let lines = host.until(last);
    lines.into_iter().filter(|line| !line.starts_with("info")).collect()
}

#[test]
fn a_wait_that_was_held_holds_the_urgent_ones_no_more_than_another() {
    for urgent in ["isready", "status"] {
        let answer = if urgent == "isready" { "readyok" } else { urgent };
        let lines = said_at_once(&["go infinite", "go infinite", "wait", "history", urgent], answer);
        assert_eq!(count(&lines, "bestmove") + lines.len(), 3, "{lines:?}");
    }
    let lines = said_at_once(&["go infinite", "go infinite", "wait", "history", "stop"], "history");
    assert_eq!((count(&lines, "bestmove"), lines.len()), (2, 3), "{lines:?}");
    // Nothing is left to wait for after `quit`.
    let mut host = playing();
    host.say("go infinite\ngo infinite\nwait\nhistory\nquit");
    let lines = host.rest();
    assert_eq!((count(&lines, "bestmove"), count(&lines, "history")), (2, 0), "{lines:?}");
}

#[test]
fn a_stop_is_for_the_line_before_it() {
    for brief in ["setup red auto", "go setup", "why a4a5"] {
        let lines = said_at_once(&[brief, "go infinite", "stop"], "bestmove");
        assert!(last(&lines).starts_with("bestmove"), "{brief}: {lines:?}");
    }
}

#[test]
fn the_clock_of_a_held_go_starts_when_it_is_let_go() {
    let mut host = playing();
    host.say("setoption name MoveOverhead value 0");
    for line in ["go movetime 300", "wait", "go movetime 300", "wait", "history"] {
        host.say(line);
    }
    let lines = host.until("history");
    let depth = |line: &String| line.strip_prefix("info depth ")?.split(' ').next()?.parse::<u32>().ok();
    let searches: Vec<Option<u32>> = lines
        .split(|line| line.starts_with("bestmove"))
        .map(|search| search.iter().filter_map(depth).max())
        .collect();
    // A clock that had run out while the line was held would leave no time to look ahead at all.
    assert!(searches[0].unwrap() > 1 && searches[1].unwrap() > 1, "{lines:#?}");
}

#[test]
fn quit_while_thinking_answers_first() {
    let mut host = playing();
    host.say("go infinite");
    host.say("wait");
    host.say("d");
    host.say("quit");
    let lines = host.rest();
    assert!(last(&lines).starts_with("bestmove "), "{lines:?}");
    assert!(host.end().success());
}

#[test]
fn the_end_of_input_finishes_a_bounded_search_and_stops_an_infinite_one() {
    for go in ["go nodes 2000", "go infinite"] {
        let mut host = playing();
        host.say(go);
        host.say("wait");
        host.say("history");
        host.close();
        let lines = host.rest();
        assert_eq!(count(&lines, "bestmove"), 1);
        assert_eq!(last(&lines), "history");
        assert!(host.end().success());
    }
}

#[test]
fn counting_and_measuring_can_be_stopped() {
    let mut host = playing();
    host.say(&format!("setup blue {BLUE}"));
    host.say("perft 32");
    host.say("isready");
    assert_eq!(host.until("readyok").len(), 1);
    host.say("stop");
    assert!(last(&host.until("perft")).ends_with(" stopped"));
    host.say("bench 1000000000");
    host.say("stop");
    host.say("wait");
    host.say("history");
    let lines = host.until("history");
    assert!(lines.iter().any(|line| line == "bench stopped"), "{lines:?}");
}

#[test]
fn a_failed_play_desyncs_until_the_host_says_otherwise() {
    let fresh = format!("newgame\nsetup red {RED}");
    let ways = ["undo 0", fresh.as_str(), "position Y8Q/10/10/10/2__2__2/2__2__2/10/10/10/E8M r - -,- 0 0"];
    for way in ways {
        let mut host = playing();
        assert_eq!(count(&host.ask("play a1a2"), "error"), 1);
        assert_eq!(count(&host.ask("play nonsense"), "error"), 1);
        assert_eq!(count(&host.ask("position nonsense"), "error"), 1);
        // A good play does not say that the game is as it should be.
        assert_eq!(count(&host.ask("play a4a5"), "error"), 0);
        host.say("go nodes 1");
        let lines = host.until("bestmove");
        assert!(lines[0].starts_with("error desynced "));
        assert_eq!(last(&lines), "bestmove none");
        host.ask("undo 1");
        host.ask(way);
        host.say("go nodes 1");
        let lines = host.until("bestmove");
        assert_eq!(count(&lines, "error"), 0, "{lines:?}");
        assert_ne!(last(&lines), "bestmove none");
    }
}

#[test]
fn failed_lines_leave_the_game_alone() {
    let mut host = playing();
    host.ask("play a4a5 a7a6 a5xa6=W43");
    let before = host.ask("d");
    for line in [
        "play b7b6 a1a2",
        "play b7b6 a6b6",
        "position nonsense",
        "position 10/10/10/10/2__2__2/2__2__2/10/10/10/E8M b r -,- 0 0 moves a1a2",
        "setup red ?",
        "rules gravon",
        "newgame rules speed=1",
        "undo 4",
        "gameover red reveal 10",
    ] {
        let lines = host.ask(line);
        assert_eq!((lines.len(), count(&lines, "error")), (1, 1), "{line}: {lines:?}");
        assert_eq!(host.ask("d"), before, "{line}");
    }
}

#[test]
fn equal_seeds_and_nodes_give_equal_games() {
    let game = || {
        let mut host = Host::start();
        host.say("setoption name Seed value 99");
        host.say("go setup");
        let mut answers = host.until("bestsetup");
        host.say(&format!("setup red {RED}\nsetup blue {BLUE}"));
        for _ in 0..6 {
            host.say("go nodes 300");
            let found = host.until("bestmove");
            let best = last(&found).strip_prefix("bestmove ").unwrap().to_owned();
            host.say(&format!("play {best}"));
            answers.extend(found.iter().map(|line| {
                let mut words: Vec<&str> = line.split(' ').collect();
                for name in ["time", "nps"] {
                    if let Some(at) = words.iter().position(|word| *word == name) {
                        words[at + 1] = "n";
                    }
                }
                words.join(" ")
            }));
        }
        answers.extend(host.ask("belief sample 3"));
        answers
    };
    assert_eq!(game(), game());
}

#[test]
fn setups_differ_from_game_to_game() {
    let mut host = Host::start();
    host.say("setoption name Seed value 4");
    let mut seen = Vec::new();
    for _ in 0..4 {
        host.say("newgame");
        host.say("go setup");
        seen.push(last(&host.until("bestsetup")).to_owned());
    }
    seen.dedup();
    assert_eq!(seen.len(), 4);
}

/// The wire is one of the places where a peek would show: the enemy's hidden ranks must not change one byte.
#[test]
fn the_enemys_hidden_ranks_do_not_change_a_byte() {
    let answers = |blue: &str| {
        let mut host = Host::start();
        host.say("setoption name Seed value 5");
        host.say("newgame red");
        host.say(&format!("setup red {RED}\nsetup blue {blue}"));
        host.say("play a4a5 a7a6 i4i5 j7j6");
        let mut lines = host.ask("belief\nbelief ours\nbelief sample 2\neval\nd 9");
        lines.retain(|line| !line.starts_with("spn "));
        host.say("go nodes 500");
        lines.push(last(&host.until("bestmove")).to_owned());
        lines
    };
    let swapped = BLUE.replacen("FB", "BF", 1).replacen("275M254683", "285M254673", 1);
    assert_ne!(BLUE, swapped);
    assert_eq!(answers(BLUE), answers(&swapped));
}

/// A scripted game against a study of the truth: the engine's answers are legal there too.
#[test]
fn a_whole_short_game_of_the_engine_against_itself_is_legal() {
    let mut truth = Host::start();
    truth.say(&format!("setup red {RED}\nsetup blue {BLUE}"));
    for _ in 0..60 {
        let legal = truth.ask("legal").concat();
        truth.say("go nodes 200");
        let best = last(&truth.until("bestmove")).strip_prefix("bestmove ").unwrap().to_owned();
        if best == "none" {
            break;
        }
        assert!(legal.split(' ').any(|text| text == best), "{best} is not in {legal}");
        assert_eq!(truth.ask(&format!("play {best}")), Vec::<String>::new());
    }
}

/// A script that asks for a setup and goes on at once is answered whole, in order.
#[test]
fn a_script_that_ends_in_quit_is_answered_whole() {
    let mut host = Host::start();
    for line in ["newgame red", "go setup", "status", "belief zz", "quit"] {
        host.say(line);
    }
    let answers = host.rest();
    let words: Vec<&str> = answers.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["bestsetup", "status", "error"], "{answers:?}");
}

/// Six pieces that have not moved and 34 that have, of which an army has no more than 33.
const MISCOUNTED: &str = "???????+?+?+?+/1?+?+?+?+?+?+?+?+?+/?+?+?+?+?+?+?+?+?+?+/?+?+?+?+?+?+?+?+?+?+/?+1__2__2/2__2__2/10/10/10/E8M";

/// Seven pieces that have not moved, 33 that have: those seven are bombs and the flag.
fn counted() -> String {
    MISCOUNTED.replacen("???????+", "???????", 1)
}

fn refused(host: &mut Host, line: &str, error: &str) {
    let answers = host.ask(line);
    assert!(answers.len() == 1 && answers[0].starts_with(error), "{line}: {answers:?}");
    assert_eq!(last(&host.ask("go nodes 1")), "bestmove none", "{line}");
    assert!(host.ask("go nodes 1")[0].starts_with("error desynced "), "{line}");
}

#[test]
fn an_army_that_fits_must_remain_after_a_plain_move() {
    let mut host = Host::start();
    let place = format!("position {} b r -,- 0 0", counted());
    assert_eq!(host.ask(&place), [] as [&str; 0]);
    assert!(host.ask("belief a10")[0].starts_with("belief a10 still F "));
    assert!(host.ask("belief a10")[0].contains(" S 0 2 0 3 0 4 0 5 0 6 0 7 0 8 0 9 0 M 0 B "));
    let error = "error result move 1, a10a9: no army would be left that fits";
    refused(&mut host, "play a10a9", error);
    assert_eq!(host.ask("undo 0"), ["undo 0 ply 0 turn blue"]);
    refused(&mut host, &format!("{place} moves a10a9"), error);
    host.ask("undo 0");
    assert_eq!(host.ask("play a6a5 a1a2 a8a9"), [] as [&str; 0]);
    refused(&mut host, "play j1j2", "error illegal ");
}

/// One of the dead, never named, may be a bomb; then seven of the living need not stand still.
#[test]
fn the_unnamed_dead_count_towards_the_army_that_must_remain() {
    let mut host = Host::start();
    let board = counted().replacen("/1?+?+", "/1?+1", 1);
    host.say(&format!("position {board} b r -,?[789MB] 0 0 silent=on"));
    assert_eq!(host.ask("play a10a9 a1a2"), [] as [&str; 0]);
    let certain = host.ask("belief dead");
    assert!(certain[0].ends_with(" M 0 B 1000000"), "{certain:?}");
    refused(&mut host, "play c10c9", "error result move 1, c10c9: no army would be left that fits");
}

#[test]
fn a_position_that_no_army_fits_is_refused() {
    let mut host = playing();
    let moved = "?+".repeat(10);
    let forty = format!("{moved}/{moved}/{moved}/{moved}/2__2__2/2__2__2/10/10/10/E8M");
    refused(&mut host, &format!("position {forty} r r -,- 0 0"), "error world ");
    refused(&mut host, &format!("position {MISCOUNTED} r r -,- 0 0"), "error world ");
    let generals = "?[9M]?[9M]?[9M]6?/10/10/10/2__2__2/2__2__2/E9/10/10/9M";
    refused(&mut host, &format!("position {generals} r r -,- 0 0"), "error world ");
    assert_eq!(host.ask("history"), ["history"], "the game is kept");
}

#[test]
fn a_game_reported_over_has_no_moves_until_that_is_taken_back() {
    let mut host = playing();
    let legal = host.ask("legal");
    assert_eq!(host.ask("gameover red"), [] as [&str; 0]);
    assert_eq!(host.ask("legal"), ["legal"]);
    for line in ["go nodes 1", "why a4a5", "gameover blue", "gameover draw", "play a4a5"] {
        assert!(host.ask(line)[0].starts_with("error game-over "), "{line}");
    }
    assert_eq!(host.ask("gameover red"), [] as [&str; 0], "the same again");
    assert!(last(&host.ask("status")).ends_with(" ending told"));
    host.ask("undo 0");
    assert!(last(&host.ask("status")).ends_with(" ending none"));
    assert_eq!(host.ask("legal"), legal);
    assert_eq!(host.ask("gameover blue"), [] as [&str; 0]);
    host.say("newgame");
    assert_eq!(host.ask("gameover draw"), [] as [&str; 0]);
}

/// A host waits for the answer to every `go`, and must not be answered for a game that it has left.
#[test]
fn lines_that_are_no_text_or_too_long_count_by_their_first_word() {
    let long = |start: &str| [start.as_bytes(), &vec![b'x'; outflank::protocol::LINE_LIMIT]].concat();
    let garbled = |start: &str| [start.as_bytes(), b"\xff"].concat();
    for (bytes, answers) in [
        (garbled("go "), vec!["error", "bestmove"]),
        (long("go "), vec!["error", "bestmove"]),
        (garbled("play a4a5 "), vec!["error", "error", "bestmove"]),
        (long("play a4a5 "), vec!["error", "error", "bestmove"]),
        (garbled("position "), vec!["error", "error", "bestmove"]),
        (garbled("history "), vec!["error", "bestmove"]),
    ] {
        let mut host = playing();
        host.say_bytes(&[&bytes[..], b"\n"].concat());
        if !bytes.starts_with(b"go") {
            host.say("go nodes 1");
        }
        host.say("wait");
        host.say("history");
        let lines = host.until("history");
        let words: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !["info", "history"].contains(word)).collect();
        assert_eq!(words, answers, "{lines:?}");
        let desynced = lines.iter().any(|line| line.starts_with("error desynced"));
        assert_eq!(desynced, answers.len() == 3, "{lines:?}");
    }
}
