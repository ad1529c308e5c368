//! What a token of Steam says of itself: whose it is, and until when it is accepted. Tokens are JSON web tokens. Their signature is Steam's
//! own matter; a token is used where it came from alone.

use std::num::NonZeroU64;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;

const MICROS_PER_SECOND: i64 = 1_000_000;

/// The claims of a token that the driver reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Claims {
    /// The account that it signs in.
    pub(crate) user: PlatformUserId,
    /// Its end.
    pub(crate) expires_at: Timestamp,
}

impl Claims {
    /// Reads the claims of a token; `None` for a text that is not a token of an account.
    pub(crate) fn read(token: &str) -> Option<Self> {
        let mut parts = token.split('.');
        let parts = (parts.next(), parts.next(), parts.next(), parts.next());
        let (Some(_), Some(payload), Some(_), None) = parts else { return None };
        let payload: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
        let number: NonZeroU64 = payload.get("sub")?.as_str()?.parse().ok()?;
        let micros = payload.get("exp")?.as_i64()?.checked_mul(MICROS_PER_SECOND)?;
        Some(Self { user: PlatformUserId::new(number), expires_at: Timestamp::from_micros(micros).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(payload: &str) -> String {
        let [header, payload] = [r#"{"typ":"JWT","alg":"EdDSA"}"#, payload].map(|part| URL_SAFE_NO_PAD.encode(part));
        format!("{header}.{payload}.c2ln")
    }

    #[test]
    fn a_token_names_its_account_and_its_end() {
        let payload = r#"{"iss":"steam","sub":"76561197960265729","aud":["web"],"exp":1767225600,"iat":1767139200}"#;
        let claims = Claims::read(&token(payload)).unwrap();
        assert_eq!(claims.user.to_string(), "76561197960265729");
        assert_eq!(claims.expires_at.as_micros(), 1_767_225_600_000_000);
    }

    #[test]
    fn a_text_that_is_not_a_token_of_an_account_has_no_claims() {
        let good = token(r#"{"sub":"7","exp":1}"#);
        assert!(Claims::read(&good).is_some());
        for payload in [
            "",
            "null",
            r#"{"sub":"7"}"#,
            r#"{"exp":1}"#,
            r#"{"sub":"0","exp":1}"#,
            r#"{"sub":"ada","exp":1}"#,
            r#"{"sub":"7","exp":"soon"}"#,
            r#"{"sub":"7","exp":9223372036854775807}"#,
            r#"{"sub":"7","exp":253402300800}"#,
        ] {
            assert_eq!(Claims::read(&token(payload)), None, "{payload}");
        }
        for text in ["", "a.b", "a.b.c", &good.replace('.', " "), &format!("{good}.more"), &good.replacen('.', ".=", 1)]
        {
            assert_eq!(Claims::read(text), None, "{text}");
        }
    }
}
