//! Price feeds: which workspaces may have real prices, and what a list becomes.

use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::markets::pricing::{Quote, Unpriced};
use tradepost_domain::markets::provider::{Driver, ProviderCapability, ProviderKind, Served};
use tradepost_domain::money::VenueCents;
use tradepost_operations::markets::{CreateProvider, GetPrice, ProviderCredentials, Subscriber};
use tradepost_operations::{Caller, Code};
use tradepost_ports::clock::Clock as _;
use tradepost_ports::price_source::VariantQuote;
use tradepost_testkit::samples::text;

use super::{Market, REDLINE, named, redline};
use crate::harness::refusal;

impl Market {
    /// The subscriber that an enabled provider makes of the workspace.
    async fn subscribed(&self, currency: &str) -> Subscriber {
        let (operations, workspace_id) = (&self.world.operations, self.world.workspace_id);
        operations.offer_driver(Driver {
            name: text("feed"),
            description: text("A feed."),
            serves: vec![Served { kind: ProviderKind::PriceSource, capabilities: [ProviderCapability::Quotes].into() }],
            settings: Vec::new(),
            credentials: Vec::new(),
            rate_limits: Vec::new(),
            asks_before_giving: false,
        });
        let create = CreateProvider {
            workspace_id,
            kind: ProviderKind::PriceSource,
            driver: "feed".to_owned(),
            name: "feed".to_owned(),
            currency: currency.to_owned(),
            settings: Vec::new(),
            credentials: ProviderCredentials::default(),
        };
        let provider = operations.create_provider(&Caller::system(), create).await.unwrap().provider.value;
        let subscribers =
            operations.list_subscribers(&text("feed"), ProviderKind::PriceSource, &text("feed")).await.unwrap();
        let [subscriber] = subscribers.as_slice() else { panic!("{subscribers:?}") };
        assert_eq!((subscriber.provider_id, subscriber.currency), (provider.id, provider.currency));
        subscriber.clone()
    }

    fn listed(&self, ask: i64) -> VariantQuote {
        let lowest_ask = VenueCents::new(ask).ok();
        let observed_at = self.world.clock.now();
        let quote = Quote { source: text("feed"), lowest_ask, highest_bid: None, sales: None, observed_at };
        VariantQuote { variant: redline(), quote }
    }
}

#[tokio::test]
async fn a_list_becomes_quotes_of_which_one_source_sets_no_price() {
    let market = Market::open().await;
    let of = market.subscribed("USD").await;
    market.world.operations.admit_subscriber(&of).await.unwrap();
    let quotes = [market.listed(2_350)];
    assert_eq!(market.world.operations.record_price_list(&of, &quotes).await.unwrap(), 1);
    assert_eq!(market.world.operations.record_price_list(&of, &quotes).await.unwrap(), 0, "nothing of it is new");
    let command = GetPrice { workspace_id: market.world.workspace_id, variant: named(REDLINE) };
    let price = market.world.operations.get_price(&market.watcher, command).await.unwrap();
    assert_eq!(price.price().fair_value.as_ref().err(), Some(&Unpriced::OneSource));
}

#[tokio::test]
async fn prices_in_another_currency_than_that_of_the_workspace_are_refused() {
    let market = Market::open().await;
    let of = market.subscribed("EUR").await;
    let refused = refusal(market.world.operations.admit_subscriber(&of).await);
    assert_eq!(refused, (Code::FailedPrecondition, "OTHER_CURRENCY"));
}

#[tokio::test]
async fn a_workspace_has_prices_of_the_real_market_or_trades_in_a_simulated_one() {
    let market = Market::open().await;
    let (operations, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let of = market.subscribed("USD").await;
    operations.admit_subscriber(&of).await.unwrap();
    let refused = refusal(operations.settle_market(workspace_id, MarketKind::Simulated).await);
    assert_eq!(refused, (Code::FailedPrecondition, "MARKET_KIND"));

    let market = Market::open().await;
    let (operations, workspace_id) = (&market.world.operations, market.world.workspace_id);
    let of = market.subscribed("USD").await;
    operations.settle_market(workspace_id, MarketKind::Simulated).await.unwrap();
    let refused = refusal(operations.admit_subscriber(&of).await);
    assert_eq!(refused, (Code::FailedPrecondition, "MARKET_KIND"));
}

#[tokio::test]
async fn one_process_reads_at_a_time() {
    let market = Market::open().await;
    let turn = market.world.operations.begin_reading_prices().await.unwrap();
    assert!(turn.is_some());
    assert!(market.world.operations.begin_reading_prices().await.unwrap().is_none());
}

#[tokio::test]
async fn no_name_is_watched_in_a_workspace_without_items_and_contracts() {
    let market = Market::open().await;
    let of = market.subscribed("USD").await;
    assert_eq!(market.world.operations.list_watched_names(&of).await.unwrap(), Vec::new());
}
