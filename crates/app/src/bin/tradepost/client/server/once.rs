//! Calls that are carried out once, and wait while the server limits their rate.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use serde_json::Value;

use super::{Server, header, rejection};
use crate::failure::{Exit, Failure, Outcome};

impl Server {
    /// The answer to a request under an idempotency key, and whether it is that of an earlier call.
    pub(crate) async fn ask_once(&self, operation: &str, request: &Value, key: &str) -> Outcome<(Value, bool)> {
        match self.post_once(operation, request, key).await {
            Err(failure) if failure.has_reason("STEP_UP_REQUIRED") => {
                self.step_up(operation).await?;
                self.post_once(operation, request, key).await
            }
            sent => sent,
        }
    }

    async fn post_once(&self, operation: &str, request: &Value, key: &str) -> Outcome<(Value, bool)> {
        let body = request.to_string();
        loop {
            let call = self.client.post(self.address(operation)).header(CONTENT_TYPE, "application/json");
            let call = call.header("idempotency-key", key).body(body.clone());
            let call = match &self.key {
                Some(key) => call.header(AUTHORIZATION, format!("Bearer {key}")),
                None => call,
            };
            let answer = call.send().await.map_err(|error| self.unreachable(&error))?;
            let (status, reason) = (answer.status(), header(&answer, "x-error-reason"));
            let is_replayed = header(&answer, "idempotency-replayed").is_some();
            let wait = header(&answer, RETRY_AFTER.as_str()).and_then(|seconds| seconds.parse().ok());
            if let (StatusCode::TOO_MANY_REQUESTS, Some(seconds)) = (status, wait) {
                anstream::eprintln!("rate limited; continuing in {seconds} s");
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                continue;
            }
            let body = answer.text().await.map_err(|error| self.unreachable(&error))?;
            if !status.is_success() {
                return Err(rejection(operation, status, &body, reason));
            }
            let read = serde_json::from_str(&body);
            return read.map(|answer| (answer, is_replayed)).map_err(|error| {
                Failure::new(Exit::Failed, format!("{} gave no JSON", self.address(operation))).because(error)
            });
        }
    }
}
