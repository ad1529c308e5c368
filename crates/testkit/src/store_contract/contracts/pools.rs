//! Promises about pools and the ledger.

use tradepost_domain::contracts::contract::{Contract, ContractEvent, ContractParts};
use tradepost_domain::contracts::inventory_item::ItemStatus;
use tradepost_domain::contracts::ledger::{Account, LedgerEntry, Trade};
use tradepost_domain::contracts::pool::{Pool, PoolEvent, PoolLimits, PoolStatus};
use tradepost_domain::contracts::purchase::PurchaseStatus;
use tradepost_domain::id::OfLedgerEntry;
use tradepost_domain::money::{Cents, SignedCents};
use tradepost_domain::text::MarketHashName;
use tradepost_ports::changes::AppendedRow;
use tradepost_ports::record::AnyRecord;
use tradepost_ports::store::{LedgerFilter, Page, PageRequest, Store, StoreError, Unique};

use crate::samples::{Scene, minute, text};
use crate::store_contract::{insert, revise, system, value, values};

pub async fn a_pool_in_every_state_is_read_back_whole(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let active = scene.samples.pool(scene.id());
    let limit = |cents| Cents::new(cents).ok();
    let limits = PoolLimits {
        budget: Cents::MAX,
        max_per_purchase: limit(1),
        max_exposure_per_item: limit(2),
        daily_limit: limit(3),
    };
    let paused = scene.samples.pool(scene.id()).apply(PoolEvent::Paused, minute(1)).unwrap();
    let mut parts = paused.into_parts();
    parts.limits = limits;
    let entry = scene.samples.booked(None, &scene.new_purchase(PurchaseStatus::WrittenOff));
    let (full, _) = Pool::restore(parts).unwrap().book(&entry.amounts, minute(2)).unwrap();
    let archived = scene.samples.pool(scene.id()).apply(PoolEvent::Archived { contracts: 0 }, minute(1)).unwrap();
    for pool in [active, full, archived] {
        insert(store, [pool.clone().into()]).await.unwrap();
        assert_eq!(value(store.pools().find(scene.scope(), pool.id).await.unwrap()), Some(pool));
    }
}

pub async fn a_pool_is_found_at_home_alone(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let (one, other) = (home.samples.pool(home.id()), home.samples.pool(home.id()));
    insert(store, [one.clone().into(), other.clone().into()]).await.unwrap();
    assert_eq!(value(store.pools().find(abroad.scope(), one.id).await.unwrap()), None);
    assert_eq!(values(store.pools().find_many(abroad.scope(), &[one.id]).await.unwrap()), []);
    let mut found =
        values(store.pools().find_many(home.scope(), &[other.id, home.samples.id(), one.id]).await.unwrap());
    found.sort_by_key(|pool| pool.id);
    assert_eq!(found, [one, other]);
}

pub async fn pools_are_listed_by_status(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (active, paused) = (scene.samples.pool(scene.id()), scene.samples.pool(scene.id()));
    let paused = paused.apply(PoolEvent::Paused, minute(1)).unwrap();
    insert(store, [active.clone().into(), paused.clone().into()]).await.unwrap();
    let list = async |status| {
        store.pools().list(scene.scope(), status, PageRequest { before: None, limit: 9 }).await.unwrap().ids
    };
    assert_eq!(list(None).await, [paused.id, active.id]);
    assert_eq!(list(Some(PoolStatus::Active)).await, [active.id]);
    assert_eq!(list(Some(PoolStatus::Paused)).await, [paused.id]);
    assert_eq!(list(Some(PoolStatus::Archived)).await, []);
}

