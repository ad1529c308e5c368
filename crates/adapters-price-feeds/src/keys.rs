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
