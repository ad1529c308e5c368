//! The life of a contract, and its counters.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use tradepost_domain::contracts::contract::{
    AdmissionError, ApprovalMode, BasisPoints, BuyingTerms, ChangeError, ClosingReason, Contract, ContractChange,
    ContractDraft, ContractError, ContractEvent, ContractParts, ContractStatus, Counters, DraftError, LimitError,
    PriceReference, PriceStatistic, Replaced, SellingTerms, SuspensionCause, Terms,
};
use tradepost_domain::contracts::evaluation::Activity;
use tradepost_domain::contracts::purchase::{CancelCause, FailureCode, Order, Purchase, PurchaseEvent, PurchaseStatus};
use tradepost_domain::money::Cents;

use crate::given::{BUDGET, TARGET, at, buying, cents, draft, id, order, purchase_terms, selling, text};

fn drafted(terms: Terms) -> Contract {
    Contract::draft(draft(terms), at(0)).unwrap()
}

fn active() -> Contract {
    drafted(Terms::Buying(buying())).activate(at(0)).unwrap()
}

fn purchase(number: u8) -> Purchase {
    Purchase::record(purchase_terms(number), at(0)).unwrap()
}

fn any_contract_event() -> impl Strategy<Value = ContractEvent> {
    let closings = ClosingReason::ALL.iter().map(|reason| ContractEvent::Closed(*reason));
    let others = [
        ContractEvent::Activated,
        ContractEvent::Paused { reason: Some(text("looking into it")) },
        ContractEvent::Resumed,
        ContractEvent::Suspended { cause: text("prices are stale") },
        ContractEvent::Finished,
        ContractEvent::Reopened,
    ];
    select(closings.chain(others).collect::<Vec<_>>())
}

fn any_purchase_event() -> impl Strategy<Value = PurchaseEvent> {
    select(vec![
        PurchaseEvent::Submitted { listing_price: cents(1_000) },
        PurchaseEvent::Cancelled(CancelCause::Withdrawn),
        PurchaseEvent::Accepted(order()),
        PurchaseEvent::OutcomeLost,
        PurchaseEvent::OrderFound(Order { id: text("order-2"), executed_price: cents(1_150), fee: cents(50) }),
        PurchaseEvent::Refused(FailureCode::SoldAlready),
        PurchaseEvent::DeliveryFailed(FailureCode::SellerLate),
        PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: at(0) },
        PurchaseEvent::TradeReversed { rollback_trade_id: text("trade-2") },
        PurchaseEvent::RefundBooked { amount: cents(500) },
        PurchaseEvent::RefundAdded { total: cents(900) },
        PurchaseEvent::WrittenOff,
    ])
}

#[test]
fn a_draft_is_activated_once() {
    let again = active().activate(at(1));
    let (from, event) = (ContractStatus::Active, "activated");
    assert_eq!(again, Err(ContractError::IllegalStep { from, event }));
}

#[test]
fn a_draft_with_senseless_limits_is_not_activated() {
    let buying = Terms::Buying(BuyingTerms { target_quantity: 0, ..buying() });
    let selling = Terms::Selling(SellingTerms { floor_price: Cents::ZERO, ..selling() });
    let refused = |terms| drafted(terms).activate(at(1)).map(drop);
    assert_eq!(refused(buying), Err(ContractError::Limits(LimitError::Zero("target quantity"))));
    assert_eq!(refused(selling), Err(ContractError::Limits(LimitError::Zero("floor price"))));
}

#[test]
fn a_draft_whose_time_is_over_is_not_activated() {
    let late = drafted(Terms::Selling(selling())).activate(at(10_000));
    assert_eq!(late, Err(ContractError::Ended { ends_at: at(10_000) }));
}

#[test]
fn a_contract_ends_after_it_starts_and_names_nothing_twice() {
    let refused = |draft| Contract::draft(draft, at(0)).map(drop);
    let backwards = ContractDraft { starts_at: Some(at(10_000)), ..draft(Terms::Selling(selling())) };
    assert_eq!(refused(backwards), Err(DraftError::EndsBeforeStart));
    let twice = ContractDraft { marketplaces: vec![text("sim"), text("sim")], ..draft(Terms::Selling(selling())) };
    assert_eq!(refused(twice), Err(DraftError::MarketplaceTwice(text("sim"))));
    let reference = PriceReference {
        sources: vec![text("sim"), text("sim")],
        statistic: PriceStatistic::Median,
        max_age_seconds: 600,
        min_confidence: BasisPoints::default(),
    };
    let twice = ContractDraft { price_reference: Some(reference), ..draft(Terms::Selling(selling())) };
    assert_eq!(refused(twice), Err(DraftError::SourceTwice(text("sim"))));
}

