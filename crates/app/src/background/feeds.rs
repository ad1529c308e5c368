//! Reading feeds: price sources and marketplaces that a server reads by itself, each once for every workspace with a provider of it, by one
//! process at a time. What is read becomes quotes or observations, the health of the provider, and a remediation while it fails.

mod account;
mod checks;
mod followed;
mod listing_probe;
mod listings;
mod price_probe;
mod prices;
mod subscriptions;
mod turns;

use std::time::Duration;

use tokio::time::Interval;

pub(crate) use listing_probe::ListingFeedProbe;
pub(crate) use listings::read_listings;
pub(crate) use price_probe::FeedProbe;
pub(crate) use prices::read_prices;
pub(crate) use turns::Turns;

/// How often workspaces are looked for that a read is due for: a provider that was created or changed is served after this time.
const LOOKING: Duration = Duration::from_secs(2);

/// The times at which workspaces are looked for.
fn looks() -> Interval {
    super::ticks(LOOKING)
}
