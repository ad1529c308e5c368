//! A marketplace of the embedder's that is only read.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::interval;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::contracts::contract::{ApprovalMode, BasisPoints};
use tradepost::domain::contracts::intent::{FOLLOWED_AFTER, FollowUp, FollowUpOutcome, Intent, IntentStatus};
use tradepost::domain::id::{ProviderId, WorkspaceId};
use tradepost::domain::markets::fees::{FeeRate, FeeSchedule, Rounding};
use tradepost::domain::markets::pricing::Quote;
use tradepost::domain::markets::provider::{AccountStanding, Driver, ProviderCapability, ProviderKind, Served};
use tradepost::domain::money::{Amount, Currency};
use tradepost::domain::text::{ExternalId, MarketHashName, Marketplace, Name};
use tradepost::operations::Caller;
use tradepost::operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost::operations::contracts::{
    ActivateContract, BuyingLimits, ContractTerms, CountPurchases, CreateContract, ListWouldBuys, WantedPurchases,
};
use tradepost::operations::markets::{CreateProvider, GetProviderHealth, ProviderCredentials};
use tradepost::ports::clock::Clock as _;
use tradepost::ports::external::ExternalError;
use tradepost::ports::marketplace::{
    ListingFeed, ListingStatus, MarketListing, MarketStanding, MarketplaceRefusal, MarketplaceResult, OwnAccount,
    OwnListing, SoughtListing,
};
use tradepost::ports::price_source::FeedUnavailable;
use tradepost::testkit::fakes::FixedClock;
use tradepost::testkit::memory::MemoryStore;
use tradepost::testkit::samples::{Samples, variant};
use tradepost::{Tradepost, async_trait};

use super::builder;

const REDLINE: &str = "AK-47 | Redline (Field-Tested)";
/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A marketplace with one listing.
struct OwnFeed {
    driver: Driver,
    name: Marketplace,
    listing: Mutex<MarketListing>,
    reads: AtomicUsize,
}

impl OwnFeed {
    fn of(listing: MarketListing) -> Self {
        let capabilities = [ProviderCapability::Listings].into();
        let driver = Driver {
            name: Name::new("own").unwrap(),
            description: tradepost::domain::text::Text::new("Listings of our own.").unwrap(),
            serves: vec![Served { kind: ProviderKind::Marketplace, capabilities }],
            settings: Vec::new(),
            credentials: Vec::new(),
            rate_limits: Vec::new(),
            asks_before_giving: false,
        };
        let name = Marketplace::new("own").unwrap();
        Self { driver, name, listing: Mutex::new(listing), reads: AtomicUsize::new(0) }
    }
}

#[async_trait]
impl ListingFeed for OwnFeed {
    fn driver(&self) -> &Driver {
        &self.driver
    }

    fn name(&self) -> &Marketplace {
        &self.name
    }

    fn currency(&self) -> Currency {
        Currency::USD
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(10)
    }

    fn ready(&self) -> Result<(), FeedUnavailable> {
        Ok(())
    }

    fn fees(&self) -> FeeSchedule {
        let share = BasisPoints::new(0).unwrap();
        let none = FeeRate { share, minimum: Amount::ZERO, rounding: Rounding::Ceil };
        FeeSchedule { buying: none, selling: none, overrides: Vec::new() }
    }

    async fn newest(&self) -> MarketplaceResult<Vec<MarketListing>> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        Ok(vec![self.listing.lock().unwrap().clone()])
    }

    async fn listing(&self, sought: &SoughtListing) -> MarketplaceResult<MarketListing> {
        let listing = self.listing.lock().unwrap().clone();
        if listing.id == sought.id { Ok(listing) } else { Err(ExternalError::Rejected(MarketplaceRefusal::NotFound)) }
    }

    fn account(&self) -> Option<&dyn MarketStanding> {
        Some(self)
    }
}

#[async_trait]
impl MarketStanding for OwnFeed {
    async fn own_account(&self) -> MarketplaceResult<OwnAccount> {
        let listing = OwnListing {
            id: ExternalId::new("7").unwrap(),
            market_hash_name: MarketHashName::new(REDLINE).unwrap(),
            price: Amount::new(1_900).unwrap(),
        };
        Ok(OwnAccount { balance: Amount::new(4_321).unwrap(), listings: vec![listing], orders: Vec::new() })
    }
}

struct Embedder {
    app: Tradepost,
    clock: Arc<FixedClock>,
    feed: Arc<OwnFeed>,
    workspace_id: WorkspaceId,
    provider_id: ProviderId,
    _folder: tempfile::TempDir,
}

