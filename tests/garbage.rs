//! Whatever comes in: no panic, one `error` for each bad line, the game kept, and still an answer to `isready`.

mod host;

use host::{BLUE, Host, RED};
use outflank::dice::Dice;
use outflank::protocol::{LINE_LIMIT, Searcher, Settings, Style, converse};
use outflank::search::{Choice, Info, Task};
use proptest::prelude::*;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Everything that was answered.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn settings(searcher: Searcher) -> Settings {
    Settings { searcher, style: Style::default(), seed: 1 }
}

/// The answers to all of `input`, in this process.
fn answers_with(input: Vec<u8>, searcher: Searcher) -> Vec<String> {
    let sink = Sink::default();
    let input = Box::new(BufReader::new(Cursor::new(input)));
    converse(input, Box::new(sink.clone()), settings(searcher)).unwrap();
    let bytes = sink.0.lock().unwrap().clone();
    let text = String::from_utf8(bytes).expect("answers are text");
    assert!(text.is_ascii(), "{text}");
    text.lines().map(str::to_owned).collect()
}

fn answers(input: Vec<u8>) -> Vec<String> {
    answers_with(input, outflank::search::search)
}

fn count(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| line.split(' ').next() == Some(word)).count()
}

/// Valid lines that end soon, to be shuffled, cut and glued.
const LINES: [&str; 44] = [
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
fn spoiled(line: &str, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..[0, 0, 0, 1, 2, 5][dice.below(6)] {
        let at = dice.below(bytes.len() + 1);
        match dice.below(4) {
            0 => bytes.insert(at, dice.bits() as u8),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => bytes[at] = b" \t\r#=?[]+x19aZ"[dice.below(14)],
            _ if at < bytes.len() => drop(bytes.remove(at)),
            _ => {}
        }
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}

/// Shuffled lines, now and then spoiled, with fences between; never `quit`.
fn shuffled(seed: u64, count: usize) -> Vec<Vec<u8>> {
    let (lines, mut dice) = (valid_lines(), Dice::new(seed));
    (0..count)
        .map(|_| spoiled(&lines[dice.below(lines.len())], &mut dice))
        .filter(|line| !line.starts_with(b"quit") && !line.windows(8).any(|part| part == b"movetime"))
        .collect()
}

/// Says each line between fences: no more than one `error` each, and every fence is answered.
fn check_lines(lines: &[Vec<u8>]) {
    let mut input = Vec::new();
    for line in lines {
        input.extend_from_slice(line);
        // `wait` lets what was started end before the fence.
        input.extend_from_slice(b"\nwait\nhistory\n");
    }
    let answers = answers(input);
    let mut errors = 0;
    let mut fences = 0;
    for answer in &answers {
        match answer.split(' ').next() {
            Some("error") => errors += 1,
            Some("history") => (errors, fences) = (0, fences + 1),
            _ => {}
        }
        assert!(errors <= 1, "{answers:#?}");
        assert!(!answer.starts_with("error internal"), "{answer}");
    }
    assert!(fences >= lines.len(), "{fences} of {} fences", lines.len());
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

    #[test]
    fn shuffled_and_spoiled_lines_cost_one_error_each(seed in any::<u64>()) {
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

fn broken(_: &Task<'_>, _: &mut dyn FnMut(&Info)) -> Choice {
    panic!("on purpose");
}

/// A search that breaks still yields a legal action, and the conversation goes on.
#[test]
fn a_broken_search_is_answered_by_a_legal_action() {
    let script =
        format!("setup red {RED}\nlegal\ngo nodes 1\nwait\ngo nodes 1 searchmoves b4b5\nwait\nhistory\n");
    let answers = answers_with(script.into_bytes(), broken);
    let best: Vec<&str> = answers.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert!(answers[0].split(' ').any(|text| text == best[0]), "{answers:?}");
    assert_eq!(best[1], "b4b5");
    assert_eq!(answers.iter().filter(|line| line.starts_with("error internal ")).count(), 2);
    assert_eq!(answers.last().map(String::as_str), Some("history"));
}

fn hopeless(task: &Task<'_>, _: &mut dyn FnMut(&Info)) -> Choice {
    let score = Some(outflank::search::Score { win: 1, draw: 2, loss: 997 });
    Choice { action: task.view.position().actions().first().copied(), score, nodes: 1 }
}

/// Resigning takes the option and a run of hopeless searches in different positions.
#[test]
fn we_resign_only_when_allowed_and_after_a_while() {
    let play = "go\nwait\nundo 0\nplay a4a5 b7b6\ngo\nwait\nplay a5a4 b6b7\ngo\nwait\ngo\nwait\n";
    let script = |option: &str| format!("{option}setup red {RED}\n{play}").into_bytes();
    assert_eq!(count_resigned(&answers_with(script(""), hopeless)), 0);
    let allowed = answers_with(script("setoption name Resign value true\n"), hopeless);
    assert!(count_resigned(&allowed) <= 2, "{allowed:?}");
    let straight = script("setoption name Resign value true\n");
    let straight = String::from_utf8(straight).unwrap().replace("undo 0\n", "");
    let answers = answers_with(straight.into_bytes(), hopeless);
    let best: Vec<bool> = answers
        .iter()
        .filter(|line| line.starts_with("bestmove"))
        .map(|line| line.ends_with("resign"))
        .collect();
    assert_eq!(best, [false, false, true, true]);
}

fn count_resigned(lines: &[String]) -> usize {
    lines.iter().filter(|line| *line == "bestmove resign").count()
}

/// A search that only a stop ends.
fn patient(task: &Task<'_>, report: &mut dyn FnMut(&Info)) -> Choice {
    let mut nodes = 0;
    while !task.stop.load(std::sync::atomic::Ordering::Relaxed) {
        nodes += 1;
        let score = outflank::search::Score { win: 0, draw: 1000, loss: 0 };
        let time = task.clock.elapsed();
        report(&Info { depth: 1, line: 1, time, nodes, score, worlds: None, line_of_play: Vec::new() });
    }
    Choice { action: None, score: None, nodes }
}

/// Gives bytes for ever, and notes how many were taken.
struct Flood {
    start: Vec<u8>,
    given: Arc<Mutex<usize>>,
}

impl Read for Flood {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.start.is_empty() {
            let count = self.start.len().min(buffer.len());
            buffer[..count].copy_from_slice(&self.start[..count]);
            self.start.drain(..count);
            return Ok(count);
        }
        let mut given = self.given.lock().unwrap();
        *given += buffer.len();
        for (index, byte) in buffer.iter_mut().enumerate() {
            *byte = if index % 100 == 99 { b'\n' } else { b'#' };
        }
        if *given > 64 << 20 { Ok(0) } else { Ok(buffer.len()) }
    }
}

/// A host that floods the engine behind `wait` is made to wait; an infinite search then ends by itself.
#[test]
fn a_flood_behind_wait_is_bounded_and_ends_the_search() {
    let given = Arc::new(Mutex::new(0));
    let start = format!("setup red {RED}\ngo infinite\nwait\n").into_bytes();
    let sink = Sink::default();
    let input = BufReader::new(Flood { start, given });
    converse(Box::new(input), Box::new(sink.clone()), settings(patient)).unwrap();
    let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("bestmove ")).count(), 1);
}

/// A reader that takes nothing until it is allowed to.
struct Stuck {
    open: Arc<Mutex<bool>>,
    sink: Sink,
}

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        while !*self.open.lock().unwrap() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Input of which one can see how far it was read.
struct Counted {
    input: Cursor<Vec<u8>>,
    at: Arc<Mutex<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        *self.at.lock().unwrap() = self.input.position();
        Ok(count)
    }
}

