//! The licence texts of the libraries that the program consists of: most of them ask for a copy in whatever contains them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::Context;
use cargo_metadata::{MetadataCommand, Package};

use super::{Release, printed};

/// The name of the file in every package.
pub(super) const FILE: &str = "THIRD-PARTY-LICENSES.txt";
/// The licences of what the console is built from, which the program contains.
const OF_CONSOLE: &str = "crates/app/console-dist/licences.txt";
/// How the names of files with such texts begin.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// Returns the texts, each once, under the names of the libraries that have it.
pub(super) fn text(release: &Release) -> anyhow::Result<String> {
    let libraries = libraries(release, &release.program()?.target)?;
    anyhow::ensure!(!libraries.is_empty(), "cargo metadata names no library of the program");
    let mut by_text: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (name, library) in &libraries {
        for text in texts(library)? {
            by_text.entry(text).or_default().insert(name);
        }
    }
    let heading = "tradepost contains these libraries, under the licences that follow.\n".to_owned();
    let licence = |library: &Package| library.license.clone().unwrap_or_default();
    let names = libraries.iter().map(|(name, library)| format!("{name}: {}", licence(library)));
    let texts = by_text.into_iter().map(|(text, names)| {
        let names: Vec<&str> = names.into_iter().collect();
        format!("\n{}\n{}\n\n{}", "-".repeat(80), names.join(", "), text.trim())
    });
    let of_console = release.source.path(OF_CONSOLE);
    let of_console =
        fs::read_to_string(&of_console).with_context(|| format!("cannot read {}", of_console.display()))?;
    let parts: Vec<String> = [heading].into_iter().chain(names).chain(texts).collect();
    Ok(format!("{}\n\n{}\n{of_console}", parts.join("\n"), "-".repeat(80)))
}

/// The texts in the folder of a library's manifest.
fn texts(library: &Package) -> anyhow::Result<Vec<String>> {
    let folder = library.manifest_path.parent().context("a manifest is in a folder")?;
    let mut files = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let is_licence = |file: &fs::DirEntry| {
        let name = file.file_name().to_string_lossy().to_uppercase();
        NAMES.iter().any(|begin| name.starts_with(begin)) && file.path().is_file()
    };
    let read = |file: fs::DirEntry| {
        let text = fs::read(file.path()).with_context(|| format!("cannot read {}", file.path().display()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    files.into_iter().filter(is_licence).map(read).collect()
}

/// The libraries by name and version: what the program depends on for a target, directly or not, and what is not of this workspace.
fn libraries(release: &Release, target: &str) -> anyhow::Result<BTreeMap<String, Package>> {
    let manifest = release.source.path("crates/app/Cargo.toml");
    let mut tree = release.command("cargo");
    // A procedural macro runs while the program is built, and is not in it.
    tree.args(["tree", "--locked", "--target", target, "--edges", "normal,no-proc-macro", "--prefix", "none"]);
    let tree = printed(tree.args(["--format", "{p}", "--manifest-path"]).arg(&manifest))?;
    let tree = String::from_utf8(tree).context("cargo tree printed no UTF-8")?;
    let built_in: BTreeSet<String> = tree.lines().filter_map(name_and_version).collect();
    let metadata = MetadataCommand::new().manifest_path(manifest).other_options(["--locked".to_owned()]).exec()?;
    let of_others = metadata.packages.into_iter().filter(|package| package.source.is_some());
    let named = of_others.map(|package| (format!("{} {}", package.name, package.version), package));
    Ok(named.filter(|(name, _)| built_in.contains(name)).collect())
}

/// The name and version in a line such as `serde v1.0.228 (*)`.
fn name_and_version(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    Some(format!("{} {}", words.next()?, words.next()?.strip_prefix('v')?))
}
