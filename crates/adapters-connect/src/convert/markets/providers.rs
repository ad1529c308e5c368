//! Providers on the wire.

use tradepost_domain::markets::fees::{FeeOverride, FeeRate, FeeSchedule};
use tradepost_domain::markets::provider::{
    AccountStanding, Driver, DriverField, ProviderCheck, ProviderReport, ProviderStatus, RateLimit, Served,
};
use tradepost_domain::money::VenueCents;
use tradepost_domain::text::{Description, Name};
use tradepost_operations::markets::{ProviderCredentials, SaleEstimate, ShownProvider};

use crate::convert::enums::WireEnum as _;
use crate::convert::{secret, wire_id, wire_number, wire_time};
use tradepost_proto::markets::v1 as wire;
use tradepost_proto::markets::v1::__buffa::view::{ProviderCredentialView, ProviderSettingView};

pub(crate) fn settings(given: &[ProviderSettingView<'_>]) -> Vec<(String, String)> {
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    given.iter().map(|setting| (text(setting.name), text(setting.value))).collect()
}

pub(crate) fn credentials(given: &[ProviderCredentialView<'_>]) -> ProviderCredentials {
    let one = |given: &ProviderCredentialView<'_>| {
        (given.name.unwrap_or_default().to_owned(), secret(given.secret.unwrap_or_default()))
    };
    ProviderCredentials(given.iter().map(one).collect())
}

pub(crate) fn provider(shown: &ShownProvider) -> wire::Provider {
    let (value, report, driver) = (&shown.provider.value, shown.report.as_ref(), shown.driver.as_ref());
    let capabilities = driver.and_then(|driver| driver.capabilities(value.kind)).into_iter().flatten();
    let setting = |name: &Name, value: &Description| wire::ProviderSetting {
        name: Some(name.to_string()),
        value: Some(value.to_string()),
    };
    wire::Provider {
        id: Some(wire_id(value.id)),
        workspace_id: Some(wire_id(value.workspace_id)),
        kind: Some(value.kind.to_wire()),
        name: Some(value.name.to_string()),
        driver: Some(value.driver.to_string()),
        enabled: Some(value.status == ProviderStatus::Enabled),
        status_reason: Some(value.status_reason.as_ref().map(ToString::to_string).unwrap_or_default()),
        currency: Some(value.currency.to_string()),
        settings: value.settings.iter().map(|(name, value)| setting(name, value)).collect(),
        has_credentials: Some(value.has_credentials),
        capabilities: capabilities.map(|capability| capability.to_wire()).collect(),
        rate_limits: driver.iter().flat_map(|driver| &driver.rate_limits).map(rate_limit).collect(),
        fee_schedule: report.and_then(|report| report.fees.as_ref()).map(fees).into(),
        balance_cents: report.and_then(|report| report.balance).map(VenueCents::get),
        health: report.map(health).into(),
        last_success_at: report.and_then(|report| report.last_success_at).map(wire_time).into(),
        version: Some(shown.provider.version),
        created_at: wire_time(value.created_at).into(),
        updated_at: wire_time(value.updated_at).into(),
    }
}

pub(crate) fn health(report: &ProviderReport) -> wire::ProviderHealth {
    wire::ProviderHealth {
        seen_at: wire_time(report.seen_at).into(),
        last_success_at: report.last_success_at.map(wire_time).into(),
        latency_millis: report.latency_millis.map(wire_number),
        error_rate_bps: Some(report.error_rate.get().into()),
        remaining: report.remaining.map(wire_number),
        breaker_state: Some(report.breaker.to_wire()),
        standing: report.standing.map(standing).into(),
    }
}

fn standing(standing: AccountStanding) -> wire::AccountStanding {
    wire::AccountStanding {
        seen_at: wire_time(standing.seen_at).into(),
        balance_cents: Some(standing.balance.get()),
        listings: Some(wire_number(standing.listings)),
        asked_cents: Some(standing.asked.get()),
        orders: Some(wire_number(standing.orders)),
    }
}

fn fees(fees: &FeeSchedule) -> wire::FeeSchedule {
    wire::FeeSchedule {
        buying: rate(fees.buying).into(),
        selling: rate(fees.selling).into(),
        overrides: fees.overrides.iter().map(special).collect(),
    }
}

fn special(special: &FeeOverride) -> wire::FeeOverride {
    wire::FeeOverride {
        market_hash_name: Some(special.market_hash_name.to_string()),
        buying: rate(special.buying).into(),
        selling: rate(special.selling).into(),
        until: wire_time(special.until).into(),
    }
}

fn rate(rate: FeeRate) -> wire::FeeRate {
    wire::FeeRate {
        share_bps: Some(rate.share.get().into()),
        minimum_cents: Some(rate.minimum.get()),
        rounding: Some(rate.rounding.to_wire()),
    }
}

fn rate_limit(limit: &RateLimit) -> wire::ProviderRateLimit {
    wire::ProviderRateLimit {
        name: Some(limit.name.to_string()),
        calls: Some(wire_number(limit.calls)),
        window_seconds: Some(wire_number(limit.seconds)),
    }
}

pub(crate) fn driver(driver: &Driver) -> wire::ProviderDriver {
    wire::ProviderDriver {
        name: Some(driver.name.to_string()),
        description: Some(driver.description.to_string()),
        kinds: driver.serves.iter().map(served).collect(),
        settings: driver.settings.iter().map(field).collect(),
        credentials: driver.credentials.iter().map(field).collect(),
        rate_limits: driver.rate_limits.iter().map(rate_limit).collect(),
    }
}

fn served(served: &Served) -> wire::DriverKind {
    wire::DriverKind {
        kind: Some(served.kind.to_wire()),
        capabilities: served.capabilities.iter().map(|capability| capability.to_wire()).collect(),
    }
}

fn field(field: &DriverField) -> wire::DriverField {
    wire::DriverField {
        name: Some(field.name.to_string()),
        description: Some(field.description.to_string()),
        required: Some(field.is_required),
    }
}

pub(crate) fn check(check: &ProviderCheck) -> wire::ProviderCheck {
    wire::ProviderCheck { code: Some(check.code.to_string()), ok: Some(check.ok), detail: Some(check.detail.clone()) }
}

pub(crate) fn estimate(estimate: &SaleEstimate) -> wire::EstimateSaleResponse {
    wire::EstimateSaleResponse {
        fee_cents: Some(estimate.fee.get()),
        net_cents: Some(estimate.net.get()),
        currency: Some(estimate.currency.to_string()),
        fees_seen_at: wire_time(estimate.fees_seen_at).into(),
    }
}
