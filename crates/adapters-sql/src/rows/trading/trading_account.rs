//! `trading_accounts`: accounts of the platform that trade for a workspace.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use sea_orm::entity::prelude::*;
use tradepost_domain::money::Cents;
use tradepost_domain::text::{AccountName, Description, ExternalId, Name};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::giving::GivingLimits;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_domain::trading::trading_account::{
    AccountHealth, AccountLimits, AccountLock, AccountParts, AccountRefresh, AccountRole, AccountStatus, LockReason,
    TokenRenewal, TradingAccount,
};
use tradepost_ports::changes::Seen;
use tradepost_ports::store::StoreResult;

use crate::rows::{RowLocation, Stored, id, uuid};

/// What `refresh_waits` has of a request that has ended with a reading, or of none.
const SETTLED: i16 = 0;
/// Of one for which an engine has something to do. The index has these.
const WAITS: i16 = 1;
/// Of one that was refused.
const REFUSED: i16 = 2;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "trading_accounts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub platform: String,
    pub platform_user_id: String,
    pub trade_token: Option<String>,
    pub capabilities: i16,
    pub max_inventory: i64,
    pub max_open_purchases: Option<i64>,
    pub min_balance_cents: Option<i64>,
    pub has_secrets: i16,
    pub chat_enabled: i16,
    pub status: i16,
    pub status_reason: Option<String>,
    pub lock_reason: Option<i16>,
    pub locked_until: Option<i64>,
    pub seen_at: Option<i64>,
    pub signed_in: Option<i16>,
    pub authenticator_since: Option<i64>,
    pub held_until: Option<i64>,
    pub inventory_count: Option<i64>,
    pub api_key_ours: Option<i16>,
    pub balance_cents: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub cancels_strange_offers: i16,
    pub trade_notice_acknowledged_at: Option<i64>,
    pub refresh_requested_at: Option<i64>,
    pub refreshed_at: Option<i64>,
    pub renewal_requested_at: Option<i64>,
    pub renewal_begun_at: Option<i64>,
    /// How the last request is: one of the numbers above.
    pub refresh_waits: i16,
    pub giving_enabled_at: Option<i64>,
    pub max_give_cents_per_hour: Option<i64>,
    pub max_give_cents_per_day: Option<i64>,
    pub version: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Stored for TradingAccount {
    type Entity = Entity;
    type Row = Model;

    fn to_row(&self) -> Model {
        let (health, refresh) = (self.health.as_ref(), self.refresh);
        let renewal = refresh.and_then(|refresh| refresh.renewal);
        Model {
            workspace_id: uuid(self.workspace_id),
            id: uuid(self.id),
            name: self.name.to_string(),
            platform: self.platform.to_string(),
            platform_user_id: self.platform_user_id.to_string(),
            trade_token: self.trade_token.as_ref().map(ToString::to_string),
            capabilities: roles_to_column(&self.capabilities),
            max_inventory: i64::from(self.limits.max_inventory),
            max_open_purchases: self.limits.max_open_purchases.map(i64::from),
            min_balance_cents: self.limits.min_balance.map(Cents::get),
            has_secrets: i16::from(self.has_secrets),
            chat_enabled: i16::from(self.is_chat_enabled),
            status: self.status.code(),
            status_reason: self.status_reason.as_ref().map(ToString::to_string),
            lock_reason: self.lock.map(|lock| lock.reason.code()),
            locked_until: self.lock.map(|lock| lock.until.as_micros()),
            seen_at: health.map(|health| health.seen_at.as_micros()),
            signed_in: health.map(|health| i16::from(health.is_signed_in)),
            authenticator_since: health.and_then(|health| health.authenticator_since).map(Timestamp::as_micros),
            held_until: health.and_then(|health| health.held_until).map(Timestamp::as_micros),
            inventory_count: health.and_then(|health| health.inventory_count).map(i64::from),
            api_key_ours: health.and_then(|health| health.is_api_key_ours).map(i16::from),
            balance_cents: health.and_then(|health| health.balance).map(Cents::get),
            created_at: self.created_at.as_micros(),
            updated_at: self.updated_at.as_micros(),
            cancels_strange_offers: i16::from(self.cancels_strange_offers),
            trade_notice_acknowledged_at: self.trade_notice_acknowledged_at.map(Timestamp::as_micros),
            refresh_requested_at: refresh.map(|refresh| refresh.requested_at.as_micros()),
            refreshed_at: refresh.and_then(|refresh| refresh.read_at).map(Timestamp::as_micros),
            renewal_requested_at: renewal.map(|renewal| renewal.requested_at.as_micros()),
            renewal_begun_at: renewal.and_then(|renewal| renewal.begun_at).map(Timestamp::as_micros),
            refresh_waits: refresh.map_or(SETTLED, waits_of),
            giving_enabled_at: self.giving_enabled_at.map(Timestamp::as_micros),
            max_give_cents_per_hour: self.giving_limits.per_hour.map(Cents::get),
            max_give_cents_per_day: self.giving_limits.per_day.map(Cents::get),
            version: 1,
        }
    }

    fn to_domain(row: Model) -> StoreResult<Seen<Self>> {
        let at = RowLocation { table: "trading_accounts", home: row.workspace_id, key: row.id };
        let parts = AccountParts {
            id: id(row.id),
            workspace_id: id(row.workspace_id),
            name: at.read("name", AccountName::new(&row.name))?,
            platform: at.read("platform", Name::new(&row.platform))?,
            platform_user_id: at
                .read("platform_user_id", row.platform_user_id.parse::<NonZeroU64>().map(PlatformUserId::new))?,
            trade_token: at.read_some("trade_token", row.trade_token.as_deref(), ExternalId::new)?,
            capabilities: roles_of_column(at, "capabilities", row.capabilities)?,
            limits: AccountLimits {
                max_inventory: at.number("max_inventory", row.max_inventory)?,
                max_open_purchases: row
                    .max_open_purchases
                    .map(|most| at.number("max_open_purchases", most))
                    .transpose()?,
                min_balance: at.read_some("min_balance_cents", row.min_balance_cents, Cents::new)?,
            },
            has_secrets: row.has_secrets != 0,
            is_chat_enabled: row.chat_enabled != 0,
            cancels_strange_offers: row.cancels_strange_offers != 0,
            status: at.code("status", row.status, AccountStatus::from_code)?,
            status_reason: at.read_some("status_reason", row.status_reason.as_deref(), Description::new)?,
            lock: lock_of(&row, at)?,
            health: health_of(&row, at)?,
            trade_notice_acknowledged_at: at
                .time_some("trade_notice_acknowledged_at", row.trade_notice_acknowledged_at)?,
            giving_enabled_at: at.time_some("giving_enabled_at", row.giving_enabled_at)?,
            giving_limits: GivingLimits {
                per_hour: at.read_some("max_give_cents_per_hour", row.max_give_cents_per_hour, Cents::new)?,
                per_day: at.read_some("max_give_cents_per_day", row.max_give_cents_per_day, Cents::new)?,
            },
            refresh: refresh_of(&row, at)?,
            created_at: at.time("created_at", row.created_at)?,
            updated_at: at.time("updated_at", row.updated_at)?,
        };
        Ok(Seen::loaded(at.read("status", Self::restore(parts))?, row.version))
    }
}

