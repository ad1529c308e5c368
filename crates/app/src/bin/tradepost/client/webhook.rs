//! `tradepost webhook listen` and `verify`: for the authors of receivers. Neither needs an endpoint on the server.

use std::io::{Read as _, stdin};
use std::str::FromStr as _;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::SecretString;
use serde_json::{Value, json};
use tradepost::domain::events::event_type::EventType;
use tradepost::domain::events::webhook_delivery::message_id;
use tradepost::domain::events::webhook_endpoint::EventPatterns;
use tradepost::domain::id::{TransitionId, WorkspaceId};
use tradepost::outside::{
    ClientLimits, Envelope, Reach, Signature, SignatureError, WebhookSecret, WebhookSettings, Webhooks,
};
use tradepost::ports::clock::Clock as _;

use super::tail::WATCH;
use super::{Client, PAGE, view};
use crate::cli::Output;
use crate::cli::webhook::{Listen, Verify};
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;

/// For how long the server may wait for a change, in seconds: the longest that it takes.
const WAIT: u32 = 25;

/// A receiver on the way to which nothing is guarded: the user of the command names it.
struct Forward {
    webhooks: Webhooks,
    url: String,
    secrets: Vec<WebhookSecret>,
}

impl Client {
    /// Posts events to an address until it is ended, or stdout loses its reader.
    pub(super) async fn listen(&self, listen: &Listen) -> Outcome {
        let types = patterns(&listen.types)?;
        let secret = listen.secret.clone().map_or_else(new_secret, Ok)?;
        let forward = Forward::to(&listen.forward, &secret)?;
        if self.output.is_for_people() {
            output_format::line(&format!("Forwarding events to {}; their secret is {secret}", listen.forward));
        }
        let mut after = self.ask(WATCH, json!({ "fromEnd": true })).await?["lastTransitionId"].clone();
        let mut left = listen.count.unwrap_or(u64::MAX);
        while left > 0 {
            let request = json!({ "afterTransitionId": after, "waitSeconds": WAIT, "limit": PAGE });
            let seen = self.ask(WATCH, request).await?;
            for change in view::many(&seen, "transitions") {
                let (id, envelope) = self.message(change)?;
                let is_wanted = EventType::from_str(envelope.event_type()).is_ok_and(|event| types.match_type(event));
                if !is_wanted || left == 0 {
                    continue;
                }
                if output_format::try_line(&forward.post(&id, &envelope, self.output).await).is_err() {
                    return Ok(());
                }
                left -= 1;
            }
            after = seen["lastTransitionId"].clone();
        }
        Ok(())
    }

    fn message(&self, change: &Value) -> Outcome<(String, Envelope)> {
        let unreadable = || Failure::new(Exit::Failed, "the server returned a change that this program cannot read");
        let workspace = WorkspaceId::from_str(&self.workspace).map_err(|_| unreadable())?;
        let fields = change.as_object().ok_or_else(unreadable)?;
        let id = change["id"].as_str().and_then(|id| TransitionId::from_str(id).ok()).ok_or_else(unreadable)?;
        let envelope = Envelope::of_read(workspace, fields).ok_or_else(unreadable)?;
        Ok((message_id(id.to_bytes()), envelope))
    }
}

impl Forward {
    fn to(url: &str, secret: &str) -> Outcome<Self> {
        let everywhere = ["0.0.0.0/0", "::/0"].iter().filter_map(|network| network.parse().ok()).collect();
        let settings =
            WebhookSettings { reach: Reach::public_and(everywhere), allow_http: true, limits: ClientLimits::default() };
        let cannot = |error: &dyn std::fmt::Display| Failure::new(Exit::Failed, "cannot forward events").because(error);
        Ok(Self {
            webhooks: Webhooks::new(settings).map_err(|error| cannot(&error))?,
            url: url.to_owned(),
            secrets: vec![read_secret(secret)?],
        })
    }

    /// Posts one event; returns the line that says what came of it.
    async fn post(&self, id: &str, envelope: &Envelope, output: Output) -> String {
        let body = envelope.to_bytes();
        let signature = Signature::sign(id, seconds_now(), &body, &self.secrets);
        let begun = Instant::now();
        let answer = self.webhooks.post(&self.url, &signature, body).await;
        let (took, event) = (begun.elapsed().as_millis(), envelope.event_type());
        match (output.is_for_people(), answer) {
            (true, Ok(answer)) => format!("{event:<28} {id}  {} in {took} ms", answer.status),
            (true, Err(error)) => format!("{event:<28} {id}  failed: {error}"),
            (false, Ok(answer)) => json!({ "type": event, "webhookId": id, "httpStatus": answer.status }).to_string(),
            (false, Err(error)) => json!({ "type": event, "webhookId": id, "error": error.to_string() }).to_string(),
        }
    }
}

