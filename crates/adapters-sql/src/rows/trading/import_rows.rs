//! `import_rows`: what was understood of the accounts or items of an import, and what applying does with each. No secret is in it.

use std::num::NonZeroU64;

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use tradepost_domain::text::{AccountName, Description};
use tradepost_domain::trading::import::{
    HoldingField, HoldingRow, ImportRow, ImportRows, ReadField, ReasonCode, RowOutcome, RowReason,
};
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "import_rows")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub content: String,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// A row as it is stored. Lists of numbers are those of the domain's enums.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRow {
    number: u32,
    user: Option<NonZeroU64>,
    name: Option<String>,
    given: Vec<i16>,
    outcome: i16,
    reasons: Vec<(i16, String)>,
    account: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    holding: Option<StoredHolding>,
}

/// A holding, a sale or a purchase as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredHolding {
    fields: Vec<(i16, String)>,
    item: Option<Uuid>,
    purchase: Option<Uuid>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_purchase: bool,
}

impl Stored for ImportRows {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let rows: Vec<StoredRow> = self.rows.iter().map(stored).collect();
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.import_id),
            // Numbers and texts: serialising these cannot fail. What could not be written would be refused on reading.
            content: serde_json::to_string(&rows).unwrap_or_default(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "import_rows", home: row.workspace_id, key: row.id };
        let stored: Vec<StoredRow> = at.read("content", serde_json::from_str(&row.content))?;
        let rows = stored.into_iter().map(|stored| loaded(at, stored)).collect::<StoreResult<_>>()?;
        let rows = Self { import_id: id(row.id), workspace_id: id(row.workspace_id), rows };
        Ok(Seen::loaded(rows, row.version))
    }
}

fn stored(row: &ImportRow) -> StoredRow {
    StoredRow {
        number: row.number,
        user: row.platform_user_id.map(PlatformUserId::number),
        name: row.name.as_ref().map(ToString::to_string),
        given: row.given.iter().map(|field| field.code()).collect(),
        outcome: row.outcome.code(),
        reasons: row.reasons.iter().map(|reason| (reason.code.code(), reason.detail.to_string())).collect(),
        account: row.account_id.map(uuid),
        holding: row.holding.as_deref().map(stored_holding),
    }
}

fn stored_holding(holding: &HoldingRow) -> StoredHolding {
    StoredHolding {
        fields: holding.fields.iter().map(|(field, text)| (field.code(), text.to_string())).collect(),
        item: holding.item_id.map(uuid),
        purchase: holding.purchase_id.map(uuid),
        is_purchase: holding.is_purchase,
    }
}

fn loaded(at: RowLocation, row: StoredRow) -> StoreResult<ImportRow> {
    let reason = |(code, detail): (i16, String)| {
        let code = at.code("content", code, ReasonCode::from_code)?;
        Ok(RowReason { code, detail: at.read("content", Description::new(&detail))? })
    };
    Ok(ImportRow {
        number: row.number,
        platform_user_id: row.user.map(PlatformUserId::new),
        name: at.read_some("content", row.name.as_deref(), AccountName::new)?,
        given: row
            .given
            .into_iter()
            .map(|code| at.code("content", code, ReadField::from_code))
            .collect::<StoreResult<_>>()?,
        outcome: at.code("content", row.outcome, RowOutcome::from_code)?,
        reasons: row.reasons.into_iter().map(reason).collect::<StoreResult<_>>()?,
        account_id: row.account.map(id),
        holding: row.holding.map(|stored| loaded_holding(at, stored).map(Box::new)).transpose()?,
    })
}

fn loaded_holding(at: RowLocation, stored: StoredHolding) -> StoreResult<HoldingRow> {
    let field = |(code, text): (i16, String)| {
        let field = at.code("content", code, HoldingField::from_code)?;
        Ok((field, at.read("content", Description::new(&text))?))
    };
    Ok(HoldingRow {
        fields: stored.fields.into_iter().map(field).collect::<StoreResult<_>>()?,
        item_id: stored.item.map(id),
        purchase_id: stored.purchase.map(id),
        is_purchase: stored.is_purchase,
    })
}
