//! Whole matches between processes, through the program.

use crate::common::{HONEST, arena, bot, file, mock};
use outflank::rules::{BySide, Side};
use outflank_record::{Outcome, Record, open, verify};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn output(command: &mut Command) -> (bool, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.success(), text(stdout), text(stderr))
}

/// The table of a match that succeeds.
fn table(command: &mut Command) -> String {
    let (success, stdout, stderr) = output(command);
    assert!(success, "{stderr}");
    stdout
}

fn records(path: &Path) -> BTreeMap<u64, Record> {
    open(path).unwrap().map(|record| record.unwrap()).map(|record| (record.game, record)).collect()
}

#[test]
fn every_fault_is_a_line_and_stops_nothing() {
    let faults = [
        ("crash", "echo why >&2; exit 3", "crashed: exit status: 3; stderr: why", &["nodes=1"][..]),
        ("hang", "sleep 600", "hung: no bestmove", &["movetime=10"]),
        (
            "boaster",
            "echo info nodes 5 wdl 400000 900 0; echo bestmove a4a5",
            "garbage: no chances in permille: info nodes 5 wdl 400000 900 0",
            &["nodes=1"],
        ),
        (
            "giant",
            "echo info nodes 18446744073709551615; echo bestmove a4a5",
            "garbage: no such number of nodes: info nodes 18446744073709551615",
            &["nodes=1"],
        ),
        ("lie", "echo bestmove checkmate", "garbage: bestmove checkmate", &["nodes=1"]),
        ("boast", "echo bestmove e4xe7=W9M", "garbage: bestmove e4xe7=W9M", &["nodes=1"]),
        ("late", "sleep 0.8; echo bestmove a4a5", "late: ", &["movetime=10"]),
        ("illegal", "echo bestmove a1a9", "illegal: a1a9: ", &["nodes=1"]),
        (
            "none",
            "echo error desynced; echo bestmove none",
            "garbage: bestmove none after error",
            &["nodes=1"],
        ),
        ("flood", "yes info string again", "without an answer", &["nodes=1"]),
        ("line", "cat /dev/zero | tr '\\0' x", "flooded: a line over", &["nodes=1"]),
        ("shut", "exec >&-; sleep 600", "closed: ", &["nodes=1"]),
        ("deaf", "exec <&-; sleep 600", "hung: ", &["movetime=10"]),
    ];
    let out = file("faults.jsonl");
    let mut command = arena(&["match", "--gauntlet", "--games", "2", "--rules", "isf plies=30", "--out"]);
    command.arg(&out).args([
        "--margin",
        "100",
        "--patience",
        "1500",
        "--engine",
        *HONEST,
        "name=honest",
        "nodes=1",
    ]);
    for (name, on_go, _, limits) in faults {
        let script = mock(&file(&format!("mock-{name}.sh")), on_go);
        command.args(["--engine", "cmd=sh", &script, &format!("name={name}")]).args(limits);
    }
    let table = table(&mut command);
    let records = records(&out);
    assert_eq!(records.len(), 2 * faults.len());
    for (name, _, fault, _) in faults {
        let line = table.lines().find(|line| line.starts_with(&format!("faults of {name}: 2 ")));
        assert!(line.is_some_and(|line| line.contains(fault)), "{name}: {fault}\n{table}");
    }
    assert!(!table.contains("faults of honest"), "{table}");
    for record in records.values() {
        verify(record).unwrap();
        assert!(record.outcome.fault.is_some());
    }
}

#[test]
fn the_bot_of_the_examples_plays_whole_games_by_several_rules() {
    for rules in ["isf", "gravon barrage=on", "1961 silent=on"] {
        let out = file("bot.jsonl");
        let cmd = format!("cmd={}", bot());
        let mut command =
            arena(&["match", "--games", "4", "--rules", rules, "--max-plies", "1500", "--own-setups"]);
        command.args(["--engine", &cmd, "name=Striker", "movetime=1000"]);
        command.args(["--engine", "player=random", "name=random", "--out"]).arg(&out);
        let table = table(&mut command);
        assert!(!table.contains("faults of"), "{table}");
        let records = records(&out);
        assert!(records.len() == 4 && records.values().all(|record| verify(record).is_ok()), "{table}");
    }
}