/// Verifies a request that was recorded: its headers, an empty line, and its body.
pub(crate) fn verify(verify: &Verify, output: Output) -> Outcome {
    let mut request = Vec::new();
    let read = stdin().read_to_end(&mut request);
    read.map_err(|error| Failure::new(Exit::Failed, "cannot read standard input").because(error))?;
    let (signed, body) = parse(&request).ok_or_else(|| {
        Failure::new(Exit::Usage, "standard input is not a request of a webhook")
            .because("it has no headers webhook-id, webhook-timestamp and webhook-signature before an empty line")
            .with_try("save the request as it arrived: headers, an empty line, and the body")
    })?;
    let now = if verify.ignore_time { signed.timestamp } else { seconds_now() };
    let verified = signed.verify(body, &read_secret(&verify.secret)?, now);
    verified.map_err(not_verified)?;
    let event: Value = serde_json::from_slice(body).unwrap_or_default();
    let event = event["type"].as_str().unwrap_or("an unknown type").to_owned();
    let said = json!({ "webhookId": signed.id, "type": event, "timestamp": signed.timestamp });
    output_format::say(output, &format!("Verified {}: {event}", signed.id), &said);
    Ok(())
}

fn not_verified(error: SignatureError) -> Failure {
    let failure = Failure::new(Exit::Failed, "the request is not verified").because(error);
    match error {
        SignatureError::Timestamp => failure.with_try("add --ignore-time for a request that was recorded earlier"),
        SignatureError::Secret | SignatureError::Signature => {
            failure.with_try("check the secret, and that the body is byte by byte the one that arrived")
        }
    }
}

fn parse(request: &[u8]) -> Option<(Signature, &[u8])> {
    let ends = [&b"\r\n\r\n"[..], &b"\n\n"[..]];
    let end = |mark: &&[u8]| Some((request.windows(mark.len()).position(|part| part == *mark)?, mark.len()));
    let (at, length) = ends.iter().filter_map(end).min()?;
    let head = std::str::from_utf8(request.get(..at)?).ok()?;
    let header = |name: &str| {
        let named = |line: &str| {
            let (given, value) = line.split_once(':')?;
            given.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        head.lines().find_map(named)
    };
    let signed = Signature {
        id: header("webhook-id")?,
        timestamp: header("webhook-timestamp")?.parse().ok()?,
        signature: header("webhook-signature")?,
    };
    Some((signed, request.get(at + length..)?))
}

fn patterns(texts: &[String]) -> Outcome<EventPatterns> {
    let every = ["*".to_owned()];
    let texts = if texts.is_empty() { &every[..] } else { texts };
    EventPatterns::parse(texts).map_err(|error| {
        Failure::new(Exit::Usage, "--type is not a valid type of event")
            .because(error)
            .with_try("tradepost webhooks types")
    })
}

fn read_secret(secret: &str) -> Outcome<WebhookSecret> {
    WebhookSecret::parse(&SecretString::from(secret))
        .map_err(|error| Failure::new(Exit::Usage, "--secret is not a valid secret of a webhook").because(error))
}

fn new_secret() -> Outcome<String> {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes)
        .map_err(|_| Failure::new(Exit::Failed, "the operating system gives no randomness"))?;
    Ok(format!("whsec_{}", STANDARD.encode(bytes)))
}

fn seconds_now() -> i64 {
    tradepost::SystemClock.now().as_micros().div_euclid(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_request_is_its_headers_and_its_body() {
        for end in ["\r\n", "\n"] {
            let head =
                ["POST /hook HTTP/1.1", "Webhook-Id: msg_1", "webhook-timestamp: 12", "webhook-signature: v1,a b"];
            let request = format!("{}{end}{end}{{\"a\":\n\n1}}", head.join(end));
            let (signed, body) = parse(request.as_bytes()).unwrap();
            assert_eq!((signed.id.as_str(), signed.timestamp, signed.signature.as_str()), ("msg_1", 12, "v1,a b"));
            assert_eq!(body, b"{\"a\":\n\n1}");
        }
        for text in ["", "{}", "webhook-id: msg_1\n\n{}"] {
            assert!(parse(text.as_bytes()).is_none(), "{text}");
        }
    }
}
