//! What an engine is given of a game: rules, armies, positions, plies.

use super::super::game::{BLUE, RED, begin, kept, state};
use super::super::host::{Host, unless_skipped};
use super::super::talk::{Step, Talk, Trouble, ensure, fail, shown, summary};
use super::super::truth::Truth;
use outflank::rng::Rng;
use outflank::rules::{Preset, Ruleset, Side, Spn, Viewer};

/// Presets that every engine knows.
const PRESETS: [Preset; 7] = Preset::ALL;

pub(super) fn rules(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    same_rules(&talk.question("rules")?, &Ruleset::default())?;
    for preset in PRESETS {
        let set = Ruleset::of(preset);
        same_rules(&talk.question(&format!("rules {}", preset.name()))?, &set)?;
        let changed = Ruleset { silent: true, quiet: 40, twosquares: 4, ..set };
        same_rules(&talk.question("rules silent=on quiet=40 twosquares=4")?, &changed)?;
    }
    talk.tell("newgame red rules isf plies=900")?;
    same_rules(&talk.question("rules")?, &Ruleset { plies: 900, ..Ruleset::default() })?;
    begin(talk)?;
    let before = state(talk)?;
    for bad in
        ["rules draughts", "rules silent=maybe", "rules twosquares=9", "rules quiet=-1", "rules colour=red"]
    {
        expect_code(talk, bad, &["rules", "syntax"])?;
    }
    kept(talk, &before, "a bad rules")?;
    talk.tell("play b4b5")?;
    let before = state(talk)?;
    for late in ["rules gravon", "setup red ?", "setup blue ?"] {
        expect_code(talk, late, &["started"])?;
    }
    kept(talk, &before, "a late rules or setup")?;
    Ok(String::new())
}

/// Compares the keys that this check knows; an engine may have more.
fn same_rules(answer: &str, rules: &Ruleset) -> Step {
    let keys: Vec<&str> = answer.split(' ').skip(1).collect();
    let due = rules.to_string();
    match due.split(' ').find(|key| !keys.contains(key)) {
        None => Ok(()),
        Some(key) => fail(format!("the rules have {key}, not: {}", shown(answer))),
    }
}

fn expect_code(talk: &mut Talk, line: &str, codes: &[&str]) -> Step {
    let code = talk.refused(line)?;
    ensure(codes.contains(&code.as_str()), || {
        format!("\"{}\": the error's code is {}, not {code}", shown(line), codes.join(" or "))
    })
}

pub(super) fn setups(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    talk.tell("newgame red")?;
    let mixed: String = RED.chars().enumerate().map(|(i, c)| if i % 3 == 0 { '?' } else { c }).collect();
    let sparse: String =
        RED.chars().enumerate().map(|(i, c)| if i > 12 && i % 2 == 0 { '.' } else { c }).collect();
    let lower = RED.to_ascii_lowercase();
    for setup in [RED, sparse.as_str(), lower.as_str(), RED] {
        talk.tell(&format!("setup red {setup}"))?;
    }
    for setup in ["?", mixed.as_str(), BLUE, "?", &"?".repeat(40)] {
        talk.tell(&format!("setup blue {setup}"))?;
    }
    let truth = Truth::of(RED, BLUE)?;
    same_legal(talk, &truth.legal())?;
    let before = state(talk)?;
    let (short, long) = (&RED[1..], format!("{RED}."));
    let (strange, two) = (RED.replace('M', "x"), RED.replace('9', "M"));
    for bad in [short, long.as_str(), strange.as_str(), two.as_str()] {
        expect_code(talk, &format!("setup red {bad}"), &["setup"])?;
    }
    kept(talk, &before, "a bad setup")?;
    let barrage = unless_skipped(barrage(talk))?;
    Ok(if barrage { "" } else { "without barrage, which it does not play" }.to_owned())
}

/// Eight pieces a side; an engine may refuse to play so.
fn barrage(talk: &mut Talk) -> Step {
    let answers = talk.ask("newgame red rules isf barrage=on")?;
    if !answers.is_empty() {
        return Err(Trouble::Skipped("no barrage".to_owned()));
    }
    let rules = Ruleset { barrage: true, ..Ruleset::default() };
    let truth = Truth::random(rules, &mut Rng::new(3));
    for line in truth.lines(Side::Red, false) {
        talk.tell(&line)?;
    }
    same_legal(talk, &truth.legal())
}

