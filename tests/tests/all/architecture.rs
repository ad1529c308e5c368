//! What ARCHITECTURE.md promises about the source itself: who may know whom, and what belongs where.

mod boundaries;
mod circles;
mod dependencies;
mod documents;
mod imports;
mod line_lengths;
mod metrics;
mod page_sizes;
mod sizes;
mod sources;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};

/// A text file of the repository; the path is relative to its top.
struct TextFile {
    path: PathBuf,
    text: String,
}

impl TextFile {
    fn is_in(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }

    /// Whether this is one of these checks, which have to name what they forbid.
    fn is_a_check(&self) -> bool {
        self.is_in("tests/tests/all/architecture")
    }

    /// The lines that are no comment, each with its number.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().zip(1..).filter(|(line, _)| !line.trim_start().starts_with("//")).map(|(line, at)| (at, line))
    }
}

pub(crate) fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().expect("the package lies in the repository")
}

/// Every text file of the repository, apart from what builds and runs leave behind.
fn text_files() -> Vec<TextFile> {
    let mut files = Vec::new();
    collect(repository(), &mut files);
    assert!(files.len() > 100, "found only {} files: this looks in the wrong place", files.len());
    files
}

fn rust_files() -> Vec<TextFile> {
    text_files().into_iter().filter(|file| file.path.extension().is_some_and(|extension| extension == "rs")).collect()
}

fn collect(folder: &Path, files: &mut Vec<TextFile>) {
    const LEFT_BEHIND: [&str; 4] = [".git", "target", "data", "node_modules"];
    for entry in fs::read_dir(folder).expect("the repository can be read") {
        let path = entry.expect("the repository can be read").path();
        // In a linked work tree `.git` is a file.
        if LEFT_BEHIND.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let path = path.strip_prefix(repository()).expect("it lies in the repository").to_owned();
            files.push(TextFile { path, text });
        }
    }
}

/// The lines of code that hold one of `words`, as `path:line: text`.
fn lines_with(files: &[TextFile], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.is_a_check()) {
        for (at, line) in file.code().filter(|(_, line)| words.iter().any(|word| line.contains(word))) {
            found.push(format!("{}:{at}: {}", file.path.display(), line.trim()));
        }
    }
    found
}

#[track_caller]
fn assert_none(rule: &str, offences: &[String]) {
    assert!(offences.is_empty(), "{rule}\n  {}\n", offences.join("\n  "));
}
