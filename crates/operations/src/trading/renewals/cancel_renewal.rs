//! [`CancelRenewal`]: a person cancels a renewal.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{RenewalId, WorkspaceId};
use tradepost_domain::trading::renewal::{Renewal, RenewalEvent};
use tradepost_ports::changes::{Caller, Changes};

use super::renewal_moves::{renewal_as_seen, step_renewal};
use crate::commit::By;
use crate::rules;
use crate::{OpResult, Operations, Versioned, fields};

/// Cancels a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CancelRenewal {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The renewal.
    pub renewal_id: RenewalId,
    /// The version that the caller saw, from 1; rejected when the renewal has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Cancels a renewal. Its token ends at its time, and with the refresh token the session ends.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for an expected version below 1; `not_found`; `failed_precondition`: `VERSION_MISMATCH`,
    /// `ILLEGAL_STEP` when it is over, and while the platform is called for it.
    pub async fn cancel_renewal(&self, caller: &Caller, command: CancelRenewal) -> OpResult<Versioned<Renewal>> {
        let scope = rules::CANCEL_RENEWAL.enter(&caller.principal, command.workspace_id)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = renewal_as_seen(self, scope, command.renewal_id, command.expected_version).await?;
            let mut changes = Changes::by(caller);
            let cancelled = step_renewal(self, &mut changes, By { caller, at }, seen, RenewalEvent::Cancelled)?;
            changes.audit(AuditKind::RenewalCancelled, &cancelled.value);
            self.commit(caller, changes).await?;
            Ok(cancelled.into())
        })
        .await
    }
}
