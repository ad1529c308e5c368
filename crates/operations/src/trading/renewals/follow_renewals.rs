//! [`DueRenewals`], [`BeginRenewal`], [`CompleteRenewal`] and [`RecordRenewalStep`]: an engine renews tokens. Not operations of the interface.
//!
//! A renewal is recorded as begun before the one call, and the tokens that come are sealed in the commit that ends it, before anything uses
//! them.

use tradepost_domain::accounts::access::WorkspaceScope;
use tradepost_domain::id::{RenewalId, WorkspaceId};
use tradepost_domain::trading::account_session::{
    AccountSession, SessionEvent, SessionFailure, SessionStatus, TokenExpiry,
};
use tradepost_domain::trading::renewal::{Issued, Renewal, RenewalEvent, RenewalKind, RenewalStatus, WARNED_BEFORE};
use tradepost_ports::changes::{Caller, Changes, Seen};
use tradepost_ports::game_platform::sessions::Tokens;

use super::renewal_moves::{Due, NewRenewal, draw_of, renewal_as_seen, schedule_renewal, step_renewal};
use crate::commit::By;
use crate::contracts::remediations::remediation_steps::commit_problems;
use crate::rules::WRITE_ACCOUNTS;
use crate::trading::account_sessions::session_moves::{SessionStep, settle_expiring, step_session};
use crate::trading::account_sessions::session_tokens::keep_tokens;
use crate::trading::account_sessions::working_session::working_session;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// The most renewals that are read at once.
const MOST_DUE: u32 = 200;

/// A query for the renewals that are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueRenewals {
    /// The workspace.
    pub workspace_id: WorkspaceId,
}

/// An announcement of an engine that it is about to call the platform for a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeginRenewal {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The renewal.
    pub renewal_id: RenewalId,
}

/// A report of the tokens that the platform has issued.
#[derive(Debug, Clone)]
pub struct CompleteRenewal {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The renewal.
    pub renewal_id: RenewalId,
    /// The tokens.
    pub tokens: Tokens,
}

/// A report that a renewal brought no tokens, or an announcement that its old token is about to be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordRenewalStep {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The renewal.
    pub renewal_id: RenewalId,
    /// What happened.
    pub event: RenewalEvent,
}

impl Operations {
    /// Returns the renewals that are due and not over, the earliest first. Those that are being renewed are among them: of one that this
    /// process did not begin, the answer is lost.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn due_renewals(&self, caller: &Caller, command: DueRenewals) -> OpResult<Vec<Versioned<Renewal>>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let due = self.ports.store.renewals().list_due_renewals(scope, at, MOST_DUE).await?;
        Ok(due.into_iter().map(Versioned::from).collect())
    }

    /// Records that the platform is called for a renewal.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `ILLEGAL_STEP` unless it waits, and while the platform is called for another
    /// token of the account or its answer is lost, `ACCOUNT_NOT_SIGNED_IN` without a session that works.
    pub async fn begin_renewal(&self, caller: &Caller, command: BeginRenewal) -> OpResult<Versioned<Renewal>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let by = By { caller, at };
            let seen = renewal_as_seen(self, scope, command.renewal_id, None).await?;
            let session = self.session_of(scope, seen.peek()).await?;
            self.require_no_call_open(scope, seen.peek()).await?;
            let mut changes = Changes::by(caller);
            let begun = step_renewal(self, &mut changes, by, seen, RenewalEvent::Begun)?;
            // A lost answer that was settled may have left it so.
            if session.peek().status == SessionStatus::Active {
                let step = SessionStep::of(scope, SessionEvent::RenewalBegun);
                step_session(self, &mut changes, by, session, step).await?;
            }
            self.commit(caller, changes).await?;
            Ok(begun.into())
        })
        .await
    }

    /// Seals the tokens that came, which the session uses from then on, and schedules the next renewal, in one commit. If the answer of an
    /// earlier call was lost, the old refresh token was tried, and nothing was replaced but the access token.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `ILLEGAL_STEP` unless it was begun, `ACCOUNT_NOT_SIGNED_IN` when the session
    /// has ended in the meantime: the tokens are not kept then; `internal` with `KEY_ENCRYPTION_UNAVAILABLE`.
    pub async fn complete_renewal(&self, caller: &Caller, command: CompleteRenewal) -> OpResult<Versioned<Renewal>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        let CompleteRenewal { renewal_id, tokens, .. } = command;
        self.retrying(|| async {
            let by = By { caller, at };
            let seen = renewal_as_seen(self, scope, renewal_id, None).await?;
            let session = self.session_of(scope, seen.peek()).await?;
            let is_uncertain = seen.peek().status == RenewalStatus::Uncertain;
            let event = if is_uncertain { RenewalEvent::OldAccepted } else { RenewalEvent::Succeeded };
            let mut changes = Changes::by(caller);
            let renewed = step_renewal(self, &mut changes, by, seen, event)?;
            let step = SessionStep::of(scope, SessionEvent::Renewed(tokens.expiry));
            let session = step_session(self, &mut changes, by, session, step).await?;
            keep_tokens(self, scope, session.value.id, &tokens, &mut changes).await?;
            let after = Renewed { scope, renewal: &renewed.value, expiry: tokens.expiry };
            self.schedule_after(&mut changes, by, after).await?;
            if tokens.expiry.refresh.since(at) > WARNED_BEFORE {
                settle_expiring(self, &mut changes, by, scope, session.value.account_id).await?;
            }
            commit_problems(self, caller, changes).await?;
            Ok(renewed.into())
        })
        .await
    }

    /// Records that a renewal brought no tokens, or that the old token is about to be tried. A renewal that is abandoned ends the session:
    /// nothing is left to stay signed in by.
    ///
    /// # Errors
    /// `permission_denied`, `not_found`, `failed_precondition`: `ILLEGAL_STEP`, also where another process has announced a try of the old token
    /// within the last minute, `ACCOUNT_NOT_SIGNED_IN`.
    pub async fn record_renewal_step(
        &self,
        caller: &Caller,
        command: RecordRenewalStep,
    ) -> OpResult<Versioned<Renewal>> {
        let scope = caller.principal.enter(command.workspace_id, WRITE_ACCOUNTS)?;
        let at = self.market_now(command.workspace_id);
        self.retrying(|| async {
            let by = By { caller, at };
            let seen = renewal_as_seen(self, scope, command.renewal_id, None).await?;
            let session = self.session_of(scope, seen.peek()).await?;
            let mut changes = Changes::by(caller);
            let moved = step_renewal(self, &mut changes, by, seen, command.event)?;
            let of_session = consequence(command.event).filter(|event| session.peek().status.after(event).is_some());
            if let Some(event) = of_session {
                let step = SessionStep { scope, event, given_up: Some(moved.value.id) };
                step_session(self, &mut changes, by, session, step).await?;
            }
            commit_problems(self, caller, changes).await?;
            Ok(moved.into())
        })
        .await
    }
}

