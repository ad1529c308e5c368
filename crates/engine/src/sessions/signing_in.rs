//! Signing accounts in: what the platform asks for is recorded, codes are given once, and tokens are sealed when they come.

use std::collections::BTreeMap;

use time::Duration;
use tradepost_domain::id::{AccountId, AccountSessionId};
use tradepost_domain::trading::account_session::{AccountSession, SessionEvent, SessionFailure, SessionStatus};
use tradepost_operations::trading::{CompleteAccountSignIn, ReadSignIn, StartSessionAgain, TakeSessionCode};
use tradepost_operations::{Caller, Reason, Versioned};
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{SessionRefusal, SignIn, Tokens};

use crate::error::EngineResult;
use crate::mark::{Mark, is_due};
use crate::pass::Pass;
use crate::sessions::SessionDesk;
use crate::sessions::unkept::Unkept;
use crate::turns::Turns;

/// Shortest time between two sign-ins: the platform counts them by the address that they come from.
const BETWEEN_SIGN_INS: Duration = Duration::seconds(10);
/// How often it is looked whether an account may be signed in again.
const BETWEEN_STARTS: Duration = Duration::MINUTE;
/// How many sign-ins wait to be begun until the engine starts no further one: each has ten minutes.
const MOST_WAITING: usize = 3;
/// How long after a code the platform is expected to answer it.
const CODE_ANSWERED: Duration = Duration::seconds(30);

/// The sign-ins of this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct SigningIn {
    pub(super) unkept: Unkept<AccountSessionId>,
    begun: BTreeMap<AccountSessionId, Begun>,
    /// When this process first began each sign-in, or tried to. Its time runs from then.
    first_begun: BTreeMap<AccountSessionId, Mark>,
    /// Why a sign-in could not be begun yet.
    delayed: BTreeMap<AccountSessionId, SessionFailure>,
    last_begun: Option<Mark>,
    looked_at: Turns<AccountId>,
}

/// A sign-in that the platform knows.
#[derive(Debug, Clone)]
struct Begun {
    sign_in: SignIn,
    polled_at: Option<Mark>,
}

impl SigningIn {
    /// Starts a session for accounts that need a login, as far as the rules allow it without a person. Returns those that it has started.
    pub(crate) async fn start_again(
        &mut self,
        desk: &mut SessionDesk<'_>,
        live: &[Versioned<AccountSession>],
        pass: &mut Pass,
    ) -> Vec<Versioned<AccountSession>> {
        let (now, workspace_id) = (desk.context.mark(), desk.context.desk().workspace_id);
        let is_waiting =
            |it: &&Versioned<AccountSession>| it.value.status.is_signing_in() && !self.begun.contains_key(&it.value.id);
        let (waiting, mut started) = (live.iter().filter(is_waiting).count(), Vec::new());
        let is_due = |id: &AccountId| is_due(self.looked_at.last(id), now, BETWEEN_STARTS);
        let due: Vec<AccountId> = desk.context.accounts_to_sign_in().into_iter().filter(is_due).collect();
        for account_id in self.looked_at.in_turn(due, |id| id, desk.context.time_slice()) {
            if waiting.saturating_add(started.len()) >= MOST_WAITING {
                break;
            }
            self.looked_at.note(account_id, now);
            let again = StartSessionAgain { workspace_id, account_id };
            match desk.context.operations().start_session_again(desk.context.caller(), again).await {
                Ok(session) => started.extend(session),
                Err(error) => pass.record_error(Err(error.into())),
            }
        }
        started
    }

    /// Seals the tokens that came and could not be sealed before.
    pub(crate) async fn keep_tokens(&mut self, desk: &mut SessionDesk<'_>, pass: &mut Pass) {
        for (session_id, tokens) in self.unkept.take() {
            let kept = self.keep(desk, session_id, tokens).await;
            pass.record_error(kept);
        }
    }

    /// Forgets the sign-ins whose session is over.
    pub(crate) fn forget_all_but(&mut self, live: &[Versioned<AccountSession>]) {
        let is_live = |id: &AccountSessionId| live.iter().any(|session| session.value.id == *id);
        self.begun.retain(|id, _| is_live(id));
        self.first_begun.retain(|id, _| is_live(id));
        self.delayed.retain(|id, _| is_live(id));
    }

