//! Where the server trades, and how its engines run.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The desk for which the server trades, in a simulated world.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Trading {
    /// the address of a [simulated world](simulator-process.md), such as `http://127.0.0.1:8090`. With it the server
    /// [trades](#trading) there
    pub(crate) simulator: Option<String>,
    /// simulated worlds by name, such as `{ main = "http://127.0.0.1:8090" }`. The server trades for every workspace
    /// with providers that name one ([Trade by records](../how-to/trade-by-records.md))
    pub(crate) worlds: BTreeMap<String, String>,
    /// the workspace that trades, by its id
    ///
    /// Default: the only one
    pub(crate) workspace: Option<String>,
    /// the name of this server among those that trade for the workspace: each has a name of its own, and keeps it when
    /// it restarts
    pub(crate) node: String,
    /// the customer whose money and trading accounts are used at the simulated marketplace
    pub(crate) customer: String,
    /// the marketplace's name on contracts; a [provider](api-markets.md#providers) of that name is this marketplace
    pub(crate) marketplace: String,
    /// the currency of its prices, three capital letters, such as `EUR`; they are
    /// [converted](../explanation/pricing.md#prices-in-another-currency) at the rates of the simulated world
    ///
    /// Default: the workspace's
    pub(crate) currency: Option<String>,
    /// the names of the trading accounts on purchases and items: the customer's, in the order in which they were
    /// opened. Missing ones are opened
    pub(crate) accounts: Vec<String>,
    /// time between two passes of the engine, 10 to 600,000
    pub(crate) interval_milliseconds: u32,
    /// time without an answer after which the outcome of a call to the marketplace or the game platform is unknown, 1
    /// to 49. A call must end before, because a purchase can be proven absent 60 s after a look-up without a result
    pub(crate) call_timeout_seconds: u32,
    /// time without renewal after which another server takes over the work of this one, at least 7. The same on every
    /// server of a workspace
    pub(crate) lease_ttl_seconds: u32,
    /// how often the engine reads price sources, at least 1
    pub(crate) quotes_interval_seconds: u32,
    /// maximum number of listing pages that a pass reads of a marketplace; the next pass continues after them
    pub(crate) pages_per_scan: u32,
    /// maximum number of records of a status that a pass processes at a marketplace, at most 200
    pub(crate) records_per_pass: u32,
    /// maximum number of concurrent steps of a pass
    pub(crate) concurrency: u32,
    /// shortest time between two decisions on the sale of an item. A contract can name a longer one
    pub(crate) sale_decision_interval_seconds: u32,
    /// time by which a marketplace may miss a deadline of delivery or refund before the engine reports the purchase
    pub(crate) delivery_overdue_seconds: u32,
    /// time for which a marketplace's balance differs from the ledger before the engine reports it, at least 1,201
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
