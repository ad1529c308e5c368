//! `ConfirmTOTPEnrollment`: proves that the authenticator app works, and makes it the second factor.

use crate::accounts::two_factor::begin_totp_enrollment::open_totp_secret;
use crate::accounts::two_factor::recovery_codes::make_recovery_codes;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::audit::AuditKind;
use tradepost_domain::accounts::totp::{EnrollmentError, Totp};
use tradepost_domain::id::{EnrollmentId, UserId};
use tradepost_domain::time::Timestamp;
use tradepost_ports::changes::{Caller, Changes};
use tradepost_ports::limiter::RateClass;
use tradepost_ports::store::{StoreError, Unique};

use super::begin_totp_enrollment::totp_enabled;
use crate::{OpError, OpResult, Operations, Reason, fields};

/// The confirmation.
#[derive(Debug, Clone)]
pub struct ConfirmTotpEnrollment {
    /// The enrolment.
    pub enrollment_id: EnrollmentId,
    /// A code of the app.
    pub code: SecretString,
}

impl Operations {
    /// Confirms an enrolment and gives ten recovery codes, shown this once.
    ///
    /// # Errors
    /// `permission_denied` with `CODE_MISMATCH`; `failed_precondition` with `ENROLLMENT_INVALID`,
    /// `ENROLLMENT_EXHAUSTED` or `TOTP_ENABLED`; `invalid_argument` without a code.
    pub async fn confirm_totp_enrollment(
        &self,
        caller: &Caller,
        command: ConfirmTotpEnrollment,
    ) -> OpResult<Vec<SecretString>> {
        let user_id = caller.principal.act_as_user()?;
        fields::given("code", &command.code)?;
        self.charge_user(user_id, RateClass::Code).await?;
        let at = self.now();
        let sealed_secret = self.charge_enrollment(caller, user_id, command.enrollment_id, at).await?;
        let secret = open_totp_secret(self, user_id, &sealed_secret)?;
        let step = self.ports.totp.step_of(secret.expose_secret(), command.code.expose_secret().trim(), at);
        let last_step =
            step.ok_or_else(|| OpError::permission_denied(Reason::CodeMismatch, "the code is not right"))?;
        let mut changes = Changes::by(caller);
        let open = self.ports.store.second_factors().find_totp_enrollment(user_id).await?;
        let open = open.filter(|open| open.peek().id == command.enrollment_id);
        changes.remove(open.ok_or_else(invalid)?);
        changes.insert(Totp { user_id, sealed_secret, last_step, enabled_at: at });
        changes.audit(AuditKind::TotpEnabled, user_id);
        let codes = make_recovery_codes(self, user_id, at, &mut changes);
        self.commit(caller, changes).await.map_err(enrolled_meanwhile)?;
        Ok(codes)
    }

    /// Charges one try and gives the sealed secret to check the code with.
    async fn charge_enrollment(
        &self,
        caller: &Caller,
        user_id: UserId,
        id: EnrollmentId,
        at: Timestamp,
    ) -> OpResult<Vec<u8>> {
        self.retrying(|| async {
            let open = self
                .ports
                .store
                .second_factors()
                .find_totp_enrollment(user_id)
                .await?
                .filter(|open| open.peek().id == id);
            let mut changes = Changes::detached(caller);
            let charged = changes.revise(open.ok_or_else(invalid)?, |open| open.charge(at)).map_err(refusal)?;
            self.commit(caller, changes).await?;
            Ok(charged.value.sealed_secret)
        })
        .await
    }
}

fn refusal(error: EnrollmentError) -> OpError {
    match error {
        EnrollmentError::Expired => invalid(),
        EnrollmentError::Exhausted => OpError::failed_precondition(
            Reason::EnrollmentExhausted,
            format!("{error}; call BeginTOTPEnrollment again"),
        ),
    }
}

fn invalid() -> OpError {
    let message = "the enrolment is unknown, used or expired; call BeginTOTPEnrollment again";
    OpError::failed_precondition(Reason::EnrollmentInvalid, message)
}

fn enrolled_meanwhile(error: OpError) -> OpError {
    match error.source {
        Some(StoreError::Duplicate(Unique::Address)) => totp_enabled(),
        Some(_) | None => error,
    }
}
