//! The life of a purchase.

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;
use proptest::sample::select;

use tradepost_domain::contracts::ledger::posting::of_purchase;
use tradepost_domain::contracts::ledger::{Account, Balanced, Posting};
use tradepost_domain::contracts::purchase::{
    Absence, BalancesRead, CancelCause, FailureCode, ListingOutcome, Order, OrderOrigin, Purchase, PurchaseError,
    PurchaseEvent, PurchaseParts, PurchaseStatus, PurchaseTerms, TermsError,
};
use tradepost_domain::money::{Cents, SignedCents};

use crate::given::{at, cents, order, purchase_terms, text, traded_purchase};

fn pending() -> Purchase {
    Purchase::record(purchase_terms(3), at(0)).unwrap()
}

fn absence() -> Absence {
    let listing = ListingOutcome::SoldToAnother;
    Absence { first_lookup_at: at(100), last_lookup_at: at(160), listing, charge_excluded: true, balances: None }
}

/// One event of each kind, each with evidence that holds.
fn events() -> Vec<PurchaseEvent> {
    vec![
        PurchaseEvent::Submitted { listing_price: cents(1_000) },
        PurchaseEvent::Cancelled(CancelCause::Withdrawn),
        PurchaseEvent::Cancelled(CancelCause::Expired),
        PurchaseEvent::Cancelled(CancelCause::CheckFailed),
        PurchaseEvent::Accepted(order()),
        PurchaseEvent::Refused(FailureCode::SoldAlready),
        PurchaseEvent::OutcomeLost,
        PurchaseEvent::OrderFound(order()),
        PurchaseEvent::OrderAbsent(absence()),
        PurchaseEvent::OfferSeen { trade_offer_id: text("offer-1"), asks_for_ours: false },
        PurchaseEvent::OfferLost,
        PurchaseEvent::DeliveryFailed(FailureCode::SellerLate),
        PurchaseEvent::TradeHeld { trade_id: text("trade-1"), held_until: at(500) },
        PurchaseEvent::HoldRolledBack,
        PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: at(1_000) },
        PurchaseEvent::ProtectionEnded,
        PurchaseEvent::TradeReversed { rollback_trade_id: text("trade-2") },
        PurchaseEvent::RefundBooked { amount: cents(1_040) },
        PurchaseEvent::RefundAdded { total: cents(1_050) },
        PurchaseEvent::WrittenOff,
    ]
}

fn any_event() -> impl Strategy<Value = PurchaseEvent> {
    let dubious = vec![
        PurchaseEvent::Submitted { listing_price: cents(1_151) },
        PurchaseEvent::Accepted(Order { id: text("order-2"), executed_price: cents(1_300), fee: cents(50) }),
        PurchaseEvent::OrderFound(Order { id: text("order-3"), executed_price: Cents::MAX, fee: cents(50) }),
        PurchaseEvent::OrderAbsent(Absence { last_lookup_at: at(159), ..absence() }),
        PurchaseEvent::OfferSeen { trade_offer_id: text("offer-2"), asks_for_ours: true },
        PurchaseEvent::ItemReceived { trade_id: text("trade-3"), protected_until: at(0) },
        PurchaseEvent::RefundBooked { amount: Cents::ZERO },
        PurchaseEvent::RefundBooked { amount: cents(1) },
        PurchaseEvent::RefundAdded { total: cents(1_039) },
        PurchaseEvent::RefundAdded { total: Cents::MAX },
    ];
    select([events(), dubious].concat())
}

/// Every step that can be taken from a new purchase, as `FROM event TO`.
fn steps_taken() -> BTreeSet<String> {
    let (mut steps, mut seen) = (BTreeSet::new(), BTreeSet::from([PurchaseStatus::Pending]));
    let mut open = VecDeque::from([pending()]);
    while let Some(purchase) = open.pop_front() {
        for event in events() {
            let name = event.name();
            let Ok(after) = purchase.clone().apply(event, at(10_000)) else { continue };
            assert!(Purchase::restore(after.clone().into_parts()).is_ok(), "{name}: {after:?}");
            steps.insert(format!("{} {name} {}", purchase.status, after.status));
            if seen.insert(after.status) {
                open.push_back(after);
            }
        }
    }
    steps
}

