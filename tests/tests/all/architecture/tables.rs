//! The tables of documents that the code makes: which states there are, which step leads from one to another, and who may call an
//! operation.
//!
//! Each is between `<!-- table: name -->` and `<!-- end of table -->`. With `INSTA_UPDATE=always`, which keeps snapshots as they are
//! now, they are written instead of compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs;

use tradepost_domain::accounts::policy::PolicySet;
use tradepost_domain::asset::ContextId;
use tradepost_domain::contracts::chain::Source;
use tradepost_domain::contracts::contract::{ClosingReason, ContractEvent, ContractStatus};
use tradepost_domain::contracts::intent::{IntentEvent, IntentStatus, WithdrawalCause};
use tradepost_domain::contracts::inventory_item::{AssetEvidence, ItemEvent, ItemStatus, Proceeds, SalePlace};
use tradepost_domain::contracts::purchase::{
    Absence, CancelCause, FailureCode, ListingOutcome, Order, PurchaseEvent, PurchaseStatus,
};
use tradepost_domain::contracts::remediation::{RemediationAction, RemediationEvent, RemediationStatus, Severity};
use tradepost_domain::events::event_type::EventType;
use tradepost_domain::id::UserId;
use tradepost_domain::money::Cents;
use tradepost_operations::rules::{Access, RULES, StepUp};
use tradepost_testkit::samples::{Samples, start, text};

use super::repository;

const PAGES: [&str; 6] = [
    "docs/reference/events.md",
    "docs/reference/rights.md",
    "docs/reference/states.md",
    "docs/reference/intents.md",
    "docs/reference/remediations.md",
    "docs/reference/metrics.md",
];
const OPENED: &str = "<!-- table: ";
const NAMED: &str = " -->\n";
const CLOSED: &str = "<!-- end of table -->";

type Tables = BTreeMap<&'static str, String>;

#[test]
#[expect(clippy::disallowed_methods, reason = "snapshots are kept by the same variable")]
fn the_tables_of_states_and_steps_are_the_ones_that_the_code_makes() {
    let tables = tables();
    let mut shown = BTreeSet::new();
    for page in PAGES {
        let path = repository().join(page);
        let written = fs::read_to_string(&path).expect("it is there");
        let made = with_tables(&written, &tables, &mut shown);
        if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
            fs::write(&path, made).expect("it can be written");
        } else {
            assert_eq!(written, made, "{page} shows other tables than the code makes; INSTA_UPDATE=always writes them");
        }
    }
    assert_eq!(shown, tables.keys().map(|name| (*name).to_owned()).collect(), "a table is shown nowhere");
}

/// A page with the tables that are made in place of those that it shows.
fn with_tables(page: &str, tables: &Tables, shown: &mut BTreeSet<String>) -> String {
    let mut parts = page.split(OPENED);
    let mut made = parts.next().expect("a page begins").to_owned();
    for part in parts {
        let (name, rest) = part.split_once(NAMED).expect("a table has a name");
        let (_, rest) = rest.split_once(CLOSED).expect("a table ends");
        let table = tables.get(name).unwrap_or_else(|| panic!("no table is called {name}"));
        made += &format!("{OPENED}{name}{NAMED}\n{table}\n{CLOSED}{rest}");
        shown.insert(name.to_owned());
    }
    made
}

fn tables() -> Tables {
    let purchase_states = states("purchase", "PURCHASE_STATUS_", PurchaseStatus::ALL, PurchaseStatus::is_terminal);
    let item_states = states("inventory_item", "INVENTORY_ITEM_STATUS_", ItemStatus::ALL, ItemStatus::is_terminal);
    let intent_states = states("intent", "INTENT_STATUS_", IntentStatus::ALL, IntentStatus::is_terminal);
    let remediation_states =
        states("remediation", "REMEDIATION_STATUS_", RemediationStatus::ALL, RemediationStatus::is_terminal);
    let contract_states = states("contract", "CONTRACT_STATUS_", ContractStatus::ALL, ContractStatus::is_terminal);
    BTreeMap::from([
        ("contract states", contract_states),
        ("contract steps", of_contracts()),
        ("purchase states", purchase_states),
        ("purchase steps", of_purchases()),
        ("item states", item_states),
        ("item steps", of_items()),
        ("item links", of_links()),
        ("intent states", intent_states),
        ("intent steps", of_intents()),
        ("remediation states", remediation_states),
        ("remediation steps", of_remediations()),
        ("metrics", super::metrics::table()),
        ("accounts operations", of_operations("accounts.v1.Accounts")),
        ("alerts operations", of_operations("alerts.v1.Alerts")),
        ("contracts operations", of_operations("contracts.v1.Contracts")),
        ("events operations", of_operations("events.v1.Events")),
        ("event types", event_types()),
        ("markets operations", of_operations("markets.v1.Markets")),
        ("trading operations", of_operations("trading.v1.Trading")),
    ])
}

