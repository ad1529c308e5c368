//! What the tests of both kinds of providers say in the same way.

use tradepost_domain::markets::provider::{ProviderCheck, ProviderCheckCode};

pub(super) const ANSWERED: &str = "it answered";
pub(super) const WELL: &str = "nothing to the contrary";

/// A check with what it found; `Err` is what keeps it from holding.
pub(super) fn check(code: ProviderCheckCode, found: Result<impl Into<String>, String>) -> ProviderCheck {
    let ok = found.is_ok();
    ProviderCheck { code, ok, detail: found.map_or_else(|reason| reason, Into::into) }
}

/// What is new in answers. It changes nothing that is read, and holds no value.
pub(super) fn described(new_shapes: &[String]) -> String {
    if new_shapes.is_empty() {
        return "every answer has the known form".to_owned();
    }
    format!("new in its answers: {}", new_shapes.join("; "))
}