#[test]
fn a_stopped_contract_says_why_and_works_again_when_resumed() {
    let stops = [
        (ContractEvent::Paused { reason: Some(text("holiday")) }, ContractStatus::Paused),
        (ContractEvent::Suspended { cause: text("holiday") }, ContractStatus::Suspended),
    ];
    for (stop, status) in stops {
        let stopped = active().apply(stop, at(1)).unwrap();
        assert_eq!((stopped.status, &stopped.status_reason), (status, &Some(text("holiday"))));
        let resumed = stopped.apply(ContractEvent::Resumed, at(2)).unwrap();
        assert_eq!((resumed.status, &resumed.status_reason), (ContractStatus::Active, &None));
    }
}

#[test]
fn only_what_was_suspended_for_a_cause_that_is_over_works_again_by_itself() {
    let led = |contract: &Contract, cause| {
        let event = contract.due_for(cause);
        event.map(|event| contract.clone().apply(event, at(1)).unwrap())
    };
    for cause in SuspensionCause::ALL.iter().copied() {
        let stopped = led(&active(), Some(cause)).unwrap();
        assert_eq!((stopped.status, stopped.suspended_for()), (ContractStatus::Suspended, Some(cause)));
        assert_eq!(stopped.due_for(Some(cause)), None);
        let again = led(&stopped, None).map(|again| (again.status, again.status_reason.clone()));
        let is_halt = cause.problem().is_none();
        assert_eq!(again, is_halt.then_some((ContractStatus::Active, None)), "{cause}");
        let paused = stopped.clone().apply(ContractEvent::Paused { reason: None }, at(1)).unwrap();
        assert_eq!((paused.due_for(None), paused.suspended_for()), (None, None));
        assert_eq!(stopped.may_send(), cause == SuspensionCause::PoolPaused, "a pool has given its money before");
        assert_eq!(
            stopped.admit(&purchase_terms(1), Activity::default(), at(1)),
            Err(AdmissionError::NotActive(ContractStatus::Suspended))
        );
        assert_eq!(drafted(Terms::Selling(selling())).activate(at(0)).unwrap().due_for(Some(cause)), None);
    }
    let otherwise = active().apply(ContractEvent::Suspended { cause: text("prices are stale") }, at(1)).unwrap();
    assert_eq!((otherwise.suspended_for(), otherwise.due_for(None)), (None, None));
}

#[test]
fn a_full_contract_completes_when_nothing_is_open() {
    let mut contract = active();
    let mut purchases: Vec<_> = (0..3).map(|number| purchase(10 + number)).collect();
    for purchase in &purchases {
        contract = contract.count(None, purchase, at(1)).unwrap();
    }
    contract = contract.apply(ContractEvent::Closed(ClosingReason::QuantityReached), at(2)).unwrap();
    let still_open = contract.clone().apply(ContractEvent::Finished, at(3));
    assert_eq!(still_open, Err(ContractError::StillOpen { open_quantity: 3 }));
    for before in &mut purchases {
        let after = received(before.clone());
        contract = contract.count(Some(before), &after, at(4)).unwrap();
    }
    let completed = contract.apply(ContractEvent::Finished, at(5)).unwrap();
    assert_eq!((completed.status, completed.counters.filled_quantity), (ContractStatus::Completed, 3));
}

fn received(purchase: Purchase) -> Purchase {
    let steps = [
        PurchaseEvent::Submitted { listing_price: cents(1_000) },
        PurchaseEvent::Accepted(order()),
        PurchaseEvent::ItemReceived { trade_id: text("trade-1"), protected_until: at(0) },
    ];
    steps.into_iter().fold(purchase, |purchase, event| purchase.apply(event, at(3)).unwrap())
}

#[test]
fn a_full_contract_reopens_when_a_purchase_fails() {
    let mut contract = active();
    for number in 0..3 {
        contract = contract.count(None, &purchase(10 + number), at(1)).unwrap();
    }
    contract = contract.apply(ContractEvent::Closed(ClosingReason::QuantityReached), at(2)).unwrap();
    let no_room = contract.clone().apply(ContractEvent::Reopened, at(3));
    assert_eq!(no_room, Err(ContractError::NoRoom("target quantity")));
    let failed = purchase(10).apply(PurchaseEvent::Cancelled(CancelCause::Withdrawn), at(4)).unwrap();
    contract = contract.count(Some(&purchase(10)), &failed, at(4)).unwrap();
    let reopened = contract.apply(ContractEvent::Reopened, at(5)).unwrap();
    assert_eq!((reopened.status, reopened.closing_reason), (ContractStatus::Active, None));
}

