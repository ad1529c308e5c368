//! How a server trades for the workspaces whose records make a desk.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::markets::provider::Provider;
use tradepost_domain::text::Name;
use tradepost_engine::SafeTimings;
use tradepost_ports::connector::Connector;

/// The trading of [`Tradepost::trade_by_records`](crate::Tradepost::trade_by_records).
#[derive(Clone)]
pub struct RecordedDesks {
    /// What connects providers, one for each driver.
    pub connectors: Vec<Arc<dyn Connector>>,
    /// The name of this process among those on the database, as of [`Desk::node`](tradepost_engine::Desk::node).
    pub node: Name,
    /// The time between two passes of an engine.
    pub every: Duration,
    /// The intervals and bounds of the engines.
    pub timings: SafeTimings,
    /// A workspace that the program trades for by a [`Desk`](tradepost_engine::Desk) of its own.
    pub except: Option<WorkspaceId>,
}

impl RecordedDesks {
    /// The connector of a provider's driver.
    pub(crate) fn connector(&self, provider: &Provider) -> Option<&Arc<dyn Connector>> {
        self.connectors.iter().find(|connector| connector.driver().name == provider.driver)
    }
}

impl fmt::Debug for RecordedDesks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let drivers: Vec<_> = self.connectors.iter().map(|connector| connector.driver().name.as_str()).collect();
        f.debug_struct("RecordedDesks").field("drivers", &drivers).field("node", &self.node).finish_non_exhaustive()
    }
}
