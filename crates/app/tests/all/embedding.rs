//! The library as an embedder uses it: the examples are run, their adapters are checked by the contract suites, and each part is
//! replaced.

mod feed;
#[cfg(all(feature = "testkit", feature = "simulator"))]
mod recorded_desks;
#[cfg(feature = "testkit")]
mod replaced_parts;
#[cfg(feature = "testkit")]
mod watching;

#[path = "../../examples/embed.rs"]
#[expect(dead_code, reason = "the example's own `main` runs only as a program")]
mod embed;
#[path = "../../examples/own_marketplace/main.rs"]
#[expect(dead_code, reason = "the example's own `main` runs only as a program")]
mod own_marketplace;
#[path = "../../examples/own_store.rs"]
#[expect(dead_code, reason = "the example's own `main` runs only as a program")]
mod own_store;

use tradepost::{Builder, Tradepost};

#[tokio::test]
async fn the_example_answers_over_http_and_ends() {
    let answer: serde_json::Value = serde_json::from_str(&embed::embed().await.unwrap()).unwrap();
    assert_eq!(answer["workspace"]["name"], "Embedded");
}

#[tokio::test]
async fn the_example_buys_at_a_marketplace_of_its_own_and_the_hook_reports_it() {
    let folder = tempfile::tempdir().unwrap();
    let steps = own_marketplace::trade(folder.path()).await.unwrap();
    assert_eq!(steps.first().unwrap().split(" by ").next(), Some("nothing -> PENDING"));
    assert_eq!(steps.last().unwrap().split(" by ").next(), Some("SUBMITTED -> PAID"));
}

#[tokio::test]
async fn the_example_records_the_outcomes_of_its_commits() {
    let folder = tempfile::tempdir().unwrap();
    let outcomes = own_store::observe(folder.path()).await.unwrap();
    assert!(outcomes.iter().any(|outcome| outcome == "committed"), "{outcomes:?}");
    assert!(outcomes.iter().any(|outcome| outcome == "UserEmail is taken"), "{outcomes:?}");
}

#[cfg(feature = "testkit")]
mod store_contract {
    use std::sync::Arc;

    use tradepost::testkit::memory::MemoryStore;

    use super::own_store::ObservedStore;

    tradepost::testkit::store_contract!(ObservedStore::over(Arc::new(MemoryStore::default())));
}

/// A builder with a root secret in this folder, and no storage yet.
fn builder(folder: &tempfile::TempDir) -> Builder {
    Tradepost::builder().root_secret_file(folder.path().join("root-secret"))
}

/// The same on a database in the folder.
fn on_a_database(folder: &tempfile::TempDir) -> Builder {
    builder(folder).database_url(&format!("sqlite://{}", folder.path().join("tradepost.db").display()))
}
