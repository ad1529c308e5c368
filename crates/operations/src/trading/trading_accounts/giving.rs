//! [`EnableGiving`] and [`DisableGiving`]: whether a trading account gives items at a real platform, and what is rejected while it does not.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::text::{AccountName, Marketplace};
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_ports::changes::{Caller, Changes};

use super::account_moves::account_as_seen;
use crate::in_workspace::InWorkspace;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// Lets a trading account give items at a real platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnableGiving {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// The version that the caller saw, from 1; rejected when the account has another one.
    pub expected_version: Option<i64>,
}

/// Lets a trading account give nothing at a real platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DisableGiving {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// The version that the caller saw, from 1; rejected when the account has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Records that the caller lets an account give items: from now on the driver of a real platform sends, accepts, declines and cancels trade
    /// offers for it, answers its confirmations and renews its trade URL. A permission that was given before stays.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for an expected version below 1; `not_found`; `failed_precondition`: `STEP_UP_REQUIRED` without a
    /// check of the last 2 min, `VERSION_MISMATCH`, `ACCOUNT_REMOVED`.
    pub async fn enable_giving(&self, caller: &Caller, command: EnableGiving) -> OpResult<Versioned<TradingAccount>> {
        let scope = rules::ENABLE_GIVING.enter(&caller.principal, command.workspace_id)?;
        let account = InWorkspace { scope, id: command.account_id };
        self.let_give(caller, account, command.expected_version, true).await
    }

    /// Records that an account gives nothing from now on. A call that has begun is completed.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for an expected version below 1; `not_found`; `failed_precondition`: `VERSION_MISMATCH`,
    /// `ACCOUNT_REMOVED`.
    pub async fn disable_giving(&self, caller: &Caller, command: DisableGiving) -> OpResult<Versioned<TradingAccount>> {
        let scope = rules::DISABLE_GIVING.enter(&caller.principal, command.workspace_id)?;
        let account = InWorkspace { scope, id: command.account_id };
        self.let_give(caller, account, command.expected_version, false).await
    }

    async fn let_give(
        &self,
        caller: &Caller,
        account: InWorkspace<AccountId>,
        expected_version: Option<i64>,
        is_enabled: bool,
    ) -> OpResult<Versioned<TradingAccount>> {
        fields::expected_version(expected_version)?;
        let InWorkspace { scope, id } = account;
        let at = self.market_now(scope.workspace_id());
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let seen = account_as_seen(self, scope, id, expected_version).await?;
            if is_enabled {
                self.require_step_up_in(caller, scope, rules::ENABLE_GIVING, &mut changes).await?;
            }
            let next = seen.peek().clone().let_give(is_enabled, at)?;
            if next == *seen.peek() {
                return Ok(seen.into());
            }
            let kind = if is_enabled { AuditKind::AccountGivingEnabled } else { AuditKind::AccountGivingDisabled };
            let account = changes.revise(seen, |_| Ok::<_, OpError>(next))?;
            changes.audit(kind, &account.value);
            self.commit(caller, changes).await?;
            Ok(account.into())
        })
        .await
    }

    /// Whether the platform of an account is a real one, where it gives nothing until a person lets it give items.
    pub(crate) async fn asks_before_giving(&self, scope: WorkspaceScope, account: &TradingAccount) -> OpResult<bool> {
        let Ok(name) = Marketplace::new(account.platform.as_str()) else { return Ok(false) };
        let found = self.ports.store.providers().find_named(scope, ProviderKind::GamePlatform, &name).await?;
        let driver = found.and_then(|provider| self.driver(&provider.peek().driver));
        Ok(driver.is_some_and(|driver| driver.asks_before_giving))
    }

    /// Whether the account with a name is on record and may not give items at its platform, or has an API key that another than we registered.
    pub(crate) async fn may_not_give(&self, scope: WorkspaceScope, name: &AccountName) -> OpResult<bool> {
        let Some(account) = self.ports.store.trading_accounts().find_named(scope, name).await? else {
            return Ok(false);
        };
        let account = account.peek();
        Ok(account.has_foreign_key() || (!account.may_give() && self.asks_before_giving(scope, account).await?))
    }

    /// Requires that an account may give items at its platform.
    ///
    /// # Errors
    /// `failed_precondition` with `GIVING_NOT_ENABLED`.
    pub(crate) async fn require_giving(&self, scope: WorkspaceScope, account: &TradingAccount) -> OpResult<()> {
        if account.may_give() || !self.asks_before_giving(scope, account).await? {
            return Ok(());
        }
        let message = format!(
            "{} may not give items at {}: a person lets it by EnableGiving (tradepost accounts enable-giving)",
            account.name, account.platform
        );
        Err(OpError::failed_precondition(Reason::GivingNotEnabled, message))
    }

    /// The same of an account whose offer a person wants cancelled or declined. The driver makes no such call without the permission, so that the
    /// message says what its owner can do.
    ///
    /// # Errors
    /// The same.
    pub(crate) async fn require_giving_to_end_offer(&self, scope: WorkspaceScope, name: &AccountName) -> OpResult<()> {
        self.require_giving_of(scope, name).await.map_err(|refused| {
            if refused.reason != Reason::GivingNotEnabled {
                return refused;
            }
            let message = format!("{}; its owner can end the offer in the app of the platform", refused.message);
            OpError::failed_precondition(Reason::GivingNotEnabled, message)
        })
    }

    /// The same of the account with a name that was not removed.
    ///
    /// # Errors
    /// The same.
    pub(crate) async fn require_giving_of(&self, scope: WorkspaceScope, name: &AccountName) -> OpResult<()> {
        match self.ports.store.trading_accounts().find_named(scope, name).await? {
            Some(account) => self.require_giving(scope, account.peek()).await,
            None => Ok(()),
        }
    }
}
