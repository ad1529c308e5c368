//! [`LiveAccountSessions`], [`ReadSignIn`] and [`RecordSessionStep`]: an engine signs accounts in, and reports what the platform answers. Not
//! operations of the interface.

use tradepost_domain::id::{AccountSessionId, WorkspaceId};
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::game_platform::sessions::SignInAs;
use tradepost_ports::store::RecordBatch;

use super::session_moves::{SessionStep, session_as_seen, step_session};
use crate::commit::By;
use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::trading_accounts::ReadAccountSecrets;
use crate::{OpResult, Operations, Versioned};

/// How many sessions are read at once.
const SLICE: u32 = 200;

/// A query for the sessions that are not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveAccountSessions {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// A request for what the account of a session signs in by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadSignIn {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The session.
    pub account_session_id: AccountSessionId,
}

/// A report of what happened to a session, or an announcement of a call for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordSessionStep {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The session.
    pub account_session_id: AccountSessionId,
    /// What happened. Tokens come with commands of their own.
    pub event: SessionEvent,
}

impl Operations {
    /// Returns every session that is not over.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn live_account_sessions(
        &self,
        caller: &Caller,
        command: LiveAccountSessions,
    ) -> OpResult<Vec<Versioned<AccountSession>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let slice = RecordBatch { after, most: SLICE };
            let found = self.ports.store.account_sessions().list_live_account_sessions(scope, slice).await?;
            after = found.last().map(|last| last.peek().id);
            let is_last = found.len() < SLICE as usize;
            all.extend(found.into_iter().map(Versioned::from));
            if is_last {
                return Ok(all);
            }
        }
    }

    /// Reads what the account of a session signs in by; `None` where login name or password are missing.
    ///
    /// # Errors
    /// `permission_denied` unless the process itself calls; `not_found`; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn read_sign_in(&self, caller: &Caller, command: ReadSignIn) -> OpResult<Option<SignInAs>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let session = session_as_seen(self, scope, command.account_session_id, None).await?;
        let AccountSession { workspace_id, account_id, .. } = *session.peek();
        let secrets = self.read_account_secrets(caller, ReadAccountSecrets { workspace_id, account_id }).await?;
        let Some(secrets) = secrets else { return Ok(None) };
        let given = secrets.login_name.zip(secrets.password);
        Ok(given.map(|(login_name, password)| SignInAs { login_name, password }))
    }

    /// Records what happened to a session, or that the platform is about to be called for it.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition` with `ILLEGAL_STEP` when it cannot happen in the session's status, and where
    /// another process has announced the call lately.
    pub async fn record_session_step(
        &self,
        caller: &Caller,
        command: RecordSessionStep,
    ) -> OpResult<Versioned<AccountSession>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let seen = session_as_seen(self, scope, command.account_session_id, None).await?;
            let mut changes = Changes::by(caller);
            let event = command.event.clone();
            let moved =
                step_session(self, &mut changes, By { caller, at }, seen, SessionStep::of(scope, event)).await?;
            commit_problems(self, caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}
