//! Names of statuses and causes as the domain knows them: constants of the program, which a transition read back refers to.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The longest name of a status or cause.
const LONGEST: usize = 64;

static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The text is no name of a status or cause.
#[derive(Debug, thiserror::Error)]
#[error("not a name of letters and underscores")]
pub(crate) struct NotAName;

/// The constant with this text.
///
/// A name is kept for good the first time it is met. The database holds only names that the program has had as constants, so
/// there are some dozens; what does not look like one is refused.
pub(crate) fn known(text: &str) -> Result<&'static str, NotAName> {
    let plausible = text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if !plausible || text.is_empty() || text.len() > LONGEST {
        return Err(NotAName);
    }
    let mut names = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = names.get(text) {
        return Ok(name);
    }
    let name: &'static str = Box::leak(text.to_owned().into_boxed_str());
    names.insert(name);
    Ok(name)
}