#[test]
fn nobody_loses_by_silence_that_no_clock_forbids() {
    let out = file("silence.jsonl");
    let mut command = arena(&["match", "--gauntlet", "--games", "4", "--rules", "isf plies=30", "--out"]);
    command.arg(&out).args(["--patience", "900", "--sprt", "elo0=0", "elo1=10"]);
    command.args(["--engine", *HONEST, "name=honest", "nodes=1"]);
    // It answers in the first of the games that a process of its plays, and never again.
    let on_go = "if [ -n \"$done\" ]; then sleep 600; else done=1; echo bestmove resign; fi";
    let script = mock(&file("mock-silence.sh"), on_go);
    command.args(["--concurrency", "1", "--engine", "cmd=sh", &script, "name=mute", "nodes=1"]);
    let (success, table, stderr) = output(&mut command);
    assert!(success && stderr.contains("still waiting for mute: "), "{stderr}");
    assert!(!table.contains("faults of"), "{table}");
    assert!(
        table.contains("left out: 2 without a result; game 3: silent: mute: no bestmove in 900 ms"),
        "{table}"
    );
    let records = records(&out);
    let reasons: Vec<&str> = records.values().map(|record| record.outcome.reason.name()).collect();
    assert_eq!(reasons, ["resigned", "unfinished", "resigned", "unfinished"]);
    for record in records.values() {
        verify(record).unwrap();
    }
    let stats =
        self::table(&mut arena(&["stats", &out.display().to_string(), "--sprt", "elo0=0", "elo1=10"]));
    assert!(stats.starts_with(&table), "{stats}");
}

#[test]
fn a_process_that_crashes_now_and_then_is_started_again() {
    let on_go = "if [ -e \"$0.crashed\" ]; then echo bestmove resign; else : > \"$0.crashed\"; exit 1; fi";
    let (out, script) = (file("again.jsonl"), file("again.sh"));
    file("again.sh.crashed");
    let mut command = arena(&["match", "--games", "4", "--concurrency", "1", "--engine", *HONEST, "nodes=1"]);
    command.args(["--engine", "cmd=sh", "name=shaky", "nodes=1", &mock(&script, on_go), "--out"]).arg(&out);
    table(&mut command);
    let reasons: Vec<&str> = records(&out).values().map(|record| record.outcome.reason.name()).collect();
    assert_eq!(reasons, ["fault", "resigned", "resigned", "resigned"]);
}

/// Numbers that look random: waits before a kill.
fn waits() -> impl Iterator<Item = Duration> {
    let mut state = 7u64;
    std::iter::from_fn(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Some(Duration::from_millis(40 + (state >> 33) % 160))
    })
}

#[test]
fn a_match_killed_and_resumed_ends_as_if_nothing_had_happened() {
    let start = |out: &Path| {
        let mut command =
            arena(&["match", "--games", "24", "--concurrency", "3", "--no-clocks", "--seed", "9"]);
        command.args(["--rules", "isf plies=40", "--engine", *HONEST, "name=more", "nodes=10"]);
        command.args(["--engine", *HONEST, "name=less", "nodes=2", "--out"]).arg(out);
        command
    };
    let (whole, broken) = (file("whole.jsonl"), file("broken.jsonl"));
    let expected = table(&mut start(&whole));
    let (mut kept, mut broken_off) = (0, 0);
    for wait in waits().take(6) {
        let mut child =
            start(&broken).arg("--resume").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(wait);
        child.kill().unwrap();
        child.wait().unwrap();
        // Whole lines are never lost again.
        let text = std::fs::read_to_string(&broken).unwrap_or_default();
        let lines = text.matches('\n').count();
        assert!(lines >= kept, "{lines} {kept}");
        kept = lines;
        broken_off += usize::from(lines < 24);
    }
    assert!(broken_off > 0, "no kill came before the end");
    assert_eq!(table(start(&broken).arg("--resume")), expected);
    assert_eq!(records(&broken), records(&whole));
}

#[test]
fn shards_merge_into_the_whole() {
    let start = |shard: Option<&str>, out: &Path| {
        let mut command = arena(&["match", "--games", "10", "--no-clocks", "--rules", "isf plies=16"]);
        command.args(["--engine", *HONEST, "name=a", "nodes=2", "--engine", *HONEST, "name=b", "nodes=1"]);
        command.arg("--out").arg(out);
        if let Some(shard) = shard {
            command.args(["--shard", shard]);
        }
        table(&mut command)
    };
    let (whole, one, two, merged) =
        (file("all.jsonl"), file("one.jsonl"), file("two.jsonl"), file("merged.jsonl"));
    let expected = start(None, &whole);
    start(Some("1/2"), &one);
    start(Some("2/2"), &two);
    assert_eq!((records(&one).len(), records(&two).len()), (6, 4));
    let mut merge = arena(&["merge"]);
    assert_eq!(table(merge.args([&one, &two]).arg("--out").arg(&merged)), expected);
    assert_eq!(records(&merged), records(&whole));
    let (success, _, stderr) = output(merge.args([&whole]));
    assert!(!success && stderr.contains("not overwritten"), "{stderr}");
}

