//! A trading account: the platform's account that buys, holds and sells items for a workspace.
//!
//! Its name is the account's on purchases and items, and never changes. A [`TradingAccount`] can be read freely but only made
//! by [`TradingAccount::register`] and changed by its own methods, and read back from a store by [`TradingAccount::restore`].
//! Its revision counter belongs to the store. What it signs in by is kept elsewhere, sealed.

mod group;
mod machine;
mod readiness;
mod refresh;
mod report;

use std::collections::BTreeSet;
use std::ops::Deref;

use time::Duration;

use crate::id::{AccountId, WorkspaceId};
use crate::money::Cents;
use crate::names::names;
use crate::text::{AccountName, Description, ExternalId, Name};
use crate::time::Timestamp;
use crate::trading::giving::GivingLimits;
use crate::trading::trade::{PlatformUserId, TradeAddress};

pub use group::{AccountGroup, GroupChange, GroupError};
pub use machine::{AccountError, AccountEvent, OpenAccountWork};
pub(crate) use readiness::exceeded;
pub use readiness::{Check, CheckCode, Load};
pub use refresh::{
    AccountReading, AccountRefresh, REFRESH_PACE, REFRESH_WAITS, RENEWAL_LASTS, RenewalError, TokenRenewal,
};
pub use report::AccountReport;

/// How long an authenticator has to be enrolled before the platform stops holding trades for its sake.
pub const AUTHENTICATOR_AGE: Duration = Duration::days(7);

/// The status of a trading account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountStatus {
    /// Registered, and never signed in.
    New = 1,
    /// Being signed in, or looked at again before it gets work.
    Validating = 2,
    /// Gets work.
    Ready = 3,
    /// Affected by limits, maintenance or a wrong clock: completes its work and gets no new work.
    Degraded = 4,
    /// The platform no longer accepts its session.
    NeedsLogin = 5,
    /// The platform restricts it until some time.
    Restricted = 6,
    /// A person took it out of work.
    Disabled = 7,
    /// The platform has banned it permanently. Only its removal can follow.
    Banned = 8,
    /// Final: removed.
    Removed = 9,
}

names! { AccountStatus, "status of a trading account":
    New => "NEW",
    Validating => "VALIDATING",
    Ready => "READY",
    Degraded => "DEGRADED",
    NeedsLogin => "NEEDS_LOGIN",
    Restricted => "RESTRICTED",
    Disabled => "DISABLED",
    Banned => "BANNED",
    Removed => "REMOVED",
}

impl AccountStatus {
    /// Whether the account has left the workspace.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Removed)
    }

    /// Whether items can be sent to the account: it was signed in before, and no one has taken it out of work.
    pub const fn receives(self) -> bool {
        match self {
            Self::Validating | Self::Ready | Self::Degraded | Self::NeedsLogin | Self::Restricted => true,
            Self::New | Self::Disabled | Self::Banned | Self::Removed => false,
        }
    }
}

/// What a trading account does for a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountRole {
    /// It buys.
    Buy = 1,
    /// It sells.
    Sell = 2,
    /// It holds items for others.
    Store = 3,
}

names! { AccountRole, "role of a trading account":
    Buy => "BUY",
    Sell => "SELL",
    Store => "STORE",
}

/// Why the platform restricts an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockReason {
    /// Its trades are held.
    TradeHold = 1,
    /// Its authenticator is too young.
    NewAuthenticator = 2,
    /// It signed in from a device that is too new.
    NewDevice = 3,
    /// A trade was reversed, after which the platform lets it rest.
    ReversalCooldown = 4,
}

names! { LockReason, "reason of a restriction":
    TradeHold => "TRADE_HOLD",
    NewAuthenticator => "NEW_AUTHENTICATOR",
    NewDevice => "NEW_DEVICE",
    ReversalCooldown => "REVERSAL_COOLDOWN",
}

/// A restriction of the platform's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountLock {
    /// Why.
    pub reason: LockReason,
    /// Until when.
    pub until: Timestamp,
}

/// How far an account may go. A limit that is `None` does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountLimits {
    /// How many items its inventory takes.
    pub max_inventory: u32,
    /// How many purchases may be open at once.
    pub max_open_purchases: Option<u32>,
    /// The balance below which it buys nothing.
    pub min_balance: Option<Cents>,
}

impl AccountLimits {
    /// How many items an inventory takes unless something else is said.
    pub const INVENTORY: u32 = 1_000;
}

impl Default for AccountLimits {
    fn default() -> Self {
        Self { max_inventory: Self::INVENTORY, max_open_purchases: None, min_balance: None }
    }
}

/// What was last seen of an account outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountHealth {
    /// When it was seen.
    pub seen_at: Timestamp,
    /// Whether its session works.
    pub is_signed_in: bool,
    /// Since when it has its mobile authenticator; `None` without one.
    pub authenticator_since: Option<Timestamp>,
    /// Until when its trades are held, if they are.
    pub held_until: Option<Timestamp>,
    /// How many items are in its inventory; `None` while that is unknown.
    pub inventory_count: Option<u32>,
    /// Whether the platform's API key of the account is the one that we made: another one is the mark of a thief. `None` while that is
    /// unknown.
    pub is_api_key_ours: Option<bool>,
    /// Its available money, where it is reported.
    pub balance: Option<Cents>,
}