#[test]
fn the_steps_are_exactly_those_of_the_design() {
    let expected = [
        "PENDING submitted SUBMITTED",
        "PENDING withdrawn CANCELLED",
        "PENDING expired CANCELLED",
        "PENDING check_failed CANCELLED",
        "SUBMITTED accepted PAID",
        "SUBMITTED refused FAILED",
        "SUBMITTED outcome_lost UNCERTAIN",
        "UNCERTAIN order_found PAID",
        "UNCERTAIN order_absent FAILED",
        "FAILED order_found PAID",
        "PAID offer_seen OFFERED",
        "PAID delivery_failed REFUND_PENDING",
        "PAID trade_held TRADE_HELD",
        "PAID item_received TRADED",
        "PAID refund_booked REFUNDED",
        "PAID written_off WRITTEN_OFF",
        "OFFERED offer_lost PAID",
        "OFFERED delivery_failed REFUND_PENDING",
        "OFFERED trade_held TRADE_HELD",
        "OFFERED item_received TRADED",
        "OFFERED refund_booked REFUNDED",
        "OFFERED written_off WRITTEN_OFF",
        "TRADE_HELD hold_rolled_back REFUND_PENDING",
        "TRADE_HELD item_received TRADED",
        "TRADE_HELD refund_booked REFUNDED",
        "TRADE_HELD written_off WRITTEN_OFF",
        "TRADED protection_ended SETTLED",
        "TRADED trade_reversed REVERTED",
        "REFUND_PENDING refund_booked REFUNDED",
        "REFUND_PENDING written_off WRITTEN_OFF",
        "REFUND_PENDING item_received TRADED",
        "REFUNDED refund_added REFUNDED",
        "REVERTED refund_booked REFUNDED",
        "REVERTED written_off WRITTEN_OFF",
    ];
    assert_eq!(steps_taken(), expected.map(str::to_owned).into());
}

#[test]
fn every_state_can_be_reached() {
    let steps = steps_taken();
    let reached: BTreeSet<_> = steps.iter().filter_map(|step| step.split(' ').next_back()).collect();
    let all_but_the_first = PurchaseStatus::ALL.iter().filter(|status| **status != PurchaseStatus::Pending);
    assert_eq!(reached, all_but_the_first.map(|status| status.as_str()).collect());
}

#[test]
fn price_and_fee_must_fit_the_maximum() {
    let with = |listing_price, max_buy_price| {
        let terms = PurchaseTerms { listing_price, max_buy_price, ..purchase_terms(3) };
        Purchase::record(terms, at(0)).map(drop)
    };
    assert_eq!(with(cents(1_000), cents(1_050)), Ok(()));
    let (all_in, max_buy_price) = (cents(1_050), cents(1_049));
    assert_eq!(with(cents(1_000), cents(1_049)), Err(TermsError::AboveMaximum { all_in, max_buy_price }));
    assert_eq!(with(Cents::ZERO, cents(1_050)), Err(TermsError::FreeListing));
}

#[test]
fn a_price_that_rose_above_the_maximum_is_never_sent() {
    let refused = pending().apply(PurchaseEvent::Submitted { listing_price: cents(1_151) }, at(1));
    let (price, max_buy_price) = (cents(1_201), cents(1_200));
    assert_eq!(refused, Err(PurchaseError::TooExpensive { price, max_buy_price }));
}

#[test]
fn an_unknown_outcome_keeps_its_reservation_until_absence_is_proven() {
    let submitted = pending().apply(PurchaseEvent::Submitted { listing_price: cents(1_000) }, at(1)).unwrap();
    let uncertain = submitted.apply(PurchaseEvent::OutcomeLost, at(2)).unwrap();
    let guesses = [
        Absence { last_lookup_at: at(159), ..absence() },
        Absence { listing: ListingOutcome::Unexplained, ..absence() },
        Absence { charge_excluded: false, ..absence() },
    ];
    for guess in guesses {
        let refused = uncertain.clone().apply(PurchaseEvent::OrderAbsent(guess), at(200));
        assert!(matches!(refused, Err(PurchaseError::AbsenceNotProven { .. })), "{refused:?}");
    }
    let shown = [
        ListingOutcome::NotSold,
        ListingOutcome::SoldToAnother,
        ListingOutcome::SoldByOrder(text("order-9")),
        ListingOutcome::Stated,
    ];
    for listing in shown {
        let absent = PurchaseEvent::OrderAbsent(Absence { listing, ..absence() });
        let failed = uncertain.clone().apply(absent, at(200)).unwrap();
        assert_eq!(failed.progress.failure_code, Some(FailureCode::NotPlaced));
        assert!(!failed.holds_reservation());
    }
}

