//! The contracts at work with the rules of their filter sets, followed from pass to pass.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tradepost_domain::contract::{Contract, ContractStatus, ContractType};
use tradepost_domain::filter_set::FilterSetVersion;
use tradepost_domain::id::{ContractId, FilterSetId};
use tradepost_domain::matching::ContractIndex;
use tradepost_operations::Versioned;
use tradepost_operations::contracts::{GetContract, GetContracts, GetFilterSets, ListContracts};

use crate::Engine;
use crate::reads::PAGE;
use crate::trouble::Tried;

/// The contracts at work.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    at_work: BTreeMap<ContractId, Arc<Standing>>,
    /// The buying ones, by what they want.
    pub(crate) index: ContractIndex,
}

/// A contract as it stands, with the filter set that it names.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    pub(crate) contract: Versioned<Contract>,
    pub(crate) filter: Option<FilterSetVersion>,
}

impl Catalogue {
    pub(crate) fn get(&self, id: ContractId) -> Option<&Arc<Standing>> {
        self.at_work.get(&id)
    }

    /// The selling ones.
    pub(crate) fn selling(&self) -> impl Iterator<Item = &Standing> {
        self.at_work
            .values()
            .map(Arc::as_ref)
            .filter(|standing| standing.contract.value.contract_type() == ContractType::Selling)
    }

    fn follow(&mut self, standing: Standing) {
        let id = standing.contract.value.id;
        let is_known = self.get(id).is_some_and(|known| known.is_like(&standing));
        if !is_known {
            let rules = standing.filter.as_ref().map(|filter| filter.rules.clone());
            self.index.follow(&standing.contract.value, rules);
        }
        self.at_work.insert(id, Arc::new(standing));
    }

    fn keep_only(&mut self, ids: &BTreeSet<ContractId>) {
        let gone: Vec<_> = self.at_work.keys().filter(|id| !ids.contains(id)).copied().collect();
        for id in gone {
            self.at_work.remove(&id);
            self.index.remove(id);
        }
    }
}

impl Standing {
    /// Whether the index would keep both in the same place.
    fn is_like(&self, other: &Self) -> bool {
        let filter = |standing: &Self| standing.filter.as_ref().map(|filter| (filter.filter_set_id, filter.version));
        self.contract.value.status == other.contract.value.status && filter(self) == filter(other)
    }
}

impl Engine {
    /// Takes in what changed of the contracts and their filter sets.
    pub(crate) async fn follow_contracts(&mut self) -> Tried {
        let (mut ids, mut cursor) = (BTreeSet::new(), String::new());
        loop {
            let list = ListContracts {
                workspace_id: self.desk.workspace_id,
                limit: PAGE,
                cursor,
                contract_type: None,
                status: Some(ContractStatus::Active),
            };
            let page = self.operations.list_contracts(&self.caller, list).await?;
            self.take_in(page.entries.clone()).await?;
            ids.extend(page.entries);
            if page.next_cursor.is_empty() {
                break;
            }
            cursor = page.next_cursor;
        }
        self.catalogue.keep_only(&ids);
        Ok(())
    }

    async fn take_in(&mut self, contract_ids: Vec<ContractId>) -> Tried {
        if contract_ids.is_empty() {
            return Ok(());
        }
        let get = GetContracts { workspace_id: self.desk.workspace_id, contract_ids };
        let contracts = self.operations.get_contracts(&self.caller, get).await?.found;
        let mut named: Vec<_> = contracts.iter().filter_map(|contract| contract.value.filter_set_id).collect();
        named.sort_unstable();
        named.dedup();
        let filters = self.filters(named).await?;
        for contract in contracts {
            if !self.is_for_us(&contract.value) {
                continue;
            }
            let filter = contract.value.filter_set_id.and_then(|id| filters.get(&id).cloned());
            self.catalogue.follow(Standing { contract, filter });
        }
        Ok(())
    }

    /// Whether the contract works somewhere where the desk trades.
    fn is_for_us(&self, contract: &Contract) -> bool {
        let mut places = contract.marketplaces.iter();
        contract.marketplaces.is_empty() || places.any(|name| self.desk.venue(name).is_some())
    }

    async fn filters(&self, filter_set_ids: Vec<FilterSetId>) -> Tried<BTreeMap<FilterSetId, FilterSetVersion>> {
        if filter_set_ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let get = GetFilterSets { workspace_id: self.desk.workspace_id, filter_set_ids };
        let found = self.operations.get_filter_sets(&self.caller, get).await?.found;
        Ok(found.into_iter().map(|set| (set.value.id, set.value.current())).collect())
    }

    /// Reads a contract again, whose purchases have moved its counters.
    pub(crate) async fn follow_contract(&mut self, contract_id: ContractId) -> Tried {
        let get = GetContract { workspace_id: self.desk.workspace_id, contract_id };
        let contract = self.operations.get_contract(&self.caller, get).await?;
        if let Some(standing) = self.catalogue.at_work.get(&contract_id).cloned() {
            self.catalogue.follow(Standing { contract, filter: standing.filter.clone() });
        }
        Ok(())
    }
}
