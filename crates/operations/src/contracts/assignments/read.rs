//! Reads of assignments.

use crate::contracts::assignments::assignments::assignment_as_seen;
use tradepost_domain::contracts::assignment::Assignment;
use tradepost_domain::id::{AccountId, AssignmentId, OfAssignment, PoolId, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::store::AssignmentFilter;

use crate::paging::ListKey;
use crate::rules;
use crate::{Batch, OpResult, Operations, PageOf, Versioned, fields};

/// A request for one assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAssignment {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The assignment.
    pub assignment_id: AssignmentId,
}

/// A request for several assignments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAssignments {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The assignments, 1 to 200.
    pub assignment_ids: Vec<AssignmentId>,
}

/// A request for a page of assignments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAssignments {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only to this pool.
    pub pool_id: Option<PoolId>,
    /// Only those that name this account itself.
    pub account_id: Option<AccountId>,
}

impl Operations {
    /// Returns one assignment.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_assignment(&self, caller: &Caller, command: GetAssignment) -> OpResult<Versioned<Assignment>> {
        let scope = rules::GET_ASSIGNMENT.enter(&caller.principal, command.workspace_id)?;
        Ok(assignment_as_seen(self, scope, command.assignment_id, None).await?.into())
    }

    /// Returns several assignments in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_assignments(
        &self,
        caller: &Caller,
        command: GetAssignments,
    ) -> OpResult<Batch<Assignment, OfAssignment>> {
        let scope = rules::GET_ASSIGNMENTS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("assignmentIds", &command.assignment_ids)?;
        let found = self.ports.store.assignments().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of assignments, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_assignments(&self, caller: &Caller, command: ListAssignments) -> OpResult<PageOf<AssignmentId>> {
        let scope = rules::LIST_ASSIGNMENTS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("assignments", scope).and_id(command.pool_id).and_id(command.account_id);
        let request = self.page_request::<OfAssignment>(&key, command.limit, &command.cursor)?;
        let filter = AssignmentFilter { pool_id: command.pool_id, account_id: command.account_id };
        let page = self.to_show(caller, scope).assignments().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }
}
