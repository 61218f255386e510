//! Lines as such: blanks and comments, garbage, and lines without measure.

use super::super::game::{RED, begin, kept, nothing_more, state};
use super::super::host::Host;
use super::super::talk::{Step, Talk, ensure, one_error, shown, summary};
use outflank::rng::Rng;

/// Longest line that an engine has to read, in bytes without the LF.
pub(super) const LINE_LIMIT: usize = 1 << 20;

pub(super) fn text(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    let lines = [
        "newgame\r".to_owned(),
        format!("\tsetup \t red  {RED}\t"),
        "   setup blue ?   # the enemy".to_owned(),
        String::new(),
        " \t ".to_owned(),
        "\r".to_owned(),
        "# a comment".to_owned(),
        "   # another".to_owned(),
        "#".to_owned(),
        "stop\t\r".to_owned(),
        "play b4b5#and on\r".to_owned(),
    ];
    for line in &lines {
        talk.say(line)?;
        let answers = talk.fence()?;
        ensure(answers.is_empty(), || format!("\"{}\" is answered by: {}", shown(line), summary(&answers)))?;
    }
    for line in ["history", "history\r", "\u{feff}history", "\thistory\t#x", "  history  "] {
        let answers = talk.ask(line)?;
        ensure(answers == ["history b4b5"], || {
            format!("\"{}\" is answered by: {}", shown(line), summary(&answers))
        })?;
    }
    talk.say("isready\r")?;
    talk.until("readyok")?;
    Ok(String::new())
}

/// Lines that mean nothing, or not enough.
const BAD: [&[u8]; 28] = [
    b"no-such-command",
    b"ISREADY",
    b"isready now",
    b"uci",
    b"bestmove a4a5",
    b"readyok",
    b"error",
    b"> sei",
    b"setup",
    b"setup green ?",
    b"setup red",
    b"setup red FBS",
    b"setup red ? ?",
    b"newgame purple",
    b"newgame red rules speed=1",
    b"rules chess",
    b"rules twosquares=",
    b"setoption name",
    b"undo many",
    b"undo -1",
    b"undo 4294967297",
    b"gameover",
    b"gameover green",
    b"legal please",
    b"\xff\xfe\xfd",
    b"z\xc3\xa9\xe2\x82",
    b"\x00\x00\x00",
    b"z\x1b[2J\x07\x7f",
];

pub(super) fn garbage(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    begin(talk)?;
    talk.tell("play b4b5 b7b6")?;
    let before = state(talk)?;
    for line in BAD {
        bad_line(talk, line)?;
    }
    kept(talk, &before, "garbage")?;
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        bad_line(talk, &noise(&mut rng))?;
    }
    bad_line(talk, &"play ".repeat(10_000).replace("play", "q").into_bytes())?;
    kept(talk, &before, "garbage")?;
    talk.say("go nodes 100")?;
    talk.until("bestmove")?;
    nothing_more(talk)?;
    Ok(format!("{} bad lines", BAD.len() + 101))
}

fn bad_line(talk: &mut Talk, line: &[u8]) -> Step {
    talk.say_bytes(&[line, b"\n"].concat())?;
    let answers = talk.fence()?;
    one_error(&answers, &String::from_utf8_lossy(line)).map(drop)
}

/// Bytes that begin with no command and are no comment.
fn noise(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = vec![b'z'];
    for _ in 0..rng.below(200) {
        let byte = rng.below(256) as u8;
        bytes.push(if byte == b'\n' { b' ' } else { byte });
    }
    bytes
}

pub(super) fn long(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    begin(talk)?;
    let before = state(talk)?;
    let padded = |line: &str, length: usize| format!("{line}{}", " ".repeat(length - line.len()));
    talk.say(&padded("isready", LINE_LIMIT))?;
    talk.until("readyok")?;
    talk.tell(&padded("#", LINE_LIMIT))?;
    for line in [padded("isready", LINE_LIMIT + 1), "x".repeat(LINE_LIMIT + 1), "legal ".repeat(LINE_LIMIT)] {
        too_long(talk, &line)?;
    }
    kept(talk, &before, "a line that is too long")?;
    for line in [padded("go nodes 1", LINE_LIMIT + 1).as_bytes(), b"go nodes 1 \xff"] {
        unread_go(talk, line)?;
    }
    kept(talk, &before, "a go that cannot be read")?;
    Ok(String::new())
}

/// A host waits for the `bestmove` of every `go`, also of one that is too long or no text.
fn unread_go(talk: &mut Talk, line: &[u8]) -> Step {
    talk.say_bytes(&[line, b"\n"].concat())?;
    let answers = talk.fence()?;
    let due = matches!(&answers[..], [error, best] if error.starts_with("error ") && best == "bestmove none");
    ensure(due, || {
        format!("an unreadable go is answered by error and bestmove none, not: {}", summary(&answers))
    })
}

fn too_long(talk: &mut Talk, line: &str) -> Step {
    let code = talk.refused(line)?;
    ensure(code == "too-long", || format!("the error's code is too-long, not {code}"))
}
