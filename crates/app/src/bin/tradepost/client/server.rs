//! A running server, reached as any HTTP client would: operations in, JSON out, refusals as failures.

mod once;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};

use crate::cli::client::Connection;
use crate::failure::{Exit, Failure, Outcome, chain};

/// The operation by which a key finds the workspace that it is bound to.
const LIST_KEYS: &str = "accounts.v1.Accounts/ListAPIKeys";

/// Where the server is, and the key with which it is called.
pub(crate) struct Server {
    client: Client,
    url: String,
    key: Option<String>,
}

impl Server {
    pub(crate) fn of(connection: &Connection) -> Self {
        let url = connection.url.trim_end_matches('/').to_owned();
        Self { client: Client::new(), url, key: connection.key.clone() }
    }

    /// The address of an operation.
    pub(crate) fn address(&self, operation: &str) -> String {
        format!("{}/{operation}", self.url)
    }

    /// The answer to a request, as it came.
    pub(crate) async fn send(&self, operation: &str, request: String) -> Outcome<String> {
        let call = self.client.post(self.address(operation)).header(CONTENT_TYPE, "application/json").body(request);
        let call = match &self.key {
            Some(key) => call.header(AUTHORIZATION, format!("Bearer {key}")),
            None => call,
        };
        let answer = call.send().await.map_err(|error| self.unreachable(&error))?;
        let status = answer.status();
        let reason = header(&answer, "x-error-reason");
        let body = answer.text().await.map_err(|error| self.unreachable(&error))?;
        if status.is_success() { Ok(body) } else { Err(refusal(status, &body, reason.as_deref())) }
    }

    /// The answer to a request.
    pub(crate) async fn ask(&self, operation: &str, request: &Value) -> Outcome<Value> {
        let body = self.send(operation, request.to_string()).await?;
        serde_json::from_str(&body).map_err(|error| {
            Failure::new(Exit::Failed, format!("{} gave no JSON", self.address(operation)))
                .because(error)
                .with_try("check that --url or TRADEPOST_URL names a tradepost")
        })
    }

    /// The workspace that is named, or the one that the key is bound to.
    pub(crate) async fn workspace(&self, named: Option<&str>) -> Outcome<String> {
        if let Some(named) = named {
            return Ok(named.to_owned());
        }
        let advice = "name the workspace with --workspace or TRADEPOST_WORKSPACE";
        // A key may look at the keys of its workspace only, so that the first key names the workspace.
        let listed = self.ask(LIST_KEYS, &json!({})).await;
        // A key that opens nothing has its own advice.
        let lacks_right = |failure: &Failure| failure.is(Exit::Denied) && failure.first_try().is_none();
        let keys = listed.map_err(|failure| if lacks_right(&failure) { failure.with_try(advice) } else { failure })?;
        let workspace = keys.pointer("/apiKeys/0/workspaceId").and_then(Value::as_str);
        workspace
            .map(str::to_owned)
            .ok_or_else(|| Failure::new(Exit::Failed, "the workspace of the key is not known").with_try(advice))
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        Failure::new(Exit::Unavailable, format!("cannot reach {}", self.url))
            .because(chain(error))
            .with_try("start the server with: tradepost")
            .with_try("or name another one with --url or TRADEPOST_URL")
    }
}

fn refusal(status: StatusCode, body: &str, reason: Option<&str>) -> Failure {
    let error: Value = serde_json::from_str(body).unwrap_or_default();
    let text = |field: &str| error.get(field).and_then(Value::as_str).unwrap_or("no message").to_owned();
    let exit = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Exit::Denied,
        StatusCode::INTERNAL_SERVER_ERROR
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => Exit::Unavailable,
        _ => Exit::Failed,
    };
    let failure = Failure::new(exit, format!("{}: {}", text("code"), text("message")));
    let failure = match (status, reason) {
        (StatusCode::UNAUTHORIZED, _) => {
            failure.with_try("give the key with TRADEPOST_API_KEY or --key; make one with: tradepost key create")
        }
        (_, Some("UNIMPLEMENTED")) => failure.with_try("use the program of the server's version"),
        (_, Some("WATCH_EXPIRED")) => failure
            .with_try("begin with the changes of the last 31 days: tradepost transitions tail --all")
            .with_try("or with the next one: tradepost transitions tail"),
        _ => failure,
    };
    match reason {
        Some(reason) => failure.because(format!("{reason} (HTTP {})", status.as_u16())),
        None => failure.because(format!("HTTP {}", status.as_u16())),
    }
}

fn header(answer: &Response, name: &str) -> Option<String> {
    answer.headers().get(name)?.to_str().ok().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watcher_that_is_too_far_behind_learns_where_to_begin() {
        let body = json!({ "code": "failed_precondition", "message": "more than 31 days behind" }).to_string();
        assert_eq!(
            refusal(StatusCode::BAD_REQUEST, &body, Some("WATCH_EXPIRED")).to_string(),
            "error: failed_precondition: more than 31 days behind\n  why: WATCH_EXPIRED (HTTP 400)\n  \
             try: begin with the changes of the last 31 days: tradepost transitions tail --all\n  \
             try: or with the next one: tradepost transitions tail"
        );
    }
}
