//! Steam as a connector: the game platform of workspaces that have it on record. No marketplace and no source of prices is connected here.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::markets::desk::DeskAccount;
use tradepost_domain::markets::provider::{Driver, Provider, ProviderCapability, ProviderKind, Served};
use tradepost_domain::text::{AccountName, Name, Text, TextError};
use tradepost_ports::clock::MarketClock;
use tradepost_ports::connector::{Connected, ConnectedPlatform, Connector, NotConnected, ProviderLink};
use tradepost_ports::game_platform::sessions::TokenVault;
use tradepost_ports::marketplace::Marketplace;
use tradepost_ports::price_source::PriceSource;

use crate::platform::SteamPlatform;
use crate::services::{Limits, Services};
use crate::sessions::SteamSessions;
use crate::social::SteamSocial;

/// The name of the driver.
const NAME: &str = "steam";

/// Connects game platforms with the driver `steam`. All of them share the budgets of calls of one process.
///
/// A provider has no settings and no credentials: each trading account signs in with secrets of its own. A connection makes no call.
pub struct SteamConnector {
    driver: Driver,
    steam: Connected<Steam>,
}

/// Steam, as it is called.
struct Steam {
    services: Services,
    clock: Arc<dyn MarketClock>,
}

impl SteamConnector {
    /// A connector to these services. The clock is that of the real market.
    ///
    /// # Errors
    /// Never: its texts are texts.
    pub fn new(services: Services, clock: Arc<dyn MarketClock>) -> Result<Self, TextError> {
        Ok(Self { driver: driver()?, steam: Ok(Steam { services, clock }) })
    }

    /// A connector that connects nothing, and shows the owners of providers why, such as the setting that keeps the server from calling
    /// Steam.
    ///
    /// # Errors
    /// Never: its texts are texts.
    pub fn not_called(why: &str) -> Result<Self, TextError> {
        Ok(Self { driver: driver()?, steam: Err(NotConnected(format!("it is not called: {why}"))) })
    }
}

/// What Steam says of itself.
fn driver() -> Result<Driver, TextError> {
    let limits = Limits::default();
    let capabilities = [ProviderCapability::Inventory, ProviderCapability::TradeOffers].into();
    let served = Served { kind: ProviderKind::GamePlatform, capabilities };
    let description = "Steam: accounts sign in with their stored secrets, and their inventories, trade offers, trades, \
                       friends and chats are read. Friends are added and messages sent if a person asks for it. Offers \
                       are sent, answered and confirmed for accounts that a person lets give items, and for no others.";
    Ok(Driver {
        name: Name::new(NAME)?,
        description: Text::new(description)?,
        serves: vec![served],
        settings: Vec::new(),
        credentials: Vec::new(),
        rate_limits: vec![
            limits.sign_in.budget.rate_limit("sign-ins and renewals")?,
            limits.reads.budget.rate_limit("reads")?,
            limits.inventories.budget.rate_limit("inventories")?,
            limits.community.budget.rate_limit("community pages")?,
            limits.offers.budget.rate_limit("sent and answered offers")?,
            limits.answers.budget.rate_limit("answered confirmations")?,
            limits.friends.budget.rate_limit("changed friends")?,
            limits.chats.budget.rate_limit("sent messages")?,
        ],
        asks_before_giving: true,
    })
}

/// Why an account is left out, if it is: Steam has partners of trades under the numbers of individual accounts alone.
fn refused(account: &DeskAccount) -> Option<(AccountName, NotConnected)> {
    let user = account.address.user;
    let why = || NotConnected(format!("{user} is not the SteamID64 of an individual account"));
    (!user.is_individual()).then(|| (account.name.clone(), why()))
}

#[async_trait]
impl Connector for SteamConnector {
    fn driver(&self) -> &Driver {
        &self.driver
    }

    fn market(&self) -> Option<MarketKind> {
        Some(MarketKind::Real)
    }

    async fn game_platform(
        &self,
        _link: &ProviderLink,
        accounts: &[DeskAccount],
        vault: Arc<dyn TokenVault>,
    ) -> Connected<ConnectedPlatform> {
        let Steam { services, clock } = self.steam.as_ref().map_err(NotConnected::clone)?;
        Ok(ConnectedPlatform {
            platform: Arc::new(SteamPlatform::new(services.clone(), Arc::clone(&vault))),
            social: Some(Arc::new(SteamSocial::new(services.clone(), vault))),
            sessions: Some(Arc::new(SteamSessions::new(services.clone()))),
            clock: Arc::clone(clock),
            rates: None,
            refused: accounts.iter().filter_map(refused).collect(),
        })
    }

    async fn marketplace(&self, _link: &ProviderLink, _platform: &Provider) -> Connected<Arc<dyn Marketplace>> {
        Err(no_other_kind())
    }

