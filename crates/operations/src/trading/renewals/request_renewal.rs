//! [`RequestRenewal`]: a person has a token of a trading account renewed now.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::trading::renewal::{Renewal, RenewalEvent, RenewalKind};
use tradepost_ports::changes::{Caller, Changes, Revised};
use tradepost_ports::store::{StoreError, Unique};

use super::renewal_moves::{Due, NewRenewal, schedule_renewal, step_renewal};
use crate::commit::By;
use crate::rules;
use crate::trading::account_sessions::working_session::working_session;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// Has a token renewed before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestRenewal {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// Which token.
    pub kind: RenewalKind,
}

impl Operations {
    /// Has the engine renew a token in one of its next passes. The renewal that waits for its time is returned, or a new one where the last
    /// one was abandoned or cancelled.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `ACCOUNT_NOT_SIGNED_IN` without a session that works, `ILLEGAL_STEP` while the
    /// platform is called for it.
    pub async fn request_renewal(&self, caller: &Caller, command: RequestRenewal) -> OpResult<Versioned<Renewal>> {
        let scope = rules::REQUEST_RENEWAL.enter(&caller.principal, command.workspace_id)?;
        let RequestRenewal { account_id, kind, .. } = command;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            drop(account_as_seen(self, scope, account_id, None).await?);
            let (by, mut changes) = (By { caller, at }, Changes::by(caller));
            let Some(session) = working_session(self, scope, account_id).await? else {
                let message = "the trading account has no session that works; start one";
                return Err(OpError::failed_precondition(Reason::AccountNotSignedIn, message));
            };
            let session = changes.rely_on(session);
            let open = self.ports.store.renewals().list_open_renewals_of(scope, account_id).await?;
            let waiting = open.into_iter().find(|renewal| renewal.peek().kind == kind);
            let requested = if let Some(waiting) = waiting {
                step_renewal(self, &mut changes, by, waiting, RenewalEvent::Requested)?
            } else {
                let expiry = session.expiry.ok_or_else(|| OpError::internal("a session works without tokens"))?;
                let new = NewRenewal { scope, account_id, kind, due: Due::Requested };
                Revised { value: schedule_renewal(self, &mut changes, by, new, expiry)?, version: 1 }
            };
            changes.audit(AuditKind::RenewalRequested, &requested.value);
            match self.commit(caller, changes).await {
                Err(OpError { source: Some(StoreError::Duplicate(Unique::OpenRenewal)), .. }) => {
                    Err(StoreError::Conflict.into())
                }
                outcome => outcome.map(|_| requested.into()),
            }
        })
        .await
    }
}