/// An account that is to be registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// Its own id.
    pub id: AccountId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Its name on purchases and items.
    pub name: AccountName,
    /// The platform, such as `steam`.
    pub platform: Name,
    /// The platform's number of it.
    pub platform_user_id: PlatformUserId,
    /// The token of its trade URL.
    pub trade_token: Option<ExternalId>,
    /// What it may do.
    pub capabilities: BTreeSet<AccountRole>,
    /// How far it may go.
    pub limits: AccountLimits,
    /// The most that it gives, by value.
    pub giving_limits: GivingLimits,
    /// Whether anything is kept for it to sign in by.
    pub has_secrets: bool,
}

/// What is to change of an account; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AccountChange {
    /// The token of its trade URL from now on.
    pub trade_token: Option<ExternalId>,
    /// What it may do from now on.
    pub capabilities: Option<BTreeSet<AccountRole>>,
    /// How far it may go from now on.
    pub limits: Option<AccountLimits>,
    /// Whether its chat is read from now on.
    pub chat: Option<bool>,
    /// Whether other secrets are kept for it from now on.
    pub secrets: bool,
    /// Whether offers that give items of it and were not sent here are cancelled from now on.
    pub cancel_strange_offers: Option<bool>,
    /// The most that it gives from now on, by value.
    pub giving_limits: Option<GivingLimits>,
}

/// All fields of an account, as a store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountParts {
    /// Its own id.
    pub id: AccountId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// Its name on purchases and items.
    pub name: AccountName,
    /// The platform, such as `steam`.
    pub platform: Name,
    /// The platform's number of it.
    pub platform_user_id: PlatformUserId,
    /// The token of its trade URL.
    pub trade_token: Option<ExternalId>,
    /// What it may do.
    pub capabilities: BTreeSet<AccountRole>,
    /// How far it may go.
    pub limits: AccountLimits,
    /// Whether anything is kept for it to sign in by.
    pub has_secrets: bool,
    /// Whether its chat is read, and messages can be sent.
    pub is_chat_enabled: bool,
    /// Whether offers that give items of it and were not sent here are cancelled.
    pub cancels_strange_offers: bool,
    /// The current status.
    pub status: AccountStatus,
    /// The reason of the status.
    pub status_reason: Option<Description>,
    /// The platform's last restriction; over once its time is.
    pub lock: Option<AccountLock>,
    /// What was last seen of it outside; `None` until something was.
    pub health: Option<AccountHealth>,
    /// When a person accepted the platform's notice that trades can be reversed; `None` until then.
    pub trade_notice_acknowledged_at: Option<Timestamp>,
    /// When a person let it give items at a real platform; `None` while it gives nothing there.
    pub giving_enabled_at: Option<Timestamp>,
    /// The most that it gives, by value.
    pub giving_limits: GivingLimits,
    /// What a person last asked the engine to read of it; `None` until someone did.
    pub refresh: Option<AccountRefresh>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// An account that keeps every rule. Its parts are read through [`Deref`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradingAccount(AccountParts);

/// A stored account breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a trading account that is {status} breaks a rule: {rule}")]
pub struct CorruptAccount {
    /// The stored status.
    pub status: AccountStatus,
    /// The rule.
    pub rule: &'static str,
}

/// The account has left the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the trading account is removed")]
pub struct AccountGone;

impl TradingAccount {
    /// Registers an account, which gets no work until it has been signed in.
    pub fn register(new: NewAccount, at: Timestamp) -> Self {
        Self(AccountParts {
            id: new.id,
            workspace_id: new.workspace_id,
            name: new.name,
            platform: new.platform,
            platform_user_id: new.platform_user_id,
            trade_token: new.trade_token,
            capabilities: new.capabilities,
            limits: new.limits,
            has_secrets: new.has_secrets,
            is_chat_enabled: false,
            cancels_strange_offers: true,
            status: AccountStatus::New,
            status_reason: None,
            lock: None,
            health: None,
            trade_notice_acknowledged_at: None,
            giving_enabled_at: None,
            giving_limits: new.giving_limits,
            refresh: None,
            created_at: at,
            updated_at: at,
        })
    }

    /// Takes an account back from a store.
    ///
    /// # Errors
    /// [`CorruptAccount`] when the parts contradict each other.
    pub fn restore(parts: AccountParts) -> Result<Self, CorruptAccount> {
        match parts.broken_rule() {
            Some(rule) => Err(CorruptAccount { status: parts.status, rule }),
            None => Ok(Self(parts)),
        }
    }

    /// The parts, for a store.
    pub fn into_parts(self) -> AccountParts {
        self.0
    }

