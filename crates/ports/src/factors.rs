//! What a user signs in by: passwords, one-time passwords and passkeys.

pub mod passkeys;
pub mod passwords;
pub mod totp;
