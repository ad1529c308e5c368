//! Where the server trades, and how its engines run.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The desk for which the server trades, in a simulated world.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Trading {
    /// Where the world is served; the server does not trade if absent.
    pub(crate) simulator: Option<String>,
    /// The worlds that providers with the driver `simulator` can name, and where each is served.
    pub(crate) worlds: BTreeMap<String, String>,
    /// The workspace; the only one if absent.
    pub(crate) workspace: Option<String>,
    /// The name of this server among those that trade for the workspace.
    pub(crate) node: String,
    /// The customer of the marketplace.
    pub(crate) customer: String,
    /// The marketplace's name on contracts.
    pub(crate) marketplace: String,
    /// The currency of its prices; the workspace's if absent.
    pub(crate) currency: Option<String>,
    /// The names of the trading accounts.
    pub(crate) accounts: Vec<String>,
    /// How often the engine looks.
    pub(crate) interval_milliseconds: u32,
    /// After how long without an answer the outcome of a call to an external system is unknown.
    pub(crate) call_timeout_seconds: u32,
    /// Time without renewal after which another node takes over the work of this one.
    pub(crate) lease_ttl_seconds: u32,
    /// How often price sources are read.
    pub(crate) quotes_interval_seconds: u32,
    /// Maximum number of listing pages read of a marketplace in a pass.
    pub(crate) pages_per_scan: u32,
    /// Maximum number of records of a status that a pass processes at a marketplace.
    pub(crate) records_per_pass: u32,
    /// Maximum number of concurrent steps.
    pub(crate) concurrency: u32,
    /// Shortest time between two decisions on the sale of an item.
    pub(crate) sale_decision_interval_seconds: u32,
    /// Time by which a marketplace may miss a deadline before a purchase is reported.
    pub(crate) delivery_overdue_seconds: u32,
    /// Time for which a difference of balances lasts before it is reported.
    pub(crate) balance_mismatch_seconds: u32,
}

impl Default for Trading {
    fn default() -> Self {
        Self {
            simulator: None,
            worlds: BTreeMap::new(),
            workspace: None,
            node: "node-1".to_owned(),
            customer: "desk".to_owned(),
            marketplace: "simulated".to_owned(),
            currency: None,
            accounts: vec!["bot-1".to_owned()],
            interval_milliseconds: 1_000,
            call_timeout_seconds: 30,
            lease_ttl_seconds: 20,
            quotes_interval_seconds: 30,
            pages_per_scan: 50,
            records_per_pass: 200,
            concurrency: 8,
            sale_decision_interval_seconds: 600,
            delivery_overdue_seconds: 3_600,
            balance_mismatch_seconds: 1_800,
        }
    }
}
