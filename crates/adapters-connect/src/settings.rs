//! What an operator can set about the transport.

use std::time::Duration;

use crate::client_address::TrustedProxies;

/// Limits and deadlines of the transport. The defaults are those of the documentation.
#[derive(Debug, Clone)]
pub struct TransportSettings {
    /// Most bytes of a request body, also after decompression. 64 KiB by default.
    pub max_body_bytes: usize,
    /// Most bytes of all header names and values of a request. 16 KiB by default.
    pub max_header_bytes: usize,
    /// How long a call may take when the client sets no deadline. 10 seconds by default.
    pub default_deadline: Duration,
    /// The longest deadline a client can set. 30 seconds by default.
    pub max_deadline: Duration,
    /// How long calls in progress may still take after the stop signal. 30 seconds by default.
    pub shutdown_grace: Duration,
    /// The proxies whose `X-Forwarded-For` is believed. None by default.
    pub trusted_proxies: TrustedProxies,
    /// The names by which browsers reach the server, besides those of loopback. Requests of browsers that name another one are
    /// refused, and every such request to a listener on loopback. None by default; [`Transport`](crate::Transport) compares
    /// hosts alone, so a port may be left out.
    pub host_names: Vec<String>,
    /// The addresses of pages that may use the session of a browser, in addition to those of a listener on loopback. None by default.
    pub page_origins: Vec<String>,
    /// Most connections of a listener at once. The last eighth is for networks that have sent a request. 16,384 by default.
    pub max_connections: usize,
    /// Most connections at once of one network, an IPv4 address or the /64 of an IPv6 address, but at most half of all. Trusted
    /// proxies are exempt. 1,024 by default.
    pub max_connections_per_network: usize,
    /// How long a connection may take to send the beginning of its first request. 10 seconds by default.
    pub first_bytes_timeout: Duration,
}

impl Default for TransportSettings {
    fn default() -> Self {
        Self {
            max_body_bytes: 64 * 1024,
            max_header_bytes: 16 * 1024,
            default_deadline: Duration::from_secs(10),
            max_deadline: Duration::from_secs(30),
            shutdown_grace: Duration::from_secs(30),
            trusted_proxies: TrustedProxies::default(),
            host_names: Vec::new(),
            page_origins: Vec::new(),
            max_connections: 16 * 1024,
            max_connections_per_network: 1024,
            first_bytes_timeout: Duration::from_secs(10),
        }
    }
}
