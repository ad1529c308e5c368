//! Recording what came of a try, with the health of its endpoint, and disabling an endpoint that no longer works.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::events::webhook_delivery::{Retry, WebhookDelivery};
use tradepost_domain::events::webhook_endpoint::{DisabledReason, WebhookEndpoint};
use tradepost_domain::events::webhook_progress::WebhookProgress;
use tradepost_domain::id::RecordKey;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes, Seen};

use super::attempts::{Attempt, Verdict};
use crate::accounts::memberships::membership_changes::{addresses_of_managers, workspace_name};
use crate::mails::Notice;
use crate::{OpError, OpResult, Operations};

/// The attempts to record an outcome: the deliveries of an endpoint that end together share its health.
const ATTEMPTS: u64 = 12;

impl Operations {
    /// Records what came of a try. Nothing is recorded if the delivery has changed since it was claimed.
    pub(super) async fn record_outcome(
        &self,
        scope: WorkspaceScope,
        claimed: &Seen<WebhookDelivery>,
        attempt: &Attempt,
    ) -> OpResult<()> {
        let at = self.now();
        let retry = self.retry(attempt.verdict);
        self.retrying_up_to(ATTEMPTS, || async {
            let relay = Caller::system();
            let mut changes = Changes::by(&relay);
            let ended =
                changes.revise(claimed.clone(), |delivery| Ok::<_, OpError>(end(delivery, attempt, retry, at)))?;
            self.record_health(scope, &mut changes, &ended.value, attempt.verdict).await?;
            self.commit(&relay, changes).await.map(drop)
        })
        .await
    }

    /// The pause that follows a failure.
    pub(super) fn retry(&self, verdict: Verdict) -> Retry {
        let wish = match verdict {
            Verdict::Failed(wish) => wish,
            Verdict::Accepted | Verdict::Removed => None,
        };
        let [.., random] = self.ports.ids.next(self.now());
        Retry { wish, random }
    }

    async fn record_health(
        &self,
        scope: WorkspaceScope,
        changes: &mut Changes,
        delivery: &WebhookDelivery,
        verdict: Verdict,
    ) -> OpResult<()> {
        let at = self.now();
        if delivery.event_type == EventType::EndpointTest {
            return Ok(());
        }
        let webhooks = self.ports.store.webhooks();
        let Some(progress) = webhooks.find_progress(scope, &[delivery.endpoint_id]).await?.into_iter().next() else {
            return Ok(());
        };
        if verdict == Verdict::Accepted {
            if progress.peek().health.is_news(at) {
                changes.revise(progress, |progress| {
                    Ok::<_, OpError>(progress.with_health(progress.health.succeeded(at)))
                })?;
            }
            return Ok(());
        }
        let fail = |progress: WebhookProgress| Ok::<_, OpError>(progress.with_health(progress.health.failed(at)));
        let failed = changes.revise(progress, fail)?.value.health;
        let reason = match verdict {
            Verdict::Removed => DisabledReason::Removed,
            Verdict::Failed(_) | Verdict::Accepted if failed.is_failing(at) => DisabledReason::Failing,
            Verdict::Failed(_) | Verdict::Accepted => return Ok(()),
        };
        let Some(endpoint) = webhooks.find_endpoint(scope, delivery.endpoint_id).await? else { return Ok(()) };
        if endpoint.peek().is_active() {
            self.disable_endpoint(scope, changes, endpoint, reason).await?;
        }
        Ok(())
    }

    /// Disables an endpoint that no longer works; its workspace's managers and its other endpoints are notified.
    async fn disable_endpoint(
        &self,
        scope: WorkspaceScope,
        changes: &mut Changes,
        endpoint: Seen<WebhookEndpoint>,
        reason: DisabledReason,
    ) -> OpResult<()> {
        let at = self.now();
        let disabled = changes.revise(endpoint, |endpoint| endpoint.disable(reason, at))?.value;
        changes.audit(AuditKind::WebhookEndpointDisabled, About::from(&disabled).with(Fact::Cause, reason.as_str()));
        for other in self.ports.store.webhooks().find_all_endpoints(scope).await? {
            let other = other.peek();
            let is_notified = other.id != disabled.id && other.is_active();
            if is_notified && other.types.match_type(EventType::EndpointDisabled) {
                let key = RecordKey { workspace_id: other.workspace_id, id: other.id };
                changes.insert(WebhookDelivery::of_disabled(self.mint(), key, disabled.id, at));
            }
        }
        let workspace = workspace_name(self, disabled.workspace_id).await?;
        let managers = addresses_of_managers(self, disabled.workspace_id).await?;
        self.send_notice(changes, &managers, &Notice::webhook_disabled(&workspace, &disabled, reason));
        tracing::warn!(endpoint = %disabled.id, reason = reason.as_str(), "webhook endpoint disabled");
        Ok(())
    }
}

/// The delivery after a try.
pub(super) fn end(delivery: WebhookDelivery, attempt: &Attempt, retry: Retry, at: Timestamp) -> WebhookDelivery {
    let result = attempt.result.clone();
    match attempt.verdict {
        Verdict::Accepted => delivery.accepted(result, at),
        Verdict::Failed(_) | Verdict::Removed => delivery.failed(result, retry, at),
    }
}
