//! `FinishPasskeyRegistration`: keeps the credential that the authenticator made.

use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::passkey::{MOST, Passkey};
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::passkeys::PasskeyError;
use tradepost_ports::store::{StoreError, Unique};

use crate::rules;
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// The authenticator's response.
#[derive(Debug, Clone)]
pub struct FinishPasskeyRegistration {
    /// The registration response as JSON, as `PublicKeyCredential.toJSON()` gives it.
    pub credential: String,
}

impl Operations {
    /// Finishes the registration that was begun last.
    ///
    /// # Errors
    /// `invalid_argument` with `CREDENTIAL_MALFORMED` or `CREDENTIAL_REFUSED`; `failed_precondition` with
    /// `CHALLENGE_INVALID`, `PASSKEY_LIMIT` or `STEP_UP_REQUIRED`; `already_exists` with `PASSKEY_EXISTS`.
    pub async fn finish_passkey_registration(
        &self,
        caller: &Caller,
        command: FinishPasskeyRegistration,
    ) -> OpResult<Versioned<Passkey>> {
        let user_id = caller.principal.act_as_user()?;
        if command.credential.trim().is_empty() {
            return Err(OpError::invalid_field("credential", "must not be empty"));
        }
        let at = self.now();
        let mut changes = Changes::by(caller);
        self.require_step_up(caller, rules::FINISH_PASSKEY_REGISTRATION, &mut changes).await?;
        let begun = self.ports.store.passkeys().find_registration(user_id).await?;
        let begun = begun.filter(|begun| begun.peek().is_live(at)).ok_or_else(not_begun)?;
        if self.ports.store.passkeys().list(user_id).await?.len() >= MOST {
            return Err(OpError::failed_precondition(
                Reason::PasskeyLimit,
                format!("a user has at most {MOST} passkeys"),
            ));
        }
        let registered = self.ports.passkeys.finish(&begun.peek().state, &command.credential).map_err(refusal)?;
        // The registration ends in the same commit: the same answer would pass on the same state again.
        let begun = changes.remove(begun);
        let passkey = Passkey {
            id: self.mint(),
            user_id,
            name: begun.name,
            credential_id: registered.credential_id,
            credential: registered.credential,
            backed_up: registered.backed_up,
            authenticator: registered.authenticator,
            created_at: at,
            last_used_at: None,
            disabled_at: None,
        };
        changes.insert(passkey.clone());
        changes.audit(AuditKind::PasskeyRegistered, &passkey);
        self.commit(caller, changes).await.map_err(lost_race)?;
        Ok(Versioned::new(passkey))
    }
}

fn not_begun() -> OpError {
    let message = "no registration is open, or it has expired; call BeginPasskeyRegistration first";
    OpError::failed_precondition(Reason::ChallengeInvalid, message)
}

fn refusal(error: PasskeyError) -> OpError {
    match error {
        PasskeyError::Malformed => OpError::invalid_argument(Reason::CredentialMalformed, error.to_string()),
        PasskeyError::Refused | PasskeyError::Copied => {
            OpError::invalid_argument(Reason::CredentialRefused, error.to_string())
        }
        PasskeyError::State(why) => OpError::internal(why),
    }
}

fn lost_race(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::PasskeyCredential)) => {
            OpError::already_exists(Reason::PasskeyExists, "this passkey is registered already")
        }
        Some(StoreError::Conflict) => not_begun(),
        Some(_) | None => error,
    }
}
