//! The simulator as a connector: desks of records in worlds that other processes serve.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::OnceCell;
use tradepost_domain::markets::desk::DeskAccount;
use tradepost_domain::markets::provider::{Driver, Provider, ProviderKind};
use tradepost_domain::text::{AccountName, Name, TextError};
use tradepost_ports::connector::{Connected, ConnectedPlatform, Connector, NotConnected, ProviderLink};
use tradepost_ports::marketplace::Marketplace;
use tradepost_ports::price_source::PriceSource;

use crate::call::{Answer, Request, WorldCommand};
use crate::driver::{CUSTOMER, WORLD, driver};
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

/// Opens the accounts of a desk, where the platform does not know them yet. Returns those that it refuses.
async fn open_accounts(
    world: &RemoteSimulator,
    customer: &str,
    accounts: &[DeskAccount],
) -> Connected<Vec<(AccountName, NotConnected)>> {
    let mut refused = Vec::new();
    for account in accounts {
        let (customer, address) = (customer.to_owned(), account.address.clone());
        match world.ask(Request::World(WorldCommand::OpenAccountAt { customer, address })).await {
            Ok(Answer::Address(_)) => {}
            Ok(Answer::Refused(why)) => refused.push((account.name.clone(), NotConnected(why))),
            Ok(_) => return Err(NotConnected("the world answered something else than was asked".to_owned())),
            Err(error) => {
                tracing::debug!(%error, "accounts not opened");
                return Err(NotConnected("the world does not answer".to_owned()));
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

    /// Providers that name no world are those of a server that says by itself where it trades, as in the demo.
    fn connects(&self, provider: &Provider) -> bool {
        let needs_customer = provider.kind != ProviderKind::PriceSource;
        setting(provider, WORLD).is_ok() && (!needs_customer || setting(provider, CUSTOMER).is_ok())
    }

    fn place(&self, provider: &Provider) -> Option<String> {
        let (world, customer) = (setting(provider, WORLD).ok()?, setting(provider, CUSTOMER).ok()?);
        Some(format!("customer {customer} of the world {world}"))
    }

    async fn game_platform(&self, link: &ProviderLink, accounts: &[DeskAccount]) -> Connected<ConnectedPlatform> {
        let world = self.world(&link.provider).await?;
        let refused = open_accounts(world, setting(&link.provider, CUSTOMER)?, accounts).await?;
        Ok(ConnectedPlatform {
            platform: Arc::new(world.platform()),
            social: Some(Arc::new(world.social())),
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
