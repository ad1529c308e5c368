//! The signature of a message: HMAC-SHA-256 over its id, the time of the try, and its body.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretString};

const PREFIX: &str = "whsec_";
const VERSION: &str = "v1";
/// How far the time of a message may be from the receiver's clock, in seconds.
const TOLERANCE: u64 = 300;

/// A secret that signs messages.
pub struct WebhookSecret(hmac::Key);

impl std::fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

/// Why a message is not signed, or not taken as signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The secret is malformed.
    #[error("a webhook secret is {PREFIX} and the base64 form of its bytes")]
    Secret,
    /// The time of the message is far from the clock.
    #[error("webhook-timestamp is more than {TOLERANCE} s from the clock of this computer")]
    Timestamp,
    /// No signature is one of the secret.
    #[error("webhook-signature has no signature that this secret makes of the id, the time and the body")]
    Signature,
}

impl WebhookSecret {
    /// Parses a secret.
    ///
    /// # Errors
    /// [`SignatureError::Secret`] when it is malformed.
    pub fn parse(secret: &SecretString) -> Result<Self, SignatureError> {
        let encoded = secret.expose_secret().strip_prefix(PREFIX).ok_or(SignatureError::Secret)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| SignatureError::Secret)?;
        if bytes.is_empty() {
            return Err(SignatureError::Secret);
        }
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
    }
}

/// The three headers of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// `webhook-id`.
    pub id: String,
    /// `webhook-timestamp`, in seconds.
    pub timestamp: i64,
    /// `webhook-signature`: one signature for each secret, with blanks between.
    pub signature: String,
}

impl Signature {
    /// Signs a message with each secret.
    pub fn sign(id: &str, timestamp: i64, body: &[u8], secrets: &[WebhookSecret]) -> Self {
        let signed = signed_bytes(id, timestamp, body);
        let each = secrets.iter().map(|WebhookSecret(key)| {
            let tag = hmac::sign(key, &signed);
            format!("{VERSION},{}", STANDARD.encode(tag.as_ref()))
        });
        Self { id: id.to_owned(), timestamp, signature: each.collect::<Vec<_>>().join(" ") }
    }

    /// Checks that a secret has signed a message not long before or after `now`, in seconds.
    ///
    /// # Errors
    /// [`SignatureError`] with what is wrong.
    pub fn verify(&self, body: &[u8], secret: &WebhookSecret, now: i64) -> Result<(), SignatureError> {
        if self.timestamp.abs_diff(now) > TOLERANCE {
            return Err(SignatureError::Timestamp);
        }
        let signed = signed_bytes(&self.id, self.timestamp, body);
        let is_ours = |text: &str| {
            let tag = text.strip_prefix("v1,").and_then(|encoded| STANDARD.decode(encoded).ok());
            tag.is_some_and(|tag| hmac::verify(&secret.0, &signed, &tag).is_ok())
        };
        if self.signature.split(' ').any(is_ours) { Ok(()) } else { Err(SignatureError::Signature) }
    }
}

fn signed_bytes(id: &str, timestamp: i64, body: &[u8]) -> Vec<u8> {
    [id.as_bytes(), b".", timestamp.to_string().as_bytes(), b".", body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> WebhookSecret {
        WebhookSecret::parse(&SecretString::from(text)).unwrap()
    }

    /// The example of the specification.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const AT: i64 = 1_614_265_330;
    const BODY: &[u8] = b"{\"test\": 2432232314}";
    const SIGNED: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    #[test]
    fn a_message_is_signed_as_in_the_example_of_the_specification() {
        assert_eq!(Signature::sign(ID, AT, BODY, &[secret(SECRET)]).signature, SIGNED);
    }

    #[test]
    fn a_message_with_two_signatures_is_one_of_both_secrets() {
        let other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        let both = Signature::sign(ID, AT, BODY, &[secret(other), secret(SECRET)]);
        assert_eq!(both.signature.split(' ').count(), 2);
        for known in [other, SECRET] {
            assert_eq!(both.verify(BODY, &secret(known), AT), Ok(()));
        }
        let third = secret("whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=");
        assert_eq!(both.verify(BODY, &third, AT), Err(SignatureError::Signature));
    }

    #[test]
    fn a_message_that_was_changed_or_is_old_is_not_verified() {
        let signed = Signature { id: ID.to_owned(), timestamp: AT, signature: SIGNED.to_owned() };
        let verify = |signed: &Signature, body, now| signed.verify(body, &secret(SECRET), now);
        assert_eq!(verify(&signed, BODY, AT + 300), Ok(()));
        assert_eq!(verify(&signed, BODY, AT + 301), Err(SignatureError::Timestamp));
        assert_eq!(verify(&signed, b"{}", AT), Err(SignatureError::Signature));
        let other = Signature { id: "msg_1".to_owned(), ..signed.clone() };
        assert_eq!(verify(&other, BODY, AT), Err(SignatureError::Signature));
        for text in ["", "v2,abc", "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="] {
            let other = Signature { signature: text.to_owned(), ..signed.clone() };
            assert_eq!(verify(&other, BODY, AT), Err(SignatureError::Signature), "{text}");
        }
    }

    #[test]
    fn a_secret_has_its_prefix_and_is_base64() {
        for text in ["", "whsec_", "whsec_***", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            assert_eq!(WebhookSecret::parse(&SecretString::from(text)).unwrap_err(), SignatureError::Secret, "{text}");
        }
    }
}
