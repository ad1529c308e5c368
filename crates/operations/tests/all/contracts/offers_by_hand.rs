//! Trade offers that people ask for: what is recorded for the engine, what is rejected, and what counts as strange.

use time::Duration;
use tradepost_domain::contracts::remediation::{RemediationKind, RemediationStatus};
use tradepost_domain::id::{AccountId, Id, TradeOfferId};
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::{
    OfferDirection, OfferOrigin, OfferOwner, OfferReport, OfferStep, OfferedAsset, Strangeness, TradeOffer,
    TradeOfferStatus,
};
use tradepost_operations::contracts::WriteOffItem;
use tradepost_operations::trading::{
    AcceptTradeOffer, AccountSecrets, AcknowledgeTradeProtection, AssetToTrade, BeginOfferRequest, CancelTradeOffer,
    CreateAccount, DeclineTradeOffer, FailOfferRequest, GetTradeOffer, LimitsOfAccount, OfferReadings,
    PostponeOfferRequest, RecordAccountOffer, RecordOfferReading, RecordTradeOffer, RefreshTradeOffers,
    RequestedTradeOffers, SendTradeOffer,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text};

use super::Desk;
use super::items::asset;

const URL: &str = "https://platform.example.com/tradeoffer/new/?partner=39734281&token=abcdefgh";

/// A desk with the account of its items, and a caller who has proved a second factor.
struct Sender {
    desk: Desk,
    account_id: AccountId,
}

fn named(asset_id: &str) -> AssetToTrade {
    AssetToTrade { app_id: None, context_id: None, asset_id: asset_id.to_owned() }
}

fn offered(asset_id: &str) -> OfferedAsset {
    OfferedAsset { asset_id: asset(asset_id), ..Samples::default().offered_asset(1) }
}

impl Sender {
    async fn open() -> Self {
        let desk = Desk::open().await;
        let command = CreateAccount {
            workspace_id: desk.workspace_id(),
            name: "trader-1".to_owned(),
            platform: "steam".to_owned(),
            platform_user_id: "76561198000000001".to_owned(),
            trade_token: None,
            capabilities: Vec::new(),
            limits: LimitsOfAccount::default(),
            giving_limits: None,
            secrets: AccountSecrets::default(),
        };
        let account_id = desk.operations().create_account(&Caller::system(), command).await.unwrap().value.id;
        let accept = AcknowledgeTradeProtection { workspace_id: desk.workspace_id(), account_ids: vec![account_id] };
        desk.operations().acknowledge_trade_protection(&Caller::system(), accept).await.unwrap();
        Self { desk, account_id }
    }

    fn wanted(&self, gives: &[&str], receives: &[&str]) -> SendTradeOffer {
        SendTradeOffer {
            workspace_id: self.desk.workspace_id(),
            account_id: self.account_id,
            partner: URL.to_owned(),
            token: String::new(),
            gives: gives.iter().map(|id| named(id)).collect(),
            receives: receives.iter().map(|id| named(id)).collect(),
            message: String::new(),
            intent_id: None,
            accept_hold: false,
        }
    }

    async fn send(&self, command: SendTradeOffer) -> OpResult<Versioned<TradeOffer>> {
        self.desk.operations().send_trade_offer(&self.desk.trader, command).await
    }

    async fn sent(&self, gives: &[&str], receives: &[&str]) -> Versioned<TradeOffer> {
        self.desk.operations().send_trade_offer(&Caller::system(), self.wanted(gives, receives)).await.unwrap()
    }

    async fn offer(&self, trade_offer_id: TradeOfferId) -> Versioned<TradeOffer> {
        let command = GetTradeOffer { workspace_id: self.desk.workspace_id(), trade_offer_id };
        self.desk.operations().get_trade_offer(&self.desk.trader, command).await.unwrap()
    }

    async fn begin(&self, offer: &Versioned<TradeOffer>) -> OpResult<Versioned<TradeOffer>> {
        let command = BeginOfferRequest {
            workspace_id: self.desk.workspace_id(),
            trade_offer_id: offer.value.id,
            expected_version: offer.version,
        };
        self.desk.operations().begin_offer_request(&Caller::system(), command).await
    }

