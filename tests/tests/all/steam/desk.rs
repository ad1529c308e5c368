//! A desk whose trading accounts are at the facades of Steam. Its records are in memory, and its engines reach the facades by the driver.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tradepost::auth::Rfc6238;
use tradepost::engine::{Desk as Engaged, Engine, TradingAccount};
use tradepost::outside::{Egress, ServiceLimits};
use tradepost::steam::{Addresses as Hosts, Limits, Services, SteamConnector};
use tradepost_adapters_simulator::{AccountSignIn, Settings, SimulatedGuard, Simulator, Spread, World};
use tradepost_domain::accounts::workspace::RISK_NOTICE;
use tradepost_domain::asset::AssetId;
use tradepost_domain::id::{AccountId, UserId, WorkspaceId};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::Currency;
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_fakes::{Addresses, Fakes, Served, serve};
use tradepost_operations::accounts::{AcknowledgeRiskNotice, BootstrapWorkspace, RegisterUser};
use tradepost_operations::markets::{CreateProvider, ProviderCredentials};
use tradepost_operations::trading::{
    AccountSecrets, AccountTokens, AcknowledgeTradeProtection, CreateAccount, EnableGiving, LimitsOfAccount,
};
use tradepost_operations::{Caller, Operations, Ports};
use tradepost_ports::clock::MarketClock;
use tradepost_ports::connector::Connector as _;
use tradepost_ports::game_platform::GamePlatform;
use tradepost_ports::game_platform::sessions::PlatformSessions;
use tradepost_ports::game_platform::social::Social;
use tradepost_testkit::fakes::{FakePorts, ServerIn};
use tradepost_testkit::samples::{email, text};

/// The customer of the world whose trading accounts these are.
const CUSTOMER: &str = "desk";
pub(super) const PASSWORD: &str = "tV8-copper-Falcon-61";
/// What an authenticator answers confirmations by: the example of steamguard-cli.
pub(super) const IDENTITY_SECRET: &str = "GQP46b73Ws7gr8GmZFR0sDuau5c=";
/// For how long the client rests after a limit that names no time, and the most bytes of an answer.
const PAUSE: Duration = Duration::from_mins(1);
const MOST_BYTES: usize = 256 * 1_024;

/// A world in which nothing happens by itself.
pub(super) fn quiet() -> Settings {
    let never = u32::MAX;
    Settings {
        first_listings: 0,
        next_listing: Spread::new(never, never),
        price_interval: never,
        buyer_interval: never,
        ..Settings::default()
    }
}

/// What an account of this login name signs in by.
pub(super) fn signing_in_as(login_name: &str) -> AccountSignIn {
    let (login_name, password) = (login_name.to_owned(), PASSWORD.to_owned());
    AccountSignIn { login_name, password, guard: SimulatedGuard::None }
}

/// The secrets of an account that signs in so.
pub(super) fn secrets_of(login_name: &str) -> AccountSecrets {
    AccountSecrets {
        login_name: Some(login_name.into()),
        password: Some(PASSWORD.into()),
        identity_secret: Some(IDENTITY_SECRET.into()),
        ..AccountSecrets::default()
    }
}

/// Accepts the notice of the risks of a workspace, and records Steam as its platform.
pub(super) async fn connect_steam(operations: &Operations, workspace_id: WorkspaceId) {
    let system = Caller::system();
    let notice = AcknowledgeRiskNotice { workspace_id, version: RISK_NOTICE.version.to_owned() };
    operations.acknowledge_risk_notice(&system, notice).await.unwrap();
    let steam = SteamConnector::not_called("its driver is all that is wanted").unwrap();
    operations.offer_driver(steam.driver().clone());
    let provider = CreateProvider {
        workspace_id,
        kind: ProviderKind::GamePlatform,
        driver: "steam".to_owned(),
        name: "steam".to_owned(),
        currency: "USD".to_owned(),
        settings: Vec::new(),
        credentials: ProviderCredentials::default(),
    };
    operations.create_provider(&system, provider).await.unwrap();
}

/// A workspace of a user.
pub(super) async fn open_workspace(operations: &Operations, owner_id: UserId) -> WorkspaceId {
    let (name, base_currency) = (text("A workspace"), Currency::USD);
    let found = BootstrapWorkspace { owner_id, name, description: None, base_currency };
    operations.bootstrap_workspace(&Caller::system(), found).await.unwrap().workspace.id
}

/// Records an account at Steam whose notice a person accepted, and that they let give items.
pub(super) async fn record_account(
    operations: &Operations,
    workspace_id: WorkspaceId,
    TradingAccount { name, address }: &TradingAccount,
    secrets: AccountSecrets,
) -> AccountId {
    let system = Caller::system();
    let command = CreateAccount {
        workspace_id,
        name: name.to_string(),
        platform: "steam".to_owned(),
        platform_user_id: address.user.to_string(),
        trade_token: Some(address.token.to_string()),
        capabilities: Vec::new(),
        limits: LimitsOfAccount::default(),
        giving_limits: None,
        secrets,
    };
    let account_id = operations.create_account(&system, command).await.unwrap().value.id;
    let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![account_id] };
    operations.acknowledge_trade_protection(&system, accept).await.unwrap();
    let enable = EnableGiving { workspace_id, account_id, expected_version: None };
    operations.enable_giving(&system, enable).await.unwrap();
    account_id
}

