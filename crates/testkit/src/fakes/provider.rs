//! A driver that accepts every kind of setting, and a provider that gives the answer that a test set.

use async_trait::async_trait;
use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::provider::{
    Driver, DriverField, ProviderCapability, ProviderCheck, ProviderKind, RateLimit, Served,
};
use tradepost_domain::text::Marketplace;

use crate::samples::text;
use tradepost_ports::provider_probe::ProviderProbe;

/// Returns the driver `example` of marketplaces and price sources. It requires a `customer`, which identifies the account, and accepts a `region`. Its credentials are an
/// `apiKey` and, optionally, a `pin`.
pub fn example_driver() -> Driver {
    let field = |name, is_required| DriverField {
        name: text(name),
        description: text("For tests."),
        is_required,
        identifies: name == "customer",
    };
    let market = [ProviderCapability::Listings, ProviderCapability::Buy, ProviderCapability::Sell];
    Driver {
        name: text("example"),
        description: text("Talks to nobody."),
        serves: vec![
            Served { kind: ProviderKind::Marketplace, capabilities: market.into() },
            Served { kind: ProviderKind::PriceSource, capabilities: [ProviderCapability::Quotes].into() },
        ],
        settings: vec![field("customer", true), field("region", false)],
        credentials: vec![field("apiKey", true), field("pin", false)],
        rate_limits: vec![RateLimit { name: text("listings"), calls: 10, seconds: 1 }],
        asks_before_giving: false,
    }
}

/// Reaches the providers of one name for every workspace, and gives every caller the same answer.
#[derive(Debug)]
pub struct FakeProbe {
    name: Marketplace,
    checks: Vec<ProviderCheck>,
}

impl FakeProbe {
    /// Returns a probe with these checks.
    ///
    /// # Panics
    /// On a name that the domain rejects.
    pub fn of(name: &str, checks: Vec<ProviderCheck>) -> Self {
        Self { name: text(name), checks }
    }
}

#[async_trait]
impl ProviderProbe for FakeProbe {
    fn reaches(&self, _: WorkspaceId, _: ProviderKind, name: &Marketplace) -> bool {
        self.name == *name
    }

    async fn probe(&self, _: ProviderKind, _: &Marketplace) -> Vec<ProviderCheck> {
        self.checks.clone()
    }
}
