//! Reads of the second factors of users, and of re-authentication (step-up).

use async_trait::async_trait;
use tradepost_domain::accounts::access::Prover;
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser, Guesses};
use tradepost_domain::accounts::passkey::{Passkey, PasskeyRegistration};
use tradepost_domain::accounts::step_up::{Challenge, Factors, Grant};
use tradepost_domain::accounts::totp::{RecoveryCodes, Totp, TotpEnrollment};
use tradepost_domain::id::{ChallengeId, PasskeyId, UserId};

use crate::changes::Seen;
use crate::store::StoreResult;

/// Second factors and step-up of a user.
#[async_trait]
pub trait SecondFactors: Send + Sync {
    /// Returns the factors that the user has.
    async fn find_factors(&self, user: UserId) -> StoreResult<Factors>;
    /// Returns the enrolled authenticator app.
    async fn find_totp(&self, user: UserId) -> StoreResult<Option<Seen<Totp>>>;
    /// Returns the enrolment that was begun.
    async fn find_totp_enrollment(&self, user: UserId) -> StoreResult<Option<Seen<TotpEnrollment>>>;
    /// Returns the recovery codes.
    async fn find_recovery_codes(&self, user: UserId) -> StoreResult<Option<Seen<RecoveryCodes>>>;
    /// Returns the wrong guesses at the account.
    async fn find_guesses(&self, user: UserId) -> StoreResult<Option<Seen<Guesses>>>;
    /// Returns the wrong codes that a guesser with a credential tried at the account.
    async fn find_code_guesses(&self, user: UserId, by: Guesser) -> StoreResult<Option<Seen<CodeGuesses>>>;
    /// Returns a passkey of the user.
    async fn find_passkey(&self, user: UserId, id: PasskeyId) -> StoreResult<Option<Seen<Passkey>>>;
    /// Returns all passkeys, disabled ones included, the oldest first.
    async fn list_passkeys(&self, user: UserId) -> StoreResult<Vec<Seen<Passkey>>>;
    /// Returns the registration that was begun.
    async fn find_passkey_registration(&self, user: UserId) -> StoreResult<Option<Seen<PasskeyRegistration>>>;
    /// Returns a challenge of the user.
    async fn find_challenge(&self, user: UserId, id: ChallengeId) -> StoreResult<Option<Seen<Challenge>>>;
    /// Returns the challenges issued to a user for a key or session, expired ones included, the oldest first.
    async fn list_challenges(&self, prover: Prover) -> StoreResult<Vec<Seen<Challenge>>>;
    /// Returns the proof given for a key or session.
    async fn find_grant(&self, prover: Prover) -> StoreResult<Option<Seen<Grant>>>;
}
