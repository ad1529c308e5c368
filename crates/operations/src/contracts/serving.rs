//! Contracts at work that no engine works for: each says so, and a remediation tells of it.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tradepost_domain::contract::Contract;
use tradepost_domain::id::{ContractId, WorkspaceId};
use tradepost_domain::lease::{Lease, Work};
use tradepost_domain::remediation::{Evidence, RemediationKind};
use tradepost_domain::text::Marketplace;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Seen};

use super::{OpenRemediation, ResolveRemediation};
use crate::{OpResult, Operations};

/// Most contracts that are read in one statement.
const MOST: u32 = 500;
/// In how many looks in a row nobody has worked for a contract before that is told: an engine that is restarted is no problem.
const LOOKS: u32 = 2;

/// What this process knows of who works for contracts.
#[derive(Default)]
pub(crate) struct Serving(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// At which version each lease was seen last: whoever holds one renews it all the time.
    leases: HashMap<(WorkspaceId, Marketplace), i64>,
    /// In how many looks in a row nobody has worked for a contract.
    idle: HashMap<ContractId, u32>,
    /// Contracts of which a remediation tells, by this process.
    told: HashMap<ContractId, WorkspaceId>,
    /// Contracts that are worked for, of which no remediation tells any more.
    served: HashSet<ContractId>,
}

/// What a look came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct News {
    /// Contracts that nobody works for, which is to be told.
    idle: Vec<(WorkspaceId, ContractId)>,
    /// Contracts of which a remediation is to tell no more, if one does.
    ended: Vec<(WorkspaceId, ContractId)>,
}

impl Known {
    /// What follows from all leases of marketplaces and all contracts at work.
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
            if looks >= LOOKS && !self.told.contains_key(&contract.id) {
                news.idle.push((contract.workspace_id, contract.id));
            }
        }
        self.idle = idle;
        self.served.retain(|id| at_work.contains(id));
        let stopped = self.told.iter().filter(|(id, _)| !at_work.contains(id));
        news.ended.extend(stopped.map(|(id, workspace_id)| (*workspace_id, *id)));
        news
    }

    /// The marketplaces where an engine works. At the first look every lease counts that somebody holds.
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
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Operations {
    /// Looks for contracts at work, of every workspace, whose marketplaces no running engine serves, and tells of those that were found so
    /// twice in a row; of how many. Called once a minute by each process, so that each can say it of a contract.
    ///
    /// # Errors
    /// `internal` when storage is out. What was told by then stays told, and the rest is told at the next look.
    pub async fn look_for_unserved_contracts(&self) -> OpResult<usize> {
        let leases = self.ports.store.list_marketplace_leases().await?;
        let mut active = Vec::new();
        loop {
            let after = active.last().map(|last: &Seen<Contract>| last.peek().id);
            let more = self.ports.store.list_active_contracts(after, MOST).await?;
            let is_last = more.len() < MOST as usize;
            active.extend(more);
            if is_last {
                break;
            }
        }
        let News { idle, ended } = self.serving.known().look(&leases, &active);
        let (system, kind, told) = (Caller::system(), RemediationKind::NotServed, idle.len());
        for (workspace_id, id) in ended {
            let subject = Subject::Contract(id);
            self.resolve_remediation(&system, ResolveRemediation { workspace_id, kind, subject }).await?;
            let mut known = self.serving.known();
            known.told.remove(&id);
            known.served.insert(id);
        }
        for (workspace_id, id) in idle {
            let (subject, evidence) = (Subject::Contract(id), Evidence::default());
            self.open_remediation(&system, OpenRemediation { workspace_id, kind, subject, evidence }).await?;
            self.serving.known().told.insert(id, workspace_id);
        }
        Ok(told)
    }

    /// Whether this process has found that no running engine serves the marketplaces of a contract at work.
    pub fn is_unserved(&self, id: ContractId) -> bool {
        self.serving.known().idle.get(&id).is_some_and(|looks| *looks >= LOOKS)
    }
}
