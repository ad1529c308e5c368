//! [`StartAccountSession`]: a person has the engine sign a trading account in. [`StartSessionAgain`], which the interface does not offer: the
//! engine does so by itself.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::id::{AccountId, RecordKey, WorkspaceId};
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent, SessionStatus, Start, may_start_again};
use tradepost_domain::trading::trading_account::{AccountGone, AccountStatus};
use tradepost_ports::changes::{Caller, Changes, Revised};
use tradepost_ports::store::{AccountSessionFilter, PageRequest, StoreError, Unique};

use super::session_moves::{SessionStep, begin_session, step_session};
use crate::accounts::workspaces::risk_notice::rely_on_acknowledged_risks;
use crate::commit::By;
use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::rules;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::trading_accounts::ReadAccountSecrets;
use crate::trading::trading_accounts::account_moves::account_as_seen;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// The sessions on which it depends whether an account may be signed in again are among so many: more than a person and the engine start
/// in a day.
const MOST_READ: u32 = 50;

/// Signs a trading account in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartAccountSession {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
    /// Whether the engine answers the platform's question for a code by the stored secret of the authenticator, if one is stored.
    pub uses_stored_code: bool,
}

/// A request of the engine to sign an account in again whose session has ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartSessionAgain {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The account.
    pub account_id: AccountId,
}

/// A session that is to be started.
pub(crate) struct WantedSession {
    pub(crate) scope: WorkspaceScope,
    pub(crate) account_id: AccountId,
    pub(crate) start: Start,
}

impl Operations {
    /// Begins to sign an account in, which the engine does in one of its next passes. A session that has expired is closed.
    ///
    /// # Errors
    /// `permission_denied`; `failed_precondition`: `STEP_UP_REQUIRED`, `RISKS_NOT_ACKNOWLEDGED`; `not_found`; `failed_precondition`:
    /// `ACCOUNT_REMOVED`, `ACCOUNT_WITHOUT_PASSWORD` without a stored login name and password, `SESSION_OPEN` while another session works or is
    /// being started.
    pub async fn start_account_session(
        &self,
        caller: &Caller,
        command: StartAccountSession,
    ) -> OpResult<Versioned<AccountSession>> {
        let scope = rules::START_ACCOUNT_SESSION.enter(&caller.principal, command.workspace_id)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let mut changes = Changes::by(caller);
            self.require_step_up_in(caller, scope, rules::START_ACCOUNT_SESSION, &mut changes).await?;
            rely_on_acknowledged_risks(self, scope, &mut changes).await?;
            let start = Start { uses_stored_code: command.uses_stored_code, is_automatic: false };
            let wanted = WantedSession { scope, account_id: command.account_id, start };
            let started = self.start_session(&mut changes, By { caller, at }, wanted).await?;
            changes.audit(AuditKind::AccountSessionStarted, &started);
            self.commit_session(caller, changes).await?;
            Ok(Revised { value: started, version: 1 }.into())
        })
        .await
    }

    /// Begins to sign an account in without a person, as far as the rules allow it now: it needs a login, it has secrets, the last session did
    /// not fail for a reason that a person has to settle, there were few sign-ins lately, and the present risk notice is acknowledged.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`.
    pub async fn start_session_again(
        &self,
        caller: &Caller,
        command: StartSessionAgain,
    ) -> OpResult<Option<Versioned<AccountSession>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let account = account_as_seen(self, scope, command.account_id, None).await?;
            let is_wanted = account.peek().status == AccountStatus::NeedsLogin && account.peek().has_secrets;
            if !is_wanted || !may_start_again(&self.latest_sessions(scope, command.account_id).await?, at) {
                return Ok(None);
            }
            let mut changes = Changes::by(caller);
            match rely_on_acknowledged_risks(self, scope, &mut changes).await {
                Err(refused) if refused.reason == Reason::RisksNotAcknowledged => return Ok(None),
                checked => checked?,
            }
            let start = Start { uses_stored_code: true, is_automatic: true };
            let wanted = WantedSession { scope, account_id: command.account_id, start };
            match self.start_session(&mut changes, By { caller, at }, wanted).await {
                Err(refused) if refused.reason == Reason::AccountWithoutPassword => Ok(None),
                started => {
                    let started = started?;
                    self.commit_session(caller, changes).await?;
                    Ok(Some(Revised { value: started, version: 1 }.into()))
                }
            }
        })
        .await
    }

    /// Adds a session of an account. What rejects it is decided before anything of it is added to the changes. They rely on the
    /// acknowledgement of the risks already.
    ///
    /// # Errors
    /// `not_found`; `failed_precondition`: `ACCOUNT_REMOVED`, `ACCOUNT_WITHOUT_PASSWORD`, `SESSION_OPEN`.
    pub(crate) async fn start_session(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        WantedSession { scope, account_id, start }: WantedSession,
    ) -> OpResult<AccountSession> {
        let account = account_as_seen(self, scope, account_id, None).await?;
        if account.peek().status.is_terminal() {
            return Err(AccountGone.into());
        }
        let workspace_id = scope.workspace_id();
        let read = ReadAccountSecrets { workspace_id, account_id };
        let secrets = self.read_account_secrets(&Caller::system(), read).await?.unwrap_or_default();
        if secrets.login_name.is_none() || secrets.password.is_none() {
            let message = "no login name and password are stored for the trading account";
            return Err(OpError::failed_precondition(Reason::AccountWithoutPassword, message));
        }
        let has_codes = secrets.shared_secret.is_some();
        let start = Start { uses_stored_code: start.uses_stored_code && has_codes, ..start };
        let live = self.ports.store.account_sessions().find_live_account_session(scope, account_id).await?;
        if let Some(open) = live.as_ref().filter(|live| live.peek().status != SessionStatus::Expired) {
            let message = format!("the trading account has a session that is {}; end it first", open.peek().status);
            return Err(OpError::failed_precondition(Reason::SessionOpen, message));
        }
        changes.rely_on(account);
        if let Some(live) = live {
            step_session(self, changes, by, live, SessionStep::of(scope, SessionEvent::Closed)).await?;
        }
        let session = AccountSession::start(RecordKey { workspace_id, id: self.mint() }, account_id, start, by.at);
        begin_session(self, changes, by, &session);
        Ok(session)
    }

    /// Commits new sessions. If another one of an account was started at the same time, the decision is made again.
    pub(crate) async fn commit_session(&self, caller: &Caller, changes: Changes) -> OpResult<()> {
        match commit_problems(self, caller, changes).await {
            Err(OpError { source: Some(StoreError::Duplicate(Unique::LiveAccountSession)), .. }) => {
                Err(StoreError::Conflict.into())
            }
            outcome => outcome.map(drop),
        }
    }

    /// Returns the sessions of an account on which it depends whether it may be signed in again, the latest first.
    async fn latest_sessions(&self, scope: WorkspaceScope, account_id: AccountId) -> OpResult<Vec<AccountSession>> {
        let sessions = self.ports.store.account_sessions();
        let filter = AccountSessionFilter { account_id: Some(account_id), status: None };
        let page = PageRequest { before: None, limit: MOST_READ };
        let ids = sessions.list_account_sessions(scope, filter, page).await?.ids;
        let mut found = sessions.find_account_sessions(scope, &ids).await?;
        found.sort_by_key(|seen| ids.iter().position(|id| *id == seen.peek().id));
        Ok(found.into_iter().map(|seen| seen.into_display().0).collect())
    }
}
