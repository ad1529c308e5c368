//! The headers that describe the caller's rate limit: `RateLimit` and `RateLimit-Policy` of the IETF draft
//! "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers), and `Retry-After` of RFC 9110.

use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderName, HeaderValue};
use tradepost_operations::Charge;

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Writes the verdict of the limiter. Classes that guard secrets show only when to try again.
pub(crate) fn describe(charge: &Charge, headers: &mut HeaderMap) {
    let verdict = &charge.verdict;
    let wait = whole_seconds(verdict.wait);
    if !verdict.allowed {
        headers.insert(RETRY_AFTER, HeaderValue::from(wait));
    }
    if !charge.class.is_disclosed() {
        return;
    }
    let class = charge.class.name();
    let quota = &verdict.quota;
    insert(headers, RATE_LIMIT, format!("\"{class}\";r={};t={wait}", verdict.remaining));
    insert(headers, RATE_LIMIT_POLICY, format!("\"{class}\";q={};w={}", quota.calls, whole_seconds(quota.window)));
}

/// Rounds up, so that a caller that waits that long is not early.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs().saturating_add(u64::from(duration.subsec_nanos() > 0))
}

fn insert(headers: &mut HeaderMap, name: HeaderName, value: String) {
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}
