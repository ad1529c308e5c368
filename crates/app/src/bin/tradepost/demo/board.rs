//! What the live part of the demo shows on a terminal: the money, the purchases, the items, the latest decisions. Drawn in place.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

use comfy_table::{ContentArrangement, Table, presets};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tradepost::Tradepost;
use tradepost::domain::contract::Counters;
use tradepost::domain::evaluation::Decision;
use tradepost::domain::inventory_item::ItemStatus;
use tradepost::domain::money::Cents;
use tradepost::domain::purchase::PurchaseStatus;
use tradepost::engine::Decided;
use tradepost::operations::contracts::{CountInventoryItems, CountPurchases, GetContracts};
use tradepost::operations::{Caller, OpResult, StatusCount};

use super::live::Live;

/// How often it is drawn anew.
const DRAWN: Duration = Duration::from_secs(1);
/// How many decisions it shows.
const DECISIONS: usize = 6;

/// What there is to see at one moment.
#[derive(Default)]
struct Seen {
    money: Counters,
    purchases: Vec<(PurchaseStatus, i64)>,
    items: Vec<(ItemStatus, i64)>,
}

/// Draws the board once a second until stopped, if somebody looks at a terminal.
pub(super) async fn show(app: Tradepost, live: Live, stop: CancellationToken) {
    if !stderr().is_terminal() {
        return;
    }
    let mut ticks = tokio::time::interval(DRAWN);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut lines = 0;
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        match look(&app, &live).await {
            Ok(seen) => lines = draw(&live, &seen, lines),
            Err(error) => tracing::warn!(%error, "the board could not be drawn"),
        }
    }
}

async fn look(app: &Tradepost, live: &Live) -> OpResult<Seen> {
    let (operations, system, workspace_id) = (app.operations(), Caller::system(), live.workspace_id);
    let mut seen = Seen::default();
    let get = GetContracts { workspace_id, contract_ids: live.contracts.clone() };
    for contract in operations.get_contracts(&system, get).await?.found {
        let counters = contract.value.counters;
        seen.money.reserved = seen.money.reserved.plus(counters.reserved).unwrap_or(Cents::MAX);
        seen.money.spent = seen.money.spent.plus(counters.spent).unwrap_or(Cents::MAX);
        let contract_id = Some(contract.value.id);
        let purchases = operations.count_purchases(&system, CountPurchases { workspace_id, contract_id }).await?;
        add(&mut seen.purchases, purchases);
        let items =
            operations.count_inventory_items(&system, CountInventoryItems { workspace_id, contract_id }).await?;
        add(&mut seen.items, items);
    }
    Ok(seen)
}

fn add<S: Copy + PartialEq>(all: &mut Vec<(S, i64)>, counted: Vec<StatusCount<S>>) {
    for StatusCount { status, count } in counted.into_iter().filter(|counted| counted.count > 0) {
        match all.iter_mut().find(|(known, _)| *known == status) {
            Some((_, sum)) => *sum += count,
            None => all.push((status, count)),
        }
    }
}

/// Draws over what was drawn before; how many lines that took.
fn draw(live: &Live, seen: &Seen, before: usize) -> usize {
    let table = table(live, seen);
    let mut text = String::new();
    if before > 0 {
        // To the beginning of the line where the last one began, and clear from there (ECMA-48: CPL, ED).
        let written = write!(text, "\u{1b}[{before}F\u{1b}[J");
        debug_assert!(written.is_ok(), "a string takes everything");
    }
    text.push_str(&table);
    anstream::eprintln!("{text}");
    table.lines().count()
}

fn table(live: &Live, seen: &Seen) -> String {
    let mut table = Table::new();
    table.use_stderr().load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    let (reserved, spent) = (amount(seen.money.reserved), amount(seen.money.spent));
    table.add_row(["market's time".to_owned(), live.market_time().to_string()]);
    table.add_row([
        "money".to_owned(),
        format!("{} to spend, {reserved} reserved, {spent} spent", amount(live.balance())),
    ]);
    table.add_row(["purchases".to_owned(), counts(&seen.purchases)]);
    table.add_row(["items".to_owned(), counts(&seen.items)]);
    for decided in chosen(&live.decisions()) {
        table.add_row([decided.decision.to_string(), told(decided)]);
    }
    table.to_string()
}

/// What is bought comes first; of the rest the first few.
fn chosen(decisions: &[Decided]) -> impl Iterator<Item = &Decided> {
    let is_bought = |decided: &&Decided| decided.decision == Decision::Buy;
    let (bought, skipped) = (decisions.iter().filter(is_bought), decisions.iter().filter(move |one| !is_bought(one)));
    bought.chain(skipped).take(DECISIONS)
}

fn told(decided: &Decided) -> String {
    let failed: Vec<&str> = decided.failed.iter().map(|rule| rule.as_str()).collect();
    let why = if failed.is_empty() { String::new() } else { format!(": {}", failed.join(", ")) };
    format!("{} at {} ({}){why}", decided.item, amount(decided.price), decided.contract)
}

fn counts<S: ToString>(counted: &[(S, i64)]) -> String {
    let told: Vec<String> = counted.iter().map(|(status, count)| format!("{count} {}", status.to_string())).collect();
    if told.is_empty() { "none yet".to_owned() } else { told.join(", ") }
}

fn amount(cents: Cents) -> String {
    format!("{}.{:02}", cents.get() / 100, cents.get() % 100)
}
