//! The control side, on a port of its own and with a token: faults, the clock, the ledger, and whether the money and items of the world
//! add up. A driver is never given its address.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use time::Duration;

use crate::fault::FaultRule;
use crate::ledger::LedgerEntry;
use crate::state::Fakes;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Advance {
    advance_seconds: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Balance {
    adds_up: bool,
    problem: Option<String>,
}

/// The routes of the control side.
pub(crate) fn routes(fakes: Fakes, token: &str) -> Router {
    Router::new()
        .route("/faults", post(arm))
        .route("/clock", post(advance))
        .route("/ledger", get(ledger))
        .route("/check", get(check))
        .route_layer(middleware::from_fn_with_state(format!("Bearer {token}"), admit))
        .with_state(fakes)
}

async fn admit(State(wanted): State<String>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if given == Some(wanted.as_str()) { next.run(request).await } else { StatusCode::UNAUTHORIZED.into_response() }
}

async fn arm(State(fakes): State<Fakes>, Json(rules): Json<Vec<FaultRule>>) -> StatusCode {
    fakes.arm(rules);
    StatusCode::NO_CONTENT
}

async fn advance(State(fakes): State<Fakes>, Json(by): Json<Advance>) -> StatusCode {
    fakes.advance(Duration::seconds(i64::from(by.advance_seconds)));
    StatusCode::NO_CONTENT
}

async fn ledger(State(fakes): State<Fakes>) -> Json<Vec<LedgerEntry>> {
    Json(fakes.ledger())
}

async fn check(State(fakes): State<Fakes>) -> Json<Balance> {
    let problem = fakes.simulator().world(|world| world.check_books()).err().map(|problem| format!("{problem:?}"));
    Json(Balance { adds_up: problem.is_none(), problem })
}
