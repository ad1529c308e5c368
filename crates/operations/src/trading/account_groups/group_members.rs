//! [`AddAccountsToGroup`] and [`RemoveAccountsFromGroup`]: which trading accounts are in a group.

use crate::trading::trading_accounts::account_moves::account_group_as_seen;
use std::collections::BTreeSet;

use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::id::{AccountGroupId, AccountId, WorkspaceId};
use tradepost_domain::trading::trading_account::{AccountGone, AccountGroup};
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpError, OpResult, Operations, Versioned, fields};

/// Puts trading accounts into a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddAccountsToGroup {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The group.
    pub account_group_id: AccountGroupId,
    /// The accounts, 1 to 200.
    pub account_ids: Vec<AccountId>,
    /// The version that the caller saw, from 1; rejected when the group has another one.
    pub expected_version: Option<i64>,
}

/// Takes trading accounts out of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoveAccountsFromGroup {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The group.
    pub account_group_id: AccountGroupId,
    /// The accounts, 1 to 200.
    pub account_ids: Vec<AccountId>,
    /// The version that the caller saw, from 1; rejected when the group has another one.
    pub expected_version: Option<i64>,
}

impl Operations {
    /// Puts trading accounts into a group. Those that are in it stay.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for no ids or too many, or an expected version below 1; `not_found` for the group
    /// or one of the accounts; `failed_precondition`: `VERSION_MISMATCH`, `ACCOUNT_REMOVED`, `ACCOUNT_GROUP_FULL`.
    pub async fn add_accounts_to_group(
        &self,
        caller: &Caller,
        command: AddAccountsToGroup,
    ) -> OpResult<Versioned<AccountGroup>> {
        let scope = rules::ADD_ACCOUNTS_TO_GROUP.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("accountIds", &command.account_ids)?;
        fields::expected_version(command.expected_version)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let group = account_group_as_seen(self, scope, command.account_group_id, command.expected_version).await?;
            let accounts = self.ports.store.trading_accounts().find_many(scope, &ids).await?;
            if accounts.len() < ids.len() {
                return Err(OpError::not_found("trading account"));
            }
            let mut changes = Changes::by(caller);
            for account in accounts {
                if changes.rely_on(account).status.is_terminal() {
                    return Err(AccountGone.into());
                }
            }
            let next = changes.revise(group, |group| group.with(&ids, at))?;
            changes.audit(AuditKind::AccountGroupJoined, About::from(&next.value).with(Fact::Count, &ids.len()));
            self.commit(caller, changes).await?;
            Ok(next.into())
        })
        .await
    }

    /// Takes trading accounts out of a group. Those that are not in it change nothing.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` for no ids or too many, or an expected version below 1; `not_found` for the group;
    /// `failed_precondition` with `VERSION_MISMATCH`.
    pub async fn remove_accounts_from_group(
        &self,
        caller: &Caller,
        command: RemoveAccountsFromGroup,
    ) -> OpResult<Versioned<AccountGroup>> {
        let scope = rules::REMOVE_ACCOUNTS_FROM_GROUP.enter(&caller.principal, command.workspace_id)?;
        let ids = fields::batch("accountIds", &command.account_ids)?;
        fields::expected_version(command.expected_version)?;
        let (at, ids) = (self.market_now(command.workspace_id), BTreeSet::from_iter(ids));
        self.retrying(|| async {
            let group = account_group_as_seen(self, scope, command.account_group_id, command.expected_version).await?;
            if group.peek().account_ids.is_disjoint(&ids) {
                return Ok(group.into());
            }
            let mut changes = Changes::by(caller);
            let next = changes.revise(group, |group| Ok::<_, OpError>(group.without(&ids, at)))?;
            changes.audit(AuditKind::AccountGroupLeft, About::from(&next.value).with(Fact::Count, &ids.len()));
            self.commit(caller, changes).await?;
            Ok(next.into())
        })
        .await
    }
}
