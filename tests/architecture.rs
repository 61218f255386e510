//! The layers hold, files stay short, and nothing names the machine it was written on.

use std::fs;
use std::path::{Path, PathBuf};

/// A part and those that it may use.
type Layer = (&'static str, &'static [&'static str]);

/// Each crate of the library, its folder, and its parts with the parts of the same crate that each may use. What a crate
/// may use of others its manifest says, and the compiler sees to it.
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
            ("lib", &[]),
        ],
    ),
    (
        "crates/engine/src/",
        &[
            ("net", &[]),
            ("params", &[]),
            ("game_phase", &[]),
            ("belief", &["net", "params"]),
            ("eval", &["params", "belief"]),
            ("deployment", &["params", "belief"]),
            ("policy", &["net", "game_phase", "belief"]),
            ("sparse", &["net", "policy"]),
            ("search", &["params", "belief", "eval", "deployment"]),
            ("engine", &["params", "belief", "eval", "policy", "deployment", "search"]),
            ("lib", &[]),
        ],
    ),
    (
        "src/",
        &[
            ("protocol", &[]),
            ("arena_bot", &[]),
            ("lib", &[]),
            ("play", &[]),
            ("bench", &["protocol"]),
            ("main", &["protocol", "arena_bot"]),
        ],
    ),
];

/// The crates of the library, lowest first, each with those of them that it uses.
const CRATES: [(&str, &[&str]); 4] = [
    ("crates/rules", &[]),
    ("crates/referee", &["outflank-rules"]),
    ("crates/engine", &["outflank-rules"]),
    (".", &["outflank-engine", "outflank-rules"]),
];

/// Each tool and the tools it may use; all of them use the library. What only tests use is left out.
const TOOLS: [(&str, &[&str]); 13] = [
    ("record", &[]),
    ("players", &["record"]),
    ("arena", &["players", "record"]),
    ("analyse", &["record"]),
    ("convert", &["record"]),
    ("gym", &["players", "record"]),
    ("gym/python", &["gym", "players", "record"]),
    ("prior", &["analyse", "arena", "record"]),
    ("tune", &["record"]),
    ("learn", &["record"]),
    ("play", &["record"]),
    ("board", &["arena", "convert", "record"]),
    ("styles", &["record"]),
];

const LONGEST_FILE: usize = 600;
const LONGEST_MAIN: usize = 60;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Every file of the project under `folder`, but for what builds leave behind.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let hidden = name.starts_with('.') && name != ".ci";
        if path.is_dir() && !hidden && !name.starts_with("target") {
            found.extend(files(&path));
        } else if path.is_file() && name != ".git" {
            found.push(path);
        }
    }
    found
}

