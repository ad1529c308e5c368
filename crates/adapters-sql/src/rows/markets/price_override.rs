//! `price_overrides`: values that people gave to variants.

use sea_orm::entity::prelude::*;
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing::PriceOverride;
use tradepost_domain::text::ReasonText;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::markets::market_observation::{phase_to_column, variant_of};
use crate::rows::transition::{actor_of, actor_to_columns};
use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price_overrides")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub app_id: i64,
    pub market_hash_name: String,
    pub phase: String,
    pub price: i64,
    pub expires_at: i64,
    pub reason: String,
    pub actor_kind: i16,
    pub actor_user_id: Option<Uuid>,
    pub actor_key_id: Option<Uuid>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for VariantOverride {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (actor_kind, actor_user_id, actor_key_id) = actor_to_columns(self.given_by);
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            app_id: i64::from(self.variant.app_id.get()),
            market_hash_name: self.variant.market_hash_name.to_string(),
            phase: phase_to_column(&self.variant),
            price: self.given.price.get(),
            expires_at: self.given.expires_at.as_micros(),
            reason: self.reason.to_string(),
            actor_kind,
            actor_user_id,
            actor_key_id,
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "price_overrides", home: row.workspace_id, key: row.id };
        let given = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            variant: variant_of(at, row.app_id, &row.market_hash_name, &row.phase)?,
            given: PriceOverride {
                price: at.cents("price", row.price)?,
                expires_at: at.time("expires_at", row.expires_at)?,
            },
            reason: at.read("reason", ReasonText::new(&row.reason))?,
            given_by: actor_of(at, row.actor_kind, row.actor_user_id, row.actor_key_id)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(given, row.version))
    }
}
