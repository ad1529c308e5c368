//! `BeginPasskeySignIn` and `FinishPasskeySignIn`: signing in with nothing but a passkey. The authenticator names the user and has verified
//! them, so its response counts as two factors.

use crate::accounts::passkeys::passkey_proofs::credential_named_by;
use crate::accounts::passkeys::passkey_proofs::use_passkey;
use crate::accounts::sign_in::open_session::open_session;
use tradepost_domain::accounts::audit::{About, AuditKind, Fact};
use tradepost_domain::accounts::session::{Proof, Proofs};
use tradepost_domain::accounts::sign_in::{PASSKEY_LIFE, PasskeySignIn};
use tradepost_domain::id::ChallengeId;
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::passkeys::PasskeyError;

use super::open_session::{AuthenticatedUser, SignedIn, user_agent};
use crate::accounts::passkeys::passkey_proofs::{PasskeyResponse, refused};
use crate::{Code, OpError, OpResult, Operations, Reason};

/// Unanswered questions that are deleted with each new one, so that few more are stored than are open.
const FORGOTTEN: u16 = 8;

/// A question that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeySignInAsked {
    /// The challenge that the answer must name.
    pub challenge_id: ChallengeId,
    /// The WebAuthn request options, as JSON.
    pub options: String,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct FinishPasskeySignIn {
    /// The question that it answers.
    pub challenge_id: ChallengeId,
    /// The authenticator's answer as JSON, as `PublicKeyCredential.toJSON()` gives it.
    pub credential: String,
    /// The client's own name, for the list of sessions.
    pub user_agent: Option<String>,
}

impl Operations {
    /// Asks for a passkey, whosever it is; gives WebAuthn request options that name no credential. They can be used once,
    /// within five minutes.
    ///
    /// # Errors
    /// `internal` alone.
    pub async fn begin_passkey_sign_in(&self, caller: &Caller) -> OpResult<PasskeySignInAsked> {
        let at = self.now();
        let begun = self.ports.passkeys.ask(&[]).map_err(refused)?;
        let id = self.mint();
        let mut changes = Changes::by(caller);
        changes.insert(PasskeySignIn { id, state: begun.state, created_at: at });
        self.commit(caller, changes).await?;
        self.forget_unanswered(caller, at).await?;
        Ok(PasskeySignInAsked { challenge_id: id, options: begun.options })
    }

    /// Signs in by the authenticator's answer. The question is taken out of storage before the answer is looked at, so that
    /// no answer is good twice. There are no tries to charge: what is looked at is a signature, and no code to be guessed.
    ///
    /// # Errors
    /// `unauthenticated` with `CREDENTIAL_REFUSED` for an unknown passkey, a disabled account and an answer to something else
    /// alike, with `PASSKEY_COMPROMISED` for a passkey that was copied, which is disabled; `failed_precondition` with
    /// `CHALLENGE_INVALID`; `invalid_argument` with `CREDENTIAL_MALFORMED`, or without a credential.
    pub async fn finish_passkey_sign_in(&self, caller: &Caller, command: FinishPasskeySignIn) -> OpResult<SignedIn> {
        credential_named_by(self, &command.credential)?;
        let user_id = self.ports.passkeys.user_named_by(&command.credential).map_err(refused)?;
        let at = self.now();
        let state = self.take_passkey_sign_in(caller, command.challenge_id, at).await?;
        let answer = PasskeyResponse { user_id, state: &state, credential: &command.credential };
        let user_agent = user_agent(command.user_agent.as_deref());
        let outcome = self.retrying(|| async {
            let user = self.ports.store.users().find(user_id).await?.filter(|user| !user.peek().disabled);
            let user = user.ok_or_else(|| to_stranger(refused(PasskeyError::Refused)))?;
            let mut changes = Changes::by(caller);
            use_passkey(self, caller, &answer, &mut changes, at).await.map_err(to_stranger)?;
            let user = changes.rely_on(user);
            let proved =
                AuthenticatedUser { user, proofs: Proofs::of(&[Proof::Passkey]), user_agent: user_agent.clone() };
            let signed_in = open_session(self, caller, &mut changes, proved, at).await?;
            self.commit(caller, changes).await?;
            Ok(signed_in)
        });
        let outcome = outcome.await;
        // The client names the user; an id that belongs to no user is left out of the log.
        let known = self.ports.store.users().find(user_id).await?.map(|user| user.peek().id);
        let tried = About::maybe(known).with(Fact::Method, Proof::Passkey.as_str());
        self.audit_denied(caller, AuditKind::SessionSignInFailed, tried, outcome).await
    }

    async fn take_passkey_sign_in(&self, caller: &Caller, id: ChallengeId, at: Timestamp) -> OpResult<String> {
        self.retrying(|| async {
            let asked = self.ports.store.sign_ins().find_by_passkey(id).await?.ok_or_else(invalid)?;
            let mut changes = Changes::detached(caller);
            let taken = changes.remove(asked);
            self.commit(caller, changes).await?;
            if taken.is_open(at) { Ok(taken.state) } else { Err(invalid()) }
        })
        .await
    }

    async fn forget_unanswered(&self, caller: &Caller, at: Timestamp) -> OpResult<()> {
        let over = self.ports.store.sign_ins().list_by_passkey_before(at.plus(-PASSKEY_LIFE), FORGOTTEN).await?;
        if over.is_empty() {
            return Ok(());
        }
        let mut changes = Changes::detached(caller);
        for asked in over {
            changes.remove(asked);
        }
        match self.commit(caller, changes).await {
            // Another call deletes them at the same time.
            Err(error) if error.is_conflict() => Ok(()),
            forgotten => forgotten.map(drop),
        }
    }
}

/// Maps an error for a caller that is not signed in yet: a denied permission becomes an invalid credential.
fn to_stranger(error: OpError) -> OpError {
    match error.code {
        Code::PermissionDenied => OpError { code: Code::Unauthenticated, ..error },
        Code::InvalidArgument
        | Code::FailedPrecondition
        | Code::Unauthenticated
        | Code::NotFound
        | Code::AlreadyExists
        | Code::ResourceExhausted
        | Code::Internal => error,
    }
}

fn invalid() -> OpError {
    let message = "the question is unknown, answered or expired; call BeginPasskeySignIn for a new one";
    OpError::failed_precondition(Reason::ChallengeInvalid, message)
}
