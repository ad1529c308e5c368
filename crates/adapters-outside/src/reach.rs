//! The networks that a call may reach: the public ones, and those that the operator allows; or this machine alone.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// IPv4 networks that are not globally reachable, by the IANA registry of special-purpose addresses.
const PRIVATE_V4: [(Ipv4Addr, u8); 15] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// Global unicast. IPv6 addresses outside of it are loopback, local, multicast or unassigned.
const GLOBAL_V6: (Ipv6Addr, u8) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// NAT64: the IPv4 address is in the last four bytes, and a gateway sends the packet there.
const NAT64: (Ipv6Addr, u8) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
/// Networks inside of global unicast that are not globally reachable, or carry an IPv4 address to a gateway.
const PRIVATE_V6: [(Ipv6Addr, u8); 4] = [
    // Teredo, ORCHID, benchmarks and other protocol assignments.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    // Documentation (RFC 9637).
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// The addresses that calls may reach.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    allowed: Vec<IpNet>,
    is_local: bool,
}

impl Reach {
    /// Public addresses, and those of these networks.
    pub const fn public_and(allowed: Vec<IpNet>) -> Self {
        Self { allowed, is_local: false }
    }

    /// Every address: for what the operator names in the settings, never for what a user names.
    pub fn everywhere() -> Self {
        Self::public_and(vec![Ipv4Net::default().into(), Ipv6Net::default().into()])
    }

    /// This machine alone.
    pub const fn loopback() -> Self {
        Self { allowed: Vec::new(), is_local: true }
    }

    /// Returns whether a call may reach the address.
    pub fn admits(&self, address: IpAddr) -> bool {
        if self.is_local { address.to_canonical().is_loopback() } else { is_public(address) || self.allows(address) }
    }

    /// Returns whether the address is in one of the networks that the operator allows.
    pub fn allows(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.allowed.iter().any(|network| network.contains(&address))
    }
}

/// Returns whether the address is reachable from everywhere, so that nothing of the own network answers there.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => address.to_ipv4_mapped().map_or_else(|| is_public_v6(address), is_public_v4),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !PRIVATE_V4.iter().any(|network| contains_v4(*network, address))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if contains_v6(&NAT64, address) {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    contains_v6(&GLOBAL_V6, address) && !PRIVATE_V6.iter().any(|network| contains_v6(network, address))
}

fn contains_v4(network: (Ipv4Addr, u8), address: Ipv4Addr) -> bool {
    Ipv4Net::new(network.0, network.1).is_ok_and(|network| network.contains(&address))
}

fn contains_v6(network: &(Ipv6Addr, u8), address: Ipv6Addr) -> bool {
    Ipv6Net::new(network.0, network.1).is_ok_and(|network| network.contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First and last address of every network that is not public.
    const PRIVATE: &[&str] = &[
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.0",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.0.0",
        "169.254.169.254",
        "169.254.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.0",
        "192.0.0.255",
        "192.0.2.0",
        "192.0.2.255",
        "192.88.99.0",
        "192.88.99.255",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.0",
        "198.51.100.255",
        "203.0.113.0",
        "203.0.113.255",
        "224.0.0.0",
        "239.255.255.255",
        "240.0.0.0",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "100::1",
        "1fff:ffff::1",
        "4000::",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "2001::1",
        "2001:1ff:ffff::",
        "2001:db8::1",
        "2001:db8:ffff::1",
        "2002::",
        "2002:7f00:1::",
        "2002:808:808::1",
        "3fff::1",
        "3fff:fff::1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.1.2.3",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::8.8.8.8",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:192.168.1.1",
    ];

    /// The neighbours of these networks, and others that are public.
    const PUBLIC: &[&str] = &[
        "1.0.0.0",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "2a00::1",
        "3ffe::1",
        "64:ff9b::8.8.8.8",
        "::ffff:8.8.8.8",
    ];

    #[test]
    fn every_address_of_the_own_network_is_refused_and_its_neighbours_are_not() {
        for text in PRIVATE {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
        for text in PUBLIC {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn an_allowed_network_is_reached_in_both_spellings() {
        let reach = Reach::public_and(vec!["10.1.0.0/16".parse().unwrap()]);
        for inside in ["10.1.2.3", "::ffff:10.1.2.3", "8.8.8.8"] {
            assert!(reach.admits(inside.parse().unwrap()), "{inside}");
        }
        assert!(!reach.admits("10.2.0.1".parse().unwrap()));
        assert!(!reach.allows("8.8.8.8".parse().unwrap()));
    }

    #[test]
    fn what_the_operator_names_may_be_anywhere() {
        for address in PRIVATE.iter().chain(PUBLIC) {
            assert!(Reach::everywhere().admits(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn loopback_reaches_nothing_but_this_machine() {
        let reach = Reach::loopback();
        for inside in ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"] {
            assert!(reach.admits(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["8.8.8.8", "10.0.0.1", "2606:4700::1111", "::ffff:8.8.8.8"] {
            assert!(!reach.admits(outside.parse().unwrap()), "{outside}");
        }
    }
}
