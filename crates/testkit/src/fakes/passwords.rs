//! Password hashing that costs nothing.

use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::password::PasswordHash;

use tradepost_ports::passwords::{HasherBusy, Passwords};

/// Keeps the password in its hash. Accepts every password as strong and secret except [`FakePasswords::WEAK`] and
/// [`FakePasswords::BREACHED`]. Has no free thread for [`FakePasswords::BUSY`].
#[derive(Debug, Default)]
pub struct FakePasswords;

impl FakePasswords {
    /// A password that passes every rule of length and is easy to guess all the same.
    pub const WEAK: &str = "qwertyuiop qwertyuiop";

    /// A password that is hard to guess and was stolen.
    pub const BREACHED: &str = "copper lantern under six bridges";

    /// A password that finds all threads busy.
    pub const BUSY: &str = "nine quiet herons stand in line";

    const OUTDATED: &str = "$outdated$";

    /// Returns the hash of a password at another cost.
    pub fn outdated_hash_of(password: &str) -> PasswordHash {
        PasswordHash::new(format!("{}{password}", Self::OUTDATED))
    }

    /// Returns the hash of a password, for records that are created without an operation.
    pub fn hash_of(password: &str) -> PasswordHash {
        PasswordHash::new(format!("$fake${password}"))
    }
}

#[async_trait]
impl Passwords for FakePasswords {
    async fn hash(&self, password: SecretString) -> Result<PasswordHash, HasherBusy> {
        free(&password).map(|()| Self::hash_of(password.expose_secret()))
    }

    async fn verify(&self, password: SecretString, hash: Option<PasswordHash>) -> Result<bool, HasherBusy> {
        free(&password)?;
        let made = [Self::hash_of(password.expose_secret()), Self::outdated_hash_of(password.expose_secret())];
        Ok(hash.is_some_and(|hash| made.contains(&hash)))
    }

    fn is_outdated(&self, hash: &PasswordHash) -> bool {
        hash.as_str().starts_with(Self::OUTDATED)
    }

    fn is_breached(&self, password: &SecretString) -> bool {
        password.expose_secret() == Self::BREACHED
    }

    async fn score(&self, password: SecretString, _context: Vec<String>) -> Result<u8, HasherBusy> {
        free(&password).map(|()| if password.expose_secret() == Self::WEAK { 0 } else { 4 })
    }
}

fn free(password: &SecretString) -> Result<(), HasherBusy> {
    if password.expose_secret() == FakePasswords::BUSY { Err(HasherBusy) } else { Ok(()) }
}
