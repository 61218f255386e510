//! No circles between the files of a crate: of two files at most one uses the other, directly or through others.

use super::architecture::{sources, texts, without_tests};
use std::collections::{BTreeMap, BTreeSet};

/// A module's path from the crate's root, as in `["rules", "spn"]`; the root's own is empty.
type Path = Vec<String>;

/// One file of a crate.
struct File {
    name: String,
    /// The code without comments and tests.
    code: String,
    /// The names it hands on from elsewhere, and from where.
    reexports: BTreeMap<String, Path>,
}

/// The files of a crate by module.
struct Crate(BTreeMap<Path, File>);

/// The folders of crates, each of which ends with a slash: those with a `lib.rs` of their own, or a `main.rs` alone.
fn roots(sources: &[(String, String)]) -> BTreeSet<&str> {
    let named = |file: &str| -> BTreeSet<&str> {
        let inside = sources.iter().filter(|(name, _)| name.contains("src/"));
        inside.filter_map(|(name, _)| name.strip_suffix(file)).filter(|root| root.ends_with('/')).collect()
    };
    &named("lib.rs") | &named("main.rs")
}

/// The module that a file of the crate in `root` is; `None` if it is another crate's.
fn module(name: &str, root: &str, roots: &BTreeSet<&str>) -> Option<Path> {
    let innermost = roots.iter().filter(|root| name.starts_with(**root)).max_by_key(|root| root.len());
    let inside = name.strip_prefix(root).filter(|_| innermost == Some(&root))?.strip_suffix(".rs")?;
    match inside.strip_suffix("/mod").unwrap_or(inside) {
        "lib" | "main" => Some(Vec::new()),
        inside => Some(inside.split('/').map(str::to_owned).collect()),
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Every path of a use tree: `a::{b, c::D}` leads to `a::b` and `a::c::D`. Stops where the tree ends.
fn expand(text: &str) -> Vec<Path> {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        return items(group).into_iter().flat_map(expand).collect();
    }
    let end = text.find(|letter| !is_word(letter)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    match rest.trim_start().strip_prefix("::") {
        _ if word.is_empty() => vec![Vec::new()],
        None => vec![vec![word.to_owned()]],
        Some(rest) => {
            let with = |path: Path| [vec![word.to_owned()], path].concat();
            expand(rest).into_iter().map(with).collect()
        }
    }
}

/// The items of a group whose opening brace has been read.
fn items(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (1, 0, Vec::new());
    for (index, letter) in group.char_indices() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if depth == 0 || depth == 1 && letter == ',' {
            found.push(&group[start..index]);
            start = index + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found.retain(|item| !item.trim().is_empty());
    found
}

/// A path that `module` writes, from the crate's root; `None` if it leads out of the crate or starts with no module.
fn absolute(module: &Path, written: &Path, children: &BTreeSet<&str>) -> Option<Path> {
    let mut base = module.clone();
    let mut rest = written.as_slice();
    match rest.first()?.as_str() {
        "crate" => (base, rest) = (Vec::new(), &rest[1..]),
        "self" => rest = &rest[1..],
        "super" => {}
        child if children.contains(child) => {}
        _ => return None,
    }
    while rest.first().is_some_and(|word| word == "super") {
        base.pop();
        rest = &rest[1..];
    }
    Some([base, rest.to_vec()].concat())
}

impl Crate {
    fn new(root: &str, sources: &[(String, String)]) -> Crate {
        let roots = roots(sources);
        let library = sources.iter().any(|(name, _)| *name == format!("{root}lib.rs"));
        let mut files = BTreeMap::new();
        for (name, text) in sources {
            // The program beside a library uses that from outside.
            if library && *name == format!("{root}main.rs") {
                continue;
            }
            let Some(path) = module(name, root, &roots) else { continue };
            if path.last().is_some_and(|last| last.ends_with("tests")) {
                continue;
            }
            let file = File { name: name.clone(), code: without_tests(text), reexports: BTreeMap::new() };
            files.insert(path, file);
        }
        let mut whole = Crate(files);
        let reexports: Vec<_> = whole.0.keys().map(|module| whole.reexports(module)).collect();
        for (file, reexports) in whole.0.values_mut().zip(reexports) {
            file.reexports = reexports;
        }
        whole
    }

    /// The modules right below this one.
    fn children(&self, module: &Path) -> BTreeSet<&str> {
        let below = |path: &&Path| path.len() == module.len() + 1 && path.starts_with(module);
        self.0.keys().filter(below).filter_map(|path| path.last()).map(String::as_str).collect()
    }

    /// The names that a module hands on, as in `pub(crate) use piece::{Piece, PieceId};`.
    fn reexports(&self, module: &Path) -> BTreeMap<String, Path> {
        let children = self.children(module);
        let mut names = BTreeMap::new();
        for (visible, tree) in uses(&self.0[module].code) {
            for path in expand(tree).iter().filter(|_| visible) {
                if let (Some(name), Some(path)) = (path.last(), absolute(module, path, &children)) {
                    names.insert(name.clone(), path);
                }
            }
        }
        names
    }

    /// The module in which what a path leads to is written, if that is in this crate.
    fn resolve(&self, path: &Path) -> Option<Path> {
        let mut module = Path::new();
        for word in path {
            let child = [module.clone(), vec![word.clone()]].concat();
            if self.0.contains_key(&child) {
                module = child;
            } else {
                let handed_on = self.0.get(&module)?.reexports.get(word);
                return handed_on.map_or(Some(module.clone()), |path| self.resolve(path));
            }
        }
        self.0.contains_key(&module).then_some(module)
    }

    /// The other modules of the crate that a module uses. What it only hands on is no use.
    fn used(&self, module: &Path) -> BTreeSet<Path> {
        let (mut code, children) = (self.0[module].code.clone(), self.children(module));
        for (_, tree) in uses(&self.0[module].code).into_iter().filter(|(visible, _)| *visible) {
            code = code.replace(tree, "");
        }
        code = without_visibility(&code);
        let starts = ["crate", "super", "self"].into_iter().chain(children.iter().copied());
        let mut used = BTreeSet::new();
        for start in starts {
            for (index, _) in code.match_indices(&format!("{start}::")) {
                let before = code[..index].chars().next_back();
                if before.is_some_and(|letter| is_word(letter) || letter == ':') {
                    continue;
                }
                let paths = expand(&code[index..]);
                let paths = paths.iter().filter_map(|path| absolute(module, path, &children));
                used.extend(paths.filter_map(|path| self.resolve(&path)));
            }
        }
        used.remove(module);
        used
    }

    /// A circle of files, as `a.rs uses b.rs uses a.rs`, if there is one.
    fn circle(&self) -> Option<String> {
        let name = |module: &Path| self.0[module].name.clone();
        circle(
            self.0
                .keys()
                .map(|module| (name(module), self.used(module).iter().map(name).collect()))
                .collect(),
        )
    }
}

/// A circle among files that use each other, if there is one.
fn circle(mut left: BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    // Whoever uses nobody that is left is in no circle.
    while let Some(free) = left
        .iter()
        .find(|(_, used)| used.iter().all(|name| !left.contains_key(name)))
        .map(|(name, _)| name.clone())
    {
        left.remove(&free);
    }
    let mut walk = vec![left.keys().next()?];
    loop {
        let used = &left[*walk.last()?];
        let next = left.keys().find(|name| used.contains(*name))?;
        walk.push(next);
        if let Some(start) = walk.iter().position(|name| *name == next).filter(|start| start + 1 < walk.len())
        {
            let names: Vec<&str> = walk[start..].iter().map(|name| name.as_str()).collect();
            return Some(names.join(" uses "));
        }
    }
}

/// The modules of its own package that a Python file imports, as in `from .values import Move` and `from . import a, b`,
/// for types alone or not.
fn imported(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let Some((module, names)) =
            line.trim().strip_prefix("from .").and_then(|rest| rest.split_once(" import "))
        else {
            continue;
        };
        let names = if module.is_empty() { names } else { module };
        found.extend(names.split(',').map(|name| name.trim().to_owned()));
    }
    found
}

/// The code without paths that only say who may see an item, as in `pub(in super::super)`.
fn without_visibility(code: &str) -> String {
    let mut parts = code.split("pub(in ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |left, part| left + "pub(" + part.split_once(')').map_or("", |(_, rest)| rest))
}

/// The trees of a text's `use` items, and whether each can be seen from outside.
fn uses(code: &str) -> Vec<(bool, &str)> {
    let mut found = Vec::new();
    for (index, _) in code.match_indices("use ") {
        let before = code[..index].trim_end();
        let begins =
            before.is_empty() || before.ends_with([';', '}', '{', ']', ')']) || before.ends_with("pub");
        let item = code[index + 4..].split(';').next().unwrap_or_default();
        if begins && !code[..index].ends_with(is_word) {
            found.push((before.ends_with("pub") || before.ends_with(')'), item));
        }
    }
    found
}

/// The engine's library with these files, named and written here.
fn library(files: &[(&str, &str)]) -> Crate {
    let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    Crate::new("src/", &[("src/lib.rs", "mod room;")].iter().chain(files).map(own).collect::<Vec<_>>())
}

#[test]
fn no_two_files_of_a_crate_use_each_other() {
    let sources = sources();
    let roots = roots(&sources);
    for root in ["src/", "tools/arena/src/", "tools/arena/src/bin/outflank-mock/", "tests/twin/src/"] {
        assert!(roots.contains(root), "{root}: {roots:?}");
    }
    let uses = |one: &Crate| one.0.keys().map(|file| one.used(file).len()).sum::<usize>();
    let crates: Vec<Crate> = roots.iter().map(|root| Crate::new(root, &sources)).collect();
    let circles: Vec<String> = crates.iter().filter_map(Crate::circle).collect();
    assert_eq!(circles, Vec::<String>::new());
    let busy = crates.iter().filter(|one| uses(one) > 20).count();
    assert!(busy > 4, "{busy} crates have files that use each other");
}

#[test]
fn no_two_files_of_a_python_package_use_each_other() {
    let texts = texts("py");
    for (package, least) in
        [("tools/client/python/outflank/", 12), ("tools/cluster/python/outflank_cluster/", 2)]
    {
        let inside = texts.iter().filter_map(|(name, text)| Some((name.strip_prefix(package)?, text)));
        let modules: BTreeMap<String, BTreeSet<String>> = inside
            .filter_map(|(name, text)| Some((name.strip_suffix(".py")?.to_owned(), imported(text))))
            .collect();
        assert!(modules.len() >= least, "{package}: {modules:?}");
        assert_eq!(circle(modules), None, "{package}");
    }
}

#[test]
fn python_imports_of_the_own_package_are_found() {
    let text = "import re\nfrom . import drawing, files\nif TYPE_CHECKING:\n    from .board import (\nfrom os import path\n";
    assert_eq!(imported(text), BTreeSet::from(["board", "drawing", "files"].map(str::to_owned)));
    let uses = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let files = [("board", uses(&["drawing"])), ("drawing", uses(&["board"])), ("game", uses(&["board"]))];
    let files = files.map(|(name, used)| (name.to_owned(), used)).into();
    assert_eq!(circle(files).unwrap(), "board uses drawing uses board");
}

#[test]
fn a_circle_is_found_and_told() {
    let direct = [
        ("src/room/mod.rs", "mod a; mod b;"),
        ("src/room/a.rs", "use super::b::B; struct A(B);"),
        ("src/room/b.rs", "fn f(a: &crate::room::a::A) {}"),
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

/// A tool's root counts as one of its files, and the program inside it as a crate of its own.
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
    assert_eq!(Crate::new("tools/house/src/", &files).circle(), None);
    let told = Crate::new("tools/house/src/bin/other/", &files).circle().unwrap();
    let [whole, room] = ["main", "room"].map(|name| format!("tools/house/src/bin/other/{name}.rs"));
    assert_eq!(told, format!("{whole} uses {room} uses {whole}"));
}

#[test]
fn what_is_no_circle_passes() {
    let fine = [
        ("src/room/mod.rs", "mod a; mod b; mod tests; pub use a::A; pub use b::{B, b};"),
        (
            "src/room/a.rs",
            "use super::b::B; use crate::view::View; #[cfg(test)] mod tests { use super::super::B; }",
        ),
        (
            "src/room/b.rs",
            "//! Of [`super::a`].\nuse std::fmt;\n/// See super::a::A.\npub(in super::a) struct B;",
        ),
        ("src/room/tests.rs", "use super::a::A;"),
        ("src/view.rs", "pub struct View;"),
    ];
    assert_eq!(library(&fine).circle(), None);
    let fine = library(&fine);
    let a: Path = ["room", "a"].map(str::to_owned).to_vec();
    let used = [vec!["room", "b"], vec!["view"]].map(|path| path.into_iter().map(str::to_owned).collect());
    assert_eq!(fine.used(&a), BTreeSet::from(used));
}
