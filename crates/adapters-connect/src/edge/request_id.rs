//! The id by which a call is found in logs: the caller's own if it sent a usable one, else a new one.

use http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longer ones are replaced: an id has to fit a log line.
const MOST_BYTES: usize = 128;

/// An id of 1 to 128 visible ASCII characters.
#[derive(Clone)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    /// The id in the headers of a request, or a new one.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        headers.get(REQUEST_ID).filter(|value| is_usable(value)).cloned().map_or_else(Self::new, Self)
    }

    #[expect(clippy::disallowed_methods, reason = "the id of a request is for logs and decides nothing")]
    fn new() -> Self {
        let mut text = Uuid::encode_buffer();
        let id = Uuid::now_v7().simple().encode_lower(&mut text);
        Self(HeaderValue::from_str(id).unwrap_or_else(|_| HeaderValue::from_static("unknown")))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    pub(super) fn into_value(self) -> HeaderValue {
        self.0
    }
}

fn is_usable(value: &HeaderValue) -> bool {
    (1..=MOST_BYTES).contains(&value.len()) && value.as_bytes().iter().all(u8::is_ascii_graphic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_for(sent: &str) -> String {
        let headers = HeaderMap::from_iter([(REQUEST_ID, sent.parse().unwrap())]);
        RequestId::of(&headers).as_str().to_owned()
    }

    #[test]
    fn the_callers_id_is_kept() {
        assert_eq!(id_for("order-4711"), "order-4711");
    }

    #[test]
    fn an_id_that_would_spoil_a_log_line_is_replaced() {
        for sent in ["two words", "", &"x".repeat(129)] {
            assert_ne!(id_for(sent), sent);
        }
    }

    #[test]
    fn two_calls_without_an_id_get_different_ones() {
        let ids = [(); 2].map(|()| RequestId::of(&HeaderMap::new()).as_str().to_owned());
        assert_ne!(ids[0], ids[1]);
        assert_eq!(ids[0].len(), 32);
    }
}