#[test]
fn an_order_that_turns_up_is_paid_from_what_is_available() {
    let submitted = pending().apply(PurchaseEvent::Submitted { listing_price: cents(1_000) }, at(1)).unwrap();
    let failed = submitted.apply(PurchaseEvent::Refused(FailureCode::Other), at(2)).unwrap();
    let paid = failed.clone().apply(PurchaseEvent::OrderFound(order()), at(3)).unwrap();
    assert_eq!((paid.status, paid.progress.failure_code), (PurchaseStatus::Paid, None));
    let booked = of_purchase(Some(&failed), &paid).unwrap().unwrap();
    let amount = SignedCents::from(cents(1_040));
    let expected = Balanced::moved(Account::Available, Account::PaidInTransit, amount).unwrap();
    assert_eq!((booked.posting, booked.amounts), (Posting::Paid, expected));
}

/// The live purchase of a listing, and an ended one, with and without its item.
fn of_one_listing() -> [Purchase; 3] {
    let accepted = PurchaseEvent::Accepted(order());
    let sent = PurchaseEvent::Submitted { listing_price: cents(1_000) };
    let failed = PurchaseEvent::DeliveryFailed(FailureCode::SellerLate);
    let refunded = PurchaseEvent::RefundBooked { amount: cents(1_040) };
    let other = Purchase::record(purchase_terms(9), at(0)).unwrap();
    let after = |events: Vec<PurchaseEvent>| {
        events.into_iter().fold(other.clone(), |purchase, event| purchase.apply(event, at(1)).unwrap())
    };
    let received = PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: at(1) };
    let with_item =
        after(vec![sent.clone(), accepted.clone(), received]).apply(PurchaseEvent::ProtectionEnded, at(9_999));
    let without_item = after(vec![sent, accepted, failed, refunded]);
    [pending(), with_item.unwrap(), without_item]
}

#[test]
fn an_order_without_another_holder_belongs_to_the_purchase_unless_its_key_is_another() {
    let purchase = pending();
    let own = purchase.terms.order_key();
    assert_eq!(OrderOrigin::of(&purchase, None, None), OrderOrigin::Own);
    assert_eq!(OrderOrigin::of(&purchase, Some(&own), None), OrderOrigin::Own);
    assert_eq!(OrderOrigin::of(&purchase, Some(&own), Some(&purchase)), OrderOrigin::Own);
    assert_eq!(OrderOrigin::of(&purchase, Some(&text("key-of-another-workspace")), None), OrderOrigin::Another);
}

#[test]
fn another_purchase_that_took_the_listing_explains_its_order_and_one_without_its_item_does_not() {
    let [purchase, with_item, without_item] = of_one_listing();
    assert_eq!(OrderOrigin::of(&purchase, None, Some(&with_item)), OrderOrigin::Another);
    let key = with_item.terms.order_key();
    assert_eq!(OrderOrigin::of(&purchase, Some(&key), Some(&with_item)), OrderOrigin::Another);
    assert_eq!(OrderOrigin::of(&purchase, None, Some(&without_item)), OrderOrigin::Unclear, "it may be on sale again");
    let own = purchase.terms.order_key();
    assert_eq!(OrderOrigin::of(&purchase, Some(&own), Some(&with_item)), OrderOrigin::Unclear, "the records differ");
}