/// The states of a kind of record, each as the interface explains it.
fn states<S: Copy + Display>(file: &str, prefix: &str, all: &[S], is_final: impl Fn(S) -> bool) -> String {
    let path = repository().join(format!("proto/contracts/v1/{file}.proto"));
    let proto = fs::read_to_string(path).expect("it is there");
    let mut table = "| state | what it is |\n|---|---|\n".to_owned();
    for state in all {
        let (before, _) = proto.split_once(&format!("\n  {prefix}{state} = ")).expect("the interface has the state");
        let comment = before.lines().rev().map(str::trim).take_while(|line| line.starts_with("//"));
        let mut lines: Vec<&str> = comment.map(|line| line.trim_start_matches("// ")).collect();
        lines.reverse();
        let explained = lines.join(" ");
        assert_eq!(explained.ends_with(" Final."), is_final(*state), "what the interface says of {state}");
        table += &format!("| `{state}` | {explained} |\n");
    }
    table
}

/// The steps from each state, each listed once.
fn steps<S, T>(heading: &str, all: &[S], taken: impl Fn(S) -> T) -> String
where
    S: Copy + Display,
    T: IntoIterator<Item = (&'static str, S)>,
{
    let mut table = format!("| from | {heading} | to |\n|---|---|---|\n");
    let mut listed = BTreeSet::new();
    for from in all {
        for (event, to) in taken(*from) {
            let row = format!("| `{from}` | `{event}` | `{to}` |\n");
            if listed.insert(row.clone()) {
                table += &row;
            }
        }
    }
    table
}

const HAPPENS: &str = "what happens";

fn of_purchases() -> String {
    let (listing_price, at) = (cents(1_200), start());
    let order = || Order { id: text("order-1"), executed_price: listing_price, fee: cents(30) };
    let listing = ListingOutcome::NotSold;
    let absence = Absence { first_lookup_at: at, last_lookup_at: at, listing, charge_excluded: true, balances: None };
    let events = [
        PurchaseEvent::Submitted { listing_price },
        PurchaseEvent::Cancelled(CancelCause::Withdrawn),
        PurchaseEvent::Cancelled(CancelCause::Expired),
        PurchaseEvent::Cancelled(CancelCause::CheckFailed),
        PurchaseEvent::Accepted(order()),
        PurchaseEvent::Refused(FailureCode::SoldAlready),
        PurchaseEvent::OutcomeLost,
        PurchaseEvent::OrderFound(order()),
        PurchaseEvent::OrderAbsent(absence),
        PurchaseEvent::OfferSeen { trade_offer_id: text("offer-1"), asks_for_ours: false },
        PurchaseEvent::OfferLost,
        PurchaseEvent::TradeHeld { trade_id: text("trade-1"), held_until: at },
        PurchaseEvent::HoldRolledBack,
        PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: at },
        PurchaseEvent::ProtectionEnded,
        PurchaseEvent::DeliveryFailed(FailureCode::SellerLate),
        PurchaseEvent::TradeReversed { rollback_trade_id: text("trade-2") },
        PurchaseEvent::RefundBooked { amount: listing_price },
        PurchaseEvent::RefundAdded { total: listing_price },
        PurchaseEvent::WrittenOff,
    ];
    assert_all_named("contracts/purchase/event.rs", events.iter().map(PurchaseEvent::name));
    steps(HAPPENS, PurchaseStatus::ALL, |from| {
        events.iter().filter_map(move |event| Some((event.name(), from.after(event)?))).collect::<Vec<_>>()
    })
}

