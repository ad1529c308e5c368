//! What the engine records of its passes, calls and leases, under the names of the list of metrics. It decides nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::text::{Marketplace, Name};
use tradepost_domain::trading::lease::Work;
use tradepost_ports::external::ExternalError;
use tradepost_ports::metrics::{
    DECISIONS, EXTERNAL_CALL_DURATION, EXTERNAL_CALLS, ITEMS_LISTED, LEASES, LEASES_LOST, LISTINGS_OBSERVED,
    PASS_DURATION, PURCHASES_SUBMITTED, STEP_FAILURES,
};

use crate::Pass;

/// Records a pass that has ended.
pub(crate) fn record_pass(pass: &Pass, took: Duration) {
    metrics::histogram!(PASS_DURATION.name).record(took);
    metrics::counter!(LISTINGS_OBSERVED.name).increment(count(pass.observed));
    metrics::counter!(PURCHASES_SUBMITTED.name).increment(count(pass.bought));
    metrics::counter!(ITEMS_LISTED.name).increment(count(pass.listed));
    for (decision, decided) in pass.decided() {
        metrics::counter!(DECISIONS.name, "decision" => decision.as_str()).increment(*decided);
    }
    for error in &pass.errors {
        metrics::counter!(STEP_FAILURES.name, "cause" => error.cause()).increment(1);
    }
}

fn count(counted: usize) -> u64 {
    u64::try_from(counted).unwrap_or(u64::MAX)
}

/// Records that another node has taken a lease of this one.
pub(crate) fn record_lost_lease() {
    metrics::counter!(LEASES_LOST.name).increment(1);
}

/// The drivers of providers whose names users chose, as of [`Desk::drivers`](crate::Desk::drivers).
type Drivers = BTreeMap<(ProviderKind, Marketplace), Name>;

/// Returns the name that metrics show of a provider: its driver, or its own name if no user chose it.
fn label(kind: ProviderKind, name: &Marketplace, drivers: &Drivers) -> String {
    drivers.get(&(kind, name.clone())).unwrap_or(name).to_string()
}

/// An external system, by the labels of its calls.
pub(crate) struct System {
    kind: &'static str,
    name: String,
}

impl System {
    pub(crate) fn marketplace(name: &Marketplace, drivers: &Drivers) -> Self {
        Self { kind: "marketplace", name: label(ProviderKind::Marketplace, name, drivers) }
    }

    pub(crate) fn price_source(name: &Marketplace, drivers: &Drivers) -> Self {
        Self { kind: "price_source", name: label(ProviderKind::PriceSource, name, drivers) }
    }

    pub(crate) fn platform() -> Self {
        Self { kind: "platform", name: "platform".to_owned() }
    }

    pub(crate) fn exchange_rates() -> Self {
        Self { kind: "exchange_rates", name: "exchange_rates".to_owned() }
    }

    /// Records a call that was sent.
    pub(crate) fn record_call<T, R>(&self, call: &'static str, took: Duration, answer: &Result<T, ExternalError<R>>) {
        let (kind, system, outcome) = (self.kind, self.name.clone(), outcome(answer));
        metrics::histogram!(EXTERNAL_CALL_DURATION.name, "kind" => kind, "system" => system.clone()).record(took);
        metrics::counter!(
            EXTERNAL_CALLS.name,
            "kind" => kind,
            "system" => system,
            "call" => call,
            "outcome" => outcome
        )
        .increment(1);
    }
}

const fn outcome<T, R>(answer: &Result<T, ExternalError<R>>) -> &'static str {
    match answer {
        Ok(_) => "ok",
        Err(ExternalError::Rejected(_)) => "rejected",
        Err(ExternalError::Unknown(_)) => "unknown",
        Err(ExternalError::RateLimited { .. }) => "rate_limited",
        Err(ExternalError::AuthLost { .. }) => "signed_out",
    }
}

/// What an engine adds to the gauges of leases, which all engines of the process share. It is subtracted when the engine ends.
#[derive(Debug, Default)]
pub(crate) struct LeaseGauges(BTreeMap<&'static str, u32>);

impl LeaseGauges {
    /// Shows these leases in place of the ones before.
    pub(crate) fn show<'a>(&mut self, held: impl Iterator<Item = &'a Work>) {
        self.withdraw();
        for work in held {
            let label = match work {
                Work::Presence(_) => "presence",
                Work::Marketplace(_) => "marketplace",
                Work::Inventory => "inventory",
            };
            let shown = self.0.entry(label).or_default();
            *shown = shown.saturating_add(1);
            metrics::gauge!(LEASES.name, "work" => label).increment(1);
        }
    }

    fn withdraw(&mut self) {
        for (label, shown) in std::mem::take(&mut self.0) {
            metrics::gauge!(LEASES.name, "work" => label).decrement(shown);
        }
    }
}

impl Drop for LeaseGauges {
    fn drop(&mut self) {
        self.withdraw();
    }
}
