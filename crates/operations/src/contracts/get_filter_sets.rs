//! [`GetFilterSets`]: up to 200 filter sets of a workspace at once.

use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::id::{FilterSetId, OfFilterSet, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::rules::READ_TRADING;
use crate::{Batch, OpResult, Operations, fields};

/// Asks for several filter sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetFilterSets {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The filter sets, 1 to 200.
    pub filter_set_ids: Vec<FilterSetId>,
}

impl Operations {
    /// Gives several filter sets in the order asked for, each once and as it is now, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_filter_sets(
        &self,
        caller: &Caller,
        command: GetFilterSets,
    ) -> OpResult<Batch<FilterSet, OfFilterSet>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let ids = fields::batch("filterSetIds", &command.filter_set_ids)?;
        let found = self.ports.store.find_filter_sets(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }
}
