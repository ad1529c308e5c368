//! `doctor --deep`: the checks that look at everything. They read in slices, change nothing, and run while a server runs.

use indicatif::ProgressBar;
use tradepost::SystemClock;
use tradepost::auth::Vault;
use tradepost::ports::clock::Clock as _;
use tradepost::sql::{MAX_REPORTED, SqlStore};

use super::{Check, root_secrets};
use crate::assembly::RESTORE;
use crate::progress;
use crate::settings::Loaded;

pub(super) const RECORDS: &str = "records";
/// Checks that look at everything.
const CHECKS: u64 = 10;
/// Findings that are printed of one check; the rest is counted.
const MOST_SHOWN: usize = 10;
const REPAIR: &str = "compare the record with its entries and its marketplace, and correct it by hand; if there are many, stop \
    the server and restore the latest sound backup: tradepost restore --force FILE";
const TAMPERED: &str = "find out who can write to the database, change its credentials, and set the rights as they should be with \
    UpdateMembership, UpdateAPIKey or RevokeAPIKey";

/// A walk through everything, and how far it has come.
pub(super) struct Walk {
    bar: ProgressBar,
    plain: bool,
}

impl Walk {
    pub(super) fn begin(quiet: bool) -> Self {
        let bar = progress::bar(quiet, CHECKS, "  {bar:30} {pos}/{len} {msg}");
        let plain = !quiet && bar.is_hidden();
        Self { bar, plain }
    }

    /// Every check of records, in order.
    pub(super) async fn everything(&self, loaded: &Loaded, store: &SqlStore) -> Vec<Check> {
        let mut checks = vec![
            self.records(store).await,
            self.chains(store).await,
            self.counters(store).await,
            self.contracts(store).await,
            self.books(store).await,
            self.sums(store).await,
            self.purchases(store).await,
        ];
        match root_secrets::vault(loaded, store).await {
            Ok(vault) => checks.push(self.audit(store, &vault).await),
            Err(failure) => checks.push(Check::failed("audit", &failure)),
        }
        checks.push(self.rights(store).await);
        self.bar.finish_and_clear();
        checks
    }

    pub(super) async fn integrity(&self, store: &SqlStore) -> Check {
        let _step = self.step("integrity");
        match store.quick_check().await {
            Ok(()) => Check::ok("integrity", "the database is sound"),
            Err(error) => Check::fail("integrity", error.to_string(), RESTORE),
        }
    }

    async fn records(&self, store: &SqlStore) -> Check {
        let count = self.step(RECORDS);
        match store.check_records(count).await {
            Ok(report) => {
                let ok = format!("{} keep their rules", report.records);
                let count = report.broken.to_string();
                let faults = Faults { count, what: "break a rule", findings: &report.findings };
                faults.verdict(RECORDS, ok, RESTORE)
            }
            Err(error) => Check::unreadable(RECORDS, &error),
        }
    }

    async fn chains(&self, store: &SqlStore) -> Check {
        let count = self.step("chains");
        match store.verify_chains(count).await {
            Ok(report) => {
                let ok = format!("{} items, {} links", report.items, report.links);
                let count = report.broken.to_string();
                let faults = Faults { count, what: "laws broken", findings: &report.findings };
                faults.verdict("chains", ok, RESTORE)
            }
            Err(error) => Check::unreadable("chains", &error),
        }
    }

    async fn counters(&self, store: &SqlStore) -> Check {
        let _step = self.step("counters");
        match store.check_counters().await {
            Ok(drifts) => Faults::wrong(&drifts).verdict("counters", "match what they count", RESTORE),
            Err(error) => Check::unreadable("counters", &error),
        }
    }

    async fn contracts(&self, store: &SqlStore) -> Check {
        let count = self.step("contracts");
        match store.check_contracts(count).await {
            Ok(report) => {
                let ok = format!("{} count what they have bought and sold", report.contracts);
                Faults::wrong(&report.findings).verdict("contracts", ok, REPAIR)
            }
            Err(error) => Check::unreadable("contracts", &error),
        }
    }

