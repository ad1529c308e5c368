//! What items are worth, by what was seen, reported and given.

use time::Duration;
use tradepost_domain::contracts::contract::{BasisPoints, PriceReference, PriceStatistic};
use tradepost_domain::markets::pricing::{Quote, Sales, Unpriced};
use tradepost_domain::money::Cents;
use tradepost_operations::contracts::PriceSource;
use tradepost_operations::markets::{
    DeletePriceOverride, GetPrice, GetPrices, GetPricingRules, ListPriceOverrides, PriceOf, SetPriceOverride,
    UpdatePricingRules,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{text, variant};

use super::{Market, REDLINE, elsewhere, named, redline};
use crate::harness::refusal;

impl Market {
    async fn price(&self) -> PriceOf {
        let command = GetPrice { workspace_id: self.world.workspace_id, variant: named(REDLINE) };
        self.world.operations.get_price(&self.watcher, command).await.unwrap()
    }

    async fn see(&self, here: i64, there: i64) {
        let seen = vec![self.seen(here), elsewhere(self.seen(there))];
        self.world.operations.record_listings(&self.watcher, self.world.workspace_id, seen).await.unwrap();
    }

    async fn add_quotes(&self, quotes: &[Quote]) -> u64 {
        let quotes: Vec<_> = quotes.iter().map(|quote| (redline(), quote.clone())).collect();
        self.world.operations.record_quotes(&self.watcher, self.world.workspace_id, &quotes).await.unwrap()
    }

    fn quote(&self, source: &str, ask: i64) -> Quote {
        Quote {
            source: text(source),
            lowest_ask: Some(Cents::new(ask).unwrap()),
            highest_bid: Some(Cents::new(ask / 2).unwrap()),
            sales: Some(Sales { average: Cents::new(ask).unwrap(), count: 7 }),
            observed_at: self.world.clock.now(),
        }
    }

    fn given(&self, price_cents: i64) -> SetPriceOverride {
        SetPriceOverride {
            workspace_id: self.world.workspace_id,
            variant: named(REDLINE),
            price_cents: Some(price_cents),
            expires_at: Some(self.world.clock.now().plus(Duration::hours(1))),
            reason: "the sources are wrong".to_owned(),
            expected_version: None,
        }
    }

    async fn give(
        &self,
        command: SetPriceOverride,
    ) -> OpResult<Versioned<tradepost_domain::markets::price_override::VariantOverride>> {
        self.world.operations.set_price_override(&self.watcher, command).await
    }
}

fn value(price: &PriceOf) -> Result<i64, Unpriced> {
    price.price().fair_value.map(|fair| fair.value.get())
}

#[tokio::test]
async fn a_variant_is_worth_what_its_cheapest_listings_say() {
    let market = Market::open().await;
    assert_eq!(value(&market.price().await), Err(Unpriced::NoQuote));
    market.see(100, 200).await;
    market.see(120, 300).await;
    let price = market.price().await;
    assert_eq!(value(&price), Ok(100));
    let sources: Vec<_> = price.price().sources.iter().map(|source| source.quote.source.to_string()).collect();
    assert_eq!(sources, ["elsewhere", "example"]);
    market.world.advance(Duration::minutes(16));
    assert_eq!(value(&market.price().await), Err(Unpriced::NoQuote));
}

#[tokio::test]
async fn quotes_of_a_source_combine_with_what_is_seen_there() {
    let market = Market::open().await;
    assert_eq!(market.add_quotes(&[market.quote("example", 90), market.quote("aggregator", 110)]).await, 2);
    market.world.advance(Duration::minutes(1));
    market.see(100, 104).await;
    let price = market.price().await;
    let asks: Vec<_> = price.price().sources.iter().map(|source| source.price.unwrap().get()).collect();
    assert_eq!(asks, [110, 104, 100]);
    assert_eq!(price.price().best_bid, Some(Cents::new(55).unwrap()));
    assert_eq!(price.price().liquidity, Some(30));
    assert_eq!(market.add_quotes(&[market.quote("example", 90)]).await, 1);
    // Of one moment the listing that was seen counts; a bid of long ago is left out by a later sight.
    assert_eq!(market.price().await.price().best_ask, Some(Cents::new(100).unwrap()));
    market.world.advance(Duration::minutes(16));
    market.see(100, 104).await;
    assert_eq!(market.price().await.price().best_bid, None);
}

#[tokio::test]
async fn an_older_quote_of_a_source_is_ignored() {
    let market = Market::open().await;
    let old = market.quote("aggregator", 90);
    market.world.advance(Duration::minutes(1));
    assert_eq!(market.add_quotes(&[market.quote("aggregator", 100)]).await, 1);
    assert_eq!(market.add_quotes(&[old]).await, 0);
}

#[tokio::test]
async fn several_prices_come_once_each_in_the_order_asked_for() {
    let market = Market::open().await;
    market.see(100, 200).await;
    let ask = async |names: Vec<&str>| {
        let variants = names.into_iter().map(named).collect();
        let command = GetPrices { workspace_id: market.world.workspace_id, variants };
        market.world.operations.get_prices(&market.watcher, command).await
    };
    let prices = ask(vec!["unknown", REDLINE, "unknown"]).await.unwrap();
    let short: Vec<_> = prices.iter().map(|price| (price.variant.clone(), value(price))).collect();
    assert_eq!(short, [(variant("unknown"), Err(Unpriced::NoQuote)), (redline(), Ok(100))]);
    for refused in [vec![], vec!["x"; 201], vec![""]] {
        assert_eq!(refusal(ask(refused).await), (Code::InvalidArgument, "INVALID_FIELD"));
    }
}

#[tokio::test]
async fn a_value_that_a_person_gave_wins_until_it_expires() {
    let market = Market::open().await;
    market.see(100, 200).await;
    let first = market.give(market.given(999)).await.unwrap();
    assert_eq!(first.version, 1);
    let price = market.price().await;
    assert_eq!((value(&price), price.is_overridden()), (Ok(999), true));
    let stale = SetPriceOverride { expected_version: Some(2), ..market.given(998) };
    assert_eq!(refusal(market.give(stale).await), (Code::FailedPrecondition, "VERSION_MISMATCH"));
    let second = market.give(SetPriceOverride { expected_version: Some(1), ..market.given(998) }).await.unwrap();
    assert_eq!((second.version, second.value.id), (2, first.value.id));
    let over = SetPriceOverride { expires_at: Some(market.world.clock.now()), ..market.given(1) };
    assert_eq!(refusal(market.give(over).await), (Code::FailedPrecondition, "EXPIRY_IN_PAST"));
    for refused in [
        SetPriceOverride { price_cents: Some(0), ..market.given(1) },
        SetPriceOverride { price_cents: None, ..market.given(1) },
        SetPriceOverride { expires_at: None, ..market.given(1) },
        SetPriceOverride { reason: String::new(), ..market.given(1) },
        SetPriceOverride { variant: named(""), ..market.given(1) },
    ] {
        assert_eq!(refusal(market.give(refused).await), (Code::InvalidArgument, "INVALID_FIELD"));
    }
    let unknown = SetPriceOverride { variant: named("other"), expected_version: Some(1), ..market.given(1) };
    assert_eq!(refusal(market.give(unknown).await), (Code::FailedPrecondition, "VERSION_MISMATCH"));
    market.world.advance(Duration::hours(1));
    market.see(100, 200).await;
    assert_eq!(value(&market.price().await), Ok(100));
}

#[tokio::test]
async fn a_value_is_listed_until_it_is_taken_away() {
    let market = Market::open().await;
    let (on, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let given = market.give(market.given(999)).await.unwrap();
    let list = async || {
        let command = ListPriceOverrides { workspace_id, limit: 0, cursor: String::new() };
        on.list_price_overrides(&market.watcher, command).await.unwrap().entries
    };
    assert_eq!(list().await, std::slice::from_ref(&given));
    let delete = async |expected_version| {
        let command = DeletePriceOverride { workspace_id, price_override_id: given.value.id, expected_version };
        on.delete_price_override(&market.watcher, command).await
    };
    assert_eq!(refusal(delete(Some(2)).await), (Code::FailedPrecondition, "VERSION_MISMATCH"));
    delete(Some(1)).await.unwrap();
    assert_eq!(refusal(delete(None).await), (Code::NotFound, "NOT_FOUND"));
    assert_eq!(list().await, []);
}

#[tokio::test]
async fn items_are_valued_by_the_rules_of_the_workspace() {
    let market = Market::open().await;
    let (on, workspace_id) = (&market.world.operations, market.world.workspace_id);
    market.see(100, 200).await;
    let before = on.get_pricing_rules(&market.watcher, GetPricingRules { workspace_id }).await.unwrap();
    assert_eq!((before.version, before.updated_at), (0, None));
    assert_eq!(before.reference, PriceReference::default());
    let lowest = |expected_version| UpdatePricingRules {
        workspace_id,
        reference: PriceSource {
            sources: Vec::new(),
            statistic: PriceStatistic::LowestAsk,
            max_age_seconds: Some(60),
            min_confidence_bps: Some(100),
        },
        expected_version,
    };
    let update = async |expected_version| on.update_pricing_rules(&market.watcher, lowest(expected_version)).await;
    assert_eq!(refusal(update(Some(1)).await), (Code::FailedPrecondition, "VERSION_MISMATCH"));
    assert_eq!(update(Some(0)).await.unwrap().version, 1);
    let again = update(None).await.unwrap();
    assert_eq!((again.version, again.reference.min_confidence), (2, BasisPoints::new(100).unwrap()));
    assert_eq!(on.get_pricing_rules(&market.watcher, GetPricingRules { workspace_id }).await.unwrap(), again);
    assert_eq!(value(&market.price().await), Ok(100));
    assert_eq!(refusal(update(Some(-1)).await), (Code::InvalidArgument, "INVALID_FIELD"));
}

#[tokio::test]
async fn the_engine_finds_what_a_variant_is_valued_by() {
    let market = Market::open().await;
    market.see(100, 200).await;
    market.give(market.given(999)).await.unwrap();
    let scope = Caller::system().principal.enter_as_member(market.world.workspace_id).unwrap();
    let basis = market.world.operations.quotes_of(scope, &redline()).await.unwrap();
    assert_eq!(basis.quotes.len(), 2);
    assert_eq!(basis.given.map(|given| given.price.get()), Some(999));
    let nothing = market.world.operations.quotes_of(scope, &variant("unknown")).await.unwrap();
    assert_eq!(nothing, tradepost_operations::markets::PriceBasis::default());
}
