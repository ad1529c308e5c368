//! What an engine works with: a workspace, its trading accounts, and the systems outside.

pub(crate) mod account_health;
pub(crate) mod backoff;
pub(crate) mod currency;
pub(crate) mod leases;
pub(crate) mod provider_probe;
pub(crate) mod providers;

use std::sync::Arc;

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::money::Currency;
use tradepost_domain::text::{AccountName, Marketplace, Name};
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_ports::clock::MarketClock;
use tradepost_ports::exchange_rates::ExchangeRates;
use tradepost_ports::game_platform::GamePlatform;
use tradepost_ports::marketplace::Marketplace as MarketplacePort;
use tradepost_ports::price_source::PriceSource;

use crate::desk::account_health::{AccountRecords, LostSessions};
use crate::desk::backoff::Backoff;
use crate::desk::currency::ConvertedMarketplace;
use crate::desk::leases::WorkLeases;
use crate::desk::providers::ProviderCache;
use crate::market::exchange_rates::RateCache;
use crate::open_records::ScanCursors;
use crate::settlement::PlatformReads;

/// A workspace that trades, where, and by which clock.
#[derive(Clone)]
pub struct Desk {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The clock of the market in which the workspace trades: [`RealMarket`] of the server's clock, or that of a simulated world.
    ///
    /// The contracts, markets and trading accounts of this workspace follow it. Nothing else does.
    ///
    /// [`RealMarket`]: tradepost_ports::clock::RealMarket
    pub clock: Arc<dyn MarketClock>,
    /// The name of this process among those that trade for the workspace. One that starts under the name of another takes over
    /// its work at once; so a name is used by one process at a time, and by the same one when it starts again.
    pub node: Name,
    /// Its trading accounts; at least one, or nothing is bought.
    pub accounts: Vec<TradingAccount>,
    /// The marketplaces on which it has an account.
    pub venues: Vec<Venue>,
    /// The game platform, signed in for every one of the accounts.
    pub platform: Arc<dyn GamePlatform>,
    /// Sources of prices, in addition to the marketplaces themselves.
    pub price_sources: Vec<Arc<dyn PriceSource>>,
    /// Source of exchange rates. Without one, nothing is bought or listed in other currencies.
    pub rates: Option<Arc<dyn ExchangeRates>>,
}

/// A trading account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradingAccount {
    /// Its name on purchases and items.
    pub name: AccountName,
    /// Where trade offers reach it.
    pub address: TradeAddress,
}

/// A marketplace, as the desk's customer of it.
#[derive(Clone)]
pub struct Venue {
    /// Its name on contracts and purchases.
    pub name: Marketplace,
    /// The marketplace.
    pub marketplace: Arc<dyn MarketplacePort>,
    /// The currency of its prices; `None` where that is the workspace's.
    pub currency: Option<Currency>,
}

impl Venue {
    /// The marketplace for one deal, by its rate.
    pub(crate) fn with_rate(&self, rate: Option<ExchangeRate>) -> ConvertedMarketplace {
        ConvertedMarketplace::new(Arc::clone(&self.marketplace), rate.into())
    }
}

impl Desk {
    pub(crate) fn venue(&self, name: &Marketplace) -> Option<&Venue> {
        self.venues.iter().find(|venue| venue.name == *name)
    }

    pub(crate) fn account(&self, name: &AccountName) -> Option<&TradingAccount> {
        self.accounts.iter().find(|account| account.name == *name)
    }
}

/// State of the desk's accounts and providers, what was read for them, and the work that this node holds.
pub(crate) struct DeskState {
    /// Marketplaces to which no call is made at present.
    pub(crate) backoff: Arc<Backoff<Marketplace>>,
    pub(crate) leases: WorkLeases,
    pub(crate) accounts: AccountRecords,
    pub(crate) lost_sessions: LostSessions,
    pub(crate) providers: ProviderCache,
    pub(crate) rates: RateCache,
    pub(crate) scans: ScanCursors,
    pub(crate) platform: PlatformReads,
}

impl DeskState {
    pub(crate) fn new(backoff: Arc<Backoff<Marketplace>>) -> Self {
        Self {
            backoff,
            leases: WorkLeases::default(),
            accounts: AccountRecords::default(),
            lost_sessions: LostSessions::default(),
            providers: ProviderCache::default(),
            rates: RateCache::default(),
            scans: ScanCursors::default(),
            platform: PlatformReads::default(),
        }
    }
}
