//! [`GetAccountGroup`] and [`GetAccountGroups`]: groups of trading accounts.

use tradepost_domain::id::{AccountGroupId, OfAccountGroup, WorkspaceId};
use tradepost_domain::trading::trading_account::AccountGroup;
use tradepost_ports::changes::Caller;

use crate::rules::READ_ACCOUNTS;
use crate::{Batch, OpResult, Operations, Versioned, fields};

/// Asks for one group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetAccountGroup {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The group.
    pub account_group_id: AccountGroupId,
}

/// Asks for several groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetAccountGroups {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The groups, 1 to 200.
    pub account_group_ids: Vec<AccountGroupId>,
}

impl Operations {
    /// Gives one group of trading accounts.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn get_account_group(
        &self,
        caller: &Caller,
        command: GetAccountGroup,
    ) -> OpResult<Versioned<AccountGroup>> {
        let scope = caller.principal.enter(command.workspace_id, READ_ACCOUNTS)?;
        Ok(self.account_group_as_seen(scope, command.account_group_id, None).await?.into())
    }

    /// Gives several groups in the order asked for, each once, and the ids that name none.
    ///
    /// # Errors
    /// `permission_denied`, `invalid_argument` for no ids or too many.
    pub async fn get_account_groups(
        &self,
        caller: &Caller,
        command: GetAccountGroups,
    ) -> OpResult<Batch<AccountGroup, OfAccountGroup>> {
        let scope = caller.principal.enter(command.workspace_id, READ_ACCOUNTS)?;
        let ids = fields::batch("accountGroupIds", &command.account_group_ids)?;
        let found = self.ports.store.find_account_groups(scope, &ids).await?;
        Ok(Batch::in_order(ids, found, |record| record.id))
    }
}
