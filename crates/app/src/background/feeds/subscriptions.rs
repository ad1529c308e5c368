//! The workspaces that a feed is read for: when each is due, how its provider is, and the remediation while it fails.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::ProviderId;
use tradepost_domain::markets::fees::FeeSchedule;
use tradepost_domain::markets::provider::{AccountStanding, ProviderKind, ProviderReport};
use tradepost_domain::text::{ExternalId, MarketHashName, Marketplace, Name};
use tradepost_domain::transition::Subject;
use tradepost_operations::contracts::{OpenRemediation, ResolveRemediation};
use tradepost_operations::markets::{RecordProviderHealth, Subscriber};
use tradepost_operations::{Caller, OpResult, Operations};
use tradepost_ports::clock::Clock;
use tradepost_ports::metrics as metric;

use super::followed::{Failure, Followed, Step};

/// The most characters of a reason in the evidence of a remediation.
const MOST_OF_REASON: usize = 128;

/// What a feed is, and how often it is read.
pub(super) struct Feed {
    pub(super) kind: ProviderKind,
    pub(super) driver: Name,
    pub(super) name: Marketplace,
    pub(super) interval: Duration,
}

/// What a marketplace says of itself and of the account behind the key; a price source says nothing of it.
#[derive(Default)]
pub(super) struct MarketReading {
    pub(super) fees: Option<FeeSchedule>,
    pub(super) standing: Option<AccountStanding>,
}

/// The names that a feed which is read name by name asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Those of items and of the filters of active contracts: their prices matter most.
    Watched,
    /// Those of the filters of active contracts: what could be bought.
    Wanted,
}

/// The workspaces with a provider of a feed.
pub(super) struct Subscriptions {
    operations: Arc<Operations>,
    clock: Arc<dyn Clock>,
    feed: Feed,
    followed: HashMap<ProviderId, Followed>,
    /// What was new in the answers of the feed and is reported.
    new_shapes: BTreeSet<String>,
}

impl Subscriptions {
    pub(super) fn new(operations: Arc<Operations>, clock: Arc<dyn Clock>, feed: Feed) -> Self {
        Self { operations, clock, feed, followed: HashMap::new(), new_shapes: BTreeSet::new() }
    }

    /// Reads which workspaces have an enabled provider of the feed.
    pub(super) async fn read(&mut self) -> OpResult<Vec<Subscriber>> {
        let Feed { kind, driver, name, interval } = &self.feed;
        let subscribers = self.operations.list_subscribers(driver, *kind, name).await?;
        self.followed.retain(|id, _| subscribers.iter().any(|of| of.provider_id == *id));
        let now = Instant::now();
        for of in &subscribers {
            let followed = self.followed.entry(of.provider_id).or_insert_with(|| Followed::new(now, *interval));
            followed.see(of.version, now);
        }
        Ok(subscribers)
    }

    /// Whether a read is due for one of these workspaces.
    pub(super) fn are_due<'a>(&self, all: impl IntoIterator<Item = &'a Subscriber>) -> bool {
        let now = Instant::now();
        let is_due = |of: &Subscriber| self.followed.get(&of.provider_id).is_some_and(|known| known.is_due(now));
        all.into_iter().any(is_due)
    }

    /// Returns the workspaces that may have what is read. The providers of the others show why not.
    pub(super) async fn admit<'a>(&mut self, all: impl IntoIterator<Item = &'a Subscriber>) -> Vec<&'a Subscriber> {
        let mut admitted = Vec::new();
        for of in all {
            match self.operations.admit_subscriber(of).await {
                Ok(()) => admitted.push(of),
                Err(error) => self.fail([of], &Failure::unready(error.message)).await,
            }
        }
        admitted
    }

    /// Returns the names of these workspaces, each once. Those of a workspace that cannot be read are missing: the others are read without them.
    pub(super) async fn names(&self, all: &[&Subscriber], which: Names) -> Vec<MarketHashName> {
        let mut names = BTreeSet::new();
        for of in all {
            let found = match which {
                Names::Watched => self.operations.list_watched_names(of).await,
                Names::Wanted => self.operations.list_wanted_names(of).await,
            };
            match found {
                Ok(found) => names.extend(found),
                Err(error) => {
                    tracing::warn!(workspace = %of.workspace_id, error = ?error.source, "names to watch not read");
                }
            }
        }
        names.into_iter().collect()
    }

    /// What could not be recorded of one workspace keeps no other from what was read, and is read again a little later.
    pub(super) fn settle(&mut self, of: &Subscriber, done: OpResult<()>) {
        if let Err(error) = done {
            warn_of!(error, workspace = %of.workspace_id, why = %error.message, "what was read is not recorded");
            if let Some(followed) = self.followed.get_mut(&of.provider_id) {
                followed.put_off(Instant::now());
            }
        }
    }

    /// Records that the feed was read for a workspace, in this time.
    pub(super) async fn answered(&mut self, of: &Subscriber, took: Duration, reading: MarketReading) -> OpResult<()> {
        let at = self.clock.now();
        let Some(followed) = self.followed.get_mut(&of.provider_id) else { return Ok(()) };
        let MarketReading { fees, standing } = reading;
        let report = ProviderReport { fees, standing, ..followed.answered(Instant::now(), at, took) };
        let may_have_problem = followed.may_have_problem();
        self.record_health(of, report).await?;
        if !may_have_problem {
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

    /// Records that the feed was not read for these workspaces, and opens remediations if that lasts.
    pub(super) async fn fail<'a>(&mut self, all: impl IntoIterator<Item = &'a Subscriber>, failure: &Failure) {
        for of in all {
            let done = self.failed(of, failure).await;
            self.settle(of, done);
        }
    }

    /// Counts what is new in the answers of the feed. Nothing that is read depends on it.
    pub(super) fn report_shapes(&mut self, found: Vec<String>) {
        for shape in found {
            if self.new_shapes.insert(shape.clone()) {
                metrics::counter!(metric::PRICE_FEED_NEW_PATHS.name, "feed" => self.feed.name.to_string()).increment(1);
                tracing::warn!(feed = %self.feed.name, new = %shape, "answer of a feed has a new form");
            }
        }
    }

    async fn failed(&mut self, of: &Subscriber, failure: &Failure) -> OpResult<()> {
        let at = self.clock.now();
        let Some(followed) = self.followed.get_mut(&of.provider_id) else { return Ok(()) };
        let (report, step) = followed.failed(Instant::now(), at, failure);
        tracing::warn!(feed = %self.feed.name, workspace = %of.workspace_id, reason = %failure.text, "feed not read");
        self.record_health(of, report).await?;
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

    async fn record_health(&self, of: &Subscriber, report: ProviderReport) -> OpResult<()> {
        let (workspace_id, kind, name) = (of.workspace_id, self.feed.kind, self.feed.name.clone());
        let command = RecordProviderHealth { workspace_id, kind, name, report };
        self.operations.record_provider_health(&Caller::system(), command).await.map(drop)
    }
}
