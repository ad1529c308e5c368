//! The description as other people's tools read it: whether a validator of `OpenAPI` accepts it, and its examples fit their schemas.

use crate::checks::{run_to_outcome, tool};
use crate::python_client;
use crate::report::Outcome;

use super::WRITTEN;

/// It knows `OpenAPI` 3.1, and comes with a validator of JSON Schema.
const VALIDATOR: &str = "openapi-spec-validator>=0.7,<1";
/// Validates the examples.
const EXAMPLES: &str = "xtask/src/openapi/examples.py";

/// The check of `cargo xtask test`.
pub(crate) fn validate() -> anyhow::Result<Outcome> {
    if let Some(missing) = python_client::install(VALIDATOR)? {
        return Ok(Outcome::Skipped(missing));
    }
    let python = python_client::python().display().to_string();
    let is_valid = run_to_outcome(tool(&python).args(["-m", "openapi_spec_validator", "--schema", "3.1", WRITTEN]))?;
    match is_valid {
        Outcome::Passed => run_to_outcome(tool(&python).args([EXAMPLES, WRITTEN])),
        Outcome::Skipped(_) | Outcome::Failed(_) => Ok(is_valid),
    }
}
