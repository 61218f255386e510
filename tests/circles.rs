//! No circles between the files of a part: of two files at most one uses the other, directly or through others.

use super::architecture::{sources, without_tests};
use std::collections::{BTreeMap, BTreeSet};

/// A module's path from the crate's root, as in `["rules", "spn"]`.
type Path = Vec<String>;

/// One file of a part.
struct File {
    name: String,
    /// The code without comments and tests.
    code: String,
    /// The names it hands on from elsewhere, and from where.
    reexports: BTreeMap<String, Path>,
}

/// The files of a part by module.
struct Part(BTreeMap<Path, File>);

/// The module that a file under `src` is.
fn module(name: &str) -> Option<Path> {
    let inside = name.strip_prefix("src/")?.strip_suffix(".rs")?;
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    Some(inside.split('/').map(str::to_owned).collect())
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

impl Part {
    fn new(part: &str, sources: &[(String, String)]) -> Part {
        let mut files = BTreeMap::new();
        for (name, text) in sources {
            let Some(path) = module(name).filter(|path| path[0] == part) else { continue };
            if path.last().is_some_and(|last| last.ends_with("tests")) {
                continue;
            }
            let file = File { name: name.clone(), code: without_tests(text), reexports: BTreeMap::new() };
            files.insert(path, file);
        }
        let mut part = Part(files);
        let reexports: Vec<_> = part.0.keys().map(|module| part.reexports(module)).collect();
        for (file, reexports) in part.0.values_mut().zip(reexports) {
            file.reexports = reexports;
        }
        part
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

    /// The module in which what a path leads to is written, if that is in this part.
    fn resolve(&self, path: &Path) -> Option<Path> {
        let mut module = vec![path.first()?.clone()];
        for word in &path[1..] {
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

    /// The other modules of the part that a module uses. What it only hands on is no use.
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
        let mut left: BTreeMap<&Path, BTreeSet<Path>> =
            self.0.keys().map(|module| (module, self.used(module))).collect();
        // Whoever uses nobody that is left is in no circle.
        while let Some(free) = left
            .iter()
            .find(|(_, used)| used.iter().all(|path| !left.contains_key(path)))
            .map(|(path, _)| *path)
        {
            left.remove(free);
        }
        let mut walk = vec![left.keys().next()?.to_owned()];
        loop {
            let used = &left[walk.last()?];
            let next = *left.keys().find(|path| used.contains(**path))?;
            if let Some(start) = walk.iter().position(|path| *path == next) {
                walk.push(next);
                let names: Vec<&str> = walk[start..].iter().map(|path| self.0[*path].name.as_str()).collect();
                return Some(names.join(" uses "));
            }
            walk.push(next);
        }
    }
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

/// The part of these files, named and written here.
fn part_of(files: &[(&str, &str)]) -> Part {
    let files: Vec<_> = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Part::new("room", &files)
}

#[test]
fn no_two_files_of_a_part_use_each_other() {
    let sources = sources();
    let parts: BTreeSet<String> =
        sources.iter().filter_map(|(name, _)| module(name)).map(|path| path[0].clone()).collect();
    let parts: Vec<Part> = parts.iter().map(|part| Part::new(part, &sources)).collect();
    assert!(parts.iter().map(|part| part.0.len()).sum::<usize>() > 80);
    assert!(parts.iter().any(|part| part.0.keys().map(|file| part.used(file).len()).sum::<usize>() > 40));
    for part in parts {
        assert_eq!(part.circle(), None);
    }
}

#[test]
fn a_circle_is_found_and_told() {
    let direct = [
        ("src/room/mod.rs", "mod a; mod b;"),
        ("src/room/a.rs", "use super::b::B; struct A(B);"),
        ("src/room/b.rs", "fn f(a: &crate::room::a::A) {}"),
    ];
    assert_eq!(part_of(&direct).circle().unwrap(), "src/room/a.rs uses src/room/b.rs uses src/room/a.rs");
    let through_the_parent = [
        ("src/room/mod.rs", "mod a; use a::A; struct Whole(A);"),
        ("src/room/a.rs", "use super::{Whole}; pub struct A;"),
    ];
    assert_eq!(
        part_of(&through_the_parent).circle().unwrap(),
        "src/room/mod.rs uses src/room/a.rs uses src/room/mod.rs"
    );
    let through_what_is_handed_on = [
        ("src/room.rs", "pub use a::A;\npub(crate) use deep::{B, C};"),
        ("src/room/a.rs", "use crate::room::B;"),
        ("src/room/deep/mod.rs", "pub(crate) use inner::B; pub(super) struct C;"),
        ("src/room/deep/inner.rs", "use super::super::{A, deep::C};"),
    ];
    assert_eq!(
        part_of(&through_what_is_handed_on).circle().unwrap(),
        "src/room/a.rs uses src/room/deep/inner.rs uses src/room/a.rs"
    );
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
    ];
    assert_eq!(part_of(&fine).circle(), None);
    let fine = part_of(&fine);
    let a: Path = ["room", "a"].map(str::to_owned).to_vec();
    assert_eq!(fine.used(&a), BTreeSet::from([["room", "b"].map(str::to_owned).to_vec()]));
}
