//! Tokens that Steam issued. Both name one account, or they are not taken.

use secrecy::SecretString;
use tradepost_domain::trading::account_session::TokenExpiry;
use tradepost_ports::external::ExternalError;
use tradepost_ports::game_platform::sessions::{SessionRefusal, SessionResult, Tokens};

use crate::messages::GenerateAnswer;
use crate::token::Claims;

/// Takes both tokens of a session.
pub(super) fn tokens(access: String, refresh: String) -> SessionResult<Tokens> {
    let (of_access, of_refresh) = (claims(&access)?, claims(&refresh)?);
    if of_access.user != of_refresh.user {
        return Err(unknown("it issued tokens of two accounts"));
    }
    Ok(Tokens {
        user: of_access.user,
        access: SecretString::from(access),
        refresh: SecretString::from(refresh),
        expiry: TokenExpiry { access: of_access.expires_at, refresh: of_refresh.expires_at },
    })
}

/// Takes a renewed access token, and the refresh token if Steam renewed that too.
pub(super) fn renewed(former: &Tokens, answer: GenerateAnswer) -> SessionResult<Tokens> {
    let GenerateAnswer { access_token, refresh_token } = answer;
    if access_token.is_empty() {
        return Err(unknown("it issued no access token"));
    }
    let renewed = if refresh_token.is_empty() {
        let Claims { user, expires_at } = claims(&access_token)?;
        let expiry = TokenExpiry { access: expires_at, ..former.expiry };
        Tokens { user, access: SecretString::from(access_token), refresh: former.refresh.clone(), expiry }
    } else {
        tokens(access_token, refresh_token)?
    };
    if renewed.user != former.user {
        return Err(unknown("it issued tokens of another account"));
    }
    Ok(renewed)
}

fn claims(token: &str) -> SessionResult<Claims> {
    Claims::read(token).ok_or_else(|| unknown("it issued a token that names no account or no end"))
}

fn unknown(text: &str) -> ExternalError<SessionRefusal> {
    ExternalError::Unknown(text.to_owned())
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use secrecy::ExposeSecret as _;

    use super::*;

    const ADA: u64 = 76_561_197_960_265_729;
    const BOB: u64 = 76_561_197_960_265_730;

    fn token(user: u64, expires_at: u32) -> String {
        let payload = format!(r#"{{"sub":"{user}","exp":{expires_at}}}"#);
        format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(payload))
    }

    fn issued() -> Tokens {
        tokens(token(ADA, 100), token(ADA, 900)).unwrap()
    }

    fn answer(access_token: String, refresh_token: String) -> GenerateAnswer {
        GenerateAnswer { access_token, refresh_token }
    }

    fn seconds(expiry: TokenExpiry) -> (i64, i64) {
        (expiry.access.as_micros() / 1_000_000, expiry.refresh.as_micros() / 1_000_000)
    }

    fn is_unknown(result: &SessionResult<Tokens>) -> bool {
        matches!(result, Err(ExternalError::Unknown(_)))
    }

    #[test]
    fn tokens_of_one_account_are_taken_with_the_end_of_each() {
        let tokens = issued();
        assert_eq!((tokens.user.number().get(), seconds(tokens.expiry)), (ADA, (100, 900)));
        assert_eq!(tokens.access.expose_secret(), token(ADA, 100));
        assert_eq!(tokens.refresh.expose_secret(), token(ADA, 900));
    }

    #[test]
    fn tokens_of_two_accounts_are_not_taken() {
        assert!(is_unknown(&tokens(token(ADA, 100), token(BOB, 900))));
        assert!(is_unknown(&tokens("a.b.c".to_owned(), token(ADA, 900))));
        assert!(is_unknown(&tokens(token(ADA, 100), String::new())));
    }

    #[test]
    fn a_renewal_keeps_the_refresh_token_where_none_comes() {
        let renewed = renewed(&issued(), answer(token(ADA, 200), String::new())).unwrap();
        assert_eq!(seconds(renewed.expiry), (200, 900));
        assert_eq!(renewed.refresh.expose_secret(), token(ADA, 900));
    }

    #[test]
    fn a_renewal_takes_the_refresh_token_that_comes() {
        let renewed = renewed(&issued(), answer(token(ADA, 200), token(ADA, 999))).unwrap();
        assert_eq!(seconds(renewed.expiry), (200, 999));
        assert_eq!(renewed.refresh.expose_secret(), token(ADA, 999));
    }

    #[test]
    fn a_renewal_without_an_access_token_of_the_account_has_an_unknown_outcome() {
        for (access, refresh) in [
            (String::new(), token(ADA, 999)),
            (token(BOB, 200), String::new()),
            (token(BOB, 200), token(BOB, 999)),
            (token(ADA, 200), token(BOB, 999)),
            ("a.b.c".to_owned(), String::new()),
        ] {
            assert!(is_unknown(&renewed(&issued(), answer(access, refresh))));
        }
    }
}
