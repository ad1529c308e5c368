//! Passkeys: registration, proofs and management.

mod begin_passkey_registration;
mod finish_passkey_registration;
pub(crate) mod passkey_proofs;
mod passkeys;

pub use begin_passkey_registration::BeginPasskeyRegistration;
pub use finish_passkey_registration::FinishPasskeyRegistration;
pub use passkeys::{DeletePasskey, UpdatePasskey};
