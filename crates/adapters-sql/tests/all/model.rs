//! The in-memory store is the model: after the same random changes both databases give the same answers and hold the same
//! data. Chains, guards, unique keys and counters are what the changes are about.

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tradepost_domain::asset::AssetId;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::contract::{Contract, ContractEvent};
use tradepost_domain::contracts::inventory_item::InventoryItem;
use tradepost_domain::contracts::purchase::{CancelCause, Purchase, PurchaseEvent};
use tradepost_ports::changes::{AppendLink, Caller, Changes, Committed, Seen};
use tradepost_ports::record::Kind;
use tradepost_ports::store::{Store, StoreError, StoreResult};
use tradepost_testkit::memory::MemoryStore;
use tradepost_testkit::samples::{Scene, minute, text};

use crate::support::{postgres, sqlite};

/// One change, small enough that random ones meet each other.
#[derive(Debug, Clone)]
enum Step {
    Append { item: usize, source: usize, fact: u8, asset: u8, expected: Option<u32> },
    AppendToAll { source: usize, fact: u8, asset: u8 },
    AppendWhileRelyingOn { item: usize, contract_seen: usize },
    Pause { seen: usize },
    Resume { seen: usize },
    Buy { listing: u8 },
    Withdraw { purchase: usize },
}

fn step() -> impl Strategy<Value = Step> {
    // Mostly the two sources that a store may append by itself.
    let sources = prop_oneof![3 => 2..4_usize, 1 => 0..Source::ALL.len()];
    prop_oneof![
        6 => (0..3_usize, sources.clone(), 0..4_u8, 0..4_u8, proptest::option::of(1..6_u32)).prop_map(
            |(item, source, fact, asset, expected)| Step::Append { item, source, fact, asset, expected }
        ),
        2 => (sources, 0..4_u8, 0..4_u8).prop_map(|(source, fact, asset)| Step::AppendToAll { source, fact, asset }),
        2 => (0..3_usize, 0..3_usize).prop_map(|(item, contract_seen)| Step::AppendWhileRelyingOn { item, contract_seen }),
        1 => (0..3_usize).prop_map(|seen| Step::Pause { seen }),
        1 => (0..3_usize).prop_map(|seen| Step::Resume { seen }),
        2 => (0..3_u8).prop_map(|listing| Step::Buy { listing }),
        2 => (0..4_usize).prop_map(|purchase| Step::Withdraw { purchase }),
    ]
}

/// A store in the middle of a run. The same seed makes the same records in every store.
struct Run<'a> {
    store: &'a dyn Store,
    scene: Scene,
    items: Vec<InventoryItem>,
    purchases: Vec<Purchase>,
    contracts_seen: Vec<Seen<Contract>>,
}

impl<'a> Run<'a> {
    async fn begun(store: &'a dyn Store, seed: u16) -> Self {
        let scene = Scene::founded(store, seed).await;
        let mut items = Vec::new();
        for _ in 0..3 {
            items.push(scene.item(store, 2).await.0);
        }
        let mut run = Self { store, scene, items, purchases: Vec::new(), contracts_seen: Vec::new() };
        run.look_at_the_contract().await;
        run
    }

    async fn look_at_the_contract(&mut self) {
        let seen = self.store.contracts().find(self.scene.scope(), self.scene.contract.id).await.unwrap().unwrap();
        self.contracts_seen.push(seen);
    }

    fn seen(&self, how_long_ago: usize) -> Seen<Contract> {
        self.contracts_seen[self.contracts_seen.len().saturating_sub(how_long_ago + 1)].clone()
    }

    fn link(&self, item: usize, source: usize, fact: u8, asset: u8) -> AppendLink {
        AppendLink {
            source: Source::ALL[source],
            source_id: text(&format!("fact {fact}")),
            asset_id: AssetId::new(&format!("{}{asset}", item + 1)).unwrap(),
            ..self.scene.samples.next_link(&self.items[item])
        }
    }