/// A renewal that brought tokens, with their ends.
struct Renewed<'a> {
    scope: WorkspaceScope,
    renewal: &'a Renewal,
    expiry: TokenExpiry,
}

impl Operations {
    /// Returns the session whose token is renewed.
    async fn session_of(&self, scope: WorkspaceScope, renewal: &Renewal) -> OpResult<Seen<AccountSession>> {
        working_session(self, scope, renewal.account_id).await?.ok_or_else(|| {
            let message = "the session of the trading account has ended";
            OpError::failed_precondition(Reason::AccountNotSignedIn, message)
        })
    }

    /// Requires that the platform is not being called for another token of the account, and that no answer of it is lost: the stored refresh
    /// token may be replaced already.
    async fn require_no_call_open(&self, scope: WorkspaceScope, renewal: &Renewal) -> OpResult<()> {
        let open = self.ports.store.renewals().list_open_renewals_of(scope, renewal.account_id).await?;
        let is_called = |other: &Seen<Renewal>| {
            matches!(other.peek().status, RenewalStatus::Running | RenewalStatus::Uncertain)
                && other.peek().id != renewal.id
        };
        if open.iter().any(is_called) {
            let message = "another token of the trading account is being renewed";
            return Err(OpError::failed_precondition(Reason::IllegalStep, message));
        }
        Ok(())
    }

    /// Schedules what follows: the next renewal of a token that was replaced, and that of the access token that came with a refresh token.
    async fn schedule_after(
        &self,
        changes: &mut Changes,
        by: By<'_>,
        Renewed { scope, renewal, expiry }: Renewed<'_>,
    ) -> OpResult<()> {
        let Renewal { account_id, kind, status, .. } = *renewal;
        if status == RenewalStatus::Succeeded {
            let next = NewRenewal { scope, account_id, kind, due: Due::InTime };
            schedule_renewal(self, changes, by, next, expiry)?;
        }
        if kind == RenewalKind::RefreshToken {
            for open in self.ports.store.renewals().list_open_renewals_of(scope, account_id).await? {
                if open.peek().kind == RenewalKind::AccessToken {
                    let (draw, issued) = (draw_of(open.peek().id), Issued { at: by.at, expires_at: expiry.access });
                    changes.revise(open, |access| Ok::<_, OpError>(access.rescheduled(issued, draw)))?;
                }
            }
        }
        Ok(())
    }
}

/// What the end of a try means for the session.
const fn consequence(event: RenewalEvent) -> Option<SessionEvent> {
    match event {
        RenewalEvent::GivenUp => Some(SessionEvent::Lost(SessionFailure::Expired)),
        RenewalEvent::Refused => Some(SessionEvent::RenewalPostponed),
        RenewalEvent::Requested
        | RenewalEvent::Deferred
        | RenewalEvent::Begun
        | RenewalEvent::Succeeded
        | RenewalEvent::AnswerLost
        | RenewalEvent::OldTried
        | RenewalEvent::OldAccepted
        | RenewalEvent::Cancelled
        | RenewalEvent::SessionEnded => None,
    }
}