fn of_items() -> String {
    let (samples, price, at) = (Samples::seeded(1), cents(1_900), start());
    let asset_id = || samples.asset_id();
    let seen = || AssetEvidence { asset_id: asset_id(), source_id: text("snapshot-1") };
    let place = SalePlace { marketplace: text("csfloat"), contract_id: None };
    let proceeds = Proceeds::new(price, cents(95)).expect("the fee is less than the price");
    let events = [
        ItemEvent::ListingStarted { place, price, exchange_rate: None, takes_locked: false },
        ItemEvent::ListingAccepted { listing_id: text("listing-1"), asset_id: asset_id() },
        ItemEvent::ListingRefused,
        ItemEvent::Repriced { price, exchange_rate: None },
        ItemEvent::ListingEnded { seen: seen() },
        ItemEvent::SaleNoticed { listing_id: text("listing-1"), proceeds },
        ItemEvent::DeliveryStarted { asset_id: asset_id() },
        ItemEvent::SaleFellThrough { still_listed: true, seen: seen() },
        ItemEvent::SaleFellThrough { still_listed: false, seen: seen() },
        ItemEvent::DeliveryHeld,
        ItemEvent::HoldRolledBack { seen: seen() },
        ItemEvent::Given { trade_id: text("trade-1"), asset_id: asset_id() },
        ItemEvent::ProceedsBooked { proceeds, protected_until: at, paid_out: false },
        ItemEvent::SaleReversed { rollback_trade_id: text("trade-2"), asset_id: asset_id() },
        ItemEvent::Transferred {
            trade_id: text("trade-3"),
            to: text("trader-2"),
            context_id: ContextId::PROTECTED,
            asset_id: asset_id(),
            protected_until: None,
        },
        ItemEvent::WentMissing { first_absent_at: at, last_absent_at: at },
        ItemEvent::Found { seen: seen() },
        ItemEvent::GivenUp,
        ItemEvent::PurchaseReversed { rollback_trade_id: text("trade-2"), asset_id: None },
    ];
    assert_all_named("contracts/inventory_item/event.rs", events.iter().map(ItemEvent::name));
    steps(HAPPENS, ItemStatus::ALL, |from| {
        let after = |event: &ItemEvent, missing| Some((event.name(), from.after(event, Some(missing))?));
        events
            .iter()
            .flat_map(|event| went_missing().filter_map(move |missing| after(event, missing)))
            .collect::<Vec<_>>()
    })
}

/// What a link of the chain moves, independent of the caller that appends it.
fn of_links() -> String {
    steps("a link of", ItemStatus::ALL, |from| {
        let after = |source: Source, missing| Some((source.as_str(), from.after_link(source, Some(missing))?));
        let sources = Source::ALL.iter().copied();
        sources.flat_map(|source| went_missing().filter_map(move |missing| after(source, missing))).collect::<Vec<_>>()
    })
}

/// The states in which an item can become missing.
fn went_missing() -> impl Iterator<Item = ItemStatus> {
    ItemStatus::ALL.iter().copied().filter(|status| status.can_go_missing())
}

fn of_contracts() -> String {
    let events = [
        ContractEvent::Activated,
        ContractEvent::Paused { reason: None },
        ContractEvent::Suspended { cause: text("TRADING_HALTED") },
        ContractEvent::Resumed,
        ContractEvent::Closed(ClosingReason::Cancelled),
        ContractEvent::Reopened,
        ContractEvent::Finished,
    ];
    assert_all_named("contracts/contract/machine.rs", events.iter().map(ContractEvent::name));
    steps(HAPPENS, ContractStatus::ALL, |from| {
        let after = |event: &ContractEvent, reason| Some((event.name(), from.after(event, Some(reason))?));
        let reasons = || ClosingReason::ALL.iter().copied();
        events.iter().flat_map(|event| reasons().filter_map(move |reason| after(event, reason))).collect::<Vec<_>>()
    })
}

