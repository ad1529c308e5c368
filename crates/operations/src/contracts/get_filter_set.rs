//! [`GetFilterSet`]: one filter set of a workspace, as it is now or as it was in an earlier version.

use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::id::{FilterSetId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{OpError, OpResult, Operations};

/// Asks for one filter set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetFilterSet {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The filter set.
    pub filter_set_id: FilterSetId,
    /// Which version of it, from 1; the current one if `None`.
    pub version: Option<i64>,
}

impl Operations {
    /// Gives one filter set.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a version below 1, `not_found` for the set or a version that it never had.
    pub async fn get_filter_set(&self, caller: &Caller, command: GetFilterSet) -> OpResult<FilterSet> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        if command.version.is_some_and(|version| version < 1) {
            return Err(OpError::invalid_field("version", "must be at least 1"));
        }
        let found = self.ports.store.find_filter_set(scope, command.filter_set_id).await?;
        let (current, _) = found.ok_or_else(|| OpError::not_found("filter set"))?.only_to_show();
        let Some(wanted) = command.version.filter(|version| *version != i64::from(current.version)) else {
            return Ok(current);
        };
        let unknown = || OpError::not_found("version of the filter set");
        let wanted = u32::try_from(wanted).map_err(|_| unknown())?;
        let version = self.ports.store.find_filter_set_version(scope, current.id, wanted).await?;
        Ok(current.as_of(version.ok_or_else(unknown)?))
    }
}
