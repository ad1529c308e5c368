//! The list of metrics: name, kind, labels and meaning of each. The parts that see a value record it under these names.
//!
//! It must not know how metrics are recorded or shown. No label has a workspace, a user or a record of one.

/// How the values of a metric are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// A number that only grows, and begins at 0 with the process.
    Counter,
    /// A number that rises and falls.
    Gauge,
    /// Durations in seconds, counted in buckets.
    Histogram,
}

/// A label of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: &'static str,
    /// Its values; empty if they depend on what is measured.
    pub values: &'static [&'static str],
}

/// A metric, as `/metrics` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its name, by the conventions of Prometheus.
    pub name: &'static str,
    /// Its kind.
    pub kind: MetricKind,
    /// Its labels.
    pub labels: &'static [Label],
    /// One sentence on what it measures.
    pub help: &'static str,
}

impl MetricKind {
    /// Returns the name of the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

impl Metric {
    /// Returns whether the values of all labels are known before anything is measured.
    pub fn has_known_series(&self) -> bool {
        self.labels.iter().all(|label| !label.values.is_empty())
    }
}

macro_rules! metrics {
    ($(
        $(#[doc = $help:literal])+
        $constant:ident = $kind:ident $name:literal $({ $($label:ident: [$($value:literal),*]),+ })?;
    )+) => {
        $(
            $(#[doc = $help])+
            pub const $constant: Metric = Metric {
                name: $name,
                kind: MetricKind::$kind,
                labels: &[$($(Label { name: stringify!($label), values: &[$($value),*] }),+)?],
                help: concat!($($help),+).trim_ascii(),
            };
        )+

        /// Every metric with the name of its constant, in the order of this file.
        pub const ALL: &[(&str, Metric)] = &[$((stringify!($constant), $constant)),+];
    };
}

metrics! {
    /// Always 1; the label has the version of the program.
    BUILD_INFO = Gauge "tradepost_build_info" { version: [] };

    /// Open connections.
    CONNECTIONS = Gauge "tradepost_connections";
    /// Connections that were closed at once, because the server or the client's network had too many.
    CONNECTIONS_REFUSED = Counter "tradepost_connections_refused_total" { limit: ["server", "network"] };
    /// Calls of the interface.
    RPC_REQUESTS = Counter "tradepost_rpc_requests_total" {
        service: [], method: [],
        code: [
            "ok", "canceled", "unknown", "invalid_argument", "deadline_exceeded", "not_found", "already_exists", "permission_denied",
            "resource_exhausted", "failed_precondition", "aborted", "out_of_range", "unimplemented", "internal", "unavailable",
            "data_loss", "unauthenticated"
        ]
    };
    /// Duration of calls of the interface.
    RPC_DURATION = Histogram "tradepost_rpc_duration_seconds" { service: [], method: [] };

    /// Duration of passes of the engines of this process.
    PASS_DURATION = Histogram "tradepost_engine_pass_duration_seconds";
    /// End of the last pass, in seconds since 1970; of the engine that has waited longest, if this process has several.
    LAST_PASS = Gauge "tradepost_engine_last_pass_timestamp_seconds";
    /// Steps of passes that were left for a later pass, by the system or rule that prevented them.
    STEP_FAILURES = Counter "tradepost_engine_step_failures_total" {
        cause: ["operation", "marketplace", "platform", "price_source", "exchange_rates", "configuration", "account", "uncertain", "offer"]
    };
    /// Listings that were observed.
    LISTINGS_OBSERVED = Counter "tradepost_engine_listings_observed_total";
    /// Decisions of contracts on listings and items. A repeated decision on an unchanged listing is not counted.
    DECISIONS = Counter "tradepost_engine_decisions_total" { decision: ["BUY", "SKIP", "SELL", "HOLD"] };
    /// Purchases that were submitted.
    PURCHASES_SUBMITTED = Counter "tradepost_engine_purchases_submitted_total";
    /// Items that were listed for sale.
    ITEMS_LISTED = Counter "tradepost_engine_items_listed_total";
    /// Leases that the engines of this process hold, by the work that each gives the right to.
    LEASES = Gauge "tradepost_engine_leases" { work: ["presence", "marketplace", "inventory"] };
    /// Passes in which another node had taken a lease of this one.
    LEASES_LOST = Counter "tradepost_engine_leases_lost_total";
    /// Paths in the answers of real price sources that no card of facts describes, each counted once by a process.
    PRICE_FEED_NEW_PATHS = Counter "tradepost_price_feed_new_paths_total" {
        feed: ["csfloat", "dmarket", "market-csgo", "skinport", "steam-market", "waxpeer"]
    };

    /// Calls to marketplaces, the game platform and sources of prices and rates, by their outcome. A call that is not sent during a
    /// backoff is not counted.
    EXTERNAL_CALLS = Counter "tradepost_external_calls_total" {
        kind: ["marketplace", "platform", "price_source", "exchange_rates"], system: [], call: [],
        outcome: ["ok", "rejected", "unknown", "rate_limited", "signed_out"]
    };
    /// Duration of these calls.
    EXTERNAL_CALL_DURATION = Histogram "tradepost_external_call_duration_seconds" {
        kind: ["marketplace", "platform", "price_source", "exchange_rates"], system: []
    };

    /// Commits by their outcome.
    COMMITS = Counter "tradepost_database_commits_total" { outcome: ["committed", "conflict", "rejected", "unavailable", "unknown", "failed"] };
    /// Duration of commits, with the time in which they wait for the writer.
    COMMIT_DURATION = Histogram "tradepost_database_commit_duration_seconds";
    /// Open connections to the database for reads, and on PostgreSQL for writes.
    DATABASE_CONNECTIONS = Gauge "tradepost_database_connections" { state: ["idle", "used"] };
    /// The most connections to the database.
    DATABASE_CONNECTIONS_MAX = Gauge "tradepost_database_connections_max";
    /// Lists and reports by the server from which they are read; none are counted without a standby to read from. If the standby fails, a
    /// statement is counted for both.
    DATABASE_READS = Counter "tradepost_database_reads_total" { server: ["primary", "standby"] };
    /// Age of the newest state of the primary that this standby is known to have; 0 without one.
    STANDBY_LAG = Gauge "tradepost_database_standby_lag_seconds";

    /// Workspaces.
    WORKSPACES = Gauge "tradepost_workspaces";
    /// Workspaces in which an operator has halted trading.
    WORKSPACES_HALTED = Gauge "tradepost_workspaces_halted";
    /// Contracts by status.
    CONTRACTS = Gauge "tradepost_contracts" { status: [] };
    /// Intents by status.
    INTENTS = Gauge "tradepost_intents" { status: [] };
    /// Purchases by status.
    PURCHASES = Gauge "tradepost_purchases" { status: [] };
    /// Inventory items by status.
    INVENTORY_ITEMS = Gauge "tradepost_inventory_items" { status: [] };
    /// Trade offers by status.
    TRADE_OFFERS = Gauge "tradepost_trade_offers" { status: [] };
    /// Trading accounts by status.
    TRADING_ACCOUNTS = Gauge "tradepost_trading_accounts" { status: [] };
    /// Remediations by status.
    REMEDIATIONS = Gauge "tradepost_remediations" { status: [] };
    /// Remediations that have not ended, by severity.
    REMEDIATIONS_OPEN = Gauge "tradepost_remediations_open" { severity: [] };
    /// Money of all pools in each account of the ledger, in cents. Money that is held is positive, its origin negative.
    LEDGER_BALANCE = Gauge "tradepost_ledger_balance_cents" { account: [], currency: [] };
    /// Enabled providers by the state of their breaker. An open breaker means that the last look failed.
    PROVIDER_BREAKERS = Gauge "tradepost_provider_breakers" { state: [] };
    /// Entries that wait in the queues of background work, at most 100,000.
    QUEUE_LENGTH = Gauge "tradepost_queue_length" { queue: [] };
    /// Age of the oldest entry of a queue; 0 if it is empty. Clearing has none: its entries are overdue.
    QUEUE_OLDEST = Gauge "tradepost_queue_oldest_age_seconds" { queue: [] };
    /// When the installation was last measured, in seconds since 1970.
    MEASURED_AT = Gauge "tradepost_measured_timestamp_seconds";
    /// How long measuring the installation took.
    MEASURING = Gauge "tradepost_measuring_duration_seconds";

    /// Failures of scheduled backups.
    BACKUP_FAILURES = Counter "tradepost_backup_failures_total" { step: ["backup", "copy"] };
    /// Time of the last scheduled backup, in seconds since 1970.
    BACKUP_LAST_SUCCESS = Gauge "tradepost_backup_last_success_timestamp_seconds";
    /// 1 while the latest backup is not copied off the machine, else 0.
    BACKUP_NOT_COPIED = Gauge "tradepost_backup_not_copied";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_follow_the_conventions_of_prometheus() {
        let names: BTreeSet<&str> = ALL.iter().map(|(_, metric)| metric.name).collect();
        assert_eq!(names.len(), ALL.len());
        for (_, Metric { name, kind, labels, help }) in ALL {
            assert!(
                name.starts_with("tradepost_") && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            );
            assert_eq!(name.ends_with("_total"), *kind == MetricKind::Counter, "{name}");
            assert!(*kind != MetricKind::Histogram || name.ends_with("_seconds"), "{name}");
            assert!(help.ends_with('.') && !help.contains("  "), "{name}: {help}");
            let is_of_a_tenant =
                |label: &&Label| ["workspace", "user", "tenant"].iter().any(|of| label.name.contains(of));
            assert_eq!(labels.iter().find(is_of_a_tenant), None, "{name}");
        }
    }
}
