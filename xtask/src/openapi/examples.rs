//! Examples of calls: those that the end-to-end tests keep, so an example is what the server answers.

use std::fs;

use anyhow::Context;
use serde_json::{Deserializer, Value};

use crate::workspace_root;

const KEPT: &str = "tests/tests/all/snapshots";

/// A call and its answer.
pub(super) struct Example {
    pub(super) request: Value,
    pub(super) response: Value,
}

/// Returns the call of a method that the tests keep.
///
/// # Errors
/// When they keep none.
pub(super) fn of(method: &str) -> anyhow::Result<Example> {
    let file = workspace_root().join(KEPT).join(format!("{method}.snap"));
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let (_, kept) = text.trim_start_matches("---").split_once("\n---\n").context("a snapshot has a header")?;
    let mut kept = Deserializer::from_str(kept).into_iter();
    let mut next = || kept.next().with_context(|| format!("{} has no call with its answer", file.display()));
    Ok(Example { request: next()??, response: next()?? })
}
