//! `ledger_entries`: where money is and where it came from, only ever added to.

use sea_orm::entity::prelude::*;
use tradepost_domain::contracts::ledger::{Account, Balanced, LedgerEntry, Posting, Trade};
use tradepost_domain::money::SignedCents;
use tradepost_domain::text::{AccountName, Description, MarketHashName, Marketplace};
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, contract_of_column, contract_to_column, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "ledger_entries")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub pool_id: Option<Uuid>,
    pub posting: i16,
    pub available_cents: i64,
    pub reserved_cents: i64,
    pub paid_in_transit_cents: i64,
    pub refund_due_cents: i64,
    pub inventory_at_cost_cents: i64,
    pub delivered_at_cost_cents: i64,
    pub receivable_cents: i64,
    pub fees_cents: i64,
    pub realised_pnl_cents: i64,
    pub write_offs_cents: i64,
    pub capital_cents: i64,
    pub pending_cents: i64,
    pub contract_id: Option<Uuid>,
    pub purchase_id: Option<Uuid>,
    pub inventory_item_id: Option<Uuid>,
    pub market_hash_name: Option<String>,
    pub account_name: Option<String>,
    pub marketplace: Option<String>,
    pub sale_marketplace: Option<String>,
    pub selling_contract_id: Option<Uuid>,
    pub buy_fee_cents: Option<i64>,
    pub reason: Option<String>,
    pub at: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The row of an entry.
pub(crate) fn to_row(entry: &LedgerEntry) -> Model {
    let of = |account| entry.amounts.of(account).get();
    let trade = entry.trade.as_ref();
    let sale = trade.and_then(|trade| trade.sale.as_ref());
    Model {
        workspace_id: uuid(entry.workspace_id),
        id: uuid(entry.id),
        pool_id: entry.pool_id.map(uuid),
        posting: entry.posting.code(),
        available_cents: of(Account::Available),
        reserved_cents: of(Account::Reserved),
        paid_in_transit_cents: of(Account::PaidInTransit),
        refund_due_cents: of(Account::RefundDue),
        inventory_at_cost_cents: of(Account::InventoryAtCost),
        delivered_at_cost_cents: of(Account::DeliveredAtCost),
        receivable_cents: of(Account::Receivable),
        fees_cents: of(Account::Fees),
        realised_pnl_cents: of(Account::RealisedPnl),
        write_offs_cents: of(Account::WriteOffs),
        capital_cents: of(Account::Capital),
        pending_cents: entry.pending.get(),
        contract_id: trade.map(|trade| contract_to_column(trade.contract_id)),
        purchase_id: trade.map(|trade| uuid(trade.purchase_id)),
        inventory_item_id: trade.and_then(|trade| trade.inventory_item_id).map(uuid),
        market_hash_name: trade.map(|trade| trade.market_hash_name.to_string()),
        account_name: trade.map(|trade| trade.account_name.to_string()),
        marketplace: trade.map(|trade| trade.marketplace.to_string()),
        sale_marketplace: sale.map(|place| place.marketplace.to_string()),
        selling_contract_id: sale.and_then(|place| place.contract_id).map(uuid),
        buy_fee_cents: trade.map(|trade| trade.buy_fee.get()),
        reason: entry.reason.as_ref().map(ToString::to_string),
        at: entry.at.as_micros(),
    }
}

/// The entry in a row.
pub(crate) fn to_domain(row: &Model) -> StoreResult<LedgerEntry> {
    let at = RowLocation { table: "ledger_entries", home: row.workspace_id, key: row.id };
    Ok(LedgerEntry {
        id: id(row.id),
        workspace_id: id(row.workspace_id),
        pool_id: row.pool_id.map(id),
        posting: at.code("posting", row.posting, Posting::from_code)?,
        amounts: amounts_of(row, at)?,
        pending: at.read("pending_cents", SignedCents::new(row.pending_cents))?,
        trade: row.contract_id.map(|contract_id| trade_of(row, contract_id, at)).transpose()?,
        reason: at.read_some("reason", row.reason.as_deref(), Description::new)?,
        at: at.time("at", row.at)?,
    })
}

fn trade_of(row: &Model, contract_id: Uuid, at: RowLocation) -> StoreResult<Trade> {
    Ok(Trade {
        contract_id: contract_of_column(contract_id),
        purchase_id: id(at.present("purchase_id", row.purchase_id)?),
        inventory_item_id: row.inventory_item_id.map(id),
        market_hash_name: at.read(
            "market_hash_name",
            MarketHashName::new(at.present("market_hash_name", row.market_hash_name.as_deref())?),
        )?,
        account_name: at
            .read("account_name", AccountName::new(at.present("account_name", row.account_name.as_deref())?))?,
        marketplace: at
            .read("marketplace", Marketplace::new(at.present("marketplace", row.marketplace.as_deref())?))?,
        sale: at.sale_place(row.sale_marketplace.as_deref(), row.selling_contract_id)?,
        buy_fee: at.cents("buy_fee_cents", at.present("buy_fee_cents", row.buy_fee_cents)?)?,
    })
}

fn amounts_of(row: &Model, at: RowLocation) -> StoreResult<Balanced> {
    at.balanced([
        (Account::Available, row.available_cents),
        (Account::Reserved, row.reserved_cents),
        (Account::PaidInTransit, row.paid_in_transit_cents),
        (Account::RefundDue, row.refund_due_cents),
        (Account::InventoryAtCost, row.inventory_at_cost_cents),
        (Account::DeliveredAtCost, row.delivered_at_cost_cents),
        (Account::Receivable, row.receivable_cents),
        (Account::Fees, row.fees_cents),
        (Account::RealisedPnl, row.realised_pnl_cents),
        (Account::WriteOffs, row.write_offs_cents),
        (Account::Capital, row.capital_cents),
    ])
}
