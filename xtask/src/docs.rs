//! `cargo xtask docs`: the documents as a book, and the check of every link in them.
//!
//! [mdBook](https://rust-lang.github.io/mdBook/) builds the book; it is installed into `target/tools` where the machine has none. The
//! check of links is our own ([ADR 195](../../docs/adr/0195-pages-are-a-book-and-their-examples-run.md)).

mod book;
mod links;
pub(crate) mod pages;

use std::process::ExitCode;

use crate::checks::{answers, run_to_outcome, tool};
use crate::report::{Outcome, Report};
use crate::tools;
use crate::workspace_root;

use pages::Pages;

const MDBOOK: &str = "mdbook";
const MDBOOK_VERSION: &str = "0.5.4";

/// Builds the book and checks the links of the pages and of the book.
pub(crate) fn run() -> ExitCode {
    let mut report = Report::default();
    report.step("links of the pages", check_links);
    report.step("book", build);
    let ended = report.finish();
    println!("target/book/index.html");
    ended
}

/// The steps of `cargo xtask test`. The book is built only where mdBook is installed already.
pub(crate) fn steps(report: &mut Report) {
    report.step("links of the pages", check_links);
    report.step("book", || {
        let own = workspace_root().join("target/tools/bin").join(MDBOOK).display().to_string();
        if [MDBOOK, &own].iter().any(|program| answers(program, &["--version"])) {
            return build();
        }
        Ok(Outcome::Skipped("mdBook is not installed; cargo xtask docs installs it".to_owned()))
    });
}

fn build() -> anyhow::Result<Outcome> {
    let program = tools::provide(MDBOOK, MDBOOK_VERSION)?;
    let source = book::write(&Pages::read()?)?;
    run_to_outcome(tool(&program).arg("build").arg(source))
}

/// Every page is in the contents, and every link leads to a file and, where it has one, to an anchor.
fn check_links() -> anyhow::Result<Outcome> {
    let pages = Pages::read()?;
    let mut broken: Vec<String> = pages
        .missing_in_contents()?
        .into_iter()
        .map(|page| format!("{}: is not in {}", page.display(), pages::CONTENTS))
        .collect();
    broken.extend(links::broken(&pages));
    for line in &broken {
        println!("{line}");
    }
    Ok(if broken.is_empty() { Outcome::Passed } else { Outcome::Failed(format!("{} broken", broken.len())) })
}
