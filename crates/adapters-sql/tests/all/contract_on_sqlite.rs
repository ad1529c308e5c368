//! The contract of storage on SQLite; and nothing that it asks for goes through all of a workspace, however many records that has.

use std::collections::BTreeSet;

use crate::support::{Place, Watched, column, sqlite};

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

async fn watched() -> Watched {
    Watched::on(sqlite().await, |runtime, place, heard| runtime.block_on(look_at(place, heard))).await
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