/// Lines are read while nobody reads the answers, and in the end every one is answered.
#[test]
fn the_reader_does_not_wait_for_the_writer() {
    let open = Arc::new(Mutex::new(false));
    let at = Arc::new(Mutex::new(0));
    let sink = Sink::default();
    let script = "isready\nhelp\n".repeat(5_000).into_bytes();
    let length = script.len() as u64;
    let output = Stuck { open: Arc::clone(&open), sink: sink.clone() };
    let input = BufReader::new(Counted { input: Cursor::new(script), at: Arc::clone(&at) });
    let talk = std::thread::spawn(move || {
        converse(Box::new(input), Box::new(output), settings(outflank::search::search))
    });
    while *at.lock().unwrap() < length {
        std::thread::sleep(Duration::from_millis(1));
    }
    *open.lock().unwrap() = true;
    talk.join().unwrap().unwrap();
    let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().filter(|line| *line == "readyok").count(), 5_000);
}

/// Fails at the first write, as a closed pipe does.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

/// Input that never ends and never says anything more.
struct Silent(Cursor<Vec<u8>>);

impl Read for Silent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => loop {
                std::thread::park();
            },
            count => Ok(count),
        }
    }
}

#[test]
fn a_closed_output_ends_the_conversation_quietly() {
    for script in ["sei\n".to_owned(), format!("setup red {RED}\ngo infinite\n")] {
        let input = BufReader::new(Silent(Cursor::new(script.into_bytes())));
        converse(Box::new(input), Box::new(Closed), settings(patient)).unwrap();
    }
}

#[test]
fn a_host_that_goes_away_ends_the_process_without_failure() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_outflank"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(b"sei\nhelp\n");
    assert!(child.wait().unwrap().success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
    drop(input);
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

/// `SOAK_SECONDS=3600 cargo test --release --test garbage -- --ignored` keeps at it for an hour; ten minutes by default.
#[test]
#[ignore = "runs for minutes"]
fn soak() {
    let seconds = std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(600);
    let began = Instant::now();
    let mut seed = u64::from(std::process::id());
    while began.elapsed() < Duration::from_secs(seconds) {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        println!("seed {seed}");
        check_lines(&shuffled(seed, 500));
    }
}
