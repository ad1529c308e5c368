//! [`HoldLeases`]: which node does which part of a workspace's work. No operation of the interface.

use std::collections::BTreeMap;

use tradepost_domain::id::WorkspaceId;
use tradepost_domain::text::Name;
use tradepost_domain::trading::lease::{Lease, Work};
use tradepost_ports::changes::{Caller, Changes, Seen, VersionGuard};
use tradepost_ports::record::Record as _;
use tradepost_ports::store::{StoreError, Unique};

use crate::rules::{READ_TRADING, WRITE_TRADING};
use crate::{OpError, OpResult, Operations, Reason, Versioned};

/// Takes and renews parts of the work for a node, and gives others up, in one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldLeases {
    /// The workspace.
    pub workspace_id: WorkspaceId,
    /// The node.
    pub node: Name,
    /// The work to acquire, each at the version at which its lease was seen; `None` where there was none.
    pub take: Vec<(Work, Option<i64>)>,
    /// The work to release, as far as the node holds it.
    pub give_up: Vec<Work>,
}

/// A part of the work that a node holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldLease {
    /// The part.
    pub work: Work,
    /// The fencing token: among the guards of a [`Caller`] it rejects every write of the caller once another node took
    /// the lease, or once it was renewed.
    pub fence: VersionGuard,
}

impl Operations {
    /// Returns every lease of a workspace, in no order.
    ///
    /// # Errors
    /// `permission_denied`.
    pub async fn leases(&self, caller: &Caller, workspace_id: WorkspaceId) -> OpResult<Vec<Versioned<Lease>>> {
        let scope = caller.principal.enter(workspace_id, READ_TRADING)?;
        Ok(self.ports.store.leases().find_many(scope).await?.into_iter().map(Versioned::from).collect())
    }

    /// Holds parts of the work for a node; all of them, or none if another node was faster with one.
    ///
    /// Whether a lease that another node holds may be taken is for the caller to know: a node that lives renews its leases, so
    /// that their versions grow.
    ///
    /// # Errors
    /// `permission_denied`, `failed_precondition` with `LEASE_TAKEN`.
    pub async fn hold_leases(&self, caller: &Caller, command: HoldLeases) -> OpResult<Vec<HeldLease>> {
        let HoldLeases { workspace_id, node, take, give_up } = command;
        let scope = caller.principal.enter(workspace_id, WRITE_TRADING)?;
        let at = self.now();
        let mut found: BTreeMap<Work, Seen<Lease>> = BTreeMap::new();
        for seen in self.ports.store.leases().find_many(scope).await? {
            found.insert(seen.peek().work.clone(), seen);
        }
        let (mut changes, mut held) = (Changes::by(caller), Vec::with_capacity(take.len()));
        for work in give_up {
            if let Some(own) = found.remove(&work).filter(|lease| lease.peek().is_of(&node)) {
                changes.revise(own, |lease| Ok::<_, OpError>(Lease { holder: None, renewed_at: at, ..lease }))?;
            }
        }
        for (work, seen_at) in take {
            let seen = found.remove(&work);
            if seen.as_ref().map(|seen| seen.stamp().version) != seen_at {
                return Err(taken());
            }
            let holder = Some(node.clone());
            let (address, version) = if let Some(seen) = seen {
                let renew = |lease| Ok::<_, OpError>(Lease { holder, renewed_at: at, ..lease });
                let renewed = changes.revise(seen, renew)?;
                (renewed.value.address(), renewed.version)
            } else {
                let id = self.mint();
                let lease = Lease { id, workspace_id, work: work.clone(), holder, renewed_at: at };
                let address = lease.address();
                changes.insert(lease);
                (address, 1)
            };
            held.push(HeldLease { work, fence: VersionGuard { address, version } });
        }
        match self.commit(caller, changes).await {
            Err(OpError { source: Some(StoreError::Duplicate(Unique::Lease) | StoreError::Conflict), .. }) => {
                Err(taken())
            }
            committed => committed.map(|_| held),
        }
    }
}

fn taken() -> OpError {
    OpError::failed_precondition(Reason::LeaseTaken, "another node was faster; read the leases again")
}
