//! The steps of an intent, and how long it waits.

use tradepost_domain::asset::AppId;
use tradepost_domain::contracts::contract::ApprovalMode;
use tradepost_domain::contracts::intent::{APPROVED_BUY_LIFETIME, HELD_FOR, LOOKS, UNSERVED_LIFETIME, WithdrawalCause};
use tradepost_domain::contracts::intent::{
    DecisionBasis, FOLLOWED_AFTER, FOLLOWED_FOR, FollowUp, FollowUpError, Intent, IntentError, IntentEvent, IntentKind,
    IntentResult, IntentStatus, IntentTerms, ItemTarget, ListingTarget, Moment, ProposalError, SeenAgain, Target,
};
use tradepost_domain::time::Timestamp;

use crate::given::{asset, at, cents, id, text};

fn terms() -> IntentTerms {
    IntentTerms {
        id: id(7),
        workspace_id: id(1),
        contract_id: Some(id(2)),
        kind: IntentKind::Buy,
        target: Target::Listing(ListingTarget {
            marketplace: text("sim"),
            listing_id: text("listing-1"),
            listing_asset_id: asset(100),
            app_id: AppId::CS2,
            market_hash_name: text("AK-47 | Redline (Field-Tested)"),
            phase: None,
            traits: Box::default(),
            price: cents(1_000),
            platform_fee: cents(50),
            max_buy_price: cents(1_200),
        }),
        basis: DecisionBasis::default(),
        approval_mode: ApprovalMode::Manual,
    }
}

fn proposed() -> Intent {
    Intent::propose(terms(), Moment::of(at(0))).unwrap()
}

fn apply(intent: Intent, event: IntentEvent, seconds: i64) -> Intent {
    intent.apply(event, Moment::of(at(seconds))).unwrap()
}

fn approved() -> Intent {
    apply(proposed(), IntentEvent::Approved, 1)
}

fn claimed() -> Intent {
    apply(approved(), IntentEvent::Claimed { result: None }, 2)
}

fn withdrawn(cause: WithdrawalCause) -> IntentEvent {
    IntentEvent::Withdrawn { cause, reason: Some(text("not needed")) }
}

fn events() -> Vec<IntentEvent> {
    vec![
        IntentEvent::Approved,
        IntentEvent::Rejected { reason: Some(text("too dear")) },
        withdrawn(WithdrawalCause::Person),
        withdrawn(WithdrawalCause::ContractStopped),
        withdrawn(WithdrawalCause::DryRun),
        IntentEvent::Expired,
        IntentEvent::Postponed { check: text("BALANCE") },
        IntentEvent::Claimed { result: None },
        IntentEvent::Denied { check: text("PRICE") },
        IntentEvent::Succeeded { result: None },
        IntentEvent::Failed { check: text("SOLD") },
    ]
}

#[test]
fn the_steps_of_an_intent_are_exactly_those_of_its_table() {
    let mut steps = Vec::new();
    for from in IntentStatus::ALL {
        for event in events() {
            steps.extend(from.after(&event).map(|to| format!("{from} {} {to}", event.name())));
        }
    }
    let table = [
        "PROPOSED approved APPROVED",
        "PROPOSED rejected REJECTED",
        "PROPOSED withdrawn CANCELLED",
        "PROPOSED contract_stopped CANCELLED",
        "PROPOSED dry_run CANCELLED",
        "PROPOSED expired EXPIRED",
        "PROPOSED denied DENIED",
        "APPROVED withdrawn CANCELLED",
        "APPROVED contract_stopped CANCELLED",
        "APPROVED dry_run CANCELLED",
        "APPROVED expired EXPIRED",
        "APPROVED postponed APPROVED",
        "APPROVED claimed EXECUTING",
        "APPROVED denied DENIED",
        "EXECUTING claimed EXECUTING",
        "EXECUTING denied DENIED",
        "EXECUTING succeeded SUCCEEDED",
        "EXECUTING failed FAILED",
    ];
    assert_eq!(steps, table);
}

