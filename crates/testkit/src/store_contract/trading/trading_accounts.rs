//! Promises about trading accounts, their groups and assignments.

use std::collections::BTreeMap;

use tradepost_domain::contracts::assignment::{Assignee, Assignment, AssignmentTerms};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::money::Cents;
use tradepost_domain::trading::giving::GivingLimits;
use tradepost_domain::trading::trading_account::{
    AccountChange, AccountEvent, AccountGroup, AccountLimits, AccountParts, AccountReading, AccountRole, AccountStatus,
    Load, OpenAccountWork, TradingAccount,
};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{AccountFilter, AssignmentFilter, PageRequest, Store, StoreError, Unique};

use crate::samples::{Samples, Scene, minute, text};
use crate::store_contract::{insert, revise, value, values};

pub async fn an_account_in_every_status_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    for status in AccountStatus::ALL {
        let account = scene.samples.account(scene.id(), *status);
        insert(store, [account.clone().into()]).await.unwrap();
        assert_eq!(value(store.trading_accounts().find(scene.scope(), account.id).await.unwrap()), Some(account));
    }
}

pub async fn an_account_with_every_field_set_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let limits = AccountLimits { max_inventory: 5, max_open_purchases: Some(2), min_balance: Cents::new(3).ok() };
    let change = AccountChange {
        trade_token: Some(text("AbCdEfGh")),
        capabilities: Some([AccountRole::Sell].into()),
        limits: Some(limits),
        chat: Some(true),
        secrets: true,
        cancel_strange_offers: Some(false),
        giving_limits: Some(GivingLimits { per_hour: Cents::new(4).ok(), per_day: Cents::new(5).ok() }),
    };
    let plain = scene.samples.account(scene.id(), AccountStatus::Restricted);
    let held = tradepost_domain::trading::trading_account::AccountHealth {
        held_until: Some(minute(9)),
        authenticator_since: None,
        balance: None,
        ..scene.samples.good_health()
    };
    let full = plain.change(change, minute(2)).unwrap().seen(held, minute(3)).unwrap();
    let full = full.let_give(true, minute(4)).unwrap();
    let well = scene.samples.account(scene.id(), AccountStatus::Ready);
    let well = well.seen(scene.samples.good_health(), minute(3)).unwrap().renewing_token(minute(3)).unwrap();
    let begun = scene.samples.account(scene.id(), AccountStatus::Ready).renewing_token(minute(3)).unwrap();
    let reading = AccountReading { began_at: minute(3), trade_token: None };
    let begun = begun.renewal_begun(0, minute(4)).unwrap().refreshed(reading, minute(5)).unwrap();
    let refused = scene.samples.account(scene.id(), AccountStatus::Ready);
    let refused = refused.refreshing(minute(3)).unwrap().refresh_refused(minute(5));
    let unaccepted = TradingAccount::restore(AccountParts {
        trade_notice_acknowledged_at: None,
        ..scene.samples.new_account(scene.id()).into_parts()
    });
    let unknown = tradepost_domain::trading::trading_account::AccountHealth {
        inventory_count: None,
        is_api_key_ours: None,
        ..scene.samples.good_health()
    };
    let unknown = scene.samples.account(scene.id(), AccountStatus::Ready).seen(unknown, minute(3)).unwrap();
    for account in [full, well, unknown, begun, refused, unaccepted.unwrap()] {
        insert(store, [account.clone().into()]).await.unwrap();
        assert_eq!(value(store.trading_accounts().find(scene.scope(), account.id).await.unwrap()), Some(account));
    }
}

