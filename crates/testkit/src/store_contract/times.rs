//! Promises about searches by time: they use the stored time, in any order of the ids.

use time::Duration;
use tradepost_domain::accounts::access::Principal;
use tradepost_domain::accounts::audit::{AuditEvent, AuditKind, SealedEvent};
use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::accounts::workspace::MarketKind;
use tradepost_domain::contracts::contract::{Contract, ContractParts};
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::contracts::ledger::flow::Flow;
use tradepost_domain::contracts::ledger::{Account, Balanced, LedgerEntry, Posting};
use tradepost_domain::contracts::purchase::{Purchase, PurchaseParts, PurchaseStatus, PurchaseTerms};
use tradepost_domain::id::{LedgerEntryId, TransitionId};
use tradepost_domain::money::{Cents, SignedCents};
use tradepost_domain::time::Timestamp;
use tradepost_domain::transition::{Subject, SubjectKind, Transition};
use tradepost_ports::changes::AppendedRow;
use tradepost_ports::store::{
    ActivityQuery, AuditFilter, FlowQuery, LedgerFilter, PageRequest, Store, TransitionFilter, Worlds,
};

use super::{insert, system};
use crate::fakes::SequentialIds;
use crate::samples::{Scene, minute, start};

/// Times in the order in which a clock creates records that is ahead, steps back, and continues.
const MADE: [i64; 4] = [50, 10, 20, 40];

/// A span within these times, with the places of the times in it, the latest created first.
const WITHIN: (i64, i64, [usize; 2]) = (15, 45, [3, 2]);

fn purchase_at(scene: &Scene, ids: &SequentialIds, at: Timestamp, status: PurchaseStatus) -> Purchase {
    let parts = scene.new_purchase(status).into_parts();
    // The id is from a clock that does not know the time of the market.
    let terms = PurchaseTerms { id: ids.mint(start()), ..parts.terms };
    let updated_at = parts.updated_at.max(at);
    Purchase::restore(PurchaseParts { terms, created_at: at, updated_at, ..parts }).unwrap()
}

pub async fn a_budget_of_a_day_and_the_last_purchase_go_by_when_purchases_were_made(store: &dyn Store) {
    let (scene, ids) = (Scene::founded(store, 1).await, SequentialIds::seeded(9));
    let mut made = Vec::new();
    for minutes in MADE {
        let purchase = purchase_at(&scene, &ids, minute(minutes), PurchaseStatus::Paid);
        insert(store, [purchase.clone().into()]).await.unwrap();
        made.push(purchase);
    }
    // The failed purchase is created last, and does not count as the last purchase.
    insert(store, [purchase_at(&scene, &ids, minute(60), PurchaseStatus::Failed).into()]).await.unwrap();
    let used = |from: i64, to: i64| {
        let within = made.iter().filter(|made| (minute(from)..minute(to)).contains(&made.created_at));
        let used = within.map(|made| made.counter_delta().spent.get() + made.counter_delta().reserved.get());
        Cents::new(used.sum()).unwrap()
    };
    let name = made[0].terms.market_hash_name.clone();
    let ask = async |since, before: Option<i64>| {
        let query = ActivityQuery {
            spent_since: Some(minute(since)),
            of_item_name: Some((&name, 9)),
            last_purchase: true,
            before: before.map(minute),
        };
        store.contracts().find_activity(scene.scope(), scene.contract.id, query).await.unwrap()
    };
    let activity = |spent_today, of_item_name, last: i64| Activity {
        spent_today,
        of_item_name,
        last_purchase_at: Some(minute(last)),
        ..Activity::default()
    };
    assert_eq!(ask(0, None).await, activity(used(0, 99), 4, 50));
    assert_eq!(ask(15, None).await, activity(used(15, 99), 4, 50));
    assert_eq!(ask(15, Some(45)).await, activity(used(15, 45), 3, 40));
    assert_eq!(ask(45, Some(45)).await, activity(Cents::ZERO, 3, 40));
}

