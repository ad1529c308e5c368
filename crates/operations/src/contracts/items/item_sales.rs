//! [`ListItemForSale`], [`RepriceItem`] and [`DelistItem`]: what a person wants done about the sale of an item.

use crate::contracts::intents::propose_intent::propose;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::intent::{DecisionBasis, Intent, IntentKind, Target};
use tradepost_domain::id::{InventoryItemId, WorkspaceId};
use tradepost_ports::changes::Caller;

use crate::contracts::intents::create_intent::WantedSale;
use crate::contracts::intents::propose_intent::ProposeIntent;
use crate::rules;
use crate::{OpResult, Operations, Versioned};

/// Puts an item on sale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListItemForSale {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
    /// The marketplace, 1 to 64 characters.
    pub marketplace: String,
    /// The price to ask, in cents, more than 0.
    pub price_cents: Option<i64>,
}

/// A command to change the price of an item that is on sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepriceItem {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
    /// The price to ask, in cents, more than 0.
    pub price_cents: Option<i64>,
}

/// Takes an item off sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DelistItem {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The item.
    pub inventory_item_id: InventoryItemId,
}

impl Operations {
    /// Has an item put on sale: the caller's request approves the intent.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for bad fields, `not_found`, `already_exists` with `INTENT_EXISTS`,
    /// `failed_precondition`: `ILLEGAL_STEP` unless the item is in the inventory, `ITEM_CLOSED`, `ITEM_LOCKED` as long as it cannot be
    /// traded.
    pub async fn list_item_for_sale(&self, caller: &Caller, command: ListItemForSale) -> OpResult<Versioned<Intent>> {
        let ListItemForSale { workspace_id, inventory_item_id, marketplace, price_cents } = command;
        let scope = rules::LIST_ITEM_FOR_SALE.enter(&caller.principal, workspace_id)?;
        let sale = WantedSale { inventory_item_id, marketplace, price_cents };
        self.have_done(caller, scope, IntentKind::List, sale).await
    }

    /// Has another price asked for an item.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for bad fields, `not_found`, `already_exists` with `INTENT_EXISTS`,
    /// `failed_precondition`: `ILLEGAL_STEP` unless the item is on sale, `ITEM_CLOSED`, `BELOW_FLOOR` of the contract that it is on
    /// sale for.
    pub async fn reprice_item(&self, caller: &Caller, command: RepriceItem) -> OpResult<Versioned<Intent>> {
        let RepriceItem { workspace_id, inventory_item_id, price_cents } = command;
        let scope = rules::REPRICE_ITEM.enter(&caller.principal, workspace_id)?;
        let sale = WantedSale { inventory_item_id, marketplace: String::new(), price_cents };
        self.have_done(caller, scope, IntentKind::Reprice, sale).await
    }

    /// Has an item delisted.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `already_exists` with `INTENT_EXISTS`, `failed_precondition`: `ILLEGAL_STEP` unless
    /// the item is on sale, `ITEM_CLOSED`.
    pub async fn delist_item(&self, caller: &Caller, command: DelistItem) -> OpResult<Versioned<Intent>> {
        let DelistItem { workspace_id, inventory_item_id } = command;
        let scope = rules::DELIST_ITEM.enter(&caller.principal, workspace_id)?;
        let sale = WantedSale { inventory_item_id, marketplace: String::new(), price_cents: None };
        self.have_done(caller, scope, IntentKind::Delist, sale).await
    }

    async fn have_done(
        &self,
        caller: &Caller,
        scope: WorkspaceScope,
        kind: IntentKind,
        sale: WantedSale,
    ) -> OpResult<Versioned<Intent>> {
        let target = Target::Item(sale.check()?);
        target.check(kind)?;
        let workspace_id = scope.workspace_id();
        let wanted = ProposeIntent {
            workspace_id,
            contract_id: None,
            kind,
            target,
            basis: DecisionBasis::default(),
            is_read_only: false,
        };
        propose(self, caller, scope, wanted, true).await
    }
}