pub async fn accounts_that_a_person_wants_to_be_read_are_listed_until_the_request_ends(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let asked = home.samples.new_account(home.id()).refreshing(minute(1)).unwrap();
    let renewed = home.samples.new_account(home.id()).renewing_token(minute(2)).unwrap();
    insert(store, [asked.clone().into(), renewed.clone().into(), home.samples.new_account(home.id()).into()])
        .await
        .unwrap();
    let list = async |scope, most| values(store.trading_accounts().list_to_refresh(scope, most).await.unwrap());
    assert_eq!(list(home.scope(), 9).await, [asked.clone(), renewed.clone()]);
    assert_eq!(list(home.scope(), 1).await, std::slice::from_ref(&asked));
    assert_eq!(list(abroad.scope(), 9).await, []);
    let seen = store.trading_accounts().find(home.scope(), asked.id).await.unwrap().unwrap();
    let reading = AccountReading { began_at: minute(3), trade_token: None };
    revise(store, seen, |account| account.refreshed(reading.clone(), minute(3)).unwrap()).await.unwrap();
    assert_eq!(list(home.scope(), 9).await, std::slice::from_ref(&renewed));
    let seen = store.trading_accounts().find(home.scope(), renewed.id).await.unwrap().unwrap();
    revise(store, seen, |account| account.refresh_refused(minute(9))).await.unwrap();
    assert_eq!(list(home.scope(), 9).await, []);
}

pub async fn an_account_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (one, other) = (home.samples.new_account(home.id()), home.samples.new_account(home.id()));
    insert(store, [one.clone().into(), other.clone().into()]).await.unwrap();
    assert_eq!(value(store.trading_accounts().find(abroad.scope(), one.id).await.unwrap()), None);
    assert_eq!(values(store.trading_accounts().find_many(abroad.scope(), &[one.id]).await.unwrap()), []);
    assert_eq!(value(store.trading_accounts().find_named(abroad.scope(), &one.name).await.unwrap()), None);
    let mut found =
        values(store.trading_accounts().find_many(home.scope(), &[other.id, home.samples.id(), one.id]).await.unwrap());
    found.sort_by_key(|account| account.id);
    assert_eq!(found, [one, other]);
}

pub async fn an_account_is_found_by_its_name_until_it_is_removed(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let account = scene.samples.new_account(scene.id());
    insert(store, [account.clone().into()]).await.unwrap();
    let find = async || value(store.trading_accounts().find_named(scene.scope(), &account.name).await.unwrap());
    assert_eq!(find().await, Some(account.clone()));
    removed(store, &scene, &account).await;
    assert_eq!(find().await, None);
}

pub async fn a_name_and_a_number_belong_to_one_account_that_is_not_removed(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let account = home.samples.new_account(home.id());
    insert(store, [account.clone().into()]).await.unwrap();
    let other = |samples: &Samples, workspace| samples.new_account(workspace).into_parts();
    let named = |mut parts: tradepost_domain::trading::trading_account::AccountParts| {
        parts.name = account.name.clone();
        TradingAccount::restore(parts).unwrap()
    };
    let numbered = |mut parts: tradepost_domain::trading::trading_account::AccountParts| {
        parts.platform_user_id = account.platform_user_id;
        TradingAccount::restore(parts).unwrap()
    };
    let of_name = named(other(&home.samples, home.id()));
    let of_number = numbered(other(&home.samples, home.id()));
    let refused = async |account: &TradingAccount| insert(store, [account.clone().into()]).await.map(drop);
    assert_eq!(refused(&of_name).await, Err(StoreError::Duplicate(Unique::AccountName)));
    assert_eq!(refused(&of_number).await, Err(StoreError::Duplicate(Unique::PlatformAccount)));
    insert(store, [named(other(&abroad.samples, abroad.id())).into()]).await.unwrap();
    insert(store, [numbered(other(&abroad.samples, abroad.id())).into()]).await.unwrap();
    removed(store, &home, &account).await;
    insert(store, [of_name.into(), of_number.into()]).await.unwrap();
}

