//! Reads of remediations.

use std::cmp::Reverse;

use tradepost_domain::contracts::remediation::{Remediation, RemediationKind, RemediationStatus, Severity};
use tradepost_domain::id::{Id, OfRemediation, RemediationId, WorkspaceId};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{Page, PageRequest, RemediationFilter};

use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one remediation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetRemediation {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The remediation.
    pub remediation_id: RemediationId,
}

/// A request for several remediations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetRemediations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The remediations, 1 to 200.
    pub remediation_ids: Vec<RemediationId>,
}

/// A request for a page of remediations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListRemediations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only remediations in this status.
    pub status: Option<RemediationStatus>,
    /// Only remediations of this kind.
    pub kind: Option<RemediationKind>,
    /// Only remediations of this severity.
    pub severity: Option<Severity>,
    /// Only remediations of this record that have not ended.
    pub subject: Option<Subject>,
}

/// A request for the number of remediations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountRemediations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one remediation.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_remediation(&self, caller: &Caller, command: GetRemediation) -> OpResult<Versioned<Remediation>> {
        let scope = rules::GET_REMEDIATION.enter(&caller.principal, command.workspace_id)?;
        let found = self.ports.store.remediations().find(scope, command.remediation_id).await?;
        found.map(Versioned::from).ok_or_else(|| OpError::not_found("remediation"))
    }

    /// Returns several remediations in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_remediations(
        &self,
        caller: &Caller,
        command: GetRemediations,
    ) -> OpResult<Batch<Remediation, OfRemediation>> {
        let scope = rules::GET_REMEDIATIONS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("remediationIds", &command.remediation_ids)?;
        let found = self.ports.store.remediations().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of remediations, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_remediations(
        &self,
        caller: &Caller,
        command: ListRemediations,
    ) -> OpResult<PageOf<RemediationId>> {
        let scope = rules::LIST_REMEDIATIONS.enter(&caller.principal, command.workspace_id)?;
        let ListRemediations { status, kind, severity, subject, .. } = command;
        let key = ListKey::of("remediations", scope)
            .and_code(status.map(RemediationStatus::code))
            .and_code(kind.map(RemediationKind::code))
            .and_code(severity.map(Severity::code))
            .and_code(subject.map(|subject| subject.kind().code()))
            .and_id(subject.map(|subject| Id::<()>::from_bytes(subject.id_bytes())));
        let request = self.page_request::<OfRemediation>(&key, command.limit, &command.cursor)?;
        let filter = RemediationFilter { status, kind, severity };
        let remediations = self.to_show(caller, scope).remediations();
        let page = match subject {
            Some(subject) => page_of_record(&remediations.list_live_of(scope, subject).await?, filter, request),
            None => remediations.list(scope, filter, request).await?,
        };
        Ok(self.page(&key, page))
    }

    /// Counts remediations: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_remediations(
        &self,
        caller: &Caller,
        command: CountRemediations,
    ) -> OpResult<Vec<StatusCount<RemediationStatus>>> {
        let scope = rules::COUNT_REMEDIATIONS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::Remediation, None).await?;
        Ok(every_status(RemediationStatus::ALL, RemediationStatus::code, &counted))
    }
}

/// Returns a page of the remediations of a record. Storage gives all of them at once, because a record has one of a kind at most.
fn page_of_record(
    live: &[Seen<Remediation>],
    filter: RemediationFilter,
    request: PageRequest<OfRemediation>,
) -> Page<OfRemediation> {
    let wanted = live.iter().map(Seen::peek).filter(|found| filter.admits(found)).map(|found| found.id);
    let mut ids: Vec<RemediationId> = wanted.filter(|id| request.before.is_none_or(|before| *id < before)).collect();
    ids.sort_unstable_by_key(|id| Reverse(*id));
    Page::of(ids, request.limit)
}
