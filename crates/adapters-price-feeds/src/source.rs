//! The sources that there are: their names, addresses and limits, and the driver of each.

use std::time::Duration;

use tradepost_adapters_outside::{ClientError, ServiceLimits};
use tradepost_domain::markets::provider::{Driver, ProviderCapability, ProviderKind, Served};
use tradepost_domain::text::{Name, Text, TextError};

use crate::dmarket::{self, DMarket};
use crate::keys::{OperatorKeys, given};
use crate::listed::Listed;
use crate::listing_market::ListingManner;
use crate::service::{Connection, Service};
use crate::steam_market::{self, SteamMarket};
use crate::{csfloat, market_csgo, skinport, waxpeer};

/// How often a list is read.
const INTERVAL: Duration = Duration::from_mins(5);

/// A service whose prices can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Skinport.
    Skinport,
    /// market.csgo.com.
    MarketCsgo,
    /// Waxpeer.
    Waxpeer,
    /// `CSFloat`.
    CsFloat,
    /// `DMarket`, which needs a key of the operator.
    DMarket,
    /// The Steam Community Market, which is read page by page.
    SteamMarket,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 6] =
        [Self::Skinport, Self::MarketCsgo, Self::Waxpeer, Self::CsFloat, Self::DMarket, Self::SteamMarket];

    /// Those whose listings are read too.
    pub const LISTED: [Self; 4] = [Self::MarketCsgo, Self::Waxpeer, Self::CsFloat, Self::DMarket];

    /// Returns the name of the driver, and of the provider and the source in a workspace.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skinport => skinport::NAME,
            Self::MarketCsgo => market_csgo::NAME,
            Self::Waxpeer => waxpeer::NAME,
            Self::CsFloat => csfloat::NAME,
            Self::DMarket => dmarket::NAME,
            Self::SteamMarket => steam_market::NAME,
        }
    }

    /// Returns its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Skinport => "Skinport",
            Self::MarketCsgo => "market.csgo.com",
            Self::Waxpeer => "Waxpeer",
            Self::CsFloat => "CSFloat",
            Self::DMarket => "DMarket",
            Self::SteamMarket => "the Steam Community Market",
        }
    }

    /// Returns where it is.
    pub const fn address(self) -> &'static str {
        match self {
            Self::Skinport => "https://api.skinport.com",
            Self::MarketCsgo => "https://market.csgo.com",
            Self::Waxpeer => "https://api.waxpeer.com",
            Self::CsFloat => "https://csfloat.com",
            Self::DMarket => "https://api.dmarket.com",
            Self::SteamMarket => "https://steamcommunity.com",
        }
    }

    /// Returns the limits of calls to it.
    pub const fn limits(self) -> ServiceLimits {
        match self {
            Self::Skinport => skinport::limits(),
            Self::MarketCsgo => market_csgo::limits(),
            Self::Waxpeer => waxpeer::limits(),
            Self::CsFloat => csfloat::limits(),
            Self::DMarket => dmarket::limits(),
            Self::SteamMarket => steam_market::limits(),
        }
    }

    /// Returns the limits of calls for the bids of names. They are counted separately where these have calls of their own.
    pub const fn bid_limits(self) -> ServiceLimits {
        match self {
            Self::CsFloat => csfloat::limits_of_bids(),
            Self::Skinport | Self::MarketCsgo | Self::Waxpeer | Self::DMarket | Self::SteamMarket => self.limits(),
        }
    }

    /// Returns the time between the end of a read and the next.
    pub const fn interval(self) -> Duration {
        match self {
            Self::Skinport | Self::MarketCsgo | Self::Waxpeer | Self::CsFloat | Self::DMarket => INTERVAL,
            Self::SteamMarket => steam_market::INTERVAL,
        }
    }

    /// Returns whether names can be watched with these keys.
    pub fn watches(self, keys: &OperatorKeys) -> bool {
        match self {
            Self::SteamMarket => true,
            Self::CsFloat => given(keys.csfloat.as_ref()).is_some(),
            Self::Skinport | Self::MarketCsgo | Self::Waxpeer | Self::DMarket => false,
        }
    }

    /// Returns the limits of calls for its listings; `None` if these are not read. They are counted separately from those of price lists.
    pub fn listing_limits(self) -> Option<ServiceLimits> {
        self.listings().map(|manner| manner.limits)
    }

    /// Returns how its listings are read, with a key of the operator; `None` if they are not.
    pub(crate) fn listings(self) -> Option<&'static ListingManner> {
        match self {
            Self::CsFloat => Some(&csfloat::LISTED),
            Self::DMarket => Some(&dmarket::LISTED),
            Self::Waxpeer => Some(&waxpeer::LISTED),
            Self::MarketCsgo => Some(&market_csgo::LISTED),
            Self::Skinport | Self::SteamMarket => None,
        }
    }

    /// Returns the source as a driver of providers. It accepts no settings and no credentials of a workspace.
    ///
    /// # Errors
    /// Never: its texts are texts.
    pub fn driver(self) -> Result<Driver, TextError> {
        let (name, title) = (self.name(), self.title());
        let mut serves =
            vec![Served { kind: ProviderKind::PriceSource, capabilities: [ProviderCapability::Quotes].into() }];
        let mut rate_limits = vec![self.limits().budget.rate_limit("price lists")?];
        let mut read = "lowest asks";
        if let Some(manner) = self.listings() {
            let capabilities = [ProviderCapability::Listings].into();
            serves.push(Served { kind: ProviderKind::Marketplace, capabilities });
            rate_limits.push(manner.limits.budget.rate_limit("listings")?);
            read = "lowest asks and the listings";
        }
        let description = format!("The {read} at {title}, read alone. The provider has the name {name}.");
        Ok(Driver {
            name: Name::new(name)?,
            description: Text::new(&description)?,
            serves,
            settings: Vec::new(),
            credentials: Vec::new(),
            rate_limits,
            asks_before_giving: false,
        })
    }

    /// Connects the driver.
    ///
    /// # Errors
    /// [`ClientError`] when TLS cannot be set up, or a key is missing.
    pub fn connect(self, connection: Connection) -> Result<Box<dyn Service>, ClientError> {
        let manner = match self {
            Self::Skinport => &skinport::MANNER,
            Self::MarketCsgo => &market_csgo::MANNER,
            Self::Waxpeer => &waxpeer::MANNER,
            Self::CsFloat => return csfloat::connect(connection),
            Self::DMarket => return Ok(Box::new(DMarket::connect(connection)?)),
            Self::SteamMarket => return Ok(Box::new(SteamMarket::connect(connection)?)),
        };
        Ok(Box::new(Listed::connect(manner, connection)?))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_source_describes_itself_with_its_name_and_its_pace() {
        for source in Source::ALL {
            let driver = source.driver().unwrap();
            assert_eq!(driver.name.as_str(), source.name());
            assert!(driver.capabilities(ProviderKind::PriceSource).is_some());
            let listings = driver.capabilities(ProviderKind::Marketplace).cloned();
            let expected = Source::LISTED.contains(&source).then(|| BTreeSet::from([ProviderCapability::Listings]));
            assert_eq!(listings, expected, "{source:?} is read, and nothing is bought or sold there");
            assert_eq!(driver.rate_limits.len(), driver.serves.len(), "{source:?}");
            assert!(driver.rate_limits.iter().all(|limit| limit.calls > 0 && limit.seconds > 0));
            assert!(driver.description.as_str().contains(source.title()));
        }
    }

    #[test]
    fn reads_with_their_follow_ups_leave_a_third_of_the_budget_to_tests_of_providers() {
        // The most calls of a second look.
        let looks = [(Source::MarketCsgo, 1), (Source::Waxpeer, 1), (Source::CsFloat, 1), (Source::DMarket, 3)];
        for (source, look) in looks {
            let manner = source.listings().unwrap();
            let budget = manner.limits.budget;
            let calls = budget.window.as_secs() / manner.interval.as_secs() * (1 + look);
            assert!(calls * 3 <= u64::from(budget.calls) * 2, "{source:?}: {calls} calls");
            assert_eq!(source.listing_limits(), Some(manner.limits));
        }
    }

    #[test]
    fn every_source_is_called_less_often_than_it_allows() {
        // The calls that each allows in the seconds. CSFloat shows its limit in headers alone.
        for (source, allowed, seconds) in [
            (Source::Skinport, 8, 300),
            (Source::MarketCsgo, 5, 1),
            (Source::Waxpeer, 60, 60),
            (Source::DMarket, 20, 1),
            (Source::SteamMarket, 20, 60),
        ] {
            let budget = source.limits().budget;
            let window = Duration::from_secs(seconds);
            let by_gap =
                if budget.gap.is_zero() { u128::MAX } else { window.as_nanos().div_ceil(budget.gap.as_nanos()) };
            let most = by_gap.min(u128::from(budget.calls));
            assert!(most < allowed, "{source:?} is called {most} times in {seconds} s");
        }
    }
}
