//! The services that the server may call by itself: their hosts, addresses and keys.

use secrecy::SecretString;
use serde::Deserialize;

use super::secret_values::secret;

/// Which services the server may call by itself.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Outside {
    /// Whether real services are called at all.
    pub(crate) real: bool,
    /// The hosts of those that are.
    pub(crate) hosts: Vec<String>,
    /// Whether the accounts behind the keys are read, and shown to every workspace with a provider of their marketplace.
    pub(crate) show_accounts: bool,
    pub(crate) addresses: Addresses,
    pub(crate) keys: ServiceKeys,
}

/// Other addresses of services, for tests and proxies.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Addresses {
    pub(crate) skinport: Option<String>,
    pub(crate) market_csgo: Option<String>,
    pub(crate) waxpeer: Option<String>,
    pub(crate) csfloat: Option<String>,
    pub(crate) dmarket: Option<String>,
    pub(crate) steam_market: Option<String>,
    /// Signing trading accounts in, and what is read of them by their access token.
    pub(crate) steam_api: Option<String>,
    /// The pages of trading accounts.
    pub(crate) steam_community: Option<String>,
}

/// Keys of the operator for services that are read with one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ServiceKeys {
    #[serde(deserialize_with = "secret")]
    pub(crate) dmarket: Option<SecretString>,
    /// For listings, the account and bids: asks of `CSFloat` are read without a key.
    #[serde(deserialize_with = "secret")]
    pub(crate) csfloat: Option<SecretString>,
    /// For listings: prices of market.csgo.com are read without a key.
    #[serde(deserialize_with = "secret")]
    pub(crate) market_csgo: Option<SecretString>,
    /// For listings and the account: prices of Waxpeer are read without a key.
    #[serde(deserialize_with = "secret")]
    pub(crate) waxpeer: Option<SecretString>,
}