#[test]
fn a_record_tells_the_expected_score_of_each_ply() {
    let out = file("scores.jsonl");
    let mut command = arena(&["match", "--games", "2", "--max-plies", "30", "--margin", "20000", "--engine"]);
    // With 100 nodes a search may end before its first action has a score.
    command.args([*HONEST, "name=a", "nodes=500", "--engine", *HONEST, "name=b", "nodes=500", "--out"]);
    table(command.arg(&out));
    for record in records(&out).values() {
        assert_eq!(record.candidates.len(), record.moves.len());
        for (said, played) in record.candidates.iter().zip(record.actions().unwrap()) {
            let (action, score) = said.split_once(' ').unwrap();
            assert_eq!(action, played.action.text(false));
            assert!(score.parse::<u16>().unwrap() <= 1000, "{said}");
        }
    }
}

#[test]
fn every_way_to_set_up_and_every_limit_plays() {
    let book = file("book.txt");
    std::fs::write(&book, "FB22B34B53B5S63B2742B368274296275M254683 # as in the protocol's page\n").unwrap();
    let book = book.display().to_string();
    for (index, words) in [
        &["--own-setups"][..],
        &["--no-pairs"],
        &["--book", &book],
        &["--rules", "evaluator plies=30", "--adjudicate", "501", "--adjudicate-actions", "1"],
        &["--rules", "isf silent=on barrage=on plies=60", "--own-setups"],
        &["--rules", "1961 rescue=on quiet=20 plies=200"],
        &["--each", "tc=5+0.1"],
        &["--each", "movetime=1"],
        &["--each", "depth=1", "restart=on"],
    ]
    .into_iter()
    .enumerate()
    {
        let out = file(&format!("way-{index}.jsonl"));
        let mut command =
            arena(&["match", "--games", "2", "--max-plies", "30", "--margin", "20000", "--engine"]);
        command.args([*HONEST, "name=a", "nodes=5", "--engine", *HONEST, "name=b", "nodes=5", "--out"]);
        table(command.arg(&out).args(words));
        for record in records(&out).values() {
            verify(record).unwrap();
            assert_eq!(record.outcome.fault, None, "{words:?}");
            assert!(record.plies > 0);
        }
    }
}

#[test]
fn mistakes_are_reported_before_the_first_game() {
    let two = ["match", "--engine", *HONEST, "name=a", "--engine", *HONEST];
    for (words, complaint) in [
        (&two[..4], "two engines"),
        (&["match", "--engine", *HONEST, "--engine", *HONEST], "tell them apart with name="),
        (&["match", "--engine", "cmd=./nowhere", "--engine", *HONEST], "unstartable: ./nowhere"),
        (
            &["match", "--engine", *HONEST, "option.Strength=3", "--engine", *HONEST, "name=b"],
            "has no option Strength",
        ),
        (&["match", "--engine", *HONEST, "option.MultiPV=0", "--engine", *HONEST, "name=b"], "error value"),
    ] {
        let out = file("mistake.jsonl");
        let (success, _, stderr) = output(arena(words).arg("--out").arg(&out));
        assert!(!success && stderr.contains(complaint), "{complaint}: {stderr}");
        assert!(!out.exists(), "{complaint}: a match that cannot begin leaves a file");
    }
    for (words, complaint) in [
        (&["--games", "3"][..], "even number"),
        (&["--games", "2", "--sprt", "elo0=5"], ""),
        (&["--sprt", "elo1=-5"], "elo0 below elo1"),
        (&["--rules", "chess"], "chess"),
        (&["--resume", "--no-pairs"], "--out"),
        (&["--margin", "18446744073709551615"], "--margin"),
        (&["--patience", "18446744073709551615"], "--patience"),
        (&["--concurrency", "0"], "--concurrency"),
        (&["--concurrency", "18446744073709551615"], "--concurrency"),
        (&["--each", "tc=18446744073709552"], "it takes seconds up to 31536000"),
        (&["--each", "tc=9300000000000000000"], "it takes seconds up to 31536000"),
        (&["--each", "nodes=18446744073709551615"], "it takes a whole number from 1 to"),
        (&["--sprt", "elo1=1e300"], "at most 4000 either way"),
    ] {
        let mut command = arena(&two);
        let (success, _, stderr) = output(command.args(["name=b", "--max-plies", "4"]).args(words));
        assert!(complaint.is_empty() == success && stderr.contains(complaint), "{complaint}: {stderr}");
    }
}

