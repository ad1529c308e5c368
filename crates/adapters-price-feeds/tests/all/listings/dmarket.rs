//! What is `DMarket`'s alone: signed queries, its clock, and offers that are looked for page by page.

use tradepost_adapters_price_feeds::Source;
use tradepost_domain::text::ExternalId;
use tradepost_fakes::{Fault, FaultRule};
use tradepost_ports::external::ExternalError;
use tradepost_ports::marketplace::{ListingFeed as _, SoughtListing};

use super::market::{DMARKET_NEWEST, Market, Read, by_id, keys};

const NEWEST: &str = "gameId=a8db&offerType=dmarket&orderBy=createdAt&orderDir=desc&limit=100";

#[tokio::test]
async fn the_newest_offers_of_the_service_itself_are_asked_for_and_one_among_those_of_its_name() {
    let market = Market::new(Source::DMarket).await;
    market.read(Read::Newest).await.unwrap();
    market.read(Read::Again).await.unwrap();
    let queries: Vec<String> = market.asked().into_iter().map(|(_, query)| query).collect();
    let [newest, again] = queries.as_slice() else { panic!("{queries:?}") };
    assert_eq!(newest, NEWEST);
    assert!(again.starts_with(&format!("{NEWEST}&title=")) && !again.contains(' '), "{again}");
}

#[tokio::test]
async fn f19_a_clock_that_is_ten_minutes_off_is_corrected_by_the_date_of_the_first_answer() {
    for off in [time::Duration::minutes(10), time::Duration::minutes(-10)] {
        let market = Market::with(Source::DMarket, &keys(), off).await;
        let failed = market.read(Read::Newest).await.unwrap_err();
        assert!(
            matches!(&failed, ExternalError::Unknown(text) if text.contains("the time of a signature")),
            "{failed:?}"
        );
        assert_eq!(market.read(Read::Newest).await.unwrap().len(), market.world().len().min(100), "{off}");
        assert_eq!(by_id(market.read(Read::Newest).await.unwrap()), market.expected(Read::Newest));
    }
}

#[tokio::test]
async fn an_offer_that_is_not_on_the_pages_of_its_name_is_looked_for_on_three_of_them() {
    let market = Market::new(Source::DMarket).await;
    let unknown = SoughtListing { id: ExternalId::new("7").unwrap(), ..market.first.clone() };
    let more = Fault::RepeatedCursor { cursor: "after-0".to_owned() };
    market.fakes.arm(vec![FaultRule { route: DMARKET_NEWEST.route.to_owned(), nth: 1, times: 10, fault: more }]);
    let failed = market.feed.listing(&unknown).await;
    assert_eq!(failed, Err(ExternalError::Unknown("it has too many offers of the name".to_owned())));
    assert_eq!(market.calls(DMARKET_NEWEST.route), 3);
    market.fakes.arm(Vec::new());
    assert!(market.feed.listing(&market.first).await.is_ok());
}
