//! The keys of the operator, by which services are read that show something to their customers alone.

use secrecy::{ExposeSecret as _, SecretString};

use crate::dmarket_key::DMarketKey;

/// The keys of the operator. Nothing of them is in their `Debug`.
#[derive(Debug, Clone, Default)]
pub struct OperatorKeys {
    /// Of `CSFloat`: for listings, the account, and the bids of names.
    pub csfloat: Option<SecretString>,
    /// Of `DMarket`, which shows nothing without it.
    pub dmarket: Option<DMarketKey>,
    /// Of market.csgo.com: for listings.
    pub market_csgo: Option<SecretString>,
    /// Of Waxpeer: for listings and the account.
    pub waxpeer: Option<SecretString>,
}

/// A key, unless it is a blank text.
pub(crate) fn given(key: Option<&SecretString>) -> Option<SecretString> {
    key.filter(|key| !key.expose_secret().trim().is_empty()).cloned()
}

/// The header of this name with a key, for a service that takes one there.
pub(crate) fn header(name: &'static str, key: &SecretString) -> (&'static str, String) {
    (name, key.expose_secret().trim().to_owned())
}

/// A query after a field of this name with a key, for a service that takes one in the query alone.
pub(crate) fn query<'a>(name: &'a str, key: &'a SecretString, rest: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    std::iter::once((name, key.expose_secret().trim())).chain(rest.iter().copied()).collect()
}
