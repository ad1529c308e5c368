//! The control side, on a port of its own and with a token: faults, the clock, the ledger, commands of the world's owner, and whether the
//! money and items of the world add up. A driver is never given its address.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use time::Duration;
use tradepost_adapters_simulator::{Answer, Request, WorldCommand};

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
        .route("/world", post(command))
        .route_layer(middleware::from_fn_with_state(format!("Bearer {token}"), admit))
        .with_state(fakes)
}

async fn admit(State(wanted): State<String>, request: axum::extract::Request, next: Next) -> Response {
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

/// Does to the world what only its owner can, such as opening an account.
async fn command(State(fakes): State<Fakes>, Json(command): Json<WorldCommand>) -> Json<Answer> {
    Json(fakes.simulator().world(|world| world.answer(&Request::World(command))))
}

async fn ledger(State(fakes): State<Fakes>) -> Json<Vec<LedgerEntry>> {
    Json(fakes.ledger())
}

async fn check(State(fakes): State<Fakes>) -> Json<Balance> {
    let problem = fakes.simulator().world(|world| world.check_books()).err().map(|problem| format!("{problem:?}"));
    Json(Balance { adds_up: problem.is_none(), problem })
}
