//! Which files of a crate import each other.
//!
//! A circle is allowed only between a module and its own children, because they share its types.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::imports::Imports;
use super::{TextFile, assert_none, rust_files};

/// The crates whose files import in no circle. A crate joins once it has none.
const WITHOUT_CIRCLES: [&str; 18] = [
    "adapters-auth",
    "adapters-botcheck",
    "adapters-connect",
    "adapters-limits",
    "adapters-linking",
    "adapters-mail",
    "adapters-outside",
    "adapters-price-feeds",
    "adapters-simulator",
    "adapters-sql",
    "adapters-steam",
    "app",
    "domain",
    "engine",
    "operations",
    "ports",
    "proto",
    "testkit",
];

/// The last part of a path that imports all names of a module.
const EVERYTHING: &str = "*";
/// More than one re-export of a re-export is rare.
const MOST_RE_EXPORTS: usize = 8;

/// A module by its path from the root of its crate, which is empty itself.
type Module = Vec<String>;
type Graph = BTreeMap<Module, BTreeSet<Module>>;

/// The modules that each module of a crate imports.
struct Crate {
    modules: BTreeMap<Module, Imports>,
}

impl Crate {
    fn new<'a>(files: impl Iterator<Item = (&'a Path, &'a str)>) -> Self {
        let mut modules: BTreeMap<Module, Imports> =
            files.map(|(path, text)| (module_of(path), Imports::of(text))).collect();
        let tests: Vec<Module> = modules
            .iter()
            .flat_map(|(module, imports)| imports.test_modules.iter().map(|name| child(module, name)))
            .collect();
        modules.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        Self { modules }
    }

    fn graph(&self) -> Graph {
        let imports = self.modules.iter().map(|(module, imports)| {
            let paths = imports.used.iter().map(|import| &import.path).chain(&imports.inline);
            let others = paths.filter_map(|path| self.resolve(module, path, 0)).filter(|other| other != module);
            (module.clone(), others.collect())
        });
        imports.collect()
    }

    /// The module in which a path ends, seen from `from`; `None` for paths of other crates. Re-exports are followed.
    fn resolve(&self, from: &Module, path: &[String], followed: usize) -> Option<Module> {
        let (mut module, mut rest) = match path.first()?.as_str() {
            "crate" => (Module::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => (from.clone(), path),
            name => (self.modules.contains_key(&child(from, name)).then(|| from.clone())?, path),
        };
        while let Some((name, after)) = rest.split_first() {
            let next = child(&module, name);
            if name == "super" {
                module.pop();
            } else if self.modules.contains_key(&next) {
                module = next;
            } else {
                break;
            }
            rest = after;
        }
        let exported = rest.first().and_then(|name| self.exporter(&module, name, followed));
        Some(exported.unwrap_or(module))
    }

    /// The module from which a module re-exports a name, by the name itself or with all others; `None` for its own.
    fn exporter(&self, module: &Module, name: &str, followed: usize) -> Option<Module> {
        let imports = self.modules.get(module).filter(|_| followed < MOST_RE_EXPORTS && name != EVERYTHING)?;
        if let Some(import) = imports.used.iter().find(|import| import.name == name) {
            return self.resolve(module, &import.path, followed + 1);
        }
        let is_own = imports.defined.contains(name);
        let globs = imports.used.iter().filter(|import| import.name == EVERYTHING && !is_own);
        globs.filter_map(|import| self.resolve(module, &import.path, followed + 1)).find_map(|exporting| {
            let has_it = self.modules.get(&exporting)?.defined.contains(name);
            if has_it { Some(exporting) } else { self.exporter(&exporting, name, followed + 1) }
        })
    }
}

fn child(module: &Module, name: &str) -> Module {
    let mut child = module.clone();
    child.push(name.to_owned());
    child
}

/// The module of a file, whose path is relative to the folder of the crate's root.
fn module_of(path: &Path) -> Module {
    let mut module: Module = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| matches!(last.as_str(), "lib" | "main" | "mod")) {
        module.pop();
    }
    module
}

