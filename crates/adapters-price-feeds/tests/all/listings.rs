//! The feed of listings against the facade of its service: what it reads, every fault of a read, and its pace.

use std::time::Duration;

use serde_json::Value;
use tradepost_adapters_outside::Egress;
use tradepost_adapters_price_feeds::MarketListings;
use tradepost_domain::contracts::contract::BasisPoints;
use tradepost_domain::text::ExternalId;
use tradepost_fakes::{Addresses, Fakes, Fault, FaultRule, Grade, Served, serve};
use tradepost_ports::external::{Effect, ExternalError};
use tradepost_ports::marketplace::{
    ListingFeed as _, ListingStatus, MarketListing, MarketplaceRefusal, MarketplaceResult,
};

use crate::scene::{wait, without_pace};

const KEY: &str = "a-secret-key";
const NEWEST: &str = "GET /api/v1/listings";
const SINGLE: &str = "GET /api/v1/listings/{id}";
const ROUTES: [&str; 2] = [NEWEST, SINGLE];

type Failure = ExternalError<MarketplaceRefusal>;

struct Market {
    fakes: Fakes,
    feed: MarketListings,
    /// The id of the newest listing.
    first: ExternalId,
    _served: Served,
}

impl Market {
    async fn new() -> Self {
        Self::with_key(Some(KEY)).await
    }

    async fn with_key(key: Option<&str>) -> Self {
        let fakes = Fakes::of_seed(7).unwrap();
        let served = serve(&fakes, Addresses::default(), "token").await.unwrap();
        let limits = without_pace(MarketListings::LIMITS);
        let key = key.map(Into::into);
        let feed = MarketListings::with_limits(&Egress::default(), &served.csfloat, key, limits).unwrap();
        let newest = fakes.simulator().world(|world| world.newest_listings(1));
        let first = newest.into_iter().next().map(|listing| listing.id).unwrap();
        Self { fakes, feed, first, _served: served }
    }

    async fn read(&self, route: &str) -> MarketplaceResult<Vec<MarketListing>> {
        if route == NEWEST { self.feed.newest().await } else { Ok(vec![self.feed.listing(&self.first).await?]) }
    }

    /// Lets this happen to the next call of a route, and returns the result of the read.
    async fn read_with(&self, route: &str, fault: Fault) -> MarketplaceResult<Vec<MarketListing>> {
        self.fakes.arm(vec![FaultRule::next(route, fault)]);
        self.read(route).await
    }

    /// What the feed has to return: the listings of the world without charms, which the service does not show, and with sellers.
    fn expected(&self) -> Vec<MarketListing> {
        let listings = self.fakes.simulator().world(|world| world.newest_listings(50));
        listings.into_iter().map(as_shown).collect()
    }

    fn statuses(&self) -> Vec<u16> {
        self.fakes.ledger().iter().map(|entry| entry.status).collect()
    }
}

fn as_shown(mut listing: MarketListing) -> MarketListing {
    let number: u32 = listing.id.as_str().parse().unwrap();
    listing.offered.charms.clear();
    listing.offered.seller_success = (!number.is_multiple_of(3)).then(|| BasisPoints::new(9_583).unwrap());
    listing
}

/// The fault of a read, after which the next one works.
async fn fails_once(route: &str, fault: Fault) -> Failure {
    let market = Market::new().await;
    let failed = market.read_with(route, fault).await.unwrap_err();
    assert_eq!(market.fakes.ledger().len(), 1, "no call is repeated by itself");
    assert!(!market.read(route).await.unwrap().is_empty(), "the next read works");
    let text = format!("{failed} {failed:?}");
    assert!(!text.contains(KEY) && !text.contains("127.0.0.1"), "{text}");
    failed
}

fn unknown(failed: &Failure) -> &str {
    match failed {
        ExternalError::Unknown(text) => text,
        ExternalError::Rejected(_) | ExternalError::RateLimited { .. } | ExternalError::AuthLost { .. } => {
            panic!("{failed:?}")
        }
    }
}

fn other(text: &str) -> Failure {
    ExternalError::Rejected(MarketplaceRefusal::Other(text.to_owned()))
}

const fn limited(retry_after: Duration) -> Failure {
    ExternalError::RateLimited { retry_after, effect: Effect::Nothing }
}