#[test]
fn the_words_of_a_person_or_a_check_are_recorded_with_the_step() {
    let said: Vec<_> = events().iter().map(|event| event.said().map(str::to_owned)).collect();
    let person = Some("not needed");
    let expected = [
        None,
        Some("too dear"),
        person,
        person,
        person,
        None,
        Some("BALANCE"),
        None,
        Some("PRICE"),
        None,
        Some("SOLD"),
    ];
    assert_eq!(said, expected.map(|said| said.map(str::to_owned)));
}

#[test]
fn an_intent_that_nobody_decided_on_or_looked_at_says_so_when_it_expires() {
    let undecided = apply(proposed(), IntentEvent::Expired, 3_600);
    assert_eq!(undecided.failed_check, Some(text("NOT_DECIDED")));
    let unseen = apply(approved(), IntentEvent::Expired, 2 * 86_400);
    assert_eq!(unseen.failed_check, Some(text("NO_ENGINE")));
    let waited = apply(approved(), IntentEvent::Postponed { check: text("BALANCE") }, 2);
    assert_eq!(apply(waited, IntentEvent::Expired, 2 * 86_400).failed_check, Some(text("BALANCE")));
}

/// When an intent may end by its time, from the time that both clocks show.
fn is_over(intent: &Intent, market: Timestamp, server: Timestamp) -> bool {
    intent.is_over(Moment { market, server })
}

#[test]
fn an_intent_waits_until_its_time_is_over_by_both_clocks() {
    let intent = proposed();
    let (expires_at, held_until) = (intent.expires_at, intent.held_until);
    let before = |time: Timestamp| Timestamp::from_micros(time.as_micros() - 1).unwrap();
    assert!(is_over(&intent, expires_at, held_until));
    assert!(!is_over(&intent, before(expires_at), held_until));
    assert!(!is_over(&intent, expires_at, before(held_until)));
}

#[test]
fn an_approved_intent_waits_for_two_looks_or_a_day() {
    let intent = approved();
    let postponed = IntentEvent::Postponed { check: text("BALANCE") };
    let looked_at = (0..LOOKS).fold(intent.clone(), |intent, _| apply(intent, postponed.clone(), 2));
    let over = (intent.expires_at, intent.held_until);
    assert_eq!(over, (at(1).plus(APPROVED_BUY_LIFETIME), at(1).plus(HELD_FOR)));
    assert!(!is_over(&intent, over.0, over.1), "nobody has looked at it");
    assert!(is_over(&looked_at, over.0, over.1));
    assert!(is_over(&intent, over.0, over.1.plus(UNSERVED_LIFETIME)));
}

#[test]
fn what_is_over_is_neither_approved_nor_begun_and_what_is_not_does_not_expire() {
    let late = Moment::of(at(2 * 86_400));
    let refused = |intent: Intent, event, moment| intent.apply(event, moment).unwrap_err();
    let (proposed, approved) = (proposed(), approved());
    let expired = |intent: &Intent| IntentError::Expired { expires_at: intent.expires_at };
    assert_eq!(refused(proposed.clone(), IntentEvent::Approved, late), expired(&proposed));
    let claimed = IntentEvent::Claimed { result: None };
    assert_eq!(refused(approved.clone(), claimed.clone(), late), expired(&approved));
    let early = IntentError::NotExpired { expires_at: proposed.expires_at };
    assert_eq!(refused(proposed, IntentEvent::Expired, Moment::of(at(1))), early);
    assert!(self::claimed().apply(claimed, late).is_ok(), "what was begun is gone on with");
}

#[test]
fn an_intent_to_buy_has_one_purchase_and_one_to_sell_has_none() {
    let recorded = || IntentEvent::Claimed { result: Some(IntentResult::Purchase(id(3))) };
    let bought = apply(approved(), recorded(), 2);
    assert_eq!(bought.result, Some(IntentResult::Purchase(id(3))));
    assert_eq!(bought.apply(recorded(), Moment::of(at(3))).unwrap_err(), IntentError::HasPurchase);
    let target = ItemTarget {
        inventory_item_id: id(4),
        marketplace: Some(text("sim")),
        price: Some(cents(1_500)),
        to_account: None,
    };
    let selling = IntentTerms { kind: IntentKind::List, target: Target::Item(target), ..terms() };
    let selling = apply(Intent::propose(selling, Moment::of(at(0))).unwrap(), IntentEvent::Approved, 1);
    let refused = selling.apply(recorded(), Moment::of(at(2))).unwrap_err();
    assert_eq!(refused, IntentError::BuysNothing(IntentKind::List));
}

