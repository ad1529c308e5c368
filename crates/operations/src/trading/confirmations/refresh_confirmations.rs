//! [`RefreshConfirmations`], [`ConfirmationLists`] and [`RecordConfirmationReading`]: a person asks for a reading of an account's confirmations,
//! which the engine takes. The last two are not operations of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation_list::ConfirmationList;
use tradepost_domain::trading::trading_account::AccountGone;
use tradepost_ports::changes::{Caller, Changes, Seen};

use crate::rules;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{OpError, OpResult, Operations};

/// Asks the engine to read the confirmations of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshConfirmations {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// A query for the last readings of accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmationLists {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The accounts.
    pub account_ids: Vec<AccountId>,
}

/// A report of an engine that it has read and recorded the confirmations of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordConfirmationReading {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// When the reading began.
    pub began_at: Timestamp,
}

impl Operations {
    /// Asks for a reading of an account's confirmations, which the engine takes in one of its next passes. A request that waits already
    /// stays.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ACCOUNT_REMOVED`.
    pub async fn refresh_confirmations(
        &self,
        caller: &Caller,
        command: RefreshConfirmations,
    ) -> OpResult<ConfirmationList> {
        let scope = rules::REFRESH_CONFIRMATIONS.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let account = account_as_seen(self, scope, command.account_id, None).await?;
            if account.peek().status.is_terminal() {
                return Err(AccountGone.into());
            }
            let mut changes = Changes::by(caller);
            let account = changes.rely_on(account);
            changes.audit(AuditKind::ConfirmationRefreshRequested, &account);
            let known = self.confirmation_list_of(scope, command.account_id).await?;
            let fresh = ConfirmationList::unread(scope.workspace_id(), command.account_id);
            let asked = kept(&mut changes, known, fresh, |list| list.requested(at))?;
            self.commit(caller, changes).await?;
            Ok(asked)
        })
        .await
    }

    /// Returns when the confirmations of accounts were last read; accounts whose confirmations were never read or asked for are left out.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn confirmation_lists(
        &self,
        caller: &Caller,
        command: ConfirmationLists,
    ) -> OpResult<Vec<ConfirmationList>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let found = self.ports.store.confirmations().find_lists(scope, &command.account_ids).await?;
        Ok(found.into_iter().map(|seen| seen.into_display().0).collect())
    }

    /// Records that the confirmations of an account were read. A request that came after the beginning waits for the next reading.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn record_confirmation_reading(
        &self,
        caller: &Caller,
        command: RecordConfirmationReading,
    ) -> OpResult<ConfirmationList> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            let known = self.confirmation_list_of(scope, command.account_id).await?;
            let fresh = ConfirmationList::unread(scope.workspace_id(), command.account_id);
            let read = kept(&mut changes, known, fresh, |list| list.read(command.began_at))?;
            self.commit(caller, changes).await?;
            Ok(read)
        })
        .await
    }

    async fn confirmation_list_of(
        &self,
        scope: WorkspaceScope,
        account_id: AccountId,
    ) -> OpResult<Option<Seen<ConfirmationList>>> {
        Ok(self.ports.store.confirmations().find_lists(scope, &[account_id]).await?.into_iter().next())
    }
}

/// Adds the list of an account, which is `fresh` if there is none yet, with its change.
fn kept(
    changes: &mut Changes,
    known: Option<Seen<ConfirmationList>>,
    fresh: ConfirmationList,
    change: impl FnOnce(ConfirmationList) -> ConfirmationList,
) -> OpResult<ConfirmationList> {
    let Some(known) = known else {
        let list = change(fresh);
        changes.insert(list);
        return Ok(list);
    };
    Ok(changes.revise(known, |list| Ok::<_, OpError>(change(list)))?.value)
}
