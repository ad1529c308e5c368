//! Which providers and trading accounts of a workspace trade together, and which process trades for it.

mod sharing;

use std::collections::BTreeMap;

use crate::id::ProviderId;
use crate::markets::provider::{Provider, ProviderKind};
use crate::text::{AccountName, Marketplace};
use crate::trading::trade::TradeAddress;
use crate::trading::trading_account::TradingAccount;

pub use sharing::{ProcessId, share};

/// The records that a workspace trades with: a game platform, the marketplaces whose items arrive there, price sources, and accounts of
/// the platform. Without a marketplace, accounts are signed in and read, and nothing is bought or sold.
///
/// Disabled providers and accounts are among them: open work is completed there, and the engine begins nothing new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskRecords {
    /// The game platform.
    pub platform: Provider,
    /// The marketplaces, by name; there may be none.
    pub marketplaces: Vec<Provider>,
    /// The price sources, by name.
    pub price_sources: Vec<Provider>,
    /// The trading accounts, by name.
    pub accounts: Vec<DeskAccount>,
    /// The version of each provider.
    pub versions: BTreeMap<ProviderId, i64>,
}

/// A provider at the version at which it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenProvider {
    /// The provider.
    pub provider: Provider,
    /// Its version.
    pub version: i64,
}

/// A trading account that can receive items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskAccount {
    /// Its name on purchases and items.
    pub name: AccountName,
    /// Where trade offers reach it.
    pub address: TradeAddress,
}

/// Why the records of a workspace are no desk.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoDesk {
    /// It has none.
    #[error("no game platform is on record")]
    NoPlatform,
    /// Which one its items arrive by is not known.
    #[error("{one} and {other} are game platforms on record, and a workspace trades on one: delete the other")]
    SeveralPlatforms {
        /// The one.
        one: Marketplace,
        /// The other.
        other: Marketplace,
    },
    /// No item can arrive.
    #[error("no trading account of {platform} with a trade token is on record")]
    NoAccount {
        /// The game platform.
        platform: Marketplace,
    },
}

impl DeskRecords {
    /// Selects the records that trade together from those providers that can be connected, each with its version, and from all accounts.
    ///
    /// # Errors
    /// [`NoDesk`] names the first thing that is missing.
    pub fn select(all: Vec<SeenProvider>, accounts: &[TradingAccount]) -> Result<Self, NoDesk> {
        let versions = all.iter().map(|seen| (seen.provider.id, seen.version)).collect();
        let mut providers: Vec<Provider> = all.into_iter().map(|seen| seen.provider).collect();
        providers.sort_by(|one, other| one.name.cmp(&other.name));
        let of_kind = |kind| providers.iter().filter(move |provider| provider.kind == kind).cloned();
        let mut platforms = of_kind(ProviderKind::GamePlatform);
        let platform = platforms.next().ok_or(NoDesk::NoPlatform)?;
        if let Some(other) = platforms.next() {
            return Err(NoDesk::SeveralPlatforms { one: platform.name, other: other.name });
        }
        let is_there = |account: &&TradingAccount| account.platform.as_str() == platform.name.as_str();
        let mut accounts: Vec<_> = accounts.iter().filter(is_there).filter_map(DeskAccount::of).collect();
        accounts.sort_by(|one, other| one.name.cmp(&other.name));
        if accounts.is_empty() {
            return Err(NoDesk::NoAccount { platform: platform.name });
        }
        let marketplaces = of_kind(ProviderKind::Marketplace).collect();
        let price_sources = of_kind(ProviderKind::PriceSource).collect();
        Ok(Self { platform, marketplaces, price_sources, accounts, versions })
    }

    /// The providers of the desk.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        [&self.platform].into_iter().chain(&self.marketplaces).chain(&self.price_sources)
    }

    /// Whether an engine that trades with the others has to begin again to trade with these. A new trade token does not count: the engine reads
    /// it from the record.
    pub fn differs_from(&self, others: &Self) -> bool {
        let accounts =
            |desk: &Self| desk.accounts.iter().map(|of| (of.name.clone(), of.address.user)).collect::<Vec<_>>();
        self.versions != others.versions || accounts(self) != accounts(others)
    }
}

