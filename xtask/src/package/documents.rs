//! The documents in a package: the pages with what they refer to, and the licences of the libraries.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{Release, install, licences};
use crate::docs::pages::{is_page, local, with_links};

const FOLDERS: [&str; 2] = ["docs", "examples"];
/// Files that the pages link to, and what a package has to say of itself.
const FILES: [&str; 5] =
    ["README.md", "CHANGELOG.md", "SECURITY.md", "clients/python/README.md", "clients/typescript/README.md"];

/// Writes them below a folder, where each has its path in the repository. `others` are the other files that the package has there.
pub(super) fn write(release: &Release, folder: &Path, others: &[String]) -> anyhow::Result<()> {
    let mut files: Vec<String> = FILES.map(str::to_owned).to_vec();
    for folder in FOLDERS {
        files.extend(release.source.files(folder)?);
    }
    let packed: BTreeSet<PathBuf> = files.iter().chain(others).map(PathBuf::from).collect();
    for file in &files {
        let (from, to) = (release.source.path(file), folder.join(file));
        if is_page(&from) {
            let text = std::fs::read_to_string(&from).with_context(|| format!("cannot read {}", from.display()))?;
            super::write(&to, closed(Path::new(file), &text, &packed).as_bytes(), 0o644)?;
        } else {
            install(&from, &to, 0o644)?;
        }
    }
    super::write(&folder.join(licences::FILE), licences::text(release)?.as_bytes(), 0o644)
}

/// A page whose links to what is not in the package are their text.
fn closed(page: &Path, text: &str, packed: &BTreeSet<PathBuf>) -> String {
    let is_packed = |to: &Path| packed.contains(to) || packed.iter().any(|file| file.starts_with(to));
    with_links(text, |link| match local(page, link.target) {
        Some((to, _)) if !is_packed(&to) => link.label.to_owned(),
        _ => format!("[{}]({})", link.label, link.target),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_what_is_not_in_the_package_is_its_text() {
        let packed = ["docs/a.md", "examples/desk.toml"].map(PathBuf::from).into();
        let text = "[one](a.md#x), [two](../examples), [three](../crates/app), [four](https://example.com)";
        let kept = "[one](a.md#x), [two](../examples), three, [four](https://example.com)";
        assert_eq!(closed(Path::new("docs/b.md"), text, &packed), kept);
    }
}