pub async fn accounts_are_listed_by_status_and_group(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [one, two, three] = [AccountStatus::New, AccountStatus::Ready, AccountStatus::Ready]
        .map(|status| scene.samples.account(scene.id(), status));
    let group = scene.samples.account_group(scene.id()).with(&[one.id, three.id], minute(1)).unwrap();
    let empty = scene.samples.account_group(scene.id());
    insert(store, [one.clone().into(), two.clone().into(), three.clone().into()]).await.unwrap();
    insert(store, [group.clone().into(), empty.clone().into()]).await.unwrap();
    let list = async |status, group_id| {
        let page = PageRequest { before: None, limit: 9 };
        store.trading_accounts().list(scene.scope(), AccountFilter { status, group_id }, page).await.unwrap().ids
    };
    assert_eq!(list(None, None).await, [three.id, two.id, one.id]);
    assert_eq!(list(Some(AccountStatus::Ready), None).await, [three.id, two.id]);
    assert_eq!(list(None, Some(group.id)).await, [three.id, one.id]);
    assert_eq!(list(Some(AccountStatus::Ready), Some(group.id)).await, [three.id]);
    assert_eq!(list(None, Some(empty.id)).await, []);
    assert_eq!(list(None, Some(scene.samples.id())).await, []);
    let page = PageRequest { before: Some(three.id), limit: 1 };
    let filter = AccountFilter { status: None, group_id: Some(group.id) };
    let second = store.trading_accounts().list(scene.scope(), filter, page).await.unwrap();
    assert_eq!((second.ids, second.more), (vec![one.id], false));
}

pub async fn what_accounts_have_in_hand_is_counted_by_name(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    home.purchase(store, PurchaseStatus::Pending).await;
    home.purchase(store, PurchaseStatus::RefundPending).await;
    home.purchase(store, PurchaseStatus::Settled).await;
    home.item(store, 2).await;
    home.item_in(store, ItemStatus::Settled).await;
    abroad.purchase(store, PurchaseStatus::Paid).await;
    let names = [text("trader-1"), text("nobody, at \"all\"")];
    let found = store.trading_accounts().find_loads(home.scope(), &names).await.unwrap();
    assert_eq!(found, [(text("trader-1"), Load { open_purchases: 2, items: 1 })]);
    assert_eq!(store.trading_accounts().find_loads(home.scope(), &[]).await.unwrap(), []);
}

pub async fn accounts_are_counted_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let [kept, other] = [scene.samples.new_account(scene.id()), scene.samples.new_account(scene.id())];
    insert(store, [kept.into(), other.clone().into()]).await.unwrap();
    removed(store, &scene, &other).await;
    let counted = store.counters().by_status(scene.scope(), Kind::TradingAccount, None).await.unwrap();
    let counted: BTreeMap<i16, i64> = counted.into_iter().filter(|(_, count)| *count != 0).collect();
    assert_eq!(counted, [(AccountStatus::New.code(), 1), (AccountStatus::Removed.code(), 1)].into());
}

pub async fn a_group_is_read_back_whole_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let plain = home.samples.account_group(home.id());
    let ids: Vec<_> = (0..AccountGroup::MOST).map(|_| home.samples.id()).collect();
    let described = AccountGroup { description: Some(text("all of them")), ..home.samples.account_group(home.id()) };
    let full = described.with(&ids, minute(1)).unwrap();
    insert(store, [plain.clone().into(), full.clone().into()]).await.unwrap();
    for group in [&plain, &full] {
        assert_eq!(value(store.account_groups().find(home.scope(), group.id).await.unwrap()).as_ref(), Some(group));
        assert_eq!(value(store.account_groups().find(abroad.scope(), group.id).await.unwrap()), None);
    }
    let mut found = values(store.account_groups().find_many(home.scope(), &[full.id, plain.id]).await.unwrap());
    found.sort_by_key(|group| group.id);
    assert_eq!(found, [plain, full.clone()]);
    assert_eq!(values(store.account_groups().find_many(abroad.scope(), &[full.id]).await.unwrap()), []);
}

pub async fn the_groups_of_an_account_are_found(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (account, other) = (home.samples.id(), home.samples.id());
    let group = |ids: &[_]| home.samples.account_group(home.id()).with(ids, minute(1)).unwrap();
    let (both, one, none) = (group(&[account, other]), group(&[account]), group(&[other]));
    insert(store, [both.clone().into(), one.clone().into(), none.into()]).await.unwrap();
    assert_eq!(values(store.account_groups().list_of_account(home.scope(), account).await.unwrap()), [both, one]);
    assert_eq!(values(store.account_groups().list_of_account(home.scope(), home.samples.id()).await.unwrap()), []);
    assert_eq!(values(store.account_groups().list_of_account(abroad.scope(), account).await.unwrap()), []);
}

