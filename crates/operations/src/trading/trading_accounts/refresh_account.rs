//! [`RefreshAccount`] and [`RefreshTradeToken`]: a person has the engine read an account now, or renew its trade address.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, RecordKey, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::snapshot::{Snapshot, SnapshotTrigger};
use tradepost_domain::trading::trading_account::{RenewalError, TradingAccount};
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::store::{StoreError, Unique};

use super::account_moves::account_as_seen;
use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned};

/// Asks the engine to read everything about a trading account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// Asks the engine to read the trade URL of a trading account, or to have the platform make a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshTradeToken {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// Whether the platform makes a new URL. The earlier one reaches no one from then on.
    pub renew: bool,
}

impl Operations {
    /// Records that the engine is to read an account in its next pass: status, balance, inventory and trade URL. A request that waits, or
    /// that was made within the last minute, is returned instead.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ACCOUNT_REMOVED`.
    pub async fn refresh_account(
        &self,
        caller: &Caller,
        command: RefreshAccount,
    ) -> OpResult<Versioned<TradingAccount>> {
        let scope = rules::REFRESH_ACCOUNT.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = account_as_seen(self, scope, command.account_id, None).await?;
            let next = seen.peek().clone().refreshing(at)?;
            if next == *seen.peek() {
                return Ok(seen.into());
            }
            let mut changes = Changes::by(caller);
            self.ask_for_inventory(scope, command.account_id, &mut changes, at).await?;
            self.keep_request(caller, changes, AccountRequest { seen, next }, AuditKind::AccountRefreshRequested).await
        })
        .await
    }

    /// Records that the engine is to read the trade URL of an account in its next pass, as [`RefreshAccount`] does, or to renew it. An account
    /// whose URL is renewed buys nothing in the meantime. A renewal that waits is returned instead.
    ///
    /// # Errors
    /// `permission_denied`; `not_found`; `failed_precondition`: `ACCOUNT_REMOVED`, and for a renewal `STEP_UP_REQUIRED`, `GIVING_NOT_ENABLED`, and `ACCOUNT_AT_WORK`
    /// while purchases are open, since their sellers deliver to the present URL.
    pub async fn refresh_trade_token(
        &self,
        caller: &Caller,
        command: RefreshTradeToken,
    ) -> OpResult<Versioned<TradingAccount>> {
        let scope = rules::REFRESH_TRADE_TOKEN.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            if command.renew {
                self.require_step_up_in(caller, scope, rules::REFRESH_TRADE_TOKEN, &mut changes).await?;
            }
            let seen = account_as_seen(self, scope, command.account_id, None).await?;
            let account = seen.peek().clone();
            if command.renew && !account.status.is_terminal() {
                self.require_giving(scope, &account).await?;
            }
            let (next, kind) = if command.renew {
                (account.renewing_token(at)?, AuditKind::AccountTokenRenewalRequested)
            } else {
                (account.refreshing(at)?, AuditKind::AccountRefreshRequested)
            };
            if next == *seen.peek() {
                return Ok(seen.into());
            }
            let purchases = if command.renew { self.open_purchases_of(scope, &next).await? } else { 0 };
            if purchases > 0 {
                return Err(RenewalError::HasPurchases { purchases }.into());
            }
            self.keep_request(caller, changes, AccountRequest { seen, next }, kind).await
        })
        .await
    }

    /// Counts the purchases of an account that are neither delivered nor over.
    pub(super) async fn open_purchases_of(&self, scope: WorkspaceScope, account: &TradingAccount) -> OpResult<u32> {
        let names = [account.name.clone()];
        let loads = self.ports.store.trading_accounts().find_loads(scope, &names).await?;
        Ok(loads.into_iter().map(|(_, load)| load.open_purchases).sum())
    }

    /// Adds a snapshot that waits for the engine, unless one does.
    async fn ask_for_inventory(
        &self,
        scope: WorkspaceScope,
        account_id: AccountId,
        changes: &mut Changes,
        at: Timestamp,
    ) -> OpResult<()> {
        if self.waiting_snapshot(scope, account_id).await?.is_none() {
            let key = RecordKey { workspace_id: scope.workspace_id(), id: self.mint() };
            changes.insert(Snapshot::asked(key, account_id, SnapshotTrigger::Person, at));
        }
        Ok(())
    }

    async fn keep_request(
        &self,
        caller: &Caller,
        mut changes: Changes,
        request: AccountRequest,
        kind: AuditKind,
    ) -> OpResult<Versioned<TradingAccount>> {
        let AccountRequest { seen, next } = request;
        let asked = changes.revise(seen, |_| Ok::<_, OpError>(next))?;
        changes.audit(kind, &asked.value);
        match self.commit(caller, changes).await {
            Err(OpError { source: Some(StoreError::Duplicate(Unique::TakenSnapshot)), .. }) => {
                Err(StoreError::Conflict.into())
            }
            outcome => outcome.map(|_| asked.into()),
        }
    }
}

/// An account with what is asked of it.
struct AccountRequest {
    seen: Seen<TradingAccount>,
    next: TradingAccount,
}
