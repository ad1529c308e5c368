//! Reads of trading accounts.

use crate::trading::trading_accounts::account_moves::account_as_seen;
use tradepost_domain::id::{AccountGroupId, AccountId, OfAccount, WorkspaceId};
use tradepost_domain::trading::trading_account::{AccountStatus, TradingAccount};
use tradepost_ports::changes::Caller;
use tradepost_ports::record::Kind;
use tradepost_ports::store::AccountFilter;

use crate::paging::ListKey;
use crate::results::every_status;
use crate::rules;
use crate::{Batch, OpResult, Operations, PageOf, StatusCount, Versioned, fields};

/// A request for one trading account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// A request for several trading accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAccounts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The accounts, 1 to 200.
    pub account_ids: Vec<AccountId>,
}

/// A request for a page of trading accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAccounts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The maximum of ids on the page: 0 is 50, above 200 is 200, negative is rejected.
    pub limit: i32,
    /// The `next_cursor` of the page before; empty for the first page.
    pub cursor: String,
    /// Only in this status.
    pub status: Option<AccountStatus>,
    /// Only those in this group; of a group that is not there, none.
    pub account_group_id: Option<AccountGroupId>,
}

/// A request for the number of trading accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountAccounts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

impl Operations {
    /// Returns one trading account.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_account(&self, caller: &Caller, command: GetAccount) -> OpResult<Versioned<TradingAccount>> {
        let scope = rules::GET_ACCOUNT.enter(&caller.principal, command.workspace_id)?;
        Ok(account_as_seen(self, scope, command.account_id, None).await?.into())
    }

    /// Returns several trading accounts in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_accounts(
        &self,
        caller: &Caller,
        command: GetAccounts,
    ) -> OpResult<Batch<TradingAccount, OfAccount>> {
        let scope = rules::GET_ACCOUNTS.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("accountIds", &command.account_ids)?;
        let found = self.ports.store.trading_accounts().find_many(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }

    /// Returns a page of trading accounts, the newest first, those that were removed among them.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for a negative limit or a cursor that this list did not give out.
    pub async fn list_accounts(&self, caller: &Caller, command: ListAccounts) -> OpResult<PageOf<AccountId>> {
        let scope = rules::LIST_ACCOUNTS.enter(&caller.principal, command.workspace_id)?;
        let key = ListKey::of("trading accounts", scope)
            .and_code(command.status.map(AccountStatus::code))
            .and_id(command.account_group_id);
        let request = self.page_request::<OfAccount>(&key, command.limit, &command.cursor)?;
        let filter = AccountFilter { status: command.status, group_id: command.account_group_id };
        let page = self.to_show(caller, scope).trading_accounts().list(scope, filter, request).await?;
        Ok(self.page(&key, page))
    }

    /// Counts trading accounts: one entry for every status in the order of the list, zeros included.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn count_accounts(
        &self,
        caller: &Caller,
        command: CountAccounts,
    ) -> OpResult<Vec<StatusCount<AccountStatus>>> {
        let scope = rules::COUNT_ACCOUNTS.enter(&caller.principal, command.workspace_id)?;
        let counted = self.to_show(caller, scope).counters().by_status(scope, Kind::TradingAccount, None).await?;
        Ok(every_status(AccountStatus::ALL, AccountStatus::code, &counted))
    }
}
