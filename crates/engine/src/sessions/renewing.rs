//! Staying signed in: tokens are renewed before they end, and revoked where a person wants it.
//!
//! A renewal is recorded before the one call, and its tokens are sealed before anything uses them. If the answer is lost after a refresh token
//! may have been replaced, the old one is tried: it works, or nothing is left to stay signed in by.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::id::{AccountId, AccountSessionId, RenewalId};
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent, SessionFailure, TokenExpiry};
use tradepost_domain::trading::renewal::{Renewal, RenewalEvent, RenewalKind, RenewalStatus};
use tradepost_operations::Reason;
use tradepost_operations::trading::{
    BeginRenewal, CompleteRenewal, DueRenewals, ReadAccountSecrets, ReadSessionTokens, RecordRenewalStep,
    RequestRenewal,
};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{SessionRefusal, Tokens};

use crate::error::{EngineError, EngineResult};
use crate::mark::{Mark, is_due};
use crate::pass::Pass;
use crate::sessions::SessionDesk;

/// Shortest time between two tries of what has no time of its own on record.
const BETWEEN_TRIES: Duration = Duration::MINUTE;
/// How often it is looked whether an account has a password by now, without which its refresh token is not replaced.
const BETWEEN_LOOKS: Duration = Duration::HOUR;
/// How long after a renewal the platform has to accept a token that it rejected before.
const GRACE: Duration = Duration::minutes(3);

/// The renewals of this process.
#[derive(Debug, Default)]
pub(crate) struct Renewing {
    /// Tokens that came and could not be sealed yet.
    unkept: BTreeMap<RenewalId, Tokens>,
    rests: BTreeMap<RenewalId, Mark>,
    revoked_at: BTreeMap<AccountSessionId, Mark>,
    /// The sessions that the platform rejected, with their tokens' ends at that time.
    doubted: BTreeMap<AccountSessionId, (Mark, Option<TokenExpiry>)>,
}

impl Renewing {
    /// Revokes the tokens of a session that a person ends, and finds out whether one still works that the platform rejects.
    pub(crate) async fn follow(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        if !session.status.works() {
            return Ok(());
        }
        if session.end_requested_at.is_some() {
            return self.revoke(desk, session).await;
        }
        if desk.context.needs_login(session.account_id) {
            return self.doubt(desk, session).await;
        }
        self.doubted.remove(&session.id);
        Ok(())
    }