#[tokio::test]
async fn the_newest_listings_of_the_market_are_read_in_their_order_in_both_forms_of_the_answer() {
    let market = Market::new().await;
    for _ in 0..2 {
        let expected = market.expected();
        assert!(expected.len() > 10);
        assert_eq!(market.feed.newest().await.unwrap(), expected);
        market.fakes.advance(time::Duration::hours(1));
    }
    let cards: Vec<_> = market.fakes.ledger().into_iter().filter_map(|entry| entry.card).collect();
    assert!(["bare", "data"].iter().all(|form| cards.contains(&format!("csfloat.listings.{form}"))), "{cards:?}");
    assert_eq!(market.feed.new_shapes(), Vec::<String>::new());
}

#[tokio::test]
async fn a_call_says_who_calls_and_the_key_is_in_no_log() {
    let market = Market::new().await;
    market.read(NEWEST).await.unwrap();
    market.read(SINGLE).await.unwrap();
    let calls: Vec<_> = market.fakes.ledger().into_iter().map(|entry| (entry.route, entry.query)).collect();
    let query = "limit=50&sort_by=most_recent&type=buy_now".to_owned();
    assert_eq!(calls, [(NEWEST.to_owned(), query), (SINGLE.to_owned(), String::new())]);
    assert!(market.fakes.ledger().iter().all(|entry| entry.user_agent.starts_with("tradepost/")));
    assert_eq!(market.fakes.csfloat_keys(), 1);
    assert!(!format!("{:?} {:?}", market.fakes.ledger(), market.feed).contains(KEY));
}

#[tokio::test]
async fn a_feed_without_a_key_makes_no_call() {
    let market = Market::with_key(None).await;
    let text = "it is not called: the setting outside.keys.csfloat is missing";
    assert_eq!(market.feed.ready().unwrap_err().to_string(), text);
    for route in ROUTES {
        assert_eq!(market.read(route).await, Err(other(text)));
    }
    assert!(market.fakes.ledger().is_empty());
}

#[tokio::test]
async fn a_listing_is_read_while_it_is_on_sale_and_after_it_was_sold() {
    let market = Market::new().await;
    let on_sale = market.expected().remove(0);
    assert_eq!(market.feed.listing(&market.first).await.unwrap(), on_sale);
    market.fakes.advance(time::Duration::hours(14));
    let sold = market.feed.listing(&market.first).await.unwrap();
    assert_eq!((sold.status, sold.id), (ListingStatus::Sold, on_sale.id));
}

#[tokio::test]
async fn a_listing_that_is_not_known_is_not_found_and_a_text_that_is_no_id_is_not_asked_for() {
    let market = Market::new().await;
    let of = |text: &str| ExternalId::new(text).unwrap();
    assert_eq!(
        market.feed.listing(&of("7")).await,
        Err(ExternalError::Rejected(MarketplaceRefusal::NotFound)),
        "the service answers 500"
    );
    for text in ["../me", "price-list?x=1", "1/2", "é"] {
        let failed = market.feed.listing(&of(text)).await.unwrap_err();
        assert!(matches!(failed, ExternalError::Rejected(MarketplaceRefusal::Other(_))), "{failed:?}");
    }
    assert_eq!(market.statuses(), [500]);
    assert!(market.feed.listing(&market.first).await.is_ok());
}

