//! The project's own files, and what each of its Rust files uses, by a parser of the language.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// A module's path from the crate's root, as in `["rules", "spn"]`; the root's own is empty.
pub(super) type ModulePath = Vec<String>;

/// The folder of the workspace.
pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Every file of the project under `folder`, but for what builds leave behind.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
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

/// A file's name from the root.
pub(super) fn named(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

/// Every Rust file of the project, by its name from the root, with its text.
pub(super) fn sources() -> Vec<(String, String)> {
    let paths = files(root()).into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "rs"));
    paths.map(|path| (named(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// What a file says of other modules, tests left out.
#[derive(Default)]
struct Uses {
    /// Paths of two words or more, as written, each with the inline modules around it.
    paths: Vec<(ModulePath, ModulePath)>,
    /// Paths that it hands on, as in `pub(crate) use piece::{Piece, PieceId};`.
    handed_on: Vec<ModulePath>,
    /// Its modules that are there for tests alone.
    tests: BTreeSet<String>,
    inside: ModulePath,
}

fn for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

/// Every path of a use tree: `a::{b, c::D}` leads to `a::b` and `a::c::D`. What `self` and `*` stand for is their parent.
fn expand(tree: &syn::UseTree) -> Vec<ModulePath> {
    let behind = |name: &syn::Ident, paths: Vec<ModulePath>| {
        paths.into_iter().map(|path| [vec![name.to_string()], path].concat()).collect()
    };
    match tree {
        syn::UseTree::Path(path) => behind(&path.ident, expand(&path.tree)),
        syn::UseTree::Name(name) if name.ident == "self" => vec![Vec::new()],
        syn::UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        syn::UseTree::Rename(name) => vec![vec![name.ident.to_string()]],
        syn::UseTree::Group(group) => group.items.iter().flat_map(expand).collect(),
        syn::UseTree::Glob(_) => vec![Vec::new()],
    }
}

impl Uses {
    fn of(text: &str) -> Uses {
        let mut uses = Uses::default();
        uses.visit_file(&syn::parse_file(text).expect("it compiles"));
        uses
    }

    fn note(&mut self, path: ModulePath) {
        if path.len() > 1 {
            self.paths.push((self.inside.clone(), path));
        }
    }

    /// The paths in a macro's call or body, which nobody but that macro can parse.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut path = ModulePath::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.note(std::mem::take(&mut path));
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.note(std::mem::take(&mut path));
                    self.note_tokens(group.stream());
                }
                _ => self.note(std::mem::take(&mut path)),
            }
        }
        self.note(path);
    }
}

/// Goes into these unless they are for tests alone.
macro_rules! leave_out_tests {
    ($($visit:ident($node:ident)),* $(,)?) => {
        $(fn $visit(&mut self, node: &'ast syn::$node) {
            if !for_tests(&node.attrs) {
                visit::$visit(self, node);
            }
        })*
    };
}

