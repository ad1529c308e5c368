//! What is known of markets.

mod observing;
mod price_feeds;
mod pricing;
mod providers;

use tradepost_domain::accounts::policy::{Policy, PolicySet};
use tradepost_domain::markets::observation::ListingSnapshot;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::money::Cents;
use tradepost_operations::Caller;
use tradepost_operations::contracts::SampleListing;
use tradepost_operations::markets::{ObservedListing, VariantName};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text, variant};

use crate::harness::World;

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";

/// A world with a key that has the policy `markets`.
struct Market {
    world: World,
    watcher: Caller,
    samples: Samples,
}

impl Market {
    async fn open() -> Self {
        let world = World::new().await;
        let watcher = world.key(PolicySet::of(&[Policy::Markets])).await;
        Self { world, watcher, samples: Samples::seeded(9) }
    }

    /// A listing of the redline as it is seen now.
    fn seen(&self, price: i64) -> ListingSnapshot {
        self.samples.on_offer(redline(), price, self.world.clock.now())
    }

    /// The same listing, seen now at another price.
    fn again(&self, seen: &ListingSnapshot, price: i64) -> ListingSnapshot {
        let mut again = seen.clone();
        again.listing.price = Cents::new(price).unwrap();
        again.observed_at = self.world.clock.now();
        again
    }
}

fn redline() -> Variant {
    variant(REDLINE)
}

fn named(name: &str) -> VariantName {
    VariantName { app_id: 0, market_hash_name: name.to_owned(), phase: None }
}

/// A reported listing with only what a request requires.
fn reported(listing_id: &str, price_cents: i64) -> ObservedListing {
    ObservedListing {
        marketplace: "example".to_owned(),
        listing_id: listing_id.to_owned(),
        listing: SampleListing {
            market_hash_name: REDLINE.to_owned(),
            price_cents: Some(price_cents),
            ..SampleListing::default()
        },
        ..ObservedListing::default()
    }
}

/// A marketplace other than the one of the samples.
fn elsewhere(seen: ListingSnapshot) -> ListingSnapshot {
    ListingSnapshot { marketplace: text("elsewhere"), ..seen }
}
