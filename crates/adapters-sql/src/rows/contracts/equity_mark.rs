//! `equity_marks`: what a workspace was worth at the end of a day, once a day.

use sea_orm::entity::prelude::*;
use tradepost_domain::contracts::equity::{EquityMark, Worth};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "equity_marks")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub day: i64,
    pub taken_at: i64,
    pub available_cents: i64,
    pub reserved_cents: i64,
    pub paid_in_transit_cents: i64,
    pub refund_due_cents: i64,
    pub inventory_at_cost_cents: i64,
    pub delivered_at_cost_cents: i64,
    pub receivable_cents: i64,
    pub capital_cents: i64,
    pub realised_cents: i64,
    pub pending_cents: i64,
    pub unrealised_cents: i64,
    pub write_offs_cents: i64,
    pub items: i64,
    pub unpriced: i64,
    pub stale: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for EquityMark {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let worth = self.worth;
        Model {
            workspace_id: uuid(self.workspace_id),
            id: Uuid::from_bytes(self.key()),
            day: self.day,
            taken_at: self.taken_at.as_micros(),
            available_cents: worth.available,
            reserved_cents: worth.reserved,
            paid_in_transit_cents: worth.paid_in_transit,
            refund_due_cents: worth.refund_due,
            inventory_at_cost_cents: worth.inventory_at_cost,
            delivered_at_cost_cents: worth.delivered_at_cost,
            receivable_cents: worth.receivable,
            capital_cents: worth.capital,
            realised_cents: worth.realised,
            pending_cents: worth.pending,
            unrealised_cents: worth.unrealised,
            write_offs_cents: worth.write_offs,
            items: worth.items,
            unpriced: worth.unpriced,
            stale: worth.stale,
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "equity_marks", home: row.workspace_id, key: row.id };
        let worth = Worth {
            available: row.available_cents,
            reserved: row.reserved_cents,
            paid_in_transit: row.paid_in_transit_cents,
            refund_due: row.refund_due_cents,
            inventory_at_cost: row.inventory_at_cost_cents,
            delivered_at_cost: row.delivered_at_cost_cents,
            receivable: row.receivable_cents,
            capital: row.capital_cents,
            realised: row.realised_cents,
            pending: row.pending_cents,
            unrealised: row.unrealised_cents,
            write_offs: row.write_offs_cents,
            items: row.items,
            unpriced: row.unpriced,
            stale: row.stale,
        };
        let taken_at = at.time("taken_at", row.taken_at)?;
        let mark = at.read("amounts", Self::new(id(row.workspace_id), row.day, taken_at, worth))?;
        if mark.key() != row.id.into_bytes() {
            return Err(at.corrupt("day", &format_args!("{} is not the day of its id", row.day)));
        }
        Ok(Seen::loaded(mark, row.version))
    }
}
