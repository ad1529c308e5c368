//! One-time passwords that follow from secret and time step by a sum instead of an HMAC.

use std::sync::atomic::{AtomicU8, Ordering};

use secrecy::{ExposeSecret as _, SecretString};
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;

use tradepost_ports::game_platform::sessions::{ConfirmationKey, ConfirmationTag};
use tradepost_ports::totp::{LoginCode, TotpCodes, TotpSetup};

const STEP_MICROS: i64 = 30_000_000;

/// Secrets that count, and codes that a test computes with [`FakeTotp::code`].
#[derive(Debug, Default)]
pub struct FakeTotp {
    made: AtomicU8,
}

impl FakeTotp {
    /// Returns the code of a secret at a time.
    pub fn code(secret: &[u8], at: Timestamp) -> String {
        code_of(secret, step(at))
    }
}

impl TotpCodes for FakeTotp {
    fn setup(&self, account: &str) -> TotpSetup {
        let secret = vec![self.made.fetch_add(1, Ordering::SeqCst).wrapping_add(1); 20];
        let base32 = "A".repeat(32);
        let url = format!("otpauth://totp/{account}?secret={base32}");
        TotpSetup { secret: secret.into(), secret_base32: base32.into(), otpauth_url: url.into() }
    }

    fn step_of(&self, secret: &[u8], code: &str, at: Timestamp) -> Option<u64> {
        let now = step(at);
        [now, now.saturating_sub(1), now + 1].into_iter().find(|step| code_of(secret, *step) == code)
    }

    /// The code of any secret of 28 characters, as long as one of the platform is in base 64.
    fn login_code(&self, shared_secret: &SecretString, at: Timestamp) -> Option<LoginCode> {
        let secret = shared_secret.expose_secret();
        let next = i64::try_from(step(at) + 1).ok()?;
        let valid_until = Timestamp::from_micros(next * STEP_MICROS).ok()?;
        let code = SecretString::from(code_of(secret.as_bytes(), step(at)));
        (secret.len() == 28).then_some(LoginCode { code, valid_until })
    }

    /// The key of any secret of that length: the code of the secret, the account and the word of the call at that time.
    fn confirmation_key(
        &self,
        identity_secret: &SecretString,
        account: PlatformUserId,
        at: Timestamp,
        tag: ConfirmationTag,
    ) -> Option<ConfirmationKey> {
        let secret = identity_secret.expose_secret();
        let signed = format!("{secret} {account} {}", tag.word());
        let key = SecretString::from(code_of(signed.as_bytes(), step(at)));
        (secret.len() == 28).then_some(ConfirmationKey { device_id: format!("android:{account}"), key })
    }
}

fn step(at: Timestamp) -> u64 {
    u64::try_from(at.as_micros().div_euclid(STEP_MICROS)).unwrap_or(0)
}

fn code_of(secret: &[u8], step: u64) -> String {
    let sum: u64 = secret.iter().copied().map(u64::from).sum();
    format!("{:06}", (step + sum) % 1_000_000)
}
