//! Fields of requests that several operations read the same way.

use tradepost_domain::email::EmailAddress;
use tradepost_domain::policy::{Policy, PolicySet};
use tradepost_domain::text::Text;

use crate::{OpError, OpResult};

/// A text field.
pub(crate) fn text<const MOST: usize>(field: &str, value: &str) -> OpResult<Text<MOST>> {
    Text::new(value).map_err(|error| OpError::invalid_field(field, error))
}

/// An e-mail address.
pub(crate) fn email(field: &str, value: &str) -> OpResult<EmailAddress> {
    EmailAddress::new(value).map_err(|error| OpError::invalid_argument("INVALID_EMAIL", format!("{field} {error}")))
}

/// A list of policy names, each once.
pub(crate) fn policies(names: &[String]) -> OpResult<PolicySet> {
    names.iter().try_fold(PolicySet::NONE, |set, name| {
        let policy = Policy::from_name(name)
            .map_err(|error| OpError::invalid_argument("UNKNOWN_POLICY", format!("policies: {error}")))?;
        if set.has(policy) {
            return Err(OpError::invalid_argument("DUPLICATE_POLICY", format!("policies names {name} twice")));
        }
        Ok(set.or(PolicySet::of(&[policy])))
    })
}

/// Ids of a batch get: each once, in the order given.
pub(crate) fn batch<T: Copy + Ord>(field: &str, ids: &[T]) -> OpResult<Vec<T>> {
    const MOST: usize = 200;
    if ids.is_empty() || ids.len() > MOST {
        return Err(OpError::invalid_field(field, format_args!("must have 1 to {MOST} ids")));
    }
    let mut seen = std::collections::BTreeSet::new();
    Ok(ids.iter().copied().filter(|id| seen.insert(*id)).collect())
}
