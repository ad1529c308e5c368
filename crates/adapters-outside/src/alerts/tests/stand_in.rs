//! A server on loopback in place of Telegram, Discord, a receiver of webhooks, and a service of heartbeats.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::super::text::units;

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// A message within the limits of the service is accepted.
    Well,
    /// It limits the rate of calls.
    Limited,
    /// It no longer knows the token.
    Revoked,
    /// It answers a redirect to itself.
    Moved,
    /// It accepts with an answer that does not end soon.
    Talkative,
    /// It never answers.
    Silent,
}

/// A request that arrived.
#[derive(Debug, Clone)]
pub(super) struct Received {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

/// The server. It ends with the test.
#[derive(Debug, Clone)]
pub(super) struct StandIn {
    pub(super) url: String,
    mood: Mood,
    received: Arc<Mutex<Vec<Received>>>,
}

impl StandIn {
    pub(super) async fn start(mood: Mood) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let stand_in = Self { url, mood, received: Arc::default() };
        let routes = axum::Router::new().fallback(answer).with_state(stand_in.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        stand_in
    }

    /// The requests since the last time.
    pub(super) fn take(&self) -> Vec<Received> {
        std::mem::take(&mut *self.received.lock().unwrap())
    }
}

async fn answer(
    State(stand_in): State<StandIn>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: String,
) -> Response {
    let path = uri.path_and_query().unwrap().to_string();
    let mood = stand_in.mood;
    let answered = match (mood, uri.path().split('/').nth(1).unwrap_or_default()) {
        (Mood::Silent, _) => None,
        (Mood::Moved, _) => Some((StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, path.clone())]).into_response()),
        (Mood::Talkative, _) => Some(Body::from(vec![b'x'; 10 * 1024 * 1024]).into_response()),
        (Mood::Well | Mood::Limited | Mood::Revoked, "api") => Some(discord(mood, &body)),
        (Mood::Well | Mood::Limited | Mood::Revoked, service) if service.starts_with("bot") => {
            Some(telegram(mood, &body))
        }
        (Mood::Well, _) => Some("OK".into_response()),
        (Mood::Limited, _) => Some((StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "41")]).into_response()),
        (Mood::Revoked, _) => Some(StatusCode::GONE.into_response()),
    };
    stand_in.received.lock().unwrap().push(Received { method, path, headers, body });
    match answered {
        Some(answered) => answered,
        None => std::future::pending().await,
    }
}

fn telegram(mood: Mood, body: &str) -> Response {
    let sent: Value = serde_json::from_str(body).unwrap_or_default();
    let length = sent["text"].as_str().map_or(0, units);
    let failed = |code: u16, description: &str, parameters: Value| {
        let failed = json!({ "ok": false, "error_code": code, "description": description, "parameters": parameters });
        json(code, &failed)
    };
    if mood == Mood::Revoked {
        return failed(401, "Unauthorized", json!({}));
    }
    if mood == Mood::Limited {
        return failed(429, "Too Many Requests: retry after 41", json!({ "retry_after": 41 }));
    }
    if !(1..=4_096).contains(&length) {
        return failed(400, "Bad Request: message is too long", json!({}));
    }
    json(200, &json!({ "ok": true, "result": { "message_id": 7, "text": sent["text"] } }))
}

fn discord(mood: Mood, body: &str) -> Response {
    let sent: Value = serde_json::from_str(body).unwrap_or_default();
    let embed = &sent["embeds"][0];
    let within = |field: &str, most: usize| embed[field].as_str().map_or(0, units) <= most;
    if mood == Mood::Revoked {
        return json(404, &json!({ "message": "Unknown Webhook", "code": 10_015 }));
    }
    if mood == Mood::Limited {
        let limited = json!({ "message": "You are being rate limited.", "retry_after": 41.0, "global": false });
        return json(429, &limited);
    }
    if !embed.is_object() || !within("title", 256) || !within("description", 4_096) {
        return json(400, &json!({ "message": "Invalid Form Body", "code": 50_035 }));
    }
    json(200, &json!({ "id": "1", "embeds": sent["embeds"] }))
}

fn json(status: u16, body: &Value) -> Response {
    (StatusCode::from_u16(status).unwrap(), body.to_string()).into_response()
}
