//! Alerts against services on loopback.

mod stand_in;

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use tradepost_domain::time::Timestamp;
use tradepost_ports::alerts::AlertSeverity;

use super::*;
use crate::client::ClientLimits;
use crate::reach::Reach;
use crate::webhooks::{Signature, WebhookSecret};
use stand_in::{Mood, StandIn};

const TOKEN: &str = "123456789:AAabcdefghijklmnopqrstuvwxyz_-01234";
const SIGNING: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const KINDS: [AlertKind; 4] = [AlertKind::Telegram, AlertKind::Discord, AlertKind::Webhook, AlertKind::Heartbeat];

pub(super) fn text() -> AlertText {
    AlertText {
        id: "msg_1".to_owned(),
        topic: "PROBLEM",
        severity: AlertSeverity::Critical,
        workspace: "Main desk".to_owned(),
        title: "Purchase of \u{2605} Karambit | Doppler is uncertain".to_owned(),
        lines: vec!["market: simulated".to_owned(), "paid: 412.00 USD by \u{202e}ops@example.com".to_owned()],
        link: Some("https://trade.example.com/remediations/1".to_owned()),
        sent_at: Timestamp::from_micros(1_795_337_411_123_456).unwrap(),
    }
}

/// Alerts to a service on loopback, and a target of each kind there.
struct Desk {
    service: StandIn,
    alerts: Alerts,
    targets: [AlertTarget; 4],
}

impl Desk {
    async fn new(mood: Mood) -> Self {
        let service = StandIn::start(mood).await;
        let whole = if mood == Mood::Silent { Duration::from_millis(100) } else { ClientLimits::default().whole };
        let calls = WebhookSettings {
            reach: Reach::public_and(vec!["127.0.0.1/32".parse().unwrap()]),
            allow_http: true,
            limits: ClientLimits { whole, ..ClientLimits::default() },
        };
        let services = AlertServices { telegram: service.url.clone(), discord: service.url.clone() };
        let alerts = Alerts::with_services(AlertSettings { kinds: KINDS.to_vec(), calls }, services).unwrap();
        let discord = format!("https://discordapp.com/api/webhooks/123456789012345678/{}", "secret".repeat(11));
        let targets = [
            AlertTarget::Telegram { token: TOKEN.into(), chat_id: "-1001234567890".to_owned() },
            AlertTarget::Discord { url: discord.into() },
            AlertTarget::Webhook { url: format!("{}/secret-hook", service.url), secrets: vec![SIGNING.into()] },
            AlertTarget::Heartbeat { url: format!("{}/secret-beat", service.url).into() },
        ];
        Self { service, alerts, targets }
    }

    async fn send(&self) -> [Result<(), AlertError>; 4] {
        let send = |number: usize| {
            let alerts = &self.alerts;
            let target = &self.targets[number];
            async move { alerts.send(target, &text()).await }
        };
        let (telegram, discord, webhook, heartbeat) = tokio::join!(send(0), send(1), send(2), send(3));
        [telegram, discord, webhook, heartbeat]
    }
}

#[tokio::test]
async fn every_channel_accepts_an_alert_in_its_own_format() {
    let desk = Desk::new(Mood::Well).await;
    for target in &desk.targets {
        assert_eq!(desk.alerts.check(target), Ok(()), "{:?}", target.kind());
        assert_eq!(desk.alerts.send(target, &text()).await, Ok(()), "{:?}", target.kind());
    }
    let received = desk.service.take();
    let calls: Vec<String> = received.iter().map(|call| format!("{} {}", call.method, call.path)).collect();
    let token = "secret".repeat(11);
    let expected = [
        format!("POST /bot{TOKEN}/sendMessage"),
        format!("POST /api/webhooks/123456789012345678/{token}?wait=true"),
        "POST /secret-hook".to_owned(),
        "GET /secret-beat".to_owned(),
    ];
    assert_eq!(calls, expected);
    let [telegram, discord, webhook, heartbeat] = received.try_into().unwrap();
    let parsed = |body: &str| serde_json::from_str::<Value>(body).unwrap();
    assert_eq!(parsed(&telegram.body)["chat_id"], "-1001234567890");
    assert_eq!(parsed(&discord.body)["allowed_mentions"], json!({ "parse": [] }));
    assert_eq!(
        parsed(&webhook.body),
        json!({
            "type": "alert",
            "timestamp": "2026-11-22T08:50:11.123Z",
            "data": {
                "topic": "PROBLEM",
                "severity": "CRITICAL",
                "workspace": "Main desk",
                "title": "Purchase of \u{2605} Karambit | Doppler is uncertain",
                "lines": ["market: simulated", "paid: 412.00 USD by ops@example.com"],
                "link": "https://trade.example.com/remediations/1",
            },
        })
    );
    assert!(
        telegram.headers["content-type"] == "application/json" && discord.headers["content-type"] == "application/json"
    );
    assert_eq!(heartbeat.body, "");
}

