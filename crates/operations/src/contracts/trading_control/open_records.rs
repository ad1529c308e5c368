//! The records that the engine follows from pass to pass: [`OpenPurchases`], [`PurchaseOfOrder`], [`ItemsInStatus`], [`ItemOfPurchase`],
//! [`ItemsOfAccount`], [`ContractsAtWork`], and the recent activity of a contract. Not operations of the interface.

use crate::contracts::intents::proposals::activity_with_proposals;
use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseStatus};
use tradepost_domain::id::{ContractId, InventoryItemId, PurchaseId, WorkspaceId};
use tradepost_domain::text::{AccountName, ExternalId, MarketHashName, Marketplace};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Caller;
use tradepost_ports::store::{ActiveContract, RecordBatch};

use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, Versioned};

/// A query for purchases of a marketplace in a status that is not final, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPurchases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The marketplace of the purchases.
    pub marketplace: Marketplace,
    /// Their status; of a status that is final there are none.
    pub status: PurchaseStatus,
    /// Only those made after this one.
    pub after: Option<PurchaseId>,
    /// The maximum number.
    pub most: u32,
}

/// A request for the purchase that has an order of a marketplace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseOfOrder {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The marketplace.
    pub marketplace: Marketplace,
    /// The marketplace's id of the order.
    pub order_id: ExternalId,
}

/// A request for items in a status, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemsInStatus {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only those that are on sale here, or were sold here.
    pub marketplace: Option<Marketplace>,
    /// Their status.
    pub status: ItemStatus,
    /// Only those made after this one.
    pub after: Option<InventoryItemId>,
    /// The maximum number.
    pub most: u32,
}

/// A query for the items of a trading account that are not in a final status, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemsOfAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_name: AccountName,
    /// Only those made after this one.
    pub after: Option<InventoryItemId>,
    /// The maximum number.
    pub most: u32,
}

/// A request for the item that a purchase brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemOfPurchase {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The purchase.
    pub purchase_id: PurchaseId,
}

/// A request for the active contracts and their versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContractsAtWork {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Only those made after this one.
    pub after: Option<ContractId>,
    /// The maximum number.
    pub most: u32,
}

impl Operations {
    /// Returns a bounded number of complete waiting purchases, in one statement.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn open_purchases(&self, caller: &Caller, ask: OpenPurchases) -> OpResult<Vec<Versioned<Purchase>>> {
        let scope = caller.principal.enter(ask.workspace_id, READ_TRADING)?;
        let slice = RecordBatch { after: ask.after, most: ask.most };
        let found = self.ports.store.purchases().list_open(scope, &ask.marketplace, ask.status, slice).await?;
        Ok(found.into_iter().map(Versioned::from).collect())
    }

    /// Returns the purchase that has an order of a marketplace; `None` if none has it.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn purchase_of_order(
        &self,
        caller: &Caller,
        ask: PurchaseOfOrder,
    ) -> OpResult<Option<Versioned<Purchase>>> {
        let scope = caller.principal.enter(ask.workspace_id, READ_TRADING)?;
        let found = self.ports.store.purchases().find_of_order(scope, &ask.marketplace, &ask.order_id).await?;
        Ok(found.map(Versioned::from))
    }

    /// Returns a bounded number of complete items in a status, in one statement.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn items_in_status(
        &self,
        caller: &Caller,
        ask: ItemsInStatus,
    ) -> OpResult<Vec<Versioned<InventoryItem>>> {
        let scope = caller.principal.enter(ask.workspace_id, READ_TRADING)?;
        let slice = RecordBatch { after: ask.after, most: ask.most };
        let found = match &ask.marketplace {
            Some(marketplace) => self.ports.store.items().list_on_sale(scope, marketplace, ask.status, slice).await?,
            None => self.ports.store.items().list_in(scope, ask.status, slice).await?,
        };
        Ok(found.into_iter().map(Versioned::from).collect())
    }

    /// Returns items of a trading account that are not in a final status, whole, some at a time, in one statement.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn items_of_account(
        &self,
        caller: &Caller,
        ask: ItemsOfAccount,
    ) -> OpResult<Vec<Versioned<InventoryItem>>> {
        let scope = caller.principal.enter(ask.workspace_id, READ_TRADING)?;
        let slice = RecordBatch { after: ask.after, most: ask.most };
        let found = self.ports.store.items().list_of_account(scope, &ask.account_name, slice).await?;
        Ok(found.into_iter().map(Versioned::from).collect())
    }

    /// Returns the item that a purchase brought, whatever its status is by now; `None` while it has brought none.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn item_of_purchase(
        &self,
        caller: &Caller,
        ask: ItemOfPurchase,
    ) -> OpResult<Option<Versioned<InventoryItem>>> {
        let scope = caller.principal.enter(ask.workspace_id, READ_TRADING)?;
        Ok(self.ports.store.items().find_of_purchase(scope, ask.purchase_id).await?.map(Versioned::from))
    }

    /// Returns which contracts are active, by versions: what did not change need not be read again.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn contracts_at_work(&self, caller: &Caller, ask: ContractsAtWork) -> OpResult<Vec<ActiveContract>> {
        let scope = caller.principal.enter(ask.workspace_id, READ_TRADING)?;
        let slice = RecordBatch { after: ask.after, most: ask.most };
        Ok(self.ports.store.contracts().list_at_work(scope, slice).await?)
    }

    /// Returns the recent activity of a contract with items of this name, as far as its limits require it. Of a contract without such
    /// limits nothing is read, and the answer is that it did nothing. Of a contract that proposes what it would buy, its proposals
    /// count as well.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn contract_activity(
        &self,
        caller: &Caller,
        contract: &Contract,
        name: &MarketHashName,
    ) -> OpResult<Activity> {
        let scope = caller.principal.enter(contract.workspace_id, READ_TRADING)?;
        activity_with_proposals(self, scope, contract, name).await
    }
}
