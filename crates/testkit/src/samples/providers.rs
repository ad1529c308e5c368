//! Samples of providers and of their health.

use std::collections::BTreeMap;

use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::fees::{FeeOverride, FeeRate, FeeSchedule, Rounding};
use tradepost_domain::markets::provider::{
    AccountStanding, BreakerState, Provider, ProviderKind, ProviderReport, ProviderStatus,
};
use tradepost_domain::money::{Currency, VenueCents};
use tradepost_domain::time::Timestamp;

use super::{Samples, minute, start, text};

fn share(points: u16) -> BasisPoints {
    BasisPoints::new(points).unwrap()
}

fn amount(cents: i64) -> VenueCents {
    VenueCents::new(cents).unwrap()
}

impl Samples {
    /// Returns an enabled provider without settings.
    ///
    /// # Panics
    /// Never: the currency is valid.
    pub fn provider(&self, workspace_id: WorkspaceId, kind: ProviderKind) -> Provider {
        Provider {
            id: self.id(),
            workspace_id,
            kind,
            driver: text("example"),
            name: self.unique("market"),
            currency: Currency::new("USD").unwrap(),
            settings: BTreeMap::new(),
            has_credentials: false,
            status: ProviderStatus::Enabled,
            status_reason: None,
            created_at: start(),
            updated_at: start(),
        }
    }

    /// Returns fees of 0.5 % for buyers and 2 % for sellers, at least a cent each, and none of one item for an hour.
    pub fn fees(&self) -> FeeSchedule {
        let rate = |points, rounding| FeeRate { share: share(points), minimum: VenueCents::ONE, rounding };
        let free = FeeRate { share: share(0), minimum: VenueCents::ZERO, rounding: Rounding::Floor };
        let special = FeeOverride {
            market_hash_name: text("AWP | Asiimov (Field-Tested)"),
            buying: free,
            selling: free,
            until: minute(60),
        };
        let (buying, selling) = (rate(50, Rounding::HalfUp), rate(200, Rounding::Ceil));
        FeeSchedule { buying, selling, overrides: vec![special] }
    }

    /// Returns the report of a provider without a problem.
    pub fn good_report(&self, seen_at: Timestamp) -> ProviderReport {
        ProviderReport {
            seen_at,
            last_success_at: Some(seen_at),
            latency_millis: Some(40),
            error_rate: share(0),
            remaining: Some(99),
            breaker: BreakerState::Closed,
            fees: Some(self.fees()),
            balance: VenueCents::new(50_000).ok(),
            standing: Some(AccountStanding {
                seen_at: start(),
                balance: amount(1_250),
                listings: 2,
                asked: amount(99_000),
                orders: 1,
            }),
        }
    }
}
