//! Active contracts with the rules of their filter sets, refreshed every pass.

use std::collections::BTreeMap;
use std::sync::Arc;

use tradepost_domain::contracts::contract::{Contract, ContractType};
use tradepost_domain::contracts::filter_set::FilterSetVersion;
use tradepost_domain::contracts::matching::ContractIndex;
use tradepost_domain::id::{ContractId, FilterSetId};
use tradepost_domain::markets::listing::Listing;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::{ContractsAtWork, GetContract, GetContracts, GetFilterSets};

use crate::context::Context;
use crate::error::EngineResult;
use crate::market::Market;
use crate::timings::PAGE;

/// Maximum number of contracts requested by version at once.
const CONTRACT_PAGE: u32 = 5_000;

/// Active contracts.
#[derive(Debug, Default)]
pub(crate) struct ContractCache {
    active: BTreeMap<ContractId, Arc<CachedContract>>,
    /// At which versions every contract that is active was last read, also those that are not for us.
    read_at: BTreeMap<ContractId, ContractVersions>,
    /// The buying ones, by what they want.
    index: ContractIndex,
}

/// The versions of a contract and of the filter set that it names.
type ContractVersions = (i64, Option<i64>);

/// A contract with the filter set that it names.
#[derive(Debug, Clone)]
pub(crate) struct CachedContract {
    contract: Versioned<Contract>,
    filter: Option<FilterSetVersion>,
}

impl ContractCache {
    pub(crate) fn get(&self, id: ContractId) -> Option<&Arc<CachedContract>> {
        self.active.get(&id)
    }

    /// The buying ones that want what is on offer.
    pub(crate) fn wanting(&self, offered: &Listing) -> Vec<ContractId> {
        self.index.matching(offered)
    }

    /// The selling ones.
    pub(crate) fn selling(&self) -> impl Iterator<Item = &CachedContract> {
        self.active
            .values()
            .map(Arc::as_ref)
            .filter(|standing| standing.contract.value.contract_type() == ContractType::Selling)
    }

    fn insert(&mut self, standing: CachedContract) {
        let id = standing.contract.value.id;
        let is_known = self.get(id).is_some_and(|known| known.has_same_index_entry(&standing));
        if !is_known {
            let rules = standing.filter.as_ref().map(|filter| filter.rules.clone());
            self.index.follow(&standing.contract.value, rules);
        }
        self.active.insert(id, Arc::new(standing));
    }

    fn remove(&mut self, id: ContractId) {
        if self.active.remove(&id).is_some() {
            self.index.remove(id);
        }
    }

    /// Replaces the set of active contracts. Returns those that are no longer active.
    fn retain_active(&mut self, active: BTreeMap<ContractId, ContractVersions>) -> Vec<ContractId> {
        let stopped: Vec<_> = self.active.keys().filter(|id| !active.contains_key(id)).copied().collect();
        for id in &stopped {
            self.remove(*id);
        }
        self.read_at = active;
        stopped
    }

    /// Those that are not as they were when they were read.
    fn changed(&self, active: &BTreeMap<ContractId, ContractVersions>) -> Vec<ContractId> {
        let is_known = |id: &ContractId| self.read_at.get(id) == active.get(id);
        active.keys().filter(|id| !is_known(id)).copied().collect()
    }
}

impl CachedContract {
    pub(crate) const fn new(contract: Versioned<Contract>, filter: Option<FilterSetVersion>) -> Self {
        Self { contract, filter }
    }

    pub(crate) const fn contract(&self) -> &Contract {
        &self.contract.value
    }

    pub(crate) const fn versioned(&self) -> &Versioned<Contract> {
        &self.contract
    }

    pub(crate) const fn filter(&self) -> Option<&FilterSetVersion> {
        self.filter.as_ref()
    }

    /// Whether the index would keep both in the same place.
    fn has_same_index_entry(&self, other: &Self) -> bool {
        let filter = |standing: &Self| standing.filter.as_ref().map(|filter| (filter.filter_set_id, filter.version));
        self.contract.value.status == other.contract.value.status && filter(self) == filter(other)
    }
}

impl Market {
    /// Takes in what changed of the contracts and their filter sets.
    pub(crate) async fn refresh_contracts(&mut self, context: &Context) -> EngineResult {
        let active = active_contracts(context).await?;
        for changed in self.contracts.changed(&active).chunks(usize::try_from(PAGE).unwrap_or(1)) {
            self.load_contracts(context, changed.to_vec()).await?;
        }
        let stopped = self.contracts.retain_active(active);
        // Their proposals were withdrawn: a contract that is activated again decides again.
        self.state.clear_decisions(&stopped);
        self.activity.retain_active(|id| self.contracts.get(id).is_some());
        self.activity.forget_proposals();
        Ok(())
    }
}

async fn active_contracts(context: &Context) -> EngineResult<BTreeMap<ContractId, ContractVersions>> {
    let (workspace_id, mut active, mut after) = (context.desk().workspace_id, BTreeMap::new(), None);
    loop {
        let ask = ContractsAtWork { workspace_id, after, most: CONTRACT_PAGE };
        let found = context.operations().contracts_at_work(context.caller(), ask).await?;
        let is_last = found.len() < CONTRACT_PAGE as usize;
        after = found.last().map(|last| last.contract_id);
        active.extend(found.into_iter().map(|one| (one.contract_id, (one.version, one.filter_set_version))));
        if is_last {
            return Ok(active);
        }
    }
}

impl Market {
    async fn load_contracts(&mut self, context: &Context, contract_ids: Vec<ContractId>) -> EngineResult {
        let get = GetContracts { workspace_id: context.desk().workspace_id, contract_ids };
        let contracts = context.operations().get_contracts(context.caller(), get).await?.found;
        let mut named: Vec<_> = contracts.iter().filter_map(|contract| contract.value.filter_set_id).collect();
        named.sort_unstable();
        named.dedup();
        let filters = filter_sets(context, named).await?;
        for contract in contracts {
            if is_on_desk(context, &contract.value) {
                let filter = contract.value.filter_set_id.and_then(|id| filters.get(&id).cloned());
                self.contracts.insert(CachedContract { contract, filter });
            } else {
                self.contracts.remove(contract.value.id);
            }
        }
        Ok(())
    }
}

/// Whether the contract works somewhere where the desk trades.
fn is_on_desk(context: &Context, contract: &Contract) -> bool {
    let mut places = contract.marketplaces.iter();
    contract.marketplaces.is_empty() || places.any(|name| context.desk().venue(name).is_some())
}

async fn filter_sets(
    context: &Context,
    filter_set_ids: Vec<FilterSetId>,
) -> EngineResult<BTreeMap<FilterSetId, FilterSetVersion>> {
    if filter_set_ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let get = GetFilterSets { workspace_id: context.desk().workspace_id, filter_set_ids };
    let found = context.operations().get_filter_sets(context.caller(), get).await?.found;
    Ok(found.into_iter().map(|set| (set.value.id, set.value.current())).collect())
}

impl Market {
    /// Reads a contract again, whose purchases have moved its counters.
    pub(crate) async fn refresh_contract(&mut self, context: &Context, contract_id: ContractId) -> EngineResult {
        let get = GetContract { workspace_id: context.desk().workspace_id, contract_id };
        let contract = context.operations().get_contract(context.caller(), get).await?;
        if let Some(standing) = self.contracts.active.get(&contract_id).cloned() {
            self.contracts.insert(CachedContract::new(contract, standing.filter.clone()));
        }
        Ok(())
    }
}
