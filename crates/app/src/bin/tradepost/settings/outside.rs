//! The services that the server may call by itself: their hosts, addresses and keys.

use secrecy::SecretString;
use serde::Deserialize;

use super::secret_values::secret;

/// Which services the server may call by itself.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Outside {
    /// call real [services](calls-to-others.md#calls-to-services); without it the server calls those on this machine
    /// alone
    pub(crate) real: bool,
    /// the hosts of services that may be called, such as `api.skinport.com`
    pub(crate) hosts: Vec<String>,
    /// read the [accounts behind the keys](marketplace-readings.md#what-the-account-has-there) of `csfloat`, `dmarket`
    /// and `waxpeer`, and show their balance, listings and orders to every workspace with a provider of the marketplace
    pub(crate) show_accounts: bool,
    pub(crate) addresses: Addresses,
    pub(crate) keys: ServiceKeys,
}

/// Other addresses of services, for tests and proxies.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Addresses {
    /// another address of Skinport, for a test or a proxy
    pub(crate) skinport: Option<String>,
    /// the same for market.csgo.com
    pub(crate) market_csgo: Option<String>,
    /// the same for Waxpeer
    pub(crate) waxpeer: Option<String>,
    /// the same for CSFloat
    pub(crate) csfloat: Option<String>,
    /// the same for DMarket
    pub(crate) dmarket: Option<String>,
    /// the same for the Steam Community Market
    pub(crate) steam_market: Option<String>,
    /// the same for Steam's API, by which [trading accounts](../how-to/connect-steam.md) sign in and are read
    pub(crate) steam_api: Option<String>,
    /// the same for the pages that are read of trading accounts
    pub(crate) steam_community: Option<String>,
}

/// Keys of the operator for services that are read with one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ServiceKeys {
    /// the private key of an account at DMarket, 128 hexadecimal digits; without it
    /// [DMarket](../how-to/real-prices.md#the-key-of-dmarket) is not called. Secret
    #[serde(deserialize_with = "secret")]
    pub(crate) dmarket: Option<SecretString>,
    /// the key of an account at CSFloat; without it the [listings](../how-to/watch-a-marketplace.md) and
    /// [bids](../how-to/real-prices.md#bids) there are not read. Its price list needs no key. Secret
    #[serde(deserialize_with = "secret")]
    pub(crate) csfloat: Option<SecretString>,
    /// the key of an account at Waxpeer; without it the listings there are not read. Its lists of prices and of bids
    /// need no key. Secret
    #[serde(deserialize_with = "secret")]
    pub(crate) waxpeer: Option<SecretString>,
    /// the same for market.csgo.com. The currency of the account must be USD. Secret
    #[serde(deserialize_with = "secret")]
    pub(crate) market_csgo: Option<SecretString>,
}
