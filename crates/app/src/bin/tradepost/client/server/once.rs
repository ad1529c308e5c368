//! Calls that are carried out once, and wait for a short while where the server limits their rate.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::RETRY_AFTER;
use serde_json::Value;

use super::{Server, header};
use crate::failure::Outcome;

/// The longest time that a command waits for a rate limit. A quota of a day would keep it for hours.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

impl Server {
    /// The answer to a request under an idempotency key, and whether it is that of an earlier call.
    pub(crate) async fn ask_once(&self, operation: &str, request: &Value, key: &str) -> Outcome<(Value, bool)> {
        let request = request.to_string();
        self.with_step_up(operation, || self.with_risks(&request, || self.post_once(operation, &request, key))).await
    }

    async fn post_once(&self, operation: &str, request: &str, key: &str) -> Outcome<(Value, bool)> {
        loop {
            let call = self.call(operation, request.to_owned()).header("idempotency-key", key);
            let answer = call.send().await.map_err(|error| self.unreachable(&error))?;
            let (status, reason) = (answer.status(), header(&answer, "x-error-reason"));
            let is_replayed = header(&answer, "idempotency-replayed").is_some();
            let limit = limit_of(status, header(&answer, RETRY_AFTER.as_str()).as_deref());
            let body = answer.text().await.map_err(|error| self.unreachable(&error))?;
            match limit {
                Some(wait) if wait <= LONGEST_WAIT => {
                    anstream::eprintln!("rate limited; continuing in {} s", wait.as_secs());
                    tokio::time::sleep(wait).await;
                }
                Some(wait) => {
                    let rejected = self.rejected(operation, status, &body, reason);
                    return Err(rejected.with_try(format!("the limit ends in {} s", wait.as_secs())));
                }
                None if status.is_success() => return Ok((self.read(operation, &body)?, is_replayed)),
                None => return Err(self.rejected(operation, status, &body, reason)),
            }
        }
    }
}

/// How long a call has to wait for a rate limit; `None` if none has rejected it.
fn limit_of(status: StatusCode, retry_after: Option<&str>) -> Option<Duration> {
    let seconds: u64 = retry_after.filter(|_| status == StatusCode::TOO_MANY_REQUESTS)?.parse().ok()?;
    Some(Duration::from_secs(seconds.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_rate_limit_that_says_when_it_ends_is_waited_for() {
        assert_eq!(limit_of(StatusCode::TOO_MANY_REQUESTS, Some("3")), Some(Duration::from_secs(3)));
        assert_eq!(limit_of(StatusCode::TOO_MANY_REQUESTS, Some("0")), Some(Duration::from_secs(1)));
        assert_eq!(limit_of(StatusCode::TOO_MANY_REQUESTS, None), None);
        assert_eq!(limit_of(StatusCode::CONFLICT, Some("3")), None);
    }
}