pub async fn contracts_that_have_not_ended_are_counted_by_their_pool(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let pool = scene.samples.pool(scene.id());
    let named = |contract: Contract| {
        Contract::restore(ContractParts { pool_id: Some(pool.id), ..contract.into_parts() }).unwrap()
    };
    let (draft, active) = (named(scene.samples.contract_draft(scene.id())), named(scene.samples.contract(scene.id())));
    insert(store, [pool.clone().into(), draft.into(), active.clone().into()]).await.unwrap();
    let count = async || store.contracts().count_live_of_pool(scene.scope(), pool.id).await.unwrap();
    assert_eq!(count().await, 2);
    let seen = store.contracts().find(scene.scope(), active.id).await.unwrap().unwrap();
    let over = [
        ContractEvent::Closed(tradepost_domain::contracts::contract::ClosingReason::Cancelled),
        ContractEvent::Finished,
    ];
    let end = |contract| over.into_iter().fold(contract, |at: Contract, event| at.apply(event, minute(1)).unwrap());
    revise(store, seen, end).await.unwrap();
    assert_eq!(count().await, 1);
    assert_eq!(store.contracts().count_live_of_pool(scene.scope(), scene.samples.id()).await.unwrap(), 0);
}

pub async fn an_entry_of_every_kind_is_read_back_whole(store: &dyn Store) {
    let (home, abroad) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let plain = home.samples.ledger_entry(home.id(), Some(home.samples.id()));
    let bought = home.samples.booked(None, &home.new_purchase(PurchaseStatus::Paid));
    let trade = bought.trade.clone().map(|trade| Trade { inventory_item_id: Some(home.samples.id()), ..trade });
    let sold = LedgerEntry { id: home.samples.id(), trade, ..bought.clone() };
    let entries = [plain, bought, sold];
    write(store, &entries).await.unwrap();
    let ids = entries.clone().map(|entry| entry.id);
    let mut found = store.ledger().find_many(home.scope(), &ids).await.unwrap();
    found.sort_by_key(|entry| entry.id);
    assert_eq!(found, entries);
    assert_eq!(store.ledger().find_many(abroad.scope(), &ids).await.unwrap(), []);
}

pub async fn an_entry_is_never_written_over(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let entry = scene.samples.ledger_entry(scene.id(), None);
    write(store, std::slice::from_ref(&entry)).await.unwrap();
    let other = LedgerEntry { reason: None, ..entry.clone() };
    assert_eq!(write(store, &[other]).await, Err(StoreError::Duplicate(Unique::Address)));
    assert_eq!(store.ledger().find_many(scene.scope(), &[entry.id]).await.unwrap(), [entry]);
}

pub async fn entries_are_listed_by_account_pool_contract_and_time(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let pool = Some(scene.samples.id());
    let bought = scene.samples.booked(pool, &scene.new_purchase(PurchaseStatus::Paid));
    let early = scene.samples.ledger_entry_at(scene.id(), pool, minute(1));
    let late = scene.samples.ledger_entry_at(scene.id(), None, minute(3));
    write(store, &[bought.clone(), early.clone(), late.clone()]).await.unwrap();
    let all = LedgerFilter::default();
    let list = async |filter| page(store, &scene, filter, None).await.ids;
    assert_eq!(list(all).await, [late.id, early.id, bought.id]);
    assert_eq!(list(LedgerFilter { account: Some(Account::Capital), ..all }).await, [late.id, early.id]);
    assert_eq!(list(LedgerFilter { account: Some(Account::PaidInTransit), ..all }).await, [bought.id]);
    assert_eq!(list(LedgerFilter { account: Some(Account::WriteOffs), ..all }).await, []);
    assert_eq!(list(LedgerFilter { pool_id: pool, ..all }).await, [early.id, bought.id]);
    let both = LedgerFilter { pool_id: pool, account: Some(Account::Available), contract_id: None, ..all };
    assert_eq!(list(both).await, [early.id, bought.id]);
    assert_eq!(list(LedgerFilter { contract_id: Some(scene.contract.id), ..all }).await, [bought.id]);
    assert_eq!(list(LedgerFilter { from: Some(minute(3)), ..all }).await, [late.id]);
    assert_eq!(list(LedgerFilter { to: Some(minute(3)), from: Some(minute(1)), ..all }).await, [early.id]);
    let before = page(store, &scene, all, Some(early.id)).await;
    assert_eq!(before, Page::of(vec![bought.id], 50));
}

