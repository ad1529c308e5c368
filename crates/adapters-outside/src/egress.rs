//! The egress guard: which services a server may call at all. Loopback always; another host only where the operator names it and says
//! that calls to real services are wanted.

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

use crate::reach::Reach;

/// The services that may be called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Egress {
    is_real: bool,
    hosts: BTreeSet<String>,
}

/// The address of a service that may be called.
#[derive(Debug, Clone)]
pub struct ServiceAddress {
    url: Url,
    reach: Reach,
}

/// Why a service is not called. The text completes "the service is not called: …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EgressError {
    /// The address cannot be used.
    #[error("its address must be a URL such as https://api.example.com, without user, query or fragment")]
    Malformed,
    /// Calls to real services are not wanted.
    #[error("{0} is a real host, and the setting outside.real is not true")]
    NotReal(String),
    /// The operator does not name the host.
    #[error("the setting outside.hosts does not name {0}")]
    NotNamed(String),
    /// The host would be called without TLS.
    #[error("{0} is called with https:// only")]
    Plain(String),
    /// The host is an IP address of a private network.
    #[error("{0} is an address of a private network")]
    Private(String),
}

impl Egress {
    /// Loopback, and these hosts if calls to real services are wanted.
    pub fn new(is_real: bool, hosts: impl IntoIterator<Item = String>) -> Self {
        Self { is_real, hosts: hosts.into_iter().map(|host| host.trim().to_ascii_lowercase()).collect() }
    }

    /// Checks the address of a service.
    ///
    /// # Errors
    /// [`EgressError`] with the reason why it is not called.
    pub fn admit(&self, address: &str) -> Result<ServiceAddress, EgressError> {
        let url = Url::parse(address).map_err(|_| EgressError::Malformed)?;
        let is_plain = match url.scheme() {
            "https" => false,
            "http" => true,
            _ => return Err(EgressError::Malformed),
        };
        let has_user = !url.username().is_empty() || url.password().is_some();
        let host = url.host_str().filter(|_| !has_user && url.query().is_none() && url.fragment().is_none());
        let host = host.ok_or(EgressError::Malformed)?.to_owned();
        if is_of_this_machine(&host) {
            return Ok(ServiceAddress { url, reach: Reach::loopback() });
        }
        if !self.is_real {
            return Err(EgressError::NotReal(host));
        }
        if !self.hosts.contains(&host) {
            return Err(EgressError::NotNamed(host));
        }
        if is_plain {
            return Err(EgressError::Plain(host));
        }
        let reach = Reach::default();
        if literal(&host).is_some_and(|address| !reach.admits(address)) {
            return Err(EgressError::Private(host));
        }
        Ok(ServiceAddress { url, reach })
    }
}

fn is_of_this_machine(host: &str) -> bool {
    host == "localhost" || literal(host).is_some_and(|address| address.to_canonical().is_loopback())
}

/// The IP address that a host is written as; nothing for a name.
fn literal(host: &str) -> Option<IpAddr> {
    host.trim_matches(['[', ']']).parse().ok()
}

impl ServiceAddress {
    /// Whether it is of this machine.
    pub fn is_loopback(&self) -> bool {
        self.url.host_str().is_some_and(is_of_this_machine)
    }

    pub(crate) const fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The URL of a path below it, with a query.
    pub(crate) fn url(&self, path: &str, query: &[(&str, &str)]) -> Url {
        let mut url = self.url.clone();
        let whole = format!("{}{path}", url.path().trim_end_matches('/'));
        url.set_path(&whole);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }
}

/// The host and its port, without path: what an operator may see of it.
impl fmt::Display for ServiceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.host_str().unwrap_or_default())?;
        self.url.port().map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(egress: &Egress, address: &str) -> Option<EgressError> {
        egress.admit(address).err()
    }

    #[test]
    fn without_a_word_of_the_operator_only_this_machine_is_called() {
        let egress = Egress::default();
        for address in ["http://127.0.0.1:8093", "http://localhost:8093/v1", "http://[::1]:8093", "https://127.1"] {
            assert_eq!(refused(&egress, address), None, "{address}");
        }
        for (address, host) in [
            ("https://api.example.com", "api.example.com"),
            ("http://10.0.0.1", "10.0.0.1"),
            ("https://localhost.example.com", "localhost.example.com"),
        ] {
            assert_eq!(refused(&egress, address), Some(EgressError::NotReal(host.to_owned())));
            let named = Egress::new(false, [host.to_owned()]);
            assert_eq!(refused(&named, address), Some(EgressError::NotReal(host.to_owned())));
        }
    }

    #[test]
    fn a_real_host_is_called_if_it_is_named_and_only_with_tls() {
        let egress = Egress::new(true, ["API.example.com".to_owned(), "10.0.0.1".to_owned()]);
        assert_eq!(refused(&egress, "https://api.example.com/v1"), None);
        let of = |host: &str| host.to_owned();
        for (address, rule) in [
            ("http://api.example.com", EgressError::Plain(of("api.example.com"))),
            ("https://other.example.com", EgressError::NotNamed(of("other.example.com"))),
            ("https://10.0.0.1", EgressError::Private(of("10.0.0.1"))),
            ("https://ada:secret@api.example.com", EgressError::Malformed),
            ("https://api.example.com/?key=secret", EgressError::Malformed),
            ("ftp://api.example.com", EgressError::Malformed),
            ("api.example.com", EgressError::Malformed),
        ] {
            assert_eq!(refused(&egress, address), Some(rule), "{address}");
        }
    }

    #[test]
    fn a_path_is_added_to_that_of_the_address() {
        let address = Egress::default().admit("http://127.0.0.1:8093/mirror/").unwrap();
        let url = address.url("/v1/items", &[("app_id", "730"), ("currency", "USD")]);
        assert_eq!(url.as_str(), "http://127.0.0.1:8093/mirror/v1/items?app_id=730&currency=USD");
        assert_eq!((address.to_string().as_str(), address.is_loopback()), ("127.0.0.1:8093", true));
    }
}
