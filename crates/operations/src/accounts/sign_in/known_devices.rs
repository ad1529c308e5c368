//! Known devices: devices from which a user has signed in with an address before. The server stores nothing about them; the client presents
//! a sealed token.
//!
//! An attacker who guesses at an address uses up the tries of strangers there. A known device has tries of its own. Its correct password
//! signs in even after wrong ones have suspended passwords, so that guessing locks no user out.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use time::Duration;
use tradepost_domain::accounts::email::EmailAddress;
use tradepost_domain::time::Timestamp;

use crate::Operations;

/// The time for which a device is known after it signed in.
const KNOWN_FOR: Duration = Duration::days(90);
const PLACE: &str = "sign_in.device_token";

fn device_signed_in_at(operations: &Operations, email: &EmailAddress, token: &SecretString) -> Option<Timestamp> {
    let sealed = URL_SAFE_NO_PAD.decode(token.expose_secret()).ok()?;
    let plain = operations.ports.secrets.open(PLACE, &sealed).ok()?;
    let (at, key) = plain.split_first_chunk()?;
    let at = Timestamp::from_micros(i64::from_be_bytes(*at)).ok()?;
    (key == email.key().as_bytes()).then_some(at)
}

/// Returns the token that a device presents at its next sign-in with the address.
pub(crate) fn device_token(operations: &Operations, email: &EmailAddress, at: Timestamp) -> SecretString {
    let plain = [at.as_micros().to_be_bytes().as_slice(), email.key().as_bytes()].concat();
    URL_SAFE_NO_PAD.encode(operations.ports.secrets.seal(PLACE, &plain)).into()
}

/// Returns whether this installation gave the token to a device that signed in with the address recently.
pub(crate) fn is_known_device(
    operations: &Operations,
    email: &EmailAddress,
    token: &SecretString,
    at: Timestamp,
) -> bool {
    device_signed_in_at(operations, email, token).is_some_and(|signed_in| at < signed_in.plus(KNOWN_FOR))
}
