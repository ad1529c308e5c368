//! Names of statuses and causes as the domain knows them: constants of the program, which a transition read back refers to.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The longest name of a status or cause.
const LONGEST: usize = 64;

static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The text cannot be the name of a status or cause.
#[derive(Debug, thiserror::Error)]
#[error("not a name of letters and underscores")]
pub(crate) struct InvalidName;

/// Returns the constant with this text.
///
/// The first call with a name keeps it until the process ends. The database holds only names that the program has had as
/// constants, which are some dozens. A text that cannot be one is rejected.
pub(crate) fn interned(text: &str) -> Result<&'static str, InvalidName> {
    let plausible = text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if !plausible || text.is_empty() || text.len() > LONGEST {
        return Err(InvalidName);
    }
    let mut names = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = names.get(text) {
        return Ok(name);
    }
    let name: &'static str = Box::leak(text.to_owned().into_boxed_str());
    names.insert(name);
    Ok(name)
}
