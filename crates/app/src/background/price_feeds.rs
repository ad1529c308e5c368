//! Reading price feeds: one list of a currency for every workspace with a provider of the feed, by one process at a time. What is read
//! becomes quotes, the health of the provider, and a remediation while it fails.

mod followed;
mod probe;
mod turns;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::ProviderId;
use tradepost_domain::markets::provider::{ProviderKind, ProviderReport};
use tradepost_domain::money::Currency;
use tradepost_domain::text::ExternalId;
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{OpenRemediation, ResolveRemediation};
use tradepost_operations::markets::{RecordProviderHealth, Subscriber};
use tradepost_operations::{Caller, OpResult, Operations};
use tradepost_ports::clock::Clock;
use tradepost_ports::metrics as metric;
use tradepost_ports::price_source::{PriceFeed, VariantQuote};

use followed::{Failure, Followed, Step};
pub(crate) use probe::FeedProbe;
pub(crate) use turns::Turns;

/// How often workspaces are looked for that a list is due for: a provider that was created or changed is served after this time.
const LOOKING: Duration = Duration::from_secs(2);
/// The most characters of a reason in the evidence of a remediation.
const MOST_OF_REASON: usize = 128;

/// Reads a feed until stopped.
pub(crate) async fn read_prices(
    operations: Arc<Operations>,
    feed: Arc<dyn PriceFeed>,
    turns: Arc<Turns>,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    let mut reader = Reader { operations, feed, turns, clock, followed: HashMap::new(), new_shapes: BTreeSet::new() };
    let mut ticks = super::ticks(LOOKING);
    let reading = async {
        loop {
            ticks.tick().await;
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
    clock: Arc<dyn Clock>,
    followed: HashMap<ProviderId, Followed>,
    /// What is new in its answers and was reported.
    new_shapes: BTreeSet<String>,
}

impl Reader {
    async fn look(&mut self) -> OpResult<()> {
        let subscribers = self.operations.list_subscribers(&self.feed.driver().name, self.feed.name()).await?;
        self.followed.retain(|id, _| subscribers.iter().any(|of| of.provider_id == *id));
        if subscribers.is_empty() {
            self.turns.release(self.feed.name()).await;
            return Ok(());
        }
        let Some(_reading) = self.turns.begin(self.feed.name()).await? else { return Ok(()) };
        let (now, interval) = (Instant::now(), self.feed.interval());
        let mut lists: BTreeMap<Currency, Vec<Subscriber>> = BTreeMap::new();
        for of in subscribers {
            self.followed.entry(of.provider_id).or_insert_with(|| Followed::new(now, interval)).see(of.version, now);
            lists.entry(of.currency).or_default().push(of);
        }
        for (currency, all) in lists {
            if all.iter().any(|of| self.followed.get(&of.provider_id).is_some_and(|known| known.is_due(now))) {
                self.serve(currency, &all).await;
            }
        }
        Ok(())
    }

    /// Reads the list of a currency once, for every workspace that may have it.
    async fn serve(&mut self, currency: Currency, all: &[Subscriber]) {
        let mut admitted = Vec::new();
        for of in all {
            match self.operations.admit_subscriber(of).await {
                Ok(()) => admitted.push(of),
                Err(error) => {
                    let done = self.failed(of, &Failure::unready(error.message)).await;
                    self.settle(of, done);
                }
            }
        }
        if admitted.is_empty() {
            return;
        }
        // Names of a currency that it does not have would take the turns of the others.
        if self.feed.watches() && self.feed.source(currency).is_ok() {
            self.watch(&admitted).await;
        }
        let begun = Instant::now();
        let read = match self.feed.source(currency) {
            Ok(source) => {
                let read = source.quotes().await.map_err(Failure::from);
                self.report_shapes(source.new_shapes());
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
                    self.settle(of, done);
                }
            }
            Err(failure) => {
                for of in admitted {
                    let done = self.failed(of, &failure).await;
                    self.settle(of, done);
                }
            }
        }
    }

    /// Shows the feed which names matter most. Without them it reads all names alike.
    async fn watch(&self, all: &[&Subscriber]) {
        let mut names = BTreeSet::new();
        for of in all {
            match self.operations.list_watched_names(of).await {
                Ok(found) => names.extend(found),
                Err(error) => {
                    tracing::warn!(workspace = %of.workspace_id, error = ?error.source, "names to watch not read");
                }
            }
        }
        self.feed.watch(&names.into_iter().collect::<Vec<_>>());
    }

    /// Counts what is new in the answers of the source. It changes no price.
    fn report_shapes(&mut self, found: Vec<String>) {
        for shape in found {
            if self.new_shapes.insert(shape.clone()) {
                metrics::counter!(metric::PRICE_FEED_NEW_PATHS.name, "feed" => self.feed.name().to_string())
                    .increment(1);
                tracing::warn!(feed = %self.feed.name(), new = %shape, "answer of a price source has a new form");
            }
        }
    }

    /// What could not be recorded of one workspace keeps no other from its prices, and is read again a little later.
    fn settle(&mut self, of: &Subscriber, done: OpResult<()>) {
        if let Err(error) = done {
            warn_of!(error, workspace = %of.workspace_id, reason = %error.message, "prices not recorded");
            if let Some(followed) = self.followed.get_mut(&of.provider_id) {
                followed.put_off(Instant::now());
            }
        }
    }

    async fn record(&mut self, of: &Subscriber, quotes: &[VariantQuote], took: Duration) -> OpResult<()> {
        self.operations.record_price_list(of, quotes).await?;
        let at = self.clock.now();
        let Some(followed) = self.followed.get_mut(&of.provider_id) else { return Ok(()) };
        let report = followed.answered(Instant::now(), at, took);
        record_health(&self.operations, self.feed.as_ref(), of, report).await?;
        if !self.followed.get(&of.provider_id).is_some_and(Followed::may_have_problem) {
            return Ok(());
        }
        let (workspace_id, subject) = (of.workspace_id, Subject::Provider(of.provider_id));
        let resolve = ResolveRemediation { workspace_id, kind: RemediationKind::ProviderDown, subject };
        self.operations.resolve_remediation(&Caller::system(), resolve).await?;
        if let Some(followed) = self.followed.get_mut(&of.provider_id) {
            followed.resolved();
        }
        Ok(())
    }

    async fn failed(&mut self, of: &Subscriber, failure: &Failure) -> OpResult<()> {
        let at = self.clock.now();
        let Some(followed) = self.followed.get_mut(&of.provider_id) else { return Ok(()) };
        let (report, step) = followed.failed(Instant::now(), at, failure);
        tracing::warn!(feed = %self.feed.name(), workspace = %of.workspace_id, reason = %failure.text, "prices not read");
        record_health(&self.operations, self.feed.as_ref(), of, report).await?;
        match step {
            Step::Wait => {}
            Step::Open => {
                let reason: String = failure.text.chars().take(MOST_OF_REASON).collect();
                let evidence = Evidence { found: ExternalId::new(&reason).ok(), ..Evidence::default() };
                let (workspace_id, subject) = (of.workspace_id, Subject::Provider(of.provider_id));
                let kind = RemediationKind::ProviderDown;
                let open = OpenRemediation { workspace_id, kind, subject, evidence };
                self.operations.open_remediation(&Caller::system(), open).await?;
                if let Some(followed) = self.followed.get_mut(&of.provider_id) {
                    followed.opened();
                }
            }
        }
        Ok(())
    }
}

/// Records what is known of a provider.
async fn record_health(
    operations: &Operations,
    feed: &dyn PriceFeed,
    of: &Subscriber,
    report: ProviderReport,
) -> OpResult<()> {
    let (workspace_id, kind, name) = (of.workspace_id, ProviderKind::PriceSource, feed.name().clone());
    let command = RecordProviderHealth { workspace_id, kind, name, report };
    operations.record_provider_health(&Caller::system(), command).await.map(drop)
}
