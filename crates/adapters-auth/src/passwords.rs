//! Passwords: argon2id hashes and guess estimates, both off the request threads. It must not know the rules that a
//! password has to meet.

use std::time::Duration;

use argon2::password_hash::{Error as HashError, PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, PasswordHash as Phc, Version};
use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::accounts::password::PasswordHash;
use tradepost_ports::passwords::{HasherBusy, Passwords};

use crate::blocking::CappedThreads;
use crate::breached_passwords::BreachedPasswords;
use crate::random;

/// What one hash costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordCost {
    /// Memory in KiB; at least 8 for each lane.
    pub memory_kib: u32,
    /// Passes over the memory; at least 1.
    pub passes: u32,
    /// Lanes; at least 1. They run one after the other.
    pub lanes: u32,
}

impl PasswordCost {
    /// As cheap as argon2 can be, and as good as no hashing: for tests and throw-away data alone.
    pub const INSECURE: Self = Self { memory_kib: 8, passes: 1, lanes: 1 };
}

impl Default for PasswordCost {
    /// 64 MiB, two passes, one lane: above the least that OWASP's Password Storage Cheat Sheet asks for.
    fn default() -> Self {
        Self { memory_kib: 65_536, passes: 2, lanes: 1 }
    }
}

/// argon2 cannot be run at this cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("password hashes cannot cost {cost:?}: {reason}")]
pub struct InvalidCost {
    cost: PasswordCost,
    reason: argon2::Error,
}

/// Characters of a password by which guesses are estimated. The time of an estimate grows with the square of the length and
/// with the substitutions (`4` for `a`) that it has to try: 120 characters could take a second, and overflow its counts.
const ESTIMATED: usize = 32;
/// How long a caller waits for an estimate.
const ESTIMATE_WITHIN: Duration = Duration::from_secs(2);

/// argon2id (RFC 9106) on at most all cores but one, and zxcvbn on threads of its own, so that no sign-in waits for an estimate.
///
/// A hash names its own cost, so hashes made at another cost remain valid. Work beyond the cores waits at most 2 s, and at
/// most 32 wait at once; a later caller gets [`HasherBusy`].
pub struct Argon2Passwords {
    argon2: Argon2<'static>,
    /// Checked where there is no hash.
    decoy: PasswordHash,
    breached: Option<BreachedPasswords>,
    threads: CappedThreads,
    estimating: CappedThreads,
}

impl Argon2Passwords {
    /// Hashes made at this cost.
    ///
    /// # Errors
    /// [`InvalidCost`] when argon2 cannot be run at it.
    pub fn new(cost: PasswordCost) -> Result<Self, InvalidCost> {
        let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, None);
        let params = params.map_err(|reason| InvalidCost { cost, reason })?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let (threads, estimating) = (CappedThreads::all_cores_but_one(), CappedThreads::few());
        Ok(Self { argon2, decoy: decoy(cost), breached: None, threads, estimating })
    }

    /// The same, which know the passwords of a list as stolen.
    #[must_use]
    pub fn with_breached(self, breached: Option<BreachedPasswords>) -> Self {
        Self { breached, ..self }
    }

    /// Loads the dictionaries of the guess estimate, so that the first caller does not wait for them. To be called once at
    /// start; without it everything works all the same.
    ///
    /// # Errors
    /// [`HasherBusy`] when passwords are being hashed already.
    pub async fn warm(&self) -> Result<(), HasherBusy> {
        self.score(SecretString::from("correct horse battery staple"), Vec::new()).await.map(drop)
    }
}

#[async_trait]
impl Passwords for Argon2Passwords {
    async fn hash(&self, password: SecretString) -> Result<PasswordHash, HasherBusy> {
        let argon2 = self.argon2.clone();
        self.threads.run(move || hash(&argon2, &password)).await?
    }

