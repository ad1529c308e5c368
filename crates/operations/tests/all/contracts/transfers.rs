//! Moving items between accounts of the workspace: what is recorded at once, what is rejected, and which offer is accepted.

use tradepost_domain::asset::ContextId;
use tradepost_domain::contracts::intent::{Intent, IntentStatus};
use tradepost_domain::contracts::inventory_item::ItemEvent;
use tradepost_domain::id::{AccountId, Id, InventoryItemId};
use tradepost_domain::money::Cents;
use tradepost_domain::time::Timestamp;
use tradepost_domain::trading::trade::OfferStatus;
use tradepost_domain::trading::trade_offer::{
    OfferDirection, OfferReport, OfferStep, OfferedAsset, TradeOffer, TradeOfferStatus,
};
use tradepost_domain::trading::trading_account::AccountEvent;
use tradepost_operations::contracts::{ListItemForSale, ReceiveItem, TransferItem};
use tradepost_operations::trading::{
    AcceptTransfer, AccountSecrets, AcknowledgeTradeProtection, AdvanceAccount, BeginOfferRequest, CancelTradeOffer,
    CreateAccount, GetTradeOffer, LimitsOfAccount, LimitsOfGiving, RecordAccountOffer, RemoveAccount, UpdateAccount,
};
use tradepost_operations::{Caller, Code, OpResult, Versioned};
use tradepost_ports::clock::Clock as _;
use tradepost_testkit::samples::{Samples, text};

use super::Desk;
use super::items::asset;

/// A desk with two accounts, of which the first one holds an item.
struct Mover {
    desk: Desk,
    first: AccountId,
    second: AccountId,
    item: InventoryItemId,
}

impl Mover {
    async fn open() -> Self {
        let desk = Desk::open().await;
        let item = desk.item(1).await;
        let [first, second] = [ready(&desk, 1).await, ready(&desk, 2).await];
        let account_ids = vec![first, second];
        let accept = AcknowledgeTradeProtection { workspace_id: desk.workspace_id(), account_ids };
        desk.operations().acknowledge_trade_protection(&Caller::system(), accept).await.unwrap();
        Self { desk, first, second, item }
    }

    async fn ask(&self, account_id: AccountId) -> OpResult<Versioned<Intent>> {
        let (workspace_id, inventory_item_id) = (self.desk.workspace_id(), self.item);
        let command = TransferItem { workspace_id, inventory_item_id, account_id, accept_hold: false };
        self.desk.operations().transfer_item(&self.desk.trader, command).await
    }

    async fn asked(&self) -> (Versioned<Intent>, Versioned<TradeOffer>) {
        self.desk.world.step_up(&self.desk.trader).await;
        let intent = self.ask(self.second).await.unwrap();
        let trade_offer_id = intent.value.trade_offer_id().unwrap();
        let get = GetTradeOffer { workspace_id: self.desk.workspace_id(), trade_offer_id };
        let offer = self.desk.operations().get_trade_offer(&self.desk.trader, get).await.unwrap();
        (intent, offer)
    }

    async fn begin(&self, offer: &Versioned<TradeOffer>) -> OpResult<Versioned<TradeOffer>> {
        let (workspace_id, trade_offer_id) = (self.desk.workspace_id(), offer.value.id);
        let command = BeginOfferRequest { workspace_id, trade_offer_id, expected_version: offer.version };
        self.desk.operations().begin_offer_request(&Caller::system(), command).await
    }

    /// Records what the platform shows one of the accounts of an offer.
    async fn see(&self, account_name: &str, report: OfferReport) -> Versioned<TradeOffer> {
        let command = RecordAccountOffer {
            workspace_id: self.desk.workspace_id(),
            account_name: text(account_name),
            report,
            answers: None,
            watched_since: None,
        };
        let recorded = self.desk.operations().record_account_offer(&Caller::system(), command).await;
        recorded.unwrap().unwrap()
    }

