//! The console: whether its committed files are those that its sources make, and its stories in a browser.

use std::path::PathBuf;

use crate::browser::{CHROMIUM, FIREFOX};
use crate::checks::{build_program, build_release, run_to_outcome, tool};
use crate::npm::{install, npm};
use crate::report::{Outcome, Report};
use crate::{books, workspace_root};

/// What a build makes. It is committed, so that building tradepost needs no Node.
const MADE: &str = "crates/app/console-dist";

/// What takes long; each part runs, also after one that failed.
const NIGHTLY: [&str; 4] = ["nightly", "axe", "reach", "vitals"];

/// In the long list that is scrolled.
const PURCHASES: u32 = 100_000;

/// Builds the console again, checks its size and that it calls what the interface has, and follows its stories against the
/// program of this build.
pub(crate) fn steps(report: &mut Report) {
    let mut is_built = false;
    report.step("console, built again", || {
        let outcome = build()?;
        is_built = matches!(outcome, Outcome::Passed);
        Ok(outcome)
    });
    report.step("console, stories", || match CHROMIUM.provide() {
        _ if !is_built => Ok(Outcome::Skipped("it was not built".to_owned())),
        Some(missing) => Ok(Outcome::Skipped(missing)),
        None => run_to_outcome(npm(&folder(), "test").env("TRADEPOST_BIN", build_program()?)),
    });
}

/// The long stories, axe in every state, keyboard and narrow windows, and how soon each page is painted.
///
/// # Errors
/// When npm cannot be run, or Node, Chromium or Firefox is missing: what was not checked did not pass.
pub(crate) fn long() -> anyhow::Result<bool> {
    for browser in [CHROMIUM, FIREFOX] {
        let missing = browser.provide();
        anyhow::ensure!(missing.is_none(), missing.unwrap_or_default());
    }
    let installed = install(&folder())?.is_none();
    anyhow::ensure!(installed, "the console's packages cannot be installed");
    let books = books::of_purchases(PURCHASES)?;
    // How soon a page is there is measured on what people run.
    let program = build_release()?;
    let mut failed = Vec::new();
    for script in NIGHTLY {
        let mut part = npm(&folder(), "run");
        part.arg(script).env("TRADEPOST_BIN", &program).env("TRADEPOST_BOOKS", &books);
        if !matches!(run_to_outcome(&mut part)?, Outcome::Passed) {
            failed.push(script);
        }
    }
    println!("console: {} of {} parts failed: {}", failed.len(), NIGHTLY.len(), failed.join(", "));
    Ok(failed.is_empty())
}

fn build() -> anyhow::Result<Outcome> {
    if let Some(missing) = install(&folder())? {
        return Ok(missing);
    }
    for script in ["build", "size", "coverage"] {
        let outcome = run_to_outcome(npm(&folder(), "run").arg(script))?;
        if !matches!(outcome, Outcome::Passed) {
            return Ok(outcome);
        }
    }
    let changed = tool("git").args(["status", "--porcelain", "--", MADE]).output()?;
    let changed = String::from_utf8_lossy(&changed.stdout).trim().to_owned();
    Ok(if changed.is_empty() {
        Outcome::Passed
    } else {
        Outcome::Failed(format!("a build makes other files than those in {MADE}:\n{changed}"))
    })
}

fn folder() -> PathBuf {
    workspace_root().join("console")
}
