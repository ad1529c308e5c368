//! Heartbeats: a URL that is called again and again, so that a service outside notices when no call comes.

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_ports::alerts::AlertError;

use super::outcome::{later, never, unaccepted};
use crate::calls::Calls;
use crate::client::Answer;

/// Healthchecks answers this with status 200 to a URL that it does not know.
const UNKNOWN: &[u8] = b"OK (not found)";

/// Calls a URL.
pub(super) async fn beat(calls: &Calls, url: &SecretString) -> Result<(), AlertError> {
    let answer = calls.get(url.expose_secret()).await;
    outcome(&answer.map_err(|error| later(format!("no answer of the heartbeat: {error}"), None))?)
}

/// What an answer means.
fn outcome(answer: &Answer) -> Result<(), AlertError> {
    Err(match answer.status {
        200..300 if answer.body.starts_with(UNKNOWN) => {
            never("the service does not know the heartbeat: it was deleted, or its URL is mistyped")
        }
        200..300 => return Ok(()),
        410 => never("the heartbeat no longer exists (410)"),
        _ => unaccepted("the heartbeat", answer, None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heartbeat_is_good_if_its_service_knows_it() {
        let of = |status, body: &str| outcome(&Answer { status, retry_after: None, body: body.as_bytes().to_vec() });
        for (status, body) in [(200, "OK"), (200, "{\"ok\":true}"), (204, ""), (201, "")] {
            assert_eq!(of(status, body), Ok(()), "{status} {body}");
        }
        assert!(of(200, "OK (not found)").unwrap_err().is_final);
        assert!(of(410, "").unwrap_err().is_final);
        // A monitor that is paused is not found either, and continues later.
        for status in [302, 400, 404, 429, 500] {
            assert!(!of(status, "").unwrap_err().is_final, "{status}");
        }
    }
}