impl<'ast> Visit<'ast> for Uses {
    leave_out_tests! {
        visit_item_const(ItemConst), visit_item_enum(ItemEnum), visit_item_fn(ItemFn), visit_item_impl(ItemImpl),
        visit_item_macro(ItemMacro), visit_item_static(ItemStatic), visit_item_struct(ItemStruct),
        visit_item_trait(ItemTrait), visit_item_type(ItemType), visit_impl_item_const(ImplItemConst),
        visit_impl_item_fn(ImplItemFn), visit_trait_item_fn(TraitItemFn), visit_field(Field), visit_variant(Variant),
        visit_field_value(FieldValue), visit_arm(Arm), visit_local(Local), visit_expr_block(ExprBlock),
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let name = module.ident.to_string();
        if for_tests(&module.attrs) {
            self.tests.insert(name);
            return;
        }
        self.inside.push(name);
        visit::visit_item_mod(self, module);
        self.inside.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let paths = if for_tests(&item.attrs) { Vec::new() } else { expand(&item.tree) };
        match item.vis {
            syn::Visibility::Inherited => paths.into_iter().for_each(|path| self.note(path)),
            _ => self.handed_on.extend(paths),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.note(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.note_tokens(call.tokens.clone());
    }

    /// Who may see an item is no use, as in `pub(in super::super)`.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

/// One file of a crate.
struct File {
    name: String,
    uses: Uses,
    /// The names it hands on from elsewhere, and from where.
    handed_on: BTreeMap<String, ModulePath>,
}

/// The files of a crate by module, those for tests left out.
pub(super) struct Crate(BTreeMap<ModulePath, File>);

/// The folders of crates, each of which ends with a slash: those with a `lib.rs` of their own, or a `main.rs` alone.
pub(super) fn roots(sources: &[(String, String)]) -> BTreeSet<&str> {
    let named = |file: &str| -> BTreeSet<&str> {
        let inside = sources.iter().filter(|(name, _)| name.contains("src/"));
        inside.filter_map(|(name, _)| name.strip_suffix(file)).filter(|root| root.ends_with('/')).collect()
    };
    &named("lib.rs") | &named("main.rs")
}

/// The module that a file of the crate in `root` is; `None` if it is another crate's.
fn module(name: &str, root: &str, roots: &BTreeSet<&str>) -> Option<ModulePath> {
    let innermost = roots.iter().filter(|root| name.starts_with(**root)).max_by_key(|root| root.len());
    let inside = name.strip_prefix(root).filter(|_| innermost == Some(&root))?.strip_suffix(".rs")?;
    match inside.strip_suffix("/mod").unwrap_or(inside) {
        "lib" | "main" => Some(Vec::new()),
        inside => Some(inside.split('/').map(str::to_owned).collect()),
    }
}

/// A path that `module` writes, from the crate's root; `None` if it leads out of the crate or starts with no module.
fn absolute(module: &[String], written: &[String], children: &BTreeSet<&str>) -> Option<ModulePath> {
    let mut base = module.to_vec();
    let mut rest = written;
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
    pub(super) fn new(root: &str, sources: &[(String, String)]) -> Crate {
        let roots = roots(sources);
        let library = sources.iter().any(|(name, _)| *name == format!("{root}lib.rs"));
        // The program beside a library uses that from outside.
        let own = sources.iter().filter(|(name, _)| !(library && *name == format!("{root}main.rs")));
        let file = |(name, text): &(String, String)| {
            let module = module(name, root, &roots)?;
            Some((module, File { name: name.clone(), uses: Uses::of(text), handed_on: BTreeMap::new() }))
        };
        let mut whole = Crate(own.filter_map(file).collect());
        whole.drop_tests();
        let handed_on: Vec<_> = whole.0.keys().map(|module| whole.handed_on(module)).collect();
        for (file, handed_on) in whole.0.values_mut().zip(handed_on) {
            file.handed_on = handed_on;
        }
        whole
    }

    fn drop_tests(&mut self) {
        let for_tests = |module: &ModulePath| {
            let mut above =
                (0..module.len()).filter_map(|length| Some((self.0.get(&module[..length])?, length)));
            above.any(|(file, length)| file.uses.tests.contains(&module[length]))
        };
        let kept: BTreeSet<ModulePath> = self.0.keys().filter(|module| !for_tests(module)).cloned().collect();
        self.0.retain(|module, _| kept.contains(module));
    }

    /// The names of its modules, the root's left out, each with the file's name.
    pub(super) fn modules(&self) -> impl Iterator<Item = (&ModulePath, &str)> {
        self.0
            .iter()
            .map(|(module, file)| (module, file.name.as_str()))
            .filter(|(module, _)| !module.is_empty())
    }

    /// The modules right below this one.
    fn children(&self, module: &[String]) -> BTreeSet<&str> {
        let below = |path: &&ModulePath| path.len() == module.len() + 1 && path.starts_with(module);
        self.0.keys().filter(below).filter_map(|path| path.last()).map(String::as_str).collect()
    }

    fn handed_on(&self, module: &ModulePath) -> BTreeMap<String, ModulePath> {
        let children = self.children(module);
        let paths = self.0[module].uses.handed_on.iter();
        paths.filter_map(|path| Some((path.last()?.clone(), absolute(module, path, &children)?))).collect()
    }

    /// The modules that a path leads to: the one in which the item is written, and before it those that hand it on; none if
    /// the path leads out of this crate.
    fn resolve(&self, path: &[String]) -> Vec<ModulePath> {
        let mut module = ModulePath::new();
        for word in path {
            let child = [module.clone(), vec![word.clone()]].concat();
            if self.0.contains_key(&child) {
                module = child;
                continue;
            }
            let handed_on = self.0.get(&module).and_then(|file| file.handed_on.get(word));
            let mut found = handed_on.map_or_else(Vec::new, |path| self.resolve(path));
            found.push(module);
            return found;
        }
        vec![module]
    }

    /// The other modules of the crate that a module uses. What it only hands on is no use.
    pub(super) fn used(&self, module: &ModulePath) -> BTreeSet<ModulePath> {
        let children = self.children(module);
        let absolute = |(inside, path): &(ModulePath, ModulePath)| {
            let own = if inside.is_empty() { children.clone() } else { BTreeSet::new() };
            absolute(&[module.as_slice(), inside].concat(), path, &own)
        };
        let paths = self.0[module].uses.paths.iter().filter_map(absolute);
        let mut used: BTreeSet<_> = paths.flat_map(|path| self.resolve(&path)).collect();
        used.remove(module);
        used
    }

    /// The other modules from which a module hands something on.
    pub(super) fn sources_of_handed_on(&self, module: &ModulePath) -> BTreeSet<ModulePath> {
        self.0[module].handed_on.values().flat_map(|path| self.resolve(path)).collect()
    }

    /// A circle of files, as `a.rs uses b.rs uses a.rs`, if there is one.
    pub(super) fn circle(&self) -> Option<String> {
        let name = |module: &ModulePath| self.0[module].name.clone();
        let used = |module: &ModulePath| self.used(module).iter().map(name).collect();
        circle(self.0.keys().map(|module| (name(module), used(module))).collect())
    }
}

/// A circle among files that use each other, if there is one.
pub(super) fn circle(mut left: BTreeMap<String, BTreeSet<String>>) -> Option<String> {
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
