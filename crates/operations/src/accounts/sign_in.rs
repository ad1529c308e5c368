//! Signing up and signing in: passwords, passkeys, linked platforms.

pub(crate) mod complete_sign_in;
mod concurrent_sign_ins;
mod failed_sign_ins;
mod failures;
mod known_devices;
mod linked_sign_in;
mod open_session;
mod passkey_sign_in;
mod sign_in;
mod sign_up;

pub use complete_sign_in::CompleteSignIn;
pub(crate) use complete_sign_in::EnteredCode;
pub(crate) use concurrent_sign_ins::ConcurrentSignIns;
pub(crate) use failures::Failures;
pub use linked_sign_in::FinishLinkedSignIn;
pub use open_session::SignedIn;
pub use passkey_sign_in::{FinishPasskeySignIn, PasskeySignInAsked};
pub use sign_in::{SignIn, SignInAnswer};
pub use sign_up::SignUp;
