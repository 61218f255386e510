//! Counts of legal action sequences from known positions, by the engine and by the twin.
//!
//! `perft.positions` holds one position a line: name; position text; plies that lead on from it; counts of
//! sequences of 1, 2, 3 and 4 actions.

use outflank::rules::{Played, Position, Preset, Ruleset, Spn};
use outflank_tests::{action_of, turn_of};
use outflank_twin::Twin;
use std::collections::BTreeSet;

/// Deepest count by the twin: it is slow.
const DEPTH_OF_TWIN: usize = 3;

struct Case {
    name: &'static str,
    position: Position,
    twin: Twin,
    counts: Vec<u64>,
}

fn cases() -> Vec<Case> {
    let lines = include_str!("perft.positions").lines();
    lines.filter(|line| !line.starts_with('#') && !line.is_empty()).map(read).collect()
}

fn read(line: &'static str) -> Case {
    let [name, spn, moves, counts] = line.split("; ").collect::<Vec<_>>()[..] else {
        panic!("not four fields: {line}");
    };
    let mut position = Spn::parse(spn, Ruleset::default()).unwrap().position;
    let mut twin = Twin::of_spn(*position.rules(), spn);
    for text in moves.split_ascii_whitespace() {
        let played: Played = text.parse().unwrap();
        position.play(played.action.into()).unwrap();
        twin.play(turn_of(played.action));
    }
    let counts = counts.split_ascii_whitespace().map(|count| count.parse().unwrap()).collect();
    Case { name, position, twin, counts }
}

fn perft(position: &mut Position, depth: usize) -> u64 {
    let actions = position.actions();
    if depth == 1 {
        return actions.len() as u64;
    }
    let mut count = 0;
    for action in actions {
        position.play(action.into()).unwrap();
        count += perft(position, depth - 1);
        assert!(position.undo());
    }
    count
}

fn twin_perft(twin: &mut Twin, depth: usize) -> u64 {
    let plies = twin.legal();
    if depth == 1 {
        return plies.len() as u64;
    }
    let mut count = 0;
    for turn in plies {
        twin.play(turn);
        count += twin_perft(twin, depth - 1);
        twin.undo();
    }
    count
}

#[test]
fn the_engine_counts_as_the_table_says() {
    for mut case in cases() {
        let counts: Vec<u64> =
            (1..=case.counts.len()).map(|depth| perft(&mut case.position, depth)).collect();
        assert_eq!(counts, case.counts, "{}", case.name);
    }
}

#[test]
fn the_twin_counts_as_the_table_says() {
    for mut case in cases() {
        let counts: Vec<u64> = (1..=DEPTH_OF_TWIN).map(|depth| twin_perft(&mut case.twin, depth)).collect();
        assert_eq!(counts, case.counts[..DEPTH_OF_TWIN], "{}", case.name);
    }
}

#[test]
fn the_table_covers_every_rule_system_and_both_repetition_rules() {
    let cases = cases();
    assert!(cases.len() >= 30);
    let presets: BTreeSet<&str> = cases.iter().map(|case| case.position.rules().preset.name()).collect();
    assert_eq!(presets.len(), Preset::ALL.len());
    let (mut two_squares, mut more_squares, mut ended) = (0, 0, 0);
    let mut rescues = BTreeSet::new();
    for case in &cases {
        let running = case.twin.chases();
        let refused =
            case.twin.reachable().into_iter().filter(|&ply| !case.position.is_legal(action_of(ply)));
        let refused: Vec<outflank_twin::Ply> = refused.collect();
        two_squares += usize::from(refused.iter().any(|&ply| case.twin.breaks_two_squares(ply)));
        more_squares += usize::from(refused.iter().any(|&ply| case.twin.breaks_more_squares(ply, &running)));
        ended += usize::from(case.counts.contains(&0));
        if case.position.actions().iter().any(|action| action.rescue.is_some()) {
            rescues.insert((case.position.rules().preset.name(), case.position.rules().silent));
        }
    }
    assert!(rescues.len() >= 6 && rescues.iter().any(|(_, silent)| *silent), "{rescues:?}");
    assert!(two_squares >= 5 && more_squares >= 8 && ended >= 2, "{two_squares} {more_squares} {ended}");
}

#[test]
fn the_table_covers_every_option() {
    let systems: Vec<Ruleset> = cases().iter().map(|case| *case.position.rules()).collect();
    let count = |has: &dyn Fn(&Ruleset) -> bool| systems.iter().filter(|rules| has(rules)).count();
    let plain = |rules: &Ruleset| Ruleset::of(rules.preset);
    assert!(count(&|rules| rules.aggressor) >= 6);
    assert!(count(&|rules| rules.silent) >= 6);
    assert!(count(&|rules| rules.quiet > 0) >= 4);
    assert!(count(&|rules| rules.plies > 0) >= 4);
    assert!(count(&|rules| rules.advance != plain(rules).advance) >= 4);
    assert!(count(&|rules| rules.scout != plain(rules).scout) >= 4);
    assert!(count(&|rules| rules.stuck != plain(rules).stuck) >= 2);
    assert!(count(&|rules| rules.moresquares != plain(rules).moresquares) >= 2);
    for preset in Preset::ALL {
        assert!(count(&|rules| rules.preset == preset && rules.barrage) >= 1, "{preset:?}");
        assert!(count(&|rules| rules.preset == preset && !rules.barrage) >= 4, "{preset:?}");
    }
}

/// Prints the table with the engine's counts:
/// `cargo test --test engine print_the_table -- --ignored --nocapture`.
#[test]
#[ignore = "prints the table anew, for those who add a position"]
fn print_the_table() {
    for line in include_str!("perft.positions").lines() {
        if line.starts_with('#') || line.is_empty() {
            println!("{line}");
            continue;
        }
        let mut case = read(line);
        let counts: Vec<String> = (1..=4).map(|depth| perft(&mut case.position, depth).to_string()).collect();
        println!("{}; {}", line.rsplit_once("; ").unwrap().0, counts.join(" "));
    }
}