fn named(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

/// Every Rust file of the project, by its name from the root, with its text.
pub(super) fn sources() -> Vec<(String, String)> {
    texts("rs")
}

/// Every file of the project whose name ends so, by its name from the root, with its text.
pub(super) fn texts(kind: &str) -> Vec<(String, String)> {
    let paths = files(root()).into_iter().filter(|path| path.extension().is_some_and(|own| own == kind));
    paths.map(|path| (named(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// The parts of the crate that a file belongs to, and its own.
fn part_of(name: &str) -> Option<(&'static [Layer], &str)> {
    let (folder, parts) = LAYERS.iter().find(|(folder, _)| name.starts_with(folder))?;
    let inside = name.strip_prefix(folder)?;
    Some((parts, inside.split('/').next()?.trim_end_matches(".rs")))
}

/// A source text without comments and its own tests, in one line.
pub(super) fn without_tests(text: &str) -> String {
    let code = text.replace("#[cfg(test)]\nmod tests;", "");
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join(" ")
}

/// The parts that a source text uses.
fn uses(text: &str) -> Vec<String> {
    let code = without_tests(text);
    let mut parts = Vec::new();
    for start in ["crate::", "outflank::"] {
        for after in code.split(start).skip(1) {
            parts.extend(first_names(after));
        }
    }
    parts
}

/// `rules` of `rules::Side`; `rules` and `view` of `{rules::{Side, Rank}, view::View}`.
fn first_names(after: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = after.strip_prefix('{') else { return vec![name(after)] };
    let (mut depth, mut start, mut names) = (1, 0, Vec::new());
    for (index, letter) in group.char_indices() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if depth == 0 || (depth == 1 && letter == ',') {
            names.push(name(&group[start..index]));
            start = index + 1;
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Uses that go up, as `file uses part`.
fn upward(name: &str, text: &str) -> Vec<String> {
    let Some((layers, part)) = part_of(name) else { return Vec::new() };
    let Some((_, allowed)) = layers.iter().find(|(layer, _)| *layer == part) else {
        return vec![format!("{name} belongs to no layer")];
    };
    let known = |used: &&String| layers.iter().any(|(layer, _)| layer == used);
    let uses = uses(text);
    let bad = uses.iter().filter(known).filter(|used| *used != part && !allowed.contains(&used.as_str()));
    bad.map(|used| format!("{name} uses {used}")).collect()
}

#[test]
fn no_layer_uses_one_above_it() {
    let mut checked = 0;
    // Tests, and what they share, may build upon anything.
    let of_tests = |name: &str| ["tests.rs", "test_support.rs"].iter().any(|end| name.ends_with(end));
    for (name, text) in sources().iter().filter(|(name, _)| !of_tests(name)) {
        assert_eq!(upward(name, text), Vec::<String>::new());
        checked += usize::from(part_of(name).is_some());
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn an_upward_use_is_found() {
    let found = |name, text| upward(name, text);
    assert_eq!(
        found("crates/rules/src/rules/rank.rs", "use crate::view::View;"),
        ["crates/rules/src/rules/rank.rs uses view"]
    );
    assert_eq!(
        found("crates/engine/src/net/mod.rs", "use crate::{belief::{Side, Rank}, search::SearchTask};"),
        ["crates/engine/src/net/mod.rs uses belief", "crates/engine/src/net/mod.rs uses search"]
    );
    assert_eq!(found("src/oracle.rs", ""), ["src/oracle.rs belongs to no layer"]);
    assert!(found("crates/rules/src/rules/mod.rs", "//! masking is [`crate::event`]'s").is_empty());
    assert!(found("crates/rules/src/view.rs", "use crate::event::Event; use crate::rules::Side;").is_empty());
    assert!(found("tests/laws.rs", "use outflank::search::SearchTask;").is_empty());
}

#[test]
fn the_table_of_layers_goes_upward_only() {
    for (folder, layers) in LAYERS {
        for (index, (layer, allowed)) in layers.iter().enumerate() {
            let below: Vec<&str> = layers[..index].iter().map(|(below, _)| *below).collect();
            assert!(allowed.iter().all(|used| below.contains(used)), "{folder}{layer}");
        }
    }
}

/// A cycle the compiler would refuse; more than is meant it would not.
#[test]
fn crates_use_the_crates_below_them_only() {
    for (folder, allowed) in CRATES {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        let own =
            manifest.split("\n[dependencies]").nth(1).unwrap().split("[dev-dependencies]").next().unwrap();
        let named = own.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
        let used: Vec<&str> = named.filter(|name| name.starts_with("outflank-")).collect();
        assert_eq!(used, allowed, "{folder}");
    }
}

/// The tools that a manifest names, leaving out those for its tests.
fn tools_used(manifest: &str) -> Vec<String> {
    let own = manifest.split("[dev-dependencies]").next().unwrap_or_default();
    let names = own.lines().filter_map(|line| line.strip_prefix("outflank-")?.split_once(" = {"));
    names.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn tools_use_the_tools_below_them_only() {
    for (index, (tool, allowed)) in TOOLS.iter().enumerate() {
        let manifest = fs::read_to_string(root().join("tools").join(tool).join("Cargo.toml")).unwrap();
        assert_eq!(tools_used(&manifest), *allowed, "{tool}");
        let below: Vec<&str> = TOOLS[..index].iter().map(|(below, _)| *below).collect();
        assert!(allowed.iter().all(|used| below.contains(used)), "{tool}");
    }
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = workspace.lines().find(|line| line.starts_with("members")).unwrap();
    assert_eq!(members.matches("\"tools/").count(), TOOLS.len());
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
