//! The layers hold, files stay short, and nothing names the machine it was written on.

use super::code::{Crate, files, named, root, sources};
use std::fs;

/// A part and those that it may use.
type Layer = (&'static str, &'static [&'static str]);

/// Each crate of the library with several layers, its folder, and its parts with the parts of the same crate that each may
/// use. What a crate may use of others its manifest says, and the compiler sees to it.
const LAYERS: [(&str, &[Layer]); 3] = [
    (
        "crates/rules/src/",
        &[
            ("named_enum", &[]),
            ("number", &[]),
            ("rng", &[]),
            ("fnv", &[]),
            ("math", &[]),
            ("rules", &["named_enum", "number"]),
            ("event", &["rules"]),
            ("view", &["named_enum", "rules", "event"]),
        ],
    ),
    (
        "crates/engine/src/",
        &[
            ("simd", &[]),
            ("net", &["simd"]),
            ("params", &[]),
            ("belief", &["net", "params"]),
            ("deployment", &["params", "belief"]),
            ("sparse", &["simd", "net"]),
            ("policy", &["belief", "sparse"]),
            ("eval", &["params", "belief", "sparse", "policy"]),
            ("search", &["params", "belief", "eval", "deployment"]),
            ("engine", &["params", "belief", "sparse", "eval", "policy", "deployment", "search"]),
        ],
    ),
    ("src/", &[("protocol", &[]), ("arena_bot", &[]), ("play", &[]), ("bench", &[])]),
];

/// Each package, lowest first, and those below it that it may use. All tools use the engine's library. What only tests use
/// is left out: the engine and its protocols know no referee.
const PACKAGES: [(&str, &[&str]); 17] = [
    ("crates/rules", &[]),
    ("crates/referee", &["rules"]),
    ("crates/engine", &["rules"]),
    (".", &["engine", "rules"]),
    ("tools/record", &["referee"]),
    ("tools/players", &["record"]),
    ("tools/pages", &["record", "referee"]),
    ("tools/arena", &["pages", "players", "record", "referee"]),
    ("tools/research/analyse", &["arena", "record", "referee"]),
    ("tools/convert", &["record", "referee"]),
    ("tools/research/gym", &["record", "referee"]),
    ("tools/research/gym/python", &["gym", "record"]),
    ("tools/research/prior", &["arena", "record"]),
    ("tools/research/learn", &["record", "referee"]),
    ("tools/play", &["record", "referee"]),
    ("tools/board", &["arena", "convert", "pages", "record", "referee"]),
    ("tools/research/styles", &["record"]),
];

const LONGEST_FILE: usize = 600;
const LONGEST_MAIN: usize = 60;

/// Uses that go up, as `file uses part`.
fn upward(folder: &str, layers: &[Layer], sources: &[(String, String)]) -> Vec<String> {
    let own = Crate::new(folder, sources);
    let mut bad = Vec::new();
    for (module, file) in own.modules() {
        let Some((layer, allowed)) = layers.iter().find(|(layer, _)| *layer == module[0]) else {
            bad.push(format!("{file} belongs to no layer"));
            continue;
        };
        let used = &own.used(module) | &own.sources_of_handed_on(module);
        let parts = used.iter().filter_map(|used| used.first());
        let above = parts.filter(|part| part != layer && !allowed.contains(&part.as_str()));
        bad.extend(above.map(|part| format!("{file} uses {part}")));
    }
    bad
}

#[test]
fn no_layer_uses_one_above_it() {
    let sources = sources();
    for (folder, layers) in LAYERS {
        assert_eq!(upward(folder, layers, &sources), Vec::<String>::new());
        let checked = Crate::new(folder, &sources).modules().count();
        assert!(checked > 20, "{folder}: {checked}");
    }
}

#[test]
fn an_upward_use_is_found() {
    let layers: &[Layer] = &[("view", &[]), ("belief", &["view"]), ("search", &["view"])];
    let found = |name: &str, text: &str| {
        let others = [("src/lib.rs", ""), ("src/search.rs", ""), ("src/view.rs", "")];
        let files = others.into_iter().chain([(name, text)]);
        upward(
            "src/",
            layers,
            &files.map(|(name, text)| (name.to_owned(), text.to_owned())).collect::<Vec<_>>(),
        )
    };
    let bad = ["src/belief/mod.rs uses search"];
    assert_eq!(found("src/belief/mod.rs", "use crate::{view::{Side, Rank}, search::SearchTask};"), bad);
    assert_eq!(
        found("src/belief/mod.rs", "#[cfg(test)]\nuse std::fmt;\nfn f(r: &super::search::Task) {}"),
        bad
    );
    assert_eq!(found("src/belief/mod.rs", "fn f() { assert!(crate::search::is_there()); }"), bad);
    assert_eq!(found("src/belief/mod.rs", "pub use crate::search::SearchTask;"), bad);
    assert_eq!(found("src/oracle.rs", ""), ["src/oracle.rs belongs to no layer"]);
    assert!(found("src/belief.rs", "//! masking is [`crate::search`]'s").is_empty());
    assert!(
        found("src/belief.rs", "use crate::view::View; #[cfg(test)] mod tests { use crate::search::T; }")
            .is_empty()
    );
}

/// The packages of the workspace that a manifest names, leaving out those for its tests.
fn used_packages(folder: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    let Some(toml::Value::Table(dependencies)) = manifest.get("dependencies") else { return Vec::new() };
    dependencies.keys().filter_map(|name| name.strip_prefix("outflank-")).map(str::to_owned).collect()
}

/// A cycle the compiler would refuse; more than is meant it would not.
#[test]
fn packages_use_the_packages_below_them_only() {
    for (index, (folder, allowed)) in PACKAGES.iter().enumerate() {
        let mut used = used_packages(folder);
        used.sort();
        assert_eq!(used, *allowed, "{folder}");
        let below =
            |name: &&str| PACKAGES[..index].iter().any(|(folder, _)| folder.rsplit('/').next() == Some(name));
        assert!(allowed.iter().all(below), "{folder}");
    }
    let workspace: toml::Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let listed = |member: &toml::Value| {
        let member = member.as_str().unwrap();
        member.starts_with("tests") || PACKAGES.iter().any(|(folder, _)| *folder == member)
    };
    assert!(members.iter().all(listed), "{members:?}");
}

#[test]
fn source_files_stay_short() {
    let long: Vec<String> = sources()
        .iter()
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(name, lines)| format!("{name}: {lines} lines"))
        .collect();
    assert_eq!(long, Vec::<String>::new());
    let main = fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert!(main.lines().count() < LONGEST_MAIN);
}

/// Paths that exist on one machine only: the folders around this checkout, and where people and systems keep theirs.
fn machine_paths() -> Vec<String> {
    let usual = ["home", "Users", "tmp", "root"].map(|folder| format!("/{folder}/"));
    let parent = root().parent().map(|parent| format!("{}/", parent.display()));
    let home = std::env::var("HOME").ok().map(|home| format!("{home}/"));
    let own = parent.into_iter().chain(home).filter(|path| path.len() > 3);
    usual.into_iter().chain(own).collect()
}

#[test]
fn no_file_names_a_machine() {
    let paths = machine_paths();
    let mut checked = 0;
    for file in files(root()) {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        checked += 1;
        for (number, line) in text.lines().enumerate() {
            let named = paths.iter().find(|path| line.contains(path.as_str()));
            assert_eq!(named, None, "{}:{}", self::named(&file), number + 1);
        }
    }
    assert!(checked > 30, "{checked}");
}
