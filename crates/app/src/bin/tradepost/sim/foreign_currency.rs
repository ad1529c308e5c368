//! Ledger of a run whose marketplace has another currency, compared with the marketplace deal by deal in that currency: what each deal came to
//! in ours by its recorded rate, and what all of them together took out of the balance.

use std::collections::HashMap;

use tradepost::domain::contracts::inventory_item::{InventoryItem, ItemStatus};
use tradepost::domain::contracts::purchase::Purchase;
use tradepost::domain::markets::exchange::{ExchangeRate, Paid};
use tradepost::domain::money::MoneyError;
use tradepost::domain::text::ExternalId;
use tradepost::domain::time::Timestamp;
use tradepost::operations::contracts::{
    GetInventoryItems, GetPurchases, ListInventoryItems, ListPurchases, WantedItems, WantedPurchases,
};
use tradepost::operations::{Caller, OpResult};
use tradepost::ports::marketplace::{MarketOrder, Marketplace as _, Sale};

use super::run::Run;
use crate::failure::Outcome;
use crate::simulated::{CAPITAL, CUSTOMER, refused};

/// As many as the operations give at once.
const PAGE: i32 = 200;

/// What our deals come to at the marketplace.
pub(super) struct ForeignBooks {
    /// What should be left there of what was paid in, in its currency.
    pub(super) left: i64,
    /// The deals whose ledger amount differs from the marketplace's at their rate.
    pub(super) differing: Vec<String>,
}

impl ForeignBooks {
    pub(super) async fn of(run: &Run) -> Outcome<Self> {
        let market = run.simulator.marketplace(CUSTOMER);
        let mut abroad = Self { left: CAPITAL, differing: Vec::new() };
        for purchase in purchases(run).await.map_err(refused)? {
            let Some(bought) = &purchase.progress.order else { continue };
            let order = market.order(&bought.id).await.map_err(refused)?;
            abroad.buy(&purchase, &order).map_err(refused)?;
        }
        let sales = market.sales(Timestamp::MIN).await.map_err(refused)?;
        let sales: HashMap<ExternalId, Sale> = sales.into_iter().map(|sale| (sale.listing_id.clone(), sale)).collect();
        for item in items(run).await.map_err(refused)? {
            let sold = item.sale_listing_id.as_ref().filter(|_| item.status == ItemStatus::Settled);
            if let Some(listing_id) = sold {
                abroad.sell(&item, sales.get(listing_id)).map_err(refused)?;
            }
        }
        Ok(abroad)
    }

    fn buy(&mut self, purchase: &Purchase, order: &MarketOrder) -> Result<(), MoneyError> {
        let (terms, progress) = (&purchase.terms, &purchase.progress);
        let is_refunded = progress.refunded.get() > 0;
        let paid = order.price.plus(order.fee)?;
        self.left -= paid.get();
        self.left += if is_refunded { order.refunded.get() } else { 0 };
        let agrees = |rate: ExchangeRate| -> Result<bool, MoneyError> {
            let (price, fee) = (rate.cost(order.price)?, rate.cost(order.fee)?);
            let back = if is_refunded {
                rate.refund(order.refunded, Paid { there: paid, cost: price.plus(fee)? })?
            } else {
                progress.refunded
            };
            let booked = progress.order.as_ref().map(|order| (order.executed_price, order.fee));
            let is_within = price.plus(fee)? <= terms.max_buy_price;
            Ok(booked == Some((price, fee)) && progress.refunded == back && is_within)
        };
        if !terms.exchange_rate.map_or(Ok(false), agrees)? {
            self.differing.push(format!("purchase {}", terms.id));
        }
        Ok(())
    }

    fn sell(&mut self, item: &InventoryItem, sale: Option<&Sale>) -> Result<(), MoneyError> {
        let agrees = |sale: &Sale, rate: ExchangeRate| -> Result<bool, MoneyError> {
            let price = rate.proceeds(sale.price)?;
            let booked = item.proceeds.map(|proceeds| (proceeds.sell_price(), proceeds.sale_fee()));
            Ok(booked == Some((price, rate.cost(sale.fee)?.min(price))))
        };
        if let Some(sale) = sale {
            self.left += sale.price.minus(sale.fee)?.get();
        }
        if !sale.zip(item.sale_rate).map_or(Ok(false), |(sale, rate)| agrees(sale, rate))? {
            self.differing.push(format!("item {}", item.id));
        }
        Ok(())
    }
}

async fn purchases(run: &Run) -> OpResult<Vec<Purchase>> {
    let (system, operations, workspace_id) = (Caller::system(), run.app.operations(), run.workspace_id);
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let list = ListPurchases {
            workspace_id,
            limit: PAGE,
            cursor,
            contract_id: None,
            status: None,
            wanted: WantedPurchases::default(),
        };
        let page = operations.list_purchases(&system, list).await?;
        if !page.entries.is_empty() {
            let get = GetPurchases { workspace_id, purchase_ids: page.entries };
            found.extend(operations.get_purchases(&system, get).await?.found.into_iter().map(|one| one.value));
        }
        if page.next_cursor.is_empty() {
            return Ok(found);
        }
        cursor = page.next_cursor;
    }
}

async fn items(run: &Run) -> OpResult<Vec<InventoryItem>> {
    let (system, operations, workspace_id) = (Caller::system(), run.app.operations(), run.workspace_id);
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let list = ListInventoryItems {
            workspace_id,
            limit: PAGE,
            cursor,
            contract_id: None,
            status: None,
            market_hash_name: String::new(),
            account_name: String::new(),
            wanted: WantedItems::default(),
        };
        let page = operations.list_inventory_items(&system, list).await?;
        if !page.entries.is_empty() {
            let get = GetInventoryItems { workspace_id, inventory_item_ids: page.entries };
            found.extend(operations.get_inventory_items(&system, get).await?.found.into_iter().map(|one| one.value));
        }
        if page.next_cursor.is_empty() {
            return Ok(found);
        }
        cursor = page.next_cursor;
    }
}
