//! `cargo xtask test --changed`: the tests that can notice a change, those that answer soonest first.
//!
//! It knows which crates depend on which, not what their tests check.

mod files;
mod graph;

use std::collections::BTreeSet;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::Context;

use crate::checks::{answers, tool};
use crate::memory;
use crate::postgres::{Cluster, FOR_TESTS, URL_VARIABLE};
use graph::Graph;

/// What takes minutes, or needs the machine for itself, as in `.config/nextest.toml`; and what needs a browser.
const LEFT_OUT: &str = "package(tradepost-tests) and test(/^(browser|faults|security|stories::idempotency|operations::(audited|golden))::/) \
                        or package(tradepost-bench)";

/// Runs the tests of the crates that changed since `base`, then those of the crates that depend on them.
///
/// # Errors
/// When git or cargo does not answer, nextest is not installed, or PostgreSQL does not start.
pub(crate) fn run(base: &str) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        answers("cargo", &["nextest", "--version"]),
        "cargo-nextest is missing: cargo install cargo-nextest --locked"
    );
    let graph = Graph::read()?;
    let (changed, elsewhere) = files::changed(base, &graph)?;
    for file in &elsewhere {
        println!("{file}: no crate reads it");
    }
    let stages = graph.stages(&changed);
    if stages.is_empty() {
        println!("No crate has changed since {base}. Not run: all tests.");
        return Ok(ExitCode::SUCCESS);
    }
    for (number, stage) in stages.iter().enumerate() {
        println!("{}. {}", number + 1, stage.join(", "));
    }
    let cluster = Cluster::start(FOR_TESTS)?;
    let begun = Instant::now();
    for stage in &stages {
        let passed = tests(stage, &cluster)?;
        println!(
            "{:.0} s after the start: {} {}",
            begun.elapsed().as_secs_f64(),
            stage.join(", "),
            if passed { "passed" } else { "FAILED" }
        );
        if !passed {
            return Ok(ExitCode::FAILURE);
        }
    }
    drop(cluster);
    println!("\n{}", not_run(&graph, &stages));
    Ok(ExitCode::SUCCESS)
}

fn tests(stage: &[String], cluster: &Cluster) -> anyhow::Result<bool> {
    let mut command: Command = tool("cargo");
    command.args([
        "nextest",
        "run",
        "--all-features",
        "--no-tests",
        "pass",
        "--filterset",
        &format!("not ({LEFT_OUT})"),
    ]);
    for package in stage {
        command.args(["--package", package]);
    }
    if let Some(folder) = memory::folder() {
        command.env("TMPDIR", folder);
    }
    let status = command.env(URL_VARIABLE, cluster.url()).status().context("cannot run cargo")?;
    Ok(status.success())
}

/// What these tests cannot show.
fn not_run(graph: &Graph, stages: &[Vec<String>]) -> String {
    let run: BTreeSet<&String> = stages.iter().flatten().collect();
    let others: Vec<&str> = graph.packages().filter(|package| !run.contains(package)).map(String::as_str).collect();
    let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
    format!(
        "Not run: crates that no change reaches ({others}); tests that take minutes or need a browser ({LEFT_OUT}); lints, documentation \
         and clients. `cargo xtask test` runs all of them."
    )
}