fn lock_of(row: &Model, at: RowLocation) -> StoreResult<Option<AccountLock>> {
    let Some(reason) = row.lock_reason else { return Ok(None) };
    let reason = at.code("lock_reason", reason, LockReason::from_code)?;
    let until = at.time("locked_until", at.present("locked_until", row.locked_until)?)?;
    Ok(Some(AccountLock { reason, until }))
}

fn health_of(row: &Model, at: RowLocation) -> StoreResult<Option<AccountHealth>> {
    let Some(seen_at) = at.time_some("seen_at", row.seen_at)? else { return Ok(None) };
    Ok(Some(AccountHealth {
        seen_at,
        is_signed_in: at.present("signed_in", row.signed_in)? != 0,
        authenticator_since: at.time_some("authenticator_since", row.authenticator_since)?,
        held_until: at.time_some("held_until", row.held_until)?,
        inventory_count: row.inventory_count.map(|count| at.number("inventory_count", count)).transpose()?,
        is_api_key_ours: row.api_key_ours.map(|is_ours| is_ours != 0),
        balance: at.read_some("balance_cents", row.balance_cents, Cents::new)?,
    }))
}

fn refresh_of(row: &Model, at: RowLocation) -> StoreResult<Option<AccountRefresh>> {
    let Some(requested_at) = at.time_some("refresh_requested_at", row.refresh_requested_at)? else { return Ok(None) };
    let begun_at = at.time_some("renewal_begun_at", row.renewal_begun_at)?;
    let renewal = at.time_some("renewal_requested_at", row.renewal_requested_at)?;
    Ok(Some(AccountRefresh {
        requested_at,
        read_at: at.time_some("refreshed_at", row.refreshed_at)?,
        renewal: renewal.map(|requested_at| TokenRenewal { requested_at, begun_at }),
        is_refused: row.refresh_waits == REFUSED,
    }))
}

/// What the column of the index has of a request. A program of an earlier version takes one that was refused for one that waits.
fn waits_of(refresh: AccountRefresh) -> i16 {
    if refresh.is_pending() {
        WAITS
    } else if refresh.is_refused {
        REFUSED
    } else {
        SETTLED
    }
}

/// Roles as a number with one bit each.
pub(crate) fn roles_to_column(roles: &BTreeSet<AccountRole>) -> i16 {
    roles.iter().fold(0, |bits, role| bits | 1 << role.code())
}

/// The roles in that number.
pub(crate) fn roles_of_column(at: RowLocation, column: &str, bits: i16) -> StoreResult<BTreeSet<AccountRole>> {
    let roles: BTreeSet<AccountRole> =
        AccountRole::ALL.iter().copied().filter(|role| bits & (1 << role.code()) != 0).collect();
    if roles_to_column(&roles) == bits { Ok(roles) } else { Err(at.corrupt(column, &"a role that is not known")) }
}
