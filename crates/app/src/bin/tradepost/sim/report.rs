//! What came of a run: where the money is, the status of purchases and items, what is wrong, and our ledger next to that of the world.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tradepost::domain::contracts::ledger::{Account, Balanced};
use tradepost::domain::contracts::remediation::{Remediation, RemediationKind};
use tradepost::domain::money::VenueCents;
use tradepost::operations::contracts::{
    CountInventoryItems, CountPurchases, GetLedgerEntries, GetPoolBalance, GetRemediations, ListLedgerEntries,
    ListRemediations, WantedPurchases,
};
use tradepost::operations::{Caller, OpResult, StatusCount};
use tradepost::ports::clock::MarketClock as _;

use super::foreign_currency::ForeignBooks;
use super::run::Run;
use crate::cli::Output;
use crate::cli::sim::SimRun;
use crate::client::enum_names;
use crate::failure::{Exit, Failure, Outcome};
use crate::output_format;
use crate::simulated::{CUSTOMER, refused};

/// As many as the operations give at once.
const PAGE: i32 = 200;
/// Where the money is that can be spent at the marketplace, or could be once it pays out.
const AT_MARKETPLACE: [Account; 3] = [Account::Available, Account::Reserved, Account::Receivable];

pub(super) struct Report {
    scenario: String,
    seed: u64,
    days: u32,
    passes: u32,
    from: String,
    to: String,
    balances: Balanced,
    pending: i64,
    purchases: Vec<(String, i64)>,
    items: Vec<(String, i64)>,
    /// How many problems of each kind are open.
    problems: BTreeMap<RemediationKind, i64>,
    /// What the marketplace says can be spent, in its currency.
    marketplace: VenueCents,
    /// What our ledger says can be spent there.
    ours: i64,
    /// The deals in another currency whose ledger amount differs from the marketplace's.
    differing: Vec<String>,
    /// What does not hold in the world's own books.
    imbalance: Option<String>,
}

impl Report {
    pub(super) async fn of(run: &Run, wanted: &SimRun) -> Outcome<Self> {
        let (system, operations, workspace_id) = (Caller::system(), run.app.operations(), run.workspace_id);
        let get = GetPoolBalance { workspace_id, pool_id: run.pool_id };
        let purchases = CountPurchases { workspace_id, contract_id: None, wanted: WantedPurchases::default() };
        let items = CountInventoryItems::of(workspace_id, None);
        let (balance, imbalance) = run
            .simulator
            .world(|world| (world.balance_of(CUSTOMER), world.check_books().err().map(|error| error.to_string())));
        let balances = operations.get_pool_balance(&system, get).await.map_err(refused)?.value;
        let abroad = if run.currency.is_some() { Some(ForeignBooks::of(run).await?) } else { None };
        let at_home = || AT_MARKETPLACE.iter().map(|account| balances.of(*account).get()).sum();
        let (ours, differing) =
            abroad.map_or_else(|| (at_home(), Vec::new()), |abroad| (abroad.left, abroad.differing));
        Ok(Self {
            scenario: wanted.scenario.clone(),
            seed: wanted.seed,
            days: wanted.days,
            passes: run.passes,
            from: run.began.to_string(),
            to: run.simulator.market_now().to_string(),
            balances,
            pending: pending(run).await.map_err(refused)?,
            purchases: named(operations.count_purchases(&system, purchases).await.map_err(refused)?.counts),
            items: named(operations.count_inventory_items(&system, items).await.map_err(refused)?.counts),
            problems: problems(run).await.map_err(refused)?,
            marketplace: balance,
            ours,
            differing,
            imbalance,
        })
    }

    pub(super) fn print(&self, output: Output) {
        output_format::print(output, &["WHAT", "NAME", "VALUE"], self.rows(output), &self.json());
    }

    /// That both books are the same, and those of the world hold.
    pub(super) fn verdict(&self) -> Outcome {
        if let Some(imbalance) = &self.imbalance {
            return Err(Failure::new(Exit::Failed, "the simulated world is at fault").because(imbalance));
        }
        if let Some(deal) = self.differing.first() {
            let why = format!("{} of the deals there differ from our ledger, such as {deal}", self.differing.len());
            return Err(Failure::new(Exit::Failed, "ledger and marketplace differ").because(why));
        }
        let difference = self.difference();
        if difference == 0 {
            return Ok(());
        }
        let (amount, side) = (output_format::amount(difference.abs()), if difference > 0 { "more" } else { "less" });
        Err(Failure::new(Exit::Failed, "ledger and marketplace differ")
            .because(format!("the marketplace has {amount} {side} than our ledger")))
    }

    fn difference(&self) -> i64 {
        self.marketplace.get() - self.ours
    }

