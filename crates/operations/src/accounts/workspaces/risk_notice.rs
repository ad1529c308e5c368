//! The risk notice: read and acknowledged before the first secret of a trading account or provider is stored.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::workspace::{RiskAcknowledgement, RiskNoticeError, Workspace};
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::NoticeVersion;
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The workspace whose acknowledgement of the risk notice to get.
#[derive(Debug, Clone, Copy)]
pub struct GetRiskAcknowledgement {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// The risk notice, read by the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcknowledgeRiskNotice {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The version that was read.
    pub version: String,
}

impl Operations {
    /// Returns who acknowledged the risk notice last for a workspace; `None` until someone has. The notice itself is
    /// [`RISK_NOTICE`](tradepost_domain::accounts::workspace::RISK_NOTICE).
    ///
    /// # Errors
    /// `permission_denied` for another workspace than the caller's, whether it exists or not.
    pub async fn get_risk_acknowledgement(
        &self,
        caller: &Caller,
        command: GetRiskAcknowledgement,
    ) -> OpResult<Option<RiskAcknowledgement>> {
        let scope = rules::GET_RISK_NOTICE.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.workspaces().find(scope).await?;
        Ok(found.ok_or_else(|| OpError::not_found("workspace"))?.into_display().0.risks_acknowledged)
    }

    /// Records that the caller has read the risk notice. Secrets of trading accounts and providers are accepted from then on. What was
    /// acknowledged before in this version stays as it is.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for a bad version; `failed_precondition` with `OTHER_NOTICE_VERSION`.
    pub async fn acknowledge_risk_notice(
        &self,
        caller: &Caller,
        command: AcknowledgeRiskNotice,
    ) -> OpResult<RiskAcknowledgement> {
        let scope = rules::ACKNOWLEDGE_RISK_NOTICE.enter(&caller.principal, command.workspace_id)?;
        let version: NoticeVersion = fields::text("version", &command.version)?;
        let by = caller.principal.prover().map(|prover| prover.user_id);
        let read = RiskAcknowledgement::new(version, by, self.now())?;
        self.retrying(|| async {
            let found = self.ports.store.workspaces().find(scope).await?;
            let seen = found.ok_or_else(|| OpError::not_found("workspace"))?;
            if let Some(before) = seen.peek().risks_acknowledged.clone().filter(RiskAcknowledgement::is_current) {
                return Ok(before);
            }
            let mut changes = Changes::by(caller);
            changes.revise(seen, |workspace: Workspace| Ok::<_, OpError>(workspace.acknowledge_risks(read.clone())))?;
            let about = About::from(command.workspace_id).with(Fact::NoticeVersion, &read.version);
            changes.audit(AuditKind::WorkspaceRisksAcknowledged, about);
            self.commit(caller, changes).await?;
            Ok(read.clone())
        })
        .await
    }
}

/// Checks that the workspace accepts secrets of trading accounts and providers. The changes rely on it, so that none is stored for a
/// workspace that is removed in the meantime.
pub(crate) async fn rely_on_acknowledged_risks(
    operations: &Operations,
    scope: WorkspaceScope,
    changes: &mut Changes,
) -> OpResult<()> {
    let found = operations.ports.store.workspaces().find(scope).await?;
    let workspace = changes.rely_on(found.ok_or_else(|| OpError::not_found("workspace"))?);
    Ok(workspace.check_risks_acknowledged()?)
}

impl From<RiskNoticeError> for OpError {
    fn from(error: RiskNoticeError) -> Self {
        let reason = match error {
            RiskNoticeError::OtherVersion { .. } => Reason::OtherNoticeVersion,
            RiskNoticeError::NotAcknowledged => Reason::RisksNotAcknowledged,
        };
        Self::failed_precondition(reason, error.to_string())
    }
}
