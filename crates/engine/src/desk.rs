//! What an engine works with: a workspace, its trading accounts, and the systems outside.

pub(crate) mod backoff;
pub(crate) mod currency;
pub(crate) mod listing_key;
pub(crate) mod provider_probe;

use std::collections::BTreeMap;
use std::sync::Arc;

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::exchange::ExchangeRate;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::money::Currency;
use tradepost_domain::text::{AccountName, Marketplace, Name};
use tradepost_domain::trading::trade::TradeAddress;
use tradepost_ports::clock::MarketClock;
use tradepost_ports::exchange_rates::ExchangeRates;
use tradepost_ports::game_platform::GamePlatform;
use tradepost_ports::game_platform::sessions::PlatformSessions;
use tradepost_ports::game_platform::social::Social;
use tradepost_ports::marketplace::Marketplace as MarketplacePort;
use tradepost_ports::price_source::PriceSource;

use crate::desk::currency::ConvertedMarketplace;

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
    /// Friends and chats of these accounts. Without them, what people ask for waits.
    pub social: Option<Arc<dyn Social>>,
    /// Signing these accounts in. Without it, they are signed in by other means, and sessions that people start wait.
    pub sessions: Option<Arc<dyn PlatformSessions>>,
    /// Sources of prices, in addition to the marketplaces themselves.
    pub price_sources: Vec<Arc<dyn PriceSource>>,
    /// Source of exchange rates. Without one, nothing is bought or listed in other currencies.
    pub rates: Option<Arc<dyn ExchangeRates>>,
    /// The drivers of marketplaces and price sources whose names users chose. Metrics label their calls by the driver, because a name of a
    /// user is in no metric. Calls to the others are labelled by their names.
    pub drivers: BTreeMap<(ProviderKind, Marketplace), Name>,
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

/// Returns the ready account whose turn it is.
pub(crate) fn account_in_turn(
    accounts: &[TradingAccount],
    turn: usize,
    is_ready: impl Fn(&TradingAccount) -> bool,
) -> Option<&TradingAccount> {
    let ready: Vec<&TradingAccount> = accounts.iter().filter(|account| is_ready(account)).collect();
    turn.checked_rem(ready.len()).and_then(|place| ready.get(place).copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tradepost_domain::trading::trade::PlatformUserId;
    use tradepost_testkit::samples::text;

    fn accounts() -> Vec<TradingAccount> {
        let user = PlatformUserId::new(std::num::NonZeroU64::MIN);
        let address = TradeAddress { user, token: text("token") };
        ["one", "two", "three"].map(|name| TradingAccount { name: text(name), address: address.clone() }).into()
    }

    fn names_in_turn(is_ready: impl Fn(&TradingAccount) -> bool + Copy) -> Vec<String> {
        let accounts = accounts();
        let named = |turn| account_in_turn(&accounts, turn, is_ready).map(|account| account.name.to_string());
        (0..4).filter_map(named).collect()
    }

    #[test]
    fn ready_accounts_buy_in_turn() {
        assert_eq!(names_in_turn(|_| true), ["one", "two", "three", "one"]);
    }

    #[test]
    fn an_account_that_is_not_ready_loses_its_turn_to_the_next_one() {
        assert_eq!(names_in_turn(|account| account.name.as_str() != "two"), ["one", "three", "one", "three"]);
    }

    #[test]
    fn no_account_buys_if_none_is_ready() {
        assert!(names_in_turn(|_| false).is_empty());
        assert_eq!(account_in_turn(&[], 0, |_| true), None);
    }
}