#[test]
fn the_order_of_another_listing_explains_nothing() {
    let [purchase, with_item, _] = of_one_listing();
    for (marketplace, listing_id) in [("elsewhere", "listing-1"), ("sim", "another")] {
        let mut parts = with_item.clone().into_parts();
        (parts.terms.marketplace, parts.terms.listing_id) = (text(marketplace), text(listing_id));
        let holder = Purchase::restore(parts).unwrap();
        assert_eq!(OrderOrigin::of(&purchase, None, Some(&holder)), OrderOrigin::Unclear);
    }
}

#[test]
fn a_balance_is_lower_only_below_the_one_before_the_call() {
    let is_lower = |before, last| BalancesRead { before, last }.is_lower();
    assert!(is_lower(Some(100), 99));
    assert!(!is_lower(Some(100), 100));
    assert!(!is_lower(Some(100), 101));
    assert!(!is_lower(None, 0), "the call was another process's");
}

#[test]
fn evidence_of_absence_is_put_into_words() {
    let balances = Some(BalancesRead { before: Some(100_000), last: 100_005 });
    let listing = ListingOutcome::SoldByOrder(text("order-9"));
    let seen = Absence { listing, balances, ..absence() };
    let (first, last) = (at(100), at(160));
    assert_eq!(
        PurchaseEvent::OrderAbsent(seen.clone()).in_words().unwrap().as_str(),
        format!(
            "no order at {first} and {last}; listing sold to us by order order-9 of another purchase; \
             balance 100.000 before the call, 100.005 after the last look-up"
        )
    );
    let elsewhere = Absence { balances: Some(BalancesRead { before: None, last: 7 }), ..seen };
    assert!(elsewhere.to_string().ends_with("balance 0.007 after the last look-up, unknown before the call"));
    let longest = ListingOutcome::SoldByOrder(text(&"9".repeat(128)));
    let balances = Some(BalancesRead { before: Some(u64::MAX), last: u64::MAX });
    assert!(Absence { listing: longest, balances, ..absence() }.in_words().is_some(), "it fits into the log");
    assert_eq!(PurchaseEvent::OutcomeLost.in_words(), None);
}

#[test]
fn a_trade_settles_an_hour_after_its_protection() {
    let earliest = at(1_000 + 3_600);
    let early = traded_purchase().apply(PurchaseEvent::ProtectionEnded, at(1_000 + 3_599));
    assert_eq!(early, Err(PurchaseError::TooEarly { earliest }));
    assert!(traded_purchase().apply(PurchaseEvent::ProtectionEnded, earliest).is_ok());
}

#[test]
fn an_offer_that_asks_for_our_items_is_no_delivery() {
    let paid = [PurchaseEvent::Submitted { listing_price: cents(1_000) }, PurchaseEvent::Accepted(order())]
        .into_iter()
        .fold(pending(), |purchase, event| purchase.apply(event, at(1)).unwrap());
    let offer = PurchaseEvent::OfferSeen { trade_offer_id: text("offer-1"), asks_for_ours: true };
    assert_eq!(paid.apply(offer, at(2)), Err(PurchaseError::OfferAsksForOurs));
}

#[test]
fn a_refused_step_names_the_state_and_the_event() {
    let refused = pending().apply(PurchaseEvent::OfferLost, at(1)).map_err(|error| error.to_string());
    assert_eq!(refused, Err("a purchase that is PENDING cannot be offer_lost".to_owned()));
}

#[test]
fn a_trade_seen_before_is_a_repeat() {
    let again = PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: at(1_000) };
    let other = PurchaseEvent::ItemReceived { trade_id: text("trade-9"), protected_until: at(1_000) };
    assert!(traded_purchase().has_seen(&again));
    assert!(!traded_purchase().has_seen(&other));
}

/// A purchase that was paid and took these steps.
fn paid_and(steps: impl IntoIterator<Item = PurchaseEvent>) -> Purchase {
    let paid = [PurchaseEvent::Submitted { listing_price: cents(1_000) }, PurchaseEvent::Accepted(order())];
    paid.into_iter().chain(steps).fold(pending(), |purchase, event| purchase.apply(event, at(1)).unwrap())
}

fn trade_held(trade: &str, held_until: i64) -> PurchaseEvent {
    PurchaseEvent::TradeHeld { trade_id: text(trade), held_until: at(held_until) }
}