impl DeskAccount {
    fn of(account: &TradingAccount) -> Option<Self> {
        if account.status.is_terminal() {
            return None;
        }
        account.address().map(|address| Self { name: account.name.clone(), address })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::num::NonZeroU64;

    use super::*;
    use crate::id::{AccountId, ProviderId, WorkspaceId};
    use crate::markets::provider::ProviderStatus;
    use crate::money::Currency;
    use crate::text::{ExternalId, Name};
    use crate::time::Timestamp;
    use crate::trading::giving::GivingLimits;
    use crate::trading::trade::PlatformUserId;
    use crate::trading::trading_account::{AccountEvent, AccountLimits, NewAccount, OpenAccountWork};

    const AT: Timestamp = Timestamp::MIN;

    fn provider(kind: ProviderKind, name: &str) -> Provider {
        Provider {
            id: ProviderId::from_bytes([1; 16]),
            workspace_id: WorkspaceId::from_bytes([2; 16]),
            kind,
            driver: Name::new("example").unwrap(),
            name: Marketplace::new(name).unwrap(),
            currency: Currency::USD,
            settings: BTreeMap::new(),
            has_credentials: false,
            status: ProviderStatus::Enabled,
            status_reason: None,
            created_at: AT,
            updated_at: AT,
        }
    }

    fn account(name: &str, number: u64, token: Option<&str>) -> TradingAccount {
        let new = NewAccount {
            id: AccountId::from_bytes([3; 16]),
            workspace_id: WorkspaceId::from_bytes([2; 16]),
            name: AccountName::new(name).unwrap(),
            platform: Name::new("steam").unwrap(),
            platform_user_id: PlatformUserId::new(NonZeroU64::new(number).unwrap()),
            trade_token: token.map(|token| ExternalId::new(token).unwrap()),
            capabilities: BTreeSet::new(),
            limits: AccountLimits::default(),
            giving_limits: GivingLimits::default(),
            has_secrets: false,
        };
        TradingAccount::register(new, AT)
    }

    fn seen(provider: Provider) -> SeenProvider {
        SeenProvider { provider, version: 1 }
    }

    fn providers() -> Vec<SeenProvider> {
        let all = [
            provider(ProviderKind::Marketplace, "second"),
            provider(ProviderKind::PriceSource, "index"),
            provider(ProviderKind::GamePlatform, "steam"),
            provider(ProviderKind::Marketplace, "first"),
        ];
        (1..)
            .zip(all)
            .map(|(number, provider)| seen(Provider { id: ProviderId::from_bytes([number; 16]), ..provider }))
            .collect()
    }

    fn names(desk: &DeskRecords) -> (Vec<&str>, Vec<&str>) {
        let providers = desk.providers().map(|provider| provider.name.as_str());
        (providers.collect(), desk.accounts.iter().map(|account| account.name.as_str()).collect())
    }

    #[test]
    fn a_desk_has_the_providers_of_a_workspace_and_the_accounts_of_its_platform_that_items_can_reach() {
        let elsewhere = TradingAccount::restore(crate::trading::trading_account::AccountParts {
            platform: Name::new("other").unwrap(),
            ..(*account("elsewhere", 4, Some("d"))).clone()
        });
        let removed = account("gone", 5, Some("e"));
        let removed = removed.apply(AccountEvent::Removed(OpenAccountWork::default()), None, AT).unwrap();
        let all = [
            account("two", 2, Some("b")),
            account("one", 1, Some("a")),
            account("no-url", 3, None),
            elsewhere.unwrap(),
            removed,
        ];
        let desk = DeskRecords::select(providers(), &all).unwrap();
        assert_eq!(names(&desk), (vec!["steam", "first", "second", "index"], vec!["one", "two"]));
    }

    #[test]
    fn the_first_thing_that_is_missing_is_named() {
        let accounts = [account("one", 1, Some("a"))];
        let missing = |providers: Vec<SeenProvider>, accounts: &[TradingAccount]| {
            DeskRecords::select(providers, accounts).unwrap_err().to_string()
        };
        let is_platform = |seen: &SeenProvider| seen.provider.kind == ProviderKind::GamePlatform;
        let without_platform = providers().into_iter().filter(|seen| !is_platform(seen)).collect();
        assert_eq!(missing(without_platform, &accounts), "no game platform is on record");
        let no_account = "no trading account of steam with a trade token is on record";
        assert_eq!(missing(providers(), &[account("one", 1, None)]), no_account);
        let mut two = providers();
        two.push(seen(provider(ProviderKind::GamePlatform, "other")));
        let several = "other and steam are game platforms on record, and a workspace trades on one: delete the other";
        assert_eq!(missing(two, &accounts), several);
    }

    #[test]
    fn a_desk_without_a_marketplace_has_the_platform_and_its_accounts() {
        let platform_alone: Vec<_> =
            providers().into_iter().filter(|seen| seen.provider.kind == ProviderKind::GamePlatform).collect();
        let desk = DeskRecords::select(platform_alone, &[account("one", 1, Some("a"))]).unwrap();
        assert_eq!(names(&desk), (vec!["steam"], vec!["one"]));
    }

    #[test]
    fn an_engine_begins_again_when_a_provider_or_the_accounts_change_and_not_for_a_new_trade_token() {
        let desk = |providers, accounts: &[TradingAccount]| DeskRecords::select(providers, accounts).unwrap();
        let accounts = [account("one", 1, Some("a"))];
        let running = desk(providers(), &accounts);
        assert!(!desk(providers(), &[account("one", 1, Some("renewed"))]).differs_from(&running));
        assert!(
            desk(providers(), &[account("one", 1, Some("a")), account("two", 2, Some("b"))]).differs_from(&running)
        );
        assert!(desk(providers(), &[account("one", 9, Some("a"))]).differs_from(&running));
        let changed = providers().into_iter().map(|seen| SeenProvider { version: 2, ..seen }).collect();
        assert!(desk(changed, &accounts).differs_from(&running));
    }
}
