//! [`ListTransitions`]: identifiers of changes of status, the newest first.

use tradepost_domain::accounts::access::Denied;
use tradepost_domain::id::{Id, OfTransition, TransitionId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::SubjectKind;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::TransitionFilter;

use super::transitions::readable;
use crate::paging::ListKey;
use crate::{OpError, OpResult, Operations, PageOf};

/// Asks for a page of changes of status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListTransitions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Most ids on the page: 0 is 50, above 200 is 200, negative is refused.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of records of this kind; of every kind that the caller may read if `None`.
    pub subject_kind: Option<SubjectKind>,
    /// Only of this record.
    pub subject_id: Option<Id<()>>,
    /// Only at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

impl Operations {
    /// Gives a page of changes of status, the newest first by the time at which they were decided.
    ///
    /// # Errors
    /// `permission_denied`, also for a kind of record whose log the caller may not read; `invalid_argument` for a time that does
    /// not come before the other, a negative limit or a cursor that this list did not give out.
    pub async fn list_transitions(&self, caller: &Caller, command: ListTransitions) -> OpResult<PageOf<TransitionId>> {
        let (scope, mut kinds) = readable(caller, command.workspace_id)?;
        if let Some(wanted) = command.subject_kind {
            kinds.retain(|kind| *kind == wanted);
        }
        if kinds.is_empty() {
            return Err(Denied.into());
        }
        if command.from.zip(command.to).is_some_and(|(from, to)| to <= from) {
            return Err(OpError::invalid_field("to", "must be after from"));
        }
        let key = ListKey::of("transitions", scope)
            .and_code(command.subject_kind.map(SubjectKind::code))
            .and_id(command.subject_id)
            .and_time(command.from)
            .and_time(command.to);
        let request = self.page_request::<OfTransition>(&key, command.limit, &command.cursor)?;
        let subject_id = command.subject_id.map(Id::to_bytes);
        let filter = TransitionFilter { kinds: &kinds, subject_id, from: command.from, to: command.to };
        let page = self.ports.store.list_transition_ids(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }
}