fn of_intents() -> String {
    let check = || text("SOLD_ALREADY");
    let withdrawn = |cause| IntentEvent::Withdrawn { cause, reason: None };
    let events = [
        IntentEvent::Approved,
        IntentEvent::Rejected { reason: None },
        withdrawn(WithdrawalCause::Person),
        withdrawn(WithdrawalCause::ContractStopped),
        withdrawn(WithdrawalCause::DryRun),
        IntentEvent::Expired,
        IntentEvent::Postponed { check: check() },
        IntentEvent::Claimed { result: None },
        IntentEvent::Denied { check: check() },
        IntentEvent::Succeeded { result: None },
        IntentEvent::Failed { check: check() },
    ];
    steps(HAPPENS, IntentStatus::ALL, |from| {
        events.iter().filter_map(move |event| Some((event.name(), from.after(event)?))).collect::<Vec<_>>()
    })
}

fn of_remediations() -> String {
    let mut events = vec![
        RemediationEvent::Began,
        RemediationEvent::PutOff,
        RemediationEvent::HandedOver,
        RemediationEvent::Assigned { to: UserId::from_bytes([1; 16]) },
        RemediationEvent::Raised { severity: Severity::Critical },
    ];
    let mut actions = RemediationAction::ALL.to_vec();
    actions.sort_by_key(|action| !action.settles());
    events.extend(actions.into_iter().map(|action| RemediationEvent::Acted { action }));
    events.extend([RemediationEvent::Cleared, RemediationEvent::Dismissed { reason: text("known") }]);
    steps(HAPPENS, RemediationStatus::ALL, |from| {
        events.iter().filter_map(move |event| Some((event.name(), from.after(event)?))).collect::<Vec<_>>()
    })
}

/// The types of events, which are made of the statuses of records.
fn event_types() -> String {
    let rows = EventType::all().into_iter().map(|event| format!("| `{event}` | {} |\n", event.description()));
    format!("| type | when |\n|---|---|\n{}", rows.collect::<String>())
}

/// The rules of a service: who may call each operation, when it needs a second factor, and which rate limit counts it.
fn of_operations(service: &str) -> String {
    let mut table = "| operation | caller | second factor | rate limit |\n|---|---|---|---|\n".to_owned();
    for rule in RULES.iter().filter(|rule| rule.service == service) {
        let (caller, proof) = (caller(rule.access), proof(rule.step_up));
        table += &format!("| `{}` | {caller} | {proof} | `{}` |\n", rule.method, rule.class.name());
    }
    table
}

fn caller(access: Access) -> String {
    match access {
        Access::Public => "no credential".to_owned(),
        Access::Key => "any key or session".to_owned(),
        Access::Member => "any member".to_owned(),
        Access::User => "a session, or a key with `identity`".to_owned(),
        Access::Session => "a session".to_owned(),
        Access::AnyOf(policies) => named(policies),
        Access::ItselfOr(policies) => format!("the key itself, or {}", named(policies)),
    }
}

fn named(policies: PolicySet) -> String {
    policies.iter().map(|policy| format!("`{}`", policy.name())).collect::<Vec<_>>().join(", ")
}

const fn proof(step_up: StepUp) -> &'static str {
    match step_up {
        StepUp::No => "",
        StepUp::IfStrong => "of users with a strong factor",
        StepUp::IfAny => "of users with a factor",
        StepUp::IfWider => "to widen rights",
        StepUp::IfMoney => "to move money",
        StepUp::IfGives => "to give items",
        StepUp::IfRenews => "to renew",
        StepUp::IfSignsIn => "of users with a factor, to sign in",
        StepUp::IfGivesFresh => "to give items, within 2 min",
        StepUp::Always => "always",
        StepUp::Fresh => "always, within 2 min",
    }
}

/// An event that is not asked for would be missing from its table.
fn assert_all_named(file: &str, asked: impl Iterator<Item = &'static str>) {
    let source = fs::read_to_string(repository().join("crates/domain/src").join(file)).expect("it is there");
    let named: BTreeSet<&str> =
        source.split("=> \"").skip(1).filter_map(|rest| rest.split_once('"')).map(|(name, _)| name).collect();
    assert_eq!(asked.collect::<BTreeSet<_>>(), named, "the events of {file}");
}

fn cents(amount: i64) -> Cents {
    Cents::new(amount).expect("it is no debt")
}
