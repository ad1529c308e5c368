//! What the live part of the demo shows on a terminal: where the money is, the status of purchases and items, the latest decisions.

use std::time::Duration;

use comfy_table::{ContentArrangement, Row, Table, presets};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tradepost::Tradepost;
use tradepost::domain::accounts::workspace::TradingHalt;
use tradepost::domain::contracts::contract::{ApprovalMode, Counters};
use tradepost::domain::contracts::inventory_item::ItemStatus;
use tradepost::domain::contracts::ledger::{Account, Balanced};
use tradepost::domain::contracts::purchase::PurchaseStatus;
use tradepost::domain::contracts::remediation::RemediationStatus;
use tradepost::domain::money::Cents;
use tradepost::domain::time::Timestamp;
use tradepost::engine::DecidedListing;
use tradepost::operations::accounts::GetWorkspace;
use tradepost::operations::contracts::{
    CountInventoryItems, CountPurchases, CountRemediations, GetContracts, GetPoolBalance, WantedPurchases,
};
use tradepost::operations::{Caller, OpResult, StatusCount};

use super::live::{Latest, Live};
use crate::client::enum_names;
use crate::{live_display, output_format};

/// How often it is redrawn.
const DRAWN: Duration = Duration::from_secs(1);

/// Where money can be, in words.
const PLACES: [(Account, &str); 8] = [
    (Account::Available, "available"),
    (Account::Reserved, "reserved"),
    (Account::PaidInTransit, "in transit"),
    (Account::RefundDue, "refund due"),
    (Account::InventoryAtCost, "in items"),
    (Account::DeliveredAtCost, "delivered, not settled"),
    (Account::Receivable, "receivable"),
    (Account::WriteOffs, "written off"),
];

/// What there is to see at one moment.
#[derive(Default)]
struct Seen {
    halt: Option<TradingHalt>,
    money: Money,
    purchases: Vec<(PurchaseStatus, i64)>,
    items: Vec<(ItemStatus, i64)>,
    problems: Vec<(RemediationStatus, i64)>,
}

enum Money {
    /// Of the pool from which the contracts buy.
    Pool(Balanced),
    /// Of contracts that buy without a pool.
    Contracts(Counters),
}

impl Default for Money {
    fn default() -> Self {
        Self::Contracts(Counters::default())
    }
}

/// Draws the board once a second until stopped, if there is a terminal.
pub(super) async fn show(app: Tradepost, live: Live, stop: CancellationToken) {
    if !live_display::can_be_drawn_on() {
        return;
    }
    let mut ticks = tokio::time::interval(DRAWN);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        match look(&app, &live).await {
            Ok(seen) => live_display::draw(board(&seen, &live.latest(), live.market_time(), live_display::width())),
            // It ends in the middle of a look.
            Err(_) if stop.is_cancelled() => return,
            Err(error) => tracing::warn!(%error, "the board could not be drawn"),
        }
    }
}

async fn look(app: &Tradepost, live: &Live) -> OpResult<Seen> {
    let (operations, system, workspace_id) = (app.operations(), Caller::system(), live.workspace_id);
    let mut seen = Seen {
        halt: operations.get_workspace(&system, GetWorkspace { workspace_id }).await?.trading_halt,
        money: money(app, live).await?,
        ..Seen::default()
    };
    add(&mut seen.problems, operations.count_remediations(&system, CountRemediations { workspace_id }).await?);
    seen.problems.retain(|(status, _)| !status.is_terminal());
    for contract_id in live.contracts.iter().copied().map(Some) {
        let purchases = operations
            .count_purchases(&system, CountPurchases { workspace_id, contract_id, wanted: WantedPurchases::default() })
            .await?;
        add(&mut seen.purchases, purchases.counts);
        let items =
            operations.count_inventory_items(&system, CountInventoryItems::of(workspace_id, contract_id)).await?;
        add(&mut seen.items, items.counts);
    }
    Ok(seen)
}

