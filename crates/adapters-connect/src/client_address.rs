//! The address a call came from, as far as it can be believed.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap, HeaderName};
use ipnet::IpNet;
use tonic::transport::server::{TcpConnectInfo, TlsConnectInfo};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The networks of the proxies in front of the server. Any other client can write any address into `X-Forwarded-For`.
///
/// ```
/// use tradepost_adapters_connect::TrustedProxies;
///
/// let proxies = TrustedProxies::parse(["10.0.0.0/8", "2001:db8::1"])?;
/// # Ok::<(), tradepost_adapters_connect::InvalidProxy>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<IpNet>);

/// A text that is neither an address nor a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither an address such as 192.0.2.1 nor a network such as 192.0.2.0/24")]
pub struct InvalidProxy(pub String);

impl TrustedProxies {
    /// The proxies at these addresses or in these networks.
    ///
    /// # Errors
    /// [`InvalidProxy`] with the first text that is neither.
    pub fn parse<T: AsRef<str>>(networks: impl IntoIterator<Item = T>) -> Result<Self, InvalidProxy> {
        networks.into_iter().map(|text| parse_network(text.as_ref())).collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn trust(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client of a call from `peer`: `peer` itself, or the last address in `X-Forwarded-For` outside of our proxies,
    /// if `peer` is one.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let hops = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
        let hops: Vec<&str> = hops.flat_map(|value| value.split(',')).map(str::trim).collect();
        let mut client = peer;
        for hop in hops.into_iter().rev() {
            if !self.trust(client) {
                break;
            }
            let Ok(address) = parse_hop(hop) else { break };
            client = address;
        }
        client
    }
}

fn parse_network(text: &str) -> Result<IpNet, InvalidProxy> {
    let text = text.trim();
    IpNet::from_str(text)
        .or_else(|_| IpAddr::from_str(text).map(IpNet::from))
        .map_err(|_| InvalidProxy(text.to_owned()))
}

/// Some proxies add the port.
fn parse_hop(text: &str) -> Result<IpAddr, std::net::AddrParseError> {
    text.parse::<IpAddr>().or_else(|_| text.parse::<SocketAddr>().map(|socket| socket.ip())).map(|ip| ip.to_canonical())
}

/// The other end of the connection, as our host or an embedder's says.
pub(crate) fn peer(extensions: &Extensions) -> Option<IpAddr> {
    let tcp = extensions.get::<TcpConnectInfo>();
    let tls = extensions.get::<TlsConnectInfo<TcpConnectInfo>>().map(TlsConnectInfo::get_ref);
    let embedder = extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| *address);
    let address = tcp.or(tls).and_then(TcpConnectInfo::remote_addr).or(embedder);
    address.map(|address| address.ip().to_canonical())
}

/// The address a call came from, in the extensions of its request, pages of an application included. Behind trusted proxies
/// it is that of their client.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub Option<IpAddr>);

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str]) -> String {
        let proxies = TrustedProxies::parse(["10.0.0.0/8", "2001:db8::1"]).unwrap();
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, value.parse().unwrap());
        }
        proxies.client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_stranger_cannot_write_its_own_address() {
        assert_eq!(client("192.0.2.7", &["198.51.100.1"]), "192.0.2.7");
    }

    #[test]
    fn a_proxy_tells_the_address_of_its_client() {
        assert_eq!(client("10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("2001:db8::1", &["198.51.100.1:4711"]), "198.51.100.1");
    }

    #[test]
    fn what_the_client_of_a_proxy_wrote_is_not_believed() {
        assert_eq!(client("10.0.0.1", &["203.0.113.9, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(client("10.0.0.1", &["203.0.113.9", "198.51.100.1, 10.0.0.2"]), "198.51.100.1");
    }

    #[test]
    fn rubbish_ends_the_search_at_the_last_known_hop() {
        assert_eq!(client("10.0.0.1", &["198.51.100.1, nonsense"]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        assert!(TrustedProxies::parse(["192.0.2.1", "192.0.2.0/24"]).is_ok());
        assert_eq!(TrustedProxies::parse(["localhost"]).map(|_| ()), Err(InvalidProxy("localhost".to_owned())));
    }
}