    /// An offer as the platform shows it to the second account.
    fn received(&self, gives: &[&str], receives: &[&str]) -> OfferReport {
        let offered = |ids: &[&str]| ids.iter().map(|id| offered(id)).collect();
        let mut report = Samples::default().offer_report(OfferStatus::Active);
        report.offer_id = text("offer-1");
        report.direction = OfferDirection::Received;
        (report.gives, report.receives) = (offered(gives), offered(receives));
        report.created_at = self.desk.world.clock.now();
        report
    }

    /// Has the platform show that the offer is out.
    async fn sent(&self, offer: &Versioned<TradeOffer>) {
        let report = OfferReport {
            direction: OfferDirection::Sent,
            partner: offer.value.partner,
            ..self.received(&["20001"], &[])
        };
        let sent = self.see("trader-1", report).await;
        assert_eq!((sent.value.id, sent.value.status), (offer.value.id, TradeOfferStatus::Active));
    }

    /// Limits how much an account gives within 24 h, in cents.
    async fn limit(&self, account_id: AccountId, max_give_cents_per_day: Option<i64>) {
        let update = UpdateAccount {
            workspace_id: self.desk.workspace_id(),
            account_id,
            trade_token: None,
            capabilities: Vec::new(),
            limits: None,
            chat_enabled: None,
            secrets: AccountSecrets::default(),
            cancel_strange_offers: None,
            giving_limits: Some(LimitsOfGiving { max_give_cents_per_hour: None, max_give_cents_per_day }),
            expected_version: None,
        };
        self.desk.operations().update_account(&Caller::system(), update).await.unwrap();
    }

    async fn accept(&self, received: &Versioned<TradeOffer>, sent: &TradeOffer) -> OpResult<Versioned<TradeOffer>> {
        let (workspace_id, trade_offer_id) = (self.desk.workspace_id(), received.value.id);
        let command = AcceptTransfer { workspace_id, trade_offer_id, sent_offer_id: sent.id };
        self.desk.operations().accept_transfer(&Caller::system(), command).await
    }
}

impl Desk {
    /// What moves an item that is free to be traded to an account that is signed in.
    pub(super) async fn transferable(&self, number: u32) -> TransferItem {
        let (workspace_id, purchase_id) = (self.workspace_id(), self.pay(number).await);
        let protected_until = Timestamp::from_micros(0).unwrap();
        let arrival = ReceiveItem { protected_until, ..self.arrival(purchase_id, number) };
        let received = self.operations().receive_item(&self.trader, arrival).await.unwrap();
        let account_id = ready(self, number).await;
        let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![account_id] };
        self.operations().acknowledge_trade_protection(&Caller::system(), accept).await.unwrap();
        TransferItem { workspace_id, inventory_item_id: received.item.value.id, account_id, accept_hold: false }
    }
}

async fn account(desk: &Desk, number: u32) -> AccountId {
    let command = CreateAccount {
        workspace_id: desk.workspace_id(),
        name: format!("trader-{number}"),
        platform: "steam".to_owned(),
        platform_user_id: (76_561_198_000_000_000_u64 + u64::from(number)).to_string(),
        trade_token: (number != 3).then(|| "AbCdEfGh".to_owned()),
        capabilities: Vec::new(),
        limits: LimitsOfAccount::default(),
        giving_limits: None,
        secrets: AccountSecrets::default(),
    };
    desk.operations().create_account(&Caller::system(), command).await.unwrap().value.id
}

/// The same, signed in.
async fn ready(desk: &Desk, number: u32) -> AccountId {
    let (workspace_id, account_id) = (desk.workspace_id(), account(desk, number).await);
    for event in [AccountEvent::SigningIn, AccountEvent::SignedIn] {
        let command = AdvanceAccount { workspace_id, account_id, event, reason: None };
        desk.operations().advance_account(&Caller::system(), command).await.unwrap();
    }
    account_id
}

fn offered(asset_id: &str) -> OfferedAsset {
    OfferedAsset { asset_id: asset(asset_id), ..Samples::default().offered_asset(1) }
}