#[tokio::test]
async fn a_receiver_verifies_an_alert_as_it_verifies_an_event() {
    let desk = Desk::new(Mood::Well).await;
    desk.alerts.send(&desk.targets[2], &text()).await.unwrap();
    let call = desk.service.take().pop().unwrap();
    let header = |name: &str| call.headers[name].to_str().unwrap().to_owned();
    let timestamp = header("webhook-timestamp").parse().unwrap();
    let signature = Signature { id: header("webhook-id"), timestamp, signature: header("webhook-signature") };
    assert_eq!((signature.id.as_str(), timestamp), ("msg_1", 1_795_337_411));
    let secret = WebhookSecret::parse(&SIGNING.into()).unwrap();
    assert_eq!(signature.verify(call.body.as_bytes(), &secret, timestamp), Ok(()));
}

#[tokio::test]
async fn a_channel_that_limits_the_rate_is_tried_again_after_its_pause() {
    for sent in Desk::new(Mood::Limited).await.send().await {
        let error = sent.unwrap_err();
        assert_eq!((error.is_final, error.retry_after), (false, Some(Duration::from_secs(41))), "{error}");
    }
}

#[tokio::test]
async fn a_channel_that_was_revoked_is_final() {
    for sent in Desk::new(Mood::Revoked).await.send().await {
        assert!(sent.as_ref().unwrap_err().is_final, "{sent:?}");
    }
}

#[tokio::test]
async fn a_channel_that_redirects_is_not_followed() {
    let desk = Desk::new(Mood::Moved).await;
    for sent in desk.send().await {
        let error = sent.unwrap_err();
        assert!(!error.is_final && error.reason.ends_with("answered 307, and no redirect is followed"), "{error}");
    }
    assert_eq!(desk.service.take().len(), 4);
}

#[tokio::test]
async fn a_channel_that_is_silent_is_tried_again() {
    let desk = Desk::new(Mood::Silent).await;
    for sent in desk.send().await {
        let error = sent.unwrap_err();
        assert!(!error.is_final && error.reason.contains("no complete answer"), "{error}");
    }
}

#[tokio::test]
async fn an_answer_of_any_length_is_accepted_by_its_status() {
    assert_eq!(Desk::new(Mood::Talkative).await.send().await, [Ok(()), Ok(()), Ok(()), Ok(())]);
}

#[tokio::test]
async fn no_error_has_an_address_or_a_token() {
    for mood in [Mood::Limited, Mood::Revoked, Mood::Moved, Mood::Silent] {
        let desk = Desk::new(mood).await;
        for error in desk.send().await.map(Result::unwrap_err) {
            let shown = format!("{error} {error:?}");
            let hidden = ["secret", TOKEN, "127.0.0.1", "1001234567890", "whsec", "http:", "https:"];
            assert!(!hidden.iter().any(|part| shown.contains(part)), "{shown}");
        }
    }
}

#[tokio::test]
async fn a_kind_that_the_operator_does_not_allow_is_never_called() {
    let desk = Desk::new(Mood::Well).await;
    let alerts = Alerts { kinds: Vec::new(), ..desk.alerts };
    for (target, kind) in desk.targets.iter().zip(KINDS) {
        assert!(!alerts.is_set_up(kind));
        assert!(!alerts.send(target, &text()).await.unwrap_err().is_final);
    }
    assert!(alerts.beat(&format!("{}/secret-beat", desk.service.url).into()).await.is_err());
    assert!(desk.service.take().is_empty());
}

#[tokio::test]
async fn a_heartbeat_is_called_without_a_body() {
    let desk = Desk::new(Mood::Well).await;
    let url = |path: &str| SecretString::from(format!("{}/{path}", desk.service.url));
    assert_eq!(desk.alerts.beat(&url("beat?status=up")).await, Ok(()));
    let call = desk.service.take().pop().unwrap();
    assert_eq!((call.method, call.path.as_str(), call.body.as_str()), (Method::GET, "/beat?status=up", ""));
}

#[test]
fn an_address_of_the_own_network_is_accepted_only_if_the_operator_allows_it() {
    let alerts = Alerts::new(AlertSettings { kinds: KINDS.to_vec(), ..AlertSettings::default() }).unwrap();
    for url in ["http://example.com/beat", "https://10.0.0.1/beat", "https://example.com:22/", "beat"] {
        let webhook = AlertTarget::Webhook { url: url.to_owned(), secrets: Vec::new() };
        for target in [webhook, AlertTarget::Heartbeat { url: url.into() }] {
            assert!(alerts.check(&target).unwrap_err().0.starts_with("must "), "{url}");
        }
    }
}
