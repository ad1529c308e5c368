//! [`AccountsToRefresh`], [`BeginTokenRenewal`], [`PostponeTokenRenewal`], [`RecordAccountReading`], [`RefuseAccountReading`] and
//! [`AccountOnRecord`]: the engine reads what people ask for. Not operations of the interface.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trading_account::{AccountReading, TradingAccount};
use tradepost_ports::changes::{Caller, Changes};

use super::account_moves::account_as_seen;
use crate::rules::WRITE_ACCOUNTS;
use crate::{OpError, OpResult, Operations, Versioned};

/// The most accounts that are read at once.
const MOST_WAITING: u32 = 200;

/// A query for the accounts that a person wants to be read, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountsToRefresh {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// An announcement of an engine that it is about to have a trade URL renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeginTokenRenewal {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// A report of an engine that the platform certainly renewed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostponeTokenRenewal {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// A report of an engine of what it has read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordAccountReading {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// What was read.
    pub reading: AccountReading,
}

/// A report of an engine that it does not trade with an account that a person wants to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefuseAccountReading {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// A query for an account by the name that purchases and items have, before something is sent for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountOnRecord {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The name.
    pub name: AccountName,
}

impl Operations {
    /// Returns the accounts that a person wants to be read.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn accounts_to_refresh(
        &self,
        caller: &Caller,
        command: AccountsToRefresh,
    ) -> OpResult<Vec<Versioned<TradingAccount>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let waiting = self.ports.store.trading_accounts().list_to_refresh(scope, MOST_WAITING).await?;
        Ok(waiting.into_iter().map(Versioned::from).collect())
    }

    /// Records that the platform is called to renew a trade URL.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `ILLEGAL_STEP` unless a renewal waits that has not begun, `ACCOUNT_AT_WORK`
    /// while purchases are open.
    pub async fn begin_token_renewal(
        &self,
        caller: &Caller,
        command: BeginTokenRenewal,
    ) -> OpResult<Versioned<TradingAccount>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = account_as_seen(self, scope, command.account_id, None).await?;
            let purchases = self.open_purchases_of(scope, seen.peek()).await?;
            let mut changes = Changes::by(caller);
            let begun = changes.revise(seen, |account| account.renewal_begun(purchases, at))?;
            self.commit(caller, changes).await?;
            Ok(begun.into())
        })
        .await
    }

    /// Records that a renewal waits again, because the call certainly had no effect.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn postpone_token_renewal(
        &self,
        caller: &Caller,
        command: PostponeTokenRenewal,
    ) -> OpResult<Versioned<TradingAccount>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = account_as_seen(self, scope, command.account_id, None).await?;
            let mut changes = Changes::by(caller);
            let waits = changes.revise(seen, |account| Ok::<_, OpError>(account.renewal_postponed(at)))?;
            self.commit(caller, changes).await?;
            Ok(waits.into())
        })
        .await
    }

    /// Records what was read of an account because a person asked for it. A request that came after the beginning waits for the next reading.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ACCOUNT_REMOVED`.
    pub async fn record_account_reading(
        &self,
        caller: &Caller,
        command: RecordAccountReading,
    ) -> OpResult<Versioned<TradingAccount>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = account_as_seen(self, scope, command.account_id, None).await?;
            let before = seen.peek().clone();
            let mut changes = Changes::by(caller);
            let read = changes.revise(seen, |account| account.refreshed(command.reading.clone(), at))?;
            let is_over = before.is_token_renewed() && !read.value.is_token_renewed();
            if is_over && before.trade_token != read.value.trade_token {
                changes.audit(AuditKind::AccountTokenRenewed, &read.value);
            }
            self.commit(caller, changes).await?;
            Ok(read.into())
        })
        .await
    }

    /// Records that the engine does not trade with an account: a request that has waited for 2 min ends, and with it a renewal that has not
    /// begun. A younger one, and a renewal that has begun, stay.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn refuse_account_reading(
        &self,
        caller: &Caller,
        command: RefuseAccountReading,
    ) -> OpResult<Versioned<TradingAccount>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = account_as_seen(self, scope, command.account_id, None).await?;
            let next = seen.peek().clone().refresh_refused(at);
            if next == *seen.peek() {
                return Ok(seen.into());
            }
            let mut changes = Changes::by(caller);
            let refused = changes.revise(seen, |_| Ok::<_, OpError>(next))?;
            self.commit(caller, changes).await?;
            Ok(refused.into())
        })
        .await
    }

    /// Returns the account with a name that was not removed, if one is on record.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn account_on_record(
        &self,
        caller: &Caller,
        command: AccountOnRecord,
    ) -> OpResult<Option<TradingAccount>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let found = self.ports.store.trading_accounts().find_named(scope, &command.name).await?;
        Ok(found.map(|seen| seen.into_display().0))
    }
}
