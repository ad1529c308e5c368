//! Leases: which of several nodes does a part of a workspace's work.
//!
//! A lease has no end of its own, since the clocks of nodes differ and simulated ones jump. Its holder renews it, which raises
//! its version. A node that has seen it at one version for longer than the renewal interval may take it. The version is the fencing
//! token: a holder's writes are guarded by the version of its lease, so that none is kept once another node has taken the lease.
use std::fmt;

use crate::id::{LeaseId, WorkspaceId};
use crate::text::{Marketplace, Name};
use crate::time::Timestamp;

/// A part of a workspace's work, done by one node at a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Work {
    /// Being there: every node holds this of itself, and is counted by it.
    Presence(
        /// The node.
        Name,
    ),
    /// Everything at one marketplace: purchases, listings, and the outcome of both. They are one lease, because its balance depends on
    /// its uncertain orders.
    Marketplace(
        /// The marketplace.
        Marketplace,
    ),
    /// Deciding what of the inventory is put on sale, and where.
    Inventory,
}

/// The holder of a part of the work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The lease's id.
    pub id: LeaseId,
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The part; a workspace has one lease of each.
    pub work: Work,
    /// The node that does it; `None` once it has given it up.
    pub holder: Option<Name>,
    /// When it was taken, renewed or released, by the holder's clock.
    pub renewed_at: Timestamp,
}

impl Lease {
    /// Whether a node holds it.
    pub fn is_of(&self, node: &Name) -> bool {
        self.holder.as_ref() == Some(node)
    }
}

impl Work {
    /// The stored number of the kind, and the name within it; empty where there is one.
    pub fn parts(&self) -> (i16, &str) {
        match self {
            Self::Presence(node) => (1, node.as_str()),
            Self::Marketplace(name) => (2, name.as_str()),
            Self::Inventory => (3, ""),
        }
    }

    /// The work of a stored number and name.
    pub fn of_parts(kind: i16, name: &str) -> Option<Self> {
        match kind {
            1 => Name::new(name).ok().map(Self::Presence),
            2 => Marketplace::new(name).ok().map(Self::Marketplace),
            3 => name.is_empty().then_some(Self::Inventory),
            _ => None,
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Presence(node) => write!(f, "presence of {node}"),
            Self::Marketplace(name) => write!(f, "marketplace {name}"),
            Self::Inventory => f.write_str("inventory"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_read_back_from_its_number_and_name() {
        let node = Name::new("node-1").unwrap();
        let market = Marketplace::new("simulated").unwrap();
        for work in [Work::Presence(node), Work::Marketplace(market), Work::Inventory] {
            let (kind, name) = work.parts();
            assert_eq!(Work::of_parts(kind, name), Some(work.clone()), "{work}");
        }
        assert_eq!(Work::of_parts(3, "other"), None);
        assert_eq!(Work::of_parts(4, ""), None);
    }
}
