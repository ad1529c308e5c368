//! [`ListInventoryItems`]: identifiers of inventory items, the newest first.

use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::id::{ContractId, InventoryItemId, OfInventoryItem, WorkspaceId};
use tradepost_domain::text::{AccountName, MarketHashName};
use tradepost_ports::changes::Caller;
use tradepost_ports::store::ItemFilter;

use crate::paging::ListKey;
use crate::rules::READ_TRADING;
use crate::{OpResult, Operations, PageOf, fields};

/// Asks for a page of inventory items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListInventoryItems {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Most ids on the page: 0 is 50, above 200 is 200, negative is refused.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only inventory items of this contract.
    pub contract_id: Option<ContractId>,
    /// Only inventory items in this status.
    pub status: Option<ItemStatus>,
    /// Only inventory items of this market name; empty for all.
    pub market_hash_name: String,
    /// Only inventory items with the trading account of this name; empty for all.
    pub account_name: String,
}

impl Operations {
    /// Gives a page of inventory items, the newest first.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a bad filter or limit or a cursor that this list did not give out.
    pub async fn list_inventory_items(
        &self,
        caller: &Caller,
        command: ListInventoryItems,
    ) -> OpResult<PageOf<InventoryItemId>> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let given = |text: &'_ str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (name, account) = (given(&command.market_hash_name), given(&command.account_name));
        let name: Option<MarketHashName> = fields::optional(name.as_deref(), fields::text, "marketHashName")?;
        let account: Option<AccountName> = fields::optional(account.as_deref(), fields::text, "accountName")?;
        let key = ListKey::of("inventory items", scope)
            .and_id(command.contract_id)
            .and_code(command.status.map(ItemStatus::code))
            .and(name.as_ref().map(|text| text.as_str().as_bytes()))
            .and(account.as_ref().map(|text| text.as_str().as_bytes()));
        let request = self.page_request::<OfInventoryItem>(&key, command.limit, &command.cursor)?;
        let filter = ItemFilter {
            contract_id: command.contract_id,
            status: command.status,
            market_hash_name: name.as_ref(),
            account_name: account.as_ref(),
        };
        let page = self.ports.store.list_items(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }
}
