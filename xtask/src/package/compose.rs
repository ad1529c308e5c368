//! The compose files: whether they are what compose reads. A test of the program has the names of its settings in them.

use std::fs;

use anyhow::Context;

use crate::checks::{run_to_outcome, tool};
use crate::python_client;
use crate::report::Outcome;
use crate::workspace_root;

const FOLDER: &str = "packaging/compose";
/// It has the schema of the compose specification.
const CHECKER: &str = "check-jsonschema>=0.34,<1";

/// Compares them with the schema of the compose specification.
pub(super) fn check() -> anyhow::Result<Outcome> {
    if let Some(missing) = python_client::install(CHECKER)? {
        return Ok(Outcome::Skipped(missing));
    }
    let entries = fs::read_dir(workspace_root().join(FOLDER)).with_context(|| format!("cannot read {FOLDER}"))?;
    let files = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    let files = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "yaml"));
    let python = python_client::python().display().to_string();
    let mut checker = tool(&python);
    run_to_outcome(checker.args(["-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]).args(files))
}