impl Embedder {
    /// A workspace with the marketplace on record, where an item that is worth 17.00 is on sale for 12.00.
    async fn start() -> Self {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Arc::new(FixedClock::default()));
        let samples = Samples::seeded(1);
        let seen = samples.on_offer(variant(REDLINE), 1_200, clock.now());
        let listing = MarketListing {
            id: seen.listing_id,
            asset_id: samples.asset_id(),
            offered: seen.listing.priced(Amount::new(1_200).unwrap()),
            status: ListingStatus::OnSale,
        };
        let feed = Arc::new(OwnFeed::of(listing));
        let app = builder(&folder).store(Arc::new(MemoryStore::default())).clock(clock.clone());
        let app = app.listing_feed(feed.clone()).build().await.unwrap();
        let workspace_id = found(&app).await;
        let quotes = ["one", "another"].map(|source| {
            let source = Marketplace::new(source).unwrap();
            (variant(REDLINE), Quote::of_ask(source, Amount::new(1_700).unwrap(), clock.now()))
        });
        app.operations().record_quotes(&Caller::system(), workspace_id, &quotes).await.unwrap();
        let provider_id = Self::provide(&app, workspace_id).await;
        Self { app, clock, feed, workspace_id, provider_id, _folder: folder }
    }

    async fn provide(app: &Tradepost, workspace_id: WorkspaceId) -> ProviderId {
        let command = CreateProvider {
            workspace_id,
            kind: ProviderKind::Marketplace,
            driver: "own".to_owned(),
            name: "own".to_owned(),
            currency: "USD".to_owned(),
            settings: Vec::new(),
            credentials: ProviderCredentials::default(),
        };
        app.operations().create_provider(&Caller::system(), command).await.unwrap().provider.value.id
    }

    /// A contract that buys by itself.
    async fn contract(&self) {
        let (workspace_id, system) = (self.workspace_id, Caller::system());
        let limits = BuyingLimits {
            target_quantity: Some(3),
            max_buy_price_cents: Some(1_500),
            budget_cents: Some(4_500),
            ..BuyingLimits::default()
        };
        let draft = CreateContract {
            workspace_id,
            name: "Redlines".to_owned(),
            terms: ContractTerms::Buying(limits),
            filter_set_id: None,
            pool_id: None,
            approval_mode: ApprovalMode::Automatic,
            marketplaces: vec!["own".to_owned()],
            price_reference: None,
            starts_at: None,
            ends_at: None,
        };
        let contract_id = self.app.operations().create_contract(&system, draft).await.unwrap().value.id;
        let activate = ActivateContract { workspace_id, contract_id, expected_version: None };
        self.app.operations().activate_contract(&system, activate).await.unwrap();
    }

    async fn would_buys(&self) -> Vec<Intent> {
        let (workspace_id, system, cursor) = (self.workspace_id, Caller::system(), String::new());
        let list = ListWouldBuys { workspace_id, limit: 0, cursor, contract_id: None };
        let listed = self.app.operations().list_would_buys(&system, list).await.unwrap().entries;
        listed.into_iter().map(|intent| intent.value).collect()
    }

    /// The only purchase that would have been made, once it is like this.
    async fn until(&self, is_wanted: impl Fn(&Intent) -> bool) -> Intent {
        let looking = async {
            let mut looks = interval(Duration::from_millis(20));
            loop {
                looks.tick().await;
                if let [intent] = self.would_buys().await.as_slice()
                    && is_wanted(intent)
                {
                    return intent.clone();
                }
            }
        };
        tokio::time::timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("no contract would buy it"))
    }
}

impl Embedder {
    /// What the account has, once it is recorded. Time passes between the looks, because a report is recorded only if it is newer.
    async fn standing(&self) -> AccountStanding {
        let looking = async {
            let mut looks = interval(Duration::from_millis(20));
            loop {
                looks.tick().await;
                self.clock.advance(FOLLOWED_AFTER);
                let command = GetProviderHealth { workspace_id: self.workspace_id, provider_id: self.provider_id };
                let report = self.app.operations().get_provider_health(&Caller::system(), command).await.unwrap();
                if let Some(standing) = report.and_then(|report| report.standing) {
                    return standing;
                }
            }
        };
        tokio::time::timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("the account is not shown"))
    }
}

async fn found(app: &Tradepost) -> WorkspaceId {
    let (operations, system) = (app.operations(), Caller::system());
    let register = RegisterUser {
        email: EmailAddress::new("ada@example.com").unwrap(),
        display_name: Name::new("Ada").unwrap(),
        password: "copper lantern under seven bridges".into(),
    };
    let owner_id = operations.register_user(&system, register).await.unwrap().id;
    let name = Name::new("Watching").unwrap();
    let found = BootstrapWorkspace { owner_id, name, description: None, base_currency: Currency::USD };
    operations.bootstrap_workspace(&system, found).await.unwrap().workspace.id
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_contract_would_buy_is_recorded_and_looked_at_again_and_nothing_is_bought() {
    let embedder = Embedder::start().await;
    embedder.contract().await;
    let due = embedder.clock.now().plus(FOLLOWED_AFTER);
    let intent = embedder.until(|_| true).await;
    assert_eq!((intent.status, intent.follow_up), (IntentStatus::Cancelled, Some(FollowUp::Due(due))));

    embedder.feed.listing.lock().unwrap().status = ListingStatus::Sold;
    embedder.clock.advance(FOLLOWED_AFTER);
    let intent = embedder.until(|intent| matches!(intent.follow_up, Some(FollowUp::Done(_)))).await;
    let Some(FollowUp::Done(seen)) = intent.follow_up else { panic!("{intent:?}") };
    assert_eq!((seen.outcome, seen.price, seen.at), (FollowUpOutcome::OffSale, None, due));

    let wanted = WantedPurchases::default();
    let count = CountPurchases { workspace_id: embedder.workspace_id, contract_id: None, wanted };
    let counts = embedder.app.operations().count_purchases(&Caller::system(), count).await.unwrap();
    assert!(counts.iter().all(|status| status.count == 0));
    assert!(embedder.feed.reads.load(Ordering::SeqCst) > 1, "it is read again and again");
    embedder.app.shutdown().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_account_behind_the_key_has_is_shown_with_the_provider() {
    let embedder = Embedder::start().await;
    let begun = embedder.clock.now();
    let shown = embedder.standing().await;
    assert_eq!((shown.balance.get(), shown.listings, shown.asked.get(), shown.orders), (4_321, 1, 1_900, 0));
    assert!(shown.seen_at >= begun && shown.seen_at <= embedder.clock.now());
    embedder.app.shutdown().await.unwrap();
}
