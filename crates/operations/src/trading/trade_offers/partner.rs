//! The recipient of an offer, as people name it.

use std::num::NonZeroU64;

use tradepost_domain::text::ExternalId;
use tradepost_domain::trading::trade::PlatformUserId;

use crate::{OpError, OpResult, fields};

/// The numbers of individual accounts begin after this one; a trade URL counts from it.
const FIRST_INDIVIDUAL: u64 = 0x0110_0001_0000_0000;

/// The recipient, with the token of the trade URL.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Partner {
    pub(super) user: PlatformUserId,
    pub(super) token: ExternalId,
}

/// Parses a trade URL, or the platform's number with a token.
pub(super) fn partner(text: &str, token: &str) -> OpResult<Partner> {
    let (text, token) = (text.trim(), token.trim());
    let Some((_, query)) = text.split_once('?') else {
        let number = text.parse().ok().map(PlatformUserId::new).filter(|user| user.is_individual());
        let user = number.ok_or_else(|| {
            OpError::invalid_field("partner", "must be a trade URL, or the platform's number of an individual account")
        })?;
        return Ok(Partner { user, token: fields::text("token", token)? });
    };
    if !token.is_empty() {
        return Err(OpError::invalid_field("token", "must be empty if `partner` is a trade URL, which has its own"));
    }
    let value = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let number = value("partner").and_then(|number| number.parse::<u32>().ok()).filter(|number| *number != 0);
    let number = number.and_then(|number| NonZeroU64::new(FIRST_INDIVIDUAL | u64::from(number)));
    let (Some(number), Some(token)) = (number, value("token")) else {
        return Err(OpError::invalid_field("partner", "must be a trade URL with `partner` and `token`"));
    };
    Ok(Partner { user: PlatformUserId::new(number), token: fields::text("partner", token)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(number: u64) -> PlatformUserId {
        PlatformUserId::new(NonZeroU64::new(number).unwrap())
    }

    #[test]
    fn a_trade_url_names_a_partner_and_a_token() {
        let url = "https://platform.example.com/tradeoffer/new/?partner=39734273&token=Ab-3_xyZ";
        let token = ExternalId::new("Ab-3_xyZ").unwrap();
        assert_eq!(partner(url, "").unwrap(), Partner { user: user(76_561_197_999_999_999 + 2), token });
    }

    #[test]
    fn a_number_names_a_partner_with_its_token() {
        let token = ExternalId::new("abc").unwrap();
        let expected = Partner { user: user(76_561_198_000_000_009), token };
        assert_eq!(partner("76561198000000009", "abc").unwrap(), expected);
    }

    #[test]
    fn anything_else_is_rejected() {
        for (text, token) in [
            ("", ""),
            ("9", "abc"),
            ("76561198000000009", ""),
            ("trader-1", ""),
            ("https://platform.example.com/?partner=1", ""),
            ("https://platform.example.com/?token=abc", ""),
            ("https://platform.example.com/?partner=0&token=abc", ""),
            ("https://platform.example.com/?partner=1&token=abc", "abc"),
        ] {
            assert!(partner(text, token).is_err(), "{text}");
        }
    }
}