    async fn books(&self, store: &SqlStore) -> Check {
        let count = self.step("books");
        match store.check_books(count).await {
            Ok(report) => {
                let ok = format!("{} entries, {} pools", report.entries, report.pools);
                Faults::wrong(&report.findings).verdict("books", ok, REPAIR)
            }
            Err(error) => Check::unreadable("books", &error),
        }
    }

    async fn sums(&self, store: &SqlStore) -> Check {
        let count = self.step("sums");
        match store.check_sums(count).await {
            Ok(drifts) => {
                Faults::wrong(&drifts).verdict("sums", "profit and loss is what the ledger comes to", RESTORE)
            }
            Err(error) => Check::unreadable("sums", &error),
        }
    }

    async fn purchases(&self, store: &SqlStore) -> Check {
        let count = self.step("purchases");
        match store.check_purchases(count).await {
            Ok(report) => {
                let ok = format!("{} are what the ledger says", report.purchases);
                Faults::wrong(&report.findings).verdict("purchases", ok, REPAIR)
            }
            Err(error) => Check::unreadable("purchases", &error),
        }
    }

    async fn audit(&self, store: &SqlStore, vault: &Vault) -> Check {
        let count = self.step("audit");
        match store.check_audit(vault, count).await {
            Ok(report) => {
                let ok = format!("{} logs, {} links", report.logs, report.links);
                Faults::wrong(&report.findings).verdict("audit", ok, TAMPERED)
            }
            Err(error) => Check::unreadable("audit", &error),
        }
    }

    async fn rights(&self, store: &SqlStore) -> Check {
        let count = self.step("rights");
        match store.check_rights(count).await {
            Ok(report) => {
                let ok = format!("{} memberships and keys are as they were audited", report.records);
                Faults::wrong(&report.findings).verdict("rights", ok, TAMPERED)
            }
            Err(error) => Check::unreadable("rights", &error),
        }
    }

    /// Begins a check; the returned function takes the number of records read so far.
    fn step(&self, name: &'static str) -> impl FnMut(u64) + Send + use<'_> {
        self.bar.inc(1);
        self.bar.set_message(name);
        if self.plain {
            anstream::eprintln!("looking at {name}");
        }
        let began = SystemClock.now();
        move |looked_at| {
            let seconds = (SystemClock.now().as_micros().saturating_sub(began.as_micros())) / 1_000_000;
            self.bar.set_message(format!("{name}: {looked_at} in {seconds} s"));
        }
    }
}

/// What a check found wrong; only the first findings of many may be listed.
struct Faults<'a, T> {
    count: String,
    what: &'static str,
    findings: &'a [T],
}

impl<'a, T: ToString> Faults<'a, T> {
    /// The findings of a check that counts no others: there may be more than the most that it reports.
    fn wrong(findings: &'a [T]) -> Self {
        let at_least = if findings.len() < MAX_REPORTED { "" } else { "at least " };
        Self { count: format!("{at_least}{}", findings.len()), what: "are wrong", findings }
    }

    /// The check that found them.
    fn verdict(&self, name: &'static str, ok: impl Into<String>, fix: &'static str) -> Check {
        let Self { count, what, findings } = self;
        if findings.is_empty() {
            return Check::ok(name, ok);
        }
        let mut found = format!("{count} {what}");
        for finding in findings.iter().take(MOST_SHOWN) {
            found.push_str("; ");
            found.push_str(&finding.to_string());
        }
        if findings.len() > MOST_SHOWN {
            found.push_str("; and others");
        }
        Check::fail(name, found, fix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_at_its_limit_says_that_there_may_be_more_faults() {
        for (faults, said) in [(1, "1 are wrong; "), (MAX_REPORTED, "at least 100 are wrong; ")] {
            let findings = vec!["the sum is 1"; faults];
            let found = Faults::wrong(&findings).verdict("sums", "", RESTORE).found;
            assert!(found.starts_with(said), "{found}");
        }
    }
}
