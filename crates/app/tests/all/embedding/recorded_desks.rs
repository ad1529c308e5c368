//! Desks of records with a connector of the embedder's.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{Instant, interval};
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::accounts::workspace::MarketKind;
use tradepost::domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost::domain::id::{ProviderId, WorkspaceId};
use tradepost::domain::markets::desk::DeskAccount;
use tradepost::domain::markets::provider::{Driver, Provider, ProviderKind};
use tradepost::domain::money::Currency;
use tradepost::domain::text::Name;
use tradepost::engine::SafeTimings;
use tradepost::operations::accounts::{BootstrapWorkspace, RegisterUser};
use tradepost::operations::contracts::{GetRemediations, ListRemediations};
use tradepost::operations::markets::{CreateProvider, ProviderCredentials, TestProvider};
use tradepost::operations::trading::{AccountSecrets, CreateAccount, LimitsOfAccount};
use tradepost::operations::{Caller, Reason};
use tradepost::ports::clock::{Clock as _, RealMarket};
use tradepost::ports::connector::{Connected, ConnectedPlatform, Connector, NotConnected, ProviderLink};
use tradepost::ports::game_platform::sessions::TokenVault;
use tradepost::ports::marketplace::Marketplace;
use tradepost::ports::price_source::PriceSource;
use tradepost::simulator::{Settings, Simulator, World, WorldConnector, driver};
use tradepost::testkit::memory::MemoryStore;
use tradepost::{RecordedDesks, SystemClock, Tradepost, async_trait};

use super::builder;

/// A connector whose game platform can be out of reach.
struct OwnConnector {
    driver: Driver,
    world: Simulator,
    is_in_reach: AtomicBool,
    /// How often the game platform was connected, or tried.
    tries: AtomicUsize,
}

#[async_trait]
impl Connector for OwnConnector {
    fn driver(&self) -> &Driver {
        &self.driver
    }

    fn market(&self) -> Option<MarketKind> {
        Some(MarketKind::Real)
    }

    async fn game_platform(
        &self,
        _link: &ProviderLink,
        _accounts: &[DeskAccount],
        _vault: Arc<dyn TokenVault>,
    ) -> Connected<ConnectedPlatform> {
        self.tries.fetch_add(1, Ordering::SeqCst);
        if !self.is_in_reach.load(Ordering::SeqCst) {
            return Err(NotConnected("the line is down".to_owned()));
        }
        let clock = Arc::new(RealMarket(Arc::new(SystemClock)));
        Ok(ConnectedPlatform {
            platform: Arc::new(self.world.platform()),
            social: None,
            sessions: None,
            clock,
            rates: None,
            refused: Vec::new(),
        })
    }

    async fn marketplace(&self, _link: &ProviderLink, _platform: &Provider) -> Connected<Arc<dyn Marketplace>> {
        Ok(Arc::new(self.world.marketplace("desk")))
    }

    async fn price_source(&self, link: &ProviderLink) -> Connected<Arc<dyn PriceSource>> {
        Ok(Arc::new(self.world.prices(link.provider.name.clone())))
    }
}

struct Embedder {
    app: Tradepost,
    workspace_id: WorkspaceId,
    connector: Arc<OwnConnector>,
    _folder: tempfile::TempDir,
}

impl Embedder {
    /// A workspace with a game platform, a marketplace and an account on record, and the id of the platform.
    async fn start() -> (Self, ProviderId) {
        let embedder = Self::open().await;
        let platform = embedder.provide(ProviderKind::GamePlatform, "steam").await;
        embedder.provide(ProviderKind::Marketplace, "market").await;
        embedder.open_account().await;
        (embedder, platform)
    }

