//! How callers without a credential are counted: by address. Knows nothing of proxies; it is given the caller's address.

use std::net::IpAddr;

/// The partition of an address: an IPv4 address whole, an IPv6 address by its first 64 bits.
///
/// A single subscriber commonly holds a whole IPv6 /64 (RFC 6177), so anything finer would hand out a fresh quota for
/// each of 2^64 addresses. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`) counts as the IPv4 address.
///
/// ```
/// use tradepost_adapters_limits::address_partition;
///
/// assert_eq!(address_partition("192.0.2.1".parse()?), [192, 0, 2, 1]);
/// assert_eq!(address_partition("2001:db8::1".parse()?), address_partition("2001:db8::ffff:2".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn address_partition(address: IpAddr) -> Vec<u8> {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets().into_iter().take(8).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partition(address: &str) -> Vec<u8> {
        address_partition(address.parse().unwrap())
    }

    #[test]
    fn neighbours_in_ipv4_are_counted_apart() {
        assert_ne!(partition("192.0.2.1"), partition("192.0.2.2"));
    }

    #[test]
    fn addresses_of_one_ipv6_subscriber_are_counted_together() {
        assert_eq!(partition("2001:db8:0:1::1"), partition("2001:db8:0:1:ffff:ffff:ffff:ffff"));
        assert_ne!(partition("2001:db8:0:1::1"), partition("2001:db8:0:2::1"));
    }

    #[test]
    fn an_ipv4_address_in_ipv6_form_is_the_ipv4_address() {
        assert_eq!(partition("::ffff:192.0.2.1"), partition("192.0.2.1"));
    }
}
