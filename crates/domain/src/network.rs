//! Networks: the addresses from which a credential may be used.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use ipnet::IpNet;

/// Most networks of one credential.
pub const MOST_NETWORKS: usize = 20;

/// The networks from which a credential may be used; none means from everywhere.
///
/// ```
/// use tradepost_domain::network::Networks;
///
/// let office = Networks::parse(["192.0.2.0/24", "2001:db8::7"])?;
/// assert!(office.admit(Some("192.0.2.9".parse()?)));
/// assert!(!office.admit(Some("198.51.100.1".parse()?)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Networks(Vec<IpNet>);

/// Why a list of networks was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworksError {
    /// Neither an address nor a network.
    #[error("has {0:?}, which is neither an address such as 192.0.2.1 nor a network such as 192.0.2.0/24")]
    Malformed(String),
    /// An address inside of a network: it is not said which of both is meant.
    #[error("has {0}, an address inside of a network; write {1} for all of it, or the address alone")]
    Inside(IpNet, IpNet),
    /// An IPv4 network in the clothes of IPv6, which no caller ever comes from.
    #[error("has {0}; write an IPv4 network as one")]
    Mapped(IpNet),
    /// Too many.
    #[error("must have at most {MOST_NETWORKS} networks")]
    TooMany,
}

impl Networks {
    /// The networks that these texts name, each once: addresses, or networks in CIDR notation.
    ///
    /// # Errors
    /// [`NetworksError`] with the first text that cannot be taken.
    pub fn parse<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Result<Self, NetworksError> {
        let mut networks = Vec::new();
        for text in texts {
            let network = parse(text.as_ref())?;
            if !networks.contains(&network) {
                networks.push(network);
            }
        }
        if networks.len() > MOST_NETWORKS { Err(NetworksError::TooMany) } else { Ok(Self(networks)) }
    }

    /// Whether the credential may be used from this address. Where there are networks, no address is a wrong one.
    pub fn admit(&self, client: Option<IpAddr>) -> bool {
        let admits = |client: IpAddr| self.0.iter().any(|network| network.contains(&client.to_canonical()));
        self.0.is_empty() || client.is_some_and(admits)
    }

    /// Whether every address that the other list admits is admitted by this one.
    pub fn cover(&self, other: &Self) -> bool {
        let covers = |inner: &IpNet| self.0.iter().any(|network| network.contains(inner));
        self.0.is_empty() || (!other.0.is_empty() && other.0.iter().all(covers))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The networks as they are written, in CIDR notation.
    pub fn iter(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(ToString::to_string)
    }
}

impl fmt::Display for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().collect::<Vec<_>>().join(" "))
    }
}

fn parse(text: &str) -> Result<IpNet, NetworksError> {
    let text = text.trim();
    let network = match text.parse::<IpAddr>() {
        Ok(address) => IpNet::from(address),
        Err(_) => text.parse().map_err(|_| NetworksError::Malformed(text.to_owned()))?,
    };
    if is_mapped(network) {
        return Err(NetworksError::Mapped(network));
    }
    if network != network.trunc() {
        return Err(NetworksError::Inside(network, network.trunc()));
    }
    Ok(network)
}

/// Whether all addresses of the network are IPv4 addresses written as IPv6 (RFC 4291 §2.5.5.2).
fn is_mapped(network: IpNet) -> bool {
    let mapped = |address: Ipv6Addr| address.to_ipv4_mapped().is_some();
    matches!(network, IpNet::V6(network) if mapped(network.network()) && mapped(network.broadcast()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn networks(texts: &[&str]) -> Networks {
        Networks::parse(texts).unwrap()
    }

    fn admits(networks: &Networks, address: &str) -> bool {
        networks.admit(Some(address.parse().unwrap()))
    }

    #[test]
    fn without_networks_every_address_is_admitted() {
        assert!(admits(&Networks::default(), "192.0.2.1") && Networks::default().admit(None));
    }

    #[test]
    fn an_address_is_admitted_by_a_network_of_its_family() {
        let office = networks(&["192.0.2.0/24", "2001:db8::/32", "198.51.100.7"]);
        for inside in ["192.0.2.255", "2001:db8::1", "198.51.100.7", "::ffff:192.0.2.1"] {
            assert!(admits(&office, inside), "{inside}");
        }
        for outside in ["192.0.3.0", "2001:db9::1", "198.51.100.8", "::192.0.2.1"] {
            assert!(!admits(&office, outside), "{outside}");
        }
        assert!(!office.admit(None));
    }

    #[test]
    fn a_text_that_names_no_network_is_refused_by_what_is_wrong() {
        let refused = |text: &str| Networks::parse([text]).unwrap_err();
        for text in ["", "example.com", "192.0.2.0/33", "192.0.2", "192.0.2.1-192.0.2.9"] {
            assert_eq!(refused(text), NetworksError::Malformed(text.to_owned()));
        }
        assert!(matches!(refused("192.0.2.5/24"), NetworksError::Inside(..)));
        assert!(matches!(refused("::ffff:192.0.2.0/120"), NetworksError::Mapped(_)));
    }

    #[test]
    fn a_network_counts_once_and_twenty_are_the_most() {
        let twenty: Vec<String> = (0..20).map(|number| format!("192.0.2.{number}")).collect();
        let twice = twenty.iter().chain(&twenty);
        assert_eq!(Networks::parse(twice).unwrap().iter().count(), 20);
        let more = twenty.iter().map(String::as_str).chain(["198.51.100.1"]);
        assert_eq!(Networks::parse(more), Err(NetworksError::TooMany));
    }

    #[test]
    fn what_is_written_is_read_back_the_same() {
        let office = networks(&["192.0.2.0/24", "2001:db8::7"]);
        assert_eq!(office.to_string(), "192.0.2.0/24 2001:db8::7/128");
        assert_eq!(Networks::parse(office.to_string().split(' ')), Ok(office));
    }

    #[test]
    fn a_list_covers_what_lies_inside_of_it() {
        let (wide, narrow) = (networks(&["192.0.2.0/24"]), networks(&["192.0.2.0/25", "192.0.2.200"]));
        assert!(wide.cover(&narrow) && !narrow.cover(&wide));
        assert!(Networks::default().cover(&wide) && !wide.cover(&Networks::default()));
    }
}
