//! Samples of observed listings and prices.

use tradepost_domain::asset::{AppId, AssetId};
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::id::{ObservationId, WorkspaceId};
use tradepost_domain::markets::listing::{Listing, Rarity, Sticker};
use tradepost_domain::markets::observation::{ListingSnapshot, MarketObservation};
use tradepost_domain::markets::price_override::VariantOverride;
use tradepost_domain::markets::pricing::PriceOverride;
use tradepost_domain::markets::variant::Variant;
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::Actor;

use super::trading::cents;
use super::{Samples, minute, start, text};
use tradepost_ports::clock::Ids as _;

/// Returns a variant that is identified by its name alone.
///
/// # Panics
/// On a name that the domain rejects.
pub fn variant(name: &str) -> Variant {
    Variant { app_id: AppId::CS2, market_hash_name: text(name), phase: None }
}

impl Samples {
    /// Returns a price override of a variant, set by the process itself until a day after the start.
    ///
    /// # Panics
    /// On a price that the domain rejects.
    pub fn price_override(&self, workspace_id: WorkspaceId, variant: Variant, price: i64) -> VariantOverride {
        VariantOverride {
            id: self.id(),
            workspace_id,
            variant,
            given: PriceOverride { price: cents(price), expires_at: minute(24 * 60) },
            reason: text("the sources are wrong"),
            given_by: Actor::System,
            created_at: start(),
            updated_at: start(),
        }
    }

    /// Returns a listing of a variant that was never seen before, on the marketplace `example`.
    ///
    /// # Panics
    /// On a price that the domain rejects.
    pub fn on_offer(&self, variant: Variant, price: i64, observed_at: Timestamp) -> ListingSnapshot {
        ListingSnapshot {
            marketplace: text("example"),
            listing_id: self.unique("listing"),
            asset_id: None,
            listing: Listing {
                variant,
                rarity: None,
                float_value: None,
                paint_seed: None,
                paint_index: None,
                stickers: Vec::new(),
                charms: Vec::new(),
                price: cents(price),
                trade_lock_days: 0,
                seller_success: None,
            },
            observed_at,
        }
    }

    /// Returns an observation of it, recorded when it was seen.
    pub fn observation(&self, workspace_id: WorkspaceId, snapshot: ListingSnapshot) -> MarketObservation {
        let observed_at = snapshot.observed_at;
        self.recorded_at(workspace_id, snapshot, observed_at)
    }

    /// Returns an observation of it, recorded at this time.
    pub fn recorded_at(
        &self,
        workspace_id: WorkspaceId,
        snapshot: ListingSnapshot,
        recorded_at: Timestamp,
    ) -> MarketObservation {
        let id = ObservationId::from_bytes(self.ids.key_of(recorded_at));
        MarketObservation { id, workspace_id, snapshot, recorded_at, recorded_by: Actor::System }
    }

    /// Returns a listing with every optional field.
    ///
    /// # Panics
    /// Never: the listing is legal.
    pub fn whole_offer(&self, price: i64, observed_at: Timestamp) -> ListingSnapshot {
        let variant = Variant { phase: Some(text("Phase 2")), ..variant("★ Karambit | Doppler (Factory New)") };
        let plain = self.on_offer(variant, price, observed_at);
        let sticker =
            |name, wear: Option<&str>| Sticker { name: text(name), wear: wear.map(|wear| wear.parse().unwrap()) };
        let listing = Listing {
            rarity: Some(Rarity::Covert),
            float_value: Some("0.012345678901234567890123".parse().unwrap()),
            paint_seed: Some(0),
            paint_index: Some(419),
            stickers: vec![sticker("Crown (Foil)", Some("0.5")), sticker("\"Howl\" ~ Dawn", None)],
            charms: vec![text("Charm | Lil' Ava")],
            trade_lock_days: 7,
            seller_success: Some(BasisPoints::new(9_900).unwrap()),
            ..plain.listing
        };
        ListingSnapshot { asset_id: Some(AssetId::new("27348562871").unwrap()), listing, ..plain }
    }
}