/// Groups of `modules` that import each other, apart from a module and its children.
fn circles(modules: &BTreeSet<Module>, graph: &Graph) -> Vec<BTreeSet<Module>> {
    let reached: Graph = modules.iter().map(|module| (module.clone(), reachable(module, modules, graph))).collect();
    let mut left = modules.clone();
    let mut found = Vec::new();
    while let Some(module) = left.pop_first() {
        let mut ring: BTreeSet<Module> =
            reached[&module].iter().filter(|other| reached[*other].contains(&module)).cloned().collect();
        left.retain(|other| !ring.contains(other));
        if ring.is_empty() {
            continue;
        }
        match parent_of_all(&ring, graph) {
            Some(parent) => {
                ring.remove(&parent);
                found.extend(circles(&ring, graph));
            }
            None => found.push(ring),
        }
    }
    found
}

/// Everything that a module imports, directly or not.
fn reachable(from: &Module, modules: &BTreeSet<Module>, graph: &Graph) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in graph[module].iter().filter(|next| modules.contains(*next)) {
            if found.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

/// The module that contains all others of a ring, where only its own children import it.
fn parent_of_all(ring: &BTreeSet<Module>, graph: &Graph) -> Option<Module> {
    let parent = ring.iter().min_by_key(|module| module.len())?;
    let is_shared = ring.iter().filter(|module| *module != parent).all(|module| {
        let is_child = module.len() == parent.len() + 1;
        module.starts_with(parent) && (is_child || !graph[module].contains(parent))
    });
    is_shared.then(|| parent.clone())
}

/// The imports within each circle, as `a -> b`.
fn offences(of: &Crate) -> Vec<String> {
    let graph = of.graph();
    let mut found = Vec::new();
    for ring in circles(&graph.keys().cloned().collect(), &graph) {
        for module in &ring {
            let imported = graph[module].iter().filter(|other| ring.contains(*other));
            found.extend(imported.map(|other| format!("{} -> {}", module.join("/"), other.join("/"))));
        }
    }
    found
}

fn read(name: &str, files: &[TextFile]) -> Crate {
    let sources = Path::new("crates").join(name).join("src");
    let of_crate = files.iter().filter_map(|file| Some((file.path.strip_prefix(&sources).ok()?, file.text.as_str())));
    Crate::new(of_crate)
}

#[test]
fn files_of_a_crate_import_in_no_circle() {
    let files = rust_files();
    for name in WITHOUT_CIRCLES {
        let of = read(name, &files);
        assert!(!of.modules.is_empty(), "no file of {name} was found: the check looks in the wrong place");
        assert_none(&format!("files of {name} import each other in a circle"), &offences(&of));
    }
}

fn offences_in(files: &[(&str, &str)]) -> Vec<String> {
    offences(&Crate::new(files.iter().map(|(path, text)| (Path::new(*path), *text))))
}

#[test]
fn a_circle_of_files_is_found() {
    let circle = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "fn f() -> super::c::C {}"),
        ("c.rs", "use super::{a::A, d::D};"),
    ];
    assert_eq!(offences_in(&circle), ["a -> b", "b -> c", "c -> a"]);
    let only_for_tests = [("a.rs", "use crate::b::B;"), ("b.rs", "#[cfg(test)]\nmod tests { use crate::a::A; }")];
    assert!(offences_in(&only_for_tests).is_empty());
}

#[test]
fn a_module_and_its_children_may_import_each_other() {
    let family = [
        ("a.rs", "mod b; mod c; use b::B; pub use c::C;"),
        ("a/b.rs", "use super::{A, C};"),
        ("a/c.rs", "use super::A;"),
    ];
    assert!(offences_in(&family).is_empty());
    let siblings = [family[0], family[1], ("a/c.rs", "use super::{A, b::B};")];
    assert_eq!(offences_in(&siblings), ["a/b -> a/c", "a/c -> a/b"]);
}

#[test]
fn a_circle_through_a_re_export_is_found() {
    let circle = [("a.rs", "pub use crate::b::B;"), ("b.rs", "use crate::c::C;"), ("c.rs", "use crate::a::B;")];
    assert_eq!(offences_in(&circle), ["b -> c", "c -> b"]);
    let through_all_names =
        [("a.rs", "pub use crate::b::*;"), ("b.rs", "use crate::c::C;\npub struct B;"), ("c.rs", "use crate::a::B;")];
    assert_eq!(offences_in(&through_all_names), ["b -> c", "c -> b"]);
}
