//! The thirteen checks: each alone keeps a confirmation from being allowed.

use std::num::NonZeroU64;

use super::*;
use crate::asset::{AppId, AssetId, ContextId};
use crate::id::{ConfirmationId, RecordKey, TradeOfferId, WorkspaceId};
use crate::money::Cents;
use crate::text::ExternalId;
use crate::trading::confirmation::{ConfirmationStatus, ConfirmationStep, ConfirmationText, ShownConfirmation};
use crate::trading::giving::{GivenSums, GivingLimits};
use crate::trading::trade_offer::{AssetReference, OfferStep, OfferWish};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(0).unwrap().plus(Duration::seconds(seconds))
}

fn user(number: u64) -> PlatformUserId {
    PlatformUserId::new(NonZeroU64::new(number).unwrap())
}

fn external(id: &str) -> ExternalId {
    ExternalId::new(id).unwrap()
}

fn reference(id: &str) -> AssetReference {
    AssetReference { app_id: AppId::CS2, context_id: ContextId::ORDINARY, asset_id: AssetId::new(id).unwrap() }
}

fn asset(id: &str) -> OfferedAsset {
    let AssetReference { app_id, asset_id, .. } = reference(id);
    OfferedAsset { app_id, asset_id, market_hash_name: crate::text::MarketHashName::new("AK-47 | Redline").unwrap() }
}

/// An offer that uses both limits up.
fn budget() -> GivingBudget {
    let [value, per_hour, per_day] = [500, 700, 900].map(|cents| Cents::new(cents).ok());
    GivingBudget { value, limits: GivingLimits { per_hour, per_day }, given: GivenSums { hour: 200, day: 400 } }
}

/// Everything that an examination of a good confirmation looks at; each test spoils one thing.
struct Desk {
    confirmation: Confirmation,
    offer: TradeOffer,
    report: OfferReport,
    reading: Reading,
    halts: Halts,
    purpose: Option<Purpose>,
    items: Vec<GivenItem>,
    budget: GivingBudget,
}

impl Desk {
    fn good() -> Self {
        let workspace_id = WorkspaceId::from_bytes([1; 16]);
        let wish = OfferWish {
            token: external("token"),
            gives: vec![reference("1"), reference("2")],
            receives: vec![reference("9")],
            message: None,
            intent_id: None,
            accepts_hold: false,
        };
        let report = OfferReport {
            offer_id: external("77"),
            partner: user(5),
            direction: OfferDirection::Sent,
            status: OfferStatus::NeedsConfirmation,
            gives: vec![asset("2"), asset("1")],
            receives: vec![asset("9")],
            trade: None,
            hold_seconds: None,
            created_at: at(2),
            expires_at: at(10_000),
        };
        let key = RecordKey { workspace_id, id: TradeOfferId::from_bytes([3; 16]) };
        let name = crate::text::AccountName::new("trader-1").unwrap();
        let offer =
            TradeOffer::requested(key, name.clone(), user(5), wish, at(0)).begun(at(1)).see(report.clone(), at(3));
        let shown = ShownConfirmation {
            platform_id: external("4000"),
            platform_kind: 2,
            kind_name: None,
            creator: external("77"),
            headline: None,
            summary: Vec::new(),
            created_at: at(2),
        };
        let key = RecordKey { workspace_id, id: ConfirmationId::from_bytes([4; 16]) };
        let items =
            ["1", "2"].map(|id| GivenItem { asset: AssetKey::from(&asset(id)), is_held_for_it: true, is_free: true });
        Self {
            confirmation: Confirmation::seen(key, name, shown, at(4)),
            offer,
            report,
            reading: Reading { list_at: at(5), offer_at: at(6), holds_lease: true },
            halts: Halts::default(),
            purpose: Some(Purpose::Sale(SalePurpose {
                read_at: at(5),
                is_open: true,
                deliver_by: Some(at(600)),
                deliver_to: Some(user(5)),
                is_announced: Some(true),
            })),
            items: items.to_vec(),
            budget: budget(),
        }
    }

