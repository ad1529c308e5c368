//! The licence texts of the libraries that the program consists of: most of them ask for a copy in whatever contains them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use super::{Release, printed};

/// The name of the file in every package.
pub(super) const FILE: &str = "THIRD-PARTY-LICENSES.txt";
/// How the names of files with such texts begin.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// Returns the texts, each once, under the names of the libraries that have it.
pub(super) fn text(release: &Release) -> anyhow::Result<String> {
    let libraries = libraries(release, &release.program()?.target)?;
    anyhow::ensure!(!libraries.is_empty(), "cargo metadata names no library of the program");
    let mut by_text: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for library in libraries.values() {
        for text in library.texts()? {
            by_text.entry(text).or_default().insert(&library.name);
        }
    }
    let heading = "tradepost contains these libraries, under the licences that follow.\n".to_owned();
    let names = libraries.values().map(|library| format!("{}: {}", library.name, library.licence));
    let texts = by_text.into_iter().map(|(text, names)| {
        let names: Vec<&str> = names.into_iter().collect();
        format!("\n{}\n{}\n\n{}", "-".repeat(80), names.join(", "), text.trim())
    });
    let parts: Vec<String> = [heading].into_iter().chain(names).chain(texts).collect();
    Ok(parts.join("\n") + "\n")
}

/// A library of the program.
struct Library {
    /// Its name and version.
    name: String,
    /// Its licence, as an SPDX expression.
    licence: String,
    manifest: String,
}

impl Library {
    /// The texts in the folder of its manifest.
    fn texts(&self) -> anyhow::Result<Vec<String>> {
        let folder = Path::new(&self.manifest).parent().context("a manifest is in a folder")?;
        let mut files = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
        files.sort_by_key(fs::DirEntry::file_name);
        let is_licence = |file: &fs::DirEntry| {
            let name = file.file_name().to_string_lossy().to_uppercase();
            NAMES.iter().any(|begin| name.starts_with(begin)) && file.path().is_file()
        };
        let read = |file: fs::DirEntry| {
            fs::read(file.path()).with_context(|| format!("cannot read {}", file.path().display()))
        };
        let texts =
            files.into_iter().filter(is_licence).map(|file| Ok(String::from_utf8_lossy(&read(file)?).into_owned()));
        texts.collect()
    }
}

/// The libraries by name and version: what the program depends on for a target, directly or not, and what is not of this workspace.
fn libraries(release: &Release, target: &str) -> anyhow::Result<BTreeMap<String, Library>> {
    let manifest = release.source.path("crates/app/Cargo.toml");
    let mut tree = release.command("cargo");
    // A procedural macro runs while the program is built, and is not in it.
    tree.args(["tree", "--locked", "--target", target, "--edges", "normal,no-proc-macro", "--prefix", "none"]);
    let tree = printed(tree.args(["--format", "{p}", "--manifest-path"]).arg(&manifest))?;
    let tree = String::from_utf8(tree).context("cargo tree printed no UTF-8")?;
    let built_in: BTreeSet<String> = tree.lines().filter_map(name_and_version).collect();
    let mut metadata = release.command("cargo");
    metadata.args(["metadata", "--locked", "--format-version", "1", "--manifest-path"]).arg(&manifest);
    let metadata: Value = serde_json::from_slice(&printed(&mut metadata)?).context("cargo metadata printed no JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let library = |package: &Value| {
        let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
        let (licence, manifest) = (text(&package["license"]), text(&package["manifest_path"]));
        (name.clone(), Library { name, licence, manifest })
    };
    let of_others = packages.iter().filter(|package| !package["source"].is_null()).map(library);
    Ok(of_others.filter(|(name, _)| built_in.contains(name)).collect())
}

/// The name and version in a line such as `serde v1.0.228 (*)`.
fn name_and_version(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    Some(format!("{} {}", words.next()?, words.next()?.strip_prefix('v')?))
}