    async fn verify(&self, password: SecretString, hash: Option<PasswordHash>) -> Result<bool, HasherBusy> {
        let argon2 = self.argon2.clone();
        let hash = hash.unwrap_or_else(|| self.decoy.clone());
        let work = move || verify(&argon2, &password, &hash);
        self.threads.run(work).await?
    }

    fn is_outdated(&self, hash: &PasswordHash) -> bool {
        let cost = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
        let made = Phc::new(hash.as_str()).ok().and_then(|phc| Params::try_from(&phc).ok());
        made.as_ref().map(cost) != Some(cost(self.argon2.params()))
    }

    fn is_breached(&self, password: &SecretString) -> bool {
        self.breached.as_ref().is_some_and(|breached| breached.contains(password))
    }

    async fn score(&self, password: SecretString, context: Vec<String>) -> Result<u8, HasherBusy> {
        let work = move || {
            let words: Vec<&str> = context.iter().map(|word| beginning(word)).collect();
            zxcvbn::zxcvbn(beginning(password.expose_secret()), &words).score().into()
        };
        self.estimating.run_within(ESTIMATE_WITHIN, work).await
    }
}

/// The part of a text that an estimate reads.
fn beginning(text: &str) -> &str {
    text.char_indices().nth(ESTIMATED).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

fn hash(argon2: &Argon2<'_>, password: &SecretString) -> Result<PasswordHash, HasherBusy> {
    let salt: [u8; argon2::RECOMMENDED_SALT_LEN] = random::bytes();
    let made = argon2.hash_password_with_salt(password.expose_secret().as_bytes(), &salt);
    made.map(|phc| PasswordHash::new(phc.to_string())).map_err(|error| not_done(&error))
}

fn verify(argon2: &Argon2<'_>, password: &SecretString, hash: &PasswordHash) -> Result<bool, HasherBusy> {
    let checked = Phc::new(hash.as_str()).map_err(HashError::from);
    let checked = checked.and_then(|phc| argon2.verify_password(password.expose_secret().as_bytes(), &phc));
    match checked {
        Ok(()) => Ok(true),
        Err(HashError::PasswordInvalid) => Ok(false),
        Err(error) => Err(not_done(&error)),
    }
}

/// A hash of no password, at this cost: checking a password against it takes as long as against any other, and never succeeds.
fn decoy(cost: PasswordCost) -> PasswordHash {
    let PasswordCost { memory_kib, passes, lanes } = cost;
    let (salt, output) = ("A".repeat(22), "A".repeat(43));
    PasswordHash::new(format!("$argon2id$v=19$m={memory_kib},t={passes},p={lanes}${salt}${output}"))
}

/// Too little memory, or a stored hash that is none. The port has one answer to work that was not done; the log has the
/// reason.
fn not_done(error: &HashError) -> HasherBusy {
    tracing::error!(%error, "a password was neither hashed nor checked");
    HasherBusy
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSWORD: &str = "copper lantern under seven bridges";

    fn cheap() -> Argon2Passwords {
        Argon2Passwords::new(PasswordCost::INSECURE).unwrap()
    }

    fn secret(password: &str) -> SecretString {
        SecretString::from(password)
    }

    #[tokio::test]
    async fn a_password_differs_from_every_other() {
        let passwords = cheap();
        let hash = passwords.hash(secret(PASSWORD)).await.unwrap();
        assert_eq!(passwords.verify(secret(PASSWORD), Some(hash.clone())).await, Ok(true));
        for other in ["", "copper lantern under seven bridge", "Copper lantern under seven bridges"] {
            assert_eq!(passwords.verify(secret(other), Some(hash.clone())).await, Ok(false), "{other:?}");
        }
    }

    #[tokio::test]
    async fn the_same_password_has_another_hash_every_time() {
        let passwords = cheap();
        assert_ne!(passwords.hash(secret(PASSWORD)).await, passwords.hash(secret(PASSWORD)).await);
    }

    #[tokio::test]
    async fn hashes_say_how_they_were_made() {
        let passwords = Argon2Passwords::new(PasswordCost::default()).unwrap();
        let hash = passwords.hash(secret(PASSWORD)).await.unwrap();
        assert!(hash.as_str().starts_with("$argon2id$v=19$m=65536,t=2,p=1$"), "{}", hash.as_str());
    }

    #[tokio::test]
    async fn hashes_of_another_cost_remain_valid() {
        let hash = cheap().hash(secret(PASSWORD)).await.unwrap();
        let costlier = Argon2Passwords::new(PasswordCost { passes: 2, ..PasswordCost::INSECURE }).unwrap();
        assert_eq!(costlier.verify(secret(PASSWORD), Some(hash)).await, Ok(true));
    }

    #[tokio::test]
    async fn hashes_of_another_cost_are_outdated() {
        let hash = cheap().hash(secret(PASSWORD)).await.unwrap();
        let costlier = Argon2Passwords::new(PasswordCost { passes: 2, ..PasswordCost::INSECURE }).unwrap();
        assert!(costlier.is_outdated(&hash) && !cheap().is_outdated(&hash));
    }

    #[tokio::test]
    async fn nobody_has_the_password_of_a_missing_account() {
        assert_eq!(cheap().verify(secret(PASSWORD), None).await, Ok(false));
    }

    #[tokio::test]
    async fn a_stored_value_that_is_no_hash_is_never_called_a_match() {
        let broken = PasswordHash::new("not a hash".to_owned());
        assert_eq!(cheap().verify(secret("not a hash"), Some(broken)).await, Err(HasherBusy));
    }

    #[tokio::test]
    async fn an_estimate_knows_common_passwords_and_good_ones() {
        let passwords = cheap();
        passwords.warm().await.unwrap();
        assert_eq!(passwords.score(secret("password1234567"), Vec::new()).await, Ok(1));
        assert_eq!(passwords.score(secret(PASSWORD), Vec::new()).await, Ok(4));
    }

    #[tokio::test]
    async fn an_estimate_knows_the_accounts_own_words() {
        let words = vec!["zyxgorblat".to_owned(), "quuxwibble".to_owned()];
        let unknown = cheap().score(secret("zyxgorblatquuxwibble"), Vec::new()).await.unwrap();
        let known = cheap().score(secret("zyxgorblatquuxwibble"), words).await.unwrap();
        assert!(known < unknown, "{known} with the words, {unknown} without");
    }

    #[tokio::test]
    async fn an_estimate_takes_no_longer_for_a_longer_password() {
        let passwords = cheap();
        for part in ["4@8({[<369!1|0$5+7%2", "$5", "aA@4", "qwertzuiop", "\u{130}", "2026-11-23"] {
            let long: String = part.chars().cycle().take(128).collect();
            assert!(passwords.score(secret(&long), vec![long.clone()]).await.is_ok(), "{part}");
        }
    }

    #[tokio::test]
    async fn an_estimate_looks_at_the_first_32_characters() {
        let weak = "password".repeat(4);
        let passwords = cheap();
        let score = async |password: String| passwords.score(SecretString::from(password), Vec::new()).await.unwrap();
        assert_eq!(score(format!("{weak}{PASSWORD}")).await, score(weak).await);
    }

    #[tokio::test]
    async fn no_check_waits_for_an_estimate() {
        let passwords = cheap();
        let (release, released) = std::sync::mpsc::channel::<()>();
        let estimating = passwords.estimating.run(move || released.recv().is_err());
        let checking = async {
            assert_eq!(passwords.verify(secret(PASSWORD), None).await, Ok(false));
            drop(release);
        };
        assert_eq!(tokio::join!(estimating, checking).0, Ok(true));
    }

    #[test]
    fn an_impossible_cost_is_refused_with_the_reason() {
        let refused = Argon2Passwords::new(PasswordCost { memory_kib: 7, passes: 1, lanes: 1 }).err().unwrap();
        assert!(refused.to_string().starts_with("password hashes cannot cost"), "{refused}");
    }
}
