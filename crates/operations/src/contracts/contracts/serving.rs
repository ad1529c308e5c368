//! Active contracts that no running engine serves: the status reason shows it, and a remediation reports it.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::text::Marketplace;
use tradepost_domain::trading::lease::{Lease, Work};
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Seen};

use crate::contracts::OpenRemediation;
use crate::contracts::ResolveRemediation;
use crate::{OpResult, Operations};

/// Most contracts that are read in one statement.
const MOST: u32 = 500;
/// Checks in a row without an engine after which a contract is reported, so that a restart of an engine is not reported.
const LOOKS: u32 = 2;

/// The engines that serve contracts, as this process has seen them.
#[derive(Default)]
pub(crate) struct Serving(Mutex<CredentialCache>);

#[derive(Default)]
struct CredentialCache {
    /// The version of each lease at the last check. An engine renews its leases with every pass.
    leases: HashMap<(WorkspaceId, Marketplace), i64>,
    /// The number of checks in a row in which no engine served a contract.
    idle: HashMap<ContractId, u32>,
    /// Contracts that this process has reported.
    reported: HashMap<ContractId, WorkspaceId>,
    /// Served contracts whose remediation is resolved.
    served: HashSet<ContractId>,
}

/// The result of a check.
#[derive(Debug, Default, PartialEq, Eq)]
struct News {
    /// Contracts to report.
    idle: Vec<(WorkspaceId, ContractId)>,
    /// Contracts whose remediation is to be resolved, if there is one.
    ended: Vec<(WorkspaceId, ContractId)>,
}

impl CredentialCache {
    /// Compares all leases of marketplaces with all active contracts.
    fn look(&mut self, leases: &[Seen<Lease>], active: &[Seen<Contract>]) -> News {
        let held = self.held(leases);
        let mut news = News::default();
        let mut idle = HashMap::new();
        let mut at_work = HashSet::new();
        for contract in active.iter().map(Seen::peek) {
            at_work.insert(contract.id);
            if is_served(contract, &held) {
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
    fn held(&mut self, leases: &[Seen<Lease>]) -> HashSet<(WorkspaceId, Marketplace)> {
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

fn is_served(contract: &Contract, held: &HashSet<(WorkspaceId, Marketplace)>) -> bool {
    let workspace_id = contract.workspace_id;
    if contract.marketplaces.is_empty() {
        return held.iter().any(|(of, _)| *of == workspace_id);
    }
    contract.marketplaces.iter().any(|name| held.contains(&(workspace_id, name.clone())))
}

impl Serving {
    fn known(&self) -> MutexGuard<'_, CredentialCache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Operations {
    /// Checks the active contracts of every workspace, and reports those that no running engine has served at two checks in a row; how
    /// many it reported. Each process calls this once a minute, so that each can show it in its answers. A contract that cannot be
    /// reported keeps no other from it, and is tried again at the next check.
    ///
    /// # Errors
    /// `internal` when storage is out; the last error of those for which nothing was reported or resolved.
    pub async fn look_for_unserved_contracts(&self) -> OpResult<usize> {
        let leases = self.ports.store.leases().list_of_marketplaces().await?;
        let mut active = Vec::new();
        loop {
            let after = active.last().map(|last: &Seen<Contract>| last.peek().id);
            let more = self.ports.store.contracts().list_active(after, MOST).await?;
            let is_last = more.len() < MOST as usize;
            active.extend(more);
            if is_last {
                break;
            }
        }
        let News { idle, ended } = self.serving.known().look(&leases, &active);
        let (system, kind) = (Caller::system(), RemediationKind::NotServed);
        let (mut reported, mut failed) = (0, None);
        for (workspace_id, id) in ended {
            let subject = Subject::Contract(id);
            match self.resolve_remediation(&system, ResolveRemediation { workspace_id, kind, subject }).await {
                Ok(_) => self.serving.known().resolved(id),
                Err(error) => failed = Some(error),
            }
        }
        for (workspace_id, id) in idle {
            let (subject, evidence) = (Subject::Contract(id), Evidence::default());
            match self.open_remediation(&system, OpenRemediation { workspace_id, kind, subject, evidence }).await {
                Ok(_) => {
                    self.serving.known().reported.insert(id, workspace_id);
                    reported += 1;
                }
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(reported), Err)
    }

    /// Returns whether this process has found that no running engine serves an active contract.
    pub fn is_unserved(&self, id: ContractId) -> bool {
        self.serving.known().idle.get(&id).is_some_and(|looks| *looks >= LOOKS)
    }
}
