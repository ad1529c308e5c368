//! `pools`: capital with limits, and the balances that its entries of the ledger come to.

use sea_orm::entity::prelude::*;
use tradepost_domain::contracts::ledger::{Account, Balanced};
use tradepost_domain::contracts::pool::{DayUse, Pool, PoolLimits, PoolParts, PoolStatus};
use tradepost_domain::money::{Cents, Currency};
use tradepost_domain::text::Name;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "pools")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub currency: String,
    pub status: i16,
    pub budget_cents: i64,
    pub max_per_purchase_cents: Option<i64>,
    pub max_exposure_per_item_cents: Option<i64>,
    pub daily_limit_cents: Option<i64>,
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
    pub used_on: i64,
    pub used_cents: i64,
    pub late_booked_at: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for Pool {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let of = |account| self.balances.of(account).get();
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            name: self.name.to_string(),
            currency: self.currency.to_string(),
            status: self.status.code(),
            budget_cents: self.limits.budget.get(),
            max_per_purchase_cents: self.limits.max_per_purchase.map(Cents::get),
            max_exposure_per_item_cents: self.limits.max_exposure_per_item.map(Cents::get),
            daily_limit_cents: self.limits.daily_limit.map(Cents::get),
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
            used_on: self.day_use.day,
            used_cents: self.day_use.used.get(),
            late_booked_at: self.late_booked_at.map(Timestamp::as_micros),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "pools", home: row.workspace_id, key: row.id };
        let limit = |column, cents| at.read_some(column, cents, Cents::new);
        let parts = PoolParts {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            name: at.read("name", Name::new(&row.name))?,
            currency: at.read("currency", Currency::new(&row.currency))?,
            status: at.code("status", row.status, PoolStatus::from_code)?,
            limits: PoolLimits {
                budget: at.cents("budget_cents", row.budget_cents)?,
                max_per_purchase: limit("max_per_purchase_cents", row.max_per_purchase_cents)?,
                max_exposure_per_item: limit("max_exposure_per_item_cents", row.max_exposure_per_item_cents)?,
                daily_limit: limit("daily_limit_cents", row.daily_limit_cents)?,
            },
            balances: balances_of(&row, at)?,
            day_use: DayUse { day: row.used_on, used: at.cents("used_cents", row.used_cents)? },
            late_booked_at: at.time_some("late_booked_at", row.late_booked_at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("status", Self::restore(parts))?, row.version))
    }
}

fn balances_of(row: &Model, at: RowLocation) -> StoreResult<Balanced> {
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