#[test]
fn a_file_of_another_match_is_not_gone_on_with() {
    let out = file("other.jsonl");
    let start = |seed: &str| {
        let mut command = arena(&["match", "--games", "2", "--max-plies", "6", "--seed", seed, "--resume"]);
        command.args(["--engine", *HONEST, "name=a", "nodes=1", "--engine", *HONEST, "name=b", "nodes=1"]);
        command.arg("--out").arg(&out);
        command
    };
    table(&mut start("1"));
    let (success, _, stderr) = output(&mut start("2"));
    assert!(!success && stderr.contains("of another match") && stderr.contains("seed 1"), "{stderr}");
}

#[test]
fn a_test_stops_the_match() {
    let on_go = mock(&file("resigns.sh"), "echo bestmove resign");
    let mut command = arena(&["match", "--games", "2000", "--concurrency", "2"]);
    command.args(["--sprt", "elo0=0", "elo1=100", "--engine", *HONEST, "nodes=1"]);
    let table = table(command.args(["--engine", "cmd=sh", &on_go, "nodes=1"]));
    assert!(table.contains("H1 accepted"), "{table}");
    assert!(!table.contains("  2000"), "{table}");
}

#[test]
fn games_are_replayed_verified_and_summed_up() {
    let out = file("looked-at.jsonl");
    let mut command = arena(&["match", "--games", "2", "--max-plies", "40", "--engine", *HONEST, "name=a"]);
    table(command.args(["nodes=1", "--engine", *HONEST, "name=b", "nodes=1", "--out"]).arg(&out));
    let path = out.display().to_string();
    assert!(table(&mut arena(&["verify", &path])).contains("2 games, 80 plies replayed, 0 wrong"));
    let stats = table(&mut arena(&["stats", &path]));
    for part in ["a against b", "plies a game: 40.0", "ends: draw plies 2", "drawn 100.0%"] {
        assert!(stats.contains(part), "{part}: {stats}");
    }
    let (success, _, stderr) = output(&mut arena(&["replay", &path, "--game", "5"]));
    assert!(!success && stderr.contains("there are 0 to 1"), "{stderr}");
    let shown =
        |side: &str| table(&mut arena(&["replay", &path, "--game", "1", "--ply", "40", "--side", side]));
    let hidden = |text: &str| text.contains("[?]  ") || text.contains("[?] [?]");
    assert!(shown("truth").contains("b (red) against a (blue), ply 40 of 40"));
    assert!(!hidden(&shown("truth")) && hidden(&shown("red")) && hidden(&shown("blue")));
    assert!(shown("blue").contains("we play blue") && shown("blue").contains("draw: plies"));
}

#[test]
fn bots_of_the_public_arena_are_hosted() {
    let out = file("bots.jsonl");
    let mut command = arena(&["match", "--games", "2", "--own-setups", "--rules", "evaluator plies=80"]);
    command.args(["--margin", "20000", "--engine", *HONEST, "name=bot", "args=arena-bot --nodes 20"]);
    command.args(["protocol=strategoevaluator", "--engine", *HONEST, "name=sei", "nodes=5"]);
    let silent = mock(&file("bot.sh"), "true");
    command.args([
        "--engine",
        "cmd=sh",
        &silent,
        "name=nobody",
        "protocol=strategoevaluator",
        "--patience",
        "3000",
    ]);
    let table = table(command.arg("--out").arg(&out));
    // What it was asked for is its setup, for which no clock runs.
    assert!(table.contains("left out: 4 without a result; game 5: silent: nobody: no setup in"), "{table}");
    assert!(!table.contains("faults of nobody") && !table.contains("faults of bot"), "{table}");
    assert!(!table.contains("faults of sei"), "{table}");
    for record in records(&out).values() {
        verify(record).unwrap();
        let played = record.players.values().all(|player| player.name != "nobody");
        assert!(
            !played || record.plies == 80 || record.outcome.reason.name() == "flag",
            "{:?}",
            record.outcome
        );
    }
    let refused = ["match", "--engine", *HONEST, "protocol=strategoevaluator", "--engine", *HONEST, "name=b"];
    for (words, complaint) in [
        (&["--rules", "evaluator"][..], "needs --own-setups"),
        (&["--own-setups"], "needs --rules evaluator"),
    ] {
        let (success, _, stderr) = output(arena(&refused).args(words));
        assert!(!success && stderr.contains(complaint), "{stderr}");
    }
}