/// The limits in which only the facades count calls.
pub(super) fn unpaced() -> Limits {
    let mut limits = Limits::default();
    let parts = [
        &mut limits.sign_in,
        &mut limits.reads,
        &mut limits.inventories,
        &mut limits.community,
        &mut limits.offers,
        &mut limits.answers,
        &mut limits.friends,
        &mut limits.chats,
    ];
    for of in parts {
        let ServiceLimits { budget, pause, patience, answer_bytes, .. } = of;
        (budget.calls, budget.gap) = (100_000, Duration::ZERO);
        (*pause, *patience, *answer_bytes) = (PAUSE, Duration::ZERO, MOST_BYTES);
    }
    limits
}

/// How an engine reaches Steam.
pub(super) struct Reach {
    pub(super) platform: Arc<dyn GamePlatform>,
    /// Nothing where friends and chats are left as they are.
    pub(super) social: Option<Arc<dyn Social>>,
    /// Nothing where the accounts are signed in by other means.
    pub(super) sessions: Option<Arc<dyn PlatformSessions>>,
}

/// An account of the desk.
pub(super) struct Member {
    pub(super) id: AccountId,
    pub(super) account: TradingAccount,
}

/// The desk, and the facades.
pub(super) struct Desk {
    pub(super) fakes: Fakes,
    served: Served,
    pub(super) operations: Arc<Operations>,
    pub(super) workspace_id: WorkspaceId,
    pub(super) members: Vec<Member>,
}

impl Desk {
    /// A desk with so many accounts.
    pub(super) async fn of(size: usize) -> Self {
        let fakes = Fakes::new(Simulator::new(World::new(7, quiet()))).unwrap();
        let served = serve(&fakes, Addresses::default(), "token").await.unwrap();
        let clock: Arc<dyn MarketClock> = Arc::new(fakes.simulator().clone());
        let fake_ports = FakePorts::default();
        let ports = Ports { clock: Arc::new(ServerIn(clock)), totp: Arc::new(Rfc6238), ..fake_ports.ports() };
        let operations = Arc::new(Operations::new(ports, "https://tradepost.example.com"));
        let register = RegisterUser {
            email: email("owner@example.com"),
            password: "copper lantern under seven bridges".into(),
            display_name: text("Owner"),
        };
        let owner_id = operations.register_user(&Caller::system(), register).await.unwrap().id;
        let workspace_id = open_workspace(&operations, owner_id).await;
        connect_steam(&operations, workspace_id).await;
        let mut desk = Self { fakes, served, operations, workspace_id, members: Vec::new() };
        for number in 0..size {
            let name = format!("fleet-{number}");
            desk.enlist(signing_in_as(&name), secrets_of(&name)).await;
        }
        desk
    }

    /// Opens an account at Steam that signs in so, and records it with these secrets.
    pub(super) async fn enlist(&mut self, by: AccountSignIn, secrets: AccountSecrets) {
        let name = by.login_name.clone();
        let address = self.fakes.simulator().world(|world| {
            let address = world.open_account(CUSTOMER);
            world.require_sign_in(address.user, by).unwrap();
            address
        });
        self.fakes.set_identity_secret(address.user, IDENTITY_SECRET);
        let account = TradingAccount { name: text(&name), address };
        let id = record_account(&self.operations, self.workspace_id, &account, secrets).await;
        self.members.push(Member { id, account });
    }

    /// The first account.
    pub(super) fn first(&self) -> &Member {
        &self.members[0]
    }

    /// An account that is not of the desk, and that no one has to sign in.
    pub(super) fn stranger(&self, customer: &str) -> TradeAddress {
        self.fakes.simulator().world(|world| world.open_account(customer))
    }

    /// Puts a new item into an account.
    pub(super) fn item_of(&self, account: &TradeAddress) -> AssetId {
        self.fakes.simulator().world(|world| world.give_item(account.user)).unwrap()
    }

    /// Services that have made no call so far, as a new process has them.
    pub(super) fn services(&self, limits: &Limits) -> Services {
        let hosts = Hosts { api: self.served.steam_api.clone(), community: self.served.steam_community.clone() };
        Services::connect(&Egress::default(), &hosts, *limits).unwrap()
    }

    /// What a driver knows of the accounts, by their records.
    pub(super) fn vault(&self) -> AccountTokens {
        AccountTokens::new(self.operations.clone(), self.workspace_id, text("steam"))
    }

    /// An engine that has read nothing yet. It trades at no marketplace.
    pub(super) fn engine(&self, reach: Reach) -> Engine {
        self.engine_by(Arc::new(self.fakes.simulator().clone()), reach)
    }

    /// The same by another clock.
    pub(super) fn engine_by(&self, clock: Arc<dyn MarketClock>, reach: Reach) -> Engine {
        let desk = Engaged {
            workspace_id: self.workspace_id,
            clock,
            node: text("node-1"),
            accounts: self.members.iter().map(|member| member.account.clone()).collect(),
            venues: Vec::new(),
            platform: reach.platform,
            social: reach.social,
            sessions: reach.sessions,
            price_sources: Vec::new(),
            rates: None,
            drivers: BTreeMap::new(),
        };
        Engine::new(self.operations.clone(), desk)
    }

    /// Lets time pass in the world, and for the clients of this process.
    pub(super) async fn pass_time(&self, by: Duration) {
        self.fakes.advance(time::Duration::try_from(by).unwrap());
        tokio::time::pause();
        tokio::time::advance(by).await;
        tokio::time::resume();
    }
}
