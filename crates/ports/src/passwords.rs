//! Password hashing and guess estimation.

use async_trait::async_trait;
use secrecy::SecretString;
use tradepost_domain::accounts::password::PasswordHash;

/// The hashing threads are all taken and the queue is full. Nothing was hashed; try again later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many passwords are being hashed")]
pub struct HasherBusy;

/// Hashes and estimates passwords. Both take tens of milliseconds of one core, so the number at work is capped.
#[async_trait]
pub trait Passwords: Send + Sync {
    /// Hashes a password (argon2id), as a PHC string.
    ///
    /// # Errors
    /// [`HasherBusy`] when too many are waiting.
    async fn hash(&self, password: SecretString) -> Result<PasswordHash, HasherBusy>;

    /// Whether the password is the one that was hashed. Without a hash a fixed one is checked, so that both cases take
    /// the same time; the answer is then `false`.
    ///
    /// # Errors
    /// [`HasherBusy`] when too many are waiting.
    async fn verify(&self, password: SecretString, hash: Option<PasswordHash>) -> Result<bool, HasherBusy>;

    /// Whether the hash was made at another cost than hashes are now, and wants to be made anew once the password is known.
    fn is_outdated(&self, hash: &PasswordHash) -> bool;

    /// Whether the password is known to have been stolen somewhere, by whoever guesses too. Of others, a few in a million may be
    /// taken for stolen.
    fn is_breached(&self, password: &SecretString) -> bool;

    /// How hard the password is to guess, from 0 (at once) to 4 (zxcvbn's score), knowing the account's words.
    ///
    /// # Errors
    /// [`HasherBusy`] when too many are waiting.
    async fn score(&self, password: SecretString, context: Vec<String>) -> Result<u8, HasherBusy>;
}