#[test]
fn a_network_plays_inside_the_arena() {
    const NET: &str =
        concat!("network=", env!("CARGO_MANIFEST_DIR"), "/../../crates/engine/src/policy/self_play.net");
    let play = |out: &Path, rules: &str, words: &[&str]| {
        let mut command = arena(&["match", "--games", "2", "--margin", "20000", "--rules", rules, "--out"]);
        let command = command.arg(out).args(words);
        table(command.args(["--no-clocks", "--engine", NET, "temperature=0.5", "name=net"]))
    };
    let out = file("network-bots.jsonl");
    let bot = ["--engine", *HONEST, "name=bot", "args=arena-bot --nodes 20", "protocol=strategoevaluator"];
    let table = play(&out, "evaluator plies=80", &[&["--own-setups"], &bot[..]].concat());
    assert!(!table.contains("faults of"), "{table}");
    // The bot's come from a seed of its own, so that two of them may be the same.
    let of_net = |record: &Record| {
        let side = Side::BOTH.into_iter().find(|&side| record.players[side].name == "net").unwrap();
        record.setups[side].clone()
    };
    let setups: Vec<_> = records(&out).values().map(of_net).collect();
    assert!(setups.len() == 2 && setups[0] != setups[1], "{setups:?}");
    for rules in ["1961 plies=60", "isf barrage=on silent=on plies=60", "gameboard rescue=on plies=60"] {
        let (out, again) = (file("network.jsonl"), file("network-again.jsonl"));
        let other = ["--concurrency", "1", "--engine", NET, "name=greedy"];
        assert!(!play(&out, rules, &other).contains("faults of"), "{rules}");
        play(&again, rules, &other);
        assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(&again).unwrap(), "{rules}");
        for record in records(&out).values() {
            verify(record).unwrap();
            let net = record.players.values().find(|player| player.name == "net").unwrap();
            assert_eq!((net.player.as_str(), net.temperature), ("network", Some(0.5)));
            assert!(
                net.engine.as_deref().is_some_and(|about| about.starts_with("sparse network, 192 hidden"))
            );
        }
    }
    let wrong = ["match", "--engine", "network=nowhere.net", "--engine", *HONEST];
    let (success, _, stderr) = output(&mut arena(&wrong));
    assert!(!success && stderr.contains("nowhere.net"), "{stderr}");
}

#[test]
fn no_name_paints_over_the_terminal_and_no_mark_hides_a_record() {
    let mut record: Record = include_str!("../../record/tests/game.jsonl").parse().unwrap();
    record.players[Side::Red].name = "red\u{1b}[2J\nline".to_owned();
    record.players[Side::Blue].name = "blue\u{202e}\u{9b}".to_owned();
    let fault = Outcome::of_fault(Side::Blue, "late\u{1b}]0;x\u{7}: \u{2066}why".to_owned());
    let failed =
        Record { game: 1, moves: Vec::new(), outcome: fault, setups: BySide::default(), ..record.clone() };
    let out = file("painted.jsonl");
    std::fs::write(&out, format!("\u{feff}{}{}", record.line().unwrap(), failed.line().unwrap())).unwrap();
    let path = out.display().to_string();
    for words in
        [&["stats", &path][..], &["replay", &path], &["replay", &path, "--ply", "27"], &["verify", &path]]
    {
        let (_, stdout, stderr) = output(&mut arena(words));
        let painted = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{2066}');
        assert!(!stdout.contains(painted) && !stderr.contains(painted), "{words:?}: {stdout:?} {stderr:?}");
        assert!(!stderr.contains("expected value"), "{words:?}: {stderr}");
    }
    let stats = table(&mut arena(&["stats", &path]));
    assert!(stats.contains("red\\u{1b}[2J\\nline against blue\\u{202e}\\u{9b}: won 2"), "{stats}");
}
