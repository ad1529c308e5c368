//! Reads of filter sets.

use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::id::{FilterSetId, OfFilterSet, WorkspaceId};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;

use crate::paging::ListKey;
use crate::rules;
use crate::{Batch, OpError, OpResult, Operations, PageOf, fields};

/// A request for one filter set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetFilterSet {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The filter set.
    pub filter_set_id: FilterSetId,
    /// The version, from 1; the current one if `None`.
    pub version: Option<i64>,
}

/// A request for several filter sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetFilterSets {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The filter sets, 1 to 200.
    pub filter_set_ids: Vec<FilterSetId>,
}

/// A request for a page of filter sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListFilterSets {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
}

/// A request for the number of filter sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountFilterSets {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one filter set.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a version below 1, `not_found` for the set or a version that it never had.
    pub async fn get_filter_set(&self, caller: &Caller, command: GetFilterSet) -> OpResult<FilterSet> {
        let scope = rules::GET_FILTER_SET.enter(&caller.principal, command.workspace_id)?;
        if command.version.is_some_and(|version| version < 1) {
            return Err(OpError::invalid_field("version", "must be at least 1"));
        }
        let found = self.ports.store.filter_sets().find(scope, command.filter_set_id).await?;
        let (current, _) = found.ok_or_else(|| OpError::not_found("filter set"))?.into_display();
        let Some(wanted) = command.version.filter(|version| *version != i64::from(current.version)) else {
            return Ok(current);
        };
        let unknown = || OpError::not_found("version of the filter set");
        let wanted = u32::try_from(wanted).map_err(|_| unknown())?;
        let version = self.ports.store.filter_sets().find_version(scope, current.id, wanted).await?;
        Ok(current.as_of(version.ok_or_else(unknown)?))
    }

    /// Returns several filter sets in the order asked for, each once and as it is now, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_filter_sets(
        &self,
        caller: &Caller,
        command: GetFilterSets,
    ) -> OpResult<Batch<FilterSet, OfFilterSet>> {
        let scope = rules::GET_FILTER_SETS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("filterSetIds", &command.filter_set_ids)?;
        let found = self.ports.store.filter_sets().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of filter sets, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_filter_sets(&self, caller: &Caller, command: ListFilterSets) -> OpResult<PageOf<FilterSetId>> {
        let scope = rules::LIST_FILTER_SETS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("filter sets", scope);
        let request = self.page_request::<OfFilterSet>(&key, command.limit, &command.cursor)?;
        let page = self.to_show(caller, scope).filter_sets().list(scope, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts filter sets.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_filter_sets(&self, caller: &Caller, command: CountFilterSets) -> OpResult<i64> {
        let scope = rules::COUNT_FILTER_SETS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::FilterSet, None).await?;
        Ok(counted.iter().map(|(_, count)| *count).sum())
    }
}
