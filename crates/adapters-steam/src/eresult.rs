//! Steam's results by their numbers. Every answer of its API has one in the header `x-eresult`, whatever its HTTP status.

use std::fmt;
use std::time::Duration;

use tradepost_adapters_outside::ServiceAnswer;

const HEADER: &str = "x-eresult";

/// The headers of an answer that the driver reads.
pub(crate) const HEARD: &[&str] = &[HEADER];
/// How long no call is made after [`EResult::RATE_LIMIT_EXCEEDED`], which names no time.
pub(crate) const LIMITED_FOR: Duration = Duration::from_mins(1);

/// The result of a call, as Steam numbers it. A number that has no name here is carried along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EResult(u32);

impl EResult {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const OK: Self = Self(1);
    /// Some answers with it are complete all the same.
    pub(crate) const FAIL: Self = Self(2);
    pub(crate) const INVALID_PASSWORD: Self = Self(5);
    pub(crate) const FILE_NOT_FOUND: Self = Self(9);
    pub(crate) const INVALID_STATE: Self = Self(11);
    pub(crate) const ACCESS_DENIED: Self = Self(15);
    pub(crate) const ACCOUNT_NOT_FOUND: Self = Self(18);
    pub(crate) const INVALID_STEAM_ID: Self = Self(19);
    pub(crate) const INSUFFICIENT_PRIVILEGE: Self = Self(24);
    pub(crate) const LIMIT_EXCEEDED: Self = Self(25);
    pub(crate) const REVOKED: Self = Self(26);
    pub(crate) const EXPIRED: Self = Self(27);
    pub(crate) const DUPLICATE_REQUEST: Self = Self(29);
    pub(crate) const BLOCKED: Self = Self(40);
    pub(crate) const IGNORED: Self = Self(41);
    pub(crate) const ALREADY_LOGGED_IN_ELSEWHERE: Self = Self(50);
    pub(crate) const INVALID_LOGIN_AUTH_CODE: Self = Self(65);
    pub(crate) const RATE_LIMIT_EXCEEDED: Self = Self(84);
    pub(crate) const TWO_FACTOR_CODE_MISMATCH: Self = Self(88);
    pub(crate) const ACCOUNT_NOT_FRIENDS: Self = Self(111);
    pub(crate) const LIMITED_USER_ACCOUNT: Self = Self(112);

    /// Returns the result of a number, which some answers have in their body.
    pub(crate) const fn numbered(number: u32) -> Self {
        Self(number)
    }

    /// Returns the result of an answer; `None` without the header, or where it is not a number.
    pub(crate) fn of(answer: &ServiceAnswer) -> Option<Self> {
        let (_, number) = answer.headers.iter().find(|(name, _)| *name == HEADER)?;
        number.trim().parse().ok().map(Self::numbered)
    }
}

impl fmt::Display for EResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "result {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result_of(headers: &[(&'static str, &str)]) -> Option<EResult> {
        let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        EResult::of(&ServiceAnswer { status: 200, headers, date: None, body: Vec::new() })
    }

    #[test]
    fn a_result_is_the_number_of_its_header() {
        assert_eq!(result_of(&[("date", "5"), (HEADER, "1")]), Some(EResult::OK));
        assert_eq!(result_of(&[(HEADER, " 84 ")]), Some(EResult::RATE_LIMIT_EXCEEDED));
        assert_eq!(result_of(&[(HEADER, "9999")]).map(|result| result.to_string()).as_deref(), Some("result 9999"));
    }

    #[test]
    fn an_answer_without_a_number_has_no_result() {
        for headers in [vec![], vec![(HEADER, "")], vec![(HEADER, "OK")], vec![(HEADER, "-1")], vec![("date", "1")]] {
            assert_eq!(result_of(&headers), None, "{headers:?}");
        }
    }
}
