//! Whatever comes in: no panic, one `error` for each bad line, the game kept, and still an answer to `isready`.

use crate::host::inside::{answers, count};
use crate::host::{BLUE, Host, RED};
use outflank::protocol::LINE_LIMIT;
use outflank::rng::Rng;
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Valid lines that end soon, to be shuffled, cut and glued.
const LINES: [&str; 46] = [
    "sei",
    "isready",
    "setoption name Seed value 3",
    "setoption name MultiPV value 3",
    "setoption name Resign value true",
    "rules",
    "rules gravon quiet=40",
    "rules silent=on advance=on",
    "newgame",
    "newgame red",
    "newgame blue rules vassal aggressor=on",
    "setup red ?",
    "setup blue ?",
    "play a4a5",
    "play a7a6",
    "play b4b5 b7b6",
    "play a5xa6=W43",
    "play e4xe7=L25",
    "play e4xe7=W2F",
    "play e7e6 a1a2",
    "undo",
    "undo 0",
    "undo 3",
    "history",
    "status",
    "go nodes 30",
    "go depth 1",
    "go setup",
    "go nodes 20 searchmoves a4a5",
    "stop",
    "wait",
    "belief",
    "belief a7 json",
    "belief ours",
    "belief dead",
    "belief sample 2",
    "legal",
    "d",
    "d B",
    "eval",
    "why a4a5",
    "why a4",
    "d 9 ours",
    "perft 2",
    "bench 1",
    "help go",
];

/// Lines with arguments too long for the table.
fn valid_lines() -> Vec<String> {
    let mut lines: Vec<String> = LINES.map(str::to_owned).to_vec();
    let position = "?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r r 22,6? 12 200";
    lines.push(format!("setup red {RED}"));
    lines.push(format!("setup blue {BLUE}"));
    lines.push(format!("position {position}"));
    lines.push(format!("position {position} moves a4a5 j9j8"));
    lines.push("position Y8Q/10/10/10/2__2__2/2__2__2/10/10/10/E8M r - -,- 0 0".to_owned());
    lines.push("gameover draw".to_owned());
    lines.push("gameover red reveal Y8Q/10/10/10/2__2__2/2__2__2/10/10/10/E8M".to_owned());
    lines
}

