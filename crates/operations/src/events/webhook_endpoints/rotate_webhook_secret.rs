//! [`RotateWebhookSecret`]: replaces the secret of an endpoint.

use secrecy::SecretString;
use time::Duration;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{WebhookEndpointId, WorkspaceId};
use tradepost_ports::changes::{Caller, Changes};

use super::endpoint_secrets::{EndpointSecrets, keep_secrets, read_secrets};
use super::endpoints::endpoint_as_seen;
use crate::rules;
use crate::secrets::data_keys::lost_race;
use crate::secrets::record_secrets::hint;
use crate::{OpError, OpResult, Operations};

/// The time for which both secrets sign, unless a caller names another, and at most.
const OVERLAP_SECONDS: i32 = 86_400;

/// Replaces the secret of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RotateWebhookSecret {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The endpoint.
    pub endpoint_id: WebhookEndpointId,
    /// The time for which the former secret signs as well, 0 to 86,400 s; absent, 86,400 s.
    pub overlap_seconds: Option<i32>,
}

impl Operations {
    /// Replaces the secret that signs the deliveries of an endpoint, and returns the new one. Both sign during the overlap.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad overlap, `not_found`, `failed_precondition` with `STEP_UP_REQUIRED`,
    /// `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn rotate_webhook_secret(&self, caller: &Caller, command: RotateWebhookSecret) -> OpResult<SecretString> {
        let scope = rules::ROTATE_WEBHOOK_SECRET.enter(&caller.principal, command.workspace_id)?;
        let overlap = command.overlap_seconds.unwrap_or(OVERLAP_SECONDS);
        if !(0..=OVERLAP_SECONDS).contains(&overlap) {
            return Err(OpError::invalid_field("overlapSeconds", format_args!("must be from 0 to {OVERLAP_SECONDS}")));
        }
        let (at, secret) = (self.now(), self.ports.secrets.webhook_secret());
        let hint = hint(&secret)?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::ROTATE_WEBHOOK_SECRET, &mut changes).await?;
            let seen = endpoint_as_seen(self, scope, command.endpoint_id, None).await?;
            let former = read_secrets(self, scope, command.endpoint_id).await?.current;
            let until = at.plus(Duration::seconds(overlap.into()));
            let secrets = EndpointSecrets { current: secret.clone(), former: (overlap > 0).then_some((former, until)) };
            keep_secrets(self, scope, command.endpoint_id, &secrets, &mut changes).await?;
            let shown = changes.revise(seen, |endpoint| Ok::<_, OpError>(endpoint.with_secret(hint.clone(), at)))?;
            changes.audit(AuditKind::WebhookSecretRotated, &shown.value);
            self.commit(caller, changes).await.map(drop).map_err(lost_race)
        })
        .await?;
        Ok(secret)
    }
}