pub async fn changes_of_a_time_are_listed_by_when_they_were(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let subject = Subject::Contract(scene.contract.id);
    let mut ids: Vec<TransitionId> = Vec::new();
    for (version, minutes) in (2..).zip(MADE) {
        let step = scene.samples.transition_at(scene.id(), subject, minute(minutes));
        let mut changes = system();
        ids.push(step.id);
        changes.append(AppendedRow::Transition(Transition { version, ..step }));
        store.commit(changes).await.unwrap();
    }
    assert!(ids.is_sorted());
    let (from, to, within) = WITHIN;
    let of_time =
        TransitionFilter { kinds: SubjectKind::ALL, subject_id: None, from: Some(minute(from)), to: Some(minute(to)) };
    let of_subject = TransitionFilter { subject_id: Some(subject.id_bytes()), ..of_time };
    for filter in [of_time, TransitionFilter { kinds: &[SubjectKind::Contract], ..of_time }, of_subject] {
        let page = store.transitions().list(scene.scope(), filter, PageRequest { before: None, limit: 9 }).await;
        assert_eq!(page.unwrap().ids, within.map(|place| ids[place]));
        // A page continues by ids.
        let first = store.transitions().list(scene.scope(), filter, PageRequest { before: None, limit: 1 }).await;
        let first = first.unwrap();
        assert!(first.more);
        let rest = PageRequest { before: first.ids.last().copied(), limit: 1 };
        let rest = store.transitions().list(scene.scope(), filter, rest).await.unwrap();
        assert_eq!((rest.ids, rest.more), (vec![ids[2]], false));
    }
    let later = TransitionFilter { from: Some(minute(45)), to: None, ..of_time };
    let later = store.transitions().list(scene.scope(), later, PageRequest { before: None, limit: 9 }).await;
    assert_eq!(later.unwrap().ids, [ids[0]]);
}

pub async fn a_watcher_gets_changes_by_the_time_they_were_logged(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let subject = Subject::Contract(scene.contract.id);
    let step = |at, logged_at| Transition {
        logged_at: minute(logged_at),
        ..scene.samples.transition_at(scene.id(), subject, minute(at))
    };
    // One in a market that is ahead, and one in a market that is behind.
    let [old, young] = [step(1_000, 10), Transition { version: 2, ..step(10, 1_000) }];
    for step in [&old, &young] {
        let mut changes = system();
        changes.append(AppendedRow::Transition(step.clone()));
        store.commit(changes).await.unwrap();
        store.transitions().place().await.unwrap();
    }
    let since = store.transitions().list_since(scene.scope(), SubjectKind::ALL, minute(500), 9).await.unwrap();
    assert_eq!(since, std::slice::from_ref(&young));
    let (_, forgotten) = store.transitions().forget_places(0, minute(2_000), 9).await.unwrap();
    assert_eq!(forgotten, 1);
    assert_eq!(store.transitions().find_place(scene.scope(), old.id).await.unwrap(), None);
}

pub async fn entries_of_a_time_are_listed_and_summed_by_when_they_were(store: &dyn Store) {
    let (scene, ids) = (Scene::founded(store, 1).await, SequentialIds::seeded(9));
    let payment = |minutes: i64| {
        let amount = SignedCents::new(1_000 + minutes).unwrap();
        let amounts = Balanced::moved(Account::Reserved, Account::PaidInTransit, amount).unwrap();
        let booked = scene.samples.booked(None, &scene.new_purchase(PurchaseStatus::Paid));
        LedgerEntry { id: ids.mint(start()), at: minute(minutes), posting: Posting::Paid, amounts, ..booked }
    };
    let entries = MADE.map(payment);
    for entry in &entries {
        let mut changes = system();
        changes.append(AppendedRow::Ledger(entry.clone()));
        store.commit(changes).await.unwrap();
    }
    let (from, to, within) = WITHIN;
    let expected: Vec<LedgerEntryId> = within.map(|place| entries[place].id).into();
    let of_time = LedgerFilter { from: Some(minute(from)), to: Some(minute(to)), ..LedgerFilter::default() };
    let of_account = LedgerFilter { account: Some(Account::Reserved), ..of_time };
    let contract_id = entries[0].trade.as_ref().and_then(|trade| trade.contract_id);
    for filter in [of_time, of_account, LedgerFilter { contract_id, ..of_time }] {
        let page = store.ledger().list(scene.scope(), filter, PageRequest { before: None, limit: 9 }).await;
        assert_eq!(page.unwrap().ids, expected, "{filter:?}");
    }
    let marketplace = entries[0].trade.as_ref().map(|trade| trade.marketplace.clone()).unwrap();
    let query = FlowQuery { marketplace: &marketplace, since: minute(15), late: minute(45) };
    let flow = store.ledger().sum_flow(scene.scope(), query).await.unwrap();
    let of = |from: i64| {
        let since = entries.iter().filter(|entry| entry.at >= minute(from));
        since.map(|entry| Flow::of(entry, &marketplace)).fold(Flow::default(), Flow::plus)
    };
    assert_eq!(flow, (of(15), of(45)));
    assert_eq!(of(45).spent, 1_050);
}

