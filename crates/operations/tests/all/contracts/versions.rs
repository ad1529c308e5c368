//! The versions of a contract's terms: one for each change of them, and none for work under the contract.

use tradepost_domain::contracts::contract::{ContractVersion, Terms};
use tradepost_domain::id::{ContractId, Id};
use tradepost_domain::money::Cents;
use tradepost_domain::transition::Actor;
use tradepost_operations::Code;
use tradepost_operations::contracts::{
    BuyingLimits, CloneContract, ContractTerms, GetContractVersions, ListContractVersions, UpdateContract,
};

use super::{Desk, buying_limits, renamed};
use crate::harness::refusal;

impl Desk {
    /// The versions of a contract, the newest first.
    async fn versions(&self, contract_id: ContractId) -> Vec<ContractVersion> {
        let workspace_id = self.workspace_id();
        let list = ListContractVersions { workspace_id, contract_id, limit: 0, cursor: String::new() };
        let contract_version_ids = self.operations().list_contract_versions(&self.trader, list).await.unwrap().entries;
        let get = GetContractVersions { workspace_id, contract_version_ids };
        self.operations().get_contract_versions(&self.trader, get).await.unwrap().versions
    }

    async fn change_contract(&self, change: UpdateContract) {
        self.operations().update_contract(&self.trader, change).await.unwrap();
    }
}

/// The most that is spent under these terms.
fn budget_of(version: &ContractVersion) -> Cents {
    let Terms::Buying(terms) = &version.terms.terms else { panic!("{version:?}") };
    terms.budget
}

#[tokio::test]
async fn each_change_of_the_terms_is_kept_with_who_made_it_and_when() {
    let desk = Desk::open().await;
    let made_at = desk.contract().await.value.created_at;
    desk.world.advance(time::Duration::HOUR);
    let terms = Some(ContractTerms::Buying(BuyingLimits { budget_cents: Some(90_000), ..buying_limits() }));
    desk.change_contract(UpdateContract { terms, ..renamed(desk.workspace_id(), desk.contract_id) }).await;
    let changed = desk.contract().await;
    let [second, first] = desk.versions(desk.contract_id).await.try_into().unwrap();
    assert_eq!([&second, &first].map(|version| budget_of(version).get()), [90_000, 15_000]);
    assert_eq!(second.terms, changed.value.to_draft());
    assert_eq!([second.record_version, first.record_version], [changed.version, 1]);
    assert_eq!([second.made_at, first.made_at], [changed.value.updated_at, made_at]);
    assert!(matches!(second.made_by, Actor::ApiKey { .. }), "{:?}", second.made_by);
}

#[tokio::test]
async fn work_under_a_contract_and_a_change_to_what_it_is_make_no_version() {
    let desk = Desk::open().await;
    desk.operations().record_purchase(&desk.trader, desk.listing(1)).await.unwrap();
    let name = Some(desk.contract().await.value.name.to_string());
    desk.change_contract(UpdateContract { name, ..renamed(desk.workspace_id(), desk.contract_id) }).await;
    assert_eq!(desk.versions(desk.contract_id).await.len(), 1);
}

#[tokio::test]
async fn a_clone_begins_with_a_version_of_its_own() {
    let desk = Desk::open().await;
    desk.change_contract(renamed(desk.workspace_id(), desk.contract_id)).await;
    let (workspace_id, contract_id, name) = (desk.workspace_id(), desk.contract_id, "Another".to_owned());
    let clone = CloneContract { workspace_id, contract_id, name };
    let clone = desk.operations().clone_contract(&desk.trader, clone).await.unwrap().value;
    let [only] = desk.versions(clone.id).await.try_into().unwrap();
    assert_eq!((only.terms, only.record_version), (clone.to_draft(), 1));
}

#[tokio::test]
async fn versions_are_listed_page_by_page_and_of_a_contract_that_is_there() {
    let desk = Desk::open().await;
    desk.change_contract(renamed(desk.workspace_id(), desk.contract_id)).await;
    let (workspace_id, contract_id) = (desk.workspace_id(), desk.contract_id);
    let list = |cursor| ListContractVersions { workspace_id, contract_id, limit: 1, cursor };
    let first = desk.operations().list_contract_versions(&desk.trader, list(String::new())).await.unwrap();
    let second = desk.operations().list_contract_versions(&desk.trader, list(first.next_cursor.clone())).await.unwrap();
    assert_eq!((first.entries.len(), second.entries.len(), second.next_cursor.as_str()), (1, 1, ""));
    assert!(first.entries[0] > second.entries[0]);
    let unknown = ListContractVersions { contract_id: Id::from_bytes([9; 16]), ..list(String::new()) };
    let refused = refusal(desk.operations().list_contract_versions(&desk.trader, unknown).await);
    assert_eq!(refused.0, Code::NotFound);
}