#[tokio::test]
async fn a_transfer_is_an_intent_with_the_offer_that_carries_it_out() {
    let mover = Mover::open().await;
    let (intent, offer) = mover.asked().await;
    assert_eq!((intent.value.status, intent.value.terms.contract_id), (IntentStatus::Executing, None));
    let (request, wish) = (offer.value.request.unwrap(), offer.value.wish.as_ref().unwrap());
    assert_eq!((request.step, request.begun_at), (OfferStep::Send, None));
    assert_eq!((wish.intent_id, &wish.token), (Some(intent.value.terms.id), &text("AbCdEfGh")));
    assert_eq!(offer.value.partner.to_string(), "76561198000000002");
    assert_eq!(wish.gives.iter().map(|given| given.asset_id.as_str()).collect::<Vec<_>>(), ["20001"]);
    assert!(mover.begin(&offer).await.is_ok(), "an item of the ledger is given by the offer of its transfer");
}

#[tokio::test]
async fn a_transfer_needs_a_second_factor() {
    let mover = Mover::open().await;
    mover.desk.forbidden(mover.ask(mover.second), "STEP_UP_REQUIRED").await;
}

#[tokio::test]
async fn an_item_goes_only_to_another_account_that_can_receive_it() {
    let mover = Mover::open().await;
    let [silent, refusing, gone, new] = [
        ready(&mover.desk, 3).await,
        ready(&mover.desk, 4).await,
        account(&mover.desk, 5).await,
        account(&mover.desk, 6).await,
    ];
    let (workspace_id, system) = (mover.desk.workspace_id(), Caller::system());
    let accept = AcknowledgeTradeProtection { workspace_id, account_ids: vec![silent, new] };
    mover.desk.operations().acknowledge_trade_protection(&system, accept).await.unwrap();
    let remove = RemoveAccount { workspace_id, account_id: gone, expected_version: None };
    mover.desk.operations().remove_account(&system, remove).await.unwrap();
    mover.desk.world.step_up(&mover.desk.trader).await;
    mover.desk.refused(mover.ask(mover.first), Code::InvalidArgument, "INVALID_FIELD").await;
    mover.desk.refused(mover.ask(Id::from_bytes([9; 16])), Code::NotFound, "NOT_FOUND").await;
    mover.desk.forbidden(mover.ask(silent), "TRADE_URL_UNKNOWN").await;
    mover.desk.forbidden(mover.ask(refusing), "TRADES_NOT_ACKNOWLEDGED").await;
    mover.desk.forbidden(mover.ask(gone), "ACCOUNT_REMOVED").await;
    mover.desk.forbidden(mover.ask(new), "ACCOUNT_NOT_READY").await;
}

#[tokio::test]
async fn an_item_is_sold_or_transferred_and_not_both() {
    let mover = Mover::open().await;
    mover.asked().await;
    let sell = ListItemForSale {
        workspace_id: mover.desk.workspace_id(),
        inventory_item_id: mover.item,
        marketplace: "csfloat".to_owned(),
        price_cents: Some(1_900),
    };
    let sell = mover.desk.operations().list_item_for_sale(&mover.desk.trader, sell);
    mover.desk.refused(sell, Code::AlreadyExists, "INTENT_EXISTS").await;
    mover.desk.refused(mover.ask(mover.second), Code::AlreadyExists, "INTENT_EXISTS").await;
}

#[tokio::test]
async fn a_transfer_counts_against_the_limits_of_the_account_that_gives() {
    let mover = Mover::open().await;
    mover.desk.world.step_up(&mover.desk.trader).await;
    mover.limit(mover.first, Some(0)).await;
    let refused = mover.ask(mover.second).await.unwrap_err();
    assert_eq!(refused.reason.as_str(), "GIVING_LIMIT_REACHED");
    mover.limit(mover.first, None).await;
    mover.limit(mover.second, Some(0)).await;
    let (_, offer) = mover.asked().await;
    let given = offer.value.given.unwrap();
    assert!(!given.is_allowed && given.value.is_some_and(|value| value > Cents::ZERO), "{given:?}");
}

