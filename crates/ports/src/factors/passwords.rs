//! Password hashing and guess estimation.

use async_trait::async_trait;
use secrecy::SecretString;
use tradepost_domain::accounts::password::PasswordHash;

/// All hashing threads are busy and the queue is full. Nothing was hashed; the caller may retry later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many passwords are being hashed")]
pub struct HasherBusy;

/// Hashes and estimates passwords. Both take tens of milliseconds of one core, so the number of active ones is capped.
#[async_trait]
pub trait Passwords: Send + Sync {
    /// Hashes a password (argon2id), as a PHC string.
    ///
    /// # Errors
    /// [`HasherBusy`] when too many are waiting.
    async fn hash(&self, password: SecretString) -> Result<PasswordHash, HasherBusy>;

    /// Returns whether the password is the one that was hashed. Without a hash it checks a fixed one, so that both cases take the same
    /// time. The answer is then `false`.
    ///
    /// # Errors
    /// [`HasherBusy`] when too many are waiting.
    async fn verify(&self, password: SecretString, hash: Option<PasswordHash>) -> Result<bool, HasherBusy>;

    /// Returns whether the hash has another cost than current hashes. Such a hash is replaced once the password is known.
    fn is_outdated(&self, hash: &PasswordHash) -> bool;

    /// Returns whether the password is known to have been stolen, since guessers have the same lists. Of others, a few in a million may be
    /// reported as stolen.
    fn is_breached(&self, password: &SecretString) -> bool;

    /// Returns how hard the password is to guess, from 0 (at once) to 4 (zxcvbn's score), knowing the account's words.
    ///
    /// # Errors
    /// [`HasherBusy`] when too many are waiting.
    async fn score(&self, password: SecretString, context: Vec<String>) -> Result<u8, HasherBusy>;
}
