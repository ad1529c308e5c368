//! Connecting the providers that a workspace has on record. A driver implements this port for the desks that a server makes of records.

mod processes;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use secrecy::SecretString;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::markets::desk::DeskAccount;
use tradepost_domain::markets::provider::{Driver, Provider};
use tradepost_domain::text::AccountName;

use crate::clock::MarketClock;
use crate::exchange_rates::ExchangeRates;
use crate::game_platform::GamePlatform;
use crate::game_platform::sessions::{PlatformSessions, TokenVault};
use crate::game_platform::social::Social;
use crate::marketplace::Marketplace;
use crate::price_source::PriceSource;

pub use processes::{SILENCE, TradingProcesses};

/// A provider on record, and what its driver authenticates with.
#[derive(Debug, Clone)]
pub struct ProviderLink {
    /// The provider.
    pub provider: Provider,
    /// Its credentials, by the names that the driver defines.
    pub credentials: BTreeMap<String, SecretString>,
}

/// A game platform, with what a desk has by it.
#[derive(Clone)]
pub struct ConnectedPlatform {
    /// The platform, signed in for the accounts of the desk.
    pub platform: Arc<dyn GamePlatform>,
    /// Friends and chats of these accounts, where the driver has them.
    pub social: Option<Arc<dyn Social>>,
    /// Signing these accounts in, where the driver does so.
    pub sessions: Option<Arc<dyn PlatformSessions>>,
    /// The clock of the market in which items of this platform are traded.
    pub clock: Arc<dyn MarketClock>,
    /// Exchange rates, where the driver knows any.
    pub rates: Option<Arc<dyn ExchangeRates>>,
    /// Accounts that the platform does not take, and why. They do not trade.
    pub refused: Vec<(AccountName, NotConnected)>,
}

/// Why a provider is not connected, in words for its owner. It is tried again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotConnected(pub String);

/// The result of a connection.
pub type Connected<T> = Result<T, NotConnected>;

/// Connects the providers of one driver. A provider of a kind that the driver does not serve cannot be created, so that its method is never
/// called.
///
/// Settings are written by users of a workspace. A connector must not call an address only because a setting names it: the operator of the
/// server says which addresses are called.
#[async_trait]
pub trait Connector: Send + Sync {
    /// Returns the driver, as it describes itself.
    fn driver(&self) -> &Driver;

    /// Returns the kind of market that all providers of the driver are in; `None` where a provider can be in either.
    ///
    /// A marketplace or a price source of another kind than the game platform is left out: the two have different clocks.
    fn market(&self) -> Option<MarketKind> {
        None
    }

    /// Returns whether a provider of the driver has what a desk needs. One that has not is left to programs that make desks of their own.
    fn connects(&self, _provider: &Provider) -> bool {
        true
    }

    /// Returns which account of which place a game platform or a marketplace is, as the driver names it; `None` where settings do not say.
    ///
    /// A place belongs to the workspace that named it first, and is one marketplace, however many providers name it.
    fn place(&self, _provider: &Provider) -> Option<String> {
        None
    }

    /// Connects a game platform for the accounts of a desk, whose access tokens are in the vault. Called again while an earlier connection is
    /// in use, when the records have changed.
    ///
    /// # Errors
    /// [`NotConnected`].
    async fn game_platform(
        &self,
        link: &ProviderLink,
        accounts: &[DeskAccount],
        vault: Arc<dyn TokenVault>,
    ) -> Connected<ConnectedPlatform>;

    /// Connects a marketplace whose items arrive by this game platform.
    ///
    /// # Errors
    /// [`NotConnected`].
    async fn marketplace(&self, link: &ProviderLink, platform: &Provider) -> Connected<Arc<dyn Marketplace>>;

    /// Connects a source of prices.
    ///
    /// # Errors
    /// [`NotConnected`].
    async fn price_source(&self, link: &ProviderLink) -> Connected<Arc<dyn PriceSource>>;
}
