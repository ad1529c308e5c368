//! Promises about imports, their rows, and the accounts that they are compared with.

use std::collections::BTreeMap;

use tradepost_domain::trading::import::{Import, ImportEvent, ImportStatus, RowTally};
use tradepost_domain::trading::trading_account::{AccountEvent, OpenAccountWork, TradingAccount};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{PageRequest, Store};

use crate::samples::{Scene, minute, text};
use crate::store_contract::{insert, revise, value, values};

pub async fn an_import_in_every_status_is_read_back_whole_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    for status in ImportStatus::ALL {
        let import = home.samples.import(home.id(), *status);
        insert(store, [import.clone().into()]).await.unwrap();
        assert_eq!(
            values(store.imports().find_imports(home.scope(), &[import.id]).await.unwrap()),
            std::slice::from_ref(&import)
        );
        assert_eq!(values(store.imports().find_imports(abroad.scope(), &[import.id]).await.unwrap()), []);
    }
    let plain = Import {
        name: None,
        created_by: None,
        defaults: home.samples.plain_defaults(),
        ..home.samples.import(home.id(), ImportStatus::Checked)
    };
    insert(store, [plain.clone().into()]).await.unwrap();
    assert_eq!(values(store.imports().find_imports(home.scope(), &[plain.id]).await.unwrap()), [plain]);
}

pub async fn the_rows_of_an_import_are_read_back_whole_and_change_as_a_whole(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let import = home.samples.import(home.id(), ImportStatus::Checked);
    let rows = home.samples.import_rows(&import);
    insert(store, [import.clone().into(), rows.clone().into()]).await.unwrap();
    let find = async |scope| store.imports().find_import_rows(scope, import.id).await.unwrap();
    assert_eq!(value(find(abroad.scope()).await), None);
    let seen = find(home.scope()).await.unwrap();
    assert_eq!(*seen.peek(), rows);
    let last = rows.rows.last().cloned().unwrap();
    let shorter =
        revise(store, seen, |rows| tradepost_domain::trading::import::ImportRows { rows: vec![last], ..rows });
    shorter.await.unwrap();
    assert_eq!(find(home.scope()).await.unwrap().peek().rows.len(), 1);
}

pub async fn imports_are_listed_and_counted_by_status(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let statuses = [ImportStatus::Checked, ImportStatus::Applied, ImportStatus::Checked];
    let [first, second, third] = statuses.map(|status| scene.samples.import(scene.id(), status));
    insert(store, [first.clone().into(), second.clone().into(), third.clone().into()]).await.unwrap();
    let list = async |scope, status| {
        store.imports().list_imports(scope, status, PageRequest { before: None, limit: 9 }).await.unwrap().ids
    };
    assert_eq!(list(scene.scope(), None).await, [third.id, second.id, first.id]);
    assert_eq!(list(scene.scope(), Some(ImportStatus::Checked)).await, [third.id, first.id]);
    assert_eq!(list(abroad.scope(), None).await, []);
    let counts = store.counters().by_status(scene.scope(), Kind::Import, None).await.unwrap();
    let counts: BTreeMap<i16, i64> = counts.into_iter().filter(|(_, many)| *many > 0).collect();
    let expected = [(ImportStatus::Checked.code(), 2), (ImportStatus::Applied.code(), 1)];
    assert_eq!(counts, BTreeMap::from(expected));
}

pub async fn imports_that_did_not_end_are_overdue_once_their_time_is_over(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let at = |minutes, status| Import { expires_at: minute(minutes), ..scene.samples.import(scene.id(), status) };
    let (late, early) = (at(7, ImportStatus::Checked), at(6, ImportStatus::Applying));
    let (over, later) = (at(5, ImportStatus::Cancelled), at(8, ImportStatus::Checked));
    insert(store, [late.clone().into(), early.clone().into(), over.into(), later.into()]).await.unwrap();
    let overdue = async |most| values(store.imports().list_overdue_imports(minute(7), most).await.unwrap());
    assert_eq!(overdue(9).await, [early.clone(), late.clone()]);
    assert_eq!(overdue(1).await, std::slice::from_ref(&early));
    let seen = store.imports().find_imports(scene.scope(), &[early.id]).await.unwrap().remove(0);
    let expire = |import: Import| import.apply(ImportEvent::Expired, RowTally::default(), minute(9)).unwrap();
    revise(store, seen, expire).await.unwrap();
    assert_eq!(overdue(9).await, [late]);
}

pub async fn accounts_are_found_by_many_names_and_numbers_at_home(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (one, other) = (home.samples.new_account(home.id()), home.samples.new_account(home.id()));
    let foreign = home.samples.new_account(abroad.id());
    insert(store, [one.clone().into(), other.clone().into(), foreign.clone().into()]).await.unwrap();
    let names = [one.name.clone(), other.name.clone(), foreign.name.clone(), text("absent")];
    let numbers = [one.platform_user_id, other.platform_user_id, foreign.platform_user_id];
    let accounts = store.trading_accounts();
    let by_name = async || sorted(values(accounts.find_all_named(home.scope(), &names).await.unwrap()));
    let numbered = async |platform: &str| {
        sorted(values(accounts.find_numbered(home.scope(), &text(platform), &numbers).await.unwrap()))
    };
    assert_eq!(
        (by_name().await, numbered("steam").await),
        (vec![one.clone(), other.clone()], vec![one.clone(), other.clone()])
    );
    assert_eq!(numbered("another").await, []);
    let seen = accounts.find(home.scope(), one.id).await.unwrap().unwrap();
    let event = AccountEvent::Removed(OpenAccountWork::default());
    revise(store, seen, |account| account.apply(event, None, minute(1)).unwrap()).await.unwrap();
    assert_eq!((by_name().await, numbered("steam").await), (vec![other.clone()], vec![other]));
    assert_eq!(values(accounts.find_all_named(home.scope(), &[]).await.unwrap()), []);
}

pub async fn numbers_that_accounts_of_other_workspaces_have_are_found_and_nothing_else_of_them(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (own, foreign) = (home.samples.new_account(home.id()), home.samples.new_account(abroad.id()));
    insert(store, [own.clone().into(), foreign.clone().into()]).await.unwrap();
    let numbers = [own.platform_user_id, foreign.platform_user_id];
    let accounts = store.trading_accounts();
    let elsewhere =
        async |platform: &str| accounts.list_elsewhere(home.scope(), &text(platform), &numbers).await.unwrap();
    assert_eq!(elsewhere("steam").await, [foreign.platform_user_id]);
    assert_eq!(elsewhere("another").await, []);
    let seen = accounts.find(abroad.scope(), foreign.id).await.unwrap().unwrap();
    let event = AccountEvent::Removed(OpenAccountWork::default());
    revise(store, seen, |account| account.apply(event, None, minute(1)).unwrap()).await.unwrap();
    assert_eq!(elsewhere("steam").await, []);
}

fn sorted(mut accounts: Vec<TradingAccount>) -> Vec<TradingAccount> {
    accounts.sort_by_key(|account| account.id);
    accounts
}