    async fn take(&mut self, step: &Step) -> Result<Committed, StoreError> {
        let mut changes = Changes::by(&Caller::system());
        match step {
            Step::Append { item, source, fact, asset, expected } => {
                let link = AppendLink { expected_step: *expected, ..self.link(*item, *source, *fact, *asset) };
                changes.append_link(link);
            }
            Step::AppendToAll { source, fact, asset } => {
                for item in [2, 0, 1] {
                    changes.append_link(self.link(item, *source, *fact, *asset));
                }
            }
            Step::AppendWhileRelyingOn { item, contract_seen } => {
                changes.rely_on(self.seen(*contract_seen));
                changes.append_link(self.scene.samples.next_link(&self.items[*item]));
            }
            Step::Pause { seen } => revise(&mut changes, self.seen(*seen), ContractEvent::Paused { reason: None }),
            Step::Resume { seen } => revise(&mut changes, self.seen(*seen), ContractEvent::Resumed),
            Step::Buy { listing } => {
                let mut terms = self.scene.samples.purchase_terms(self.scene.id(), self.scene.contract.id);
                terms.listing_id = text(&format!("listing {listing}"));
                let purchase = Purchase::record(terms, minute(1)).unwrap();
                self.purchases.push(purchase.clone());
                changes.insert(purchase);
            }
            Step::Withdraw { purchase } => {
                let Some(purchase) = self.purchases.get(*purchase) else { return self.store.commit(changes).await };
                let found = self.store.purchases().find(self.scene.scope(), purchase.terms.id).await?;
                let Some(found) = found else { return self.store.commit(changes).await };
                let event = PurchaseEvent::Cancelled(CancelCause::Withdrawn);
                // Withdrawn already: then nothing is to be changed.
                let _ = changes.revise(found, |purchase| purchase.apply(event, minute(2)));
            }
        }
        let outcome = self.store.commit(changes).await;
        self.look_at_the_contract().await;
        outcome
    }

    /// All that the steps can have changed.
    async fn state(&self) -> String {
        let scope = self.scene.scope();
        let mut state = String::new();
        for item in &self.items {
            let read = self.store.items().find(scope, item.id).await.unwrap().unwrap().into_display();
            let chain = self.store.items().list_links(scope, item.id, 0, 1_000).await.unwrap();
            writeln!(state, "{read:?}\n{chain:?}").unwrap();
        }
        for purchase in &self.purchases {
            let read = self.store.purchases().find(scope, purchase.terms.id).await.unwrap();
            writeln!(state, "{:?}", read.map(Seen::into_display)).unwrap();
        }
        for contract in [None, Some(self.scene.contract.id)] {
            let mut counts = self.store.counters().by_status(scope, Kind::Purchase, contract).await.unwrap();
            counts.retain(|(_, count)| *count != 0);
            writeln!(state, "{counts:?}").unwrap();
        }
        state
    }
}

fn revise(changes: &mut Changes, seen: Seen<Contract>, event: ContractEvent) {
    // Where the event cannot happen nothing is changed, in both stores.
    let _ = changes.revise(seen, |contract| contract.apply(event, minute(3)));
}

async fn same_answers(steps: &[Step], store: &dyn Store, seed: u16) -> Result<(), TestCaseError> {
    let model = MemoryStore::default();
    let (mut expected, mut actual) = (Run::begun(&model, seed).await, Run::begun(store, seed).await);
    for step in steps {
        let (given, wanted) = (actual.take(step).await, expected.take(step).await);
        prop_assert_eq!(promised(step, given), promised(step, wanted), "{:?}", step);
    }
    prop_assert_eq!(actual.state().await, expected.state().await);
    Ok(())
}

/// Returns an outcome as far as it is promised: of a set of several links that is not written, any one of the reasons is returned.
fn promised(step: &Step, outcome: StoreResult<Committed>) -> Option<StoreResult<Committed>> {
    let refused = matches!(outcome, Ok(Committed::AlreadyRecorded(_)) | Err(StoreError::LinkRefused));
    if refused && matches!(step, Step::AppendToAll { .. }) { None } else { Some(outcome) }
}

fn random_changes(store: &dyn Store, runtime: &tokio::runtime::Runtime) {
    let mut runner = TestRunner::new(Config { cases: 48, failure_persistence: None, ..Config::default() });
    let seed = std::cell::Cell::new(0);
    let result = runner.run(&proptest::collection::vec(step(), 1..30), |steps| {
        // Every case, and every step of shrinking one, works in a workspace of its own.
        seed.set(seed.get() + 1);
        runtime.block_on(same_answers(&steps, store, seed.get()))
    });
    result.unwrap();
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

#[test]
fn random_changes_have_the_same_outcome_on_sqlite_as_in_the_model() {
    let runtime = runtime();
    let test = runtime.block_on(sqlite());
    random_changes(&test.store, &runtime);
}

#[test]
fn random_changes_have_the_same_outcome_on_postgres_as_in_the_model() {
    let runtime = runtime();
    let test = runtime.block_on(postgres());
    random_changes(&test.store, &runtime);
}
