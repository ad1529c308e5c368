//! [`CountFilterSets`]: how many filter sets there are, from a counter that is kept with every change.

use tradepost_domain::id::WorkspaceId;
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;

use crate::rules::READ_TRADING;
use crate::{OpResult, Operations};

/// Asks for the number of filter sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountFilterSets {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Counts filter sets.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_filter_sets(&self, caller: &Caller, command: CountFilterSets) -> OpResult<i64> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let counted = self.ports.store.count_by_status(scope, Kind::FilterSet, None).await?;
        Ok(counted.iter().map(|(_, count)| *count).sum())
    }
}
