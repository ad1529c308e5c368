//! The simulator as a driver of providers. The operator of the server says where worlds are; a provider names one of them, and who trades
//! there.

use std::collections::BTreeSet;

use tradepost_domain::markets::provider::{Driver, DriverField, ProviderCapability, ProviderKind, Served};
use tradepost_domain::text::{Name, Text, TextError};

/// The setting that names the world.
pub(crate) const WORLD: &str = "world";
/// The setting that names the customer whose money and trading accounts are used.
pub(crate) const CUSTOMER: &str = "customer";

/// What the simulator says of itself.
///
/// # Errors
/// Never: its texts are texts.
pub fn driver() -> Result<Driver, TextError> {
    use ProviderCapability as Can;
    let served = |kind, capabilities: BTreeSet<ProviderCapability>| Served { kind, capabilities };
    let setting = |name, description| -> Result<DriverField, TextError> {
        Ok(DriverField {
            name: Name::new(name)?,
            description: Text::new(description)?,
            is_required: false,
            identifies: true,
        })
    };
    Ok(Driver {
        name: Name::new("simulator")?,
        description: Text::new("A marketplace, an index of prices and a game platform in one simulated world.")?,
        serves: vec![
            served(ProviderKind::Marketplace, [Can::Listings, Can::Buy, Can::Sell].into()),
            served(ProviderKind::PriceSource, [Can::Quotes].into()),
            served(ProviderKind::GamePlatform, [Can::Inventory, Can::TradeOffers].into()),
        ],
        settings: vec![
            setting(
                WORLD,
                "The world, by its name in the setting trading.worlds of the server. Without it, the server's own desk trades here.",
            )?,
            setting(
                CUSTOMER,
                "The customer of the world whose money and trading accounts are used. Of no other workspace.",
            )?,
        ],
        credentials: Vec::new(),
        rate_limits: Vec::new(),
    })
}
