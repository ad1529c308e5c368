//! An answer of the facade, and what a fault makes of it.

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures::StreamExt as _;
use serde_json::{Value, json};

use crate::cutting::Cutter;
use crate::facts::Facts;
use crate::fault::Fault;

const PAGE: &str = "<!DOCTYPE html><html><body>We will be right back.</body></html>";

/// An answer, and the card that it is held to.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) card: Option<&'static str>,
    body: Value,
    retry_after: Option<i64>,
}

impl Answer {
    pub(super) fn error(status: u16, id: &str) -> Self {
        let card = if status == 429 { "skinport.limited" } else { "skinport.error" };
        let body = json!({ "errors": [{ "id": id, "message": "the request was not done" }] });
        Self { status, card: Some(card), body, retry_after: None }
    }

    pub(super) fn retried_after(self, seconds: i64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// The list, with what a fault makes of its content.
    pub(super) fn list(mut list: Value, fault: Option<&Fault>) -> Self {
        let mut status = 200;
        let mut card = Some("skinport.items.list");
        match fault {
            Some(Fault::F18) => {
                each(&mut list, |entry| {
                    entry["state"] = json!(97);
                    entry["quantity"] = json!("7");
                    entry["seller"] = json!({ "id": "76561198000000000", "level": null });
                });
                card = None;
            }
            Some(Fault::Drift) => {
                each(&mut list, |entry| entry["min_price"] = json!("11.50"));
                card = None;
            }
            Some(Fault::F11 { message }) => {
                list = json!({ "success": false, "error": message });
                card = None;
            }
            Some(Fault::F01 { .. } | Fault::F02) => {
                status = 429;
                card = None;
            }
            Some(_) => card = None,
            None => {}
        }
        Self { status, card, body: list, retry_after: None }
    }

    /// A sample of a card; an empty answer where there is none.
    pub(super) fn sample(facts: &Facts, card: &str, number: usize) -> Self {
        let found = facts.card(card).ok();
        let sample = found.and_then(|card| card.samples.get(number));
        let body = sample.and_then(|sample| serde_json::from_str(sample).ok()).unwrap_or(Value::Null);
        let id = match card {
            "skinport.items.list" => Some("skinport.items.list"),
            "skinport.limited" => Some("skinport.limited"),
            "skinport.error" => Some("skinport.error"),
            _ => None,
        };
        Self { status: found.map_or(404, |card| card.status), card: id, body, retry_after: None }
    }

    #[cfg(test)]
    pub(super) const fn body(&self) -> &Value {
        &self.body
    }

    /// Sends it, packed with brotli, or as the fault has it.
    pub(super) fn respond(self, fault: Option<&Fault>, cutter: &Cutter) -> Response {
        let text = self.body.to_string();
        match fault {
            Some(Fault::F01 { retry_after_seconds }) => {
                let seconds = i64::try_from(*retry_after_seconds).unwrap_or(i64::MAX);
                Self::error(429, "rate_limit_exceeded").retried_after(seconds).packed()
            }
            Some(Fault::F02) => Self::error(429, "rate_limit_exceeded").packed(),
            Some(Fault::F06) => with(200, "text/html", None, Body::from(PAGE)),
            Some(Fault::F07 { bytes }) => {
                cutter.cut_after(*bytes);
                self.packed()
            }
            Some(Fault::F08Stall) => {
                let begun =
                    futures::stream::once(async { Ok::<_, std::convert::Infallible>(Bytes::from_static(b"[")) });
                let body = Body::from_stream(begun.chain(futures::stream::pending()));
                with(200, "application/json", None, body)
            }
            Some(Fault::F08Huge { mib }) => {
                let huge = vec![b' '; mib.saturating_mul(1024 * 1024)];
                with(200, "application/json", Some("br"), Body::from(brotli(&huge)))
            }
            Some(Fault::F08Truncated) => {
                let half: String = text.chars().take(text.chars().count() / 2).collect();
                with(200, "application/json", Some("br"), Body::from(brotli(half.as_bytes())))
            }
            Some(Fault::F08WrongGzip) => with(200, "application/json", Some("gzip"), Body::from(text)),
            Some(Fault::F11 { .. } | Fault::F18 | Fault::Drift | Fault::Sample { .. }) | None => self.packed(),
        }
    }

    fn packed(self) -> Response {
        let body = Body::from(brotli(self.body.to_string().as_bytes()));
        let mut response = with(self.status, "application/json", Some("br"), body);
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

fn each(list: &mut Value, change: impl Fn(&mut Value)) {
    list.as_array_mut().into_iter().flatten().for_each(change);
}

fn with(status: u16, kind: &'static str, encoding: Option<&'static str>, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Packs bytes quickly: the content matters here, and not the size.
fn brotli(bytes: &[u8]) -> Vec<u8> {
    let settings = brotli::enc::BrotliEncoderParams { quality: 1, ..Default::default() };
    let mut packed = Vec::new();
    // A vector takes all that is written to it.
    let _written = brotli::BrotliCompress(&mut &*bytes, &mut packed, &settings);
    packed
}