    /// A workspace with nothing on record, and connectors of an own driver and of simulated worlds, of which none is named.
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let app = builder(&folder).store(Arc::new(MemoryStore::default())).build().await.unwrap();
        let workspace_id = found(&app).await;
        let settings = Settings { start: SystemClock.now(), ..Settings::default() };
        let world = Simulator::new(World::new(1, settings));
        let connector = OwnConnector {
            driver: Driver { name: Name::new("own").unwrap(), ..driver().unwrap() },
            world,
            is_in_reach: AtomicBool::new(false),
            tries: AtomicUsize::new(0),
        };
        let embedder = Self { app, workspace_id, connector: Arc::new(connector), _folder: folder };
        embedder.app.trade_by_records(RecordedDesks {
            connectors: vec![embedder.connector.clone(), Arc::new(WorldConnector::new(BTreeMap::new()).unwrap())],
            node: Name::new("node-1").unwrap(),
            every: Duration::from_secs(1),
            timings: SafeTimings::default(),
            except: None,
        });
        embedder
    }

    async fn provide(&self, kind: ProviderKind, name: &str) -> ProviderId {
        self.provide_by("own", kind, name, Vec::new()).await
    }

    async fn provide_by(
        &self,
        driver: &str,
        kind: ProviderKind,
        name: &str,
        settings: Vec<(String, String)>,
    ) -> ProviderId {
        let command = CreateProvider {
            workspace_id: self.workspace_id,
            kind,
            driver: driver.to_owned(),
            name: name.to_owned(),
            currency: "USD".to_owned(),
            settings,
            credentials: ProviderCredentials::default(),
        };
        self.app.operations().create_provider(&Caller::system(), command).await.unwrap().provider.value.id
    }

    async fn open_account(&self) {
        let command = CreateAccount {
            workspace_id: self.workspace_id,
            name: "bot-1".to_owned(),
            platform: "steam".to_owned(),
            platform_user_id: NonZeroU64::MAX.to_string(),
            trade_token: Some("token".to_owned()),
            capabilities: Vec::new(),
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets::default(),
        };
        self.app.operations().create_account(&Caller::system(), command).await.unwrap();
    }

    /// The reasons of the open reports of a provider that is out of reach.
    async fn reported(&self) -> Vec<String> {
        let (system, workspace_id) = (Caller::system(), self.workspace_id);
        let (status, kind) = (Some(RemediationStatus::Open), Some(RemediationKind::ProviderDown));
        let (cursor, severity, subject) = (String::new(), None, None);
        let list = ListRemediations { workspace_id, limit: 10, cursor, status, kind, severity, subject };
        let remediation_ids = self.app.operations().list_remediations(&system, list).await.unwrap().entries;
        if remediation_ids.is_empty() {
            return Vec::new();
        }
        let get = GetRemediations { workspace_id, remediation_ids };
        let found = self.app.operations().get_remediations(&system, get).await.unwrap().found;
        found.iter().filter_map(|one| one.value.evidence.found.as_ref()).map(ToString::to_string).collect()
    }

    /// Whether an engine works with a provider.
    async fn is_reached(&self, provider_id: ProviderId) -> bool {
        let test = TestProvider { workspace_id: self.workspace_id, provider_id };
        match self.app.operations().test_provider(&Caller::system(), test).await {
            Ok(_) => true,
            Err(error) if error.reason == Reason::ProviderNotConnected => false,
            Err(error) => panic!("{error:?}"),
        }
    }

    /// Lets time pass until this holds; returns how much.
    async fn until(&self, holds: impl AsyncFn(&Self) -> bool) -> Duration {
        let (began, mut ticks) = (Instant::now(), interval(Duration::from_secs(1)));
        while !holds(self).await {
            ticks.tick().await;
            assert!(began.elapsed() < Duration::from_mins(10), "it never held");
        }
        began.elapsed()
    }
}

