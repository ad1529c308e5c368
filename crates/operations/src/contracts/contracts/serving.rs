//! Active contracts that no running engine serves: the status reason shows it, and a remediation reports it.

use std::collections::HashSet;

use tradepost_domain::contracts::contract::Contract;
use tradepost_domain::contracts::remediation::{Evidence, RemediationKind};
use tradepost_domain::id::ContractId;
use tradepost_domain::markets::provider::ProviderKind;
use tradepost_domain::transition::Subject;
use tradepost_ports::changes::{Caller, Seen};

use super::served_contracts::Place;
use crate::contracts::{OpenRemediation, ResolveRemediation};
use crate::{OpResult, Operations};

/// Most contracts that are read in one statement.
const MOST: u32 = 500;

impl Operations {
    /// Checks the active contracts of every workspace, and reports those that no running engine has served at two checks in a row, and
    /// whose marketplaces are not read either; how many it reported. Each process calls this once a minute, so that each can show it in
    /// its answers. A contract that cannot be reported keeps no other from it, and is tried again at the next check.
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
        let news = self.serving.look(&leases, &self.read_only_places().await?, &active);
        let (system, kind) = (Caller::system(), RemediationKind::NotServed);
        let (mut reported, mut failed) = (0, None);
        for (workspace_id, id) in news.to_resolve() {
            let subject = Subject::Contract(id);
            match self.resolve_remediation(&system, ResolveRemediation { workspace_id, kind, subject }).await {
                Ok(_) => self.serving.resolved(id),
                Err(error) => failed = Some(error),
            }
        }
        for (workspace_id, id) in news.to_report() {
            let (subject, evidence) = (Subject::Contract(id), Evidence::default());
            match self.open_remediation(&system, OpenRemediation { workspace_id, kind, subject, evidence }).await {
                Ok(_) => {
                    self.serving.reported(id, workspace_id);
                    reported += 1;
                }
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(reported), Err)
    }

    /// Returns the marketplaces that drivers of this server only read.
    async fn read_only_places(&self) -> OpResult<HashSet<Place>> {
        let (mut places, kind) = (HashSet::new(), ProviderKind::Marketplace);
        for driver in self.drivers().into_iter().filter(|driver| driver.only_reads(kind)) {
            let mut after = None;
            loop {
                let page = self.ports.store.providers().list_of_kind(&driver.name, kind, after, MOST).await?;
                after = page.last().map(|last| last.peek().id);
                let is_last = page.len() < MOST as usize;
                let enabled = page.iter().map(Seen::peek).filter(|provider| provider.check_enabled().is_ok());
                places.extend(enabled.map(|provider| (provider.workspace_id, provider.name.clone())));
                if is_last {
                    break;
                }
            }
        }
        Ok(places)
    }

    /// Returns whether the marketplaces of an active contract are only read, as this process has found: nothing is bought for it.
    pub fn is_only_read(&self, id: ContractId) -> bool {
        self.serving.is_only_read(id)
    }

    /// Returns whether this process has found that no running engine serves an active contract.
    pub fn is_unserved(&self, id: ContractId) -> bool {
        self.serving.is_unserved(id)
    }
}
