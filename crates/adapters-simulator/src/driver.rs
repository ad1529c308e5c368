//! The simulator as a driver of providers: it takes no settings and no credentials, because the operator of the server says where the
//! world is and who trades there.

use std::collections::BTreeSet;

use tradepost_domain::markets::provider::{Driver, ProviderCapability, ProviderKind, Served};
use tradepost_domain::text::{Name, Text, TextError};

/// What the simulator says of itself.
///
/// # Errors
/// Never: its texts are texts.
pub fn driver() -> Result<Driver, TextError> {
    use ProviderCapability as Can;
    let served = |kind, capabilities: BTreeSet<ProviderCapability>| Served { kind, capabilities };
    Ok(Driver {
        name: Name::new("simulator")?,
        description: Text::new("A marketplace, an index of prices and a game platform in one simulated world.")?,
        serves: vec![
            served(ProviderKind::Marketplace, [Can::Listings, Can::Buy, Can::Sell].into()),
            served(ProviderKind::PriceSource, [Can::Quotes].into()),
            served(ProviderKind::GamePlatform, [Can::Inventory, Can::TradeOffers].into()),
        ],
        settings: Vec::new(),
        credentials: Vec::new(),
        rate_limits: Vec::new(),
    })
}