    fn rows(&self, output: Output) -> Vec<Vec<String>> {
        let for_people = output.is_for_people();
        let amount = |cents: i64| if for_people { output_format::amount(cents) } else { cents.to_string() };
        let name = |code: &str| if for_people { enum_names::words(code) } else { code.to_owned() };
        let mut rows = Vec::new();
        let mut row = |what: &str, name: &str, value: String| rows.push(vec![what.to_owned(), name.to_owned(), value]);
        row("run", "scenario", self.scenario.clone());
        row("run", "seed", self.seed.to_string());
        row("run", "days", self.days.to_string());
        row("run", "passes", self.passes.to_string());
        row("run", "from", self.from.clone());
        row("run", "to", self.to.clone());
        for (account, cents) in self.balances.legs() {
            row("capital", &name(account.as_str()), amount(cents.get()));
        }
        for (status, count) in &self.purchases {
            row("purchases", &name(status), count.to_string());
        }
        for (status, count) in &self.items {
            row("items", &name(status), count.to_string());
        }
        for (kind, count) in &self.problems {
            row("problems", &name(kind.as_str()), count.to_string());
        }
        row("profit", "realised", amount(self.balances.realised()));
        row("profit", "pending", amount(self.pending));
        row("books", "marketplace", amount(self.marketplace.get()));
        row("books", "ours", amount(self.ours));
        let difference = self.difference();
        let verdict = if difference == 0 && for_people { "equal".to_owned() } else { amount(difference) };
        row("books", "difference", verdict);
        rows
    }

    fn json(&self) -> Value {
        let capital: Map<String, Value> =
            self.balances.legs().map(|(account, cents)| (account.to_string(), json!(cents.get()))).collect();
        let counts = |counted: &[(String, i64)]| -> Map<String, Value> {
            counted.iter().map(|(status, count)| (status.clone(), json!(count))).collect()
        };
        let problems: Map<String, Value> =
            self.problems.iter().map(|(kind, count)| (kind.to_string(), json!(count))).collect();
        json!({
            "scenario": self.scenario,
            "seed": self.seed,
            "days": self.days,
            "passes": self.passes,
            "from": self.from,
            "to": self.to,
            "capitalCents": capital,
            "purchases": counts(&self.purchases),
            "items": counts(&self.items),
            "problems": problems,
            "realisedCents": self.balances.realised(),
            "pendingCents": self.pending,
            "marketplaceCents": self.marketplace.get(),
            "oursCents": self.ours,
            "equal": self.difference() == 0 && self.differing.is_empty() && self.imbalance.is_none(),
        })
    }
}

/// The statuses in which there is something.
fn named<S: ToString>(counted: Vec<StatusCount<S>>) -> Vec<(String, i64)> {
    let counted = counted.into_iter().filter(|one| one.count > 0);
    counted.map(|one| (one.status.to_string(), one.count)).collect()
}

/// The problems that have not ended: why what is not over at the end of a run may never be.
async fn problems(run: &Run) -> OpResult<BTreeMap<RemediationKind, i64>> {
    let (system, operations, workspace_id) = (Caller::system(), run.app.operations(), run.workspace_id);
    let (mut open, mut cursor) = (BTreeMap::new(), String::new());
    loop {
        let (status, kind, severity, subject) = (None, None, None, None);
        let list = ListRemediations { workspace_id, limit: PAGE, cursor, status, kind, severity, subject };
        let page = operations.list_remediations(&system, list).await?;
        if !page.entries.is_empty() {
            let get = GetRemediations { workspace_id, remediation_ids: page.entries };
            let found = operations.get_remediations(&system, get).await?.found;
            for problem in found.into_iter().map(|one| one.value).filter(Remediation::is_live) {
                *open.entry(problem.kind).or_default() += 1;
            }
        }
        if page.next_cursor.is_empty() {
            return Ok(open);
        }
        cursor = page.next_cursor;
    }
}

/// Profit of sales that can still be reversed: what all entries of the ledger change it by.
async fn pending(run: &Run) -> OpResult<i64> {
    let (system, operations, workspace_id) = (Caller::system(), run.app.operations(), run.workspace_id);
    let (mut sum, mut cursor) = (0_i64, String::new());
    loop {
        let list = ListLedgerEntries {
            workspace_id,
            limit: PAGE,
            cursor,
            account: None,
            pool_id: Some(run.pool_id),
            contract_id: None,
            from: None,
            to: None,
        };
        let page = operations.list_ledger_entries(&system, list).await?;
        if !page.entries.is_empty() {
            let get = GetLedgerEntries { workspace_id, ledger_entry_ids: page.entries };
            let found = operations.get_ledger_entries(&system, get).await?.entries;
            sum += found.iter().map(|entry| entry.pending.get()).sum::<i64>();
        }
        if page.next_cursor.is_empty() {
            return Ok(sum);
        }
        cursor = page.next_cursor;
    }
}
