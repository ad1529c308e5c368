//! What an operator can set about the transport.

use std::time::Duration;

use crate::TrustedProxies;

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
    /// How long calls under way may still take once the server is told to stop. 30 seconds by default.
    pub shutdown_grace: Duration,
    /// The proxies whose `X-Forwarded-For` is believed. None by default.
    pub trusted_proxies: TrustedProxies,
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
        }
    }
}
