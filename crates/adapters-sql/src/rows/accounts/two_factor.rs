//! Rows of second factors, and of the guesses against them.

pub(crate) mod challenge;
pub(crate) mod code_guesses;
pub(crate) mod grant;
pub(crate) mod guesses;
pub(crate) mod recovery_codes;
pub(crate) mod totp;
pub(crate) mod totp_enrollment;
