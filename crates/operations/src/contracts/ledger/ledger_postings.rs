//! The ledger entries of the steps of one commit, and the pool whose balances they change.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::ledger::posting::{
    Booking, item_posting, of_import, of_item, of_purchase, of_sale_elsewhere, paid_out, recovered,
};
use tradepost_domain::contracts::ledger::{LedgerEntry, LedgerError};
use tradepost_domain::contracts::pool::Pool;
use tradepost_domain::contracts::purchase::Purchase;
use tradepost_domain::id::{ContractId, PoolId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Changes, Seen};
use tradepost_ports::store::StoreError;

use crate::contracts::ledger::pool_entries::PoolEntries;
use crate::{OpError, OpResult, Operations};

/// The steps to book: those of one purchase and of its item, which share their pool.
#[derive(Default)]
pub(crate) struct LedgerPostings {
    booked: Vec<Booking>,
    moved: Option<(Option<Purchase>, Purchase)>,
}

impl LedgerPostings {
    /// Adds the step of a purchase.
    pub(crate) fn purchase(&mut self, before: Option<&Purchase>, after: &Purchase) -> OpResult<()> {
        self.booked.extend(of_purchase(before, after)?);
        self.moved = Some((before.cloned(), after.clone()));
        Ok(())
    }

    /// Adds that an imported item was put in at its cost.
    pub(crate) fn imported(&mut self, item: &InventoryItem, purchase: &Purchase) -> OpResult<()> {
        self.booked.extend(of_import(item, purchase)?);
        Ok(())
    }

    /// Adds that an item was sold elsewhere.
    pub(crate) fn sold_elsewhere(&mut self, after: &InventoryItem, purchase: &Purchase) -> OpResult<()> {
        self.booked.extend(of_sale_elsewhere(after, purchase)?);
        Ok(())
    }

    /// Adds that an item which was written off is not lost, before the step of its purchase that takes it from the inventory.
    pub(crate) fn recovered(&mut self, item: &InventoryItem, purchase: &Purchase) -> OpResult<()> {
        drop(self.booked.splice(0..0, recovered(item, purchase)?));
        Ok(())
    }

    /// Adds that a marketplace has paid out what the last step made it owe.
    pub(crate) fn paid_out(&mut self) -> OpResult<()> {
        let paid_out = self.booked.last().map(paid_out).transpose()?.flatten();
        self.booked.extend(paid_out);
        Ok(())
    }

    /// Returns the realised profit in cents; less than zero for a loss.
    pub(crate) fn earned(&self) -> i64 {
        self.booked.iter().map(|booking| booking.amounts.earned()).fold(0, i64::saturating_add)
    }

    /// Returns the contract of the pool, where there is something to book. Imported items have none.
    fn contract_id(&self) -> Option<ContractId> {
        self.booked.first().and_then(|booking| booking.trade.contract_id)
    }

    /// Returns the entries under a pool, or under the workspace itself.
    pub(crate) fn entries(
        self,
        operations: &Operations,
        scope: WorkspaceScope,
        pool_id: Option<PoolId>,
        at: Timestamp,
    ) -> PoolEntries {
        let entry = |booking: Booking| LedgerEntry {
            id: operations.mint(),
            workspace_id: scope.workspace_id(),
            pool_id,
            posting: booking.posting,
            amounts: booking.amounts,
            pending: booking.pending,
            trade: Some(booking.trade),
            reason: None,
            at,
        };
        PoolEntries { moved: self.moved, entries: self.booked.into_iter().map(entry).collect() }
    }
}

/// The pool under which steps are booked; the workspace itself where there is none.
pub(crate) struct Funds {
    pub(crate) scope: WorkspaceScope,
    pub(crate) pool: Option<Seen<Pool>>,
}

/// Adds the step of an item to the steps to book. The purchase records the item's cost and never changes it.
pub(crate) async fn note_item(
    operations: &Operations,
    bookings: &mut LedgerPostings,
    scope: WorkspaceScope,
    before: &InventoryItem,
    after: &InventoryItem,
) -> OpResult<()> {
    if item_posting(before.status, after.status).is_none() {
        return Ok(());
    }
    let purchase = operations.ports.store.purchases().find(scope, after.purchase_id).await?;
    let purchase = purchase.ok_or_else(|| StoreError::Corrupt("an item has no purchase".to_owned()))?;
    bookings.booked.extend(of_item(before, after, purchase.peek())?);
    Ok(())
}

/// Books everything that was noted under the pool of its contract, which is given as it was read; under the workspace itself where there
/// is no contract.
pub(crate) async fn book_steps(
    operations: &Operations,
    changes: &mut Changes,
    scope: WorkspaceScope,
    bookings: LedgerPostings,
    at: Timestamp,
) -> OpResult<Option<Seen<Contract>>> {
    let Some(contract_id) = bookings.contract_id() else {
        book(operations, changes, Funds { scope, pool: None }, bookings, at)?;
        return Ok(None);
    };
    let contract = operations.ports.store.contracts().find(scope, contract_id).await?;
    let contract = contract.ok_or_else(|| StoreError::Corrupt("a purchase has no contract".to_owned()))?;
    // An active contract keeps its pool, so that nothing is relied on. Contracts of old may name one that never was.
    let pool = match contract.peek().pool_id {
        Some(id) => operations.ports.store.pools().find(scope, id).await?,
        None => None,
    };
    book(operations, changes, Funds { scope, pool }, bookings, at)?;
    Ok(Some(contract))
}

/// Books under a pool, or under the workspace itself.
pub(crate) fn book(
    operations: &Operations,
    changes: &mut Changes,
    funds: Funds,
    bookings: LedgerPostings,
    at: Timestamp,
) -> OpResult<()> {
    let Funds { scope, pool } = funds;
    let entries = bookings.entries(operations, scope, pool.as_ref().map(|pool| pool.peek().id), at);
    Ok(entries.write(changes, pool, at)?)
}

impl From<LedgerError> for OpError {
    fn from(error: LedgerError) -> Self {
        StoreError::Corrupt(format!("the ledger does not add up: {error}")).into()
    }
}
