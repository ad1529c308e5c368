//! The origins whose pages may use the session of a browser. They come from the settings and the listener, and never from what a request
//! names as its host: a foreign name can lead to this machine.

use std::net::SocketAddr;
use std::sync::Arc;

use http::Uri;

/// The configured origins.
#[derive(Debug, Clone)]
pub(crate) struct PageOrigins(Arc<[String]>);

/// The origins of a listener that only this machine reaches. In the extensions of its requests.
#[derive(Debug, Clone)]
pub(crate) struct LocalOrigins(Arc<[String]>);

impl PageOrigins {
    /// The origins of these addresses.
    pub(crate) fn of(addresses: &[String]) -> Self {
        Self(addresses.iter().filter_map(|address| origin_of(address)).collect())
    }

    /// Whether pages of this origin may.
    pub(crate) fn admit(&self, origin: Option<&str>, local: Option<&LocalOrigins>) -> bool {
        let local = local.map_or(&[][..], |local| &local.0);
        origin.is_some_and(|origin| self.0.iter().chain(local).any(|known| known == origin))
    }
}

impl LocalOrigins {
    /// The origins of a listener; `None` where it is not one of loopback.
    pub(crate) fn of(listener: SocketAddr, has_tls: bool) -> Option<Self> {
        let scheme = if has_tls { "https" } else { "http" };
        let addresses = [format!("{scheme}://localhost:{}", listener.port()), format!("{scheme}://{listener}")];
        let origins = || addresses.iter().filter_map(|address| origin_of(address)).collect();
        listener.ip().is_loopback().then(|| Self(origins()))
    }
}

/// The origin of an address, as browsers write it: in lower case, without the usual port.
fn origin_of(address: &str) -> Option<String> {
    let uri: Uri = address.parse().ok()?;
    let (scheme, host) = (uri.scheme_str()?.to_ascii_lowercase(), uri.host()?.to_ascii_lowercase());
    let usual = match scheme.as_str() {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    match uri.port_u16().filter(|port| *port != usual) {
        Some(port) => Some(format!("{scheme}://{host}:{port}")),
        None => Some(format!("{scheme}://{host}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_written_as_browsers_write_it() {
        for (address, origin) in [
            ("https://trade.example.com", "https://trade.example.com"),
            ("HTTPS://Trade.Example.com:443/desk/", "https://trade.example.com"),
            ("http://localhost:80", "http://localhost"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("https://localhost:80", "https://localhost:80"),
            ("http://[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(origin_of(address).as_deref(), Some(origin));
        }
        for address in ["trade.example.com", "ftp://trade.example.com", "null", ""] {
            assert_eq!(origin_of(address), None, "{address}");
        }
    }

    #[test]
    fn only_a_listener_on_loopback_has_origins_of_its_own() {
        let of = |listener: &str| LocalOrigins::of(listener.parse().unwrap(), false).map(|origins| origins.0.to_vec());
        assert_eq!(of("127.0.0.1:8080").unwrap(), ["http://localhost:8080", "http://127.0.0.1:8080"]);
        assert_eq!(of("[::1]:80").unwrap(), ["http://localhost", "http://[::1]"]);
        assert_eq!(of("0.0.0.0:8080"), None);
        assert_eq!(of("192.0.2.7:8080"), None);
    }

    #[test]
    fn no_other_origin_is_admitted() {
        let origins = PageOrigins::of(&["https://trade.example.com".to_owned()]);
        assert!(origins.admit(Some("https://trade.example.com"), None));
        for origin in [
            "http://trade.example.com",
            "https://trade.example.com:8443",
            "https://trade.example.com.evil.example",
            "https://evil.example",
            "null",
            "",
        ] {
            assert!(!origins.admit(Some(origin), None), "{origin}");
        }
        assert!(!origins.admit(None, None));
    }
}
