//! `cargo xtask test --changed`: the tests that can notice a change, those that answer soonest first.
//!
//! It knows which crates depend on which, not what their tests check.

mod files;
mod graph;

use std::collections::BTreeSet;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::Context;

use crate::checks::suite::{self, Group};
use crate::checks::{answers, tool};
use crate::memory;
use crate::postgres::{Cluster, FOR_TESTS, URL_VARIABLE};
use graph::{Graph, Stage};

/// What takes minutes in a run of all tests, or needs the machine for itself.
const SLOW: &str = "package(tradepost-bench) or package(tradepost-fuzz) or package(tradepost-tests) \
                    and test(/^(faults|security|stories::idempotency|operations::(audited|golden))::/)";
/// Crates that are named with those of a stage, and of which no test runs. Cargo selects the features of other people's crates for all
/// crates that are named together. With these it selects those of the whole workspace, and compiles nothing twice.
const ANCHORS: [&str; 3] = ["tradepost-bench", "tradepost-adapters-linking", "xtask"];

/// Runs the tests of the crates that changed since `base`, then those of the crates that depend on them.
///
/// # Errors
/// When git or cargo does not answer, nextest is not installed, or PostgreSQL does not start.
pub(crate) fn run(base: &str) -> anyhow::Result<ExitCode> {
    let has_nextest = answers("cargo", &["nextest", "--version"]);
    anyhow::ensure!(has_nextest, "cargo-nextest is missing: cargo install cargo-nextest --locked");
    let graph = Graph::read()?;
    let (changed, elsewhere) = files::changed(base, &graph)?;
    for file in &elsewhere {
        println!("{file}: no crate names it");
    }
    let stages = graph.stages(&changed);
    if stages.is_empty() {
        println!("No crate has changed since {base}. Not run: all tests.");
        return Ok(ExitCode::SUCCESS);
    }
    for (stage, number) in stages.iter().zip(1..) {
        println!("{number}. {}", names(stage));
    }
    let cluster = Cluster::start(FOR_TESTS)?;
    let begun = Instant::now();
    for stage in &stages {
        let passed = tests(&graph, stage, &cluster)?;
        let word = if passed { "passed" } else { "FAILED" };
        println!("{word} after {:.0} s: {}", begun.elapsed().as_secs_f64(), names(stage));
        if !passed {
            return Ok(ExitCode::FAILURE);
        }
    }
    drop(cluster);
    println!("\n{}", not_run(&graph, &stages));
    Ok(ExitCode::SUCCESS)
}

fn tests(graph: &Graph, stage: &Stage, cluster: &Cluster) -> anyhow::Result<bool> {
    let mut command: Command = tool("cargo");
    command.args(["nextest", "run", "--all-features", "--no-tests", "pass", "--filterset", &filter(stage)]);
    command.args(packages(graph, stage));
    if let Some(folder) = memory::folder_with(memory::FOR_FILES) {
        command.env("TMPDIR", folder);
    }
    let status = command.env(URL_VARIABLE, cluster.url()).status().context("cannot run cargo")?;
    Ok(status.success())
}

/// Which crates and which of their targets cargo builds.
fn packages(graph: &Graph, stage: &Stage) -> Vec<String> {
    if stage.is_wide {
        return vec!["--workspace".to_owned()];
    }
    let named = |option: &str, name: &str| [option.to_owned(), name.to_owned()];
    let of_stage = stage.packages.iter().flat_map(|package| named("--package", package));
    if !graph.have_libraries(stage) {
        return of_stage.collect();
    }
    let anchors = ANCHORS.into_iter().filter(|anchor| !stage.packages.contains(*anchor));
    let anchors = anchors.flat_map(|anchor| named("--package", anchor));
    // Not the programs and tests of the anchors.
    let tests = graph.tests(&stage.packages).into_iter().flat_map(|test| named("--test", test));
    of_stage.chain(anchors).chain(["--lib".to_owned()]).chain(tests).collect()
}

/// The tests of a stage, as nextest names them.
fn filter(stage: &Stage) -> String {
    let packages: Vec<String> = stage.packages.iter().map(|package| format!("package(={package})")).collect();
    format!("({}) and not ({})", packages.join(" or "), left_out())
}

/// The tests that no stage has: those that a run of all tests leaves to the night, or to machines that have what they need, and those that are
/// slow.
fn left_out() -> String {
    let groups: Vec<Group> = suite::NIGHTLY.into_iter().chain(suite::NEEDS.map(|need| need.group)).collect();
    format!("{} or {SLOW}", suite::filter_of(&groups))
}

fn names(stage: &Stage) -> String {
    stage.packages.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// What these tests cannot show.
fn not_run(graph: &Graph, stages: &[Stage]) -> String {
    let run: BTreeSet<&String> = stages.iter().flat_map(|stage| &stage.packages).collect();
    let others: Vec<&str> = graph.packages().filter(|package| !run.contains(package)).map(String::as_str).collect();
    let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
    format!(
        "Not run: crates that the change does not reach ({others}); tests that take minutes, or need more than Rust ({}); lints, documentation \
         and clients. `cargo xtask test` runs all of them but those of the night.",
        left_out()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_of_all_tests_may_leave_out_is_in_no_stage() {
        let whole = Stage { packages: BTreeSet::from(["tradepost-tests".to_owned()]), is_wide: true };
        let filter = filter(&whole);
        let (run, left_out) = filter.split_once(" and not ").unwrap();
        assert_eq!(run, "(package(=tradepost-tests))");
        for module in ["(^|::)long::", "^browser::", "^pages::cargo::", "^pages::node::", "^pages::python::"] {
            assert!(left_out.contains(&format!("test(/{module}/)")), "{module} runs: {left_out}");
        }
    }
}
