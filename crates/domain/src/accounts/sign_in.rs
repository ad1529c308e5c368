//! Signing in with a second factor: the password was right, or an identity of another platform proved, and a code or passkey
//! is asked for. Also signing in with a passkey alone.
//!
//! The caller is not authenticated yet, so the question is found by its own id and never by a user.

use time::Duration;

use crate::accounts::session::{Proof, Proofs};
use crate::accounts::step_up::{ChallengeError, Factors, Method};
use crate::accounts::user::User;
use crate::id::{ChallengeId, UserId};
use crate::time::Timestamp;

/// How long a sign-in that was begun can be completed.
pub const LIFE: Duration = Duration::minutes(10);
/// How many codes may be tried against one.
pub const TRIES: u8 = 5;

/// How long the question for whose passkey it may be can be answered.
pub const PASSKEY_LIFE: Duration = Duration::minutes(5);

/// A sign-in whose first proof was good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSignIn {
    /// Identifier, which the answer names.
    pub id: ChallengeId,
    /// Who it was.
    pub user_id: UserId,
    /// What was proved.
    pub proofs: Proofs,
    /// The WebAuthn library's state as JSON, for a user who has passkeys. An answer consumes it.
    pub passkey_state: Option<String>,
    /// How many codes may still be tried.
    pub tries_left: u8,
    /// When it was proved.
    pub created_at: Timestamp,
}

impl PendingSignIn {
    /// Whether it can still be completed at this time.
    pub fn is_open(&self, at: Timestamp) -> bool {
        at < self.created_at.plus(LIFE)
    }

    /// Whether the user is still let in, and still has the password if one was given.
    pub fn is_still_valid(&self, user: &User) -> bool {
        let is_unchanged = || user.password.as_ref().is_some_and(|password| password.changed_at <= self.created_at);
        !user.disabled && (!self.proofs.has(Proof::Password) || is_unchanged())
    }

    /// Charges one try. The code is looked at only after the charge is stored, so that parallel tries cannot exceed it.
    ///
    /// # Errors
    /// [`ChallengeError`] says why no code may be tried.
    pub fn charge(self, at: Timestamp) -> Result<Self, ChallengeError> {
        if !self.is_open(at) {
            return Err(ChallengeError::Invalid);
        }
        let tries_left = self.tries_left.checked_sub(1).ok_or(ChallengeError::Exhausted)?;
        Ok(Self { tries_left, ..self })
    }

    /// Charges one try with a passkey, and takes the state out: the same answer would pass on the same state every time.
    ///
    /// # Errors
    /// [`ChallengeError`] says why no answer may be looked at.
    pub fn charge_passkey(self, at: Timestamp) -> Result<(Self, String), ChallengeError> {
        let mut charged = self.charge(at)?;
        let state = charged.passkey_state.take().ok_or(ChallengeError::PasskeyNotAsked)?;
        Ok((charged, state))
    }
}

/// A question for a passkey, whosever it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeySignIn {
    /// Identifier, which the answer names.
    pub id: ChallengeId,
    /// The WebAuthn library's state, as JSON; it holds the challenge.
    pub state: String,
    /// When it was asked.
    pub created_at: Timestamp,
}

impl PasskeySignIn {
    /// Whether it can still be answered at this time.
    pub fn is_open(&self, at: Timestamp) -> bool {
        at < self.created_at.plus(PASSKEY_LIFE)
    }
}

/// Returns the methods required in addition to the first proof: none for users without a factor stronger than e-mail.
pub fn methods(factors: Factors) -> Vec<Method> {
    factors.methods().into_iter().filter(|method| *method != Method::Email).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending() -> PendingSignIn {
        PendingSignIn {
            id: ChallengeId::from_bytes([1; 16]),
            user_id: UserId::from_bytes([2; 16]),
            proofs: Proofs::of(&[Proof::Password]),
            passkey_state: Some("state".to_owned()),
            tries_left: TRIES,
            created_at: at(0),
        }
    }

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_micros(0).unwrap().plus(Duration::minutes(minutes))
    }

    #[test]
    fn five_tries_and_no_sixth() {
        let spent = (0..TRIES).fold(pending(), |open, _| open.charge(at(1)).unwrap());
        assert_eq!(spent.charge(at(1)), Err(ChallengeError::Exhausted));
    }

    #[test]
    fn a_sign_in_is_completed_within_ten_minutes() {
        assert!(pending().charge(at(9)).is_ok());
        assert_eq!(pending().charge(at(10)), Err(ChallengeError::Invalid));
    }

    #[test]
    fn the_state_of_a_passkey_is_taken_once() {
        let (taken, state) = pending().charge_passkey(at(1)).unwrap();
        assert_eq!((state.as_str(), taken.tries_left), ("state", TRIES - 1));
        assert_eq!(taken.charge_passkey(at(2)), Err(ChallengeError::PasskeyNotAsked));
    }

    #[test]
    fn the_question_for_anybodys_passkey_is_open_for_five_minutes() {
        let asked =
            PasskeySignIn { id: ChallengeId::from_bytes([1; 16]), state: "state".to_owned(), created_at: at(0) };
        assert!(asked.is_open(at(4)) && !asked.is_open(at(5)));
    }

    #[test]
    fn a_mailed_code_is_never_enough_with_a_password() {
        let none = Factors { email: true, totp: false, passkey: false, recovery_code: false };
        assert_eq!(methods(none), []);
        assert_eq!(methods(Factors { totp: true, recovery_code: true, ..none }), [Method::Totp, Method::RecoveryCode]);
        assert_eq!(methods(Factors { passkey: true, ..none }), [Method::Passkey]);
    }
}
