//! Staying signed in: tokens are renewed before they end, and revoked where a person wants it.
//!
//! Each call is recorded before it is made, so that of two nodes one makes it, and tokens are sealed before anything uses them. If the answer is
//! lost after a refresh token may have been replaced, the old one is tried: it works, or nothing is left to stay signed in by.

use tradepost_domain::id::{AccountId, RenewalId};
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent};
use tradepost_domain::trading::renewal::{Renewal, RenewalEvent, RenewalKind, RenewalStatus};
use tradepost_operations::trading::{
    BeginRenewal, CompleteRenewal, DueRenewals, ReadAccountSecrets, ReadSessionTokens, RecordRenewalStep,
};
use tradepost_operations::{Caller, OpResult, Reason, Versioned};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{SessionRefusal, Tokens};

use crate::error::{EngineError, EngineResult};
use crate::pass::Pass;
use crate::sessions::SessionDesk;
use crate::sessions::doubts::Doubts;
use crate::sessions::unkept::Unkept;

/// The renewals of this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Renewing {
    pub(super) unkept: Unkept<RenewalId>,
    doubts: Doubts,
}

impl Renewing {
    /// Revokes the tokens of a session that a person ends, and finds out whether one still works that the platform rejects.
    pub(crate) async fn follow(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        if !session.status.works() {
            return Ok(());
        }
        if session.end_requested_at.is_some() {
            return revoke(desk, session).await;
        }
        self.doubts.follow(desk, session).await
    }

    /// Seals the tokens that came and could not be sealed before. The records decide whether they are wanted, so that no lease is needed.
    pub(crate) async fn keep_tokens(&mut self, desk: &mut SessionDesk<'_>, pass: &mut Pass) {
        for (renewal_id, tokens) in self.unkept.take() {
            let kept = self.keep(desk, renewal_id, tokens).await;
            pass.record_error(kept);
        }
    }

    /// Renews what is due, one after the other, the earliest first: what is tried is no longer due, or due later.
    pub(crate) async fn renew_due(&mut self, desk: &mut SessionDesk<'_>, pass: &mut Pass) -> EngineResult {
        let query = DueRenewals { workspace_id: desk.context.desk().workspace_id };
        let due = desk.context.operations().due_renewals(desk.context.caller(), query).await?;
        for renewal in desk.context.time_slice().of(due) {
            if desk.context.has_account(renewal.value.account_id) && !self.unkept.has(&renewal.value.id) {
                let renewed = self.renew(desk, &renewal.value).await;
                pass.record_error(renewed);
            }
        }
        Ok(())
    }

    async fn renew(&mut self, desk: &mut SessionDesk<'_>, renewal: &Renewal) -> EngineResult {
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
        if !may_replace(desk, renewal).await? {
            return step(desk, renewal, RenewalEvent::Deferred).await;
        }
        let begin = BeginRenewal { workspace_id: renewal.workspace_id, renewal_id: renewal.id };
        // Otherwise it waits for another token of the account.
        if !desk.is_announced(desk.context.operations().begin_renewal(desk.context.caller(), begin)).await? {
            return Ok(());
        }
        let Some(tokens) = tokens_of(desk, renewal.account_id).await? else {
            return step(desk, renewal, RenewalEvent::GivenUp).await;
        };
        let also_refresh = renewal.kind == RenewalKind::RefreshToken;
        match desk.port.renew(&tokens, also_refresh).await {
            Ok(tokens) => self.keep(desk, renewal.id, tokens).await,
            Err(error) => {
                step(desk, renewal, outcome_of(&error, also_refresh)).await?;
                Err(error.into())
            }
        }
    }

    /// Tries the refresh token that may have been replaced.
    async fn try_old(&mut self, desk: &mut SessionDesk<'_>, renewal: &Renewal) -> EngineResult {
        let Some(tokens) = tokens_of(desk, renewal.account_id).await? else {
            return step(desk, renewal, RenewalEvent::GivenUp).await;
        };
        if !desk.is_announced(recorded(desk, renewal, RenewalEvent::OldTried)).await? {
            return Ok(());
        }
        match desk.port.renew(&tokens, false).await {
            Ok(tokens) => self.keep(desk, renewal.id, tokens).await,
            Err(ExternalError::AuthLost { .. }) => step(desk, renewal, RenewalEvent::GivenUp).await,
            Err(error) => Err(error.into()),
        }
    }

    /// Seals tokens that came. If that fails, they are kept in memory and sealed in a later pass. Tokens of a session that has ended in the
    /// meantime are revoked; of those that came after another process had renewed the token, none is used.
    async fn keep(&mut self, desk: &mut SessionDesk<'_>, renewal_id: RenewalId, tokens: Tokens) -> EngineResult {
        let workspace_id = desk.context.desk().workspace_id;
        let command = CompleteRenewal { workspace_id, renewal_id, tokens: tokens.clone() };
        match desk.context.operations().complete_renewal(&Caller::system(), command).await {
            Ok(_) => desk.context.refresh_signed_in(tokens.user).await,
            Err(refused) if refused.reason == Reason::IllegalStep => Ok(()),
            Err(refused) if refused.reason == Reason::AccountNotSignedIn => match desk.port.revoke(&tokens).await {
                Ok(()) | Err(ExternalError::AuthLost { .. }) => Ok(()),
                Err(error) => {
                    self.unkept.keep(renewal_id, tokens);
                    Err(error.into())
                }
            },
            Err(error) => {
                self.unkept.keep(renewal_id, tokens);
                Err(EngineError::from(error))
            }
        }
    }
}

/// Whether a token may be replaced now. If the answer to the replacement of a refresh token is lost, only a password signs the account in
/// again: without one it is replaced only if a person wants it.
async fn may_replace(desk: &SessionDesk<'_>, renewal: &Renewal) -> EngineResult<bool> {
    if renewal.kind == RenewalKind::AccessToken || renewal.is_requested {
        return Ok(true);
    }
    let read = ReadAccountSecrets { workspace_id: renewal.workspace_id, account_id: renewal.account_id };
    let secrets = desk.context.operations().read_account_secrets(desk.context.caller(), read).await?;
    Ok(secrets.is_some_and(|secrets| secrets.login_name.is_some() && secrets.password.is_some()))
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

/// Revokes the tokens of a session that a person ends.
async fn revoke(desk: &SessionDesk<'_>, session: &AccountSession) -> EngineResult {
    if !session.may_call(desk.context.now()) {
        return Ok(());
    }
    if let Some(tokens) = tokens_of(desk, session.account_id).await? {
        if !desk.announce(session, SessionEvent::RevocationBegun).await? {
            return Ok(());
        }
        match desk.port.revoke(&tokens).await {
            // The platform accepts them no longer, which is what was asked for.
            Ok(()) | Err(ExternalError::AuthLost { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    desk.record(session, SessionEvent::Revoked).await
}

async fn step(desk: &SessionDesk<'_>, renewal: &Renewal, event: RenewalEvent) -> EngineResult {
    recorded(desk, renewal, event).await?;
    Ok(())
}

async fn recorded(desk: &SessionDesk<'_>, renewal: &Renewal, event: RenewalEvent) -> OpResult<Versioned<Renewal>> {
    let command = RecordRenewalStep { workspace_id: renewal.workspace_id, renewal_id: renewal.id, event };
    desk.context.operations().record_renewal_step(desk.context.caller(), command).await
}