/// Fails unless its legal actions are these, in any order.
pub(super) fn same_legal(talk: &mut Talk, due: &[String]) -> Step {
    let answer = talk.question("legal")?;
    let mut found: Vec<&str> = answer.split(' ').skip(1).collect();
    let mut due: Vec<&str> = due.iter().map(String::as_str).collect();
    found.sort_unstable();
    due.sort_unstable();
    let missing: Vec<&str> = due.iter().copied().filter(|text| !found.contains(text)).collect();
    let extra: Vec<&str> = found.iter().copied().filter(|text| !due.contains(text)).collect();
    ensure(found == due, || {
        format!("legal actions: [{}] are missing, [{}] are not legal", missing.join(" "), extra.join(" "))
    })
}

/// Texts of positions that cannot be.
const NO_POSITIONS: [&str; 7] = [
    "position",
    "position 10/10 r r -,- 0 0",
    "position nonsense",
    "position ?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M x r -,- 0 0",
    "position ?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r q -,- 0 0",
    "position LL8/10/10/10/2__2__2/2__2__2/10/10/10/9M r r -,- 0 0",
    "position ?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r r 22,6? 12 200 moves a1a2",
];

pub(super) fn positions(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    place(talk, "?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r r 22,6? 12 200", Viewer::Player(Side::Red))?;
    talk.tell("position ?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r r 22,6? 12 200 moves a4a5 j9j8")?;
    let answer = talk.question("history")?;
    ensure(answer == "history a4a5 j9j8", || format!("history a4a5 j9j8 is due, not: {answer}"))?;
    let mut rng = Rng::new(11);
    let mut placed = 1;
    for plies in [0, 7, 40, 90, 150] {
        let mut truth = Truth::random(Ruleset::default(), &mut rng);
        truth.wander(plies, &mut rng);
        let mover = truth.position.to_move();
        for viewer in [Viewer::Player(mover), Viewer::Both] {
            place(talk, &truth.spn(viewer), viewer)?;
            placed += 1;
        }
    }
    let rescue = unless_skipped(rescue(talk))?;
    let before = state(talk)?;
    for bad in NO_POSITIONS {
        talk.refused(bad)?;
    }
    talk.ask("undo 0")?;
    kept(talk, &before, "a bad position")?;
    let without = if rescue { "" } else { "; without rescues, which it does not play" };
    Ok(format!("{placed} positions{without}"))
}

/// A step onto the enemy's back row, with everything that may come back; an engine may refuse to play so.
fn rescue(talk: &mut Talk) -> Step {
    if talk.ask("newgame rules rescue=on")?.is_empty() {
        let spn = "8?1/5F+4/10/10/2__2__2/2__2__2/10/10/5H4/KL4M3 r r 65B,? 4 120 preset=gameboard rescue=on";
        place(talk, spn, Viewer::Player(Side::Red))?;
        return talk.tell("newgame rules isf");
    }
    Err(Trouble::Skipped("no rescues".to_owned()))
}

/// Tells a position and compares the legal actions.
fn place(talk: &mut Talk, spn: &str, viewer: Viewer) -> Step {
    talk.tell(&format!("newgame\nposition {spn}"))?;
    let Ok(Spn { position, .. }) = Spn::parse(spn, Ruleset::default()) else {
        return fail(format!("this check wrote a position that it cannot read: {spn} for {viewer:?}"));
    };
    let legal = position.actions().into_iter().map(|action| action.text(position.is_strike(action)));
    same_legal(talk, &legal.collect::<Vec<_>>())
}

pub(super) fn undo(host: &mut Host) -> Step<String> {
    let talk = host.fresh()?;
    begin(talk)?;
    let start = state(talk)?;
    talk.tell("play b4b5 b7b6 a4a5")?;
    let later = state(talk)?;
    expect(talk, "history", "history b4b5 b7b6 a4a5")?;
    expect(talk, "undo", "undo 1 ply 2 turn red")?;
    expect(talk, "undo 0", "undo 0 ply 2 turn red")?;
    talk.tell("play a4a5")?;
    kept(talk, &later, "taking a ply back and playing it again")?;
    expect_code(talk, "undo 4", &["undo"])?;
    kept(talk, &later, "taking back more than was played")?;
    expect(talk, "undo 3", "undo 3 ply 0 turn red")?;
    kept(talk, &start, "taking everything back")?;
    Ok(String::new())
}

fn expect(talk: &mut Talk, line: &str, due: &str) -> Step {
    let answers = talk.ask(line)?;
    ensure(answers == [due], || format!("\"{line}\": \"{due}\" is due, not: {}", summary(&answers)))
}