    async fn fail(&self, trade_offer_id: TradeOfferId, is_certain: bool) -> TradeOffer {
        let (workspace_id, why) = (self.desk.workspace_id(), "the partner takes no offer".to_owned());
        let command = FailOfferRequest { workspace_id, trade_offer_id, why, is_certain, strangeness: None };
        self.desk.operations().fail_offer_request(&Caller::system(), command).await.unwrap().value
    }

    fn report(&self, status: OfferStatus, offer_id: &str, gives: &[&str]) -> OfferReport {
        let mut report = Samples::default().offer_report(status);
        report.offer_id = text(offer_id);
        report.direction = OfferDirection::Sent;
        report.gives = gives.iter().map(|id| offered(id)).collect();
        report.receives = Vec::new();
        report.created_at = self.desk.world.clock.now();
        report
    }

    async fn see(&self, report: OfferReport) -> Option<Versioned<TradeOffer>> {
        let (workspace_id, account_name) = (self.desk.workspace_id(), text("trader-1"));
        let (answers, watched_since) = (None, Some(self.desk.world.clock.now().plus(-Duration::HOUR)));
        let command = RecordAccountOffer { workspace_id, account_name, report, answers, watched_since };
        self.desk.operations().record_account_offer(&Caller::system(), command).await.unwrap()
    }

    /// An offer that another account sent, which gives one of our items for another.
    async fn received(&self) -> Versioned<TradeOffer> {
        let mut report = self.report(OfferStatus::Active, "offer-in", &["500"]);
        report.direction = OfferDirection::Received;
        report.receives = vec![offered("600")];
        self.see(report).await.unwrap()
    }

    fn accept(&self, offer: &Versioned<TradeOffer>) -> AcceptTradeOffer {
        let (workspace_id, expected_version) = (self.desk.workspace_id(), Some(offer.version));
        AcceptTradeOffer { workspace_id, trade_offer_id: offer.value.id, expected_version, accept_hold: false }
    }

    async fn cancel(&self, trade_offer_id: TradeOfferId) -> OpResult<Versioned<TradeOffer>> {
        let command =
            CancelTradeOffer { workspace_id: self.desk.workspace_id(), trade_offer_id, expected_version: None };
        self.desk.operations().cancel_trade_offer(&self.desk.trader, command).await
    }

    /// The statuses of the problems of a kind.
    async fn problems(&self, kind: RemediationKind) -> Vec<RemediationStatus> {
        let problems = self.desk.problems().await;
        problems.into_iter().filter(|problem| problem.kind == kind).map(|problem| problem.status).collect()
    }
}

#[tokio::test]
async fn an_offer_that_a_person_asks_for_waits_for_the_engine() {
    let sender = Sender::open().await;
    let wanted = SendTradeOffer { message: " hello ".to_owned(), accept_hold: true, ..sender.wanted(&[], &["600"]) };
    let asked = sender.send(wanted).await.unwrap();
    let request = asked.value.request.unwrap();
    assert_eq!((asked.value.status, asked.value.origin), (TradeOfferStatus::Draft, OfferOrigin::Person));
    assert_eq!((request.step, request.begun_at), (OfferStep::Send, None));
    let wish = asked.value.wish.as_ref().unwrap();
    assert_eq!((&wish.message, wish.accepts_hold), (&Some(text("hello")), true));
    let requested = RequestedTradeOffers { workspace_id: sender.desk.workspace_id() };
    let requested = sender.desk.operations().requested_trade_offers(&Caller::system(), requested).await.unwrap();
    assert_eq!(requested, [asked]);
}

#[tokio::test]
async fn an_offer_that_gives_items_needs_a_second_factor_and_another_does_not() {
    let sender = Sender::open().await;
    let refused = sender.send(sender.wanted(&["500"], &[])).await;
    sender.desk.refused(async { refused }, Code::FailedPrecondition, "STEP_UP_REQUIRED").await;
    assert!(sender.send(sender.wanted(&[], &["600"])).await.is_ok());
    sender.desk.world.step_up(&sender.desk.trader).await;
    assert!(sender.send(sender.wanted(&["500"], &[])).await.is_ok());
}

