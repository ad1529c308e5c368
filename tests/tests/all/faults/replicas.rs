//! PostgreSQL servers that replicate each other, are read from, are lost and come back, or have a pooler in front of them.

mod outage_lines;
mod pooled;
mod promoted;
mod read_from;
mod several_servers;

use std::path::Path;

use crate::faults::two_servers::{Running, run};

/// More calls than any test makes.
const MOST: &str = "1000000";
/// The file of a server's log.
const LOG: &str = "server.log";

/// A server on the database at this address, with these variables. Its log is in the folder.
async fn serve(folder: &Path, address: &str, variables: &[(&str, &str)]) -> Running {
    let mut command = run(folder, &["--listen", "127.0.0.1:0", "--database", address]);
    for class in ["READ", "LIST", "WRITE", "TRADE", "WORKSPACE"] {
        command.env(format!("TRADEPOST_LIMITS__{class}__CALLS"), MOST);
        command.env(format!("TRADEPOST_LIMITS__{class}__BURST"), MOST);
    }
    command.envs(variables.iter().copied());
    Running::start(command, &folder.join(LOG)).await
}
