//! `BeginTOTPEnrollment`: offers a secret for an authenticator app.

use secrecy::{ExposeSecret as _, SecretSlice, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::totp::{ENROLLMENT_TRIES, TotpEnrollment};
use tradepost_domain::id::{EnrollmentId, UserId};
use tradepost_ports::changes::{Caller, Changes};

use crate::rules;
use crate::{OpError, OpResult, Operations, Reason};

/// A secret on offer.
#[derive(Debug)]
pub struct TotpOffered {
    /// The enrolment that the confirmation must name.
    pub enrollment_id: EnrollmentId,
    /// The secret in base 32.
    pub secret: SecretString,
    /// The `otpauth://` address for a QR code.
    pub otpauth_url: SecretString,
}

impl Operations {
    /// Begins the enrolment of an authenticator app; nothing changes until it is confirmed.
    ///
    /// # Errors
    /// `failed_precondition` with `STEP_UP_REQUIRED` or `TOTP_ENABLED`; `permission_denied` for a key without `identity`.
    pub async fn begin_totp_enrollment(&self, caller: &Caller) -> OpResult<TotpOffered> {
        let user_id = caller.principal.act_as_user()?;
        let at = self.now();
        let mut changes = Changes::by(caller);
        self.require_step_up(caller, rules::BEGIN_TOTP_ENROLLMENT, &mut changes).await?;
        if self.ports.store.second_factors().find_totp(user_id).await?.is_some() {
            return Err(totp_enabled());
        }
        let user = self.ports.store.users().find(user_id).await?.ok_or_else(|| OpError::not_found("user"))?;
        let (user, _) = user.into_display();
        let account = user.email.as_ref().map_or(user.display_name.as_str(), |email| email.as_str());
        let setup = self.ports.totp.setup(account);
        let enrollment = TotpEnrollment {
            id: self.mint(),
            user_id,
            sealed_secret: self.seal_totp_secret(user_id, setup.secret.expose_secret()),
            tries_left: ENROLLMENT_TRIES,
            created_at: at,
        };
        let enrollment_id = enrollment.id;
        changes.put(enrollment);
        changes.audit(AuditKind::TotpBegin, user_id);
        self.commit(caller, changes).await?;
        Ok(TotpOffered { enrollment_id, secret: setup.secret_base32, otpauth_url: setup.otpauth_url })
    }

    /// Seals a user's shared secret. Enrolment and factor share the place: the bytes move from one to the other.
    fn seal_totp_secret(&self, user_id: UserId, secret: &[u8]) -> Vec<u8> {
        self.ports.secrets.seal(&place(user_id), secret)
    }
}

/// Opens a user's shared secret.
pub(crate) fn open_totp_secret(operations: &Operations, user_id: UserId, sealed: &[u8]) -> OpResult<SecretSlice<u8>> {
    let opened = operations.ports.secrets.open(&place(user_id), sealed);
    opened.map(SecretSlice::from).map_err(|error| OpError::internal(format!("TOTP secret of {user_id}: {error}")))
}

fn place(user_id: UserId) -> String {
    format!("totp/secret/{user_id}")
}

/// Returns the error for a user who has an enrolled app already.
pub(crate) fn totp_enabled() -> OpError {
    OpError::failed_precondition(Reason::TotpEnabled, "an authenticator app is enrolled already")
}