    fn spoilt(spoil: impl Fn(&mut Self)) -> Self {
        let mut desk = Self::good();
        spoil(&mut desk);
        desk
    }

    fn sale(&mut self, change: impl Fn(&mut SalePurpose)) {
        if let Some(Purpose::Sale(sale)) = &mut self.purpose {
            change(sale);
        }
    }

    fn verdict(&self) -> Verdict {
        self.verdict_of(Some(&self.offer), Some(&self.report))
    }

    fn verdict_of(&self, offer: Option<&TradeOffer>, report: Option<&OfferReport>) -> Verdict {
        examine(&Examination {
            confirmation: &self.confirmation,
            offer,
            report,
            reading: self.reading,
            halts: self.halts,
            purpose: self.purpose,
            items: &self.items,
            budget: self.budget,
            now: at(10),
        })
    }
}

fn failed(verdict: &Verdict) -> Vec<CheckCode> {
    verdict.checks.iter().filter(|check| !check.holds).map(|check| check.code).collect()
}

#[test]
fn a_confirmation_of_our_own_open_offer_is_allowed_and_has_every_check() {
    let verdict = Desk::good().verdict();
    assert_eq!((failed(&verdict), verdict.refusal), (vec![], None));
    assert!(verdict.checks.iter().map(|check| &check.code).eq(CheckCode::ALL));
}

/// One thing that is wrong, the check that notices, and what follows.
type Spoil = (CheckCode, Consequence, fn(&mut Desk));

const SPOILT_READINGS: [Spoil; 12] = [
    (CheckCode::Halt, Consequence::Wait, |desk| desk.halts.workspace = true),
    (CheckCode::Halt, Consequence::Wait, |desk| desk.halts.account = true),
    (CheckCode::Halt, Consequence::Wait, |desk| desk.halts.marketplace = true),
    (CheckCode::Session, Consequence::ReadAgain, |desk| desk.reading.holds_lease = false),
    (CheckCode::Session, Consequence::Report, |desk| desk.confirmation.shown.created_at = at(-31)),
    (CheckCode::Kind, Consequence::Report, |desk| desk.confirmation.shown.platform_kind = 4),
    (CheckCode::Kind, Consequence::StopAccount, |desk| desk.confirmation.shown.platform_kind = 9),
    (CheckCode::Status, Consequence::Wait, |desk| desk.report.status = OfferStatus::Active),
    (CheckCode::Partner, Consequence::ReportAndCancel, |desk| desk.report.partner = user(6)),
    (CheckCode::Gives, Consequence::ReportAndCancel, |desk| desk.report.gives.push(asset("3"))),
    (CheckCode::Gives, Consequence::ReportAndCancel, |desk| desk.report.gives.push(asset("1"))),
    (CheckCode::Receives, Consequence::ReportAndCancel, |desk| desk.report.receives = vec![asset("8")]),
];

const SPOILT_PURPOSES: [Spoil; 12] = [
    (CheckCode::Intent, Consequence::ReadAgain, |desk| desk.sale(|sale| sale.read_at = at(-21))),
    (CheckCode::Intent, Consequence::CancelOffer, |desk| desk.sale(|sale| sale.is_open = false)),
    (CheckCode::Intent, Consequence::CancelOffer, |desk| desk.sale(|sale| sale.deliver_by = Some(at(70)))),
    (CheckCode::Intent, Consequence::CancelOffer, |desk| desk.sale(|sale| sale.deliver_to = Some(user(6)))),
    (CheckCode::Intent, Consequence::CancelOffer, |desk| {
        desk.purpose = Some(Purpose::Person { is_requested: false });
    }),
    (CheckCode::Item, Consequence::CancelOffer, |desk| desk.items[1].is_held_for_it = false),
    (CheckCode::Item, Consequence::CancelOffer, |desk| desk.items[0].is_free = false),
    (CheckCode::Announced, Consequence::CancelOffer, |desk| desk.sale(|sale| sale.is_announced = Some(false))),
    (CheckCode::Summary, Consequence::Report, |desk| {
        desk.confirmation.shown.summary = vec![ConfirmationText::new("You will receive nothing").unwrap()];
    }),
    (CheckCode::Budget, Consequence::Wait, |desk| desk.budget.given.hour = 201),
    (CheckCode::Budget, Consequence::Wait, |desk| desk.budget.given.day = 401),
    (CheckCode::Budget, Consequence::Wait, |desk| desk.budget.value = None),
];

