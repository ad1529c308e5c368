//! The test kit of tradepost: an in-memory store, fakes of the other ports, samples of every record, and the contract suites that
//! adapters of storage, of marketplaces and of game platforms run. No server uses it.
//!
//! An adapter runs the suite of its port over a fixture of its own:
//!
//! ```
//! # mod tests {
//! use tradepost_testkit::memory::MemoryStore;
//!
//! tradepost_testkit::store_contract!(MemoryStore::default());
//! # }
//! ```
#![deny(missing_docs)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "test support: a failed expectation ends the test")]

pub mod books;
pub mod fakes;
pub mod memory;
#[macro_use]
pub mod external;
pub mod samples;
#[macro_use]
pub mod store_contract;

/// Checks that the list of a macro names every public function of the modules, each of which is a promise.
#[cfg(test)]
fn assert_promises_are_named(list: &str, modules: &[&str]) {
    let promises = modules.iter().flat_map(|module| module.split("\npub async fn ").skip(1));
    let names: Vec<&str> = promises.filter_map(|text| text.split(['(', '<']).next()).collect();
    assert!(!names.is_empty());
    for name in names {
        let listed = list.lines().any(|line| line.trim().trim_end_matches([',', ';']) == name);
        assert!(listed, "{name} is not in the list of promises");
    }
}
