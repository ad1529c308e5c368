//! The breakers of a contract: purchases that fail one after the other, the losses of a day, and outdated prices.

use std::collections::BTreeMap;

use tradepost_domain::contracts::contract::{
    BasisPoints, BuyingTerms, Contract, ContractDraft, ContractEvent, ContractStatus, FAILURES_IN_A_ROW,
    PriceReference, SuspensionCause, Terms, fails, is_failing, stops_by_loss,
};
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::markets::pricing::LEAST_SOURCES;
use tradepost_domain::money::Cents;
use tradepost_domain::text::Marketplace;
use tradepost_domain::time::Timestamp;

use crate::given::{at, buying, cents, draft, order, purchase_terms, selling, text, traded_purchase};

fn pending() -> Purchase {
    Purchase::record(purchase_terms(1), at(0)).unwrap()
}

fn through(steps: impl IntoIterator<Item = PurchaseEvent>) -> Purchase {
    let sent = PurchaseEvent::Submitted { listing_price: purchase_terms(1).listing_price };
    std::iter::once(sent).chain(steps).fold(pending(), |purchase, event| purchase.apply(event, at(1)).unwrap())
}

fn refused(code: FailureCode) -> Purchase {
    through([PurchaseEvent::Refused(code)])
}

fn undelivered() -> Purchase {
    through([PurchaseEvent::Accepted(order()), PurchaseEvent::DeliveryFailed(FailureCode::SellerLate)])
}

#[test]
fn the_maximum_of_failures_in_a_row_stops_a_contract_and_a_delivery_resets_the_row() {
    let failed = |number| vec![refused(FailureCode::Other); number];
    assert!(is_failing(&failed(FAILURES_IN_A_ROW)));
    assert!(!is_failing(&failed(FAILURES_IN_A_ROW - 1)));
    let mut row = failed(FAILURES_IN_A_ROW);
    row.insert(FAILURES_IN_A_ROW - 1, traded_purchase());
    assert!(!is_failing(&row), "the newest come first");
    row.insert(0, undelivered());
    assert!(is_failing(&row));
}

#[test]
fn what_passes_by_itself_what_was_withdrawn_and_what_is_under_way_say_nothing() {
    let nothing = [
        pending(),
        refused(FailureCode::SoldAlready),
        refused(FailureCode::PriceChanged),
        refused(FailureCode::BalanceTooLow),
        pending().apply(PurchaseEvent::Cancelled(CancelCause::CheckFailed), at(1)).unwrap(),
        through([PurchaseEvent::OutcomeLost]),
        through([PurchaseEvent::Accepted(order())]),
    ];
    let row = |between: &Purchase| {
        let failed = std::iter::repeat_n([between.clone(), refused(FailureCode::AccountBlocked)], FAILURES_IN_A_ROW);
        failed.flatten().collect::<Vec<_>>()
    };
    for between in &nothing {
        assert!(!fails(&pending(), between), "{}", between.status);
        assert!(is_failing(&row(between)), "{} ends a row", between.status);
    }
    assert!(!is_failing(&vec![refused(FailureCode::SoldAlready); 3 * FAILURES_IN_A_ROW]));
}

#[test]
fn a_purchase_fails_once() {
    let owed = undelivered();
    assert_eq!(owed.status, PurchaseStatus::RefundPending);
    assert!(fails(&through([PurchaseEvent::Accepted(order())]), &owed));
    let refunded = owed.clone().apply(PurchaseEvent::RefundBooked { amount: owed.cost() }, at(2)).unwrap();
    assert!(!fails(&owed, &refunded));
    let reversed = PurchaseEvent::TradeReversed { rollback_trade_id: text("trade-9") };
    assert!(fails(&traded_purchase(), &traded_purchase().apply(reversed, at(2)).unwrap()));
}

#[test]
fn a_day_stops_a_contract_once_its_losses_less_its_profits_come_to_the_limit() {
    let limit = cents(1_000);
    assert_eq!(stops_by_loss(limit, 0, -999), None);
    assert_eq!(stops_by_loss(limit, 0, -1_000), Some(limit));
    assert_eq!(stops_by_loss(limit, -900, -100), Some(limit));
    assert_eq!(stops_by_loss(limit, 500, -1_499), None);
    assert_eq!(stops_by_loss(limit, 500, -1_500), Some(limit));
    assert_eq!(stops_by_loss(limit, -5_000, -1), Some(cents(5_001)));
    assert_eq!(stops_by_loss(limit, i64::MIN, -1), Some(Cents::MAX));
}