#[test]
fn each_check_alone_keeps_it_from_being_allowed() {
    let mut noticed = std::collections::BTreeSet::from([CheckCode::Creator]);
    for (code, consequence, spoil) in SPOILT_READINGS.into_iter().chain(SPOILT_PURPOSES) {
        let spoilt = Desk::spoilt(spoil);
        let verdict = spoilt.verdict();
        assert_eq!((failed(&verdict), verdict.refusal), (vec![code], Some(consequence)), "{code}");
        let detail = verdict.checks.iter().find_map(|check| check.detail.clone());
        assert!(detail.is_some(), "{code} says why");
        let refused = spoilt.confirmation.clone().examined(verdict, at(11)).answering(ConfirmationStep::Allow, at(11));
        assert!(refused.is_err(), "{code} keeps it from being allowed");
        noticed.insert(code);
    }
    assert!(noticed.iter().eq(CheckCode::ALL), "each check is one of these; that of the creator has its own test");
}

#[test]
fn only_one_for_which_all_else_holds_waits_for_the_limits_of_the_account() {
    let over = |desk: &mut Desk| desk.budget.given.day = 401;
    assert!(Desk::spoilt(over).verdict().waits_for_budget());
    assert!(!Desk::good().verdict().waits_for_budget());
    let both = Desk::spoilt(|desk| (desk.budget.given.day, desk.halts.account) = (401, true));
    assert!(!both.verdict().waits_for_budget());
}

#[test]
fn what_was_read_before_the_list_proves_nothing() {
    let early = Desk::spoilt(|desk| desk.reading.offer_at = at(4));
    let verdict = early.verdict();
    let of_the_offer = [CheckCode::Status, CheckCode::Partner, CheckCode::Gives, CheckCode::Receives];
    assert_eq!((failed(&verdict), verdict.refusal), (of_the_offer.to_vec(), Some(Consequence::ReadAgain)));
    let old = Desk::spoilt(|desk| (desk.reading.list_at, desk.reading.offer_at) = (at(-591), at(6)));
    assert_eq!(old.verdict().refusal, Some(Consequence::ReadAgain));
}

#[test]
fn items_that_the_platform_does_not_show_are_read_again_and_are_no_other_items() {
    let hidden = Desk::spoilt(|desk| (desk.report.gives, desk.report.receives) = (vec![], vec![]));
    let verdict = hidden.verdict();
    assert_eq!(verdict.refusal, Some(Consequence::ReadAgain));
    assert_eq!(failed(&verdict), [CheckCode::Gives, CheckCode::Receives]);
}

#[test]
fn a_confirmation_without_an_offer_of_ours_waits_for_a_minute_and_is_reported_then() {
    let unknown = Desk::good();
    assert_eq!(unknown.verdict_of(None, None).refusal, Some(Consequence::Wait));
    let late = Desk::spoilt(|desk| desk.confirmation.recorded_at = at(-50));
    let verdict = late.verdict_of(None, None);
    assert_eq!(verdict.refusal, Some(Consequence::Report));
    assert!(failed(&verdict).contains(&CheckCode::Creator));
}