pub async fn what_was_done_in_a_time_is_listed_by_when_it_was(store: &dyn Store) {
    let scene = Scene::founded(store, 1).await;
    let mut ids = Vec::new();
    for minutes in MADE {
        let sealed = scene.samples.audited(scene.id());
        let event = AuditEvent { at: minute(minutes), kind: AuditKind::PoolCreated, ..sealed.event };
        ids.push(event.id);
        let mut changes = system();
        changes.append(AppendedRow::Audit(SealedEvent { event, ..sealed }));
        store.commit(changes).await.unwrap();
    }
    let (from, to, within) = WITHIN;
    let all = AuditFilter { kind: Some(AuditKind::PoolCreated), ..AuditFilter::default() };
    let of_time = AuditFilter { from: Some(minute(from)), to: Some(minute(to)), ..AuditFilter::default() };
    for filter in [of_time, AuditFilter { kind: all.kind, ..of_time }] {
        let page = store
            .audit_logs()
            .list_events(scene.scope(), filter, PageRequest { before: None, limit: 9 })
            .await
            .unwrap();
        let found: Vec<_> = page.events.iter().map(|listed| listed.sealed.event.id).collect();
        assert_eq!(found, within.map(|place| ids[place]));
    }
}

pub async fn a_workspace_trades_in_the_market_that_came_first(store: &dyn Store) {
    let (real, simulated) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    let settle = async |scene: &Scene, kind| store.market_kinds().settle(scene.scope(), kind).await.unwrap();
    assert_eq!(settle(&real, MarketKind::Real).await, Some(MarketKind::Real));
    assert_eq!(settle(&simulated, MarketKind::Simulated).await, Some(MarketKind::Simulated));
    assert_eq!(settle(&simulated, MarketKind::Real).await, Some(MarketKind::Simulated));
    assert_eq!(settle(&real, MarketKind::Simulated).await, Some(MarketKind::Real));
    let nowhere = Principal::System.enter(real.samples.id(), PolicySet::NONE).unwrap();
    assert_eq!(store.market_kinds().settle(nowhere, MarketKind::Real).await.unwrap(), None);
}

pub async fn what_is_done_for_all_workspaces_is_done_world_by_world(store: &dyn Store) {
    let (real, simulated) = (Scene::founded(store, 1).await, Scene::founded(store, 2).await);
    store.market_kinds().settle(simulated.scope(), MarketKind::Simulated).await.unwrap();
    let ends_at = start().plus(Duration::days(1));
    let mut overdue = Vec::new();
    for scene in [&real, &simulated] {
        let parts = scene.samples.contract(scene.id()).into_parts();
        let contract = Contract::restore(ContractParts { ends_at: Some(ends_at), ..parts }).unwrap();
        overdue.push(contract.id);
        insert(store, [contract.into()]).await.unwrap();
        scene.purchase(store, PurchaseStatus::Uncertain).await;
    }
    for (worlds, expected) in [(Worlds::Real, 0), (Worlds::Of(simulated.id()), 1), (Worlds::Of(real.id()), 0)] {
        let ended = store.contracts().list_overdue(worlds, ends_at, 9).await.unwrap();
        let ended: Vec<_> = ended.into_iter().map(|seen| seen.into_display().0.id).collect();
        assert_eq!(ended, [overdue[expected]], "{worlds:?}");
        let undecided = store.purchases().list_undecided(worlds, minute(1_000_000), 9).await.unwrap();
        let homes: Vec<_> = undecided.iter().map(|seen| seen.peek().terms.workspace_id).collect();
        assert_eq!(homes, [[real.id(), simulated.id()][expected]], "{worlds:?}");
    }
    // In a world without expired contracts none is found.
    let early = store.contracts().list_overdue(Worlds::Real, start(), 9).await.unwrap();
    assert!(early.is_empty());
}
