//! The rules of writing off: only a lost item may be written off. Every other item may still bring money.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::remediation::RemediationKind;
use tradepost_domain::trading::trading_account::AccountStatus;
use tradepost_domain::transition::Subject;

use crate::contracts::purchases::lifecycle_update::LifecycleUpdate;
use crate::{OpError, OpResult, Operations, Reason};

/// Requires that the buyer of a delivered item was seen to have the money back, because only then the item is lost.
async fn require_kept(
    operations: &Operations,
    steps: &mut LifecycleUpdate<'_>,
    scope: WorkspaceScope,
    item: &InventoryItem,
) -> OpResult<()> {
    let live = operations.ports.store.remediations().list_live_of(scope, Subject::InventoryItem(item.id)).await?;
    let kept = live.into_iter().find(|remediation| remediation.peek().kind == RemediationKind::MissingItem);
    let kept = kept.ok_or_else(|| {
        refused("an item that was sold is written off only once it is missing: its proceeds may still come")
    })?;
    if !steps.are_about(kept.peek().id) {
        steps.rely_on(kept);
    }
    Ok(())
}

/// Checks that the account is banned: an item in an inventory, or in transit from there, is lost only with its account.
async fn require_shut_out(
    operations: &Operations,
    steps: &mut LifecycleUpdate<'_>,
    scope: WorkspaceScope,
    item: &InventoryItem,
) -> OpResult<()> {
    let account = operations.ports.store.trading_accounts().find_named(scope, &item.account_name).await?;
    let shut_out = account.filter(|account| account.peek().status == AccountStatus::Banned).ok_or_else(|| {
        refused(&format!(
            "an item that is {} is written off only where its account is BANNED: otherwise it is not lost",
            item.status
        ))
    })?;
    steps.rely_on(shut_out);
    Ok(())
}

/// Rejects writing off an item that is not lost. The evidence of the loss must still be valid when the step is committed.
pub(crate) async fn require_lost(
    operations: &Operations,
    steps: &mut LifecycleUpdate<'_>,
    scope: WorkspaceScope,
    item: &InventoryItem,
) -> OpResult<()> {
    match item.status {
        ItemStatus::Sold => require_kept(operations, steps, scope, item).await,
        ItemStatus::InInventory | ItemStatus::Delivering | ItemStatus::Held => {
            require_shut_out(operations, steps, scope, item).await
        }
        // The state machine decides the rest: a missing item is lost.
        ItemStatus::Missing
        | ItemStatus::Listing
        | ItemStatus::Listed
        | ItemStatus::Reserved
        | ItemStatus::Settled
        | ItemStatus::Reverted
        | ItemStatus::WrittenOff => Ok(()),
    }
}

fn refused(message: &str) -> OpError {
    OpError::failed_precondition(Reason::IllegalStep, message)
}
