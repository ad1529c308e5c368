//! Reads of the second factors of users, and of re-authentication (step-up).

use async_trait::async_trait;
use tradepost_domain::accounts::guesses::{CodeGuesses, Guesser, Guesses};
use tradepost_domain::accounts::step_up::Factors;
use tradepost_domain::accounts::totp::{RecoveryCodes, Totp, TotpEnrollment};
use tradepost_domain::id::UserId;

use crate::changes::Seen;
use crate::store::StoreResult;

/// Second factors of a user, and wrong guesses at them.
#[async_trait]
pub trait SecondFactors: Send + Sync {
    /// Returns the factors that the user has.
    async fn find_all(&self, user: UserId) -> StoreResult<Factors>;
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
}
