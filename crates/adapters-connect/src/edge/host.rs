//! The names that the server answers to.
//!
//! A stranger's page can have its own name lead to this machine (DNS rebinding). The browser then takes the server for a
//! part of that page, and only the name in the request distinguishes them.

use std::borrow::Cow;
use std::net::IpAddr;

use axum::extract::Request;
use http::HeaderMap;
use http::header::{COOKIE, HOST, ORIGIN};
use tonic::transport::server::{TcpConnectInfo, TlsConnectInfo};

/// Longer ones are no names.
const MOST_CHARS: usize = 253;

/// Which names pass.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    /// The configured ones. Those of loopback always pass.
    pub(crate) names: Vec<String>,
    /// Whether only this machine reaches the server: then every request is looked at, and otherwise those of browsers.
    pub(crate) on_loopback: bool,
}

impl Hosts {
    /// The name of a request that must not be answered. It is empty where a browser sent none.
    pub(super) fn refused(&self, request: &Request) -> Option<String> {
        let is_of_browser = is_of_browser(request.headers());
        if !self.on_loopback && !is_of_browser {
            return None;
        }
        let of_uri = request.uri().authority().map(|authority| Cow::from(authority.as_str()));
        let of_headers = request.headers().get_all(HOST).iter().map(|host| String::from_utf8_lossy(host.as_bytes()));
        let mut named = of_uri.into_iter().chain(of_headers).peekable();
        if named.peek().is_none() {
            return is_of_browser.then(String::new);
        }
        let own = own_address(request);
        named.find(|name| !self.answers_to(name, own)).map(|name| name.chars().take(MOST_CHARS).collect())
    }

    fn answers_to(&self, given: &str, own: Option<IpAddr>) -> bool {
        let host = without_port(given).trim_end_matches('.');
        if let Ok(address) = host.parse::<IpAddr>() {
            let address = address.to_canonical();
            // No name leads to an address that is written out: a page that names it was served from it.
            return address.is_loopback() || Some(address) == own || self.is_configured(host);
        }
        let last = host.rsplit_once('.').map_or(host, |(_, last)| last);
        last.eq_ignore_ascii_case("localhost") || self.is_configured(host)
    }

    fn is_configured(&self, host: &str) -> bool {
        self.names.iter().any(|name| without_port(name).trim_end_matches('.').eq_ignore_ascii_case(host))
    }
}

/// What no program but a browser has to send.
fn is_of_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN)
        || headers.contains_key(COOKIE)
        || headers.keys().any(|name| name.as_str().starts_with("sec-fetch-"))
}

/// The host of `host:port`, without the brackets of IPv6.
fn without_port(given: &str) -> &str {
    let host = given.rsplit_once('@').map_or(given, |(_, host)| host);
    if let Some((address, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address;
    }
    match host.rsplit_once(':') {
        Some((name, _)) if !name.contains(':') => name,
        _ => host,
    }
}

/// The address at which the connection arrived.
fn own_address(request: &Request) -> Option<IpAddr> {
    let tcp = request.extensions().get::<TcpConnectInfo>();
    let tls = request.extensions().get::<TlsConnectInfo<TcpConnectInfo>>().map(TlsConnectInfo::get_ref);
    tcp.or(tls).and_then(TcpConnectInfo::local_addr).map(|address| address.ip().to_canonical())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn refused(on_loopback: bool, headers: &[(&str, &str)]) -> Option<String> {
        let hosts = Hosts { names: vec!["trade.example.com".to_owned(), "192.0.2.7".to_owned()], on_loopback };
        let request = headers.iter().fold(Request::get("/"), |request, (name, value)| request.header(*name, *value));
        hosts.refused(&request.body(Body::empty()).unwrap())
    }

    #[test]
    fn configured_names_and_those_of_loopback_pass() {
        for host in [
            "trade.example.com",
            "TRADE.example.com:8443",
            "trade.example.com.",
            "192.0.2.7",
            "localhost:8080",
            "desk.localhost",
            "127.0.0.1:8080",
            "127.9.9.9",
            "[::1]:8080",
            "[::1]",
        ] {
            assert_eq!(refused(true, &[("host", host), ("origin", "null")]), None, "{host}");
        }
    }

    #[test]
    fn every_other_name_is_refused_on_loopback_and_to_browsers() {
        for host in ["evil.example", "localhost.evil.example", "trade.example.com.evil.example", "192.0.2.8", "", "::"]
        {
            assert_eq!(refused(true, &[("host", host)]).as_deref(), Some(host));
            for mark in ["origin", "cookie", "sec-fetch-site", "sec-fetch-mode"] {
                assert_eq!(refused(false, &[("host", host), (mark, "x")]).as_deref(), Some(host), "{mark}");
            }
            assert_eq!(refused(false, &[("host", host)]), None, "{host}");
        }
    }

    #[test]
    fn one_foreign_name_among_several_is_enough() {
        let two = [("host", "localhost"), ("host", "evil.example")];
        assert_eq!(refused(true, &two).as_deref(), Some("evil.example"));
    }

    #[test]
    fn a_browser_has_to_name_the_server() {
        assert_eq!(refused(false, &[("origin", "null")]).as_deref(), Some(""));
        assert_eq!(refused(true, &[]), None);
    }
}