#[test]
fn only_a_transfer_names_the_account_that_receives_the_item() {
    let propose = |kind, to_account| {
        let target = ItemTarget { inventory_item_id: id(4), marketplace: None, price: None, to_account };
        Intent::propose(IntentTerms { kind, target: Target::Item(target), ..terms() }, Moment::of(at(0)))
    };
    let to = Some(text("trader-2"));
    assert!(propose(IntentKind::Transfer, to.clone()).is_ok());
    assert_eq!(propose(IntentKind::Transfer, None).unwrap_err(), ProposalError::NoRecipient);
    assert_eq!(propose(IntentKind::Delist, to).unwrap_err(), ProposalError::OtherTarget(IntentKind::Delist));
}

#[test]
fn an_approved_sale_waits_longer_than_a_purchase() {
    let target = ItemTarget {
        inventory_item_id: id(4),
        marketplace: Some(text("sim")),
        price: Some(cents(1_500)),
        to_account: None,
    };
    let selling = IntentTerms { kind: IntentKind::List, target: Target::Item(target), ..terms() };
    let selling = apply(Intent::propose(selling, Moment::of(at(0))).unwrap(), IntentEvent::Approved, 1);
    assert_eq!((approved().expires_at, selling.expires_at), (at(301), at(901)));
}

fn would_buy() -> Intent {
    let dry = IntentTerms { approval_mode: ApprovalMode::DryRun, ..terms() };
    let proposed = Intent::propose(dry, Moment::of(at(0))).unwrap();
    apply(proposed, IntentEvent::Withdrawn { cause: WithdrawalCause::DryRun, reason: None }, 0).followed().unwrap()
}

#[test]
fn only_the_dry_run_of_a_purchase_is_followed() {
    assert_eq!(proposed().followed(), Err(FollowUpError::NotFollowed));
    let due = at(0).plus(FOLLOWED_AFTER);
    assert_eq!(would_buy().follow_up, Some(FollowUp::Due(due)));
}

#[test]
fn a_listing_is_seen_again_once_and_not_before_it_is_due() {
    let due = at(0).plus(FOLLOWED_AFTER);
    let early = SeenAgain::not_shown(at(1));
    assert_eq!(would_buy().see_again(early), Err(FollowUpError::Early(due)));
    let seen = SeenAgain::of(cents(1_000), Some(cents(1_001)), due);
    let done = would_buy().see_again(seen).unwrap();
    assert_eq!(
        (done.follow_up, done.status, done.updated_at),
        (Some(FollowUp::Done(seen)), IntentStatus::Cancelled, due)
    );
    assert_eq!(done.see_again(seen), Err(FollowUpError::NotFollowed));
    assert_eq!(proposed().see_again(seen), Err(FollowUpError::NotFollowed));
}

#[test]
fn a_listing_that_is_not_shown_is_looked_at_until_an_hour_has_passed_and_a_late_look_counts_as_none() {
    let due = at(0).plus(FOLLOWED_AFTER);
    let later = would_buy().look_later(due).unwrap();
    assert_eq!(later.follow_up, Some(FollowUp::Due(due.plus(FOLLOWED_AFTER))));
    assert_eq!(later.clone().look_later(due), Err(FollowUpError::Early(due.plus(FOLLOWED_AFTER))));
    let late = at(0).plus(FOLLOWED_FOR);
    let none = Some(FollowUp::Done(SeenAgain::not_shown(late)));
    assert_eq!(later.clone().look_later(late).unwrap().follow_up, none);
    let on_sale = SeenAgain::of(cents(1_000), Some(cents(1_000)), late);
    assert_eq!(later.see_again(on_sale).unwrap().follow_up, none);
}
