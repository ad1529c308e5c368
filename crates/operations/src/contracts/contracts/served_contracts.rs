//! Which active contracts a running engine serves, as this process sees it by the leases that engines renew.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::text::Marketplace;
use tradepost_domain::trading::lease::{Lease, Work};
use tradepost_ports::changes::Seen;

/// Checks in a row without an engine after which a contract is reported, so that a restart of an engine is not reported.
const LOOKS: u32 = 2;

/// The engines that serve contracts, as this process has seen them.
#[derive(Default)]
pub(crate) struct Serving(Mutex<ServedContracts>);

/// The contracts that engines serve, and those that they do not.
#[derive(Default)]
struct ServedContracts {
    /// The version of each lease at the last check. An engine renews its leases with every pass.
    leases: HashMap<Place, i64>,
    /// The number of checks in a row in which no engine served a contract.
    idle: HashMap<ContractId, u32>,
    /// Contracts that this process has reported.
    reported: HashMap<ContractId, WorkspaceId>,
    /// Served contracts whose remediation is resolved.
    served: HashSet<ContractId>,
    /// Contracts whose marketplaces are read, and served by no engine.
    only_read: HashSet<ContractId>,
}

/// A marketplace of a workspace.
pub(crate) type Place = (WorkspaceId, Marketplace);

/// The result of a check.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct News {
    idle: Vec<(WorkspaceId, ContractId)>,
    ended: Vec<(WorkspaceId, ContractId)>,
}

impl News {
    /// The contracts to report.
    pub(crate) fn to_report(&self) -> impl Iterator<Item = (WorkspaceId, ContractId)> {
        self.idle.iter().copied()
    }

    /// The contracts whose remediation is to be resolved, if there is one.
    pub(crate) fn to_resolve(&self) -> impl Iterator<Item = (WorkspaceId, ContractId)> {
        self.ended.iter().copied()
    }
}

impl ServedContracts {
    /// Compares all leases of marketplaces, and those that are only read, with all active contracts.
    fn look(&mut self, leases: &[Seen<Lease>], read: &HashSet<Place>, active: &[Seen<Contract>]) -> News {
        let held = self.held(leases);
        let mut news = News::default();
        self.only_read.clear();
        let mut idle = HashMap::new();
        let mut at_work = HashSet::new();
        for contract in active.iter().map(Seen::peek) {
            at_work.insert(contract.id);
            let is_traded = is_served(contract, &held);
            if !is_traded && is_served(contract, read) {
                self.only_read.insert(contract.id);
            }
            if is_traded || self.only_read.contains(&contract.id) {
                if !self.served.contains(&contract.id) {
                    news.ended.push((contract.workspace_id, contract.id));
                }
                continue;
            }
            self.served.remove(&contract.id);
            let looks = self.idle.get(&contract.id).map_or(1, |looks| looks.saturating_add(1));
            idle.insert(contract.id, looks);
            if looks >= LOOKS && !self.reported.contains_key(&contract.id) {
                news.idle.push((contract.workspace_id, contract.id));
            }
        }
        self.idle = idle;
        self.served.retain(|id| at_work.contains(id));
        let stopped = self.reported.iter().filter(|(id, _)| !at_work.contains(id));
        news.ended.extend(stopped.map(|(id, workspace_id)| (*workspace_id, *id)));
        news
    }

    /// Records that a contract is served or not active, so that no remediation reports it.
    fn resolved(&mut self, id: ContractId) {
        self.reported.remove(&id);
        self.served.insert(id);
    }

    /// Returns the marketplaces that an engine serves. At the first check every lease with a holder counts.
    fn held(&mut self, leases: &[Seen<Lease>]) -> HashSet<Place> {
        let (mut held, mut seen) = (HashSet::new(), HashMap::new());
        for lease in leases {
            let (Work::Marketplace(name), version) = (&lease.peek().work, lease.stamp().version) else { continue };
            let place = (lease.peek().workspace_id, name.clone());
            if lease.peek().holder.is_some() && self.leases.get(&place) != Some(&version) {
                held.insert(place.clone());
            }
            seen.insert(place, version);
        }
        self.leases = seen;
        held
    }
}

fn is_served(contract: &Contract, held: &HashSet<Place>) -> bool {
    let workspace_id = contract.workspace_id;
    if contract.marketplaces.is_empty() {
        return held.iter().any(|(of, _)| *of == workspace_id);
    }
    contract.marketplaces.iter().any(|name| held.contains(&(workspace_id, name.clone())))
}

impl Serving {
    /// Compares all leases of marketplaces, and those that are only read, with all active contracts.
    pub(crate) fn look(&self, leases: &[Seen<Lease>], read: &HashSet<Place>, active: &[Seen<Contract>]) -> News {
        self.known().look(leases, read, active)
    }

    /// Records that a contract is served or not active, so that no remediation reports it.
    pub(crate) fn resolved(&self, id: ContractId) {
        self.known().resolved(id);
    }

    /// Records that a remediation reports a contract.
    pub(crate) fn reported(&self, id: ContractId, workspace_id: WorkspaceId) {
        self.known().reported.insert(id, workspace_id);
    }

    pub(crate) fn is_only_read(&self, id: ContractId) -> bool {
        self.known().only_read.contains(&id)
    }

    pub(crate) fn is_unserved(&self, id: ContractId) -> bool {
        self.known().idle.get(&id).is_some_and(|looks| *looks >= LOOKS)
    }

    fn known(&self) -> MutexGuard<'_, ServedContracts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
