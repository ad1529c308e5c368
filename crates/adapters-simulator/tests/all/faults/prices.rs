//! Faults by which a stranger lies about prices.

use time::Duration;
use tradepost_adapters_simulator::Fault;
use tradepost_domain::text::Marketplace;
use tradepost_ports::marketplace::{ListingQuery, Marketplace as _};
use tradepost_ports::price_source::PriceSource as _;

use crate::desk::Desk;

#[tokio::test]
async fn a_fake_ask_is_on_sale_for_a_while_at_a_price_that_means_nothing() {
    let desk = Desk::quiet();
    let on_sale = async || {
        let query = ListingQuery { market_hash_name: None, max_price: None, limit: 100 };
        desk.market.listings(&query, None).await.unwrap().items
    };
    let before = on_sale().await;
    desk.inject(Fault::FakeAsk { percent: 200, seconds: 60 });
    let faked: Vec<_> = on_sale().await.into_iter().filter(|listing| !before.contains(listing)).collect();
    let quotes = desk.simulator.prices(Marketplace::new("index").unwrap()).quotes().await.unwrap();
    assert_eq!(faked.len(), quotes.len());
    for listing in faked {
        let market =
            quotes.iter().find(|quotes| quotes.variant == listing.offered.variant).unwrap().quote.lowest_ask.unwrap();
        assert_eq!(listing.offered.price.get(), 2 * market.get());
    }
    desk.pass(Duration::minutes(1));
    assert_eq!(on_sale().await, before);
    desk.check_books();
}

#[tokio::test]
async fn one_index_reports_washed_sales_for_a_week() {
    let desk = Desk::quiet();
    let sales = async |index| {
        let quotes = desk.simulator.prices(Marketplace::new(index).unwrap()).quotes().await.unwrap();
        let quote = quotes.into_iter().max_by_key(|quotes| quotes.quote.lowest_ask).unwrap().quote;
        (quote.sales.unwrap().average.get() * 10 / quote.lowest_ask.unwrap().get(), quote.sales.unwrap().count)
    };
    desk.inject(Fault::WashSales { percent: 200, count: 4_500 });
    assert_eq!((sales("index").await, sales("guide").await), ((19, 5_000), (10, 500)));
    desk.pass(Duration::days(7));
    assert_eq!(sales("index").await, (10, 500));
}
