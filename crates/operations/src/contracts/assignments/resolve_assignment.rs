//! [`ResolveAssignment`]: which accounts work for a pool, in the order in which they are asked.

use crate::contracts::pools::named_pools::pool_as_seen;
use std::collections::BTreeMap;

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::contracts::assignment::{AccountPool, Assignee, Assignment, Candidate};
use tradepost_domain::contracts::contract::{Contract, Terms};
use tradepost_domain::id::{AccountId, PoolId, WorkspaceId};
use tradepost_domain::text::AccountName;
use tradepost_domain::trading::trading_account::{AccountGroup, AccountRole, TradingAccount};
use tradepost_ports::changes::{Caller, Seen};
use tradepost_ports::record::Record;

use crate::rules::{self, READ_TRADING};
use crate::{OpError, OpResult, Operations, Reason};

/// A request for the accounts of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolveAssignment {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
    /// The role that the account is to have.
    pub role: AccountRole,
}

/// The account that does something for a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountChoice {
    /// No account is assigned to it: any that trades for the workspace.
    Anybody,
    /// Accounts are assigned, and none can do it now.
    NoAccount,
    /// This account.
    Account {
        /// The account.
        id: AccountId,
        /// Its name on purchases and items.
        name: AccountName,
    },
}

/// The accounts that are assigned to a role for a pool.
struct Assigned {
    assignments: Vec<Assignment>,
    groups: Vec<AccountGroup>,
    accounts: Vec<TradingAccount>,
}

impl Operations {
    /// Returns the accounts that are assigned to a role for a pool, in the order in which they are asked, each with what keeps it
    /// from taking work now.
    ///
    /// # Errors
    /// `permission_denied`, `not_found` for the pool.
    pub async fn resolve_assignment(&self, caller: &Caller, command: ResolveAssignment) -> OpResult<Vec<Candidate>> {
        let scope = rules::RESOLVE_ASSIGNMENT.enter(&caller.principal, command.workspace_id)?;
        drop(pool_as_seen(self, scope, command.pool_id, None).await?);
        Ok(self.candidates(scope, command.pool_id, command.role).await?.unwrap_or_default())
    }

    /// Chooses the account that does something for a pool now: the first of [`Operations::resolve_assignment`] that nothing
    /// keeps from it. For an engine, before it sends anything.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn choose_account(&self, caller: &Caller, command: ResolveAssignment) -> OpResult<AccountChoice> {
        let scope = caller.principal.enter(command.workspace_id, READ_TRADING)?;
        let Some(candidates) = self.candidates(scope, command.pool_id, command.role).await? else {
            return Ok(AccountChoice::Anybody);
        };
        let first = candidates.into_iter().find(|candidate| candidate.blocked_by.is_none());
        Ok(first.map_or(AccountChoice::NoAccount, |first| AccountChoice::Account {
            id: first.account_id,
            name: first.name,
        }))
    }

    /// Returns the accounts assigned to a role, with what keeps each from it; `None` where none is.
    async fn candidates(
        &self,
        scope: WorkspaceScope,
        pool: PoolId,
        role: AccountRole,
    ) -> OpResult<Option<Vec<Candidate>>> {
        let Some(Assigned { assignments, groups, accounts }) = self.assigned(scope, pool, role).await? else {
            return Ok(None);
        };
        let names: Vec<AccountName> = accounts.iter().map(|account| account.name.clone()).collect();
        let loads: BTreeMap<_, _> =
            self.ports.store.trading_accounts().find_loads(scope, &names).await?.into_iter().collect();
        let staff = AccountPool { assignments: &assignments, groups: &groups, accounts: &accounts, loads: &loads };
        Ok(Some(staff.candidates(role, self.market_now(scope.workspace_id()))))
    }

    async fn assigned(&self, scope: WorkspaceScope, pool: PoolId, role: AccountRole) -> OpResult<Option<Assigned>> {
        let store = &self.ports.store;
        let assignments: Vec<Assignment> = values(store.assignments().list_to(scope, pool).await?);
        let (mut account_ids, mut group_ids) = (Vec::new(), Vec::new());
        for assignment in assignments.iter().filter(|assignment| assignment.terms.roles.contains(&role)) {
            match assignment.assignee {
                Assignee::Account(id) => account_ids.push(id),
                Assignee::Group(id) => group_ids.push(id),
            }
        }
        if account_ids.is_empty() && group_ids.is_empty() {
            return Ok(None);
        }
        let groups: Vec<AccountGroup> = if group_ids.is_empty() {
            Vec::new()
        } else {
            values(store.account_groups().find_many(scope, &group_ids).await?)
        };
        account_ids.extend(groups.iter().flat_map(|group| &group.account_ids));
        account_ids.sort_unstable();
        account_ids.dedup();
        let accounts: Vec<TradingAccount> = values(store.trading_accounts().find_many(scope, &account_ids).await?);
        Ok(Some(Assigned { assignments, groups, accounts }))
    }
}

/// Checks that at least one account may buy for a contract that is activated, among the accounts that are assigned to its pool for
/// buying, ready or not. Where none is assigned, any account that trades for the workspace may.
///
/// The changes do not rely on the accounts because an operator might as well disable one a moment later.
pub(crate) async fn check_buyers(operations: &Operations, scope: WorkspaceScope, contract: &Contract) -> OpResult<()> {
    let (Some(pool), Terms::Buying(_)) = (contract.pool_id, &contract.terms) else { return Ok(()) };
    let Some(assigned) = operations.assigned(scope, pool, AccountRole::Buy).await? else { return Ok(()) };
    if assigned.accounts.iter().any(|account| account.may_take(AccountRole::Buy)) {
        return Ok(());
    }
    let message =
        "of the accounts that are assigned to the contract's pool none may buy: enable one, or assign another";
    Err(OpError::failed_precondition(Reason::NoEligibleAccount, message))
}

fn values<T: Record>(seen: Vec<Seen<T>>) -> Vec<T> {
    seen.into_iter().map(|seen| seen.into_display().0).collect()
}
