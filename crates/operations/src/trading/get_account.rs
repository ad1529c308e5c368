//! [`GetAccount`] and [`GetAccounts`]: trading accounts of a workspace.

use tradepost_domain::id::{AccountId, OfAccount, WorkspaceId};
use tradepost_domain::trading::trading_account::TradingAccount;
use tradepost_ports::changes::Caller;

use crate::rules::READ_ACCOUNTS;
use crate::{Batch, OpResult, Operations, Versioned, fields};

/// Asks for one trading account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAccount {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// Asks for several trading accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAccounts {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The accounts, 1 to 200.
    pub account_ids: Vec<AccountId>,
}

impl Operations {
    /// Gives one trading account.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_account(&self, caller: &Caller, command: GetAccount) -> OpResult<Versioned<TradingAccount>> {
        let scope = caller.principal.enter(command.workspace_id, READ_ACCOUNTS)?;
        Ok(self.account_as_seen(scope, command.account_id, None).await?.into())
    }

    /// Gives several trading accounts in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_accounts(
        &self,
        caller: &Caller,
        command: GetAccounts,
    ) -> OpResult<Batch<TradingAccount, OfAccount>> {
        let scope = caller.principal.enter(command.workspace_id, READ_ACCOUNTS)?;
        let ids = fields::batch("accountIds", &command.account_ids)?;
        let found = self.ports.store.find_accounts(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }
}
