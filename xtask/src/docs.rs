//! `cargo xtask docs`: the documents as a book, and the check of every link in them.
//!
//! [mdBook](https://rust-lang.github.io/mdBook/) builds the book; it is installed into `target/tools` where the machine has none. The
//! check of links is our own ([ADR 190](../../docs/adr/0190-pages-are-a-book-and-their-examples-run.md)).

mod book;
mod links;
mod pages;

use std::process::ExitCode;

use crate::checks::{run_to_outcome, tool};
use crate::report::{Outcome, Report};
use crate::tools::Tool;

use pages::Pages;

const MDBOOK: Tool =
    Tool { name: "mdbook", version: "0.5.4", features: &["--no-default-features", "--features", "search"] };

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
    report.step("book", || match MDBOOK.find() {
        None => Ok(Outcome::Skipped("mdBook is not installed; cargo xtask docs installs it".to_owned())),
        Some(_) => build(),
    });
}

fn build() -> anyhow::Result<Outcome> {
    let program = MDBOOK.provide()?;
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
