//! `cargo xtask soak`: builds the measurements as they are shipped and lets them trade in a simulated world while they are
//! killed. What must hold afterwards is the business of `bench/`.

use std::process::ExitCode;

use anyhow::Context;

use crate::postgres::{self, Cluster};
use crate::{command_of, workspace_root};

/// Runs the soak with these arguments of its, on a throw-away PostgreSQL where they ask for one.
///
/// # Errors
/// When it does not build, or when there is no PostgreSQL.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let cluster = if needs_postgres(arguments) { Some(Cluster::start(postgres::FOR_MEASUREMENTS)?) } else { None };
    let mut command = command_of("cargo");
    command.args(["run", "--release", "--package", "tradepost-bench", "--", "soak"]).args(arguments);
    if let Some(cluster) = &cluster {
        command.env(postgres::URL_VARIABLE, cluster.url());
    }
    let status = command.current_dir(workspace_root()).status().context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether the soak is to trade on PostgreSQL and no server is named to it.
fn needs_postgres(arguments: &[String]) -> bool {
    let is_on_postgres = arguments.iter().any(|argument| argument == "postgres" || argument == "--database=postgres");
    is_on_postgres && !arguments.iter().any(|argument| argument.starts_with("--postgres"))
}

#[cfg(test)]
mod tests {
    use super::needs_postgres;

    fn needed(arguments: &str) -> bool {
        needs_postgres(&arguments.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_server_is_started_for_a_soak_on_postgresql_that_names_none() {
        assert!(needed("--database postgres --nodes 2"));
        assert!(needed("--database=postgres"));
        assert!(!needed("--purchases 300 --kills 4"));
        assert!(!needed("--database postgres --postgres postgres://app@192.0.2.1/postgres"));
    }
}
