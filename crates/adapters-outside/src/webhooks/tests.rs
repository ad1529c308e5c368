//! Messages as a receiver gets them.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tradepost_domain::id::{PurchaseId, TransitionId, UserId, WorkspaceId};
use tradepost_domain::text::Text;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Actor, Subject, Transition};
use tradepost_ports::webhooks::{WebhookEvent, WebhookMessage, WebhookSender as _};

use super::*;

fn transition() -> Transition {
    let at = Timestamp::from_micros(1_795_337_411_123_456).unwrap();
    Transition {
        id: TransitionId::from_bytes([1; 16]),
        workspace_id: WorkspaceId::from_bytes([2; 16]),
        subject: Subject::Purchase(PurchaseId::from_bytes([3; 16])),
        from: Some("OFFERED"),
        to: "TRADED",
        version: 7,
        trigger: "traded",
        actor: Actor::User(UserId::from_bytes([4; 16])),
        reason: None,
        evidence: Text::new("4117").ok(),
        at,
        logged_at: at,
    }
}

fn body_of_transition() -> Value {
    json!({
        "type": "purchase.traded",
        "timestamp": "2026-11-22T08:50:11.123Z",
        "data": {
            "workspaceId": "AgICAgICAgICAgICAgICAg==",
            "transitionId": "AQEBAQEBAQEBAQEBAQEBAQ==",
            "subjectType": "TRANSITION_SUBJECT_TYPE_PURCHASE",
            "subjectId": "AwMDAwMDAwMDAwMDAwMDAw==",
            "fromStatus": "OFFERED",
            "toStatus": "TRADED",
            "version": "7",
            "trigger": "traded",
            "actor": { "kind": "TRANSITION_ACTOR_KIND_USER", "id": "BAQEBAQEBAQEBAQEBAQEBA==" },
            "reason": "",
            "evidence": "4117",
        },
    })
}

fn parsed(envelope: &Envelope) -> Value {
    serde_json::from_slice(&envelope.to_bytes()).unwrap()
}

#[test]
fn a_body_has_the_type_the_time_and_the_change_of_status() {
    assert_eq!(parsed(&Envelope::of(&WebhookEvent::Transition(transition()))), body_of_transition());
}

#[test]
fn the_longest_body_is_below_its_limit() {
    let longest = Transition {
        reason: Text::new(&"\u{1f600}".repeat(512)).ok(),
        evidence: Text::new(&"\"".repeat(128)).ok(),
        ..transition()
    };
    assert!(Envelope::of(&WebhookEvent::Transition(longest)).to_bytes().len() < MOST_BYTES);
}

#[test]
fn a_change_that_a_client_has_read_makes_the_same_body() {
    let mut read = body_of_transition()["data"].as_object().unwrap().clone();
    let id = read.remove("transitionId").unwrap();
    read.remove("workspaceId");
    read.insert("id".to_owned(), id);
    read.insert("createdAt".to_owned(), "2026-11-22T08:50:11.123456Z".into());
    let envelope = Envelope::of_read(WorkspaceId::from_bytes([2; 16]), &read).unwrap();
    assert_eq!((parsed(&envelope), envelope.event_type()), (body_of_transition(), "purchase.traded"));
    read.remove("toStatus");
    assert_eq!(Envelope::of_read(WorkspaceId::from_bytes([2; 16]), &read), None);
}

/// The headers and the body of a request.
type Received = (HeaderMap, Vec<u8>);

#[tokio::test]
async fn a_receiver_verifies_what_is_sent() {
    let got: Arc<Mutex<Vec<Received>>> = Arc::default();
    let keep = Arc::clone(&got);
    let hook = post(move |headers: HeaderMap, body: axum::body::Bytes| async move {
        keep.lock().unwrap().push((headers, body.to_vec()));
        StatusCode::NO_CONTENT
    });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().route("/hook", hook)).await });
    let reach = Reach::public_and(vec!["127.0.0.1/32".parse().unwrap()]);
    let settings = WebhookSettings { reach, allow_http: true, ..WebhookSettings::default() };
    let (webhooks, url) = (Webhooks::new(settings).unwrap(), format!("http://127.0.0.1:{port}/hook"));
    let secret = SecretString::from("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    let message = WebhookMessage {
        url: url.clone(),
        id: "msg_1".to_owned(),
        sent_at: Timestamp::from_micros(1_614_265_330_900_000).unwrap(),
        event: WebhookEvent::Transition(transition()),
        secrets: vec![secret.clone()],
    };
    assert_eq!(webhooks.check_url(&url), Ok(()));
    assert_eq!(webhooks.send(message).await.unwrap().status, 204);
    let (headers, body) = got.lock().unwrap().pop().unwrap();
    let text = |name: &str| headers[name].to_str().unwrap().to_owned();
    let timestamp = text("webhook-timestamp").parse().unwrap();
    let signed = Signature { id: text("webhook-id"), timestamp, signature: text("webhook-signature") };
    let secret = WebhookSecret::parse(&secret).unwrap();
    assert_eq!(
        (signed.id.as_str(), timestamp, text("content-type").as_str()),
        ("msg_1", 1_614_265_330, "application/json")
    );
    assert_eq!(signed.verify(&body, &secret, 1_614_265_330), Ok(()));
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), body_of_transition());
    let guarded = Webhooks::new(WebhookSettings::default()).unwrap();
    assert!(guarded.check_url(&url).is_err());
}
