//! What was seen on a marketplace: a listing at its price, when, and by whom. Whether it is wanted is not known here.

use time::Duration;

use crate::asset::AssetId;
use crate::id::{ObservationId, WorkspaceId};
use crate::markets::listing::Listing;
use crate::money::Cents;
use crate::names::names;
use crate::text::{ExternalId, Marketplace};
use crate::time::Timestamp;
use crate::transition::Actor;

/// How long observations are kept that led to nothing.
pub const KEPT_FOR: Duration = Duration::days(7);

/// After how long a listing at an unchanged price is recorded again, so that its record does not expire before it does.
pub const RENEWED_AFTER: Duration = Duration::days(1);

/// How long a listing counts as on sale after it was seen.
pub const ON_SALE_FOR: Duration = Duration::minutes(15);

/// How far a marketplace's clock may run ahead of ours.
const MOST_AHEAD: Duration = Duration::minutes(5);

/// A listing at its price, as it was seen and recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarketObservation {
    /// Its own id.
    pub id: ObservationId,
    /// The workspace that it was recorded for.
    pub workspace_id: WorkspaceId,
    /// What was seen.
    pub snapshot: ListingSnapshot,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// Who recorded it.
    pub recorded_by: Actor,
}

/// A listing at its price, as it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingSnapshot {
    /// Where.
    pub marketplace: Marketplace,
    /// The marketplace's id of the listing.
    pub listing_id: ExternalId,
    /// The item while with its seller, where the marketplace shows it.
    pub asset_id: Option<AssetId>,
    /// What the item is, and what it costs.
    pub listing: Listing,
    /// When.
    pub observed_at: Timestamp,
}

/// The outcome of recording an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It says something new.
    Accepted = 1,
    /// The listing was known at this price; its latest observation time was updated.
    Duplicate = 2,
    /// It is not recorded.
    Rejected = 3,
}

names! { Outcome, "outcome of an observation":
    Accepted => "ACCEPTED",
    Duplicate => "DUPLICATE",
    Rejected => "REJECTED",
}

/// Why an observation is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rejection {
    /// A field of it breaks a rule.
    Malformed = 1,
    /// A listing that costs nothing is none.
    NoPrice = 2,
    /// It is from a time that has not come.
    InFuture = 3,
    /// It is older than what is kept.
    TooOld = 4,
    /// Something later is known of the listing.
    Outdated = 5,
}

names! { Rejection, "reason for rejecting an observation":
    Malformed => "MALFORMED",
    NoPrice => "NO_PRICE",
    InFuture => "IN_FUTURE",
    TooOld => "TOO_OLD",
    Outdated => "OUTDATED",
}

impl ListingSnapshot {
    /// Checks what can be known of a snapshot by itself.
    ///
    /// # Errors
    /// The [`Rejection`].
    pub fn check(&self, at: Timestamp) -> Result<(), Rejection> {
        let age = at.since(self.observed_at);
        if self.listing.price == Cents::ZERO {
            Err(Rejection::NoPrice)
        } else if age < -MOST_AHEAD {
            Err(Rejection::InFuture)
        } else if age > KEPT_FOR {
            Err(Rejection::TooOld)
        } else {
            Ok(())
        }
    }

    /// Whether it says nothing that an earlier snapshot of the listing has not said.
    pub fn repeats(&self, earlier: &Self) -> bool {
        self.listing.price == earlier.listing.price && self.observed_at.since(earlier.observed_at) < RENEWED_AFTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::AppId;
    use crate::markets::variant::Variant;

    fn seen(price: i64, minutes: i64) -> ListingSnapshot {
        let listing = Listing {
            variant: Variant {
                app_id: AppId::CS2,
                market_hash_name: crate::text::Text::new("AK-47 | Redline (Field-Tested)").unwrap(),
                phase: None,
            },
            rarity: None,
            float_value: None,
            paint_seed: None,
            paint_index: None,
            stickers: Vec::new(),
            charms: Vec::new(),
            price: Cents::new(price).unwrap(),
            trade_lock_days: 0,
            seller_success: None,
        };
        ListingSnapshot {
            marketplace: crate::text::Text::new("example").unwrap(),
            listing_id: ExternalId::from(7),
            asset_id: None,
            listing,
            observed_at: Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes)),
        }
    }

    #[test]
    fn a_sighting_is_of_a_price_and_of_our_time() {
        let now = seen(1, 0).observed_at;
        assert_eq!(seen(1, 5).check(now), Ok(()));
        assert_eq!(seen(1, 6).check(now), Err(Rejection::InFuture));
        assert_eq!(seen(1, -7 * 24 * 60).check(now), Ok(()));
        assert_eq!(seen(1, -7 * 24 * 60 - 1).check(now), Err(Rejection::TooOld));
        assert_eq!(seen(0, 0).check(now), Err(Rejection::NoPrice));
    }

    #[test]
    fn a_listing_at_its_price_is_observed_again_after_a_day() {
        let first = seen(100, 0);
        assert!(seen(100, 24 * 60 - 1).repeats(&first));
        assert!(!seen(100, 24 * 60).repeats(&first));
        assert!(!seen(99, 1).repeats(&first));
    }
}
