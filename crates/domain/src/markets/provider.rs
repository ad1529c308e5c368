//! Providers: the marketplaces, price sources and game platforms that a workspace works with.
//!
//! A provider is identified by its kind and its name, under which contracts, purchases and observations name it. Its record contains
//! what users set. Its health, which changes every few minutes, is stored separately ([`ProviderHealth`]), so that it does not
//! conflict with changes by users.

mod baseline;
mod driver;
mod health;
mod standing;

use std::collections::BTreeMap;

use crate::id::{ProviderId, WorkspaceId};
use crate::money::Currency;
use crate::names::names;
use crate::text::{Description, Marketplace, Name};
use crate::time::Timestamp;

pub use baseline::Baseline;
pub use driver::{Driver, DriverField, ProviderCapability, RateLimit, Served};
pub use health::{BreakerState, MOST_FEE_OVERRIDES, ProviderCheck, ProviderCheckCode, ProviderHealth, ProviderReport};
pub use standing::AccountStanding;

/// What a provider provides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderKind {
    /// A place where items are bought and sold.
    Marketplace = 1,
    /// A source of prices that sells nothing.
    PriceSource = 2,
    /// Where the items are, and the accounts that hold them.
    GamePlatform = 3,
}

names! { ProviderKind, "kind of provider":
    Marketplace => "MARKETPLACE",
    PriceSource => "PRICE_SOURCE",
    GamePlatform => "GAME_PLATFORM",
}

/// Whether a provider is worked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderStatus {
    /// It is.
    Enabled = 1,
    /// Disabled by a user: nothing new is started there, open work is completed.
    Disabled = 2,
}

names! { ProviderStatus, "provider status":
    Enabled => "ENABLED",
    Disabled => "DISABLED",
}

/// A provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// Its own id.
    pub id: ProviderId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// What it provides.
    pub kind: ProviderKind,
    /// What talks to it.
    pub driver: Name,
    /// Its name on contracts and purchases.
    pub name: Marketplace,
    /// The currency of its prices.
    pub currency: Currency,
    /// The settings of its driver, by the names that the driver defines.
    pub settings: BTreeMap<Name, Description>,
    /// Whether anything is kept for its driver to show who we are.
    pub has_credentials: bool,
    /// Whether it is worked with.
    pub status: ProviderStatus,
    /// Why it is not.
    pub status_reason: Option<Description>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What is to change of a provider; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProviderChange {
    /// The settings from now on, all of them.
    pub settings: Option<BTreeMap<Name, Description>>,
    /// Whether other credentials are kept for it from now on.
    pub credentials: bool,
}

/// What names a provider, or waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProviderUses {
    /// Contracts that name it and have not ended.
    pub contracts: u32,
    /// Purchases made there that are open.
    pub purchases: u32,
    /// Items that are on sale there, or sold and not settled.
    pub items: u32,
    /// Trading accounts there that were not removed.
    pub accounts: u32,
}

/// Why a provider is not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// It is so already.
    #[error("a provider that is {from} cannot be {event}")]
    IllegalStep {
        /// The current status.
        from: ProviderStatus,
        /// The name of the event.
        event: &'static str,
    },
    /// Something names it, or waits for it.
    #[error(
        "contracts that name this provider: {}, purchases there that are open: {}, items on sale there: {}, trading accounts there: {}",
        .0.contracts, .0.purchases, .0.items, .0.accounts
    )]
    InUse(
        /// What.
        ProviderUses,
    ),
}

/// Nothing new is begun at a provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the provider {name} is disabled: nothing is bought or put on sale there until it is enabled")]
pub struct ProviderDisabled {
    /// Its name.
    pub name: Marketplace,
}

impl Provider {
    /// Changes what a user may change. Kind, driver, name and currency stay, because trades are recorded under them.
    #[must_use]
    pub fn change(self, change: ProviderChange, at: Timestamp) -> Self {
        Self {
            settings: change.settings.unwrap_or(self.settings),
            has_credentials: change.credentials || self.has_credentials,
            updated_at: at.max(self.updated_at),
            ..self
        }
    }