    /// Changes what a person may change.
    ///
    /// # Errors
    /// [`AccountGone`] once it is removed.
    pub fn change(self, change: AccountChange, at: Timestamp) -> Result<Self, AccountGone> {
        if self.0.status.is_terminal() {
            return Err(AccountGone);
        }
        Ok(Self(AccountParts {
            trade_token: change.trade_token.or(self.0.trade_token),
            capabilities: change.capabilities.unwrap_or(self.0.capabilities),
            limits: change.limits.unwrap_or(self.0.limits),
            has_secrets: change.secrets || self.0.has_secrets,
            is_chat_enabled: change.chat.unwrap_or(self.0.is_chat_enabled),
            cancels_strange_offers: change.cancel_strange_offers.unwrap_or(self.0.cancels_strange_offers),
            giving_limits: change.giving_limits.unwrap_or(self.0.giving_limits),
            updated_at: at.max(self.0.updated_at),
            ..self.0
        }))
    }

    /// Returns the same account, which a group or an assignment names since `at`: earlier decisions about it must be made again.
    #[must_use]
    pub fn named(self, at: Timestamp) -> Self {
        Self(AccountParts { updated_at: at.max(self.0.updated_at), ..self.0 })
    }

    /// Whether the platform has it confirm what it gives: it has its mobile authenticator, as far as that was seen.
    pub fn confirms_what_it_gives(&self) -> bool {
        self.0.health.as_ref().is_some_and(|health| health.authenticator_since.is_some())
    }

    /// Returns the same account, which gives something as of `at`, or is about to: what else it may give must be decided again.
    #[must_use]
    pub fn gave(self, at: Timestamp) -> Self {
        self.named(at)
    }

    /// The same account once a person has accepted the platform's notice that trades can be reversed. The first time stays.
    ///
    /// # Errors
    /// [`AccountGone`] once it is removed.
    pub fn acknowledge_trades(self, at: Timestamp) -> Result<Self, AccountGone> {
        if self.0.status.is_terminal() {
            return Err(AccountGone);
        }
        if self.0.trade_notice_acknowledged_at.is_some() {
            return Ok(self);
        }
        let updated_at = at.max(self.0.updated_at);
        Ok(Self(AccountParts { trade_notice_acknowledged_at: Some(at), updated_at, ..self.0 }))
    }

    /// The same account, which a person lets give items or no longer does. The time of a permission that is given twice stays.
    ///
    /// # Errors
    /// [`AccountGone`] once it is removed.
    pub fn let_give(self, is_enabled: bool, at: Timestamp) -> Result<Self, AccountGone> {
        if self.0.status.is_terminal() {
            return Err(AccountGone);
        }
        if self.0.may_give() == is_enabled {
            return Ok(self);
        }
        let giving_enabled_at = is_enabled.then_some(at);
        Ok(Self(AccountParts { giving_enabled_at, updated_at: at.max(self.0.updated_at), ..self.0 }))
    }

    /// Whether `health` differs from the known health in more than its time.
    pub fn is_otherwise(&self, health: &AccountHealth) -> bool {
        self.0.health.is_none_or(|known| AccountHealth { seen_at: health.seen_at, ..known } != *health)
    }

    /// Whether `health` contains anything newer than the known health.
    pub fn is_news(&self, health: &AccountHealth) -> bool {
        self.0.health.is_none_or(|known| known.seen_at < health.seen_at)
    }

    /// The same account once it was seen outside.
    ///
    /// # Errors
    /// [`AccountGone`] once it is removed.
    pub fn seen(self, health: AccountHealth, at: Timestamp) -> Result<Self, AccountGone> {
        if self.0.status.is_terminal() {
            return Err(AccountGone);
        }
        Ok(Self(AccountParts { health: Some(health), updated_at: at.max(self.0.updated_at), ..self.0 }))
    }
}

impl Deref for TradingAccount {
    type Target = AccountParts;

    fn deref(&self) -> &AccountParts {
        &self.0
    }
}

impl AccountParts {
    /// Where trade offers reach it, if its trade URL is known.
    pub fn address(&self) -> Option<TradeAddress> {
        let token = self.trade_token.clone()?;
        Some(TradeAddress { user: self.platform_user_id, token })
    }

    /// Whether it may give and receive items: the platform shows its notice to a person once, and makes no trade before.
    pub const fn may_trade(&self) -> bool {
        self.trade_notice_acknowledged_at.is_some()
    }

    /// Whether a person lets it give items. A driver of a real platform sends, answers and confirms no offer for it before.
    pub const fn may_give(&self) -> bool {
        self.giving_enabled_at.is_some()
    }

    /// The restriction that is in force.
    pub fn lock_at(&self, at: Timestamp) -> Option<AccountLock> {
        self.lock.filter(|lock| at < lock.until)
    }

    /// The first rule that the parts break. Every record that the account's own methods make breaks none.
    fn broken_rule(&self) -> Option<&'static str> {
        let rules = [
            (
                self.status != AccountStatus::Restricted || self.lock.is_some(),
                "a restriction has its reason and its end",
            ),
            (self.status != AccountStatus::Removed || !self.has_secrets, "nothing is kept for who has left"),
            (self.status != AccountStatus::Removed || self.refresh.is_none(), "nothing is read of who has left"),
            (self.created_at <= self.updated_at, "it is not changed before it is made"),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map(|(_, rule)| rule)
    }
}