#[test]
fn an_event_is_a_repeat_on_the_same_evidence_alone() {
    let offer = |offer| PurchaseEvent::OfferSeen { trade_offer_id: text(offer), asks_for_ours: false };
    let another = Order { id: text("order-9"), ..order() };
    let received = PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: at(1_000) };
    let (paid, held) = (paid_and([]), paid_and([trade_held("trade-1", 500)]));
    let offered = paid_and([offer("offer-1")]);
    for (purchase, event, expected) in [
        (&paid, PurchaseEvent::Accepted(order()), true),
        (&paid, PurchaseEvent::OrderFound(order()), true),
        (&paid, PurchaseEvent::Accepted(another.clone()), false),
        (&paid, PurchaseEvent::OrderFound(another), false),
        (&offered, offer("offer-1"), true),
        (&offered, offer("offer-9"), false),
        (&held, trade_held("trade-1", 500), true),
        (&held, trade_held("trade-9", 500), false),
        (&held, trade_held("trade-1", 501), false),
        (&held, received, false),
    ] {
        assert_eq!(purchase.has_seen(&event), expected, "{event:?}");
    }
}

#[test]
fn a_held_trade_delivers_itself_and_a_late_delivery_may_be_another_trade() {
    let received = |trade| PurchaseEvent::ItemReceived { trade_id: text(trade), protected_until: at(1_000) };
    let held = paid_and([trade_held("trade-1", 500)]);
    let refused = PurchaseError::OtherTrade { held: text("trade-1"), given: text("trade-9") };
    assert_eq!(held.clone().apply(received("trade-9"), at(2)), Err(refused));
    assert_eq!(held.apply(received("trade-1"), at(2)).map(|after| after.status), Ok(PurchaseStatus::Traded));
    let rolled_back = paid_and([trade_held("trade-1", 500), PurchaseEvent::HoldRolledBack]);
    let late = rolled_back.apply(received("trade-9"), at(2)).unwrap();
    assert_eq!((late.status, late.progress.trade_id.clone()), (PurchaseStatus::Traded, Some(text("trade-9"))));
}

#[test]
fn what_a_person_ends_before_it_was_delivered_has_failed_for_a_reason_that_nobody_names() {
    let held = [
        PurchaseEvent::Submitted { listing_price: cents(1_000) },
        PurchaseEvent::Accepted(order()),
        PurchaseEvent::TradeHeld { trade_id: text("trade-1"), held_until: at(500) },
    ];
    let held = held.into_iter().fold(pending(), |purchase, event| purchase.apply(event, at(1)).unwrap());
    for event in [PurchaseEvent::RefundBooked { amount: cents(1_040) }, PurchaseEvent::WrittenOff] {
        assert_eq!(held.clone().apply(event, at(2)).unwrap().progress.failure_code, Some(FailureCode::Other));
    }
    let rolled_back = held.apply(PurchaseEvent::HoldRolledBack, at(2)).unwrap();
    let given_up = rolled_back.apply(PurchaseEvent::WrittenOff, at(3)).unwrap();
    assert_eq!(given_up.progress.failure_code, Some(FailureCode::EscrowRolledBack));
}

#[test]
fn a_refund_grows_by_what_comes_back_later_and_no_part_counts_twice() {
    let owed = [
        PurchaseEvent::Submitted { listing_price: cents(1_000) },
        PurchaseEvent::Accepted(order()),
        PurchaseEvent::DeliveryFailed(FailureCode::SellerLate),
        PurchaseEvent::RefundBooked { amount: cents(400) },
    ];
    let refunded = owed.into_iter().fold(pending(), |purchase, event| purchase.apply(event, at(1)).unwrap());
    assert_eq!((refunded.unrefunded(), refunded.counter_delta().spent), (cents(640), cents(640)));
    let more = PurchaseEvent::RefundAdded { total: cents(1_040) };
    assert!(!refunded.has_seen(&more));
    let whole = refunded.clone().apply(more.clone(), at(2)).unwrap();
    assert_eq!((whole.status, whole.unrefunded()), (PurchaseStatus::Refunded, Cents::ZERO));
    let booked = of_purchase(Some(&refunded), &whole).unwrap().unwrap();
    let amount = SignedCents::from(cents(640));
    let found = Balanced::moved(Account::WriteOffs, Account::Available, amount).unwrap();
    assert_eq!((booked.posting, booked.amounts), (Posting::Refunded, found));
    assert!(whole.has_seen(&more));
    assert_eq!(whole.apply(more, at(3)), Err(PurchaseError::EmptyRefund));
    let again = refunded.apply(PurchaseEvent::RefundBooked { amount: cents(400) }, at(3));
    let (from, event) = (PurchaseStatus::Refunded, "refund_booked");
    assert_eq!(again, Err(PurchaseError::IllegalStep { from, event }));
}