#[tokio::test]
async fn f01_a_limit_that_names_a_time_is_waited_for() {
    for route in ROUTES {
        let market = Market::new().await;
        let failed = market.read_with(route, Fault::F01 { retry_after_seconds: 60 }).await;
        assert_eq!(failed, Err(limited(Duration::from_mins(1))));
        assert!(matches!(market.read(route).await, Err(ExternalError::RateLimited { .. })));
        assert_eq!(market.fakes.ledger().len(), 1, "nothing is sent before the time");
        wait(Duration::from_secs(61)).await;
        assert!(!market.read(route).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn f02_a_limit_of_the_first_call_that_names_no_time_is_a_refusal_of_the_client() {
    for route in ROUTES {
        let market = Market::new().await;
        let refused = other("it refuses this client, whatever its pace");
        assert_eq!(market.read_with(route, Fault::F02).await, Err(refused));
        wait(MarketListings::LIMITS.pause + MarketListings::LIMITS.budget.window).await;
        assert!(!market.read(route).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn f05_to_f08_an_answer_that_is_none_proves_nothing() {
    for route in ROUTES {
        for status in [500, 502, 503] {
            let failed = fails_once(route, Fault::F05 { status }).await;
            assert_eq!(unknown(&failed), format!("it answered {status}"));
        }
        for fault in [Fault::F06, Fault::F08Truncated] {
            assert!(unknown(&fails_once(route, fault).await).starts_with("its answer is not JSON"));
        }
        for fault in
            [Fault::F07 { bytes: 0 }, Fault::F07 { bytes: 300 }, Fault::F08Huge { mib: 4 }, Fault::F08WrongGzip]
        {
            unknown(&fails_once(route, fault).await);
        }
        assert!(unknown(&fails_once(route, Fault::F08Stall).await).starts_with("no complete answer within"));
    }
}

#[tokio::test]
async fn f09_and_f10_a_key_that_is_not_admitted_is_lost_and_no_redirect_is_followed() {
    let lost = ExternalError::AuthLost { effect: Effect::Nothing };
    for route in ROUTES {
        assert_eq!(fails_once(route, Fault::F09 { status: 401 }).await, lost);
        assert_eq!(fails_once(route, Fault::F10).await, lost);
        assert_eq!(unknown(&fails_once(route, Fault::F09 { status: 302 }).await), "it answered 302");
    }
}

#[tokio::test]
async fn f11_an_error_with_status_200_is_a_refusal_whatever_its_text() {
    for route in ROUTES {
        let message = "a text that no one has seen before";
        let failed = fails_once(route, Fault::F11 { message: message.to_owned() }).await;
        assert!(
            matches!(&failed, ExternalError::Rejected(MarketplaceRefusal::Other(text)) if !text.contains(message)),
            "{failed:?}"
        );
    }
}

#[tokio::test]
async fn f18_and_f32_new_fields_and_numbers_as_texts_change_no_listing_and_are_shown_without_a_value() {
    for route in ROUTES {
        let market = Market::new().await;
        let usual = market.read(route).await.unwrap();
        assert_eq!(market.read_with(route, Fault::F32).await.unwrap(), usual);
        assert_eq!(market.read_with(route, Fault::F18).await.unwrap(), usual);
        let found = market.feed.new_shapes();
        assert!(found.iter().any(|shape| shape.contains(".item.keychains")), "{found:?}");
        assert!(found.iter().all(|shape| shape.starts_with('$') && shape.contains(" is ")), "{found:?}");
        assert!(!found.iter().any(|shape| shape.contains("97") || shape.contains("76561198")), "{found:?}");
    }
}

#[tokio::test]
async fn listings_of_another_form_are_an_error_that_names_the_path() {
    for route in ROUTES {
        let failed = fails_once(route, Fault::Drift).await;
        let text = unknown(&failed);
        assert!(text.starts_with("SHAPE_DRIFT: $") && text.contains(".price is a boolean, and must be "), "{text}");
    }
}

#[tokio::test]
async fn every_sample_of_every_card_of_listings_is_read_or_is_the_failure_that_it_describes() {
    let cards: Vec<_> = Market::new().await.fakes.facts().cards().cloned().collect();
    let of_listings = cards.iter().filter(|card| ROUTES.contains(&card.route.as_str()));
    let mut samples = 0;
    for card in of_listings {
        for (number, sample) in card.samples.iter().enumerate() {
            let mut market = Market::new().await;
            let usual = market.first.clone();
            let answer: Value = serde_json::from_str(sample).unwrap();
            if let Some(id) = answer.get("id").and_then(Value::as_str) {
                market.first = ExternalId::new(id).unwrap();
            }
            let read = market.read_with(&card.route, Fault::Sample { card: card.id.clone(), number }).await;
            match card.id.as_str() {
                "csfloat.listing.missing" => {
                    assert_eq!(read, Err(ExternalError::Rejected(MarketplaceRefusal::NotFound)));
                }
                "csfloat.listings.forbidden" => {
                    assert_eq!(read, Err(ExternalError::AuthLost { effect: Effect::Nothing }));
                }
                _ => assert!(read.is_ok(), "{} {number}: {read:?}", card.id),
            }
            market.first = usual;
            assert!(!market.read(&card.route).await.unwrap().is_empty(), "the next read works");
            assert_eq!(market.feed.new_shapes(), Vec::<String>::new(), "{} is known", card.id);
            samples += 1;
        }
        assert!(card.grade != Grade::Unknown || card.samples.len() >= 2, "{}", card.id);
    }
    assert!(samples > 5, "there are cards of listings");
}

#[tokio::test]
async fn headers_that_show_no_call_left_are_obeyed_before_a_call_is_refused() {
    let market = Market::new().await;
    for _ in 0..4 {
        market.read(NEWEST).await.unwrap();
        market.read(SINGLE).await.unwrap();
    }
    assert!(matches!(market.read(NEWEST).await, Err(ExternalError::RateLimited { .. })));
    assert_eq!(market.statuses(), [200; 8], "the ninth call is not made");
    wait(Duration::from_secs(301)).await;
    market.fakes.advance(time::Duration::minutes(5));
    assert!(!market.read(NEWEST).await.unwrap().is_empty());
}
