//! The contract suite of marketplaces over the shop. An adapter of a real marketplace runs it over a fake server.

use std::num::NonZeroU64;

use tradepost::domain::asset::AssetId;
use tradepost::domain::text::ExternalId;
use tradepost::domain::trading::trade::{PlatformUserId, TradeAddress};
use tradepost::ports::clock::Clock as _;
use tradepost::ports::marketplace::{ListingStatus, Marketplace, OrderStatus, Sale};
use tradepost::testkit::external::FaultInjection;
use tradepost::testkit::external::marketplace::MarketplaceFixture;
use tradepost::{SystemClock, async_trait};

use super::shop::{DELIVERY, Shop, fees};
use super::{account, text};

#[async_trait]
impl FaultInjection for Shop {
    async fn lose_next_answer(&self) {
        self.locked().trouble.loses_next_answer = true;
    }

    async fn limit_rate(&self) {
        self.locked().trouble.limits_calls = true;
    }

    async fn lose_session(&self) {
        self.locked().trouble.is_signed_out = true;
    }
}

#[async_trait]
impl MarketplaceFixture for Shop {
    fn marketplace(&self) -> &dyn Marketplace {
        self
    }

    fn address(&self) -> TradeAddress {
        self.account.clone()
    }

    async fn own_item(&self) -> AssetId {
        let mut state = self.locked();
        let item = AssetId::new(&format!("{}", 5_000 + state.items.len())).unwrap();
        state.items.push(item.clone());
        item
    }

    async fn sell(&self, listing: &ExternalId) {
        let user = PlatformUserId::new(NonZeroU64::new(76_561_198_000_000_009).unwrap());
        let (mut state, now) = (self.locked(), SystemClock.now());
        let sold = &mut state.listings.get_mut(listing).unwrap().listing;
        sold.status = ListingStatus::Sold;
        let sale = Sale {
            id: text(&format!("sale-{listing}")).unwrap(),
            listing_id: listing.clone(),
            asset_id: sold.asset_id.clone(),
            deliver_to: Some(TradeAddress { user, token: text("stranger").unwrap() }),
            price: sold.offered.price,
            fee: fees().selling.of(sold.offered.price),
            status: OrderStatus::AwaitingSeller,
            deliver_by: now.plus(DELIVERY),
            updated_at: now,
        };
        state.sales.push(sale);
    }
}

fn shop() -> Shop {
    Shop::open(account().unwrap()).unwrap()
}

tradepost::testkit::marketplace_contract!(shop());
