//! Trading accounts and their groups on the wire.

use tradepost_domain::money::Cents;
use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::giving::GivingLimits;
use tradepost_domain::trading::trading_account::{AccountGroup, AccountHealth, AccountLimits, Check, TradingAccount};
use tradepost_operations::Versioned;
use tradepost_operations::trading::{AccountResult, AccountSecrets, LimitsOfAccount, LimitsOfGiving};

use crate::convert::enums::WireEnum as _;
use crate::convert::{secret, wire_id, wire_number, wire_time};
use tradepost_proto::trading::v1 as wire;
use tradepost_proto::trading::v1::__buffa::view::{AccountLimitsView, AccountSecretsView, GivingLimitsView};

/// Why a reading that a person had asked for was not made.
const NOT_SERVED: &str = "NOT_SERVED";

pub(crate) fn limits(limits: &AccountLimitsView<'_>) -> LimitsOfAccount {
    LimitsOfAccount {
        max_inventory: limits.max_inventory.map(i64::from),
        max_open_purchases: limits.max_open_purchases.map(i64::from),
        min_balance_cents: limits.min_balance_cents,
    }
}

pub(crate) fn giving_limits(limits: &GivingLimitsView<'_>) -> LimitsOfGiving {
    LimitsOfGiving {
        max_give_cents_per_hour: limits.max_give_cents_per_hour,
        max_give_cents_per_day: limits.max_give_cents_per_day,
    }
}

pub(crate) fn secrets(secrets: &AccountSecretsView<'_>) -> AccountSecrets {
    AccountSecrets {
        login_name: secrets.login_name.map(secret),
        password: secrets.password.map(secret),
        shared_secret: secrets.shared_secret.map(secret),
        identity_secret: secrets.identity_secret.map(secret),
        api_key: secrets.api_key.map(secret),
    }
}

pub(crate) fn account(Versioned { value, version }: &Versioned<TradingAccount>) -> wire::Account {
    let refresh = value.refresh;
    wire::Account {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        name: Some(value.name.to_string()),
        platform: Some(value.platform.to_string()),
        platform_user_id: Some(value.platform_user_id.to_string()),
        status: Some(value.status.to_wire()),
        version: Some(*version),
        trade_token: Some(value.trade_token.as_ref().map(ExternalId::to_string).unwrap_or_default()),
        capabilities: value.capabilities.iter().map(|role| role.to_wire()).collect(),
        limits: wire_limits(&value.limits).into(),
        has_secrets: Some(value.has_secrets),
        status_reason: Some(value.status_reason.as_ref().map(ToString::to_string).unwrap_or_default()),
        lock_reason: Some(value.lock.map_or_else(Default::default, |lock| lock.reason.to_wire())),
        locked_until: value.lock.map(|lock| wire_time(lock.until)).into(),
        health: value.health.as_ref().map(wire_health).into(),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
        chat_enabled: Some(value.is_chat_enabled),
        cancel_strange_offers: Some(value.cancels_strange_offers),
        trade_notice_acknowledged_at: value.trade_notice_acknowledged_at.map(wire_time).into(),
        refresh_requested_at: refresh.map(|refresh| wire_time(refresh.requested_at)).into(),
        refreshed_at: refresh.and_then(|refresh| refresh.read_at).map(wire_time).into(),
        token_renewal_requested_at: refresh
            .and_then(|refresh| refresh.renewal)
            .map(|renewal| wire_time(renewal.requested_at))
            .into(),
        giving_enabled_at: value.giving_enabled_at.map(wire_time).into(),
        giving_limits: wire_giving_limits(value.giving_limits).into(),
        refresh_refusal: refresh.filter(|refresh| refresh.is_refused).map(|_| refusal()).into(),
    }
}

fn refusal() -> wire::AccountRefreshRefusal {
    wire::AccountRefreshRefusal { reason: Some(NOT_SERVED.to_owned()) }
}

pub(crate) fn account_result(result: &AccountResult) -> wire::AccountResult {
    let objection = result.outcome.as_ref().err();
    wire::AccountResult {
        account_id: Some(wire_id(result.account_id)),
        account: result.outcome.as_ref().ok().map(account).into(),
        reason: Some(objection.map(|why| why.reason.as_str().to_owned()).unwrap_or_default()),
        message: Some(objection.map(|why| why.message.clone()).unwrap_or_default()),
        account_session_id: Some(result.account_session_id.map(wire_id).unwrap_or_default()),
    }
}

fn wire_limits(limits: &AccountLimits) -> wire::AccountLimits {
    wire::AccountLimits {
        max_inventory: Some(wire_number(limits.max_inventory)),
        max_open_purchases: limits.max_open_purchases.map(wire_number),
        min_balance_cents: limits.min_balance.map(Cents::get),
    }
}

fn wire_giving_limits(limits: GivingLimits) -> wire::GivingLimits {
    wire::GivingLimits {
        max_give_cents_per_hour: limits.per_hour.map(Cents::get),
        max_give_cents_per_day: limits.per_day.map(Cents::get),
    }
}

fn wire_health(health: &AccountHealth) -> wire::AccountHealth {
    wire::AccountHealth {
        seen_at: wire_time(health.seen_at).into(),
        signed_in: Some(health.is_signed_in),
        authenticator_since: health.authenticator_since.map(wire_time).into(),
        held_until: health.held_until.map(wire_time).into(),
        inventory_count: health.inventory_count.map(wire_number),
        api_key_ours: health.is_api_key_ours,
        balance_cents: health.balance.map(Cents::get),
    }
}

pub(crate) fn check(check: &Check) -> wire::AccountCheck {
    wire::AccountCheck { code: Some(check.code.to_string()), ok: Some(check.ok), detail: Some(check.detail.clone()) }
}

pub(crate) fn group(Versioned { value, version }: &Versioned<AccountGroup>) -> wire::AccountGroup {
    wire::AccountGroup {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        name: Some(value.name.to_string()),
        description: Some(value.description.as_ref().map(ToString::to_string).unwrap_or_default()),
        account_ids: value.account_ids.iter().map(|id| wire_id(*id)).collect(),
        version: Some(*version),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}
