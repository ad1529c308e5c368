//! The offers of `DMarket`: those that were put on sale last, and one of them again. It shows an offer among those of its name alone, the
//! newest first, so that pages of the name are looked through.

mod page;
mod shape;

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tradepost_adapters_outside::{ClientError, Route, ServiceAddress, ServiceLimits};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::clock::Clock;
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{MarketplaceRefusal, MarketplaceResult, SoughtListing};

use super::signed_reads::SignedReads;
use super::{ENTRIES, GAME};
use crate::dmarket_key::DMarketKey;
use crate::listing_fields::text;
use crate::listing_market::{Found, ListingMarket, of_marketplace};
use page::OfferPage;

const OFFERS: Route = Route::get("/marketplace-api/v2/offers");
/// The most pages of a name that are looked through for one offer, which was among the newest some minutes ago.
const MOST_PAGES: u32 = 3;

/// Its offers, read with a key.
#[derive(Debug)]
pub(crate) struct DMarketOffers(SignedReads);

impl DMarketOffers {
    pub(crate) fn connect(
        address: ServiceAddress,
        limits: ServiceLimits,
        key: DMarketKey,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ClientError> {
        SignedReads::connect(address, &[OFFERS], limits, key, clock).map(Self)
    }

    /// Reads a page of the newest offers: of all names, or of one and those that begin with it.
    async fn page(&self, name: Option<&MarketHashName>, cursor: Option<&str>) -> MarketplaceResult<OfferPage> {
        // Offers of people's own inventories are bought on its web site alone, and are not asked for.
        let usual = [
            ("gameId", GAME),
            ("offerType", "dmarket"),
            ("orderBy", "createdAt"),
            ("orderDir", "desc"),
            ("limit", ENTRIES),
        ];
        let name = name.map(|name| ("title", name.as_str()));
        let query: Vec<(&str, &str)> =
            usual.into_iter().chain(name).chain(cursor.map(|cursor| ("cursor", cursor))).collect();
        OfferPage::read(&self.0.read(OFFERS, &query).await?).map_err(of_marketplace)
    }
}

#[async_trait]
impl ListingMarket for DMarketOffers {
    async fn newest(&self) -> MarketplaceResult<Found> {
        let OfferPage { items, new_shapes, .. } = self.page(None, None).await?;
        let now = self.0.now();
        Ok(Found::of(items.iter().map(|item| page::offer(item, now)), new_shapes))
    }

    async fn listing(&self, sought: &SoughtListing) -> MarketplaceResult<Found> {
        let (mut cursor, mut shapes): (Option<String>, BTreeSet<String>) = (None, BTreeSet::new());
        for _ in 0..MOST_PAGES {
            let OfferPage { items, next, new_shapes } =
                self.page(Some(&sought.market_hash_name), cursor.as_deref()).await?;
            shapes.extend(new_shapes);
            let is_sought = |item: &&Value| text(item.get("offerId")).as_deref() == Some(sought.id.as_str());
            if let Some(item) = items.iter().find(is_sought) {
                return Ok(Found::of([page::offer(item, self.0.now())], shapes));
            }
            let Some(next) = next else { return Err(ExternalError::Rejected(MarketplaceRefusal::NotFound)) };
            cursor = Some(next);
        }
        Err(ExternalError::Unknown("it has too many offers of the name".to_owned()))
    }
}
