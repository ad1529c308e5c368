//! `confirmations`: what waits for the mobile authenticator of a trading account.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};
use tradepost_domain::text::{AccountName, ExternalId, ReasonText};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation::{
    CheckCode, Confirmation, ConfirmationCheck, ConfirmationStatus, ConfirmationText, PendingAnswer, ShownConfirmation,
};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "confirmations")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_name: String,
    pub platform_id: String,
    pub platform_kind: i64,
    pub kind: i16,
    pub kind_name: Option<String>,
    pub creator: String,
    pub headline: Option<String>,
    pub summary: String,
    pub checks: String,
    pub shown_at: i64,
    pub status: i16,
    pub trade_offer_id: Option<Uuid>,
    pub intent_id: Option<Uuid>,
    pub attempts: i16,
    pub asked_at: Option<i64>,
    pub by_person: Option<i16>,
    pub begun_at: Option<i64>,
    pub recorded_at: i64,
    pub seen_at: i64,
    pub missing_since: Option<i64>,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Code, whether it holds, and why not.
#[derive(Serialize, Deserialize)]
struct Check(i16, bool, Option<String>);

impl Stored for Confirmation {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (shown, answer) = (&self.shown, self.answer);
        let summary: Vec<&str> = shown.summary.iter().map(ConfirmationText::as_str).collect();
        let check = |made: &ConfirmationCheck| {
            Check(made.code.code(), made.holds, made.detail.as_ref().map(ToString::to_string))
        };
        let checks: Vec<Check> = self.checks.iter().map(check).collect();
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_name: self.account_name.to_string(),
            platform_id: shown.platform_id.to_string(),
            platform_kind: i64::from(shown.platform_kind),
            kind: self.kind().code(),
            kind_name: shown.kind_name.as_ref().map(ToString::to_string),
            creator: shown.creator.to_string(),
            headline: shown.headline.as_ref().map(ToString::to_string),
            // Texts and numbers are always JSON.
            summary: serde_json::to_string(&summary).unwrap_or_default(),
            checks: serde_json::to_string(&checks).unwrap_or_default(),
            shown_at: shown.created_at.as_micros(),
            status: self.status.code(),
            trade_offer_id: self.trade_offer_id.map(uuid),
            intent_id: self.intent_id.map(uuid),
            attempts: i16::from(self.attempts),
            asked_at: answer.map(|answer| answer.asked_at.as_micros()),
            by_person: answer.map(|answer| i16::from(answer.is_by_person)),
            begun_at: answer.and_then(|answer| answer.begun_at).map(Timestamp::as_micros),
            recorded_at: self.recorded_at.as_micros(),
            seen_at: self.seen_at.as_micros(),
            missing_since: self.missing_since.map(Timestamp::as_micros),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "confirmations", home: row.workspace_id, key: row.id };
        let confirmation = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_name: at.read("account_name", AccountName::new(&row.account_name))?,
            shown: shown_of(&row, at)?,
            status: at.code("status", row.status, ConfirmationStatus::from_code)?,
            trade_offer_id: row.trade_offer_id.map(id),
            intent_id: row.intent_id.map(id),
            checks: checks_of(&row, at)?,
            attempts: at.read("attempts", u8::try_from(row.attempts))?,
            answer: answer_of(&row, at)?,
            recorded_at: at.time("recorded_at", row.recorded_at)?,
            seen_at: at.time("seen_at", row.seen_at)?,
            missing_since: at.time_some("missing_since", row.missing_since)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("status", confirmation.checked())?, row.version))
    }
}

fn shown_of(row: &Model, at: RowLocation) -> StoreResult<ShownConfirmation> {
    let lines: Vec<String> = at.read("summary", serde_json::from_str(&row.summary))?;
    let summary = lines.iter().map(|line| at.read("summary", ConfirmationText::new(line)));
    Ok(ShownConfirmation {
        platform_id: at.read("platform_id", ExternalId::new(&row.platform_id))?,
        platform_kind: at.number("platform_kind", row.platform_kind)?,
        kind_name: at.read_some("kind_name", row.kind_name.as_deref(), ConfirmationText::new)?,
        creator: at.read("creator", ExternalId::new(&row.creator))?,
        headline: at.read_some("headline", row.headline.as_deref(), ConfirmationText::new)?,
        summary: summary.collect::<StoreResult<_>>()?,
        created_at: at.time("shown_at", row.shown_at)?,
    })
}

fn checks_of(row: &Model, at: RowLocation) -> StoreResult<Vec<ConfirmationCheck>> {
    let checks: Vec<Check> = at.read("checks", serde_json::from_str(&row.checks))?;
    let check = |Check(code, holds, detail)| {
        let code = at.code("checks", code, CheckCode::from_code)?;
        let detail = at.read_some("checks", detail.as_deref(), ReasonText::new)?;
        Ok(ConfirmationCheck { code, holds, detail })
    };
    checks.into_iter().map(check).collect()
}

fn answer_of(row: &Model, at: RowLocation) -> StoreResult<Option<PendingAnswer>> {
    let Some(asked_at) = at.time_some("asked_at", row.asked_at)? else { return Ok(None) };
    let is_by_person = at.present("by_person", row.by_person)? != 0;
    Ok(Some(PendingAnswer { asked_at, is_by_person, begun_at: at.time_some("begun_at", row.begun_at)? }))
}
