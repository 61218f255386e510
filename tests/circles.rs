//! No circles between the files of a crate or of a Python package: of two files at most one uses the other, directly or
//! through others.

use super::code::{Crate, circle, root, roots, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Prints a line for each file of a Python package, its name and those of the files that it imports, wherever in it.
const IMPORTS: &str = r#"
import ast, pathlib, sys
files = {path.stem: path for path in pathlib.Path(sys.argv[1]).glob("*.py")}
for name, path in files.items():
    used = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            used |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            used |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
    print(name, *sorted(used & files.keys() - {name}))
"#;

/// The engine's library with these files, named and written here.
fn library(files: &[(&str, &str)]) -> Crate {
    let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    Crate::new("src/", &[("src/lib.rs", "mod room;")].iter().chain(files).map(own).collect::<Vec<_>>())
}

#[test]
fn no_two_files_of_a_crate_use_each_other() {
    let sources = sources();
    let roots = roots(&sources);
    for root in ["src/", "tools/arena/src/", "tools/arena/mock/src/", "tests/twin/src/"] {
        assert!(roots.contains(root), "{root}: {roots:?}");
    }
    let uses = |one: &Crate| one.modules().map(|(module, _)| one.used(module).len()).sum::<usize>();
    let crates: Vec<Crate> = roots.iter().map(|root| Crate::new(root, &sources)).collect();
    let circles: Vec<String> = crates.iter().filter_map(Crate::circle).collect();
    assert_eq!(circles, Vec::<String>::new());
    let busy = crates.iter().filter(|one| uses(one) > 20).count();
    assert!(busy > 4, "{busy} crates have files that use each other");
}

/// Each file of the Python package in `folder`, and those of its own package that it imports; `None` without a Python.
fn imports(folder: &std::path::Path) -> Option<BTreeMap<String, BTreeSet<String>>> {
    let found = Command::new("python3").args(["-c", IMPORTS]).arg(folder).output().ok()?;
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    let text = String::from_utf8(found.stdout).unwrap();
    let line = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        (words.next().unwrap(), words.collect())
    };
    Some(text.lines().map(line).collect())
}

#[test]
fn no_two_files_of_the_python_package_use_each_other() {
    let Some(modules) = imports(&root().join("tools/client/python/outflank")) else {
        eprintln!("SKIPPED: there is no python3");
        return;
    };
    let used: usize = modules.values().map(BTreeSet::len).sum();
    assert!(modules.len() >= 12 && used >= 12, "{modules:?}");
    assert_eq!(circle(modules), None);
}

#[test]
fn python_imports_of_the_own_package_are_found() {
    let folder = std::env::temp_dir().join(format!("outflank-imports-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let late =
        "import re\nfrom os import path\n\ndef f():\n    from .drawing import (\n        line,\n    )\n";
    for (name, text) in [("board", late), ("drawing", "from . import board, re"), ("game", "import board")] {
        std::fs::write(folder.join(name).with_extension("py"), text).unwrap();
    }
    let found = imports(&folder);
    std::fs::remove_dir_all(&folder).unwrap();
    let Some(found) = found else { return };
    assert_eq!(found["game"], BTreeSet::from(["board".to_owned()]));
    assert_eq!(circle(found).unwrap(), "board uses drawing uses board");
}

#[test]
fn a_circle_is_found_and_named() {
    let direct = [
        ("src/room/mod.rs", "mod a; mod b;"),
        ("src/room/a.rs", "#[cfg(test)]\nuse std::fmt;\nfn f() { use super::b::B; }"),
        ("src/room/b.rs", "fn f() { assert!(crate::room::a::A.is_empty()); }"),
    ];
    assert_eq!(library(&direct).circle().unwrap(), "src/room/a.rs uses src/room/b.rs uses src/room/a.rs");
    let through_the_parent = [
        ("src/room/mod.rs", "mod a; use a::A; struct Whole(A);"),
        ("src/room/a.rs", "use super::{Whole}; pub struct A;"),
    ];
    assert_eq!(
        library(&through_the_parent).circle().unwrap(),
        "src/room/a.rs uses src/room/mod.rs uses src/room/a.rs"
    );
    let through_what_is_handed_on = [
        ("src/room.rs", "pub use a::A;\npub(crate) use deep::{B, C};"),
        ("src/room/a.rs", "use crate::room::B;"),
        ("src/room/deep/mod.rs", "pub(crate) use inner::B; pub(super) struct C;"),
        ("src/room/deep/inner.rs", "use super::super::{A, deep::C};"),
    ];
    assert_eq!(
        library(&through_what_is_handed_on).circle().unwrap(),
        "src/room/a.rs uses src/room/deep/inner.rs uses src/room/a.rs"
    );
}

/// A tool's root counts as one of its files, and the program inside it as a crate of its own. What a file hands on is used
/// through it.
#[test]
fn circles_of_tools_are_found() {
    let files = [
        ("tools/house/src/lib.rs", "mod room; mod hall; pub struct House(hall::Hall); pub use room::Room;"),
        ("tools/house/src/main.rs", "use outflank_house::House;"),
        ("tools/house/src/room.rs", "pub struct Room;"),
        ("tools/house/src/hall.rs", "use crate::Room; pub struct Hall(Room);"),
        ("tools/house/src/bin/other/main.rs", "mod room; use room::Room; struct Whole(Room);"),
        ("tools/house/src/bin/other/room.rs", "use crate::Whole; pub struct Room;"),
    ];
    let files: Vec<_> = files.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    assert_eq!(roots(&files), BTreeSet::from(["tools/house/src/", "tools/house/src/bin/other/"]));
    let [lib, hall] = ["lib", "hall"].map(|name| format!("tools/house/src/{name}.rs"));
    let found = Crate::new("tools/house/src/", &files).circle();
    assert_eq!(found.unwrap(), format!("{hall} uses {lib} uses {hall}"));
    let found = Crate::new("tools/house/src/bin/other/", &files).circle().unwrap();
    let [whole, room] = ["main", "room"].map(|name| format!("tools/house/src/bin/other/{name}.rs"));
    assert_eq!(found, format!("{whole} uses {room} uses {whole}"));
}

#[test]
fn what_is_no_circle_passes() {
    let fine = [
        ("src/room/mod.rs", "mod a; mod b; #[cfg(test)] mod tests; pub use a::A; pub use b::{B, b};"),
        (
            "src/room/a.rs",
            "use super::b::B; use crate::view::View; #[cfg(test)] mod tests { use super::super::B; }",
        ),
        (
            "src/room/b.rs",
            "//! Of [`super::a`].\nuse std::fmt;\n/// See super::a::A.\npub(in super::a) struct B; #[cfg(test)]\nuse super::a::A;",
        ),
        ("src/room/tests.rs", "use super::a::A;"),
        ("src/view.rs", "pub struct View;"),
    ];
    assert_eq!(library(&fine).circle(), None);
    let fine = library(&fine);
    let a = ["room", "a"].map(str::to_owned).to_vec();
    let used = [vec!["room", "b"], vec!["view"]].map(|path| path.into_iter().map(str::to_owned).collect());
    assert_eq!(fine.used(&a), BTreeSet::from(used));
}