    /// Takes it out of work.
    ///
    /// # Errors
    /// [`ProviderError::IllegalStep`] when it is.
    pub fn disable(self, reason: Option<Description>, at: Timestamp) -> Result<Self, ProviderError> {
        self.step(ProviderStatus::Disabled, "disabled", reason, at)
    }

    /// Lets it be worked with again.
    ///
    /// # Errors
    /// [`ProviderError::IllegalStep`] when it is.
    pub fn enable(self, at: Timestamp) -> Result<Self, ProviderError> {
        self.step(ProviderStatus::Enabled, "enabled", None, at)
    }

    fn step(
        self,
        to: ProviderStatus,
        event: &'static str,
        reason: Option<Description>,
        at: Timestamp,
    ) -> Result<Self, ProviderError> {
        if self.status == to {
            return Err(ProviderError::IllegalStep { from: self.status, event });
        }
        Ok(Self { status: to, status_reason: reason, updated_at: at.max(self.updated_at), ..self })
    }

    /// Checks that something new may be begun there.
    ///
    /// # Errors
    /// [`ProviderDisabled`] when a person took it out of work.
    pub fn check_enabled(&self) -> Result<(), ProviderDisabled> {
        match self.status {
            ProviderStatus::Enabled => Ok(()),
            ProviderStatus::Disabled => Err(ProviderDisabled { name: self.name.clone() }),
        }
    }

    /// Checks that it can be deleted.
    ///
    /// # Errors
    /// [`ProviderError::InUse`] when something names it, or waits for it.
    pub fn check_unused(&self, uses: ProviderUses) -> Result<(), ProviderError> {
        if uses == ProviderUses::default() { Ok(()) } else { Err(ProviderError::InUse(uses)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn provider() -> Provider {
        Provider {
            id: ProviderId::from_bytes([1; 16]),
            workspace_id: WorkspaceId::from_bytes([2; 16]),
            kind: ProviderKind::Marketplace,
            driver: Name::new("example").unwrap(),
            name: Marketplace::new("market").unwrap(),
            currency: Currency::new("USD").unwrap(),
            settings: BTreeMap::new(),
            has_credentials: false,
            status: ProviderStatus::Enabled,
            status_reason: None,
            created_at: at(5),
            updated_at: at(5),
        }
    }

    #[test]
    fn nothing_is_begun_at_a_provider_until_it_is_enabled_again() {
        let reason = Description::new("fees went up").ok();
        let disabled = provider().disable(reason.clone(), at(6)).unwrap();
        assert_eq!((disabled.status_reason.clone(), disabled.updated_at), (reason, at(6)));
        assert_eq!(disabled.check_enabled(), Err(ProviderDisabled { name: provider().name }));
        let enabled = disabled.enable(at(7)).unwrap();
        assert_eq!((enabled.check_enabled(), enabled.status_reason), (Ok(()), None));
    }

    #[test]
    fn a_provider_takes_no_step_to_its_own_status() {
        let illegal = |from, event| Err(ProviderError::IllegalStep { from, event });
        assert_eq!(provider().enable(at(6)), illegal(ProviderStatus::Enabled, "enabled"));
        let disabled = provider().disable(None, at(6)).unwrap();
        assert_eq!(disabled.disable(None, at(7)), illegal(ProviderStatus::Disabled, "disabled"));
    }

    #[test]
    fn a_change_leaves_what_it_does_not_name() {
        let settings = BTreeMap::from([(Name::new("customer").unwrap(), Description::new("desk").unwrap())]);
        let changed = provider().change(ProviderChange { settings: Some(settings.clone()), credentials: true }, at(6));
        assert_eq!((&changed.settings, changed.has_credentials), (&settings, true));
        let same = changed.change(ProviderChange::default(), at(4));
        assert_eq!((same.settings, same.has_credentials, same.updated_at), (settings, true, at(6)));
    }

    #[test]
    fn a_provider_that_anything_names_is_in_use() {
        let none = ProviderUses::default();
        assert_eq!(provider().check_unused(none), Ok(()));
        let named = [
            ProviderUses { contracts: 1, ..none },
            ProviderUses { purchases: 1, ..none },
            ProviderUses { items: 1, ..none },
            ProviderUses { accounts: 1, ..none },
        ];
        for uses in named {
            assert_eq!(provider().check_unused(uses), Err(ProviderError::InUse(uses)));
        }
    }
}
