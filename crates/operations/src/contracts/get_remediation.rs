//! [`GetRemediation`] and [`GetRemediations`]: one remediation of a workspace, and up to 200 at once.

use tradepost_domain::contracts::remediation::Remediation;
use tradepost_domain::id::{OfRemediation, RemediationId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{Batch, OpError, OpResult, Operations, Versioned, fields};

/// Asks for one remediation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetRemediation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The remediation.
    pub remediation_id: RemediationId,
}

/// Asks for several remediations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetRemediations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The remediations, 1 to 200.
    pub remediation_ids: Vec<RemediationId>,
}

impl Operations {
    /// Gives one remediation.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_remediation(&self, caller: &Caller, command: GetRemediation) -> OpResult<Versioned<Remediation>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let found = self.ports.store.find_remediation(scope, command.remediation_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("remediation"))
    }

    /// Gives several remediations in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_remediations(
        &self,
        caller: &Caller,
        command: GetRemediations,
    ) -> OpResult<Batch<Remediation, OfRemediation>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let ids = fields::batch("remediationIds", &command.remediation_ids)?;
        let found = self.ports.store.find_remediations(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }
}