#[tokio::test]
async fn an_item_that_is_elsewhere_by_now_is_not_given() {
    let mover = Mover::open().await;
    let (_, offer) = mover.asked().await;
    let elsewhere = ItemEvent::Transferred {
        trade_id: text("trade-9"),
        to: text("trader-2"),
        context_id: ContextId::ORDINARY,
        asset_id: asset("30001"),
        protected_until: None,
    };
    mover.desk.advance_item(mover.item, elsewhere).await.unwrap();
    let item = mover.desk.owned(mover.item).await.value;
    assert_eq!((item.account_name.as_str(), item.current_asset_id().as_str()), ("trader-2", "30001"));
    assert_eq!(mover.desk.sources(mover.item).await, ["listing", "purchase_trade", "transfer"]);
    mover.desk.forbidden(mover.begin(&offer), "ITEM_ON_RECORD").await;
}

#[tokio::test]
async fn an_item_is_not_given_to_an_account_that_receives_nothing_by_now() {
    let mover = Mover::open().await;
    let (_, offer) = mover.asked().await;
    let (workspace_id, account_id) = (mover.desk.workspace_id(), mover.second);
    let remove = RemoveAccount { workspace_id, account_id, expected_version: None };
    let removed = mover.desk.operations().remove_account(&Caller::system(), remove).await;
    assert_eq!(removed.unwrap_err().reason.as_str(), "ACCOUNT_AT_WORK", "an item is sent to it");
    let banned = AdvanceAccount { workspace_id, account_id, event: AccountEvent::Banned, reason: None };
    mover.desk.operations().advance_account(&Caller::system(), banned).await.unwrap();
    mover.desk.forbidden(mover.begin(&offer), "ITEM_ON_RECORD").await;
}

#[tokio::test]
async fn the_offer_of_a_transfer_is_cancelled_whatever_became_of_its_recipient() {
    let mover = Mover::open().await;
    let (_, offer) = mover.asked().await;
    let begun = mover.begin(&offer).await.unwrap();
    mover.sent(&begun).await;
    let (workspace_id, account_id, trade_offer_id) = (mover.desk.workspace_id(), mover.second, offer.value.id);
    let banned = AdvanceAccount { workspace_id, account_id, event: AccountEvent::Banned, reason: None };
    mover.desk.operations().advance_account(&Caller::system(), banned).await.unwrap();
    let cancel = CancelTradeOffer { workspace_id, trade_offer_id, expected_version: None };
    let asked = mover.desk.operations().cancel_trade_offer(&Caller::system(), cancel).await.unwrap();
    let received = mover.see("trader-2", mover.received(&[], &["20001"])).await;
    let accepted = mover.accept(&received, &offer.value).await;
    assert_eq!(accepted.unwrap_err().reason.as_str(), "ILLEGAL_STEP", "it is being cancelled");
    let begun = mover.begin(&asked).await.unwrap();
    assert_eq!(begun.value.request.map(|request| request.step), Some(OfferStep::Cancel));
}

#[tokio::test]
async fn only_the_offer_that_brings_the_item_and_takes_nothing_is_accepted() {
    let mover = Mover::open().await;
    let (_, offer) = mover.asked().await;
    let begun = mover.begin(&offer).await.unwrap();
    mover.sent(&begun).await;
    for (gives, receives) in [(&["500"][..], &["20001"][..]), (&[], &["20002"]), (&[], &["20001", "20002"])] {
        let received = mover.see("trader-2", mover.received(gives, receives)).await;
        let refused = mover.accept(&received, &offer.value).await;
        assert_eq!(refused.unwrap_err().reason.as_str(), "ILLEGAL_STEP", "{gives:?} {receives:?}");
    }
    let received = mover.see("trader-2", mover.received(&[], &["20001"])).await;
    let accepted = mover.accept(&received, &offer.value).await.unwrap();
    assert_eq!(accepted.value.request.unwrap().step, OfferStep::Accept);
}

#[tokio::test]
async fn an_offer_of_somebody_else_is_not_accepted_for_a_transfer() {
    let mover = Mover::open().await;
    let (_, offer) = mover.asked().await;
    let begun = mover.begin(&offer).await.unwrap();
    mover.sent(&begun).await;
    let other = OfferReport { offer_id: text("offer-2"), ..mover.received(&[], &["20001"]) };
    let received = mover.see("trader-2", other).await;
    let refused = mover.accept(&received, &offer.value).await;
    assert_eq!(refused.unwrap_err().reason.as_str(), "ILLEGAL_STEP");
}
