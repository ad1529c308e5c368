//! [`CreateAssignment`]: lets a trading account, or a group of them, work for a pool.

use crate::contracts::pools::named_pools::pool_as_seen;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::trading::trading_accounts::account_moves::account_group_as_seen;
use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::contracts::assignment::{Assignee, Assignment, AssignmentTerms};
use tradepost_domain::id::{AccountGroupId, AccountId, PoolId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trading_account::{AccountGone, AccountRole};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::store::{StoreError, Unique};

use super::assignments::{AssignmentLimits, roles};
use crate::contracts::pools::named_pools::archived;
use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned, fields};

/// Lets accounts work for a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateAssignment {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The pool.
    pub pool_id: PoolId,
    /// The account; either this or the group.
    pub account_id: Option<AccountId>,
    /// The group; either this or the account.
    pub account_group_id: Option<AccountGroupId>,
    /// The roles that the accounts have for the pool, at least one.
    pub roles: Vec<AccountRole>,
    /// Lower numbers come first; 0 or more.
    pub priority: i64,
    /// The limits of each of the accounts.
    pub limits: AssignmentLimits,
}

impl Operations {
    /// Lets a trading account, or every account of a group, work for a pool.
    ///
    /// # Errors
    /// `permission_denied`; `invalid_argument` naming the field; `not_found` for the pool, the account or the group;
    /// `failed_precondition`: `POOL_ARCHIVED`, `ACCOUNT_REMOVED`; `already_exists` with `ASSIGNMENT_EXISTS`.
    pub async fn create_assignment(
        &self,
        caller: &Caller,
        command: CreateAssignment,
    ) -> OpResult<Versioned<Assignment>> {
        let scope = rules::CREATE_ASSIGNMENT.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        let assignment = Assignment {
            id: self.mint(),
            workspace_id: command.workspace_id,
            pool_id: command.pool_id,
            assignee: assignee(&command)?,
            terms: terms(&command)?,
            created_at: at,
            updated_at: at,
        };
        self.in_turn(command.workspace_id, || async {
            let mut changes = Changes::by(caller);
            let pool = changes.rely_on(pool_as_seen(self, scope, command.pool_id, None).await?);
            if pool.status.is_terminal() {
                return Err(archived());
            }
            self.name_assignee(&mut changes, scope, assignment.assignee, at).await?;
            changes.insert(assignment.clone());
            changes.audit(AuditKind::AssignmentCreated, &assignment);
            match self.commit(caller, changes).await {
                Err(OpError { source: Some(StoreError::Duplicate(Unique::Assignment)), .. }) => {
                    Err(OpError::already_exists(
                        Reason::AssignmentExists,
                        "the account or group is assigned to this pool; change that assignment",
                    ))
                }
                done => done.map(|_| Versioned::new(assignment.clone())),
            }
        })
        .await
    }

    /// Lets an assignment name an account or a group, which gets a new version. Without this, a caller could remove it without having seen
    /// the assignment.
    async fn name_assignee(
        &self,
        changes: &mut Changes,
        scope: WorkspaceScope,
        assignee: Assignee,
        at: Timestamp,
    ) -> OpResult<()> {
        match assignee {
            Assignee::Account(id) => {
                let account = account_as_seen(self, scope, id, None).await?;
                if account.peek().status.is_terminal() {
                    return Err(AccountGone.into());
                }
                changes.revise(account, |account| Ok::<_, OpError>(account.named(at)))?;
            }
            Assignee::Group(id) => {
                let group = account_group_as_seen(self, scope, id, None).await?;
                changes.revise(group, |group| Ok::<_, OpError>(group.named(at)))?;
            }
        }
        Ok(())
    }
}

fn assignee(command: &CreateAssignment) -> OpResult<Assignee> {
    match (command.account_id, command.account_group_id) {
        (Some(account), None) => Ok(Assignee::Account(account)),
        (None, Some(group)) => Ok(Assignee::Group(group)),
        (None, None) => Err(OpError::invalid_field("accountId", "or accountGroupId is required")),
        (Some(_), Some(_)) => Err(OpError::invalid_field("accountId", "and accountGroupId exclude each other")),
    }
}

fn terms(command: &CreateAssignment) -> OpResult<AssignmentTerms> {
    let (max_open_purchases, max_items) = command.limits.check()?;
    Ok(AssignmentTerms {
        roles: roles(&command.roles)?,
        priority: fields::whole("priority", command.priority)?,
        max_open_purchases,
        max_items,
    })
}
