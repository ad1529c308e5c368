//! Promises about look-ups by what users type, and about what pools have together.

use tradepost_domain::contracts::ledger::{Account, Balanced};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::name_search::NameSearch;
use tradepost_ports::store::{PoolsTogether, Store};

use crate::samples::Scene;
use crate::store_contract::insert;

pub async fn records_of_the_workspace_are_found_by_identifiers_and_parts_of_names(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let paid = scene.purchase(store, PurchaseStatus::Paid).await;
    let elsewhere = scene.purchase(store, PurchaseStatus::Pending).await;
    let account = scene.samples.new_account(scene.id());
    insert(store, [account.clone().into()]).await.unwrap();
    let (scope, id) = (scene.scope(), paid.terms.id);
    let order = paid.progress.order.as_ref().unwrap().id.clone();
    for text in [&paid.terms.listing_id, &order] {
        assert_eq!(store.searches().search_purchases(scope, text, 20).await.unwrap(), [id], "{text}");
        assert_eq!(store.searches().search_purchases(abroad.scope(), text, 20).await.unwrap(), [], "{text}");
    }
    let listing = &elsewhere.terms.listing_id;
    assert_eq!(store.searches().search_purchases(scope, listing, 20).await.unwrap(), [elsewhere.terms.id]);
    assert_eq!(store.searches().search_items(scope, listing, 20).await.unwrap(), []);
    let search = |text: &str| NameSearch::new(text).unwrap();
    let (contract, name) = (search(&scene.contract.name.to_string()), search(&account.name.to_string()));
    assert!(store.searches().search_contracts(scope, &contract, 20).await.unwrap().contains(&scene.contract.id));
    assert_eq!(store.searches().search_accounts(scope, &name, 20).await.unwrap(), [account.id]);
    let member = search(&scene.user.display_name.to_string());
    let found = store.searches().search_members(scope, &member, 20).await.unwrap();
    assert!(found.iter().map(|(_, name)| name).eq([&scene.user.display_name]));
    assert_eq!(store.searches().search_members(scope, &search("nothing like it"), 20).await.unwrap(), []);
}

pub async fn pools_have_together_what_each_has(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let pools = [scene.samples.pool(scene.id()), scene.samples.pool(scene.id())];
    let balances = pools[0].balances.plus(&pools[1].balances).unwrap();
    let capital = balances.of(Account::Capital);
    for pool in pools {
        insert(store, [pool.into()]).await.unwrap();
    }
    let together = store.pools().sum_balances(scene.scope()).await.unwrap();
    assert_eq!((together.pools, together.balances.of(Account::Capital)), (2, capital));
    assert_eq!(together.balances, balances);
    let none = PoolsTogether { pools: 0, balances: Balanced::default() };
    assert_eq!(store.pools().sum_balances(abroad.scope()).await.unwrap(), none);
}
