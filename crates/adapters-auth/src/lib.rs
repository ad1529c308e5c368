//! What tradepost proves identity with: the root secret and all that is derived from it, password hashes, one-time
//! codes and passkeys.
//!
//! It owns algorithms, parameters and formats. It must not know who a secret belongs to, nor where it is stored.
#![deny(missing_docs)]

mod blocking;
mod breached_passwords;
mod envelope;
mod passkeys;
mod passwords;
mod random;
mod root_secret;
mod token;
mod totp;
mod vault;

pub use breached_passwords::{BreachedPasswords, BreachedPasswordsError};
pub use envelope::{AesEnvelopes, LocalKeyEncryption};
pub use passkeys::{RelyingParty, RelyingPartyError};
pub use passwords::{Argon2Passwords, InvalidCost, PasswordCost};
pub use root_secret::{RootSecret, RootSecretError};
pub use totp::Rfc6238;
pub use vault::Vault;
