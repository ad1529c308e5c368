//! The pages: every Markdown file that the contents lead to, directly or by links. It knows their links, and nothing of the book.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;

use crate::workspace_root;

/// The contents of the book.
pub(super) const CONTENTS: &str = "docs/SUMMARY.md";
/// Decisions are listed by their own index.
pub(super) const DECISIONS: &str = "docs/adr";

/// A link, and its place in the text.
pub(crate) struct Link<'t> {
    at: Range<usize>,
    pub(crate) label: &'t str,
    pub(crate) target: &'t str,
}

/// Texts by their paths in the repository.
pub(super) struct Pages(pub(super) BTreeMap<PathBuf, String>);

impl Pages {
    /// Reads the contents and follows every link.
    ///
    /// # Errors
    /// When a page cannot be read. A link to a missing file is left to the check of links.
    pub(super) fn read() -> anyhow::Result<Self> {
        let mut found = BTreeMap::new();
        let mut open = vec![PathBuf::from(CONTENTS), PathBuf::from("README.md")];
        while let Some(page) = open.pop() {
            if found.contains_key(&page) {
                continue;
            }
            let text = fs::read_to_string(workspace_root().join(&page));
            let text = text.with_context(|| format!("cannot read {}", page.display()))?;
            let targets = links(&text).into_iter().filter_map(|link| local(&page, link.target)).map(|(path, _)| path);
            open.extend(targets.filter(|path| is_page(path) && workspace_root().join(path).is_file()));
            found.insert(page, text);
        }
        Ok(Self(found))
    }

    /// The pages that the contents name.
    pub(super) fn in_contents(&self) -> BTreeSet<PathBuf> {
        let contents = Path::new(CONTENTS);
        let text = self.0.get(contents).map(String::as_str).unwrap_or_default();
        links(text).into_iter().filter_map(|link| local(contents, link.target)).map(|(path, _)| path).collect()
    }

    /// The pages below `docs` that the contents do not name.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub(super) fn missing_in_contents(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut named = self.in_contents();
        named.insert(CONTENTS.into());
        let pages = markdown_below(Path::new("docs"))?;
        Ok(pages.into_iter().filter(|page| !named.contains(page) && !page.starts_with(DECISIONS)).collect())
    }
}

fn markdown_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries =
        fs::read_dir(workspace_root().join(folder)).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            found.extend(markdown_below(&path)?);
        } else if is_page(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The links of a text. A target ends at the next bracket and has no spaces.
pub(super) fn links(text: &str) -> Vec<Link<'_>> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some((before, after)) = text.get(from..).and_then(|rest| rest.split_once("](")) {
        let target = after.split(')').next().unwrap_or_default();
        let begins = from + before.len() + 2;
        match before.rfind('[').filter(|_| !target.contains(char::is_whitespace)) {
            Some(open) => {
                let at = from + open..begins + target.len() + 1;
                from = at.end;
                found.push(Link { at, label: before.get(open + 1..).unwrap_or_default(), target });
            }
            None => from = begins,
        }
    }
    found
}

/// The text with each link replaced.
pub(crate) fn with_links(text: &str, replaced: impl Fn(&Link<'_>) -> String) -> String {
    let (mut made, mut from) = (String::new(), 0);
    for link in links(text) {
        made += text.get(from..link.at.start).unwrap_or_default();
        made += &replaced(&link);
        from = link.at.end;
    }
    made + text.get(from..).unwrap_or_default()
}

pub(crate) fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// The path in the repository that a link of a page names, and the anchor with its `#`. Nothing for links to other hosts.
pub(crate) fn local<'t>(page: &Path, target: &'t str) -> Option<(PathBuf, &'t str)> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    if path.is_empty() {
        return Some((page.to_owned(), anchor));
    }
    let mut resolved = page.parent().map(Path::to_owned).unwrap_or_default();
    for part in Path::new(path).components() {
        if part == Component::ParentDir {
            resolved.pop();
        } else if part != Component::CurDir {
            resolved.push(part);
        }
    }
    Some((resolved, anchor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_resolved_from_the_folder_of_its_page() {
        let page = Path::new("docs/how-to/install.md");
        let resolved =
            |target| local(page, target).map(|(path, anchor)| (path.display().to_string(), anchor.to_owned()));
        let at = |path: &str, anchor: &str| Some((path.to_owned(), anchor.to_owned()));
        assert_eq!(resolved("../../README.md"), at("README.md", ""));
        assert_eq!(resolved("../reference/errors.md#accounts"), at("docs/reference/errors.md", "#accounts"));
        assert_eq!(resolved("#from-source"), at("docs/how-to/install.md", "#from-source"));
        assert_eq!(resolved("https://example.com/a.md"), None);
    }

    #[test]
    fn links_are_replaced_and_the_text_between_them_stays() {
        let text = "See [one](a.md), `x](` and [two](b/c.md#d). End [no link](with space).";
        let replaced = with_links(text, |link| format!("<{}|{}>", link.label, link.target));
        assert_eq!(replaced, "See <one|a.md>, `x](` and <two|b/c.md#d>. End [no link](with space).");
    }

    #[test]
    fn every_page_of_the_documents_is_in_the_contents() {
        let pages = Pages::read().unwrap();
        assert_eq!(pages.missing_in_contents().unwrap(), Vec::<PathBuf>::new());
    }
}