async fn money(app: &Tradepost, live: &Live) -> OpResult<Money> {
    let (operations, system, workspace_id) = (app.operations(), Caller::system(), live.workspace_id);
    if let Some(pool_id) = live.pool_id {
        let get = GetPoolBalance { workspace_id, pool_id };
        return Ok(Money::Pool(operations.get_pool_balance(&system, get).await?.value));
    }
    let get = GetContracts { workspace_id, contract_ids: live.contracts.clone() };
    let mut sum = Counters::default();
    for contract in operations.get_contracts(&system, get).await?.found {
        let counters = contract.value.counters;
        sum.reserved = sum.reserved.plus(counters.reserved).unwrap_or(Cents::MAX);
        sum.spent = sum.spent.plus(counters.spent).unwrap_or(Cents::MAX);
    }
    Ok(Money::Contracts(sum))
}

fn add<S: Copy + PartialEq>(all: &mut Vec<(S, i64)>, counted: Vec<StatusCount<S>>) {
    for StatusCount { status, count } in counted.into_iter().filter(|counted| counted.count > 0) {
        match all.iter_mut().find(|(known, _)| *known == status) {
            Some((_, sum)) => *sum += count,
            None => all.push((status, count)),
        }
    }
}

/// The lines of the board, each with its end.
fn board(seen: &Seen, latest: &Latest, now: Timestamp, width: usize) -> String {
    let mut table = Table::new();
    let columns = u16::try_from(width).unwrap_or(u16::MAX);
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    table.add_row(["market", &format!("{} (simulated, accelerated)", minute(now))]);
    if let Some(TradingHalt { reason, since }) = &seen.halt {
        let halted = format!("{reason} (since {}): nothing is bought until tradepost halt --resume", minute(*since));
        table.add_row(["HALTED", &halted]);
    }
    for (label, amount) in seen.money.rows() {
        table.add_row([label, amount.as_str()]);
    }
    table.add_row(["purchases", &counts(&seen.purchases)]);
    table.add_row(["items", &counts(&seen.items)]);
    if !seen.problems.is_empty() {
        table.add_row(["incidents", &format!("{}: tradepost remediations list", counts(&seen.problems))]);
    }
    for decided in latest.bought.iter().chain(&latest.skipped) {
        let mut row = Row::from([label(decided), outcome(decided)]);
        row.max_height(1);
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    // Apart from the log.
    format!("\n{}\n", table.trim_fmt())
}

impl Money {
    fn rows(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Pool(balances) => {
                let in_place = |account: Account| balances.of(account).get();
                let there = PLACES.iter().filter(|(account, _)| in_place(*account) != 0);
                let there: Vec<String> = there
                    .map(|(account, place)| format!("{} {place}", output_format::amount(in_place(*account))))
                    .collect();
                let deposited = output_format::amount(in_place(Account::Capital).saturating_neg());
                vec![
                    ("capital", format!("{deposited} deposited: {}", there.join(", "))),
                    ("profit", format!("{} realised, after fees", output_format::amount(balances.realised()))),
                ]
            }
            Self::Contracts(counters) => {
                let (reserved, spent) =
                    (output_format::amount(counters.reserved.get()), output_format::amount(counters.spent.get()));
                vec![("capital", format!("{reserved} reserved, {spent} spent"))]
            }
        }
    }
}

/// What was decided, and by whom where the contract does not decide by itself.
fn label(decided: &DecidedListing) -> String {
    let decision = enum_names::words(&decided.decision.to_string());
    match decided.approval_mode {
        ApprovalMode::Automatic => decision,
        ApprovalMode::Manual => format!("{decision} (asks)"),
        ApprovalMode::DryRun => format!("{decision} (dry)"),
    }
}

fn outcome(decided: &DecidedListing) -> String {
    let failed: Vec<&str> = decided.failed.iter().map(|rule| rule.as_str()).collect();
    let why = if failed.is_empty() { String::new() } else { format!(": {}", failed.join(", ")) };
    format!("{} for {}{why} ({})", decided.item, output_format::amount(decided.price.get()), decided.contract)
}