/// A valid line, sometimes damaged.
fn spoiled(line: &str, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..[0, 0, 0, 1, 2, 5][rng.below(6)] {
        let at = rng.below(bytes.len() + 1);
        match rng.below(4) {
            0 => bytes.insert(at, rng.bits() as u8),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => bytes[at] = b" \t\r#=?[]+x19aZ"[rng.below(14)],
            _ if at < bytes.len() => drop(bytes.remove(at)),
            _ => {}
        }
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

/// Whether damage made a line that counts or looks ahead for ages, as in `perft 9`.
fn takes_ages(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let deep = |pair: &[&str]| {
        matches!(pair[0], "perft" | "depth") && pair[1].parse::<u32>().is_ok_and(|plies| plies > 2)
    };
    words.windows(2).any(deep)
}

/// Shuffled lines, now and then spoiled, with fences between; never `quit`.
fn shuffled(seed: u64, count: usize) -> Vec<Vec<u8>> {
    let (lines, mut rng) = (valid_lines(), Rng::new(seed));
    (0..count)
        .map(|_| spoiled(&lines[rng.below(lines.len())], &mut rng))
        .filter(|line| !line.starts_with(b"quit") && !line.windows(8).any(|part| part == b"movetime"))
        .filter(|line| !takes_ages(line))
        .collect()
}

/// The first word of a line, as far as it can be read.
fn first_word(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text =
        text.strip_prefix('\u{feff}').unwrap_or(&text).split('#').next().unwrap_or_default().to_owned();
    text.split([' ', '\t', '\r']).find(|word| !word.is_empty()).unwrap_or_default().to_owned()
}

/// The first line that `help wait` prints.
const FENCE: &str = "  wait";

/// Says each line between fences: no more than one `error` each, every fence is answered, and every `go` by one action or
/// setup, even if it cannot be read.
fn check_lines(lines: &[Vec<u8>]) {
    let mut input = Vec::new();
    for line in lines {
        input.extend_from_slice(line);
        // `wait` lets what was started end before the fence.
        input.extend_from_slice(b"\nwait\nhelp wait\n");
    }
    let answers = answers(input);
    let (mut errors, mut chosen, mut fences) = (0, 0, 0);
    for answer in &answers {
        match answer.split(' ').next() {
            _ if answer == FENCE => {
                let line = &lines[fences];
                let shown = String::from_utf8_lossy(line);
                // A setup may be asked for by `auto`.
                let owed = first_word(line) == "go";
                assert!(chosen == usize::from(owed) || first_word(line) == "setup", "{shown:?}: {chosen}");
                (errors, chosen, fences) = (0, 0, fences + 1);
            }
            Some("error") => errors += 1,
            Some("bestmove" | "bestsetup") => chosen += 1,
            _ => {}
        }
        assert!(errors <= 1, "{answers:#?}");
        assert!(!answer.starts_with("error internal"), "{answer}");
    }
    assert!(fences == lines.len(), "{fences} of {} fences", lines.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let lines = bytes.split(|&byte| byte == b'\n').count();
        let answers = answers([bytes.as_slice(), b"\nisready\n"].concat());
        prop_assert_eq!(answers.last().map(String::as_str), Some("readyok"));
        prop_assert!(count(&answers, "error") <= lines);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shuffled_and_spoiled_lines_cost_one_error_each(seed in any::<u64>()) {
        check_lines(&shuffled(seed, 60));
    }
}

#[test]
#[ignore = "a soak of minutes: .ci/run runs it"]
fn soak_many_shuffled_and_spoiled_lines_cost_one_error_each() {
    for seed in 0..200 {
        check_lines(&shuffled(seed, 60));
    }
}

#[test]
fn every_bad_line_costs_exactly_one_error() {
    let mut bad: Vec<Vec<u8>> =
        ["x", "go x", "play x", "d dd", "setup red", "position", "\u{e9}t\u{e9}", "sei sei"]
            .map(|line| line.as_bytes().to_vec())
            .to_vec();
    bad.push(vec![0xff, 0xfe]);
    bad.push(vec![0]);
    bad.push(b"\x1b[2J".to_vec());
    bad.push(vec![b'a'; LINE_LIMIT + 1]);
    bad.push(vec![b' '; LINE_LIMIT + 1]);
    bad.push([b"play ".as_slice(), &b"a4a5 ".repeat(100_000)].concat());
    bad.push([b"setoption name ".as_slice(), &vec![b'n'; 500_000]].concat());
    let input = bad.iter().flat_map(|line| [line.as_slice(), b"\r\n"].concat()).collect();
    let answers = answers(input);
    assert_eq!(count(&answers, "error"), bad.len(), "{answers:#?}");
    assert!(answers.iter().all(|answer| answer.len() < 400));
}

#[test]
fn lines_up_to_the_limit_are_read() {
    let mut line = b"isready #".to_vec();
    line.resize(LINE_LIMIT, b'c');
    assert_eq!(answers([line.as_slice(), b"\n"].concat()), ["readyok"]);
    line.push(b'c');
    assert_eq!(count(&answers([line.as_slice(), b"\nisready"].concat()), "error"), 1);
}

#[test]
fn garbage_over_a_pipe_leaves_the_engine_answering() {
    let mut host = Host::start();
    for line in shuffled(11, 300) {
        host.say_bytes(&[line.as_slice(), b"\n"].concat());
    }
    host.say("stop");
    host.say("newgame");
    host.say("wait");
    host.say("history");
    while host.until("history").last().is_some_and(|line| line != "history") {}
    host.say("isready");
    host.until("readyok");
    assert!(host.end().success());
}

/// `SOAK_SECONDS=3600 cargo test --release --test engine -- --ignored as_long_as_told` keeps at it for an
/// hour; ten minutes by default.
#[test]
#[ignore = "runs for ten minutes, or as long as SOAK_SECONDS says"]
fn shuffled_lines_cost_one_error_each_for_as_long_as_asked() {
    let seconds = std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(600);
    let began = Instant::now();
    let mut seed = u64::from(std::process::id());
    while began.elapsed() < Duration::from_secs(seconds) {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        println!("seed {seed}");
        check_lines(&shuffled(seed, 500));
    }
}
