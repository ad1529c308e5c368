//! The TypeScript client: its tests, and what it is built and tested with, buf among them.

use std::path::PathBuf;

use crate::checks::{build_program, run_to_outcome};
use crate::npm::{install, npm};
use crate::report::Outcome;
use crate::workspace_root;

/// Runs the tests, with the program of this build as their server.
pub(crate) fn test() -> anyhow::Result<Outcome> {
    if let Some(missing) = install(&folder())? {
        return Ok(missing);
    }
    run_to_outcome(npm(&folder(), "test").env("DEMO_PROGRAM", build_program()?))
}

pub(crate) fn folder() -> PathBuf {
    workspace_root().join("clients/typescript")
}
