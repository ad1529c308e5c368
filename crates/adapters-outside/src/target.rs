//! The address of a call: what it must look like before anything is resolved.

use std::net::IpAddr;

use reqwest::Url;

use crate::reach::Reach;

/// The most bytes of an address.
const MOST_BYTES: usize = 2_048;
/// Ports of programs that speak another protocol are below; these two speak HTTPS.
const HTTPS_PORTS: [u16; 2] = [443, 8443];
const FIRST_FREE_PORT: u16 = 1024;

/// An address that a call may be made to, as far as its text shows. What its name resolves to is judged at every call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(Url);

/// Why no call is made to an address. The text completes "the address …".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// It cannot be parsed.
    #[error("must be a URL such as https://example.com/hook")]
    Malformed,
    /// It is too long.
    #[error("must have at most {MOST_BYTES} bytes")]
    TooLong,
    /// It is neither HTTPS nor, where that is allowed, HTTP.
    #[error("must begin with https://")]
    Scheme,
    /// It names a user or a password.
    #[error("must have no user name and no password")]
    UserInfo,
    /// It has a fragment.
    #[error("must have no #")]
    Fragment,
    /// Its port is one of another protocol.
    #[error("must have port 443, 8443, or one from 1024 on")]
    Port,
    /// Its host is an IP address that the operator has not allowed.
    #[error("must name its host: an IP address is accepted only in the networks that the operator allows")]
    Literal,
}

impl Target {
    /// Checks the text of an address.
    ///
    /// # Errors
    /// [`TargetError`] with the rule that it breaks.
    pub fn parse(text: &str, reach: &Reach, allow_http: bool) -> Result<Self, TargetError> {
        if text.len() > MOST_BYTES {
            return Err(TargetError::TooLong);
        }
        let url = Url::parse(text).map_err(|_| TargetError::Malformed)?;
        match url.scheme() {
            "https" => {}
            "http" if allow_http => {}
            _ => return Err(TargetError::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::UserInfo);
        }
        if url.fragment().is_some() {
            return Err(TargetError::Fragment);
        }
        let port = url.port_or_known_default().ok_or(TargetError::Port)?;
        let is_plain = url.scheme() == "http" && port == 80;
        if !HTTPS_PORTS.contains(&port) && port < FIRST_FREE_PORT && !is_plain {
            return Err(TargetError::Port);
        }
        let host = url.host_str().ok_or(TargetError::Malformed)?;
        match literal(host) {
            Some(address) if !reach.allows(address) => Err(TargetError::Literal),
            Some(_) | None => Ok(Self(url)),
        }
    }

    /// Checks an address that the operator names in the settings: any host and port, with or without TLS.
    ///
    /// # Errors
    /// [`TargetError`] with the rule that it breaks.
    pub fn of_operator(text: &str) -> Result<Self, TargetError> {
        let url = Url::parse(text).map_err(|_| TargetError::Malformed)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(TargetError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::UserInfo);
        }
        if url.fragment().is_some() { Err(TargetError::Fragment) } else { Ok(Self(url)) }
    }

    /// The URL.
    pub(crate) const fn url(&self) -> &Url {
        &self.0
    }
}

/// The address that a host spells; the parser of URLs has turned every spelling of IPv4 into this one.
fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(), TargetError> {
        Target::parse(text, &Reach::default(), false).map(drop)
    }

    #[test]
    fn an_address_is_https_to_a_named_host_and_a_port_of_http() {
        for text in ["https://example.com/hook?a=b", "https://example.com:8443", "https://example.com:1024/x"] {
            assert_eq!(parse(text), Ok(()), "{text}");
        }
        for (text, rule) in [
            ("example.com/hook", TargetError::Malformed),
            ("", TargetError::Malformed),
            ("http://example.com/", TargetError::Scheme),
            ("file:///etc/passwd", TargetError::Scheme),
            ("gopher://example.com", TargetError::Scheme),
            ("https://ada@example.com", TargetError::UserInfo),
            ("https://ada:secret@example.com", TargetError::UserInfo),
            ("https://example.com/#x", TargetError::Fragment),
            ("https://example.com:22/", TargetError::Port),
            ("https://example.com:25/", TargetError::Port),
            ("https://example.com:80/", TargetError::Port),
            ("https://127.0.0.1/", TargetError::Literal),
            ("https://8.8.8.8/", TargetError::Literal),
            ("https://0x7f.1/", TargetError::Literal),
            ("https://2130706433/", TargetError::Literal),
            ("https://[::1]/", TargetError::Literal),
            ("https://[::ffff:127.0.0.1]/", TargetError::Literal),
        ] {
            assert_eq!(parse(text), Err(rule), "{text}");
        }
        assert_eq!(parse(&format!("https://example.com/{}", "x".repeat(MOST_BYTES))), Err(TargetError::TooLong));
    }

    #[test]
    fn an_address_of_the_operator_has_any_host_and_port_and_no_user_or_fragment() {
        for text in
            ["https://example.com/verify", "http://127.0.0.1:9/openid/login", "http://[::1]:88", "http://10.0.0.1"]
        {
            assert!(Target::of_operator(text).is_ok(), "{text}");
        }
        for (text, rule) in [
            ("verify", TargetError::Malformed),
            ("ftp://example.com", TargetError::Scheme),
            ("https://ada@example.com", TargetError::UserInfo),
            ("https://example.com/#x", TargetError::Fragment),
        ] {
            assert_eq!(Target::of_operator(text), Err(rule), "{text}");
        }
    }

    #[test]
    fn http_and_literals_of_allowed_networks_are_accepted_where_the_operator_says_so() {
        let reach = Reach::public_and(vec!["127.0.0.0/8".parse().unwrap()]);
        for text in ["http://127.0.0.1:3000/hook", "http://example.com/", "https://127.0.0.1/"] {
            assert!(Target::parse(text, &reach, true).is_ok(), "{text}");
        }
        assert_eq!(Target::parse("http://127.0.0.1:22/", &reach, true), Err(TargetError::Port));
        assert_eq!(Target::parse("http://[::1]:3000/", &reach, true), Err(TargetError::Literal));
    }
}
