//! Signing accounts in: what the platform asks for is recorded, codes are given once, and tokens are sealed when they come.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::id::{AccountId, AccountSessionId};
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent, SessionFailure};
use tradepost_operations::Versioned;
use tradepost_operations::trading::{CompleteAccountSignIn, ReadSignIn, StartSessionAgain, TakeSessionCode};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{SessionRefusal, SignIn, Tokens};

use crate::error::EngineResult;
use crate::mark::{Mark, is_due};
use crate::sessions::SessionDesk;

/// Shortest time between two sign-ins: the platform counts them by the address that they come from.
const BETWEEN_SIGN_INS: Duration = Duration::seconds(10);
/// How often it is looked whether an account may be signed in again.
const BETWEEN_STARTS: Duration = Duration::MINUTE;

/// The sign-ins of this process.
#[derive(Debug, Default)]
pub(crate) struct SigningIn {
    begun: BTreeMap<AccountSessionId, Begun>,
    /// Why a sign-in could not be begun yet.
    delayed: BTreeMap<AccountSessionId, SessionFailure>,
    last_begun: Option<Mark>,
    looked_at: BTreeMap<AccountId, Mark>,
}

/// A sign-in that the platform knows.
#[derive(Debug)]
struct Begun {
    sign_in: SignIn,
    polled_at: Option<Mark>,
}

impl SigningIn {
    /// Begins a session for accounts that need a login, as far as the rules allow it without a person.
    pub(crate) async fn start_again(&mut self, desk: &mut SessionDesk<'_>) -> EngineResult {
        let (now, workspace_id) = (desk.context.mark(), desk.context.desk().workspace_id);
        for account_id in desk.context.accounts_to_sign_in() {
            if is_due(self.looked_at.get(&account_id), now, BETWEEN_STARTS) {
                self.looked_at.insert(account_id, now);
                let again = StartSessionAgain { workspace_id, account_id };
                desk.context.operations().start_session_again(desk.context.caller(), again).await?;
            }
        }
        Ok(())
    }

    /// Forgets the sign-ins whose session is over.
    pub(crate) fn forget_all_but(&mut self, live: &[Versioned<AccountSession>]) {
        let is_live = |id: &AccountSessionId| live.iter().any(|session| session.value.id == *id);
        self.begun.retain(|id, _| is_live(id));
        self.delayed.retain(|id, _| is_live(id));
    }

    /// Takes a sign-in one step further.
    pub(crate) async fn follow(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        if session.is_late(desk.context.now()) {
            let failure = self.delayed.get(&session.id).copied().unwrap_or(SessionFailure::Expired);
            return desk.record(session, SessionEvent::Refused(failure)).await;
        }
        if self.begun.contains_key(&session.id) {
            self.give_code(desk, session).await?;
            self.poll(desk, session).await
        } else {
            self.begin(desk, session).await
        }
    }

    async fn begin(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        let now = desk.context.mark();
        if !is_due(self.last_begun.as_ref(), now, BETWEEN_SIGN_INS) {
            return Ok(());
        }
        let (workspace_id, account_session_id) = (session.workspace_id, session.id);
        let read = ReadSignIn { workspace_id, account_session_id };
        let Some(who) = desk.context.operations().read_sign_in(desk.context.caller(), read).await? else {
            return desk.record(session, SessionEvent::Refused(SessionFailure::NoSecrets)).await;
        };
        self.last_begun = Some(now);
        match desk.port.begin(&who).await {
            Ok(sign_in) => {
                let asked = sign_in.asked.clone();
                self.begun.insert(session.id, Begun { sign_in, polled_at: None });
                if asked.guards.is_empty() {
                    return self.poll(desk, session).await;
                }
                desk.record(session, SessionEvent::Asked(asked)).await
            }
            Err(ExternalError::Rejected(refusal)) => {
                desk.record(session, SessionEvent::Refused(failure_of(&refusal))).await
            }
            // It is begun again until it has taken too long.
            Err(error) => {
                let is_limited = matches!(error, ExternalError::RateLimited { .. });
                let why = if is_limited { SessionFailure::TooManyAttempts } else { SessionFailure::PlatformDown };
                self.delayed.insert(session.id, why);
                Err(error.into())
            }
        }
    }

    /// Gives the code of a person, or one that is made of the stored secret, if one is due.
    async fn give_code(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        if !session.has_code && !session.makes_code(desk.context.now()) {
            return Ok(());
        }
        let Some(begun) = self.begun.get(&session.id) else { return Ok(()) };
        let take = TakeSessionCode { workspace_id: session.workspace_id, account_session_id: session.id };
        let taken = desk.context.operations().take_session_code(desk.context.caller(), take).await?;
        let Some((guard, code)) = taken else { return Ok(()) };
        match desk.port.give_code(&begun.sign_in.attempt, guard, &code).await {
            Ok(()) => Ok(()),
            Err(ExternalError::Rejected(SessionRefusal::WrongCode)) => {
                desk.record(session, SessionEvent::CodeRefused).await
            }
            Err(ExternalError::Rejected(refusal)) => {
                desk.record(session, SessionEvent::Refused(failure_of(&refusal))).await
            }
            // A code is given once: the platform asks for another one.
            Err(error) if error.did_nothing() => {
                desk.record(session, SessionEvent::Asked(begun.sign_in.asked.clone())).await?;
                Err(error.into())
            }
            // The next poll shows whether it was accepted.
            Err(error) => Err(error.into()),
        }
    }

    async fn poll(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        let now = desk.context.mark();
        let Some(begun) = self.begun.get_mut(&session.id) else { return Ok(()) };
        let every = Duration::try_from(begun.sign_in.poll_every).unwrap_or(Duration::MINUTE);
        if !is_due(begun.polled_at.as_ref(), now, every) {
            return Ok(());
        }
        begun.polled_at = Some(now);
        match desk.port.poll(&begun.sign_in.attempt).await {
            Ok(None) => Ok(()),
            Ok(Some(tokens)) => complete(desk, session, tokens).await,
            Err(ExternalError::Rejected(refusal)) => {
                desk.record(session, SessionEvent::Refused(failure_of(&refusal))).await
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Keeps the tokens that came. Those of another account are revoked: they are not for us to use.
async fn complete(desk: &mut SessionDesk<'_>, session: &AccountSession, tokens: Tokens) -> EngineResult {
    let (workspace_id, account_session_id) = (session.workspace_id, session.id);
    let command = CompleteAccountSignIn { workspace_id, account_session_id, tokens: tokens.clone() };
    let completed = desk.context.operations().complete_account_sign_in(desk.context.caller(), command).await?;
    if completed.value.status.works() {
        return desk.context.refresh_signed_in(session.account_id).await;
    }
    Ok(desk.port.revoke(&tokens).await?)
}

/// Why a sign-in has failed that the platform rejected.
const fn failure_of(refusal: &SessionRefusal) -> SessionFailure {
    match refusal {
        SessionRefusal::WrongPassword => SessionFailure::WrongPassword,
        SessionRefusal::WrongCode => SessionFailure::WrongCode,
        SessionRefusal::ApprovalDenied => SessionFailure::ApprovalDenied,
        SessionRefusal::Expired => SessionFailure::Expired,
        SessionRefusal::Other(_) => SessionFailure::PlatformDown,
    }
}
