//! Reads of transitions.

use tradepost_domain::accounts::access::Denied;
use tradepost_domain::id::{Id, OfTransition, TransitionId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{SubjectKind, Transition};
use tradepost_ports::changes::Caller;
use tradepost_ports::store::TransitionFilter;

use super::transitions::readable;
use crate::contracts::name_filters::statuses;
use crate::paging::ListKey;
use crate::results::in_order;
use crate::rules;
use crate::{OpError, OpResult, Operations, PageOf, StatusTally, fields};

/// A request for one change of status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetTransition {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The change.
    pub transition_id: TransitionId,
}

/// A request for several changes of status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetTransitions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The changes, 1 to 200.
    pub transition_ids: Vec<TransitionId>,
}

/// The response of [`Operations::get_transitions`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTransitions {
    /// The found transitions, in the requested order, each once.
    pub transitions: Vec<Transition>,
    /// The ids of which there is none that the caller may read, in the order asked for.
    pub missing: Vec<TransitionId>,
}

/// A request for a page of changes of status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListTransitions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only of records of this kind, or of one of `subject_kinds`; of every kind that the caller may read if there is none.
    pub subject_kind: Option<SubjectKind>,
    /// Only of records of one of these kinds; those that the caller may not read are left out.
    pub subject_kinds: Vec<SubjectKind>,
    /// Only of this record.
    pub subject_id: Option<Id<()>>,
    /// Only at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

/// A request for the number of changes of status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountTransitions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only of records of one of these kinds, of every kind that the caller may read if there is none; those that it may not read are
    /// left out.
    pub subject_kinds: Vec<SubjectKind>,
    /// Only of this record.
    pub subject_id: Option<Id<()>>,
    /// Only at this time or later, to the millisecond.
    pub from: Option<Timestamp>,
    /// Only before this time, to the millisecond.
    pub to: Option<Timestamp>,
}

/// Returns the kinds of records that the caller wants and may read.
fn wanted_kinds(mut readable: Vec<SubjectKind>, wanted: &[SubjectKind]) -> OpResult<Vec<SubjectKind>> {
    readable.retain(|kind| wanted.is_empty() || wanted.contains(kind));
    if readable.is_empty() { Err(Denied.into()) } else { Ok(readable) }
}

impl Operations {
    /// Returns one change of status.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, also for a change of a record whose log the caller may not read.
    pub async fn get_transition(&self, caller: &Caller, command: GetTransition) -> OpResult<Transition> {
        let (scope, kinds) = readable(caller, rules::GET_TRANSITION, command.workspace_id)?;
        let found = self.ports.store.transitions().find_many(scope, &kinds, &[command.transition_id]).await?;
        found.into_iter().next().ok_or_else(|| OpError::not_found("transition"))
    }

    /// Returns several changes of status in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_transitions(&self, caller: &Caller, command: GetTransitions) -> OpResult<FoundTransitions> {
        let (scope, kinds) = readable(caller, rules::GET_TRANSITIONS, command.workspace_id)?;
        let ids = fields::batch("transitionIds", &command.transition_ids)?;
        let found = self.ports.store.transitions().find_many(scope, &kinds, &ids).await?;
        let (transitions, missing) = in_order(ids, found, |transition| transition.id);
        Ok(FoundTransitions { transitions, missing })
    }

    /// Returns a page of changes of status, the newest first by the time at which they were decided.
    ///
    /// # Errors
    /// `permission_denied`, also for a kind of record whose log the caller may not read; `invalid_argument` for a time that does
    /// not come before the other, a negative limit or a cursor that this list did not give out.
    pub async fn list_transitions(&self, caller: &Caller, command: ListTransitions) -> OpResult<PageOf<TransitionId>> {
        let (scope, kinds) = readable(caller, rules::LIST_TRANSITIONS, command.workspace_id)?;
        let wanted = statuses(command.subject_kind, &command.subject_kinds, SubjectKind::code);
        let kinds = wanted_kinds(kinds, &wanted)?;
        fields::span(command.from, command.to)?;
        let key = ListKey::of("transitions", scope)
            .and_codes(&wanted.iter().map(|kind| kind.code()).collect::<Vec<_>>())
            .and_id(command.subject_id)
            .and_time(command.from)
            .and_time(command.to);
        let request = self.page_request::<OfTransition>(&key, command.limit, &command.cursor)?;
        let subject_id = command.subject_id.map(Id::to_bytes);
        let filter = TransitionFilter { kinds: &kinds, subject_id, from: command.from, to: command.to };
        let page = self.to_show(caller, scope).transitions().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts changes of status, the newest 5,000 of them: one entry for every kind of record that the caller wants and may read, in
    /// the order of the kinds, zeros included.
    ///
    /// # Errors
    /// `permission_denied`, also if the caller may read none of the kinds; `invalid_argument` for a time that does not come before
    /// the other.
    pub async fn count_transitions(
        &self,
        caller: &Caller,
        command: CountTransitions,
    ) -> OpResult<StatusTally<SubjectKind>> {
        let (scope, kinds) = readable(caller, rules::COUNT_TRANSITIONS, command.workspace_id)?;
        let kinds = wanted_kinds(kinds, &command.subject_kinds)?;
        fields::span(command.from, command.to)?;
        let subject_id = command.subject_id.map(Id::to_bytes);
        let filter = TransitionFilter { kinds: &kinds, subject_id, from: command.from, to: command.to };
        let counted = self.to_show(caller, scope).transitions().count(scope, filter).await?;
        Ok(StatusTally::of(&kinds, SubjectKind::code, &[], &counted))
    }
}
