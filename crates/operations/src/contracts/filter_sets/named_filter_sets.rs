//! The number of contracts that name a filter set, so that no filter set in use is deleted.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::filter_set::FilterSet;
use tradepost_domain::id::FilterSetId;
use tradepost_ports::changes::Changes;

use crate::{OpError, OpResult, Operations};

/// Counts one more contract that names a filter set.
pub(crate) async fn name_filter_set(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    named: Option<FilterSetId>,
) -> OpResult<()> {
    let Some(id) = named else { return Ok(()) };
    let found = operations.ports.store.filter_sets().find(scope, id).await?;
    let set = found.ok_or_else(|| OpError::not_found("filter set"))?;
    changes.revise(set, |set| Ok::<_, OpError>(set.with_contract()))?;
    Ok(())
}

/// Counts one contract less that names a filter set. Contracts of old may name one that never was.
pub(crate) async fn forget_filter_set(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    named: Option<FilterSetId>,
) -> OpResult<()> {
    let Some(id) = named else { return Ok(()) };
    if let Some(set) = operations.ports.store.filter_sets().find(scope, id).await? {
        changes.revise(set, |set: FilterSet| Ok::<_, OpError>(set.without_contract()))?;
    }
    Ok(())
}
