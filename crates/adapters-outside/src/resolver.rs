//! The resolver of the client: it hands only judged addresses to the connector, so that no name is resolved twice.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::reach::Reach;

/// The addresses of a name, once they are known.
pub type Lookup = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Looks names up.
pub trait Names: Send + Sync + 'static {
    /// Returns the addresses of a name.
    fn look_up(&self, name: String) -> Lookup;
}

/// The resolver of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemNames;

impl Names for SystemNames {
    fn look_up(&self, name: String) -> Lookup {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect()) })
    }
}

/// No address of a name may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("every address of the host is in a network that is not reachable from everywhere")]
pub(crate) struct NotReachable;

/// Resolves names and drops every address that may not be reached.
pub(crate) struct JudgedNames {
    pub(crate) names: Arc<dyn Names>,
    pub(crate) reach: Reach,
}

impl Resolve for JudgedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookup, reach) = (self.names.look_up(name.as_str().to_owned()), self.reach.clone());
        Box::pin(async move {
            let judged: Vec<SocketAddr> = lookup
                .await?
                .into_iter()
                .filter(|address| reach.admits(*address))
                // The connector puts the port of the URL in place of 0.
                .map(|address| SocketAddr::new(address, 0))
                .collect();
            if judged.is_empty() {
                return Err(NotReachable.into());
            }
            let judged: Addrs = Box::new(judged.into_iter());
            Ok(judged)
        })
    }
}
