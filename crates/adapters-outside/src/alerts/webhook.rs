//! Webhooks: an alert as a message of Standard Webhooks, signed as events are.

use secrecy::SecretString;
use serde_json::{Value, json};
use tradepost_ports::alerts::{AlertError, AlertSeverity, AlertText};
use tradepost_ports::webhooks::WebhookAnswer;

use super::outcome::{later, never, unaccepted};
use super::text::{TITLE, cut, fit, link, plain};
use crate::client::Answer;
use crate::webhooks::{Envelope, Webhooks, signed};

const TYPE: &str = "alert";
/// The most UTF-16 units of the lines, with which the body is below [`crate::MOST_BYTES`].
const LINES: usize = 4_096;

/// Posts a signed message to a receiver.
pub(super) async fn send(
    webhooks: &Webhooks,
    url: &str,
    secrets: &[SecretString],
    text: &AlertText,
) -> Result<(), AlertError> {
    let body = Envelope::new(TYPE, text.sent_at, &data(text)).to_bytes();
    let signature = signed(&text.id, text.sent_at, &body, secrets).map_err(|error| never(error.to_string()))?;
    let answer = webhooks.post(url, &signature, body).await;
    let WebhookAnswer { status, retry_after, body } = answer.map_err(|error| later(error.reason, None))?;
    outcome(&Answer { status, retry_after, body })
}

fn data(text: &AlertText) -> Value {
    json!({
        "topic": text.topic,
        "severity": severity(text.severity),
        "workspace": cut(&text.workspace, TITLE, plain),
        "title": cut(&text.title, TITLE, plain),
        "lines": fit(&text.lines, LINES, plain),
        "link": link(text.link.as_ref()).unwrap_or_default(),
    })
}

const fn severity(severity: AlertSeverity) -> &'static str {
    match severity {
        AlertSeverity::Info => "INFO",
        AlertSeverity::Warning => "WARNING",
        AlertSeverity::Critical => "CRITICAL",
    }
}

/// What an answer means.
fn outcome(answer: &Answer) -> Result<(), AlertError> {
    Err(match answer.status {
        200..300 => return Ok(()),
        410 => never("the receiver answered that it no longer exists (410)"),
        _ => unaccepted("the receiver", answer, None),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::text;
    use super::*;
    use crate::webhooks::MOST_BYTES;

    #[test]
    fn the_longest_body_is_below_the_limit_of_events() {
        let lines = vec!["\u{20ac}\"".repeat(300); 50];
        let long = AlertText { title: "\"".repeat(900), workspace: "\u{20ac}".repeat(900), lines, ..text() };
        let body = Envelope::new(TYPE, long.sent_at, &data(&long)).to_bytes();
        assert!((8_000..MOST_BYTES).contains(&body.len()), "{}", body.len());
    }

    #[test]
    fn a_receiver_that_no_longer_exists_is_final_and_others_are_tried_again() {
        let of = |status| outcome(&Answer { status, retry_after: Some(Duration::from_secs(5)), body: Vec::new() });
        assert_eq!(of(204), Ok(()));
        assert!(of(410).unwrap_err().is_final);
        for status in [302, 400, 401, 404, 429, 500, 503] {
            let error = of(status).unwrap_err();
            assert_eq!((error.is_final, error.retry_after), (false, Some(Duration::from_secs(5))), "{status}");
        }
    }
}