#[test]
fn only_a_step_that_loses_is_held_against_the_limit_of_a_contract_that_buys() {
    let drafted = |terms| Contract::draft(draft(terms), at(0)).unwrap();
    let limited = |limit| drafted(Terms::Buying(BuyingTerms { max_daily_loss: limit, ..buying() }));
    let limit = Some(cents(1_000));
    assert_eq!([-1, 0, 1].map(|earned| limited(limit).loss_limit(earned)), [limit, None, None]);
    assert_eq!(limited(None).loss_limit(-1), None);
    assert_eq!(drafted(Terms::Selling(selling())).loss_limit(-1), None);
}

/// An active contract that lets prices be a minute old.
fn by_values(terms: Terms, sources: &[&str]) -> Contract {
    let sources = sources.iter().map(|source| text(source)).collect();
    let reference = PriceReference { sources, max_age_seconds: 60, ..PriceReference::default() };
    let drafted = ContractDraft { price_reference: Some(reference), ..draft(terms) };
    Contract::draft(drafted, at(0)).unwrap().activate(at(0)).unwrap()
}

fn said<const SOURCES: usize>(seconds: [(&str, i64); SOURCES]) -> BTreeMap<Marketplace, Timestamp> {
    seconds.into_iter().map(|(source, seconds)| (text(source), at(seconds))).collect()
}

#[test]
fn a_contract_that_buys_by_values_stops_while_fewer_sources_than_make_one_say_anything() {
    assert_eq!(LEAST_SOURCES, 2, "two of those below");
    let contract = by_values(Terms::Buying(buying()), &[]);
    assert_eq!(contract.due_for_prices(&said([("index", 1_000), ("sim", 1_120)]), at(1_120)), None);
    let old = said([("index", 1_000), ("sim", 1_121)]);
    let event = contract.due_for_prices(&old, at(1_121)).unwrap();
    let stopped = contract.apply(event, at(1_121)).unwrap();
    assert_eq!(
        (stopped.status, stopped.suspended_for()),
        (ContractStatus::Suspended, Some(SuspensionCause::PriceSourceStale))
    );
    assert_eq!(stopped.due_for_prices(&old, at(1_121)), None);
    assert_eq!(stopped.due_for_prices(&said([("index", 1_100), ("sim", 1_161)]), at(1_161)), None, "not fresh yet");
    let fresh = said([("index", 1_101), ("sim", 1_161)]);
    assert_eq!(stopped.due_for_prices(&fresh, at(1_161)), Some(ContractEvent::Resumed));
}

#[test]
fn a_contract_is_stopped_for_no_prices_that_it_does_not_go_by() {
    let old = said([("index", 0), ("other", 0), ("sim", 0)]);
    let now = at(100_000);
    assert!(by_values(Terms::Buying(buying()), &["index", "sim"]).due_for_prices(&old, now).is_some());
    assert_eq!(by_values(Terms::Buying(buying()), &["index", "elsewhere"]).due_for_prices(&old, now), None);
    assert_eq!(by_values(Terms::Selling(selling()), &[]).due_for_prices(&old, now), None);
    let plain = Contract::draft(draft(Terms::Buying(buying())), at(0)).unwrap().activate(at(0)).unwrap();
    assert_eq!(plain.due_for_prices(&old, now), None);
    let margin = BuyingTerms { min_discount: Some(BasisPoints::default()), ..buying() };
    let margin = Contract::draft(draft(Terms::Buying(margin)), at(0)).unwrap().activate(at(0)).unwrap();
    assert!(margin.due_for_prices(&old, now).is_some());
    let halted = by_values(Terms::Buying(buying()), &[]);
    let halted = halted.apply(ContractEvent::Suspended { cause: text("TRADING_HALTED") }, at(1)).unwrap();
    assert_eq!(halted.due_for_prices(&said([("index", 100_000), ("sim", 100_000)]), now), None);
}
