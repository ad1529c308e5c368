//! What mdBook builds the book from: the pages under their paths in the repository, and the files that they link to.
//!
//! A page keeps its text. Its links change in two ways: a `README.md` is the `index.md` of its folder, because mdBook gives it that
//! name, and a link to a folder is its text alone, because the book has no folders to show.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::pages::{CONTENTS, DECISIONS, Link, Pages, is_page, links, local, with_links};
use crate::workspace_root;

const SOURCE: &str = "target/book-source";
const SETTINGS: &str = r#"[book]
title = "tradepost"
language = "en"

[build]
build-dir = "../book"
create-missing = false

[output.html]
input-404 = ""
no-section-label = true

[output.html.print]
enable = false
"#;

/// Writes the source of the book and returns its folder.
///
/// # Errors
/// When a file cannot be written or copied.
pub(super) fn write(pages: &Pages) -> anyhow::Result<PathBuf> {
    let folder = workspace_root().join(SOURCE);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot clear {SOURCE}"))?;
    }
    put(&folder.join("book.toml"), SETTINGS)?;
    for (path, text) in &pages.0 {
        if path != Path::new(CONTENTS) {
            put(&folder.join("src").join(in_book(path)), &page(path, text))?;
        }
        for file in linked_files(path, text) {
            let to = folder.join("src").join(&file);
            fs::create_dir_all(to.parent().unwrap_or(&folder))?;
            fs::copy(workspace_root().join(&file), to).with_context(|| format!("cannot copy {}", file.display()))?;
        }
    }
    put(&folder.join("src/SUMMARY.md"), &contents(pages))?;
    Ok(folder)
}

fn put(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The path of a page in the book.
fn in_book(path: &Path) -> PathBuf {
    if path.ends_with("README.md") { path.with_file_name("index.md") } else { path.to_owned() }
}

fn page(path: &Path, text: &str) -> String {
    with_links(text, |Link { label, target, .. }| match local(path, target) {
        Some((to, _)) if to == Path::new(CONTENTS) || workspace_root().join(&to).is_dir() => (*label).to_owned(),
        Some((to, _)) if to.ends_with("README.md") => format!("[{label}]({})", target.replace("README.md", "index.md")),
        _ => format!("[{label}]({target})"),
    })
}

/// The files that a page links to and that are no pages, such as programs.
fn linked_files(path: &Path, text: &str) -> Vec<PathBuf> {
    let targets = links(text).into_iter().filter_map(|link| local(path, link.target)).map(|(to, _)| to);
    targets.filter(|to| !is_page(to) && workspace_root().join(to).is_file()).collect()
}

/// The contents with the paths of the book. Decisions are below their index, and pages that only others link to come last.
fn contents(pages: &Pages) -> String {
    let path = Path::new(CONTENTS);
    let text = pages.0.get(path).map(String::as_str).unwrap_or_default();
    let index = Path::new(DECISIONS).join("README.md");
    let named = pages.in_contents();
    let (decisions, others): (Vec<_>, Vec<_>) = pages
        .0
        .iter()
        .filter(|(page, _)| !named.contains(*page) && page.as_path() != path)
        .partition(|(page, _)| page.starts_with(DECISIONS));
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.push(with_links(line, |Link { label, target, .. }| match local(path, target) {
            Some((to, _)) => format!("[{label}]({})", in_book(&to).display()),
            None => format!("[{label}]({target})"),
        }));
        if links(line).iter().any(|link| local(path, link.target).is_some_and(|(to, _)| to == index)) {
            lines.extend(decisions.iter().map(|(page, text)| format!("  {}", entry_of(page, text))));
        }
    }
    lines.extend(others.into_iter().map(|(page, text)| entry_of(page, text)));
    lines.join("\n")
}

fn entry_of(page: &Path, text: &str) -> String {
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Untitled");
    format!("- [{title}]({})", in_book(page).display())
}
