//! Promises about the versions of contracts' terms.

use tradepost_domain::contracts::contract::{
    BasisPoints, ContractDraft, ContractVersion, PriceReference, PriceStatistic,
};
use tradepost_domain::transition::Actor;
use tradepost_ports::store::{PageRequest, Store};

use crate::samples::{Scene, minute, text};
use crate::store_contract::{insert, values};

pub async fn a_version_of_a_contract_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let plain = scene.samples.contract_version(&scene.contract, 1);
    let price_reference = PriceReference {
        sources: vec![text("skinport")],
        statistic: PriceStatistic::Median,
        max_age_seconds: 600,
        min_confidence: BasisPoints::new(5_000).unwrap(),
    };
    let terms = ContractDraft {
        filter_set_id: Some(scene.samples.id()),
        pool_id: Some(scene.samples.id()),
        marketplaces: vec![text("one"), text("other")],
        price_reference: Some(price_reference),
        starts_at: Some(minute(1)),
        ends_at: Some(minute(9)),
        ..scene.contract.to_draft()
    };
    let made_by = Actor::ApiKey { key: scene.samples.id(), user: scene.samples.id() };
    let full = ContractVersion { id: scene.samples.id(), terms, record_version: 7, made_by, made_at: minute(2) };
    insert(store, [plain.clone().into(), full.clone().into()]).await.unwrap();
    let ids = [plain.id, full.id, scene.samples.id()];
    let mut found = values(store.contract_versions().find_many(scene.scope(), &ids).await.unwrap());
    found.sort_by_key(|version| version.id);
    assert_eq!(found, [plain, full]);
}

pub async fn versions_of_a_contract_are_listed_newest_first_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let versions = [1, 2, 3].map(|version| home.samples.contract_version(&home.contract, version));
    let other = home.samples.contract(home.id());
    let of_other = home.samples.contract_version(&other, 1);
    insert(store, versions.clone().map(Into::into)).await.unwrap();
    insert(store, [other.clone().into(), of_other.clone().into()]).await.unwrap();
    let [first, second, third] = versions.map(|version| version.id);
    let list = async |scene: &Scene, contract, page| {
        store.contract_versions().list(scene.scope(), contract, page).await.unwrap().ids
    };
    let page = |limit, before| PageRequest { before, limit };
    assert_eq!(list(&home, home.contract.id, page(2, None)).await, [third, second]);
    assert_eq!(list(&home, home.contract.id, page(2, Some(second))).await, [first]);
    assert_eq!(list(&home, other.id, page(2, None)).await, [of_other.id]);
    assert_eq!(list(&abroad, home.contract.id, page(2, None)).await, []);
    assert_eq!(values(store.contract_versions().find_many(abroad.scope(), &[first]).await.unwrap()), []);
}
