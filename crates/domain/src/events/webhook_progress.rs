//! How far an endpoint has followed the log, and how well its deliveries go.

use ::time::Duration;

use crate::id::{TransitionId, WebhookEndpointId, WorkspaceId};
use crate::time::Timestamp;

/// An endpoint of which every try fails is disabled after this time,
const FAILING_FOR: Duration = Duration::days(5);
/// and after as many tries.
const FAILED_TRIES: u32 = 20;

/// The place of an endpoint in the log, and its health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookProgress {
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The last change that it has followed; `None` before the first change of the workspace.
    pub after: Option<TransitionId>,
    /// The tries that failed since the last success.
    pub consecutive_failures: u32,
    /// When the first of them failed.
    pub failing_since: Option<Timestamp>,
    /// When a receiver last accepted a delivery.
    pub last_success_at: Option<Timestamp>,
    /// When a try last failed.
    pub last_failure_at: Option<Timestamp>,
}

impl WebhookProgress {
    /// An endpoint that begins behind a change.
    pub const fn new(endpoint_id: WebhookEndpointId, workspace_id: WorkspaceId, after: Option<TransitionId>) -> Self {
        Self {
            endpoint_id,
            workspace_id,
            after,
            consecutive_failures: 0,
            failing_since: None,
            last_success_at: None,
            last_failure_at: None,
        }
    }

    /// The same once it has followed the log up to a change.
    #[must_use]
    pub const fn moved_to(self, after: TransitionId) -> Self {
        Self { after: Some(after), ..self }
    }

    /// The same once a person has enabled the endpoint: what failed before does not count.
    #[must_use]
    pub const fn resumed(self) -> Self {
        Self { consecutive_failures: 0, failing_since: None, ..self }
    }

    /// The same after a success.
    #[must_use]
    pub fn succeeded(self, at: Timestamp) -> Self {
        Self { last_success_at: Some(at), ..self.resumed() }
    }

    /// Returns whether a success is recorded: after a failure, and once a minute otherwise.
    pub fn is_news(&self, at: Timestamp) -> bool {
        let is_recent = |last| at.since(last) < Duration::MINUTE;
        self.consecutive_failures > 0 || !self.last_success_at.is_some_and(is_recent)
    }

    /// The same after a failure.
    #[must_use]
    pub fn failed(self, at: Timestamp) -> Self {
        Self {
            consecutive_failures: self.consecutive_failures.saturating_add(1),
            failing_since: self.failing_since.or(Some(at)),
            last_failure_at: Some(at),
            ..self
        }
    }

    /// Returns whether the endpoint has failed for so long that it is disabled.
    pub fn is_failing(&self, at: Timestamp) -> bool {
        let is_long = |since| at.since(since) >= FAILING_FOR;
        self.consecutive_failures >= FAILED_TRIES && self.failing_since.is_some_and(is_long)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::days(number))
    }

    fn progress() -> WebhookProgress {
        let (endpoint, workspace) = (WebhookEndpointId::from_bytes([1; 16]), WorkspaceId::from_bytes([2; 16]));
        WebhookProgress::new(endpoint, workspace, None)
    }

    fn failed(tries: u32) -> WebhookProgress {
        (0..tries).fold(progress(), |progress, _| progress.failed(day(0)))
    }

    #[test]
    fn a_success_is_recorded_after_a_failure_and_once_a_minute() {
        let well = progress().succeeded(day(1));
        assert!(progress().is_news(day(1)) && !well.is_news(day(1)) && well.is_news(day(1).plus(Duration::MINUTE)));
        assert!(well.failed(day(1)).is_news(day(1)));
    }

    #[test]
    fn an_endpoint_fails_after_five_days_and_twenty_tries_without_a_success() {
        assert!(failed(20).is_failing(day(5)));
        assert!(!failed(19).is_failing(day(5)) && !failed(20).is_failing(day(5).plus(-Duration::SECOND)));
        let recovered = failed(20).succeeded(day(4)).failed(day(5));
        assert_eq!((recovered.consecutive_failures, recovered.failing_since), (1, Some(day(5))));
        assert!(!recovered.is_failing(day(6)) && !failed(20).resumed().failed(day(5)).is_failing(day(6)));
    }
}
