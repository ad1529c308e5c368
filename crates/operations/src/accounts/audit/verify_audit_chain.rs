//! `VerifyAuditChain`: whether the audit log of a workspace is as it was written.

use crate::audit::chaining::former_until;
use crate::audit::chaining::wrote;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{AuditHead, AuditHome, AuditWalk};
use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::store::{AuditLogs, AuditScope, AuditState};

use crate::rules;
use crate::{OpError, OpResult, Operations};

/// The number of links that are read at once.
const AT_ONCE: u32 = 1_000;

/// The log to verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifyAuditChain {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// The result of the verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedChain {
    /// The first invalid place of the chain: the sequence of a link that was tampered with, or of the one that should follow the
    /// last; `None` for an intact log.
    pub first_bad_sequence: Option<i64>,
    /// The stored end of the chain; `None` before the first event was chained.
    pub head: Option<AuditHead>,
    /// The number of events that are not chained yet.
    pub waiting: i64,
}

impl Operations {
    /// Walks along the whole chain of a workspace's log: that each event is one that this installation wrote, each link follows
    /// from the one before, and nothing is missing or has been added. What is not found is written in `docs/explanation/audit-log.md`.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn verify_audit_chain(&self, caller: &Caller, command: VerifyAuditChain) -> OpResult<VerifiedChain> {
        let scope = rules::VERIFY_AUDIT_CHAIN.enter(&caller.principal, command.workspace_id)?;
        let mut logs = self.to_show(caller, scope).audit_logs();
        let mut state = logs.find_state(AuditScope::Workspace(scope)).await?;
        if state.head.is_none() {
            // Records that are a few seconds old may be older than the workspace.
            logs = self.ports.store.audit_logs();
            state = logs.find_state(AuditScope::Workspace(scope)).await?;
        }
        let head = state.head.as_ref().map(Seen::peek).copied();
        let walk = self.walk_log(logs, scope, head).await?;
        let holds = match head {
            Some(head) => {
                walk.ends_at(&head) && former_until(self, &head).is_some() && is_complete(&state, head.sequence)
            }
            None => is_complete(&state, 0) && (state.events > 0 || self.is_older(scope, &state).await?),
        };
        let first_bad_sequence = (!holds).then(|| walk.checked().saturating_add(1));
        Ok(VerifiedChain { first_bad_sequence, head, waiting: state.waiting })
    }

    /// Walks to the sequence that the head records, or to the first invalid link. Links that are added during the walk are skipped.
    async fn walk_log(
        &self,
        logs: &dyn AuditLogs,
        scope: WorkspaceScope,
        head: Option<AuditHead>,
    ) -> OpResult<AuditWalk> {
        let up_to = head.map_or(0, |head| head.sequence);
        // A head that was tampered with has no valid signature: the walk then also finds which of the links were changed.
        let former_until = head.and_then(|head| former_until(self, &head)).unwrap_or(up_to);
        let home = AuditHome::Workspace(scope.workspace_id());
        let mut walk = AuditWalk::along(home.log_id());
        while walk.checked() < up_to && !walk.has_stopped() {
            let scope = AuditScope::Workspace(scope);
            let links = logs.list_links(scope, walk.checked(), AT_ONCE).await?;
            if links.is_empty() {
                break;
            }
            for stored in &links {
                if walk.checked() < up_to {
                    walk.step(stored, |sealed| wrote(self, sealed, stored.link.sequence <= former_until));
                }
            }
        }
        Ok(walk)
    }

    /// Returns whether the workspace was created before auditing began and may have no event. Every other one has the event of its
    /// creation.
    async fn is_older(&self, scope: WorkspaceScope, state: &AuditState) -> OpResult<bool> {
        let workspace =
            self.ports.store.workspaces().find(scope).await?.ok_or_else(|| OpError::not_found("workspace"))?;
        Ok(workspace.into_display().0.created_at < state.began)
    }
}

/// Returns whether every event is in the chain or waits for it, and nothing else is there.
const fn is_complete(state: &AuditState, chained: i64) -> bool {
    state.links == chained && state.events == state.links + state.waiting
}