    async fn revoke(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        let now = desk.context.mark();
        if !is_due(self.revoked_at.get(&session.id), now, BETWEEN_TRIES) {
            return Ok(());
        }
        self.revoked_at.insert(session.id, now);
        if let Some(tokens) = tokens_of(desk, session.account_id).await? {
            match desk.port.revoke(&tokens).await {
                // The platform accepts them no longer, which is what was asked for.
                Ok(()) | Err(ExternalError::AuthLost { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.revoked_at.remove(&session.id);
        desk.record(session, SessionEvent::Revoked).await
    }

    /// The platform rejects the account: its token is renewed once, and if it is rejected again, the session is lost.
    async fn doubt(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        let now = desk.context.mark();
        if let Some((since, rejected)) = self.doubted.get(&session.id) {
            // Only a new token that is rejected, too, shows that the session is lost.
            if now.since(*since) < GRACE || *rejected == session.expiry {
                return Ok(());
            }
            self.doubted.remove(&session.id);
            return desk.record(session, SessionEvent::Lost(SessionFailure::Expired)).await;
        }
        self.doubted.insert(session.id, (now, session.expiry));
        let (workspace_id, account_id) = (session.workspace_id, session.account_id);
        let request = RequestRenewal { workspace_id, account_id, kind: RenewalKind::AccessToken };
        desk.context.operations().request_renewal(desk.context.caller(), request).await?;
        Ok(())
    }

    /// Renews what is due, one after the other.
    pub(crate) async fn renew_due(&mut self, desk: &mut SessionDesk<'_>, pass: &mut Pass) -> EngineResult {
        let query = DueRenewals { workspace_id: desk.context.desk().workspace_id };
        let due = desk.context.operations().due_renewals(desk.context.caller(), query).await?;
        self.unkept.retain(|id, _| due.iter().any(|renewal| renewal.value.id == *id));
        self.rests.retain(|id, _| due.iter().any(|renewal| renewal.value.id == *id));
        for renewal in due {
            let renewed = self.renew(desk, &renewal.value).await;
            pass.record_error(renewed);
        }
        Ok(())
    }

    async fn renew(&mut self, desk: &mut SessionDesk<'_>, renewal: &Renewal) -> EngineResult {
        if let Some(tokens) = self.unkept.get(&renewal.id).cloned() {
            return self.keep(desk, renewal, tokens).await;
        }
        match renewal.status {
            RenewalStatus::Running => {
                // Another process began it, or this one before it ended.
                let is_replaced = renewal.kind == RenewalKind::RefreshToken;
                step(desk, renewal, if is_replaced { RenewalEvent::AnswerLost } else { RenewalEvent::Refused }).await
            }
            RenewalStatus::Uncertain => self.try_old(desk, renewal).await,
            RenewalStatus::Scheduled | RenewalStatus::Retrying => self.replace(desk, renewal).await,
            RenewalStatus::Succeeded | RenewalStatus::Exhausted | RenewalStatus::Cancelled => Ok(()),
        }
    }

    /// Calls the platform for new tokens.
    async fn replace(&mut self, desk: &mut SessionDesk<'_>, renewal: &Renewal) -> EngineResult {
        if !self.may_replace(desk, renewal).await? {
            return Ok(());
        }
        let (workspace_id, renewal_id) = (renewal.workspace_id, renewal.id);
        let begin = BeginRenewal { workspace_id, renewal_id };
        desk.context.operations().begin_renewal(desk.context.caller(), begin).await?;
        let Some(tokens) = tokens_of(desk, renewal.account_id).await? else {
            return step(desk, renewal, RenewalEvent::GivenUp).await;
        };
        let also_refresh = renewal.kind == RenewalKind::RefreshToken;
        match desk.port.renew(&tokens, also_refresh).await {
            Ok(tokens) => self.keep(desk, renewal, tokens).await,
            Err(error) => {
                step(desk, renewal, outcome_of(&error, also_refresh)).await?;
                Err(error.into())
            }
        }
    }

    /// Whether a token may be replaced now. If the answer to the replacement of a refresh token is lost, only a password signs the account in
    /// again: without one it is replaced only if a person wants it.
    async fn may_replace(&mut self, desk: &SessionDesk<'_>, renewal: &Renewal) -> EngineResult<bool> {
        if renewal.kind == RenewalKind::AccessToken || renewal.is_requested {
            return Ok(true);
        }
        let now = desk.context.mark();
        if !is_due(self.rests.get(&renewal.id), now, BETWEEN_LOOKS) {
            return Ok(false);
        }
        let (workspace_id, account_id) = (renewal.workspace_id, renewal.account_id);
        let read = ReadAccountSecrets { workspace_id, account_id };
        let secrets = desk.context.operations().read_account_secrets(desk.context.caller(), read).await?;
        let has_password = secrets.is_some_and(|secrets| secrets.login_name.is_some() && secrets.password.is_some());
        if !has_password {
            self.rests.insert(renewal.id, now);
        }
        Ok(has_password)
    }

    /// Tries the refresh token that may have been replaced.
    async fn try_old(&mut self, desk: &mut SessionDesk<'_>, renewal: &Renewal) -> EngineResult {
        let now = desk.context.mark();
        if !is_due(self.rests.get(&renewal.id), now, BETWEEN_TRIES) {
            return Ok(());
        }
        self.rests.insert(renewal.id, now);
        let Some(tokens) = tokens_of(desk, renewal.account_id).await? else {
            return step(desk, renewal, RenewalEvent::GivenUp).await;
        };
        match desk.port.renew(&tokens, false).await {
            Ok(tokens) => self.keep(desk, renewal, tokens).await,
            Err(ExternalError::AuthLost { .. }) => step(desk, renewal, RenewalEvent::GivenUp).await,
            Err(error) => Err(error.into()),
        }
    }

    /// Seals tokens that came. If that fails, they are kept in memory and sealed in the next pass. Tokens of a session that has ended in the
    /// meantime are revoked.
    async fn keep(&mut self, desk: &mut SessionDesk<'_>, renewal: &Renewal, tokens: Tokens) -> EngineResult {
        let (workspace_id, renewal_id) = (renewal.workspace_id, renewal.id);
        let command = CompleteRenewal { workspace_id, renewal_id, tokens: tokens.clone() };
        match desk.context.operations().complete_renewal(desk.context.caller(), command).await {
            Ok(_) => {
                self.unkept.remove(&renewal.id);
                desk.context.refresh_signed_in(renewal.account_id).await
            }
            Err(refused) if refused.reason == Reason::AccountNotSignedIn || refused.reason == Reason::IllegalStep => {
                self.unkept.remove(&renewal.id);
                Ok(desk.port.revoke(&tokens).await?)
            }
            Err(error) => {
                self.unkept.insert(renewal.id, tokens);
                Err(EngineError::from(error))
            }
        }
    }
}

/// What is known of a token for which no new one came.
const fn outcome_of(error: &ExternalError<SessionRefusal>, also_refresh: bool) -> RenewalEvent {
    if matches!(error, ExternalError::AuthLost { .. }) {
        RenewalEvent::GivenUp
    } else if also_refresh && !error.did_nothing() {
        RenewalEvent::AnswerLost
    } else {
        RenewalEvent::Refused
    }
}

async fn tokens_of(desk: &SessionDesk<'_>, account_id: AccountId) -> EngineResult<Option<Tokens>> {
    let read = ReadSessionTokens { workspace_id: desk.context.desk().workspace_id, account_id };
    Ok(desk.context.operations().read_session_tokens(desk.context.caller(), read).await?)
}

async fn step(desk: &SessionDesk<'_>, renewal: &Renewal, event: RenewalEvent) -> EngineResult {
    let command = RecordRenewalStep { workspace_id: renewal.workspace_id, renewal_id: renewal.id, event };
    desk.context.operations().record_renewal_step(desk.context.caller(), command).await?;
    Ok(())
}