#[tokio::test]
async fn bad_offers_are_rejected() {
    let sender = Sender::open().await;
    let long = "x".repeat(129);
    let many: Vec<String> = (1..=101).map(|number| number.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let own = "https://platform.example.com/tradeoffer/new/?partner=39734273&token=abcdefgh";
    for bad in [
        sender.wanted(&[], &[]),
        sender.wanted(&[], &["600", "600"]),
        sender.wanted(&[], &["sword"]),
        sender.wanted(&[], &many),
        SendTradeOffer { message: long, ..sender.wanted(&[], &["600"]) },
        SendTradeOffer { partner: "a friend".to_owned(), ..sender.wanted(&[], &["600"]) },
        SendTradeOffer { partner: own.to_owned(), ..sender.wanted(&[], &["600"]) },
    ] {
        let said = format!("{bad:?}");
        let refused = sender.send(bad).await;
        assert_eq!(refused.map_err(|error| error.code), Err(Code::InvalidArgument), "{said}");
    }
    let unknown = SendTradeOffer { account_id: Id::from_bytes([9; 16]), ..sender.wanted(&[], &["600"]) };
    assert_eq!(sender.send(unknown).await.map_err(|error| error.code), Err(Code::NotFound));
    let unknown = SendTradeOffer { intent_id: Some(Id::from_bytes([9; 16])), ..sender.wanted(&[], &["600"]) };
    assert_eq!(sender.send(unknown).await.map_err(|error| error.code), Err(Code::NotFound));
    assert!(sender.send(sender.wanted(&[], &["600"])).await.is_ok());
}

#[tokio::test]
async fn an_item_of_the_ledger_is_not_given_by_hand_unless_it_is_written_off() {
    let sender = Sender::open().await;
    let item = sender.desk.missing(1).await;
    let asset_id = sender.desk.owned(item).await.value.current_asset_id().to_string();
    let wanted = || sender.wanted(&[asset_id.as_str()], &[]);
    let by = Caller::system();
    let refused = sender.desk.operations().send_trade_offer(&by, wanted()).await;
    sender.desk.refused(async { refused }, Code::FailedPrecondition, "ITEM_ON_RECORD").await;
    let command = WriteOffItem {
        workspace_id: sender.desk.workspace_id(),
        inventory_item_id: item,
        reason: "it was found again".to_owned(),
        expected_version: None,
    };
    sender.desk.operations().write_off_item(&by, command).await.unwrap();
    assert!(sender.desk.operations().send_trade_offer(&by, wanted()).await.is_ok());
}

#[tokio::test]
async fn an_item_that_came_into_the_ledger_after_the_request_is_not_given() {
    let sender = Sender::open().await;
    let asked = sender.sent(&["20001"], &[]).await;
    sender.desk.item(1).await;
    let begun = sender.begin(&asked).await;
    sender.desk.refused(async { begun }, Code::FailedPrecondition, "ITEM_ON_RECORD").await;
    let failed = sender.fail(asked.value.id, true).await;
    assert_eq!((failed.status, failed.request), (TradeOfferStatus::Cancelled, None));
}

#[tokio::test]
async fn the_same_offer_is_not_sent_twice_at_once() {
    let sender = Sender::open().await;
    let first = sender.sent(&["500"], &[]).await;
    let by = Caller::system();
    for twin in [sender.wanted(&["500"], &[]), sender.wanted(&["500", "501"], &[])] {
        let refused = sender.desk.operations().send_trade_offer(&by, twin).await;
        sender.desk.refused(async { refused }, Code::FailedPrecondition, "OFFER_REQUEST_OPEN").await;
    }
    sender.begin(&first).await.unwrap();
    sender.fail(first.value.id, false).await;
    assert!(sender.desk.operations().send_trade_offer(&by, sender.wanted(&["500"], &[])).await.is_ok());
}

#[tokio::test]
async fn a_request_begins_once() {
    let sender = Sender::open().await;
    let asked = sender.sent(&[], &["600"]).await;
    let begun = sender.begin(&asked).await.unwrap();
    sender.desk.refused(sender.begin(&asked), Code::FailedPrecondition, "VERSION_MISMATCH").await;
    sender.desk.refused(sender.begin(&begun), Code::FailedPrecondition, "ILLEGAL_STEP").await;
    let (workspace_id, trade_offer_id) = (sender.desk.workspace_id(), asked.value.id);
    let postpone = PostponeOfferRequest { workspace_id, trade_offer_id };
    let postponed = sender.desk.operations().postpone_offer_request(&Caller::system(), postpone).await.unwrap();
    assert!(sender.begin(&postponed).await.is_ok());
}

#[tokio::test]
async fn an_offer_without_an_answer_is_found_by_its_items_and_is_no_strange_one() {
    let sender = Sender::open().await;
    let asked = sender.sent(&["500"], &[]).await;
    sender.begin(&asked).await.unwrap();
    let uncertain = sender.fail(asked.value.id, false).await;
    assert_eq!(uncertain.status, TradeOfferStatus::SendUncertain);
    let mut report = sender.report(OfferStatus::NeedsConfirmation, "offer-out", &["500"]);
    report.partner = uncertain.partner;
    let found = sender.see(report).await.unwrap().value;
    assert_eq!((found.id, found.strangeness), (asked.value.id, None));
    assert_eq!(sender.problems(RemediationKind::StrangeOffer).await, []);
}

#[tokio::test]
async fn a_sent_offer_that_no_draft_explains_is_strange_until_it_ends() {
    let sender = Sender::open().await;
    let seen = sender.see(sender.report(OfferStatus::NeedsConfirmation, "offer-thief", &["500"])).await.unwrap();
    assert_eq!((seen.value.origin, seen.value.strangeness), (OfferOrigin::Outside, Some(Strangeness::NotSentHere)));
    assert_eq!(sender.problems(RemediationKind::StrangeOffer).await, [RemediationStatus::NeedsOperator]);
    sender.see(sender.report(OfferStatus::NeedsConfirmation, "offer-thief", &["500"])).await;
    assert_eq!(sender.problems(RemediationKind::StrangeOffer).await.len(), 1);
    sender.see(sender.report(OfferStatus::Cancelled, "offer-thief", &["500"])).await;
    assert_eq!(sender.problems(RemediationKind::StrangeOffer).await, [RemediationStatus::Resolved]);
}

#[tokio::test]
async fn offers_that_have_ended_or_show_no_items_and_those_of_others_are_not_strange() {
    let sender = Sender::open().await;
    assert!(sender.see(sender.report(OfferStatus::Declined, "offer-old", &["500"])).await.is_none());
    assert!(sender.see(sender.report(OfferStatus::Active, "offer-glitched", &[])).await.is_none());
    let received = sender.received().await.value;
    assert_eq!((received.origin, received.strangeness), (OfferOrigin::Outside, None));
    assert_eq!(sender.problems(RemediationKind::StrangeOffer).await, []);
}

#[tokio::test]
async fn a_reading_leaves_the_offers_of_purchases_to_their_steps() {
    let sender = Sender::open().await;
    let purchase = OfferOwner::Purchase(sender.desk.pay(1).await);
    let seen = sender.received().await.value;
    let mut report = sender.report(OfferStatus::Active, "offer-in", &["500"]);
    report.direction = OfferDirection::Received;
    report.receives = vec![offered("600")];
    let (workspace_id, account_name) = (sender.desk.workspace_id(), text("trader-1"));
    let adopt = RecordTradeOffer { workspace_id, account_name, report: report.clone(), owner: Some(purchase) };
    let adopted = sender.desk.operations().record_trade_offer(&Caller::system(), adopt).await.unwrap().value;
    assert_eq!((adopted.id, adopted.owner, adopted.origin), (seen.id, Some(purchase), OfferOrigin::Engine));
    report.status = OfferStatus::Declined;
    assert_eq!(sender.see(report).await.unwrap().value.status, TradeOfferStatus::Active);
    let decline = DeclineTradeOffer { workspace_id, trade_offer_id: seen.id, expected_version: None };
    let refused = sender.desk.operations().decline_trade_offer(&sender.desk.trader, decline);
    sender.desk.refused(refused, Code::FailedPrecondition, "ILLEGAL_STEP").await;
}

#[tokio::test]
async fn an_acceptance_that_gives_items_needs_a_fresh_second_factor_and_the_version_that_was_seen() {
    let sender = Sender::open().await;
    let offer = sender.received().await;
    let (on, trader) = (sender.desk.operations(), &sender.desk.trader);
    let unseen = AcceptTradeOffer { expected_version: None, ..sender.accept(&offer) };
    sender.desk.refused(on.accept_trade_offer(trader, unseen), Code::InvalidArgument, "INVALID_FIELD").await;
    let refused = on.accept_trade_offer(trader, sender.accept(&offer));
    sender.desk.refused(refused, Code::FailedPrecondition, "STEP_UP_REQUIRED").await;
    sender.desk.world.step_up(trader).await;
    let accepting = on.accept_trade_offer(trader, sender.accept(&offer)).await.unwrap();
    assert_eq!(accepting.value.request.map(|request| request.step), Some(OfferStep::Accept));
    let again = on.accept_trade_offer(trader, sender.accept(&accepting));
    sender.desk.refused(again, Code::FailedPrecondition, "OFFER_REQUEST_OPEN").await;
}

#[tokio::test]
async fn an_acceptance_keeps_whether_a_hold_is_accepted() {
    let sender = Sender::open().await;
    for accept_hold in [false, true] {
        let mut report = sender.report(OfferStatus::Active, &format!("offer-{accept_hold}"), &[]);
        report.direction = OfferDirection::Received;
        report.receives = vec![offered("600")];
        let offer = sender.see(report).await.unwrap();
        let accept = AcceptTradeOffer { accept_hold, ..sender.accept(&offer) };
        let accepting = sender.desk.operations().accept_trade_offer(&sender.desk.trader, accept).await.unwrap();
        assert_eq!(accepting.value.request.map(|request| request.accepts_hold), Some(accept_hold));
    }
}

#[tokio::test]
async fn an_offer_is_declined_without_a_second_factor() {
    let sender = Sender::open().await;
    let offer = sender.received().await;
    let (workspace_id, trade_offer_id) = (sender.desk.workspace_id(), offer.value.id);
    let stale = DeclineTradeOffer { workspace_id, trade_offer_id, expected_version: Some(99) };
    let on = sender.desk.operations();
    let refused = on.decline_trade_offer(&sender.desk.trader, stale);
    sender.desk.refused(refused, Code::FailedPrecondition, "VERSION_MISMATCH").await;
    let decline = DeclineTradeOffer { workspace_id, trade_offer_id, expected_version: Some(offer.version) };
    let declining = on.decline_trade_offer(&sender.desk.trader, decline).await.unwrap().value;
    assert_eq!(declining.request.map(|request| request.step), Some(OfferStep::Decline));
}

#[tokio::test]
async fn a_draft_that_waits_is_cancelled_at_once_and_one_in_flight_is_not() {
    let sender = Sender::open().await;
    let asked = sender.sent(&[], &["600"]).await;
    assert_eq!(sender.cancel(asked.value.id).await.unwrap().value.status, TradeOfferStatus::Cancelled);
    let asked = sender.sent(&[], &["600"]).await;
    sender.begin(&asked).await.unwrap();
    sender.desk.refused(sender.cancel(asked.value.id), Code::FailedPrecondition, "OFFER_REQUEST_OPEN").await;
    sender.fail(asked.value.id, false).await;
    assert_eq!(sender.cancel(asked.value.id).await.unwrap().value.status, TradeOfferStatus::Cancelled);
    assert_eq!(sender.offer(asked.value.id).await.value.request, None);
}

#[tokio::test]
async fn a_reading_is_asked_for_once_and_answered_by_the_next_that_begins() {
    let sender = Sender::open().await;
    let (on, by, workspace_id) = (sender.desk.operations(), &sender.desk.trader, sender.desk.workspace_id());
    let account_id = sender.account_id;
    let refresh = RefreshTradeOffers { workspace_id, account_id };
    let asked = on.refresh_trade_offers(by, refresh).await.unwrap();
    assert_eq!(on.refresh_trade_offers(by, refresh).await.unwrap(), asked);
    let began_at = sender.desk.world.clock.now();
    let record = RecordOfferReading { workspace_id, account_id, began_at };
    on.record_offer_reading(&Caller::system(), record).await.unwrap();
    let readings = OfferReadings { workspace_id, account_ids: vec![account_id, Id::from_bytes([9; 16])] };
    let readings = on.offer_readings(&Caller::system(), readings).await.unwrap();
    assert_eq!(readings.len(), 1);
    assert_eq!((readings[0].requested_at, readings[0].read_at), (None, Some(began_at)));
    let unknown = RefreshTradeOffers { workspace_id, account_id: Id::from_bytes([9; 16]) };
    sender.desk.refused(on.refresh_trade_offers(by, unknown), Code::NotFound, "NOT_FOUND").await;
}
