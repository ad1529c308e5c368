//! [`RefreshConfirmations`], [`ConfirmationLists`], [`RecordConfirmationReading`] and [`RefuseConfirmationReading`]: a person asks for a reading of
//! an account's confirmations, which the engine takes. All but the first are not operations of the interface.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, WorkspaceId};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::confirmation_list::ConfirmationList;
use tradepost_domain::trading::trading_account::{AccountGone, TradingAccount};
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::game_platform::sessions::ConfirmationTag;

use crate::rules;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::trading_accounts::ReadAccountSecrets;
use crate::trading::trading_accounts::account_moves::{account_as_seen, account_to_list};
use crate::{OpError, OpResult, Operations, Reason};

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

/// A report of an engine that the driver of the platform does not read the confirmations of an account, and made no call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefuseConfirmationReading {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

impl Operations {
    /// Asks for a reading of an account's confirmations, which the engine takes in one of its next passes. A request that waits already
    /// stays. An engine that does not trade with the account ends it after 2 min.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `ACCOUNT_REMOVED`, `ACCOUNT_WITHOUT_IDENTITY_SECRET` at a real platform.
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
            self.require_identity_secret(scope, account.peek()).await?;
            let mut changes = Changes::by(caller);
            let account = account_to_list(&mut changes, account, at)?;
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

    /// Records that the confirmations of an account are not read: the request ends.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn refuse_confirmation_reading(
        &self,
        caller: &Caller,
        command: RefuseConfirmationReading,
    ) -> OpResult<()> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        self.retrying(|| async {
            let known = self.confirmation_list_of(scope, command.account_id).await?;
            let Some(known) = known.filter(|known| known.peek().requested_at.is_some()) else { return Ok(()) };
            let mut changes = Changes::by(caller);
            changes.revise(known, |list| Ok::<_, OpError>(list.refused()))?;
            self.commit(caller, changes).await?;
            Ok(())
        })
        .await
    }

    /// Requires the secret by which confirmations are read at a real platform. A request without it would wait for what never comes.
    async fn require_identity_secret(&self, scope: WorkspaceScope, account: &TradingAccount) -> OpResult<()> {
        if !self.asks_before_giving(scope, account).await? {
            return Ok(());
        }
        let wanted = ReadAccountSecrets { workspace_id: scope.workspace_id(), account_id: account.id };
        let secrets = self.read_account_secrets(&Caller::system(), wanted).await?;
        let secret = secrets.and_then(|secrets| secrets.identity_secret);
        let (user, at, tag) = (account.platform_user_id, self.now(), ConfirmationTag::List);
        if secret.and_then(|secret| self.ports.totp.confirmation_key(&secret, user, at, tag)).is_some() {
            return Ok(());
        }
        let message = format!(
            "the confirmations of {} are read by its identitySecret of 20 bytes in base 64, which is not stored",
            account.name
        );
        Err(OpError::failed_precondition(Reason::AccountWithoutIdentitySecret, message))
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
