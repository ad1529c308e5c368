//! The daily loss limit: whether the loss of a step stops a contract. The losses of the day are read where the limits require it.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::{Contract, stops_by_loss};
use tradepost_domain::contracts::ledger::report::day_of;
use tradepost_domain::contracts::remediation::{Finding, findings};
use tradepost_domain::time::Timestamp;

use crate::{OpResult, Operations};

/// Returns the finding that a step with these earnings in cents brings the losses of its day to the contract's limit; `None` where
/// it does not. Nothing is read unless the step loses and the contract has such a limit. The contract is read before, and
/// gets its next version in the commit of the step, so that of two losses the later one sees the earlier.
pub(crate) async fn losses_that_stop(
    operations: &Operations,
    scope: WorkspaceScope,
    contract: &Contract,
    earned: i64,
    at: Timestamp,
) -> OpResult<Option<Finding>> {
    let Some(limit) = contract.loss_limit(earned) else { return Ok(None) };
    let before = operations.ports.store.reports().sum_earned(scope, contract.id, day_of(at)).await?;
    Ok(stops_by_loss(limit, before, earned).map(|lost| findings::of_losses(limit, lost, at)))
}
