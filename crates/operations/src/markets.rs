//! markets.v1.Markets: market observations, the fair values of items, and the providers that a workspace works with.
//!
//! The engine or an embedder uses further commands, which the interface does not offer. They report its observations:
//! [`Operations::record_listings`](crate::Operations::record_listings),
//! [`Operations::record_quotes`](crate::Operations::record_quotes), [`RecordProviderHealth`] and [`KeepBaseline`].
//! [`Operations::quotes_of`](crate::Operations::quotes_of) reads the prices that value items, [`ReadProviderCredentials`] what
//! a driver authenticates with. Nothing here calls a marketplace, except through a [probe](crate::Operations::offer_probe).

mod desks;
mod observations;
mod price_feeds;
mod prices;
pub(crate) mod providers;

pub use desks::RecordedDesk;
pub use observations::*;
pub use price_feeds::Subscriber;
pub use prices::*;
pub use providers::*;
