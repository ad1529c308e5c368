//! Pools and the ledger on the wire.

use connectrpc::ConnectError;
use tradepost_domain::contracts::ledger::{Account, Balanced, LedgerEntry};
use tradepost_domain::contracts::pool::{self, Pool};
use tradepost_domain::money::{Cents, SignedCents};
use tradepost_operations::Versioned;
use tradepost_operations::contracts::{Capital, LimitsOfPool};

use crate::convert::enums::WireEnum as _;
use crate::convert::{invalid, wire_id, wire_number, wire_time};
use tradepost_proto::contracts::v1 as wire;
use tradepost_proto::contracts::v1::__buffa::view::PoolLimitsView;

pub(crate) fn limits(limits: &PoolLimitsView<'_>) -> Result<LimitsOfPool, ConnectError> {
    Ok(LimitsOfPool {
        budget_cents: limits.budget_cents.ok_or_else(|| invalid("limits.budgetCents", "is required"))?,
        max_per_purchase_cents: limits.max_per_purchase_cents,
        max_exposure_per_item_cents: limits.max_exposure_per_item_cents,
        daily_limit_cents: limits.daily_limit_cents,
    })
}

pub(crate) fn pool(Versioned { value, version }: &Versioned<Pool>) -> wire::Pool {
    wire::Pool {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        name: Some(value.name.to_string()),
        currency: Some(value.currency.to_string()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        limits: wire_limits(&value.limits).into(),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        late_booked_at: value.late_booked_at.map(wire_time).into(),
    }
}

fn wire_limits(limits: &pool::PoolLimits) -> wire::PoolLimits {
    wire::PoolLimits {
        budget_cents: Some(limits.budget.get()),
        max_per_purchase_cents: limits.max_per_purchase.map(Cents::get),
        max_exposure_per_item_cents: limits.max_exposure_per_item.map(Cents::get),
        daily_limit_cents: limits.daily_limit.map(Cents::get),
    }
}

pub(crate) fn balance(balances: &Balanced, version: i64) -> wire::PoolBalance {
    let held = |account| Some(balances.of(account).get());
    wire::PoolBalance {
        capital_cents: Some(balances.of(Account::Capital).negated().get()),
        available_cents: held(Account::Available),
        reserved_cents: held(Account::Reserved),
        paid_in_transit_cents: held(Account::PaidInTransit),
        refund_due_cents: held(Account::RefundDue),
        inventory_at_cost_cents: held(Account::InventoryAtCost),
        delivered_at_cost_cents: held(Account::DeliveredAtCost),
        receivable_cents: held(Account::Receivable),
        realised_cents: Some(balances.realised()),
        write_offs_cents: held(Account::WriteOffs),
        version: Some(version),
    }
}

pub(crate) fn capital(capital: &Capital) -> wire::Capital {
    let all = balance(&capital.balances, 0);
    wire::Capital {
        pool_count: Some(wire_number(capital.pools)),
        capital_cents: all.capital_cents,
        available_cents: all.available_cents,
        reserved_cents: all.reserved_cents,
        paid_in_transit_cents: all.paid_in_transit_cents,
        refund_due_cents: all.refund_due_cents,
        inventory_at_cost_cents: all.inventory_at_cost_cents,
        delivered_at_cost_cents: all.delivered_at_cost_cents,
        receivable_cents: all.receivable_cents,
        realised_cents: all.realised_cents,
        write_offs_cents: all.write_offs_cents,
        unpooled_inventory_at_cost_cents: Some(capital.unpooled_inventory),
    }
}

pub(crate) fn ledger_entry(entry: &LedgerEntry) -> wire::LedgerEntry {
    let trade = entry.trade.as_ref();
    let sale = trade.and_then(|trade| trade.sale.as_ref());
    let leg = |account: Account, amount: SignedCents| wire::LedgerLeg {
        account: Some(account.to_wire()),
        amount_cents: Some(amount.get()),
    };
    let item_id = trade.and_then(|trade| trade.inventory_item_id);
    wire::LedgerEntry {
        id: Some(wire_id(entry.id)),
        workspace_id: Some(wire_id(entry.workspace_id)),
        pool_id: Some(entry.pool_id.map(wire_id).unwrap_or_default()),
        posting: Some(entry.posting.to_wire()),
        legs: entry.amounts.legs().map(|(account, amount)| leg(account, amount)).collect(),
        pending_cents: Some(entry.pending.get()),
        contract_id: Some(trade.and_then(|trade| trade.contract_id).map(wire_id).unwrap_or_default()),
        purchase_id: Some(trade.map(|trade| wire_id(trade.purchase_id)).unwrap_or_default()),
        inventory_item_id: Some(item_id.map(wire_id).unwrap_or_default()),
        market_hash_name: Some(trade.map(|trade| trade.market_hash_name.to_string()).unwrap_or_default()),
        account_name: Some(trade.map(|trade| trade.account_name.to_string()).unwrap_or_default()),
        marketplace: Some(trade.map(|trade| trade.marketplace.to_string()).unwrap_or_default()),
        reason: Some(entry.reason.as_ref().map(ToString::to_string).unwrap_or_default()),
        created_at: wire_time(entry.at).into(),
        sale_marketplace: Some(sale.map(|place| place.marketplace.to_string()).unwrap_or_default()),
        selling_contract_id: Some(sale.and_then(|place| place.contract_id).map(wire_id).unwrap_or_default()),
    }
}