    /// Takes a sign-in one step further.
    pub(crate) async fn follow(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        if self.unkept.has(&session.id) {
            return Ok(());
        }
        let is_ours = desk.context.has_account(session.account_id);
        let begun_for = self.first_begun.get(&session.id).map(|first| desk.context.mark().since(*first));
        if session.is_late(desk.context.now(), is_ours, begun_for) {
            let failure = self.delayed.get(&session.id).copied().unwrap_or(SessionFailure::Expired);
            return desk.record(session, SessionEvent::Refused(failure)).await;
        }
        if !is_ours {
            return Ok(());
        }
        if self.begun.contains_key(&session.id) {
            self.ask_again(desk, session).await?;
            self.give_code(desk, session).await?;
            self.poll(desk, session).await
        } else {
            self.begin(desk, session).await
        }
    }

    /// Records once more what the platform asks for, if that was not recorded, or if it has not answered a code.
    async fn ask_again(&self, desk: &SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        let Some(begun) = self.begun.get(&session.id) else { return Ok(()) };
        let is_silent = session.code_given_at.is_none_or(|at| desk.context.now().since(at) >= CODE_ANSWERED);
        let is_asked = !begun.sign_in.asked.guards.is_empty();
        if is_asked && is_silent && session.status == SessionStatus::Starting && !session.has_code {
            return desk.record(session, SessionEvent::Asked(begun.sign_in.asked.clone())).await;
        }
        Ok(())
    }

    async fn begin(&mut self, desk: &mut SessionDesk<'_>, session: &AccountSession) -> EngineResult {
        let now = desk.context.mark();
        // Also after a try that failed: the platform may have mailed a code.
        if !is_due(self.last_begun.as_ref(), now, BETWEEN_SIGN_INS) || !session.may_call(desk.context.now()) {
            return Ok(());
        }
        let (workspace_id, account_session_id) = (session.workspace_id, session.id);
        let read = ReadSignIn { workspace_id, account_session_id };
        let Some(who) = desk.context.operations().read_sign_in(desk.context.caller(), read).await? else {
            return desk.record(session, SessionEvent::Refused(SessionFailure::NoSecrets)).await;
        };
        if !desk.announce(session, SessionEvent::Begun).await? {
            return Ok(());
        }
        self.last_begun = Some(now);
        self.first_begun.entry(session.id).or_insert(now);
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
                self.delayed.insert(session.id, failure_of(&refusal));
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
        let platform_time = desk.context.platform_time();
        let (workspace_id, account_session_id) = (session.workspace_id, session.id);
        let take = TakeSessionCode { workspace_id, account_session_id, platform_time };
        let taken = desk.announced(desk.context.operations().take_session_code(desk.context.caller(), take)).await?;
        let Some((guard, code)) = taken.flatten() else { return Ok(()) };
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
            Ok(Some(tokens)) => self.keep(desk, session.id, tokens).await,
            Err(ExternalError::Rejected(refusal)) => {
                desk.record(session, SessionEvent::Refused(failure_of(&refusal))).await
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Seals the tokens that came. If that fails, they are kept in memory and sealed in a later pass. Those of another account are revoked, and
    /// those of a session that has ended in the meantime. No lease is needed: the record decides whether they are wanted.
    async fn keep(
        &mut self,
        desk: &mut SessionDesk<'_>,
        account_session_id: AccountSessionId,
        tokens: Tokens,
    ) -> EngineResult {
        let workspace_id = desk.context.desk().workspace_id;
        let command = CompleteAccountSignIn { workspace_id, account_session_id, tokens: tokens.clone() };
        let is_wanted = match desk.context.operations().complete_account_sign_in(&Caller::system(), command).await {
            Ok(completed) => completed.value.status.works(),
            Err(refused) if refused.reason == Reason::IllegalStep => false,
            Err(error) => {
                self.unkept.keep(account_session_id, tokens);
                return Err(error.into());
            }
        };
        if is_wanted {
            return desk.context.refresh_signed_in(tokens.user).await;
        }
        match desk.port.revoke(&tokens).await {
            Ok(()) | Err(ExternalError::AuthLost { .. }) => Ok(()),
            Err(error) => {
                self.unkept.keep(account_session_id, tokens);
                Err(error.into())
            }
        }
    }
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