pub async fn what_is_at_stake_is_the_sum_of_the_entries_by_pool_and_name(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let (one, other) = (scene.samples.pool(scene.id()), scene.samples.pool(scene.id()));
    insert(store, [one.clone().into(), other.clone().into()]).await.unwrap();
    let (pending, paid) =
        (scene.new_purchase(PurchaseStatus::Pending), scene.new_purchase(PurchaseStatus::RefundPending));
    let named = scene.samples.booked(Some(one.id), &pending);
    let renamed = |name: &str| {
        let mut entry = scene.samples.booked(Some(one.id), &pending);
        entry.trade = entry.trade.map(|trade| Trade { market_hash_name: text(name), ..trade });
        entry
    };
    let entries = [
        named,
        scene.samples.booked(Some(one.id), &pending),
        scene.samples.booked(Some(one.id), &paid),
        scene.samples.booked(Some(other.id), &pending),
        scene.samples.booked(None, &pending),
        renamed("AWP | Asiimov (Battle-Scarred)"),
        scene.samples.ledger_entry(scene.id(), Some(one.id)),
    ];
    write(store, &entries).await.unwrap();
    write(store, &[scene.samples.booked(Some(one.id), &pending)]).await.unwrap();
    let exposed = async |pool: &Pool, name: &MarketHashName| {
        store.pools().find_exposure(scene.scope(), pool.id, name).await.unwrap()
    };
    let redline = &pending.terms.market_hash_name;
    assert_eq!(exposed(&one, redline).await, 4_500, "three are reserved, what is owed is not at stake in an item");
    assert_eq!(exposed(&other, redline).await, 1_500);
    assert_eq!(exposed(&one, &text("AWP | Asiimov (Battle-Scarred)")).await, 1_500);
    assert_eq!(exposed(&one, &text("Nothing")).await, 0);
    let listed = [redline.clone(), text("AWP | Asiimov (Battle-Scarred)"), text("Nothing")];
    let several = store.pools().find_exposures(scene.scope(), one.id, &listed).await.unwrap();
    assert_eq!(listed.map(|name| several.get(&name).copied().unwrap_or(0)), [4_500, 1_500, 0]);
    let of_other = store.pools().find_exposures(scene.scope(), other.id, std::slice::from_ref(redline)).await.unwrap();
    assert_eq!(of_other, [(redline.clone(), 1_500)].into());
}

pub async fn a_pool_and_its_entry_are_written_together_or_not_at_all(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let pool = scene.samples.pool(scene.id());
    insert(store, [pool.clone().into()]).await.unwrap();
    let stale = store.pools().find(scene.scope(), pool.id).await.unwrap().unwrap();
    revise(store, stale.clone(), |pool| pool.named(minute(1))).await.unwrap();
    let (item_bought, entry) = (scene.new_purchase(PurchaseStatus::Traded), scene.samples.id::<OfLedgerEntry>());
    let booked = LedgerEntry { id: entry, ..scene.samples.booked(Some(pool.id), &item_bought) };
    let (item, _) = scene.samples.item_in(&item_bought, ItemStatus::InInventory);
    let mut changes = system();
    changes.revise(stale, |pool| pool.book(&booked.amounts, minute(2)).map(|(pool, _)| pool)).unwrap();
    changes.insert(AnyRecord::from(item)).append(AppendedRow::Ledger(booked.clone()));
    assert_eq!(store.commit(changes).await, Err(StoreError::Conflict));
    assert_eq!(store.ledger().find_many(scene.scope(), &[entry]).await.unwrap(), []);
    let exposed =
        store.pools().find_exposure(scene.scope(), pool.id, &item_bought.terms.market_hash_name).await.unwrap();
    let (unchanged, _) = store.pools().find(scene.scope(), pool.id).await.unwrap().unwrap().into_display();
    assert_eq!((exposed, unchanged.balances.of(Account::InventoryAtCost)), (0, SignedCents::ZERO));
}

async fn write(store: &dyn Store, entries: &[LedgerEntry]) -> Result<(), StoreError> {
    let mut changes = system();
    for entry in entries {
        changes.append(AppendedRow::Ledger(entry.clone()));
    }
    store.commit(changes).await.map(drop)
}

async fn page(
    store: &dyn Store,
    scene: &Scene,
    filter: LedgerFilter,
    before: Option<tradepost_domain::id::LedgerEntryId>,
) -> Page<OfLedgerEntry> {
    store.ledger().list(scene.scope(), filter, PageRequest { before, limit: 9 }).await.unwrap()
}
