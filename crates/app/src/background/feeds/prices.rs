//! Reading price sources: one list of a currency for every workspace with a provider of the source.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::Currency;
use tradepost_operations::markets::Subscriber;
use tradepost_operations::{OpResult, Operations};
use tradepost_ports::clock::Clock;
use tradepost_ports::price_source::{PriceFeed, VariantQuote};

use super::followed::Failure;
use super::looks;
use super::subscriptions::{Feed, MarketReading, Names, Subscriptions};
use super::turns::{FeedKey, Turns};

/// Reads a source until stopped.
pub(crate) async fn read_prices(
    operations: Arc<Operations>,
    feed: Arc<dyn PriceFeed>,
    turns: Arc<Turns>,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    let of = Feed {
        kind: ProviderKind::PriceSource,
        driver: feed.driver().name.clone(),
        name: feed.name().clone(),
        interval: feed.interval(),
    };
    let subscriptions = Subscriptions::new(operations.clone(), clock, of);
    let mut reader = Reader { operations, feed, turns, subscriptions };
    let mut looks = looks();
    let reading = async {
        loop {
            looks.tick().await;
            if let Err(error) = reader.look().await {
                warn_of!(error, feed = %reader.feed.name(), "prices were not read or not recorded");
            }
        }
    };
    stop.run_until_cancelled(reading).await;
}

struct Reader {
    operations: Arc<Operations>,
    feed: Arc<dyn PriceFeed>,
    turns: Arc<Turns>,
    subscriptions: Subscriptions,
}

impl Reader {
    async fn look(&mut self) -> OpResult<()> {
        if !self.turns.may_read().await {
            return Ok(());
        }
        let key = FeedKey::new(ProviderKind::PriceSource, self.feed.name());
        let subscribers = self.subscriptions.read().await?;
        if subscribers.is_empty() {
            self.turns.release(&key).await;
            return Ok(());
        }
        let Some(_reading) = self.turns.begin(&key).await? else { return Ok(()) };
        let mut lists: BTreeMap<Currency, Vec<Subscriber>> = BTreeMap::new();
        for of in subscribers {
            lists.entry(of.currency).or_default().push(of);
        }
        for (currency, all) in lists {
            if self.subscriptions.are_due(&all) {
                self.serve(currency, &all).await;
            }
        }
        Ok(())
    }

    /// Reads the list of a currency once, for every workspace that may have it.
    async fn serve(&mut self, currency: Currency, all: &[Subscriber]) {
        let admitted = self.subscriptions.admit(all).await;
        if admitted.is_empty() {
            return;
        }
        // Names of a currency that it does not have would take the turns of the others.
        if self.feed.watches() && self.feed.source(currency).is_ok() {
            let names = self.subscriptions.names(&admitted, Names::Watched).await;
            self.feed.watch(&names);
        }
        let begun = Instant::now();
        let read = match self.feed.source(currency) {
            Ok(source) => {
                let read = source.quotes().await.map_err(Failure::from);
                self.subscriptions.report_shapes(source.new_shapes());
                read
            }
            Err(unavailable) => Err(Failure::unready(unavailable.to_string())),
        };
        let took = begun.elapsed();
        match read {
            Ok(quotes) => {
                tracing::info!(feed = %self.feed.name(), %currency, quotes = quotes.len(), "price list read");
                for of in admitted {
                    let done = self.record(of, &quotes, took).await;
                    self.subscriptions.settle(of, done);
                }
            }
            Err(failure) => self.subscriptions.fail(admitted, &failure).await,
        }
    }

    async fn record(&mut self, of: &Subscriber, quotes: &[VariantQuote], took: Duration) -> OpResult<()> {
        self.operations.record_price_list(of, quotes).await?;
        self.subscriptions.answered(of, took, MarketReading::default()).await
    }
}
