//! How many connections there are at once: of the process, and of one network.
//!
//! The last places of the process are for networks with a connection that has sent a request, so that strangers who hold
//! everything else shut none of them out.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tradepost_ports::metrics::{CONNECTIONS, CONNECTIONS_REFUSED};

use crate::client_address::TrustedProxies;
use crate::settings::TransportSettings;

/// Of so many places one is kept for networks that were heard.
const KEPT_OF: usize = 8;

/// Refusals are counted one by one, and logged as often as this.
const WARNING: Duration = Duration::from_mins(1);

/// Who may connect.
#[derive(Debug)]
pub(crate) struct Admission {
    most: usize,
    most_of_network: usize,
    proxies: TrustedProxies,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    open: usize,
    networks: HashMap<IpAddr, Network>,
    warned_at: Option<Instant>,
}

#[derive(Debug, Default)]
struct Network {
    open: usize,
    heard: usize,
}

/// The place of one connection, which is free again once this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    admission: Arc<Admission>,
    network: IpAddr,
    is_heard: bool,
}

impl Admission {
    pub(crate) fn new(settings: &TransportSettings) -> Self {
        Self {
            most: settings.max_connections,
            // One network never takes every place, however few there are.
            most_of_network: settings.max_connections_per_network.min(settings.max_connections.div_ceil(2)),
            proxies: settings.trusted_proxies.clone(),
            state: Mutex::default(),
        }
    }

    pub(crate) const fn most(&self) -> usize {
        self.most
    }

    /// A place for a connection from `peer`, if there is one.
    pub(crate) fn admit(this: &Arc<Self>, peer: IpAddr) -> Option<Permit> {
        let network = network_of(peer);
        let mut state = this.state();
        let (open, heard) = state.networks.get(&network).map_or((0, 0), |network| (network.open, network.heard));
        let free = this.most.saturating_sub(state.open);
        let limit = if free == 0 || (heard == 0 && free <= this.most / KEPT_OF) {
            Some("server")
        } else if open >= this.most_of_network && !this.proxies.trust(peer) {
            Some("network")
        } else {
            None
        };
        if let Some(limit) = limit {
            metrics::counter!(CONNECTIONS_REFUSED.name, "limit" => limit).increment(1);
            state.warn(network, limit);
            return None;
        }
        state.open = state.open.saturating_add(1);
        state.networks.entry(network).or_default().open = open.saturating_add(1);
        metrics::gauge!(CONNECTIONS.name).increment(1);
        Some(Permit { admission: Arc::clone(this), network, is_heard: false })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn warn(&mut self, network: IpAddr, limit: &'static str) {
        let now = Instant::now();
        if self.warned_at.is_none_or(|at| now.duration_since(at) >= WARNING) {
            self.warned_at = Some(now);
            tracing::warn!(%network, limit, open = self.open, "connections are refused: too many are open");
        }
    }
}

impl Permit {
    /// The connection has sent the beginning of a request.
    pub(super) fn heard(&mut self) {
        if !self.is_heard {
            self.is_heard = true;
            if let Some(network) = self.admission.state().networks.get_mut(&self.network) {
                network.heard = network.heard.saturating_add(1);
            }
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.admission.state();
        state.open = state.open.saturating_sub(1);
        if let Some(network) = state.networks.get_mut(&self.network) {
            network.open = network.open.saturating_sub(1);
            network.heard = network.heard.saturating_sub(usize::from(self.is_heard));
            if network.open == 0 {
                state.networks.remove(&self.network);
            }
        }
        metrics::gauge!(CONNECTIONS.name).decrement(1);
    }
}

/// An IPv4 address, or the /64 of an IPv6 address, as with the rate limits.
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(max_connections: usize, max_connections_per_network: usize) -> Arc<Admission> {
        let trusted_proxies = TrustedProxies::parse(["192.0.2.250"]).unwrap();
        let limits = TransportSettings { max_connections, max_connections_per_network, ..TransportSettings::default() };
        Arc::new(Admission::new(&TransportSettings { trusted_proxies, ..limits }))
    }

    fn admit(admission: &Arc<Admission>, peer: &str) -> Option<Permit> {
        Admission::admit(admission, peer.parse().unwrap())
    }

    fn many(admission: &Arc<Admission>, peers: impl IntoIterator<Item = String>) -> Vec<Permit> {
        peers.into_iter().map_while(|peer| admit(admission, &peer)).collect()
    }

    #[test]
    fn a_network_has_only_so_many_connections_at_once() {
        let admission = admission(100, 3);
        let held = many(&admission, vec!["192.0.2.1".to_owned(); 9]);
        assert_eq!(held.len(), 3);
        assert!(admit(&admission, "192.0.2.2").is_some());
        drop(held);
        assert!(admit(&admission, "192.0.2.1").is_some());
    }

    #[test]
    fn addresses_of_one_ipv6_network_share_its_limit() {
        let admission = admission(100, 3);
        let held = many(&admission, (1..9).map(|host| format!("2001:db8::{host}")));
        assert_eq!(held.len(), 3);
        assert!(admit(&admission, "2001:db8:0:1::1").is_some());
    }

    #[test]
    fn a_trusted_proxy_has_as_many_as_there_are() {
        let admission = admission(100, 3);
        assert_eq!(many(&admission, vec!["192.0.2.250".to_owned(); 50]).len(), 50);
    }

    #[test]
    fn one_network_never_takes_every_place() {
        let admission = admission(10, 1_000);
        let held = many(&admission, vec!["192.0.2.1".to_owned(); 10]);
        assert_eq!(held.len(), 5);
        assert!(admit(&admission, "192.0.2.2").is_some());
    }

    #[test]
    fn the_last_places_are_for_networks_that_were_heard() {
        let admission = admission(80, 10);
        let mut known = admit(&admission, "192.0.2.1").unwrap();
        known.heard();
        let silent = many(&admission, (0..79).map(|number| format!("198.51.100.{number}")));
        assert_eq!(silent.len(), 69);
        let more = many(&admission, vec!["192.0.2.1".to_owned(); 20]);
        assert_eq!(more.len(), 9);
        assert!(admit(&admission, "203.0.113.1").is_none());
        drop((silent, more, known));
        assert!(admit(&admission, "203.0.113.1").is_some());
    }
}