#[test]
fn what_was_cancelled_or_is_over_does_not_reopen() {
    for (reason, now) in [(ClosingReason::Cancelled, 1), (ClosingReason::Ended, 10_000)] {
        let closing = active().apply(ContractEvent::Closed(reason), at(now)).unwrap();
        let (from, event) = (ContractStatus::Closing, "reopened");
        assert_eq!(closing.apply(ContractEvent::Reopened, at(2)), Err(ContractError::IllegalStep { from, event }));
    }
}

#[test]
fn a_contract_ends_at_its_end_and_not_before() {
    let ended = |now| active().apply(ContractEvent::Closed(ClosingReason::Ended), at(now)).map(drop);
    assert_eq!(ended(9_999), Err(ContractError::NotEnded));
    assert_eq!(ended(10_000), Ok(()));
}

#[test]
fn a_contract_whose_budget_is_used_closes_for_it() {
    let terms = Terms::Buying(BuyingTerms { budget: cents(1_200), ..buying() });
    let contract = drafted(terms).activate(at(0)).unwrap().count(None, &purchase(10), at(1)).unwrap();
    let closes = ContractEvent::Closed(ClosingReason::BudgetUsed);
    assert_eq!(contract.due(at(2)), Some(closes.clone()));
    let closing = contract.apply(closes, at(2)).unwrap();
    assert_eq!(closing.apply(ContractEvent::Reopened, at(3)), Err(ContractError::NoRoom("budget")));
}

#[test]
fn a_stopped_contract_that_is_full_closes_only_when_it_ends_at_once() {
    let pause = ContractEvent::Paused { reason: None };
    let full = (0..2).fold(active(), |contract, number| contract.count(None, &purchase(10 + number), at(1)).unwrap());
    let terms = Some(Terms::Buying(BuyingTerms { target_quantity: 2, ..buying() }));
    let change = ContractChange { terms, ..ContractChange::default() };
    let paused = full.change(change, at(2)).unwrap().apply(pause, at(3)).unwrap();
    assert_eq!(paused.due(at(4)), None);
    let received = (0..2).fold(paused, |contract, number| {
        let before = purchase(10 + number);
        contract.count(Some(&before), &received(before.clone()), at(4)).unwrap()
    });
    assert_eq!(received.due(at(5)), Some(ContractEvent::Closed(ClosingReason::QuantityReached)));
    assert_eq!(settled(received).status, ContractStatus::Completed);
}

#[test]
fn a_draft_may_become_anything_that_a_draft_may_be() {
    let change = ContractChange {
        name: Some(text("Others")),
        pool_id: Replaced::By(id(9)),
        starts_at: Replaced::By(at(5)),
        ends_at: Replaced::ByNothing,
        terms: Some(Terms::Buying(BuyingTerms { target_quantity: 0, ..buying() })),
        ..ContractChange::default()
    };
    let changed = drafted(Terms::Buying(buying())).change(change, at(3)).unwrap();
    assert_eq!((changed.pool_id, changed.starts_at, changed.ends_at), (Some(id(9)), Some(at(5)), None));
    assert_eq!((changed.status, changed.updated_at), (ContractStatus::Draft, at(3)));
    let backwards = ContractChange { starts_at: Replaced::By(at(10_000)), ..ContractChange::default() };
    let refused = drafted(Terms::Buying(buying())).change(backwards, at(3));
    assert_eq!(refused, Err(ChangeError::Draft(DraftError::EndsBeforeStart)));
}

#[test]
fn the_limits_of_a_contract_at_work_cover_what_is_used_of_them() {
    let contract = active().count(None, &purchase(10), at(1)).unwrap();
    let with = |terms| {
        let change = ContractChange { terms: Some(Terms::Buying(terms)), ..ContractChange::default() };
        contract.clone().change(change, at(2)).map(drop)
    };
    let below = |limit, used| Err(ChangeError::BelowUse { limit, used });
    let two = contract.clone().count(None, &purchase(11), at(1)).unwrap();
    let one = ContractChange {
        terms: Some(Terms::Buying(BuyingTerms { target_quantity: 1, ..buying() })),
        ..ContractChange::default()
    };
    assert_eq!(two.change(one, at(2)).map(drop), below("target quantity", 2));
    assert_eq!(with(BuyingTerms { max_buy_price: cents(1), budget: cents(1_199), ..buying() }), below("budget", 1_200));
    assert_eq!(with(BuyingTerms { budget: cents(1_200), ..buying() }), Ok(()));
}