fn counts<S: ToString>(counted: &[(S, i64)]) -> String {
    let words = |status: &S| enum_names::words(&status.to_string());
    let counts: Vec<String> = counted.iter().map(|(status, count)| format!("{count} {}", words(status))).collect();
    if counts.is_empty() { "none yet".to_owned() } else { counts.join(", ") }
}

/// A time to the minute, for people.
fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    format!("{} UTC", text.get(..16).unwrap_or(&text).replace('T', " "))
}

#[cfg(test)]
mod tests {
    use tradepost::domain::contracts::evaluation::{Decision, Rule};
    use tradepost::domain::money::SignedCents;
    use tradepost::domain::text::{MarketHashName, Name, ReasonText};

    use super::*;

    fn decided(decision: Decision, failed: &[Rule]) -> DecidedListing {
        DecidedListing {
            contract: Name::new("Live: 8 % below value").unwrap(),
            approval_mode: ApprovalMode::Automatic,
            item: MarketHashName::new("AK-47 | Redline (Field-Tested)").unwrap(),
            price: Cents::new(1_200).unwrap(),
            decision,
            failed: failed.to_vec(),
        }
    }

    fn seen() -> Seen {
        let legs = [(Account::Available, 990_000), (Account::InventoryAtCost, 10_100), (Account::Fees, 20)];
        let legs = legs.into_iter().chain([(Account::RealisedPnl, -120), (Account::Capital, -1_000_000)]);
        let signed = legs.map(|(account, cents)| (account, SignedCents::new(cents).unwrap()));
        Seen {
            money: Money::Pool(Balanced::new(signed).unwrap()),
            purchases: PurchaseStatus::ALL.iter().map(|status| (*status, 12)).collect(),
            ..Seen::default()
        }
    }

    fn noon() -> Timestamp {
        Timestamp::from_micros(1_767_268_800_000_001).unwrap()
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_a_decision_is_one_line() {
        let latest = Latest {
            bought: [decided(Decision::Buy, &[])].into(),
            skipped: vec![decided(Decision::Skip, &[Rule::Discount, Rule::Budget, Rule::DailyBudget])],
        };
        for width in [80, 120] {
            let board = board(&seen(), &latest, noon(), width);
            assert!(board.lines().all(|line| line.chars().count() <= width), "{board}");
            assert!(board.contains("market    2026-01-01 12:00 UTC (simulated, accelerated)"), "{board}");
            assert!(board.contains("10000.00 deposited: 9900.00 available, 101.00 in items"), "{board}");
            assert!(board.contains("profit    1.00 realised, after fees"), "{board}");
            assert_eq!(board.lines().filter(|line| line.contains("AK-47 | Redline")).count(), 2, "{board}");
        }
    }

    #[test]
    fn the_decision_of_a_dry_run_says_that_it_is_dry() {
        let dry = DecidedListing { approval_mode: ApprovalMode::DryRun, ..decided(Decision::Buy, &[]) };
        let latest = Latest { bought: [dry].into(), skipped: Vec::new() };
        let board = board(&seen(), &latest, noon(), 120);
        assert!(board.contains("buy (dry) AK-47 | Redline"), "{board}");
    }

    #[test]
    fn statuses_and_decisions_are_words_and_rules_keep_their_codes() {
        let skipped = vec![decided(Decision::Skip, &[Rule::DailyBudget])];
        let latest = Latest { skipped, ..Latest::default() };
        let board = board(&seen(), &latest, noon(), 400);
        assert!(board.contains("12 trade held") && board.contains("12 written off"), "{board}");
        assert!(board.contains("skip ") && board.contains(" for 12.00: DAILY_BUDGET ("), "{board}");
        assert!(!board.contains("TRADE_HELD") && !board.contains("SKIP"), "{board}");
    }

    #[test]
    fn a_halt_says_why_and_how_it_ends() {
        let halt = TradingHalt { reason: ReasonText::new("prices look wrong").unwrap(), since: noon() };
        let board = board(&Seen { halt: Some(halt), ..seen() }, &Latest::default(), noon(), 120);
        let line =
            "HALTED    prices look wrong (since 2026-01-01 12:00 UTC): nothing is bought until tradepost halt --resume";
        assert!(board.contains(line), "{board}");
    }
}
