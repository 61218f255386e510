//! After a failed `play` or `position` the game may be another than the host's.

use super::super::game::{RED, begin, go, kept, one_of, refused_go, state};
use super::super::host::Host;
use super::super::talk::{Step, ensure};

/// Lines that fail.
const FAILING: [&str; 7] = [
    "play a1a2",
    "play nonsense",
    "play",
    "play b4b5 b7b6 a1a2",
    "play b4b5=W95",
    "position nonsense",
    "position 10/10 r r -,- 0 0",
];

pub(super) fn desync(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    let fresh = format!("newgame\nsetup red {RED}");
    let position = "position 9Y/10/10/10/2__2__2/2__2__2/10/D9/10/9M r - -,- 0 0";
    for (index, failing) in FAILING.into_iter().enumerate() {
        begin(talk)?;
        let before: Vec<String> = without_status(state(talk)?);
        talk.refused(failing)?;
        let now = without_status(state(talk)?);
        ensure(now == before, || format!("\"{failing}\" failed, and yet changed the game"))?;
        refused_go(talk, "go nodes 50", "desynced")?;
        refused_go(talk, "go nodes 50", "desynced")?;
        // A good play does not say that the game is as it should be.
        talk.tell("play b4b5 b7b6")?;
        refused_go(talk, "go nodes 50", "desynced")?;
        let way = ["undo 0", fresh.as_str(), position][index % 3];
        let answers = talk.ask(way)?;
        ensure(answers.iter().all(|answer| answer.starts_with("undo 0 ")), || {
            format!("\"{way}\" recovers, and should not be answered by: {}", answers.join(" | "))
        })?;
        let legal = talk.question("legal")?;
        let legal: Vec<String> = legal.split(' ').skip(1).map(str::to_owned).collect();
        one_of(&go(talk, "go nodes 50")?, &legal)?;
    }
    begin(talk)?;
    let before = state(talk)?;
    talk.refused("setup red FBS")?;
    kept(talk, &before, "a bad setup")?;
    go(talk, "go nodes 50").map(drop)?;
    Ok(format!("{} failing lines", FAILING.len()))
}

/// The status tells of the desync, and so may change.
fn without_status(mut state: Vec<String>) -> Vec<String> {
    state.pop();
    state
}
