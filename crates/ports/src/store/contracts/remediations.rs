//! Reads of remediations, and of records that need one.

use async_trait::async_trait;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::remediation::{Remediation, RemediationKind, RemediationStatus, Severity};
use tradepost_domain::id::{OfRemediation, RemediationId};
use tradepost_domain::transition::Subject;

use crate::changes::Seen;
use crate::store::{Page, PageRequest, StoreResult};

/// The remediations to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RemediationFilter {
    /// Only in this status.
    pub status: Option<RemediationStatus>,
    /// Only of this kind.
    pub kind: Option<RemediationKind>,
    /// Only of this severity.
    pub severity: Option<Severity>,
}

impl RemediationFilter {
    /// Returns whether a remediation is one of those.
    pub fn admits(self, remediation: &Remediation) -> bool {
        self.status.is_none_or(|wanted| remediation.status == wanted)
            && self.kind.is_none_or(|wanted| remediation.kind == wanted)
            && self.severity.is_none_or(|wanted| remediation.severity == wanted)
    }
}

/// The remediations of workspaces.
#[async_trait]
pub trait Remediations: Send + Sync {
    /// Returns a remediation.
    async fn find(&self, scope: WorkspaceScope, id: RemediationId) -> StoreResult<Option<Seen<Remediation>>>;
    /// Returns several remediations, in no order; missing ones are left out.
    async fn find_many(&self, scope: WorkspaceScope, ids: &[RemediationId]) -> StoreResult<Vec<Seen<Remediation>>>;
    /// Returns remediations of the workspace.
    async fn list(
        &self,
        scope: WorkspaceScope,
        filter: RemediationFilter,
        page: PageRequest<OfRemediation>,
    ) -> StoreResult<Page<OfRemediation>>;
    /// Returns the remediations of a record that have not ended, one of a kind at most.
    async fn list_live_of(&self, scope: WorkspaceScope, subject: Subject) -> StoreResult<Vec<Seen<Remediation>>>;
    /// Returns the remediation of this kind of a record that was dismissed last.
    async fn find_last_dismissed(
        &self,
        scope: WorkspaceScope,
        subject: Subject,
        kind: RemediationKind,
    ) -> StoreResult<Option<Seen<Remediation>>>;
}
