//! The simulator as a driver of providers. The operator of the server says where worlds are; a provider names one of them, and who trades
//! there.

use std::collections::BTreeSet;

use tradepost_domain::markets::provider::{Driver, DriverField, ProviderCapability, ProviderKind, Served};
use tradepost_domain::text::{Name, Text, TextError};

/// The setting that names the world.
pub(crate) const WORLD: &str = "world";
/// The setting that names the customer whose money and trading accounts are used.
pub(crate) const CUSTOMER: &str = "customer";
/// The setting that says whether trading accounts have to be signed in, and its values.
pub(crate) const SIGN_IN: &str = "sign_in";
pub(crate) const OFF: &str = "off";
pub(crate) const REQUIRED: &str = "required";
/// The password of accounts that have to be signed in. Their login name is their name.
pub(crate) const PASSWORD: &str = "simulated";

/// What the simulator says of itself.
///
/// # Errors
/// Never: its texts are texts.
pub fn driver() -> Result<Driver, TextError> {
    use ProviderCapability as Can;
    let served = |kind, capabilities: BTreeSet<ProviderCapability>| Served { kind, capabilities };
    let setting = |name, description, identifies| -> Result<DriverField, TextError> {
        Ok(DriverField { name: Name::new(name)?, description: Text::new(description)?, is_required: false, identifies })
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
                true,
            )?,
            setting(
                CUSTOMER,
                "The customer of the world whose money and trading accounts are used. Of no other workspace.",
                true,
            )?,
            setting(
                SIGN_IN,
                "off (the default), or required: trading accounts are signed in with their name and the password simulated.",
                false,
            )?,
        ],
        credentials: Vec::new(),
        rate_limits: Vec::new(),
        asks_before_giving: false,
    })
}