    async fn price_source(&self, _link: &ProviderLink) -> Connected<Arc<dyn PriceSource>> {
        Err(no_other_kind())
    }
}

fn no_other_kind() -> NotConnected {
    NotConnected(format!("the driver {NAME} serves game platforms alone"))
}

impl fmt::Debug for SteamConnector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SteamConnector").field("not_called", &self.steam.as_ref().err()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::num::NonZeroU64;

    use secrecy::SecretString;
    use tradepost_adapters_outside::Egress;
    use tradepost_domain::id::{ProviderId, WorkspaceId};
    use tradepost_domain::markets::provider::ProviderStatus;
    use tradepost_domain::money::Currency;
    use tradepost_domain::text::{ExternalId, Marketplace as ProviderName};
    use tradepost_domain::time::Timestamp;
    use tradepost_domain::trading::trade::{PlatformUserId, TradeAddress};
    use tradepost_ports::clock::{Clock, RealMarket};
    use tradepost_ports::game_platform::sessions::VaultUnavailable;

    use super::*;
    use crate::addresses::Addresses;

    /// The number of the first individual account.
    const FIRST: u64 = 76_561_197_960_265_729;

    struct Stopped;

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            Timestamp::MIN
        }
    }

    struct Empty;

    #[async_trait]
    impl TokenVault for Empty {
        async fn access_token(&self, _account: PlatformUserId) -> Result<Option<SecretString>, VaultUnavailable> {
            Ok(None)
        }
    }

    fn link() -> ProviderLink {
        let provider = Provider {
            id: ProviderId::from_bytes([1; 16]),
            workspace_id: WorkspaceId::from_bytes([2; 16]),
            kind: ProviderKind::GamePlatform,
            driver: Name::new(NAME).unwrap(),
            name: ProviderName::new(NAME).unwrap(),
            currency: Currency::USD,
            settings: BTreeMap::new(),
            has_credentials: false,
            status: ProviderStatus::Enabled,
            status_reason: None,
            created_at: Timestamp::MIN,
            updated_at: Timestamp::MIN,
        };
        ProviderLink { provider, credentials: BTreeMap::new() }
    }

    fn account(name: &str, number: u64) -> DeskAccount {
        let user = PlatformUserId::new(NonZeroU64::new(number).unwrap());
        let address = TradeAddress { user, token: ExternalId::new("AbCdEf12").unwrap() };
        DeskAccount { name: AccountName::new(name).unwrap(), address }
    }

    fn connector() -> SteamConnector {
        let services = Services::connect(&Egress::default(), &Addresses::default(), Limits::default()).unwrap();
        SteamConnector::new(services, Arc::new(RealMarket(Arc::new(Stopped)))).unwrap()
    }

    #[test]
    fn the_driver_serves_a_game_platform_whose_accounts_a_person_lets_give_items_and_nothing_else() {
        let connector = connector();
        let driver = connector.driver();
        assert_eq!(driver.name.as_str(), "steam");
        let trades = BTreeSet::from([ProviderCapability::Inventory, ProviderCapability::TradeOffers]);
        assert_eq!(driver.capabilities(ProviderKind::GamePlatform), Some(&trades));
        assert!(driver.asks_before_giving);
        assert_eq!(driver.serves.len(), 1);
        assert!(driver.settings.is_empty() && driver.credentials.is_empty(), "accounts have the secrets");
        assert!(driver.rate_limits.iter().all(|limit| limit.calls > 0 && limit.seconds > 0));
        assert_eq!((connector.market(), connector.place(&link().provider)), (Some(MarketKind::Real), None));
    }

    #[tokio::test]
    async fn a_connection_has_the_clock_of_the_real_market_and_leaves_out_numbers_of_no_individual_account() {
        let accounts = [account("one", FIRST), account("two", 7)];
        let connected = connector().game_platform(&link(), &accounts, Arc::new(Empty)).await.ok().unwrap();
        assert_eq!(connected.clock.kind(), MarketKind::Real);
        assert!(connected.sessions.is_some() && connected.social.is_some() && connected.rates.is_none());
        let why = NotConnected("7 is not the SteamID64 of an individual account".to_owned());
        assert_eq!(connected.refused, [(AccountName::new("two").unwrap(), why)]);
    }

    #[tokio::test]
    async fn a_connector_that_may_not_call_steam_shows_the_setting_that_keeps_it_from_that() {
        let connector = SteamConnector::not_called("the setting outside.real is not true").unwrap();
        let why = connector.game_platform(&link(), &[], Arc::new(Empty)).await.err().unwrap();
        assert_eq!(why.to_string(), "it is not called: the setting outside.real is not true");
        assert_eq!(connector.driver().name.as_str(), "steam");
    }
}