async fn found(app: &Tradepost) -> WorkspaceId {
    let register = RegisterUser {
        email: EmailAddress::new("ada@example.com").unwrap(),
        display_name: Name::new("Ada").unwrap(),
        password: "copper lantern under seven bridges".into(),
    };
    let owner_id = app.operations().register_user(&Caller::system(), register).await.unwrap().id;
    let name = Name::new("Desks").unwrap();
    let found = BootstrapWorkspace { owner_id, name, description: None, base_currency: Currency::USD };
    app.operations().bootstrap_workspace(&Caller::system(), found).await.unwrap().workspace.id
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_is_out_of_reach_is_reported_after_a_minute_and_the_report_ends_when_it_is_back() {
    let (embedder, platform) = Embedder::start().await;
    let waited = embedder.until(async |of: &Embedder| !of.reported().await.is_empty()).await;
    assert!((60..90).contains(&waited.as_secs()), "{waited:?}");
    assert_eq!(embedder.reported().await, ["the line is down"]);
    assert!(!embedder.is_reached(platform).await);
    embedder.connector.is_in_reach.store(true, Ordering::SeqCst);
    embedder.until(async |of: &Embedder| of.is_reached(platform).await).await;
    assert_eq!(embedder.reported().await, Vec::<String>::new());
    embedder.app.shutdown().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_marketplace_that_is_added_is_reached_within_seconds_and_none_after_the_end() {
    let (embedder, platform) = Embedder::start().await;
    embedder.connector.is_in_reach.store(true, Ordering::SeqCst);
    embedder.until(async |of: &Embedder| of.is_reached(platform).await).await;
    let second = embedder.provide(ProviderKind::Marketplace, "second").await;
    let waited = embedder.until(async |of: &Embedder| of.is_reached(second).await).await;
    assert!(waited < Duration::from_secs(10), "{waited:?}");
    embedder.app.shutdown().await.unwrap();
    assert!(!embedder.is_reached(second).await, "an engine that has ended offers nothing");
}

#[tokio::test(start_paused = true)]
async fn while_a_changed_desk_cannot_be_connected_the_engine_goes_on_and_it_is_tried_every_ten_seconds() {
    let (embedder, platform) = Embedder::start().await;
    embedder.connector.is_in_reach.store(true, Ordering::SeqCst);
    embedder.until(async |of: &Embedder| of.is_reached(platform).await).await;
    embedder.connector.is_in_reach.store(false, Ordering::SeqCst);
    let tries = || embedder.connector.tries.load(Ordering::SeqCst);
    let before = tries();
    let second = embedder.provide(ProviderKind::Marketplace, "second").await;
    let waited = embedder.until(async |_: &Embedder| tries() >= before + 4).await;
    assert!(waited >= Duration::from_secs(30), "four tries within {waited:?}");
    assert!(embedder.is_reached(platform).await && !embedder.is_reached(second).await);
    embedder.connector.is_in_reach.store(true, Ordering::SeqCst);
    let waited = embedder.until(async |of: &Embedder| of.is_reached(second).await).await;
    assert!(waited < Duration::from_secs(15), "{waited:?}");
    embedder.app.shutdown().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_platform_without_a_marketplace_is_reached() {
    let embedder = Embedder::open().await;
    embedder.connector.is_in_reach.store(true, Ordering::SeqCst);
    let platform = embedder.provide(ProviderKind::GamePlatform, "steam").await;
    embedder.open_account().await;
    embedder.until(async |of: &Embedder| of.is_reached(platform).await).await;
    embedder.app.shutdown().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_owner_of_a_simulated_workspace_sees_why_a_real_platform_is_not_connected() {
    let embedder = Embedder::open().await;
    embedder.connector.is_in_reach.store(true, Ordering::SeqCst);
    embedder.app.operations().settle_market(embedder.workspace_id, MarketKind::Simulated).await.unwrap();
    let platform = embedder.provide(ProviderKind::GamePlatform, "steam").await;
    embedder.open_account().await;
    embedder.until(async |of: &Embedder| !of.reported().await.is_empty()).await;
    let why = "the workspace trades in a market that is simulated, and cannot trade in one that is real: \
               make another workspace for that";
    assert_eq!(embedder.reported().await, [why]);
    assert!(!embedder.is_reached(platform).await);
    embedder.app.shutdown().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn simulated_prices_are_left_out_of_a_workspace_of_the_real_market() {
    let (embedder, platform) = Embedder::start().await;
    embedder.connector.is_in_reach.store(true, Ordering::SeqCst);
    let settings = vec![("world".to_owned(), "main".to_owned())];
    let prices = embedder.provide_by("simulator", ProviderKind::PriceSource, "index", settings).await;
    embedder.until(async |of: &Embedder| of.is_reached(platform).await).await;
    embedder.until(async |of: &Embedder| !of.reported().await.is_empty()).await;
    let why = "the workspace trades in a market that is real, and cannot trade in one that is simulated: \
               make another workspace for that";
    assert_eq!(embedder.reported().await, [why]);
    assert!(!embedder.is_reached(prices).await);
    embedder.app.shutdown().await.unwrap();
}