#[test]
fn the_fee_is_the_expected_one_until_another_is_charged() {
    assert_eq!(pending().platform_fee(), cents(50));
    let charged = Order { id: text("order-1"), executed_price: cents(990), fee: cents(49) };
    let submitted = pending().apply(PurchaseEvent::Submitted { listing_price: cents(1_000) }, at(1)).unwrap();
    let paid = submitted.clone().apply(PurchaseEvent::Accepted(charged), at(1)).unwrap();
    assert_eq!(
        (submitted.platform_fee(), paid.platform_fee(), paid.terms.platform_fee),
        (cents(50), cents(49), cents(50))
    );
    let booked = of_purchase(Some(&submitted), &paid).unwrap().unwrap();
    let charged = cents(990).plus(paid.platform_fee()).unwrap();
    assert_eq!(booked.amounts.of(Account::PaidInTransit), charged.into());
}

#[test]
fn a_stored_purchase_that_contradicts_itself_is_corrupt() {
    let parts = traded_purchase().into_parts();
    let no_trade = PurchaseParts {
        progress: tradepost_domain::contracts::purchase::Progress { trade_id: None, ..parts.progress.clone() },
        ..parts.clone()
    };
    let wrong_status = PurchaseParts { status: PurchaseStatus::Pending, ..parts.clone() };
    assert!(Purchase::restore(parts).is_ok());
    for corrupt in [no_trade, wrong_status] {
        assert!(Purchase::restore(corrupt.clone()).is_err(), "{corrupt:?}");
    }
}

proptest! {
    #[test]
    fn whatever_happens_a_purchase_keeps_every_rule(
        life in prop::collection::vec((any_event(), -100..3_000_i64), 0..60),
    ) {
        let mut purchase = pending();
        let (mut now, mut was_traded) = (0, false);
        for (event, seconds) in life {
            now += seconds;
            let Ok(after) = purchase.clone().apply(event, at(now)) else { continue };
            let stays = after.status == purchase.status;
            let turns_up = (purchase.status, after.status) == (PurchaseStatus::Failed, PurchaseStatus::Paid);
            let is_legal = purchase.is_live() || stays || turns_up;
            prop_assert!(is_legal, "{} is final, yet became {}", purchase.status, after.status);
            prop_assert!(after.progress.refunded >= purchase.progress.refunded, "no refund is taken back");
            prop_assert_eq!(&after.terms, &purchase.terms);
            prop_assert_eq!(after.created_at, purchase.created_at);
            prop_assert_eq!(after.updated_at, at(now).max(purchase.updated_at));
            was_traded |= after.status == PurchaseStatus::Traded;
            prop_assert_eq!(after.was_traded(), was_traded);
            let reserved = matches!(after.status.as_str(), "PENDING" | "SUBMITTED" | "UNCERTAIN");
            prop_assert_eq!(after.holds_reservation(), reserved);
            prop_assert_eq!(after.counter_delta().reserved, if reserved { cents(1_200) } else { Cents::ZERO });
            prop_assert_eq!(Purchase::restore(after.clone().into_parts()), Ok(after.clone()));
            purchase = after;
        }
    }
}

#[test]
fn a_listing_may_cost_with_its_fee_exactly_what_was_allowed() {
    let submitted = |price| {
        let pending = Purchase::record(purchase_terms(3), at(0)).unwrap();
        pending.apply(PurchaseEvent::Submitted { listing_price: cents(price) }, at(1)).is_ok()
    };
    assert_eq!([submitted(1_150), submitted(1_151)], [true, false]);
}