pub async fn an_assignment_is_read_back_whole_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let make = |assignee| home.samples.assignment(home.id(), home.samples.id(), assignee);
    let of_account = make(Assignee::Account(home.samples.id()));
    let terms = AssignmentTerms {
        roles: [AccountRole::Sell].into(),
        priority: 7,
        max_open_purchases: Some(1),
        max_items: Some(2),
    };
    let of_group = Assignment { terms, ..make(Assignee::Group(home.samples.id())) };
    insert(store, [of_account.clone().into(), of_group.clone().into()]).await.unwrap();
    for assignment in [&of_account, &of_group] {
        let found = value(store.assignments().find(home.scope(), assignment.id).await.unwrap());
        assert_eq!(found.as_ref(), Some(assignment));
        assert_eq!(value(store.assignments().find(abroad.scope(), assignment.id).await.unwrap()), None);
    }
    let mut found = values(store.assignments().find_many(home.scope(), &[of_group.id, of_account.id]).await.unwrap());
    found.sort_by_key(|assignment| assignment.id);
    assert_eq!(found, [of_account.clone(), of_group]);
    assert_eq!(values(store.assignments().find_many(abroad.scope(), &[of_account.id]).await.unwrap()), []);
}

pub async fn assignments_are_listed_and_counted_by_pool_and_assignee(store: &dyn Store) {
    let (scene, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (pool, other_pool) = (scene.samples.id(), scene.samples.id());
    let (account, group) = (scene.samples.id(), scene.samples.id());
    let first = scene.samples.assignment(scene.id(), pool, Assignee::Account(account));
    let second = scene.samples.assignment(scene.id(), pool, Assignee::Group(group));
    let third = scene.samples.assignment(scene.id(), other_pool, Assignee::Account(account));
    insert(store, [first.clone().into(), second.clone().into(), third.clone().into()]).await.unwrap();
    let list = async |pool_id, account_id| {
        let (filter, page) = (AssignmentFilter { pool_id, account_id }, PageRequest { before: None, limit: 9 });
        store.assignments().list(scene.scope(), filter, page).await.unwrap().ids
    };
    assert_eq!(list(None, None).await, [third.id, second.id, first.id]);
    assert_eq!(list(Some(pool), None).await, [second.id, first.id]);
    assert_eq!(list(None, Some(account)).await, [third.id, first.id]);
    assert_eq!(list(Some(pool), Some(account)).await, [first.id]);
    assert_eq!(values(store.assignments().list_to(scene.scope(), pool).await.unwrap()), [first, second]);
    assert_eq!(values(store.assignments().list_to(abroad.scope(), pool).await.unwrap()), []);
    let count = async |assignee| store.assignments().count_of(scene.scope(), assignee).await.unwrap();
    assert_eq!((count(Assignee::Account(account)).await, count(Assignee::Group(group)).await), (2, 1));
    assert_eq!(count(Assignee::Account(scene.samples.id())).await, 0);
    assert_eq!(store.assignments().count_of(abroad.scope(), Assignee::Group(group)).await.unwrap(), 0);
}

pub async fn an_account_or_group_is_assigned_to_a_pool_once(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let pool = scene.samples.id();
    for assignee in [Assignee::Account(scene.samples.id()), Assignee::Group(scene.samples.id())] {
        let make = || scene.samples.assignment(scene.id(), pool, assignee);
        insert(store, [make().into()]).await.unwrap();
        assert_eq!(insert(store, [make().into()]).await, Err(StoreError::Duplicate(Unique::Assignment)));
        let elsewhere = Assignment { pool_id: scene.samples.id(), ..make() };
        insert(store, [elsewhere.into()]).await.unwrap();
    }
}

async fn removed(store: &dyn Store, scene: &Scene, account: &TradingAccount) {
    let seen = store.trading_accounts().find(scene.scope(), account.id).await.unwrap().unwrap();
    assert_eq!(seen.peek().address(), account.address());
    let event = AccountEvent::Removed(OpenAccountWork::default());
    revise(store, seen, |account| account.apply(event, None, minute(1)).unwrap()).await.unwrap();
}
