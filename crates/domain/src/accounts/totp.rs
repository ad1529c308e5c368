//! Time-based one-time passwords: the enrolled second factor, its enrolment, and recovery codes. RFC 6238 is a port.

use time::Duration;

use crate::accounts::api_key::PepperId;
use crate::id::{EnrollmentId, UserId};
use crate::time::Timestamp;

/// How long an enrolment that was begun may be confirmed.
pub const ENROLLMENT_LIFE: Duration = Duration::minutes(10);
/// How many codes may be tried against one enrolment.
pub const ENROLLMENT_TRIES: u8 = 5;
/// How many recovery codes a user gets.
pub const RECOVERY_CODES: usize = 10;

/// An enrolled authenticator app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totp {
    /// Whose it is.
    pub user_id: UserId,
    /// The shared secret, sealed.
    pub sealed_secret: Vec<u8>,
    /// The last time step whose code was used; only later ones are accepted, so that no code works twice.
    pub last_step: u64,
    /// When it was confirmed.
    pub enabled_at: Timestamp,
}

/// The code of this step, or a later one, was used before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this code was used before")]
pub struct StepUsed;

impl Totp {
    /// The factor after the code of `step` was used.
    ///
    /// # Errors
    /// [`StepUsed`] unless the step lies after every one used before.
    pub fn used(self, step: u64) -> Result<Self, StepUsed> {
        if step > self.last_step { Ok(Self { last_step: step, ..self }) } else { Err(StepUsed) }
    }
}

/// An enrolment that was begun. A user has at most one; a new one replaces the old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotpEnrollment {
    /// Identifier, which the confirmation names.
    pub id: EnrollmentId,
    /// The enrolling user.
    pub user_id: UserId,
    /// The secret to be shared, sealed.
    pub sealed_secret: Vec<u8>,
    /// How many codes may still be tried.
    pub tries_left: u8,
    /// When it was begun.
    pub created_at: Timestamp,
}

/// The enrolment can no longer be confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EnrollmentError {
    /// Begun too long ago.
    #[error("the enrolment has expired")]
    Expired,
    /// Too many wrong codes.
    #[error("too many wrong codes were tried")]
    Exhausted,
}

impl TotpEnrollment {
    /// Charges one try. The code is looked at only after the charge is stored, so that parallel tries cannot exceed it.
    ///
    /// # Errors
    /// [`EnrollmentError`] says why no code may be tried.
    pub fn charge(self, at: Timestamp) -> Result<Self, EnrollmentError> {
        if at >= self.created_at.plus(ENROLLMENT_LIFE) {
            return Err(EnrollmentError::Expired);
        }
        let tries_left = self.tries_left.checked_sub(1).ok_or(EnrollmentError::Exhausted)?;
        Ok(Self { tries_left, ..self })
    }
}

/// What is kept of a user's recovery codes: digests, each usable once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveryCodes {
    /// Whose they are.
    pub user_id: UserId,
    /// Digests of the codes not used yet.
    pub digests: Vec<[u8; 32]>,
    /// The pepper that they were digested under; absent for codes made before that was written down.
    pub pepper: Option<PepperId>,
    /// When they were made.
    pub created_at: Timestamp,
}

impl RecoveryCodes {
    /// A code as its digest is made of it, from what a person typed: Crockford's base 32 knows no case, reads O as 0 and I
    /// and L as 1, and lets a code be broken up by hyphens.
    pub fn as_made(typed: &str) -> String {
        let digits = typed.chars().filter(|c| *c != '-' && !c.is_whitespace());
        digits
            .map(|c| match c.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                digit => digit,
            })
            .collect()
    }

    /// What is left after the code with this digest was used. The caller has compared it in constant time.
    #[must_use]
    pub fn without(self, used: &[u8; 32]) -> Self {
        Self { digests: self.digests.into_iter().filter(|digest| digest != used).collect(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_may_be_typed_as_people_do() {
        assert_eq!(RecoveryCodes::as_made(" 7ok3-il0q \n"), "70K3110Q");
        assert_eq!(RecoveryCodes::as_made("70K3110Q"), "70K3110Q");
    }

    #[test]
    fn a_used_recovery_code_is_removed() {
        let user_id = UserId::from_bytes([1; 16]);
        let (digests, created_at) = (vec![[1; 32], [2; 32]], Timestamp::from_micros(0).unwrap());
        let codes = RecoveryCodes { user_id, digests, pepper: None, created_at };
        assert_eq!(codes.without(&[1; 32]).digests, [[2; 32]]);
    }
}
