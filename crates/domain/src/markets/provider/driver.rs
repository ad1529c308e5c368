//! Drivers: what talks to providers of one make, as it describes itself.

use std::collections::{BTreeMap, BTreeSet};

use super::ProviderKind;
use crate::names::names;
use crate::text::{Description, Name};

/// What a driver can do at a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderCapability {
    /// Report what is on sale.
    Listings = 1,
    /// Buy.
    Buy = 2,
    /// Sell.
    Sell = 3,
    /// Report prices.
    Quotes = 4,
    /// Report the inventories of accounts.
    Inventory = 5,
    /// Send and answer trade offers.
    TradeOffers = 6,
}

names! { ProviderCapability, "capability of a provider":
    Listings => "LISTINGS",
    Buy => "BUY",
    Sell => "SELL",
    Quotes => "QUOTES",
    Inventory => "INVENTORY",
    TradeOffers => "TRADE_OFFERS",
}

/// A kind of provider that a driver talks to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served {
    /// The kind.
    pub kind: ProviderKind,
    /// What can be done there.
    pub capabilities: BTreeSet<ProviderCapability>,
}

/// A setting of a driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverField {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub description: Description,
    /// Whether the driver does not work without it.
    pub is_required: bool,
    /// Whether it says which account of which provider is meant: with another value, orders and items of the former one cannot be found.
    pub identifies: bool,
}

/// How often a provider lets itself be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateLimit {
    /// Which calls.
    pub name: Name,
    /// So many calls,
    pub calls: u32,
    /// in so many seconds.
    pub seconds: u32,
}

/// A driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Driver {
    /// Its name.
    pub name: Name,
    /// What it talks to.
    pub description: Description,
    /// The kinds of providers that it talks to; at least one.
    pub serves: Vec<Served>,
    /// The settings of a provider.
    pub settings: Vec<DriverField>,
    /// The secrets by which it shows who we are.
    pub credentials: Vec<DriverField>,
    /// How often the provider lets itself be asked, as far as that is known.
    pub rate_limits: Vec<RateLimit>,
    /// Whether it uses the trading accounts of people at a real platform, and gives nothing of one before a person lets it give items.
    pub asks_before_giving: bool,
}

impl Driver {
    /// Whether settings name another account or another place than before.
    pub fn names_another(&self, before: &BTreeMap<Name, Description>, after: &BTreeMap<Name, Description>) -> bool {
        let mut identifying = self.settings.iter().filter(|field| field.identifies);
        identifying.any(|field| before.get(&field.name) != after.get(&field.name))
    }

    /// Whether it reads providers of this kind, and neither buys nor sells there.
    pub fn only_reads(&self, kind: ProviderKind) -> bool {
        let trades = |can: &BTreeSet<ProviderCapability>| {
            can.contains(&ProviderCapability::Buy) || can.contains(&ProviderCapability::Sell)
        };
        self.capabilities(kind).is_some_and(|can| !trades(can))
    }

    /// What it can do at a provider of a kind; `None` if it does not talk to such providers.
    pub fn capabilities(&self, kind: ProviderKind) -> Option<&BTreeSet<ProviderCapability>> {
        self.serves.iter().find(|served| served.kind == kind).map(|served| &served.capabilities)
    }
}
