//! `account_sessions`: how trading accounts were signed in at their platforms, and as long as that lasts.

use sea_orm::entity::prelude::*;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::account_session::{
    AccountSession, Asked, EmailDomain, Guard, SessionFailure, SessionStatus, TokenExpiry,
};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account_sessions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub status: i16,
    pub uses_stored_code: i16,
    pub automatic: i16,
    pub guards: String,
    pub email_domain: Option<String>,
    pub codes_given: i16,
    pub code_given_at: Option<i64>,
    pub has_code: i16,
    pub access_expires_at: Option<i64>,
    pub refresh_expires_at: Option<i64>,
    pub failure: Option<i16>,
    pub end_requested_at: Option<i64>,
    pub called_at: Option<i64>,
    pub tokens_issued_at: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for AccountSession {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (asked, expiry) = (&self.asked, self.expiry);
        let guards: Vec<i16> = asked.guards.iter().map(|guard| guard.code()).collect();
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            account_id: uuid(self.account_id),
            status: self.status.code(),
            uses_stored_code: i16::from(self.uses_stored_code),
            automatic: i16::from(self.is_automatic),
            // Numbers are always JSON.
            guards: serde_json::to_string(&guards).unwrap_or_default(),
            email_domain: asked.email_domain.as_ref().map(ToString::to_string),
            codes_given: i16::from(self.codes_given),
            code_given_at: self.code_given_at.map(Timestamp::as_micros),
            has_code: i16::from(self.has_code),
            access_expires_at: expiry.map(|expiry| expiry.access.as_micros()),
            refresh_expires_at: expiry.map(|expiry| expiry.refresh.as_micros()),
            failure: self.failure.map(SessionFailure::code),
            end_requested_at: self.end_requested_at.map(Timestamp::as_micros),
            called_at: self.called_at.map(Timestamp::as_micros),
            tokens_issued_at: self.tokens_issued_at.map(Timestamp::as_micros),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "account_sessions", home: row.workspace_id, key: row.id };
        let session = Self {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            account_id: id(row.account_id),
            status: at.code("status", row.status, SessionStatus::from_code)?,
            uses_stored_code: row.uses_stored_code != 0,
            is_automatic: row.automatic != 0,
            asked: asked_of(&row, at)?,
            codes_given: at.number("codes_given", row.codes_given)?,
            code_given_at: at.time_some("code_given_at", row.code_given_at)?,
            has_code: row.has_code != 0,
            expiry: expiry_of(&row, at)?,
            failure: row.failure.map(|failure| at.code("failure", failure, SessionFailure::from_code)).transpose()?,
            end_requested_at: at.time_some("end_requested_at", row.end_requested_at)?,
            called_at: at.time_some("called_at", row.called_at)?,
            tokens_issued_at: at.time_some("tokens_issued_at", row.tokens_issued_at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("status", session.checked())?, row.version))
    }
}

fn asked_of(row: &Model, at: RowLocation) -> StoreResult<Asked> {
    let codes: Vec<i16> = at.read("guards", serde_json::from_str(&row.guards))?;
    let guards = codes.into_iter().map(|code| at.code("guards", code, Guard::from_code));
    Ok(Asked {
        guards: guards.collect::<StoreResult<_>>()?,
        email_domain: at.read_some("email_domain", row.email_domain.as_deref(), EmailDomain::new)?,
    })
}

fn expiry_of(row: &Model, at: RowLocation) -> StoreResult<Option<TokenExpiry>> {
    let Some(access) = at.time_some("access_expires_at", row.access_expires_at)? else { return Ok(None) };
    let refresh = at.present("refresh_expires_at", row.refresh_expires_at)?;
    Ok(Some(TokenExpiry { access, refresh: at.time("refresh_expires_at", refresh)? }))
}
