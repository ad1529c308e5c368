//! What pages say of the interface that the protos do not: rights of operations, and reasons of errors.
//!
//! Both tables are generated from the code, and a test fails when they differ from it.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context;

use crate::workspace_root;

const RIGHTS: &str = "docs/reference/rights.md";
const ERRORS: &str = "docs/reference/errors.md";

/// Who may call an operation, and what it costs.
pub(super) struct Rights {
    pub(super) caller: String,
    /// When it needs a second factor; empty if never.
    pub(super) second_factor: String,
    pub(super) rate_limit: String,
}

/// Returns the rights of each operation by its name.
pub(super) fn rights() -> anyhow::Result<BTreeMap<String, Rights>> {
    let mut found = BTreeMap::new();
    for row in rows(RIGHTS)? {
        if let [operation, caller, second_factor, rate_limit] = row.as_slice() {
            let rights = Rights {
                caller: caller.replace('`', ""),
                second_factor: second_factor.clone(),
                rate_limit: rate_limit.replace('`', ""),
            };
            found.insert(operation.replace('`', ""), rights);
        }
    }
    anyhow::ensure!(!found.is_empty(), "{RIGHTS} has no table of rights");
    Ok(found)
}

/// Returns the stable names of errors with their meanings, in the order of the page.
pub(super) fn reasons() -> anyhow::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for row in rows(ERRORS)? {
        if let [reason, _, meaning] = row.as_slice() {
            let reason = reason.replace('`', "");
            // The page also has a table of codes, which are in lower case.
            if reason.chars().all(|char| char.is_ascii_uppercase() || char == '_') {
                found.push((reason, meaning.clone()));
            }
        }
    }
    anyhow::ensure!(!found.is_empty(), "{ERRORS} has no table of reasons");
    Ok(found)
}

/// Returns the cells of each row of a page's tables whose first cell is a name in backticks.
fn rows(page: &str) -> anyhow::Result<Vec<Vec<String>>> {
    let text = fs::read_to_string(workspace_root().join(page)).with_context(|| format!("cannot read {page}"))?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("| `").and_then(|line| line.strip_suffix('|')));
    Ok(lines.map(|line| format!("`{line}").split('|').map(|cell| cell.trim().to_owned()).collect()).collect())
}
