//! The cookies: their names, how they are read, and how they are set.

use std::time::Duration;

use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};
use secrecy::SecretString;
use tradepost_operations::accounts::InstallationMarks;

/// Longer values are no tokens and no ids.
const MOST_BYTES: usize = 256;
/// No script reads it, no plain connection carries it, no foreign page sends it, and no other path and no subdomain sets it.
const ATTRIBUTES: &str = "Path=/; Secure; HttpOnly; SameSite=Strict";

/// The names of the cookies.
///
/// `__Host-` binds a cookie to the very host. Cookies ignore ports, so the rest of a name has the mark of the installation.
#[derive(Debug, Clone)]
pub(crate) struct CookieNames {
    /// The session.
    pub(crate) session: String,
    /// The session under the former root secret.
    former_session: Option<String>,
    /// The sign-in with another platform that this browser began.
    link: String,
}

/// What the cookies of a request have.
#[derive(Debug, Clone)]
pub(crate) struct CookieValues {
    pub(crate) session: Option<SecretString>,
    pub(crate) link: Option<String>,
}

impl CookieNames {
    /// Returns the names for an installation.
    pub(crate) fn of(marks: &InstallationMarks) -> Self {
        let session = |mark: &String| format!("__Host-tps-{mark}");
        Self {
            session: session(&marks.current),
            former_session: marks.former.as_ref().map(session),
            link: format!("__Host-tpl-{}", marks.current),
        }
    }

    /// Reads the cookies of a request. Of two with one name neither counts, since one of them is not ours.
    pub(crate) fn read(&self, headers: &HeaderMap) -> CookieValues {
        let former = || self.former_session.as_ref().and_then(|name| value(headers, name));
        CookieValues {
            session: value(headers, &self.session).or_else(former).map(SecretString::from),
            link: value(headers, &self.link).map(str::to_owned),
        }
    }

    /// Sets the session.
    pub(crate) fn set_session(&self, token: &str, life: Duration) -> Option<HeaderValue> {
        set(&self.session, token, life)
    }

    /// Clears the session.
    pub(crate) fn clear_session(&self) -> Option<HeaderValue> {
        set(&self.session, "", Duration::ZERO)
    }

    /// Sets the sign-in that this browser has begun.
    pub(crate) fn set_link(&self, link_id: &str, life: Duration) -> Option<HeaderValue> {
        set(&self.link, link_id, life)
    }

    /// Clears the sign-in that has ended.
    pub(crate) fn clear_link(&self) -> Option<HeaderValue> {
        set(&self.link, "", Duration::ZERO)
    }
}

/// The value of the one cookie of this name.
fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(given, _)| *given == name).map(|(_, value)| value);
    let (value, None) = (values.next()?, values.next()) else { return None };
    let is_one = (1..=MOST_BYTES).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_graphic());
    is_one.then_some(value)
}

/// `None` for a value that is none of a cookie, which no token and no id is.
fn set(name: &str, value: &str, life: Duration) -> Option<HeaderValue> {
    let mut header =
        HeaderValue::from_str(&format!("{name}={value}; {ATTRIBUTES}; Max-Age={}", life.as_secs())).ok()?;
    // Neither shown when headers are logged, nor kept in tables of HTTP/2.
    header.set_sensitive(true);
    Some(header)
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    fn names(former: Option<&str>) -> CookieNames {
        CookieNames::of(&InstallationMarks { current: "a1".to_owned(), former: former.map(str::to_owned) })
    }

    fn session(names: &CookieNames, lines: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(COOKIE, line.parse().unwrap());
        }
        names.read(&headers).session.map(|token| token.expose_secret().to_owned())
    }

    #[test]
    fn the_session_is_read_among_other_cookies() {
        for lines in [
            &["__Host-tps-a1=tps_x"][..],
            &["theme=dark; __Host-tps-a1=tps_x;other=1"],
            &["theme=dark", "__Host-tps-a1=tps_x"],
        ] {
            assert_eq!(session(&names(None), lines).as_deref(), Some("tps_x"), "{lines:?}");
        }
    }

    #[test]
    fn of_two_sessions_neither_counts() {
        for lines in [
            &["__Host-tps-a1=tps_x; __Host-tps-a1=tps_y"][..],
            &["__Host-tps-a1=tps_x; __Host-tps-a1=tps_x"],
            &["__Host-tps-a1=tps_x", "__Host-tps-a1=tps_y"],
        ] {
            assert_eq!(session(&names(None), lines), None, "{lines:?}");
        }
    }

    #[test]
    fn other_names_and_odd_values_are_no_session() {
        let long = format!("__Host-tps-a1={}", "x".repeat(257));
        for line in ["__Host-tps=x", "__host-tps-a1=x", "__Host-tps-b2=x", "__Host-tps-a1=", "__Host-tps-a1=a b", &long]
        {
            assert_eq!(session(&names(None), &[line]), None, "{line}");
        }
    }

    #[test]
    fn a_session_of_the_former_root_secret_is_read_while_that_is_available() {
        let line = ["__Host-tps-b2=tps_x"];
        assert_eq!(session(&names(Some("b2")), &line).as_deref(), Some("tps_x"));
        assert_eq!(session(&names(None), &line), None);
    }

    #[test]
    fn a_cookie_is_for_this_host_and_no_script() {
        let set = names(None).set_session("tps_x", Duration::from_mins(1)).unwrap();
        assert_eq!(set, "__Host-tps-a1=tps_x; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=60");
        assert!(set.is_sensitive() && !format!("{set:?}").contains("tps_x"));
    }
}
