//! `docs/rules.md`: the table of the rule texts' sentences names tests that exist and leaves nothing out. `protocol.md`: its
//! tables list the keys of a rule system.

use outflank::rules::{Preset, Ruleset};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The rows of the table of rule texts: text and place, what it says, preset and key, test.
fn rows() -> Vec<[&'static str; 4]> {
    let lines = include_str!("../docs/rules.md").lines().filter(|line| line.starts_with("| "));
    let cells = lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>());
    let rows = cells.filter(|cells| cells[0] != "place" && !cells[0].starts_with("--"));
    rows.map(|cells| cells.try_into().unwrap_or_else(|cells| panic!("not four cells: {cells:?}"))).collect()
}

/// The names of the tests in one file of `tests/` or `src/`.
fn tests_in(file: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut names = BTreeSet::new();
    let mut marked = false;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("fn ").filter(|_| marked) {
            names.insert(rest.split('(').next().unwrap().to_owned());
            marked = false;
        }
        marked |= line == "#[test]";
    }
    names
}

/// The tests a cell names: `` `tests/endings.rs: whoever_takes_the_flag_wins` ``.
fn named(cell: &str) -> Vec<(&str, &str)> {
    let quoted = cell.split('`').skip(1).step_by(2);
    quoted.map(|name| name.split_once(": ").unwrap_or_else(|| panic!("no test: {name}"))).collect()
}

#[test]
fn the_table_of_rule_texts_names_tests_that_exist() {
    let rows = rows();
    let (mut checked, mut unchecked) = (0, 0);
    for [place, says, key, test] in &rows {
        assert!(!says.is_empty() && !key.is_empty(), "{place}");
        let tests = named(test);
        for (file, name) in &tests {
            assert!(tests_in(file).contains(*name), "{place}: {file} has no test {name}");
        }
        // What is not checked says why.
        let excused = test.starts_with("not checked: ");
        assert!(excused == tests.is_empty(), "{place}: neither tests nor a reason: {test}");
        checked += usize::from(!excused);
        unchecked += usize::from(excused);
    }
    assert!(checked >= 90 && unchecked < checked, "{checked} {unchecked}");
}

/// Each text's numbered rules, all of which the table has to tell of.
#[test]
fn the_table_of_rule_texts_leaves_out_no_numbered_rule() {
    let places: BTreeSet<&str> = rows().iter().flat_map(|row| row[0].split(", ")).collect();
    for text in ["0", "4"] {
        for (section, count) in [("start", 6), ("movement", 11), ("strike", 12)] {
            for number in 1..=count {
                let place = format!("{text} {section} {number}");
                let covers = |other: &&str| **other == place || other.starts_with(&format!("{place}."));
                assert!(places.iter().any(covers), "{place}");
            }
        }
    }
    for (text, section, count) in [
        ("1", "playing", 8),
        ("1", "attacking", 6),
        ("1", "ranks", 6),
        ("2", "setup", 6),
        ("2", "moves", 10),
        ("2", "turns", 7),
        ("2", "win", 2),
        ("3", "sentence", 19),
    ] {
        for number in 1..=count {
            let place = format!("{text} {section} {number}");
            assert!(
                places.iter().any(|other| *other == place || other.starts_with(&format!("{place}."))),
                "{place}"
            );
        }
    }
}

/// What a rule set prints for a key.
fn value_of(rules: &Ruleset, key: &str) -> String {
    let text = rules.to_string();
    text.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('=')).unwrap().to_owned()
}

#[test]
fn the_manual_lists_every_key_with_what_it_takes_and_what_presets_give_it() {
    let section = include_str!("../protocol.md").split("\n## Rules\n").nth(1).unwrap();
    let lines = section.split("\n##").next().unwrap().lines();
    let rows = lines.filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once('`'));
    let mut listed: Vec<(&str, Vec<&str>)> =
        rows.map(|(key, rest)| (key, rest.split(" | ").skip(1).collect())).collect();
    for key in Ruleset::keys() {
        let place = listed.iter().position(|(name, _)| *name == key.name).expect(key.name);
        let (_, cells) = listed.swap_remove(place);
        assert_eq!(cells[0], key.takes, "{}", key.name);
        let values = Preset::ALL.map(|preset| value_of(&Ruleset::of(preset), key.name));
        // The second table says what a key means, as no preset sets it.
        let expected =
            if cells.len() > 2 { cells[1..].to_vec() } else { vec![values[0].as_str(); values.len()] };
        assert_eq!(values.to_vec(), expected, "{}", key.name);
        assert!(cells.len() > 2 || ["off", "0"].contains(&values[0].as_str()), "{}", key.name);
    }
    assert_eq!(listed, []);
}
