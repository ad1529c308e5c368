//! The simulator as a connector: desks of records in worlds that other processes serve.

use std::collections::BTreeMap;
use std::iter;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::OnceCell;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::markets::desk::DeskAccount;
use tradepost_domain::markets::provider::{Driver, Provider, ProviderKind};
use tradepost_domain::text::{AccountName, Name, TextError};
use tradepost_ports::connector::{Connected, ConnectedPlatform, Connector, NotConnected, ProviderLink};
use tradepost_ports::game_platform::sessions::TokenVault;
use tradepost_ports::marketplace::Marketplace;
use tradepost_ports::price_source::PriceSource;

use crate::call::{AccountSignIn, Answer, Request, SimulatedGuard, WorldCommand};
use crate::driver::{CUSTOMER, OFF, PASSWORD, REQUIRED, SIGN_IN, WORLD, driver};
use crate::remote::RemoteSimulator;
use crate::world_transport::WorldTransport as _;

/// Connects providers to worlds that the operator of the server has named. A provider names its world, and never an address.
#[derive(Debug)]
pub struct WorldConnector {
    driver: Driver,
    worlds: BTreeMap<Name, World>,
}

/// A world, and the connection to it once it was reached. It stays: a call to a world that has ended fails by itself.
#[derive(Debug)]
struct World {
    address: String,
    reached: OnceCell<RemoteSimulator>,
}

impl WorldConnector {
    /// The connector to worlds at these addresses, by their names.
    ///
    /// # Errors
    /// Never: its texts are texts.
    pub fn new(addresses: BTreeMap<Name, String>) -> Result<Self, TextError> {
        let world = |(name, address)| (name, World { address, reached: OnceCell::new() });
        Ok(Self { driver: driver()?, worlds: addresses.into_iter().map(world).collect() })
    }

    /// The world that a provider names. What fails is logged: the address of a world is the operator's.
    async fn world(&self, provider: &Provider) -> Connected<&RemoteSimulator> {
        let name = setting(provider, WORLD)?;
        let named = self.worlds.iter().find(|(known, _)| known.as_str() == name);
        let unknown = || NotConnected(format!("the settings of the server name no world {name} (trading.worlds)"));
        let (_, world) = named.ok_or_else(unknown)?;
        let connect = || RemoteSimulator::connect(&world.address, RemoteSimulator::TIMEOUT);
        world.reached.get_or_try_init(connect).await.map_err(|error| {
            tracing::debug!(world = name, %error, "the world is not reached");
            NotConnected(format!("the world {name} does not answer"))
        })
    }
}

/// A setting that a provider has.
fn setting<'a>(provider: &'a Provider, name: &str) -> Connected<&'a str> {
    let found = provider.settings.iter().find(|(known, _)| known.as_str() == name);
    let missing = || NotConnected(format!("its setting {name:?} is missing"));
    found.map(|(_, value)| value.as_str()).ok_or_else(missing)
}

/// Whether the trading accounts of a provider have to be signed in.
fn requires_sign_in(provider: &Provider) -> Connected<bool> {
    match setting(provider, SIGN_IN).unwrap_or(OFF) {
        OFF => Ok(false),
        REQUIRED => Ok(true),
        other => {
            Err(NotConnected(format!("its setting {SIGN_IN:?} is {other:?}; allowed are {OFF:?} and {REQUIRED:?}")))
        }
    }
}

/// Has the world do something for an account. Returns why it refuses, if it does.
async fn perform(world: &RemoteSimulator, deed: WorldCommand) -> Connected<Result<(), String>> {
    match world.ask(Request::World(deed)).await {
        Ok(Answer::Address(_) | Answer::Done) => Ok(Ok(())),
        Ok(Answer::Refused(why)) => Ok(Err(why)),
        Ok(_) => Err(NotConnected("the world answered something else than was asked".to_owned())),
        Err(error) => {
            tracing::debug!(%error, "accounts not opened");
            Err(NotConnected("the world does not answer".to_owned()))
        }
    }
}

/// Opens the accounts of a desk, where the platform does not know them yet, and requires a sign-in of them where `provider` says so. Returns
/// those that the platform refuses.
async fn open_accounts(
    world: &RemoteSimulator,
    provider: &Provider,
    accounts: &[DeskAccount],
) -> Connected<Vec<(AccountName, NotConnected)>> {
    let (customer, requires_sign_in) = (setting(provider, CUSTOMER)?, requires_sign_in(provider)?);
    let mut refused = Vec::new();
    for DeskAccount { name, address } in accounts {
        let open = WorldCommand::OpenAccountAt { customer: customer.to_owned(), address: address.clone() };
        let sign_in =
            AccountSignIn { login_name: name.to_string(), password: PASSWORD.to_owned(), guard: SimulatedGuard::None };
        let require = WorldCommand::RequireSignIn { account: address.user, sign_in };
        for deed in iter::once(open).chain(requires_sign_in.then_some(require)) {
            if let Err(why) = perform(world, deed).await? {
                refused.push((name.clone(), NotConnected(why)));
                break;
            }
        }
    }
    Ok(refused)
}

#[async_trait]
impl Connector for WorldConnector {
    fn driver(&self) -> &Driver {
        &self.driver
    }

    fn market(&self) -> Option<MarketKind> {
        Some(MarketKind::Simulated)
    }

    /// Providers that name no world are those of a server that says by itself where it trades, as in the demo.
    fn connects(&self, provider: &Provider) -> bool {
        let needs_customer = provider.kind != ProviderKind::PriceSource;
        setting(provider, WORLD).is_ok() && (!needs_customer || setting(provider, CUSTOMER).is_ok())
    }

    fn place(&self, provider: &Provider) -> Option<String> {
        let (world, customer) = (setting(provider, WORLD).ok()?, setting(provider, CUSTOMER).ok()?);
        Some(format!("customer {customer} of the world {world}"))
    }

    async fn game_platform(
        &self,
        link: &ProviderLink,
        accounts: &[DeskAccount],
        vault: Arc<dyn TokenVault>,
    ) -> Connected<ConnectedPlatform> {
        let world = self.world(&link.provider).await?;
        let refused = open_accounts(world, &link.provider, accounts).await?;
        Ok(ConnectedPlatform {
            platform: Arc::new(world.platform().with_vault(Arc::clone(&vault))),
            social: Some(Arc::new(world.social().with_vault(vault))),
            sessions: Some(Arc::new(world.sessions())),
            clock: world.clock(),
            rates: Some(Arc::new(world.rates())),
            refused,
        })
    }

    async fn marketplace(&self, link: &ProviderLink, platform: &Provider) -> Connected<Arc<dyn Marketplace>> {
        for name in [WORLD, CUSTOMER] {
            let (own, other) = (setting(&link.provider, name)?, setting(platform, name)?);
            if own != other {
                let why = format!("its {name} is {own}, and {} has {other}: no item would arrive", platform.name);
                return Err(NotConnected(why));
            }
        }
        let world = self.world(&link.provider).await?;
        Ok(Arc::new(world.marketplace(setting(&link.provider, CUSTOMER)?)))
    }

    async fn price_source(&self, link: &ProviderLink) -> Connected<Arc<dyn PriceSource>> {
        let world = self.world(&link.provider).await?;
        Ok(Arc::new(world.prices(link.provider.name.clone()).in_currency(Some(link.provider.currency))))
    }
}
