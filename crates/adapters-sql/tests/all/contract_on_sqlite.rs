//! The contract of storage on SQLite; and nothing that it asks for goes through all of a workspace, however many records that has.

use std::collections::BTreeSet;
use std::thread;

use tokio::runtime::Builder;
use tradepost_adapters_sql::SqlStore;
use tradepost_ports::store::Store;
use tradepost_testkit::store_contract::Fixture;

use crate::support::{Heard, Place, TestStore, column, observed, sqlite};

/// Tables of which a workspace has more the longer it trades.
const GROWING: [&str; 14] = [
    "account_sessions",
    "asset_id_links",
    "audit_events",
    "evaluations",
    "intents",
    "inventory_items",
    "ledger_entries",
    "market_listings",
    "market_observations",
    "purchases",
    "remediations",
    "renewals",
    "trade_offers",
    "transitions",
];

/// A store whose statements are looked at once the test is over.
struct Watched {
    store: SqlStore,
    heard: Heard,
    behind: TestStore,
}

async fn watched() -> Watched {
    let (behind, heard) = (sqlite().await, Heard::default());
    Watched { store: observed(&behind, heard.observer()).await, heard, behind }
}

impl Fixture for Watched {
    fn store(&self) -> &dyn Store {
        &self.store
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        let (place, heard) = (&self.behind.place, self.heard.take());
        // The test's own runtime is ending.
        let looking = || Builder::new_current_thread().enable_all().build().unwrap().block_on(look_at(place, heard));
        thread::scope(|scope| scope.spawn(looking).join()).unwrap();
    }
}

async fn look_at(place: &Place, heard: Vec<String>) {
    let db = place.connect().await;
    let reads: BTreeSet<String> = heard.into_iter().filter(|text| text.starts_with("SELECT")).collect();
    for read in reads {
        for step in column(&db, 3, &format!("EXPLAIN QUERY PLAN {read}")).await {
            assert!(!goes_through_a_workspace(&step, &read), "{step}: {read}");
        }
    }
}

fn goes_through_a_workspace(step: &str, read: &str) -> bool {
    let mut words = step.split(' ');
    let how = words.next();
    let Some(name) = words.next() else { return false };
    let is = |table: &str| {
        name == table || read.contains(&format!("{table} {name} ")) || read.contains(&format!("{table} AS {name} "))
    };
    // An index of what waits holds nothing else.
    let is_wide = how == Some("SCAN") && !step.ends_with("_waiting")
        || (how == Some("SEARCH") && step.ends_with("(workspace_id=?)"));
    is_wide && GROWING.into_iter().any(is)
}

tradepost_testkit::store_contract!(watched().await);