#[test]
fn an_offer_that_another_program_sent_is_never_allowed() {
    let desk = Desk::good();
    let key = RecordKey { workspace_id: desk.confirmation.workspace_id, id: TradeOfferId::from_bytes([9; 16]) };
    let account_name = crate::text::AccountName::new("trader-1").unwrap();
    let seen = crate::trading::trade_offer::SeenOffer { account_name, report: desk.report.clone(), owner: None };
    let outside = TradeOffer::first_seen(key, seen, at(3));
    let verdict = desk.verdict_of(Some(&outside), Some(&desk.report));
    assert_eq!((failed(&verdict), verdict.refusal), (vec![CheckCode::Creator], Some(Consequence::Report)));
    // Nor one of ours under another id.
    let other = Desk::spoilt(|desk| desk.confirmation.shown.creator = external("78"));
    assert!(failed(&other.verdict()).contains(&CheckCode::Creator));
}

#[test]
fn an_offer_that_was_received_is_allowed_while_a_person_has_it_accepted() {
    let desk = Desk::good();
    let key = RecordKey { workspace_id: desk.confirmation.workspace_id, id: TradeOfferId::from_bytes([9; 16]) };
    let account_name = desk.offer.account_name.clone();
    let (direction, status) = (OfferDirection::Received, OfferStatus::Active);
    let report = OfferReport { direction, status, ..desk.report.clone() };
    let seen = crate::trading::trade_offer::SeenOffer { account_name, report: report.clone(), owner: None };
    let received = TradeOffer::first_seen(key, seen, at(1));
    let person = Desk::spoilt(|desk| desk.purpose = Some(Purpose::Person { is_requested: true }));
    assert!(failed(&person.verdict_of(Some(&received), Some(&report))).contains(&CheckCode::Creator));
    let asked = received.request(OfferStep::Accept, at(1)).unwrap();
    assert!(failed(&person.verdict_of(Some(&asked), Some(&report))).contains(&CheckCode::Creator), "it was not begun");
    let begun = asked.begun(at(2));
    assert_eq!(person.verdict_of(Some(&begun), Some(&report)).refusal, None);
    let ended = OfferReport { status: OfferStatus::Accepted, ..report };
    assert_eq!(failed(&person.verdict_of(Some(&begun), Some(&ended))), [CheckCode::Status]);
}

#[test]
fn an_item_that_was_not_looked_at_is_not_given() {
    for spoil in [|desk: &mut Desk| desk.items.clear(), |desk: &mut Desk| drop(desk.items.pop())] {
        let verdict = Desk::spoilt(spoil).verdict();
        assert_eq!((failed(&verdict), verdict.refusal), (vec![CheckCode::Item], Some(Consequence::ReadAgain)));
    }
}

#[test]
fn the_limits_of_a_time_are_its_ends() {
    let last = Desk::spoilt(|desk| {
        desk.confirmation.shown.created_at = at(-30);
        (desk.reading.list_at, desk.reading.offer_at) = (at(-590), at(-590));
        desk.sale(|sale| (sale.read_at, sale.deliver_by) = (at(-20), Some(at(71))));
    });
    assert_eq!(last.verdict().refusal, None);
    let person = Desk::spoilt(|desk| desk.purpose = Some(Purpose::Person { is_requested: true }));
    assert_eq!(person.verdict().refusal, None);
}

#[test]
fn the_verdict_decides_about_what_is_seen_or_matched_alone() {
    let good = Desk::good();
    let matched = good.confirmation.clone().examined(good.verdict(), at(11));
    assert_eq!(matched.status, ConfirmationStatus::Matched);
    let halted = Desk::spoilt(|desk| desk.halts.workspace = true);
    assert_eq!(matched.clone().examined(halted.verdict(), at(12)).status, ConfirmationStatus::Seen);
    let other = Desk::spoilt(|desk| desk.report.partner = user(6));
    let strange = matched.examined(other.verdict(), at(12));
    assert_eq!(strange.status, ConfirmationStatus::Strange);
    assert_eq!(strange.examined(good.verdict(), at(13)).status, ConfirmationStatus::Strange);
}
