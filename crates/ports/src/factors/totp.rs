//! Time-based one-time passwords: those of users (RFC 6238: SHA-1, 6 digits, 30 s, one step of tolerance either way), those with which
//! trading accounts sign in at the game platform, and the keys by which their mobile confirmations are listed and answered.

use secrecy::{SecretSlice, SecretString};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;

use crate::game_platform::sessions::{ConfirmationKey, ConfirmationTag};

/// The data that an authenticator app needs to enrol.
#[derive(Debug)]
pub struct TotpSetup {
    /// The 160-bit secret.
    pub secret: SecretSlice<u8>,
    /// The secret in base 32, for typing.
    pub secret_base32: SecretString,
    /// The `otpauth://` address, for a QR code.
    pub otpauth_url: SecretString,
}

/// The code with which a trading account signs in at the game platform.
#[derive(Debug)]
pub struct LoginCode {
    /// The code: five characters.
    pub code: SecretString,
    /// The time at which the next code takes its place.
    pub valid_until: Timestamp,
}

/// The algorithms.
pub trait TotpCodes: Send + Sync {
    /// Returns a new secret, labelled for the account.
    fn setup(&self, account: &str) -> TotpSetup;

    /// Returns the time step of this code, within one step of now; `None` for a wrong code.
    fn step_of(&self, secret: &[u8], code: &str, at: Timestamp) -> Option<u64>;

    /// Returns the code that the mobile authenticator of a trading account shows at a time; `None` for a shared secret that is not
    /// 20 bytes in base 64.
    fn login_code(&self, shared_secret: &SecretString, at: Timestamp) -> Option<LoginCode>;

    /// Returns what signs a call about the mobile confirmations of a trading account, for one time and one kind of call; `None` for an identity
    /// secret that is not 20 bytes in base 64.
    fn confirmation_key(
        &self,
        identity_secret: &SecretString,
        account: PlatformUserId,
        at: Timestamp,
        tag: ConfirmationTag,
    ) -> Option<ConfirmationKey>;
}