#[test]
fn the_reason_for_closing_decides_how_a_contract_ends() {
    let ended = |reason| {
        let closing = active().apply(ContractEvent::Closed(reason), at(10_000))?;
        closing.apply(ContractEvent::Finished, at(10_001)).map(|contract| contract.status)
    };
    assert_eq!(ended(ClosingReason::Cancelled), Ok(ContractStatus::Cancelled));
    assert_eq!(ended(ClosingReason::Ended), Ok(ContractStatus::Expired));
    assert_eq!(ended(ClosingReason::QuantityReached), Err(ContractError::RoomLeft("target quantity")));
    assert_eq!(ended(ClosingReason::BudgetUsed), Err(ContractError::RoomLeft("budget")));
}

#[test]
fn a_purchase_must_fit_the_contract() {
    let refused = |contract: &Contract| contract.admit(&purchase_terms(10), Activity::default(), at(1));
    let with = |change: fn(&mut ContractDraft)| {
        let mut draft = draft(Terms::Buying(buying()));
        change(&mut draft);
        Contract::draft(draft, at(0)).unwrap().activate(at(0)).unwrap()
    };
    assert_eq!(refused(&active()), Ok(()));
    let not_active = AdmissionError::NotActive(ContractStatus::Draft);
    assert_eq!(refused(&drafted(Terms::Buying(buying()))), Err(not_active));
    assert_eq!(refused(&with(|draft| draft.terms = Terms::Selling(selling()))), Err(AdmissionError::NeverBuys));
    assert_eq!(refused(&with(|draft| draft.approval_mode = ApprovalMode::DryRun)), Err(AdmissionError::NeverBuys));
    let elsewhere = with(|draft| draft.marketplaces = vec![text("another")]);
    assert_eq!(refused(&elsewhere), Err(AdmissionError::OtherMarketplace));
    assert_eq!(refused(&with(|draft| draft.starts_at = Some(at(2)))), Err(AdmissionError::OutOfTime));
    let cheap = Terms::Buying(BuyingTerms { max_buy_price: cents(1_199), ..buying() });
    let cheap = drafted(cheap).activate(at(0)).unwrap();
    let (given, most) = (cents(1_200), cents(1_199));
    assert_eq!(refused(&cheap), Err(AdmissionError::TooExpensive { given, most }));
}

#[test]
fn open_purchases_take_from_the_budget_the_quantity_and_the_open_ones_allowed() {
    let after_two = |terms| {
        let contract = drafted(Terms::Buying(terms)).activate(at(0)).unwrap();
        let contract = contract.count(None, &purchase(10), at(1)).unwrap();
        let contract = contract.count(None, &purchase(11), at(1)).unwrap();
        contract.admit(&purchase_terms(12), Activity::default(), at(1))
    };
    let (left, needed) = (cents(600), cents(1_200));
    assert_eq!(after_two(buying()), Err(AdmissionError::BudgetTooLow { left, needed }));
    let rich = || BuyingTerms { budget: cents(3_600), ..buying() };
    assert_eq!(after_two(rich()), Ok(()));
    let small = BuyingTerms { target_quantity: 2, ..rich() };
    assert_eq!(after_two(small), Err(AdmissionError::QuantityReached { target_quantity: 2 }));
    let careful = BuyingTerms { max_open_purchases: Some(2), ..rich() };
    assert_eq!(after_two(careful), Err(AdmissionError::TooManyOpen { most: 2 }));
}

#[test]
fn what_a_contract_did_lately_takes_from_the_day_the_name_and_the_cool_down() {
    let after = |terms, lately| {
        drafted(Terms::Buying(terms)).activate(at(0)).unwrap().admit(&purchase_terms(1), lately, at(60))
    };
    let (none, needed) = (Activity::default(), cents(1_200));
    let by_day = || BuyingTerms { daily_budget: Some(cents(2_000)), ..buying() };
    let spent = |amount| Activity { spent_today: cents(amount), ..none };
    assert_eq!(after(by_day(), spent(800)), Ok(()));
    let left = cents(1_199);
    assert_eq!(after(by_day(), spent(801)), Err(AdmissionError::DailyBudgetTooLow { left, needed }));
    let left = Cents::ZERO;
    assert_eq!(after(by_day(), spent(2_001)), Err(AdmissionError::DailyBudgetTooLow { left, needed }));
    let by_name = || BuyingTerms { max_per_item_name: Some(2), ..buying() };
    assert_eq!(after(by_name(), Activity { of_item_name: 1, ..none }), Ok(()));
    assert_eq!(after(by_name(), Activity { of_item_name: 2, ..none }), Err(AdmissionError::EnoughOfName { most: 2 }));
    let slow = || BuyingTerms { cooldown_seconds: Some(30), ..buying() };
    let last = |seconds| Activity { last_purchase_at: Some(at(seconds)), ..none };
    assert_eq!(after(slow(), last(30)), Ok(()));
    assert_eq!(after(slow(), last(31)), Err(AdmissionError::CoolingDown { until: at(61) }));
    let everything = Activity { spent_today: cents(9_000), of_item_name: 9, last_purchase_at: Some(at(60)), ..none };
    assert_eq!(after(buying(), everything), Ok(()), "limits that are not set bind nothing");
}

