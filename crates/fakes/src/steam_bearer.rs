//! Tokens as Steam issues them, and what the accounts that they name ask of the world.
//!
//! The world's own token is in each, so that the facades keep none.

use std::num::NonZeroU64;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tradepost_adapters_simulator::{Answer, PlatformCall, Request, SocialCall};
use tradepost_domain::text::ExternalId;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::PlatformUserId;
use tradepost_ports::external::{ExternalError, Page, Pages};
use tradepost_ports::game_platform::PlatformResult;
use tradepost_ports::game_platform::social::SocialResult;

use crate::state::Fakes;

const HEADER: &str = r#"{"typ":"JWT","alg":"EdDSA"}"#;
const ISSUER: &str = "r:0001_00000000_00000";
/// What an access token of the mobile app is for, and what its refresh token is for.
const ACCESS: &[&str] = &["web", "mobile"];
const REFRESH: &[&str] = &["web", "renew", "derive", "mobile"];

/// The `SteamID64` of an account is its number and this.
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_728;

/// The number of an account, as Steam writes it where its kind is clear.
pub(crate) const fn account_number(user: PlatformUserId) -> u64 {
    user.number().get().saturating_sub(FIRST_ACCOUNT)
}

/// A point in time in whole seconds, as Steam writes times.
pub(crate) const fn seconds(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(1_000_000)
}

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Access,
    Refresh,
}

/// The account that a token names, and the token as the world knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bearer {
    pub(crate) user: PlatformUserId,
    pub(crate) token: String,
}

impl Bearer {
    /// The token as Steam writes it.
    pub(crate) fn written(&self, kind: TokenKind, until: Timestamp, now: Timestamp) -> String {
        let mut payload = json!({
            "iss": ISSUER,
            "sub": self.user.to_string(),
            "aud": if kind == TokenKind::Access { ACCESS } else { REFRESH },
            "exp": seconds(until),
            "nbf": seconds(now),
            "iat": seconds(now),
            "jti": self.token,
        });
        if kind == TokenKind::Refresh {
            payload["per"] = json!(1);
        }
        let [header, payload] = [HEADER.to_owned(), payload.to_string()].map(|part| URL_SAFE_NO_PAD.encode(part));
        let signed = format!("{header}.{payload}");
        let signature = signature(&signed);
        format!("{signed}.{signature}")
    }

    /// The bearer of a token that was issued here and has not expired.
    pub(crate) fn read(text: &str, now: Timestamp) -> Option<Self> {
        let (signed, signed_by) = text.rsplit_once('.')?;
        let (_, payload) = signed.split_once('.')?;
        let payload: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
        let user = PlatformUserId::new(payload["sub"].as_str()?.parse::<NonZeroU64>().ok()?);
        let is_valid = signed_by == signature(signed) && payload["exp"].as_i64()? > seconds(now);
        is_valid.then_some(Self { user, token: payload["jti"].as_str()?.to_owned() })
    }

    /// Calls the game platform of the world as the account.
    pub(crate) fn ask<T>(&self, fakes: &Fakes, call: PlatformCall) -> PlatformResult<T>
    where
        T: TryFrom<Answer, Error = Answer>,
    {
        let request = Request::Platform { account: self.user, token: Some(self.token.clone()), call };
        let answer = fakes.simulator().world(|world| world.answer(&request));
        T::try_from(answer).map_err(|other| {
            if let Answer::PlatformFailed(error) = other {
                error
            } else {
                ExternalError::Unknown("the world answered something else than was asked".to_owned())
            }
        })
    }

    /// The same of a call about friends or chats.
    pub(crate) fn ask_social<T>(&self, fakes: &Fakes, call: SocialCall) -> SocialResult<T>
    where
        T: TryFrom<Answer, Error = Answer>,
    {
        let request = Request::Social { account: self.user, token: Some(self.token.clone()), call };
        let answer = fakes.simulator().world(|world| world.answer(&request));
        T::try_from(answer).map_err(|other| {
            if let Answer::SocialFailed(error) = other {
                error
            } else {
                ExternalError::Unknown("the world answered something else than was asked".to_owned())
            }
        })
    }

    /// What is on all pages of the answer to a call of the game platform.
    pub(crate) fn ask_all<T>(
        &self,
        fakes: &Fakes,
        id: fn(&T) -> &ExternalId,
        call: impl Fn(Option<ExternalId>) -> PlatformCall,
    ) -> PlatformResult<Vec<T>>
    where
        Page<T>: TryFrom<Answer, Error = Answer>,
    {
        let mut pages = Pages::of(id);
        while !pages.are_over() {
            let page: Page<T> = self.ask(fakes, call(pages.after().cloned()))?;
            pages.take(page)?;
        }
        Ok(pages.items())
    }
}

/// Nothing proves here who signed: it is enough that a token which was changed is not accepted.
fn signature(signed: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, signed.as_bytes()))
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    const NUMBER: NonZeroU64 = NonZeroU64::new(76_561_197_960_265_729).unwrap();

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    #[test]
    fn a_token_is_read_as_it_was_written_until_it_expires() {
        let bearer = Bearer { user: PlatformUserId::new(NUMBER), token: "access-1-00".to_owned() };
        for kind in [TokenKind::Access, TokenKind::Refresh] {
            let text = bearer.written(kind, at(1_000), at(0));
            assert_eq!(text.split('.').count(), 3);
            assert_eq!(Bearer::read(&text, at(999)), Some(bearer.clone()));
            assert_eq!(Bearer::read(&text, at(1_000)), None);
        }
    }

    #[test]
    fn a_token_that_was_changed_is_not_accepted() {
        let bearer = Bearer { user: PlatformUserId::new(NUMBER), token: "access-1-00".to_owned() };
        let until = at(0).plus(Duration::DAY);
        let text = bearer.written(TokenKind::Access, until, at(0));
        let other = Bearer { token: "access-2-00".to_owned(), ..bearer }.written(TokenKind::Access, until, at(0));
        let (signed, _) = text.rsplit_once('.').unwrap();
        let (_, signature) = other.rsplit_once('.').unwrap();
        assert_eq!(Bearer::read(&format!("{signed}.{signature}"), at(0)), None);
        assert_eq!(Bearer::read("a.b.c", at(0)), None);
        assert_eq!(Bearer::read("", at(0)), None);
    }
}
