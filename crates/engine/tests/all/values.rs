//! What an attacker can do to the prices that we use, and what that costs us.

use std::sync::Arc;

use async_trait::async_trait;
use time::Duration;
use tradepost_domain::contracts::evaluation::{Decision, Rule};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::markets::pricing::Quote;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;
use tradepost_engine::{Desk as Engaged, Engine};
use tradepost_ports::price_source::{PriceResult, PriceSource, VariantQuote};
use tradepost_testkit::samples::{text, variant};

use crate::custom_adapter::SHOP;
use crate::desk::{Desk, MARKET, all_items, cents};
use crate::scripted_adapters::{Stub, on_sale};

/// A source that says one price of one variant, at one time.
struct Says {
    name: Marketplace,
    price: i64,
    at: Timestamp,
}

#[async_trait]
impl PriceSource for Says {
    fn name(&self) -> &Marketplace {
        &self.name
    }

    async fn quotes(&self) -> PriceResult<Vec<VariantQuote>> {
        let source = self.name.clone();
        let lowest_ask = Some(cents(self.price));
        let quote = Quote { source, lowest_ask, highest_bid: None, sales: None, observed_at: self.at };
        Ok(vec![VariantQuote { variant: variant("AK-47 | Redline (Field-Tested)"), quote }])
    }
}

impl Desk {
    /// An engine at a stub, where one more source says that its items are worth so much.
    fn engine_valuing(&self, market: &Arc<Stub>, price: i64) -> Engine {
        let at = self.simulator.world(|world| world.now());
        let engaged = self.engaged("node-1", market.clone());
        self.engine_for(Engaged { price_sources: vec![Arc::new(Says { name: text("index"), price, at })], ..engaged })
    }
}

#[tokio::test]
async fn a_bargain_is_valued_by_other_listings_and_never_by_its_own_price() {
    let desk = Desk::lively(41).await;
    desk.buying(5).await;
    let market = Arc::new(Stub::default());
    market.offer(vec![vec![on_sale("bargain", 450)]]);
    let mut engine = desk.engine_valuing(&market, 1_000);
    let pass = engine.pass().await;
    let decisions: Vec<_> = pass.decisions.iter().map(|made| (made.decision, made.failed.clone())).collect();
    assert_eq!(
        decisions,
        [(Decision::Skip, vec![Rule::FairValue, Rule::Confidence, Rule::Discount])],
        "one source is none"
    );

    market.offer(vec![vec![on_sale("bargain", 450), on_sale("other", 1_000)]]);
    desk.simulator.advance(Duration::seconds(1));
    let pass = engine.pass().await;
    assert!(pass.errors.is_empty() && pass.bought == 1, "{pass:?}");
    let bought = desk.purchases().await.remove(0);
    assert_eq!((bought.terms.listing_id.clone(), bought.terms.listing_price), (text("bargain"), cents(450)));
}

#[tokio::test]
async fn an_item_goes_on_sale_where_most_is_left_of_its_price() {
    for (share, place) in [(100, SHOP), (300, MARKET), (200, SHOP)] {
        for is_turned in [false, true] {
            let (desk, _) = Desk::stocked(61).await;
            let (mut engaged, shop) = desk.engaged_with_shop("7");
            shop.keeps(share);
            if is_turned {
                engaged.venues.reverse();
            }
            desk.selling().await;
            let mut engine = desk.engine_for(engaged);
            desk.live_until(&mut engine, all_items(1, ItemStatus::Listed)).await;
            let sold_at = desk.item().await.sale_place.clone().unwrap().marketplace;
            assert_eq!(
                sold_at,
                Marketplace::new(place).unwrap(),
                "where {share} basis points are kept, turned: {is_turned}"
            );
        }
    }
}

#[tokio::test]
async fn an_item_that_was_bought_keeps_what_its_listing_showed() {
    let desk = Desk::lively(42).await;
    desk.buying(1).await;
    desk.live_until(&mut desk.engine(), |_, items| items.len() == 1).await;
    let (item, purchase) = (desk.item().await, desk.purchases().await.remove(0));
    assert_eq!(item.traits.difference(&purchase.terms.traits), None);
    let listed = &purchase.terms.traits;
    assert!(listed.rarity.is_some() && listed.paint_index.is_some() && listed.wear.is_some(), "{listed:?}");
    assert_eq!((item.traits.rarity, item.traits.paint_index), (listed.rarity, listed.paint_index));
}