#[test]
fn a_stored_contract_that_contradicts_itself_is_corrupt() {
    let parts = active().into_parts();
    let corrupt = [
        ContractParts { status: ContractStatus::Closing, ..parts.clone() },
        ContractParts { status: ContractStatus::Suspended, ..parts.clone() },
        ContractParts { closing_reason: Some(ClosingReason::Cancelled), ..parts.clone() },
    ];
    assert!(Contract::restore(parts).is_ok());
    for corrupt in corrupt {
        assert!(Contract::restore(corrupt.clone()).is_err(), "{corrupt:?}");
    }
}

proptest! {
    #[test]
    fn whatever_happens_a_contract_keeps_every_rule(
        life in prop::collection::vec((any_contract_event(), 0..1_000_i64), 0..40),
    ) {
        let mut contract = drafted(Terms::Buying(buying()));
        let mut now = 0;
        for (event, seconds) in life {
            now += seconds;
            let Ok(after) = contract.clone().apply(event, at(now)) else { continue };
            prop_assert!(!contract.status.is_terminal(), "{} is final, yet became {}", contract.status, after.status);
            prop_assert_eq!((&after.terms, &after.name), (&contract.terms, &contract.name));
            prop_assert_eq!(Contract::restore(after.clone().into_parts()), Ok(after.clone()));
            contract = after;
        }
    }

    #[test]
    fn the_counters_are_the_sum_of_the_purchases_and_keep_the_limits(
        life in prop::collection::vec((any::<Index>(), any_purchase_event()), 0..80),
    ) {
        let mut contract = active();
        let mut purchases: Vec<Purchase> = Vec::new();
        // An order that a marketplace executes after all is beyond what the contract decided.
        let mut turned_up = false;
        for (number, (which, event)) in (0_u8..).zip(life) {
            if contract.admit(&purchase_terms(number), Activity::default(), at(1)).is_ok() {
                purchases.push(purchase(number));
                contract = settled(contract.count(None, &purchase(number), at(1)).unwrap());
            }
            if purchases.is_empty() {
                continue;
            }
            let before = which.get_mut(&mut purchases);
            if let Ok(after) = before.clone().apply(event, at(20_000)) {
                contract = settled(contract.count(Some(before), &after, at(2)).unwrap());
                turned_up |= before.status == PurchaseStatus::Failed;
                *before = after;
            }
            prop_assert_eq!(contract.counters, sum(&purchases));
            prop_assert_eq!(Contract::restore(contract.clone().into_parts()), Ok(contract.clone()));
            let Counters { filled_quantity, open_quantity, spent, reserved } = contract.counters;
            prop_assert!(turned_up || filled_quantity + open_quantity <= TARGET);
            prop_assert!(turned_up || spent.plus(reserved)? <= cents(BUDGET));
            let has_room = filled_quantity + open_quantity < TARGET && spent.plus(reserved)? < cents(BUDGET);
            let is_right = match contract.status {
                ContractStatus::Active => has_room,
                ContractStatus::Closing => !has_room && open_quantity > 0,
                // What went back after the end opens nothing again.
                ContractStatus::Completed => true,
                ContractStatus::Draft
                | ContractStatus::Paused
                | ContractStatus::Suspended
                | ContractStatus::Cancelled
                | ContractStatus::Expired => false,
            };
            prop_assert!(is_right, "{} with {:?}", contract.status, contract.counters);
        }
    }
}

/// The contract after what happens to it by itself.
fn settled(mut contract: Contract) -> Contract {
    while let Some(event) = contract.due(at(2)) {
        contract = contract.apply(event, at(2)).unwrap();
    }
    contract
}

fn sum(purchases: &[Purchase]) -> Counters {
    purchases.iter().map(Purchase::counter_delta).fold(Counters::default(), |sum, delta| Counters {
        filled_quantity: sum.filled_quantity + delta.filled_quantity,
        open_quantity: sum.open_quantity + delta.open_quantity,
        spent: sum.spent.plus(delta.spent).unwrap(),
        reserved: sum.reserved.plus(delta.reserved).unwrap(),
    })
}
